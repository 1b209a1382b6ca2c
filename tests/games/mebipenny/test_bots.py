"""The built-in bots: legal, as strong as they should be, and blind to what is hidden."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.bot import Bot, Budget
from agon.games.mebipenny.bots import (
    BOTS,
    MOST_WORLDS,
    USUAL_DEPTH,
    GreedyBot,
    SearchBot,
    worlds_for,
)
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS, Move
from tests.games.mebipenny.situation import situation

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.mebipenny.position import MebiPennyPosition

MIDDLE = 50  # turns


def chosen(name: str, position: MebiPennyPosition, seed: int = 1) -> str:
    seat = position.next_seat
    move = GAME.bot(name, seed).choose(position, seat, Budget(depth=2))
    return position.format_turn(seat, move)


def middle_position(options: MebiPennyOptions, seed: int) -> MebiPennyPosition:
    """Some turns of greed into a match."""
    position = GAME.start(options, seed)
    bot = GreedyBot(seed)
    while position.to_act and position.turn < MIDDLE:
        position = position.play_move(bot.choose(position, position.next_seat, Budget()))
    return position


def play_match(bots: list[Bot[Move]], seed: int, budget: Budget) -> MebiPennyPosition:
    position = GAME.start(None, seed, len(bots))
    while position.to_act:
        seat = position.next_seat
        position = position.play_move(bots[seat].choose(position, seat, budget))
    return position


def wins(stronger: Callable[[int], Bot[Move]], weaker: Callable[[int], Bot[Move]]) -> int:
    """Of 20 matches on 10 deals, each deal with seats swapped."""
    won = 0
    for match in range(20):
        seat = match % 2
        bots = [weaker(match), weaker(match)]
        bots[seat] = stronger(match)
        outcome = play_match(bots, match // 2, Budget(depth=1)).outcome
        assert outcome is not None
        won += outcome.winner == seat
    return won


def test_greedy_beats_random() -> None:
    assert wins(BOTS["greedy"], BOTS["random"]) >= 19


@pytest.mark.long
def test_search_beats_greedy() -> None:
    assert wins(BOTS["search"], BOTS["greedy"]) >= 15  # about 18 of 20 on average


@pytest.mark.parametrize("name", ["greedy", "search"])
@pytest.mark.parametrize(("side", "seats"), [(9, 2), (15, 2), (9, 3), (9, 4)])
def test_they_do_not_know_what_is_hidden(name: str, side: int, seats: int) -> None:
    for seed in range(4):
        position = middle_position(MebiPennyOptions(side, side, seats, "0.1"), seed)
        seat = position.next_seat
        other = position.redeal(seat, seed + 99)
        assert other.hands != position.hands
        assert chosen(name, other) == chosen(name, position)


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_they_take_the_large_army(name: str) -> None:
    position = situation(
        """
        1 1 1 . . .
        . . x . . .
        0 0 0 . . x
        . . . . . .
        """,
        "|3,5",
        seats=2,
    )
    assert chosen(name, position) == "1,2"


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_they_favour_themselves(name: str) -> None:
    position = situation("1 x . . . .", "|0,5", seats=2)
    assert chosen(name, position) == "0,1"


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_they_end_a_match_that_is_won(name: str) -> None:
    position = situation("0 0 . x 1", "|0,2", seats=2, seat=1)
    position = position.play_move(PASS)
    assert position.next_seat == 0
    assert position.scores == (2, 1)
    assert chosen(name, position) == "PASS"


def test_search_does_not_pass_if_the_other_would_win_by_it() -> None:
    # The only tile gives a claim to the other; without it the match would be lost at once.
    position = situation(
        """
        1 x 1 . .
        1 . 1 . .
        . . . . 0
        """,
        "|1,4",
        seats=2,
    )
    assert chosen("search", position) == "0,1"
    assert chosen("greedy", position) == "PASS"


def test_search_does_not_give_up_however_much_the_next_tile_costs() -> None:
    board = " ".join(["0"] * 40 + ["x"] + ["1"] * 42) + "\n" + " ".join([". #"] * 41 + ["."])
    position = situation(board, "|1,0", seats=2)
    assert chosen("search", position) == "0,40"
    assert chosen("greedy", position) == "PASS"


def test_greedy_decides_ties_of_others() -> None:
    position = situation("1 1 x 2 2", "|0,2", seats=3)
    assert GAME.bot("greedy", 1).choose(position, 0, Budget()) in position.moves


def test_a_hand_without_tiles_is_a_pass() -> None:
    position = situation("0 . 1", "|0,1", seats=2)
    for name in GAME.bot_names:
        assert chosen(name, position) == "PASS"


def test_time_decides_how_much_is_searched() -> None:
    readings = iter(range(10**6))
    looks = Budget(lambda: next(readings), deadline=3)
    position = GAME.start(MebiPennyOptions(9, 9), 1)
    move = SearchBot(1).choose(position, 0, looks)
    assert move in position.moves
    assert next(readings) == 4
    assert worlds_for(looks.depth_of(USUAL_DEPTH, MOST_WORLDS)) == MOST_WORLDS
    assert worlds_for(10**9) == MOST_WORLDS
    assert worlds_for(2) == 2 * worlds_for(1)


@pytest.mark.parametrize(
    "options",
    [MebiPennyOptions(1, 1), MebiPennyOptions(24, 20, 4, "0.2"), MebiPennyOptions(2, 9, 3)],
    ids=str,
)
def test_they_play_on_every_board(options: MebiPennyOptions) -> None:
    chance = Random(1)  # noqa: S311
    position = GAME.start(options, 3)
    bots = {name: GAME.bot(name, 5) for name in GAME.bot_names}
    while position.to_act and position.turn < 60:
        seat = position.next_seat
        moves = [bot.choose(position, seat, Budget(depth=1)) for bot in bots.values()]
        assert {*moves} <= {*position.moves}
        position = position.play_move(chance.choice(moves))


PRINT_CHOICES = "from tests.games.mebipenny.test_bots import print_choices; print_choices()"


def print_choices() -> None:
    """What the bots choose in a position, in the way that this process runs kernels."""
    position = situation("1 1 . x 0 . x\n. x . . . . .\n0 . # . 1 . .", "|2,6 1,6", seats=2)
    for one in (position, middle_position(MebiPennyOptions(15, 15), 4)):
        print(" ".join(chosen(name, one) for name in ("greedy", "search")))  # noqa: T201


@pytest.mark.system
def test_interpreted_bots_choose_the_same() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PRINT_CHOICES],
            env=os.environ | {"AGON_JIT": jit},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for jit in "01"
    }
    assert len(told) == 1
