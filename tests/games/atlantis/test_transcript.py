"""Whole transcripts: written as they were read, replayed, refused with the place of a defect."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from agon.errors import SettingError, TranscriptError
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.game import Outcome
from agon.match.transcript import (
    Fault,
    FaultEvent,
    LimitEvent,
    Transcript,
    TurnEvent,
    final_outcome,
    format_transcript,
    load_transcript,
    parse_transcript,
    played_positions,
    save_transcript,
    verify,
)
from tests.games.atlantis.documents import documents
from tests.games.atlantis.first_site import BARE_BOARD, NO_TURNS, SAVED

if TYPE_CHECKING:
    from pathlib import Path

    from agon.match.transcript import Event

steady = settings(derandomize=True, deadline=None, max_examples=80)

SAMPLE = """
{
    "format": "Atlantis transcript",
    "version": "1.0",
    "segments": [["a1", "a2", "b1", "b2", "b3", "c2"], ["c3", "d4", "d5", "c4", "c5"], "F8"],
    "players": [
        {"name": "Ada", "color": "teal", "stacks": {"a1": 1, "a2": 0, "b1": -2, "F8": 1}},
        {"name": "Bo", "color": "Orange", "stacks": {"c3": 2, "d4": 2}}
    ],
    "events": [
        {"user": "ada", "time": "2025-11-02T20:15:00Z", "type": "chat", "message": "Good luck!"},
        {"user": "ada", "time": "2025-11-02T20:16:00+01:00", "type": "turn",
         "moves": [["a1", "b2"], ["f8", "f9"]]},
        {"user": "bo", "time": "2025-11-02T20:17:00Z", "type": "turn", "moves": []}
    ],
    "user": "ada",
    "begin": "2025-11-02T20:14:00Z",
    "end": "2025-11-02T20:17:30Z"
}
"""


def parse(data: Any) -> Transcript:
    return parse_transcript(json.dumps(data), [GAME])


def written(transcript: Transcript) -> Any:
    return json.loads(format_transcript(transcript))


def sample(**changes: Any) -> dict[str, Any]:
    return {**json.loads(SAMPLE), **changes}


def play_randomly(options: AtlantisOptions, seats: int, seed: int, turns: int) -> list[Event]:
    chance = Random(seed)  # noqa: S311
    position = GAME.start(options, seed, seats)
    events: list[Event] = []
    while position.to_act and len(events) < turns:
        turn = position.random_turn(position.seat, chance)
        text = position.format_turn(position.seat, turn)
        events.append(TurnEvent({position.seat: text}, {position.seat: chance.randrange(10**9)}))
        position = position.play_turn(turn)
    return events


# --- text and back -------------------------------------------------------------------------------


def test_the_sample_is_read_replayed_and_written() -> None:
    transcript = parse_transcript(SAMPLE, [GAME])
    assert [player["name"] for player in transcript.players] == ["Ada", "Bo"]
    assert transcript.players[0]["color"] == "teal"
    assert verify(transcript) is None
    assert written(transcript) == json.loads(SAMPLE)
    told: list[Any] = [position.observe(None) for position in played_positions(transcript)]
    start, first, second = told
    assert start["stacks"][1] == {"c3": 2, "d4": 2}
    assert start["stacks"][0] == {"a1": 1, "a2": 0, "b1": -2} | dict.fromkeys(
        ("e7", "e8", "f7", "f8", "f9", "g8", "g9"), 1
    )
    assert first["to_act"] == [1]
    assert second["turn"] == 2


@pytest.mark.long
@steady
@given(documents())
def test_any_document_is_written_as_it_was_read(data: dict[str, Any]) -> None:
    transcript = parse(data)
    assert written(transcript) == data
    assert parse_transcript(format_transcript(transcript), [GAME]) == transcript
    position = next(iter(played_positions(transcript)))
    assert position.seats == len(data["players"])


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (AtlantisOptions(), 2),
        (AtlantisOptions(), 3),
        (AtlantisOptions("hexagon"), 6),
        (AtlantisOptions("rhombus", 2), 4),
        (AtlantisOptions(custom='{"segments": ["B2"], "players": [{"stacks": {"b2": 1}},'
                         ' {"stacks": {"a1": 2}}, {"stacks": {}}]}'), 3),
    ],
    ids=str,
)  # fmt: skip
def test_a_match_of_the_arena_is_such_a_document(options: AtlantisOptions, seats: int) -> None:
    players = tuple({"name": f"bot {seat}", "kind": "built-in"} for seat in range(seats))
    events = tuple(play_randomly(options, seats, 7, 150))
    transcript = Transcript(GAME, options, 7, players, events)  # type: ignore[arg-type]
    data = written(transcript)
    assert data["format"] == "Atlantis transcript"
    assert data["version"] == "1.0"
    assert all("stacks" in player for player in data["players"])
    assert all(event["type"] == "turn" and "moves" in event for event in data["events"])
    assert parse_transcript(format_transcript(transcript), [GAME]) == transcript
    assert final_outcome(transcript) == played_positions(transcript)[-1].outcome


def test_faults_limits_and_outcomes_stand_beside_it() -> None:
    turns = play_randomly(AtlantisOptions("hexagon"), 3, 1, 4)
    events = (*turns[:2], FaultEvent(2, Fault.TIMEOUT, "no turn within 1 s"),
              TurnEvent({2: "pass"}), turns[3], LimitEvent())  # fmt: skip
    outcome = Outcome((0, 0, -1), "turn limit")
    transcript = Transcript(GAME, AtlantisOptions("hexagon"), 0, ({}, {}, {}), events, outcome)
    again = parse_transcript(format_transcript(transcript), [GAME])
    assert again == transcript
    assert verify(again) == outcome


def test_points_stand_beside_the_ranks() -> None:
    """R15: one field each, and the later mover ranks first."""
    head = {"format": "Atlantis transcript", "version": "1.0"}
    document = {**head, **OVER, "events": []}
    outcome = verify(parse(document))
    assert outcome is not None
    assert (outcome.scores, outcome.points) == ((0, 1), (1, 1))
    stored = replace(parse(document), outcome=outcome)
    told = written(stored)["outcome"]
    assert told == {
        "scores": [*outcome.scores],
        "reason": outcome.reason,
        "points": [*outcome.points],
    }
    again = parse_transcript(format_transcript(stored), [GAME])
    assert again.outcome is not None
    assert again.outcome.points == outcome.points
    assert verify(again) == outcome
    assert verify(parse({**document, "outcome": told | {"points": []}})) == outcome
    with pytest.raises(TranscriptError, match=r'"points": \[9, 9\]}: the events give '):
        verify(parse({**document, "outcome": told | {"points": [9, 9]}}))
    with pytest.raises(TranscriptError, match=r"outcome.points\[0\] .*: expected a whole number"):
        parse({**document, "outcome": told | {"points": ["two"]}})


def test_a_fault_ends_a_match_of_two(tmp_path: Path) -> None:
    events = (*play_randomly(AtlantisOptions(), 2, 1, 3), FaultEvent(1, Fault.CRASH))
    outcome = Outcome((1, 0), "seat 1: crash")
    transcript = Transcript(GAME, AtlantisOptions(), 0, ({}, {}), events, outcome)
    save_transcript(tmp_path / "match.json.gz", transcript)
    assert verify(load_transcript(tmp_path / "match.json.gz", [GAME])) == outcome


def test_keys_that_change_nothing_are_kept() -> None:
    for key, value in (("seed", 0), ("rules", 1), ("seed", 5), ("options", ""), ("players", [])):
        data = sample(**{key: value})
        if not data["players"]:
            data["events"] = []
        assert written(parse(data)) == data


# --- what is wrong -------------------------------------------------------------------------------


def turn(*moves: Any) -> dict[str, Any]:
    return {"type": "turn", "moves": list(moves)}


OVER = {
    "segments": [["a1"], ["c1"]],
    "players": [{"stacks": {"a1": 1}}, {"stacks": {"c1": 1}}],
}
DEFECTS: dict[str, tuple[dict[str, Any], str]] = {
    "another format": ({"format": "Chess transcript"}, 'format "Chess transcript": expected Atl'),
    "another version": ({"version": "1.1"}, "version \"1.1\": expected '1.0'"),
    "other rules": ({"rules": 2}, "rules 2: this program plays by 1"),
    "a seed that is none": ({"seed": "x"}, 'seed "x": expected a whole number'),
    "a field in two segments": (
        {"segments": [["a1"], ["a1"]]},
        "segments[1]: a1 is in segments[0]",
    ),
    "a stack off the board": (
        {"segments": [["a1", "b1"], "F8"]},
        "players[0].stacks.a2: there is no such",
    ),
    "players that are none": ({"players": {}}, "players {}: expected a list"),
    "a player without stacks": (
        {"players": [{"name": "Ada"}]},
        'players[0] {"name": "Ada"}: expected a key stacks',
    ),
    "a name that is none": (
        {"players": [{"name": 3, "stacks": {}}]},
        "players[0].name 3: expected a text",
    ),
    "a user that is none": ({"user": 5}, "user 5: expected a text"),
    "a begin without zone": ({"begin": "2011-03-05T12:00:00"}, 'begin "2011-03-05T12:00:00": expe'),
    "an end that is none": ({"end": "late"}, 'end "late": expected a date and time with a zone'),
    "a time that is none": (
        {"events": [turn() | {"time": "now"}]},
        'events[0].time "now": expected a date and time with a zone',
    ),
    "a user of an event that is none": ({"events": [turn() | {"user": []}]}, "events[0].user []: "),
    "a chat without message": (
        {"events": [{"type": "chat"}]},
        "events[0].message null: expected a",
    ),
    "events that are none": ({"events": {}}, "events {}: expected a list"),
    "an event that is none": ({"events": [[]]}, "events[0] []: expected an object"),
    "an event without type": ({"events": [{}]}, "events[0].type null: expected a text"),
    "a turn without moves": (
        {"events": [{"type": "turn"}]},
        "events[0].moves null: expected a list",
    ),
    "a move of one field": (
        {"events": [turn(["a1"])]},
        'events[0].moves[0] ["a1"]: expected two fields',
    ),
    "a move that is none": (
        {"events": [turn("a1-b2")]},
        'events[0].moves[0] "a1-b2": expected two',
    ),
    "a field of a move that is none": (
        {"events": [turn(["a1", 5])]},
        "events[0].moves[0][1] 5: expected a field",
    ),
    "a move in capitals": (
        {"events": [turn(["A1", "b2"])]},
        'events[0].moves[0][0] "A1": expected a field, in small letters',
    ),
    "an illegal move": (
        {"events": [turn(["a1", "b2"]), turn(["d4", "d5"], ["c4", "c5"])]},
        "turn 1, move c4-c5: c4 is empty; expected stones of seat 1",
    ),
    "two moves of a segment": (
        {"events": [turn(), turn(["d4", "d5"], ["c3", "c4"])]},
        "turn 1, move c3-c4: d4-d5 of this turn starts in the same segment",
    ),
    "a move off the board": (
        {"events": [turn(["a1", "j10"])]},
        "turn 0, move a1-j10: there is no field j10",
    ),
    "a turn after the end": (
        {**OVER, "events": [{"type": "chat", "message": ""}, turn()]},
        "events[1]: the match is over: all areas stable: 1 - 1 fields",
    ),
    "a turn after the limit": (
        {"events": [turn(), {"type": "limit"}, turn()]},
        "events[2]: the match is over: turn limit",
    ),
    "a turn of a seat that is out": (
        {
            "segments": [["a1", "b1", "c1"]],
            "players": [{"stacks": {f: 1}} for f in ("a1", "b1", "c1")],
            "events": [{"type": "fault", "player": 0, "fault": "crash"}, turn(["a1", "b1"])],
        },
        "turn 0: seat 0 is out, and only passes",
    ),
    "a turn without players": (
        {"players": [], "events": [turn()]},
        "events[0]: a turn, but the document has no players",
    ),
    "another outcome": (
        {**OVER, "events": [], "outcome": {"scores": [1, 0], "reason": "I won"}},
        "the events give",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_every_defect_is_told_with_its_place(defect: str) -> None:
    changes, told = DEFECTS[defect]
    with pytest.raises(TranscriptError) as caught:
        verify(parse(sample(**changes)))
    assert told in str(caught.value)
    assert str(caught.value).isprintable()


def test_what_is_no_json() -> None:
    with pytest.raises(TranscriptError, match=r"line \d+, column \d+: "):
        parse_transcript(SAMPLE.replace('"', "'"), [GAME])


# --- documents of the first site ------------------------------------------------------------------


@pytest.mark.parametrize("text", [BARE_BOARD, BARE_BOARD.replace("]]", ']], "events": []', 1)])
def test_a_board_without_players_can_be_looked_at(text: str) -> None:
    transcript = parse_transcript(text)
    assert written(transcript) == json.loads(text)
    assert verify(transcript) is None
    (position,) = played_positions(transcript)
    assert (position.seats, position.to_act, position.outcome) == (0, (), None)
    assert position.scene(None).title == "Atlantis: A board of 11 fields, without players"
    assert position.observe(None)["stacks"] == []
    assert GAME.parse_match(GAME.format_match([position]))[0].seats == 0
    with pytest.raises(SettingError, match="a starting board without players"):
        GAME.start(transcript.options)


def test_a_document_without_turns_is_its_start() -> None:
    transcript = parse_transcript(NO_TURNS)
    assert verify(transcript) is None
    (position,) = played_positions(transcript)
    assert position.to_act == (0,)
    assert transcript.notes == ()


@pytest.mark.parametrize(
    "name", ["Atlantis transscript", "Atlantis trascript", "Altantis transcript"]
)
def test_files_of_the_first_site_are_read(name: str) -> None:
    transcript = parse_transcript(json.dumps(json.loads(SAVED) | {"format": name}))
    assert [position.turn for position in played_positions(transcript)] == [0, 1, 2, 3]
    assert transcript.notes == (
        f'format "{name}": read as "Atlantis transcript"',
        'turns: read as the moves of "events"',
    )
    again = written(transcript)
    assert (again["format"], "turns" in again) == ("Atlantis transcript", False)
    assert again["events"][0] == {"type": "turn", "moves": [["a1", "b2"]]}
    assert GAME.parse_match(SAVED)[-1].turn == 3


def test_a_bad_turn_of_the_first_site_is_told() -> None:
    wrong = SAVED.replace('["a1", "b2"]', '["a1", "b9"]')
    with pytest.raises(TranscriptError, match="move a1-b9: there is no field b9"):
        verify(parse_transcript(wrong))
    with pytest.raises(TranscriptError, match=r"turns .*: expected a list of turns"):
        parse(json.loads(SAVED) | {"turns": 5})


@pytest.mark.parametrize(
    "name", ["Atlantis", "atlantic script", "Hive transcripts", "x" * 10**6, 5, None]
)
def test_other_names_of_a_format_are_no_spelling_of_this_one(name: object) -> None:
    with pytest.raises(TranscriptError, match=r"^format "):
        parse(sample(format=name))


def test_keys_that_would_be_ignored_are_told() -> None:
    data = sample(turns=[], server="x")
    data["players"][1]["avatar"] = 3
    data["events"][1]["move"] = []
    transcript = parse(data)
    ignored = "not a key of this format; it is kept, and has no effect"
    assert transcript.notes == tuple(
        f"{key}: {ignored}" for key in ("turns", "server", "players[1].avatar", "events[1].move")
    )
    assert written(transcript) == data
    assert parse(sample()).notes == ()
