"""The compiled rules and the naive ones, side by side, through random games.

Maps of all kinds: ours, generated, and small crowded ones; 2 to 8 seats; weapons of all levels.
Turns are partly legal, partly rubbish. After every turn both must agree on the map, on every robot,
on what became of each action, on whose turn it is, and on the end, which every game reaches.
"""

from __future__ import annotations

import functools
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.skyport import wire
from agon.games.skyport.mapfile import Map, format_map
from agon.games.skyport.maps import generate, load_map, name_for
from agon.games.skyport.move import DIRECTIONS, LOADOUTS, WEAPONS, Action
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.robot import Deed
from tests.games.skyport.naive import RESOURCE, NaiveSkyport
from tests.games.skyport.situation import change, options_for

if TYPE_CHECKING:
    from collections.abc import Callable

TURNS = 90
GAMES = 75
REASONS = {
    "your turn is over": "turn is over",
    "expected": "not understood",
    "off the map": "off the map",
    "is not accessible": "not accessible",
    "is occupied": "occupied",
    "nothing to mine": "nothing to mine",
    "you carry": "not carried",
    "is the highest": "top level",
    "not enough": "not enough",
    "no shots from a spawn": "shot from spawn",
    "out of range": "out of range",
    "too long": "too long",
}


def seeded(seed: object) -> Random:
    return Random(repr(seed))  # noqa: S311 - chance, not secrets


# --- maps of all kinds --------------------------------------------------------------------------


def our_map(rng: Random) -> Map:
    return load_map(name_for(rng.randint(2, 8)))


@functools.cache
def made_map(players: int, seed: int) -> Map:
    return generate(players, 9 if players < 6 else 11, seed)


def generated_map(rng: Random) -> Map:
    return made_map(rng.randint(2, 8), 1)


def crowded_map(rng: Random) -> Map:
    """A few hexes of any kind, with mines above all."""
    side = rng.randint(3, 6)
    letters = [rng.choice("GGGGRRREEECCCVOG") for _ in range(side**2)]
    for place in rng.sample(range(side**2), rng.randint(2, 8)):
        letters[place] = "S"
    rows = ["".join(letters[side * j : side * (j + 1)]) for j in range(side)]
    return Map(tuple(rows))


MAKERS = [our_map, generated_map, crowded_map, crowded_map]


# --- turns --------------------------------------------------------------------------------------


def as_json(action: Action) -> dict[str, Any]:
    """What a client would have sent."""
    told: dict[str, Any] = dict(wire.deed_message(Deed(action, walked=9), "nobody"))
    return {key: told[key] for key in told if key not in ("message", "from")}


def any_action(rng: Random) -> dict[str, Any]:
    """An action that may well be refused."""
    kind = rng.choice(["move", "move", "mine", "mine", "upgrade", "pass", *WEAPONS, "dance"])
    action: dict[str, Any] = {"type": kind}
    if kind in ("move", "laser"):
        action["direction"] = rng.choice(DIRECTIONS)
    elif kind == "upgrade":
        action["weapon"] = rng.choice(WEAPONS)
    elif kind == "mortar":
        action["coordinates"] = f"{rng.randint(-4, 4)}, {rng.randint(-4, 4)}"
    elif kind == "droid":
        action["sequence"] = [rng.choice(DIRECTIONS) for _ in range(rng.randint(0, 7))]
    return action


def random_actions(position: SkyportPosition, rng: Random) -> list[dict[str, Any]]:
    (seat,) = position.to_act
    robot = position.robots[seat]
    if rng.random() < 0.5:
        turn = position.random_turn(seat, rng)
        assert isinstance(turn, tuple)
        return [as_json(action) for action in turn]
    actions = [any_action(rng) for _ in range(rng.randint(0, 3))]
    if position.tile(robot.place) in "REC" and actions:
        actions[:2] = [{"type": "mine"}] * 2
    upgrades = [{"type": "upgrade", "weapon": WEAPONS[weapon]} for weapon in robot.weapons]
    return [rng.choice(upgrades), *actions][:3] if rng.random() < 0.3 else actions


# --- side by side -------------------------------------------------------------------------------


def compare(position: SkyportPosition, naive: NaiveSkyport) -> None:
    side = position.map.side
    rows = tuple("".join(naive.tiles[j, k] for k in range(side)) for j in range(side))
    assert position.rows == rows
    half = {p for p, left in naive.left.items() if left == 1}
    assert {*position.half_mined} == half
    for robot, other in zip(position.robots, naive.robots, strict=True):
        assert (robot.place, robot.health, robot.score) == (other.place, other.health, other.score)
        levels = tuple(other.levels.get(weapon, 0) for weapon in WEAPONS)
        assert robot.levels == levels
        assert robot.units == tuple(other.units[RESOURCE[weapon]] for weapon in WEAPONS)
    assert position.turn == naive.turn
    assert (position.outcome is not None) == naive.is_over
    if position.outcome:
        assert position.outcome.scores == tuple(robot.score for robot in naive.robots)
    else:
        assert position.to_act == (naive.robot.seat,)


def reason_of(deed: Deed) -> str:
    text = deed.refusal
    if text is None:
        return "ok"
    return next(name for part, name in REASONS.items() if part in text)


def play_side_by_side(match_map: Map, rng: Random, seen: set[str]) -> tuple[int, int]:
    """Play a game to its end, comparing all the way. Returns turns played and robots that died."""
    turns_each = rng.choice([4, TURNS // match_map.seats])
    start = SkyportPosition.start(
        options_for(match_map, turns_each), match_map, rng.getrandbits(64)
    )
    naive = NaiveSkyport(match_map.rows, start.order, turns_each)
    chosen = [rng.choice(LOADOUTS) for _ in range(start.seats)]
    position = start.play(dict(enumerate(chosen)))
    naive.choose_loadouts([(WEAPONS[c.primary], WEAPONS[c.secondary]) for c in chosen])
    levels = {(r.seat, weapon): rng.randint(1, 3) for r in naive.robots for weapon in r.weapons}
    position = change(position, level=levels)
    for (seat, weapon), level in levels.items():
        naive.robots[seat].levels[weapon] = level
    deaths = 0
    played = 0
    compare(position, naive)
    while position.to_act:
        (seat,) = position.to_act
        actions = random_actions(position, rng)
        results = naive.take_turn(actions)
        after = position.play({seat: tuple(map(wire.parse_action, actions))})
        assert [reason_of(deed) for deed in after.deeds] == results, (actions, after.deeds)
        seen |= {*results}
        pairs = zip(position.robots, after.robots, strict=True)
        deaths += sum(old.health > 0 == new.health for old, new in pairs)
        position = after
        played += 1
        compare(position, naive)
    return played, deaths


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(MAKERS)))
def test_random_games_agree(number: int) -> None:
    maker: Callable[[Random], Map] = MAKERS[number]
    turns = deaths = 0
    seen: set[str] = set()
    for game in range(GAMES):
        rng = seeded((number, game))
        match_map = maker(rng)
        try:
            played, died = play_side_by_side(match_map, rng, seen)
        except AssertionError as error:
            error.add_note(f"game {(number, game)}\n{format_map(match_map)}")
            raise
        turns += played
        deaths += died
    assert turns > 20 * GAMES
    assert deaths > GAMES / 10
    rare = {"occupied"} if maker is not crowded_map else set()
    assert seen >= {"ok", *REASONS.values()} - rare


@pytest.mark.long
def test_games_on_the_largest_map_agree() -> None:
    rng = seeded("large")
    played, _ = play_side_by_side(made_large(), rng, set())
    assert played


def made_large() -> Map:
    side = 64
    letters = seeded(side).choices("GGGGRECVO", k=side**2)
    letters[0] = letters[-1] = letters[side - 1] = letters[-side] = "S"
    return Map(tuple("".join(letters[side * j : side * (j + 1)]) for j in range(side)))
