"""The built-in bots: legal, the same for the same seed, no wiser than a player, and in order."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.bot import Budget, no_time
from agon.games.skyport import board
from agon.games.skyport.bots import DEFAULT_DEPTH, MAX_DEPTH
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.mapfile import Map, format_map
from agon.games.skyport.maps import generate
from agon.games.skyport.move import Loadout
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.weapons import distance
from tests.games.skyport.situation import begin, change, health, places, play, refusals, scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.skyport.move import Turn
    from agon.games.skyport.robot import Robot

ONCE = Budget(depth=1)
TWICE = Budget(depth=2)
THRICE = Budget(depth=3)
THOUGHTFUL = ("greedy", "search")
PIER = "/".join("".join("G" if k == j < 10 else "V" for k in range(12)) for j in range(12))
PIER = f"S{PIER[1:-1]}S"
"""From the spawn of seat 0 one gets to (9, 9); that of seat 1 is (11, 11)."""


def chosen(name: str, position: SkyportPosition, budget: Budget = TWICE, seed: int = 1) -> str:
    """What a bot plays, in text."""
    (seat,) = position.to_act
    return position.format_turn(seat, GAME.bot(name, seed).choose(position, seat, budget))


def duel(
    one: tuple[int, int], other: tuple[int, int], weapons: str = "laser droid"
) -> SkyportPosition:
    """Two robots on grass; seat 0 is to act."""
    return change(begin(loadouts=f"{weapons}, {weapons}"), places={0: one, 1: other})


def random_positions(match_map: Map, rounds: int, seed: int = 1) -> list[SkyportPosition]:
    """The positions of a match of random bots."""
    rng = Random(seed)  # noqa: S311
    positions = [GAME.start(SkyportOptions(map_text=format_map(match_map)), seed)]
    while len(positions) <= rounds * match_map.seats:
        last = positions[-1]
        positions.append(last.play({seat: last.random_turn(seat, rng) for seat in last.to_act}))
    return positions


def play_match(names: Sequence[str], seed: int, turns: int = 100) -> SkyportPosition:
    """The last position of a match of bots."""
    position = GAME.start(SkyportOptions(turns=turns), seed, len(names))
    bots = [GAME.bot(name, seed + seat) for seat, name in enumerate(names)]
    while position.to_act:
        turns_of = {seat: bots[seat].choose(position, seat, ONCE) for seat in position.to_act}
        position = position.play(turns_of)
    return position


# --- legal, and the same --------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("name", GAME.bot_names)
def test_turns_are_legal(name: str, seats: int) -> None:
    match_map = SkyportOptions().find_map(seats)
    bots = [GAME.bot(name, seat) for seat in range(seats)]
    for position in random_positions(match_map, 40)[:: 2 * seats - 1]:
        turns: dict[int, Turn] = {
            seat: bots[seat].choose(position, seat, ONCE) for seat in position.to_act
        }
        for seat, turn in turns.items():
            assert position.parse_turn(seat, position.format_turn(seat, turn)) == turn
        # what others have mined, a player need not know: only that may be refused
        after = position.play(turns)
        assert all("nothing to mine" in text for text in refusals(after) if text)


@pytest.mark.long
@pytest.mark.parametrize("name", THOUGHTFUL)
def test_large_maps(name: str) -> None:
    position = random_positions(generate(8, 64, 1), 2)[-1]
    for _ in range(8):
        assert not any(refusals(play(position, chosen(name, position, ONCE))))
        position = play(position, chosen("greedy", position))


@pytest.mark.parametrize("name", GAME.bot_names)
def test_the_seed_decides(name: str) -> None:
    positions = random_positions(SkyportOptions().find_map(3), 8)
    bots = [GAME.bot(name, 2**63 + 5), GAME.bot(name, 2**63 + 5)]
    for position in positions:
        seat = position.to_act[0]
        one, other = (bot.choose(position, seat, Budget(depth=3)) for bot in bots)
        assert one == other


def test_matches_of_the_same_bots_differ() -> None:
    results = {play_match(("greedy", "greedy"), seed, 30).outcome for seed in range(6)}
    assert len(results) > 2


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_loadouts_are_chosen(name: str) -> None:
    loadout = GAME.bot(name, 0).choose(GAME.start(), 1, Budget())
    assert isinstance(loadout, Loadout)


# --- budgets --------------------------------------------------------------------------------------


def test_search_has_a_turn_at_once() -> None:
    position = duel((3, 1), (3, 4))
    hasty = chosen("search", position, Budget(no_time, deadline=0))
    assert not any(refusals(play(position, hasty)))


@pytest.mark.parametrize("looks", [1, 3, 10])
def test_search_looks_at_the_clock(looks: int) -> None:
    readings = iter(range(10**6))
    budget = Budget(lambda: next(readings), deadline=looks)
    chosen("search", duel((3, 1), (3, 4)), budget)
    assert next(readings) == looks + 1, "it has stopped as soon as it saw that time was over"


def test_depth_is_bounded() -> None:
    budgets = (Budget(depth=3), Budget(depth=10**9), Budget(no_time, deadline=5), Budget())
    depths = [budget.depth_of(DEFAULT_DEPTH, MAX_DEPTH) for budget in budgets]
    assert depths == [3, MAX_DEPTH, MAX_DEPTH, DEFAULT_DEPTH]


# --- what a player is not told --------------------------------------------------------------------


def change_hidden(position: SkyportPosition, seat: int, rng: Random) -> SkyportPosition:
    """A position that looks the same to the seat: others have other units, mines hold others."""
    state = position.copy_state()
    for other in range(position.seats):
        if other != seat:
            state["units"][other] = [rng.randint(0, 9) for _ in range(board.WEAPONS)]
    for cell, word in enumerate(state["cells"].tolist()):
        if 0 < word & board.TILE <= board.SCRAP and rng.randint(0, 1):
            state["cells"][cell] ^= board.SECOND_UNIT
    state["random"] = rng.getrandbits(64)
    return SkyportPosition(position.options, position.map, position.seed, state)


@pytest.mark.parametrize("name", THOUGHTFUL)
@pytest.mark.parametrize("seats", [2, 4])
def test_what_looks_the_same_is_answered_the_same(name: str, seats: int) -> None:
    rng = Random(1)  # noqa: S311
    bot, other = GAME.bot(name, 9), GAME.bot(name, 9)
    differ = 0
    for position in random_positions(SkyportOptions().find_map(seats), 12)[1:]:
        seat = position.to_act[0]
        changed = change_hidden(position, seat, rng)
        told, told_too = position.observe(seat), changed.observe(seat)
        assert told | {"deeds": []} == told_too | {"deeds": []}
        differ += position.observe(None) != changed.observe(None)
        assert bot.choose(position, seat, TWICE) == other.choose(changed, seat, TWICE)
    assert differ > 20


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_own_mining_is_remembered(name: str) -> None:
    position = GAME.start(SkyportOptions(turns=40), 5)
    position = position.play({seat: position.legal_moves(seat)[0] for seat in (0, 1)})
    bot = GAME.bot(name, 3)
    mined = 0
    while position.to_act:
        (seat,) = position.to_act
        turn = bot.choose(position, seat, ONCE) if seat == 0 else ()
        position = position.play({seat: turn})
        mined += sum(action.kind == board.MINE for action in turn)
        assert not any(refusals(position))
    assert mined > 4


def test_an_opened_mine_is_remembered_in_its_match_only() -> None:
    position = change(begin(wide()), places={0: (1, 1)})
    later = play(position, "move right-up; move right-down; mine", "nothing")
    elsewhere = change(position, places={0: (0, 2)})
    for then, mines in ((later, 1), (elsewhere, 2)):
        bot = GAME.bot("greedy", 1)
        turns = [now.format_turn(0, bot.choose(now, 0, ONCE)) for now in (position, then)]
        assert [turn.count("mine") for turn in turns] == [1, mines]


# --- what greed does ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THOUGHTFUL)
@pytest.mark.parametrize("seat", [0, 1])
def test_they_leave_their_spawn(name: str, seat: int) -> None:
    before = begin(first=seat)
    after = play(before, chosen(name, before))
    assert places(after)[seat] != places(before)[seat]
    assert scores(after) == [0, 0]


@pytest.mark.parametrize(
    ("weapons", "far", "shot"),
    [
        ("laser droid", 3, "droid right-down,right-down,right-down"),
        ("laser droid", 5, "laser right-down"),
        ("laser mortar", 2, "mortar 0,2"),
        ("laser mortar", 3, "mortar 0,2"),
        ("mortar laser", 5, "laser right-down"),
    ],
)
def test_greedy_shoots_with_the_better_weapon(weapons: str, far: int, shot: str) -> None:
    assert chosen("greedy", duel((3, 1), (3, 1 + far), weapons)) == shot


def test_greedy_comes_near_and_shoots() -> None:
    position = duel((0, 2), (6, 4))
    after = play(position, chosen("greedy", position))
    assert places(after)[0] != (0, 2)
    assert health(after)[1] < 100


def test_greedy_does_not_hit_itself_for_little() -> None:
    position = duel((3, 3), (3, 4), "mortar droid")
    assert health(play(position, chosen("greedy", position))) == [100, 75]


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_the_weakest_is_killed(name: str) -> None:
    position = begin("SGGGGGS" + "/GGGGGGG" * 5 + "/GGGGGGS")
    position = change(position, places={0: (3, 3), 1: (3, 0), 2: (3, 5)}, health={1: 15})
    assert health(play(position, chosen(name, position)))[1] == 0


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_the_last_shot_of_a_match_is_made(name: str) -> None:
    position = begin(loadouts="laser droid, laser droid", turns=1)
    position = change(position, places={0: (3, 1), 1: (3, 4)})
    assert scores(play(position, chosen(name, position)))[0] == 31


def wide(letter: str = "R") -> str:
    """A large map with a mine near seat 0."""
    return f"SG{letter}GGGGGGGGGG" + "/GGGGGGGGGGGGG" * 11 + "/GGGGGGGGGGGGS"


def test_greedy_mines_for_its_weapons_when_it_is_safe() -> None:
    weapons = "laser droid, laser droid"
    for letter, turn in (("R", "mine; mine"), ("C", "mine; mine"), ("E", "move")):
        position = change(begin(wide(letter), weapons), places={0: (0, 2)})
        assert chosen("greedy", position).startswith(turn)
    near = change(position, places={1: (6, 5)})
    assert "mine" not in chosen("greedy", near)
    done = change(begin(wide(), weapons), {0: (0, 2)}, level={(0, "laser"): 3})
    assert "mine" not in chosen("greedy", done)


def test_greedy_upgrades_when_it_can() -> None:
    position = change(begin(wide()), {0: (2, 3)}, units={(0, "laser"): 4, (0, "mortar"): 4})
    assert chosen("greedy", position).startswith("upgrade laser; upgrade mortar; move")
    shooting = change(duel((3, 1), (3, 4)), units={(0, "laser"): 4})
    assert chosen("greedy", shooting).startswith("droid")


def test_greedy_walks_around_what_is_in_its_way() -> None:
    position = begin("SGVGG/GGVGG/GGVGG/GGGGG/GGVGS", "mortar droid, mortar droid")
    position = change(position, places={0: (0, 1), 1: (0, 3)}, level={(0, "droid"): 1})
    position = change(position, health={1: 0})  # its body: one looks for it on its spawn
    after = play(position, chosen("greedy", position))
    assert places(after)[0] in {(2, 1), (3, 1), (3, 2)}, "to the gap, not to the body"


def test_greedy_goes_as_near_as_it_can() -> None:
    position = begin(PIER)
    for _ in range(3):
        position = play(position, chosen("greedy", position), "nothing")
    assert places(position)[0] == (9, 9)


@pytest.mark.parametrize("name", THOUGHTFUL)
@pytest.mark.parametrize("weapons", ["laser mortar", "mortar droid"])
def test_who_is_locked_in_is_not_idle(name: str, weapons: str) -> None:
    position = begin("SVG/VVV/GVS", f"{weapons}, {weapons}")
    locked = change(position, places={0: (0, 2)})
    assert scores(play(locked, chosen(name, locked)))[0] == 0
    assert chosen(name, position) == "pass", "on a spawn there is nothing that it could do"


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_they_play_on_while_the_others_are_dead(name: str) -> None:
    position = change(duel((3, 1), (3, 4)), health={1: 5})
    position = play(position, "laser right-down")
    assert position.to_act == (0,), "the turn of the dead is skipped"
    after = play(position, chosen(name, position))
    assert scores(after)[0] == scores(position)[0]


# --- search does not wait for long ----------------------------------------------------------------


@pytest.mark.parametrize("place", [(5, 11), (2, 11), (0, 9)])
def test_search_comes_nearer_if_nothing_happens(place: tuple[int, int]) -> None:
    position = change(begin(wide("G"), "laser droid, laser droid"), places={0: (3, 3), 1: place})
    bot = GAME.bot("search", 1)
    steps = []
    for _ in range(3):
        position = position.play({0: bot.choose(position, 0, THRICE)})
        if min(health(position)) < 100:
            break
        steps.append(distance(*(a - b for a, b in zip(*places(position), strict=True))))
        position = play(position, "laser up")
    assert len(steps) > 1
    assert steps == sorted({*steps}, reverse=True), "after the first turn each brings it nearer"


@pytest.mark.parametrize("seed", range(1, 4))
def test_search_does_not_pace(seed: int) -> None:
    position = GAME.start(SkyportOptions(turns=40), seed)
    bots = [GAME.bot("search", seed + seat) for seat in (0, 1)]
    robots: list[list[Robot]] = [[], []]
    while position.to_act:
        if position.turn:
            robots[position.to_act[0]].append(position.robots[position.to_act[0]])
        position = position.play(
            {seat: bots[seat].choose(position, seat, THRICE) for seat in position.to_act}
        )
    # all that it has, its place among it, is what it had two turns before
    paced = sum(
        now == before for seen in robots for before, now in zip(seen, seen[2:], strict=False)
    )
    assert paced <= 3


# --- strength -------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("stronger", "weaker", "seats"),
    [("greedy", "random", 2), ("search", "greedy", 2), ("greedy", "random", 4)],
)
def test_the_bots_are_in_order(stronger: str, weaker: str, seats: int) -> None:
    for seed in range(4):
        names = [weaker] * seats
        names[seed % seats] = stronger
        outcome = play_match(names, seed).outcome
        assert outcome is not None
        assert outcome.winner == seed % seats


def test_search_is_better_than_greedy_among_four() -> None:
    ahead = 0
    for seed in range(4):
        names = ["greedy"] * 4
        names[seed] = "search"
        outcome = play_match(names, seed).outcome
        assert outcome is not None
        ahead += 3 * outcome.scores[seed] - sum(outcome.scores) + outcome.scores[seed]
    assert ahead > 0


# --- compiled or not ------------------------------------------------------------------------------

PRINT_CHOICES = "from tests.games.skyport.test_bots import print_choices; print_choices()"


def print_choices() -> None:
    """What the bots choose in a position, in the way that this process runs kernels."""
    near = change(begin("SGGG/GVGR/GCVG/GGGS", turns=2), places={0: (0, 2), 1: (3, 1)})
    for name in THOUGHTFUL:
        sys.stdout.write(f"{chosen(name, near)}\n")


@pytest.mark.system
def test_interpreted_bots_choose_the_same() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PRINT_CHOICES],
            env=os.environ | {"AGON_JIT": jit},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for jit in "01"
    }
    assert len(told) == 1
