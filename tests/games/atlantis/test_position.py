"""Positions: what they tell, turns stage by stage, seats that fail."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from agon.errors import IllegalMoveError, SettingError
from agon.games.atlantis.board import DEAD, GROWING, OPEN, encode_move
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.position import NO_MOVE, AtlantisPosition


def custom(segments: list[Any], *stacks: dict[str, int]) -> AtlantisOptions:
    players = [{"stacks": own} for own in stacks]
    return AtlantisOptions(custom=json.dumps({"segments": segments, "players": players}))


def random_match(options: AtlantisOptions, seats: int | None, seed: int) -> list[AtlantisPosition]:
    chance = Random(seed)  # noqa: S311
    positions = [GAME.start(options, seed, seats)]
    while positions[-1].to_act and len(positions) < 300:
        last = positions[-1]
        positions.append(last.play({last.seat: last.random_turn(last.seat, chance)}))
    return positions


def test_the_start_of_a_match() -> None:
    position = GAME.start()
    assert (position.seats, position.turn, position.seat, position.to_act) == (2, 0, 0, (0,))
    assert len(position.fields) == 147
    assert position.scores == (0, 0)
    assert position.stacks(0) == dict.fromkeys(("a1", "a2", "b1", "b2", "b3", "c2", "c3"), 1)
    first = position.fields[0]
    assert (first.number, first.x, first.y, first.name, first.owner) == (1, 1, 1, "a1", 0)
    assert position.coordinates[first.number] == (1, 1)
    assert position.numbers[1, 1] == first.number
    assert position.coordinates[0] == (0, 0)


def test_fields_tell_kind_owner_and_stones() -> None:
    stacks = {"B2": 1, "b2": 4, "c3": -2, "a1": 0}, {"d2": 3}
    position = GAME.start(custom(["B2", ["d2", "d3"]], *stacks))
    told = {f.name: (f.kind, f.owner, f.stones, f.segment) for f in position.fields}
    assert told["b2"] == (OPEN, 0, 4, 0)
    assert told["c3"] == (GROWING, 0, 2, 0)
    assert told["a1"] == (DEAD, 0, 0, 0)
    assert told["d2"] == (OPEN, 1, 3, 1)
    assert told["d3"] == (OPEN, None, 0, 1)
    assert position.stacks(0) == {"a1": 0, "a2": 1, "b1": 1, "b2": 4, "b3": 1, "c2": 1, "c3": -2}


@pytest.mark.parametrize(("shape", "seats"), [("triangle", 2), ("triangle", 3), ("rhombus", 4)])
def test_stages_lead_to_the_position_after_the_turn(shape: str, seats: int) -> None:
    waves = 0
    positions = random_match(AtlantisOptions(shape), seats, 4)
    for before, after in pairwise(positions):
        assert after.last_turn is not None
        stages = before.stages({before.seat: after.last_turn})
        captions = [caption for caption, _ in stages]
        assert captions[-1] == "growth"
        assert ("moves" in captions) == bool(after.last_turn)
        exploded = [c for c in captions if c.startswith("wave ")]
        assert exploded == [f"wave {n}" for n in range(1, len(exploded) + 1)]
        assert all(stage.outcome is None for _, stage in stages[:-1])
        assert stages[-1][1].observe(None) == after.observe(None)
        waves = max(waves, len(exploded))
    assert waves >= 3


def test_stages_highlight_what_happened() -> None:
    #   b1 has three neighbours, a1, b2 and c1: with a third stone it explodes
    segments = [["a1", "a2", "b2"], ["b1"], ["c1"]]
    position = GAME.start(custom(segments, {"a1": 1, "b1": 2}, {"c1": 2}))
    turn = position.parse_turn(0, "a1-b1")
    (moves, wave, growth) = position.stages({0: turn})
    numbers = position.numbers
    assert moves[1].highlight == {numbers[2, 1]}
    assert moves[1].stacks(0) == {"b1": 3}
    assert wave[1].highlight == {numbers[2, 1]}
    assert wave[1].stacks(0) == {"a1": 1, "b2": 1, "b1": 0}
    assert growth[1].highlight == {numbers[2, 1]}
    assert growth[1].stacks(0) == {"a1": 1, "b2": 1, "b1": -1}
    assert growth[1].stacks(1) == {"c1": 1}
    assert growth[1].last_moves == ((numbers[1, 1], numbers[2, 1]),)
    assert position.play({0: turn}).highlight == frozenset()


def test_a_turn_with_one_illegal_move_changes_nothing() -> None:
    position = GAME.start()
    legal = position.parse_turn(0, "b2-c3")
    before = position.observe(None)
    for bad in (encode_move(1, 7, 1), encode_move(140, 0, 1), 0x7FFFFFFF, -1, 2**40):
        with pytest.raises(IllegalMoveError, match="move "):
            position.play({0: (*legal, bad)})
    assert position.observe(None) == before
    assert position.play({0: (NO_MOVE,)}).observe(None) == position.play({0: ()}).observe(None)


def test_r16_who_is_not_asked_passes() -> None:
    #   red's only stone on open ground stands in a stable area; blue's field grows beside another
    position = GAME.start(
        custom([["a1"], ["h8", "i8", "h9"], ["p1"]], {"a1": 1, "p1": 0}, {"h8": 1, "i8": -1})
    )
    assert position.to_act == (0,)
    assert position.forced == {0: ()}
    assert position.random_turn(0, Random(1)) == ()  # noqa: S311
    after = position.play({0: position.forced[0]})
    assert not after.forced
    assert after.to_act == (1,)


def test_a_seat_without_moves_can_only_pass() -> None:
    position = GAME.start(custom([["a1"], ["b1"], ["c1"]], {"a1": 1}, {"b1": -1, "c1": 1}))
    assert not position.forced
    assert position.legal_moves(0) == (NO_MOVE,)
    assert position.moves == ()
    assert position.legal_moves(1) == ()


def test_r15_scores_rank_the_seats() -> None:
    stacks = {"a1": 1}, {"e1": 1, "g1": 1}, {"k1": 1}
    position = GAME.start(custom([["a1", "b1"], ["e1"], ["g1"], ["k1"]], *stacks))
    assert position.to_act == ()
    assert position.outcome is not None
    assert position.scores == (2, 2, 1)
    assert position.outcome.scores == (1, 2, 0)
    assert position.outcome.reason == "all areas stable: 2 - 2 - 1 fields"
    with pytest.raises(SettingError, match="the match is over"):
        position.play({0: ()})


def test_r17_who_fails_passes_and_ranks_last() -> None:
    position = GAME.start(AtlantisOptions("hexagon"), 0, 3)
    dropped = position.drop({0: "crash"})
    assert dropped.outcome is None
    assert dropped.forced == {0: ()}
    with pytest.raises(IllegalMoveError, match="seat 0 is out"):
        dropped.parse_turn(0, position.format_turn(0, (position.moves[0],)))
    with pytest.raises(IllegalMoveError, match="seat 0 is out"):
        dropped.play({0: (position.moves[0],)})
    later = dropped.play({0: ()})
    assert later.to_act == (1,)
    assert not later.forced
    over = later.drop({2: "timeout"})
    assert over.outcome is not None
    assert over.outcome.winner == 1
    assert over.outcome.reason == "seat 0: crash, seat 2: timeout"
    assert position.out == {}


def test_no_seat_wins_if_all_fail_at_once() -> None:
    dropped = GAME.start().drop({0: "crash", 1: "timeout"})
    assert dropped.outcome is not None
    assert dropped.outcome.winner is None


def test_what_is_not_a_position_of_atlantis_is_refused() -> None:
    with pytest.raises(SettingError, match="expected AtlantisPosition"):
        AtlantisPosition.of(object())  # type: ignore[arg-type]
