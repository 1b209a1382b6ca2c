"""Several matches: seats take turns, seeds last for a way round the table, bots have scores."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from agon.arbiter.match import Limits, Match
from agon.arbiter.series import Score, Series
from agon.errors import SettingError
from agon.games.bot import no_time
from agon.games.game import Outcome, Position
from agon.games.hive.game import GAME as HIVE
from tests.toy_game import GAME, ToyOptions


def series(*bots: str, seed: int = 10, limits: Limits | None = None) -> Series:
    return Series(GAME, ToyOptions(seats=len(bots)), bots, limits or Limits(), seed)


def test_seats_take_turns() -> None:
    trio = series("random", "highest", "random")
    assert [trio.seating(n) for n in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert trio.names(1) == ("highest", "random", "random")
    assert [series("random", "highest").seating(n) for n in range(3)] == [(0, 1), (1, 0), (0, 1)]


def test_every_way_round_the_table_has_the_same_seed() -> None:
    pair, trio = series("random", "highest"), series("random", "highest", "random")
    assert [pair.seed_of(n) for n in range(5)] == [10, 10, 11, 11, 12]
    assert [trio.seed_of(n) for n in range(7)] == [10, 10, 10, 11, 11, 11, 12]


def test_the_same_cards_are_dealt_once_for_every_way_round() -> None:
    trio = series("highest", "random", "highest")
    starts = [trio.play(n, no_time).positions[0].observe(None) for n in range(4)]
    assert starts[0] == starts[1] == starts[2] != starts[3]


def test_a_bot_has_its_own_chance_whatever_its_seat() -> None:
    """Two copies of a bot choose apart; one copy chooses the same places from either seat."""

    def chosen(number: int) -> list[list[int]]:
        match = pair.play(number, no_time)
        return [
            [
                before.legal_moves(seat).index(after.table[seat])  # type: ignore[attr-defined]
                for before, after in zip(match.positions, match.positions[1:], strict=False)
            ]
            for seat in range(2)
        ]

    pair = Series(GAME, ToyOptions(seats=2, rounds=12), ("random", "random"), Limits(), 3)
    first, second = chosen(0)
    assert first != second
    assert chosen(1) == [second, first]
    assert chosen(2) != [first, second]


@pytest.mark.parametrize("number", [0, 1, 5])
def test_a_match_can_be_played_again(number: int) -> None:
    trio = series("random", "highest", "random")
    first, again = (trio.play(number, no_time) for _ in range(2))
    assert GAME.format_match(first.positions) == GAME.format_match(again.positions)
    text = GAME.format_match(first.positions)
    assert text.startswith(f"seats=3 rounds=3 variant=high open_hands=off seed={10 + number // 3};")


def test_limits_clock_and_spectator_are_passed_on() -> None:
    seen: list[Position[Any]] = []
    readings = count()
    match = series("random", "highest", limits=Limits(turns=2)).play(
        0, lambda: next(readings), seen.append
    )
    assert match.turns == 2
    assert list(match.positions) == seen
    assert match.thought_ns == (2, 2)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(SettingError, match="bot 'nobody': toy has random, highest"):
        series("random", "nobody").play(0, no_time)


def test_hive_takes_turns_too() -> None:
    pair = Series(HIVE, HIVE.options(), ("random", "greedy"), Limits(turns=6), 1)
    assert [pair.play(n, no_time).turns for n in range(2)] == [6, 6]


def ended(*scores: int, thought: tuple[int, ...], slowest: tuple[int, ...]) -> Match:
    return Match((GAME.start(),), Outcome(scores, "by decree"), thought, slowest)


def test_wins_and_times_go_to_the_bot_in_the_seat() -> None:
    trio = series("random", "highest", "random")
    score = Score.zero(3)
    score.add(ended(3, 0, 0, thought=(10, 20, 30), slowest=(1, 2, 3)), trio.seating(0))
    score.add(ended(3, 0, 0, thought=(100, 200, 300), slowest=(9, 1, 1)), trio.seating(1))
    assert score.wins == [1, 1, 0]
    assert score.thought_ns == [310, 120, 230]
    assert score.slowest_ns == [1, 9, 3]
    assert score.shared == 0
    assert len(score.matches) == 2


def test_a_shared_top_and_a_turn_limit_are_nobodys_win() -> None:
    score = Score.zero(2)
    score.add(ended(1, 1, thought=(0, 0), slowest=(0, 0)), (0, 1))
    score.add(ended(0, 0, thought=(0, 0), slowest=(0, 0)), (1, 0))
    assert (score.wins, score.shared) == ([0, 0], 2)


def test_every_match_is_somebodys_or_nobodys() -> None:
    trio = series("highest", "random", "random")
    score = Score.zero(3)
    for number in range(30):
        score.add(trio.play(number, no_time), trio.seating(number))
    assert sum(score.wins) + score.shared == 30
