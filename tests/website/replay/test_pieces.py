"""Replays in pieces: each can be read alone, together they are the match, and they are small."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agon.errors import SettingError
from agon.games.hive.game import GAME
from agon.games.registry import game_names
from agon.match.replay_steps import tell
from agon.match.transcript import TurnEvent
from agon.website.http.encoding import COMPRESSORS
from agon.website.replay.pieces import (
    MOST_TURNS,
    PieceSize,
    choose_piece_size,
    load_match,
    make_piece,
    shorten,
)
from agon.website.replay.replay_cache import UPLOAD_SECONDS, ReplayCache, WantedPiece
from benchmarks.website import LONG, TURNS, Long, weigh_replay
from tests.website.arena import play
from tests.website.live.test_frames import Reader

if TYPE_CHECKING:
    from agon.match.replay_steps import ReplayStep
    from agon.match.transcript import Transcript
    from agon.website.replay.pieces import LoadedMatch

LARGEST = 1 << 20
"""What a replay of 500 turns may take, compressed."""


def read_pieces(match: LoadedMatch, seat: int | None = None) -> list[dict[str, Any]]:
    """All pieces of a match, one after the other."""
    return [json.loads(piece) for piece in make_pieces(match, seat, match.piece_size)]


def make_pieces(match: LoadedMatch, seat: int | None, size: PieceSize) -> list[bytes]:
    firsts = range(0, match.last_turn + 1, size.turns)
    return [make_piece(match, first, seat, size) for first in firsts]


def read_steps(match: LoadedMatch, seat: int | None = None) -> list[dict[str, Any]]:
    return [step for piece in read_pieces(match, seat) for step in piece["steps"]]


def packed_size(match: LoadedMatch, seat: int | None = None) -> int:
    pieces = make_pieces(match, seat, match.piece_size.longer)
    return sum(len(COMPRESSORS["br"](piece)) for piece in pieces)


def test_a_piece_says_what_it_holds() -> None:
    match = load_match(play("hive", ("greedy", "random"), turns=55).transcript)
    [first, second] = read_pieces(match)
    assert {key: value for key, value in first.items() if key not in ("steps", "spent")} == {
        "look": "hive",
        "width": 1000,
        "height": 780,
        "first": 0,
        "last": 49,
        "players": ["greedy", "random"],
    }
    assert (second["first"], second["last"]) == (50, 55)
    assert [step["turn"] for step in second["steps"]] == list(range(50, 56))
    events = [one for one in match.transcript.events if isinstance(one, TurnEvent)]
    before = [sum(event.ns.get(seat, 0) for event in events[:49]) for seat in (0, 1)]
    assert (first["spent"], second["spent"]) == ([0, 0], before)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("seat", [None, 1])
def test_pieces_join_to_the_match_as_it_was_drawn(game: str, seat: int | None) -> None:
    transcript = play(game, ("random", "greedy"), turns=55).transcript
    match = load_match(transcript)
    expected = tell(transcript, in_stages=True)
    turns = []
    for piece in read_pieces(match, seat):
        reader = Reader()  # each piece begins with a whole scene
        for told in piece["steps"]:
            step = next(one for one in expected if is_told(told, one))
            scene = step.position.scene(seat, match.names)
            reader.read(json.dumps(told).encode())
            reader.check(scene)
            assert told["title"] == scene.title
            turns.append(step.turn)
    assert next(expected, None) is None
    assert [*dict.fromkeys(turns)] == list(range(match.last_turn + 1))


def is_told(told: dict[str, Any], step: ReplayStep) -> bool:
    """Whether this is the step; a turn that is not told in stages is told by its last one."""
    is_whole = "stage" not in told and (step.event is not None or step.turn == 0)
    return told["turn"] == step.turn and (is_whole or told.get("stage") == step.stage)


def test_a_piece_is_found_by_any_of_its_turns() -> None:
    match = load_match(play("hive", ("greedy", "random"), turns=55).transcript)
    size = match.piece_size
    assert make_piece(match, 0, None, size) == make_piece(match, 49, None, size)
    assert make_piece(match, 50, None, size) == make_piece(match, 55, None, size)


def test_a_step_has_what_was_played_in_how_long_and_what_was_noted() -> None:
    match = load_match(play("hive", ("random", "random"), turns=3).transcript)
    last = read_steps(match)[-1]
    event = match.transcript.events[2]
    assert isinstance(event, TurnEvent)
    written = GAME.common_notation(event.turns[0])
    assert written != event.turns[0]
    assert last["played"] == [[0, written, event.ns[0]]]
    assert last["notes"][0][0] == "limit"
    assert last["title"].startswith("Hive:")


def test_a_turn_is_told_in_stages() -> None:
    match = load_match(play("battlebots", ("random", "random"), turns=3).transcript)
    steps = read_steps(match)
    assert len(steps) == 1 + 3 * 4
    assert steps[1]["stage"] == "orders"


def test_long_matches_with_large_scenes_are_told_turn_by_turn() -> None:
    transcript = play("battlebots", ("random", "random"), turns=3).transcript
    match = load_match(transcript)
    vars(match)["piece_size"] = choose_piece_size(500, 3000, 4)
    assert match.piece_size == PieceSize(10, 10)
    assert match.piece_size.longer == PieceSize(50, 50)
    assert [step["turn"] for step in read_steps(match)] == [0, 1, 2, 3]


@pytest.mark.parametrize("shapes", [10, 1000, 10**6])
@pytest.mark.parametrize("stages", [1, 4.5, 100])
@pytest.mark.parametrize("last_turn", [0, 1, 500])
def test_a_piece_has_at_least_one_turn_and_room_for_it(
    last_turn: int, stages: float, shapes: int
) -> None:
    size = choose_piece_size(last_turn, shapes, stages)
    assert 1 <= size.turns <= MOST_TURNS
    assert size.turns <= size.steps
    assert size.turns <= size.longer.turns <= size.longer.steps
    assert size.longer.turns <= MOST_TURNS


def test_a_seat_is_shown_no_more_than_it_could_see() -> None:
    match = load_match(play("battlebots", ("random", "greedy"), turns=4).transcript)
    everything, seen = (make_piece(match, 0, seat, match.piece_size) for seat in (None, 0))
    assert b"not in sight" in seen
    assert b"not in sight" not in everything
    assert b"as random (Red) sees it" in seen
    assert b"sees it" not in everything


def test_very_long_turns_are_told_by_their_beginnings() -> None:
    transcript = play("battlebots", ("greedy",) * 8, turns=30).transcript
    turns = [one.turns for one in transcript.events if isinstance(one, TurnEvent)]
    steps = read_steps(load_match(transcript))
    told = [{seat: text for seat, text, _ in step["played"]} for step in steps if "played" in step]
    assert told == [{seat: shorten(text, 120) for seat, text in one.items()} for one in turns]
    assert any(text.endswith("…") for one in told for text in one.values())


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_replay_is_small(game: str, bot: str) -> None:
    match = load_match(play(game, (bot, bot), seed=2, turns=40).transcript)
    beginning = 20 << 10  # glyphs and ground are told once
    assert packed_size(match) < beginning + LARGEST * match.last_turn / TURNS


@pytest.mark.slow
@pytest.mark.parametrize("long", LONG, ids=str)
def test_replays_of_five_hundred_turns_are_small(long: Long) -> None:
    assert weigh_replay(long, TURNS).packed < LARGEST


@pytest.fixture(scope="module")
def transcript() -> Transcript:
    return play("hive", ("random", "random"), turns=3).transcript


def test_a_match_is_loaded_once_and_its_pieces_are_made_once(transcript: Transcript) -> None:
    cache = ReplayCache()
    reads = []

    def read() -> Transcript:
        reads.append(1)
        return transcript

    match = cache.load(7, read)
    assert cache.load(7, read) is match
    assert len(reads) == 1
    piece = cache.find_piece(7, match, WantedPiece(0), "br")
    assert cache.find_piece(7, match, WantedPiece(3), "br") is piece
    assert cache.find_piece(7, match, WantedPiece(3, long=True), "br") is piece  # as large
    assert cache.find_piece(7, match, WantedPiece(3, seat=0), "br") is not piece
    plain = cache.find_piece(7, match, WantedPiece(3), "identity")
    assert plain == make_piece(match, 0, None, match.piece_size)
    assert len(piece) < len(plain)


@pytest.mark.parametrize(("turn", "seat"), [(4, None), (-1, None), (0, 2), (0, -1)])
def test_turns_and_seats_that_are_not_there(
    transcript: Transcript, turn: int, seat: int | None
) -> None:
    cache = ReplayCache()
    with pytest.raises(SettingError, match=r"the match has (turns 0 to 3|seats 0 to 1)"):
        cache.find_piece(7, load_match(transcript), WantedPiece(turn, seat), "br")


def test_an_upload_has_a_secret_key_and_is_forgotten(transcript: Transcript) -> None:
    now = 0.0
    cache = ReplayCache(lambda: now)
    keys = {cache.add_upload(transcript) for _ in range(2)}
    assert len(keys) == 2
    assert all(len(key) >= 40 for key in keys)
    assert all(cache.find_upload(key) is transcript for key in keys)
    assert cache.find_upload("another") is None
    now = UPLOAD_SECONDS + 1.0
    assert not any(cache.find_upload(key) for key in keys)


def test_times_are_told_as_they_are(transcript: Transcript) -> None:
    event = next(one for one in transcript.events if isinstance(one, TurnEvent))
    slow = replace(event, ns={0: 123_456_789})
    (told,) = read_steps(load_match(replace(transcript, events=(slow,))))[-1]["played"]
    assert told == [0, event.turns[0], 123_456_789]
