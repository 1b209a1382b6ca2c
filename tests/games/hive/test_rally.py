"""A rally plays what positions play, line for line, and stops where they have more to say."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import AgonError
from agon.games.hive.game import HiveOptions
from agon.games.hive.notation import format_move
from agon.games.hive.position import LONGEST_PATH, HivePosition
from agon.games.hive.rally import MOST_KEYS, HiveRally
from tests.games.hive.situation import play, replay
from tests.games.hive.test_properties import STARTS, choices, deterministic, play_on

OPENING = "wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1"
TO_AND_FRO = ("wQ1/*wS1", "bQ1*/bS1", "wQ1|*wS1", "bQ1*|bS1")


def assert_same(found: HivePosition, expected: HivePosition) -> None:
    assert found.observe(None) == expected.observe(None)
    assert (found.keys, found.move, found.moves) == (expected.keys, expected.move, expected.moves)
    assert found.last_move == expected.last_move
    assert found.copy_state().tobytes() == expected.copy_state().tobytes()


def wire(position: HivePosition, move_to: HivePosition) -> bytes:
    assert move_to.move is not None
    return f"{format_move(position, move_to.move)}\n".encode()


games = st.builds(play_on, st.sampled_from(STARTS), choices)


@deterministic
@given(games, st.integers(1, 10))
def test_it_plays_what_positions_play(game: list[HivePosition], first: int) -> None:
    game = game[first:]
    rally = HiveRally(game[0])
    for before, after in pairwise(game):
        line = wire(before, after)
        told = rally.play(line)
        if after.outcome is not None:
            assert told is None
            assert_same(rally.position(), before)
            return
        assert told == (line.decode().removesuffix("\n"), line)
        assert_same(rally.position(), after)


@deterministic
@given(games)
def test_a_line_that_is_no_plain_turn_changes_nothing(game: list[HivePosition]) -> None:
    *others, before, last = game
    rally = HiveRally(before)
    good = wire(before, last)
    bad = [b"", b"\n", good[:-1], good[:-1] + b"\r\n", good + good, b" " + good, b"\xff\n"]
    for position, after in pairwise(others):
        line = wire(position, after)
        try:
            before.parse_turn(before.side_to_move, line.decode().removesuffix("\n"))
        except AgonError:
            bad.append(line)
    for line in bad:
        assert rally.play(line) is None, line
    assert_same(rally.position(), before)


def test_another_way_to_write_a_move_is_told_as_everybody_writes_it() -> None:
    position = play(f"{OPENING} wA1|*wQ1 bA1*|bQ1")
    for line in ("wA1*/wS1", r"wA1\*bS1"):
        text = position.format_turn(0, position.parse_turn(0, line))
        assert HiveRally(position).play(f"{line}\n".encode()) == (text, f"{text}\n".encode())


@pytest.mark.parametrize("repetition", [True, False])
def test_r14_it_stops_before_a_third_occurrence(repetition: bool) -> None:
    start = replay(HivePosition.start(HiveOptions(repetition=repetition)), OPENING)
    rally = HiveRally(start)
    told = [rally.play(f"{text}\n".encode()) for text in TO_AND_FRO * 2]
    assert [one is None for one in told] == [False] * 7 + [repetition]
    assert rally.position().outcome is None


def test_it_stops_when_it_has_no_room_for_more_positions() -> None:
    start = replay(HivePosition.start(HiveOptions(repetition=False)), OPENING)
    rally, turns = HiveRally(start), 0
    while rally.play(f"{TO_AND_FRO[turns % 4]}\n".encode()):
        turns += 1
    end = rally.position()
    assert turns == MOST_KEYS - 1 - len(start.keys)
    assert len(end.keys) == MOST_KEYS - 1
    again = HiveRally(end)
    assert again.play(f"{TO_AND_FRO[turns % 4]}\n".encode()) is None
    assert again.position() is end
    assert replay(end, TO_AND_FRO[turns % 4]).turn == turns + 5


def test_a_long_rally_knows_where_its_cells_lie() -> None:
    """What is kept to say it is cut off every so many moves, within a rally, too."""
    position = replay(HivePosition.start(HiveOptions(repetition=False)), OPENING)
    for more in (r"wG1\*wS1 bG1*\bS1", r"wG2\*wG1 bG2*\bG1", ""):
        rally = HiveRally(position)
        for turn in range(LONGEST_PATH // 2):
            assert rally.play(f"{TO_AND_FRO[turn % 4]}\n".encode())
        position = replay(rally.position(), more)
    assert position.turn > LONGEST_PATH
    assert position.stacks
