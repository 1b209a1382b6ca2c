"""Replay documents: whole, small, and made once."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.registry import NAMES
from agon.match.transcript import TurnEvent
from agon.website.replay.documents import Replays, compress, replay_lines, shorten, uncompress
from benchmarks.website import LONG, Long, play_long_match, weigh_replay
from tests.website.arena import play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.match.transcript import Transcript

LARGEST = 300 << 10
"""What a replay of 500 turns may take, packed."""
TURNS = 500


def read(transcript: Transcript, seat: int | None = None, **limits: int) -> list[dict[str, Any]]:
    """The head, and what is told of each step besides its picture."""
    head, *lines = map(json.loads, replay_lines(transcript, seat, **limits))
    return [head, *(step for line in lines for step in line["steps"])]


def packed_size(transcript: Transcript, seat: int | None = None) -> int:
    return sum(map(len, compress(replay_lines(transcript, seat))))


def test_the_first_line_says_what_the_match_is() -> None:
    match = play("hive", ("greedy", "random"), turns=5)
    head, *steps = read(match.transcript)
    assert head == {
        "game": "hive",
        "look": "hive",
        "turns": 5,
        "seat": None,
        "width": 1000,
        "height": 780,
        "players": ["greedy", "random"],
    }
    assert [step["turn"] for step in steps] == list(range(6))


def test_a_line_has_what_was_played_in_how_long_and_what_was_noted() -> None:
    match = play("hive", ("random", "random"), turns=3)
    last = read(match.transcript)[-1]
    event = match.transcript.events[2]
    assert last["played"] == [[0, event.turns[0], event.ns[0]]]  # type: ignore[union-attr]
    assert last["notes"][0][0] == "limit"
    assert last["title"].startswith("Hive:")


def test_short_matches_are_told_in_stages_and_long_ones_turn_by_turn() -> None:
    match = play("battlebots", ("random", "random"), turns=3)
    steps = read(match.transcript)[1:]
    assert len(steps) == 1 + 3 * 4
    assert steps[1]["stage"] == "orders"
    assert len(read(match.transcript, in_stages_up_to=2)) == 1 + 1 + 3


def test_matches_on_very_large_boards_are_told_turn_by_turn() -> None:
    match = play("battlebots", ("random", "random"), turns=3)
    assert len(read(match.transcript, most_shapes=100)) == 1 + 1 + 3


def test_a_seat_is_shown_no_more_than_it_could_see() -> None:
    transcript = play("battlebots", ("random", "greedy"), turns=4).transcript
    everything, seen = (b"".join(replay_lines(transcript, seat)) for seat in (None, 0))
    assert b"not in sight" in seen
    assert b"not in sight" not in everything
    assert b"as random (Red) sees it" in seen
    assert b"sees it" not in everything


def test_times_have_as_many_digits_as_anybody_reads() -> None:
    transcript = play("hive", ("random", "random"), turns=1).transcript
    event = next(one for one in transcript.events if isinstance(one, TurnEvent))
    slow = replace(event, ns={0: 123_456_789})
    (told,) = read(replace(transcript, events=(slow,)))[-1]["played"]
    assert told == [0, event.turns[0], 123_500_000]


def test_lines_have_more_and_more_steps() -> None:
    match = play("hive", ("random", "random"), turns=20)
    lines = [json.loads(line) for line in replay_lines(match.transcript, None)]
    assert [len(line["steps"]) for line in lines[1:]] == [1, 2, 4, 8, 6]


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_replay_is_small(game: str, bot: str) -> None:
    match = play(game, (bot, bot), seed=2, turns=40)
    beginning = 20 << 10  # glyphs and ground are told once
    assert packed_size(match.transcript) < beginning + LARGEST * match.turns / TURNS


def test_a_replay_of_many_armies_is_small_and_long_turns_are_told_by_their_beginnings() -> None:
    transcript = play("battlebots", ("greedy",) * 8, turns=30).transcript
    lines = list(replay_lines(transcript, None))
    beginning = 50 << 10  # all roads and forts, and armies of all colours on them
    assert sum(map(len, compress(iter(lines)))) < beginning + LARGEST * 30 / TURNS
    steps = [step for line in lines[1:] for step in json.loads(line)["steps"]]
    turns = [one.turns for one in transcript.events if isinstance(one, TurnEvent)]
    told = [{seat: text for seat, text, _ in step["played"]} for step in steps if "played" in step]
    assert told == [{seat: shorten(text, 120) for seat, text in one.items()} for one in turns]
    assert any(text.endswith("…") for one in told for text in one.values())


@pytest.mark.slow
@pytest.mark.parametrize("long", LONG, ids=str)
def test_replays_of_five_hundred_turns_are_small(long: Long) -> None:
    assert weigh_replay(long, TURNS).packed < LARGEST


@pytest.mark.slow
def test_a_view_of_the_largest_replay_is_small() -> None:
    match = play_long_match(Long("battlebots", 8, "random", 0), TURNS)
    assert match.turns == TURNS
    assert packed_size(match.transcript, 0) < LARGEST


def test_packed_pieces_are_what_was_packed() -> None:
    lines = [b"x" * 50_000, b"y" * 50_000, b"z"]
    pieces = list(compress(iter(lines)))
    assert gzip.decompress(b"".join(pieces)) == b"".join(lines)
    assert b"".join(uncompress(iter(pieces))) == b"".join(lines)


def test_what_was_packed_can_be_read_before_the_rest_is_there() -> None:
    drawn = []

    def lines() -> Iterator[bytes]:
        for number in range(10):
            drawn.append(number)
            yield bytes([number]) * 70_000

    pieces = compress(lines())
    first = next(pieces) + next(pieces)
    assert next(uncompress(iter((first,)))).startswith(b"\0" * 70_000)
    assert len(drawn) < 10


def test_a_document_is_kept_when_all_of_it_has_been_made() -> None:
    replays = Replays()
    pieces = replays.keep("a", iter((b"one", b"two")))
    assert next(pieces) == b"one"
    assert replays.find("a") is None
    assert list(pieces) == [b"two"]
    assert replays.find("a") == b"onetwo"


def test_documents_make_room_for_others() -> None:
    replays = Replays(most_bytes=5)
    for key, piece in (("a", b"aaa"), ("b", b"bbb"), ("huge", b"123456")):
        assert list(replays.keep(key, iter((piece,)))) == [piece]
    assert [replays.find(key) for key in ("a", "b", "huge")] == [None, b"bbb", None]
