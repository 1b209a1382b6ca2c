"""The match record: text and back, replay, verification, and every way in which a file is bad."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import TranscriptError
from agon.games.game import Json, JsonObject, Outcome
from agon.games.hive.game import GAME as HIVE
from agon.games.hive.game import HiveOptions
from agon.match.transcript import (
    Event,
    Fault,
    FaultEvent,
    OtherEvent,
    Transcript,
    TurnEvent,
    final_outcome,
    format_transcript,
    load_transcript,
    parse_transcript,
    played_positions,
    read_text,
    replay,
    save_transcript,
    verify,
)
from agon.strict_json import DEEPEST
from tests.toy_game import GAME as TOY
from tests.toy_game import ToyOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agon.games.game import Game, Options

GAMES = (HIVE, TOY)
KNOWN_KEYS = {"format", "version", "rules", "options", "seed", "players", "events", "outcome"}
EVENT_KEYS = {"type", "turns", "ns", "player", "fault", "detail"}
steady = settings(derandomize=True, deadline=None, max_examples=100)


def play_randomly(game: Game, options: Options, seed: int, turns: int) -> list[Event]:
    """The events of a match of random turns, to its end or for so many turns."""
    rng = Random(seed)  # noqa: S311
    position = game.start(options, seed)
    events: list[Event] = []
    while position.to_act and len(events) < turns:
        chosen = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        texts = {seat: position.format_turn(seat, turn) for seat, turn in chosen.items()}
        events.append(TurnEvent(texts, {seat: rng.randrange(10**12) for seat in chosen}))
        position = position.play(chosen)
    return events


def players(count: int) -> tuple[JsonObject, ...]:
    return tuple({"name": f"bot {seat}", "kind": "built-in"} for seat in range(count))


def hive_transcript(turns: int = 4, *more: Event, outcome: Outcome | None = None) -> Transcript:
    events = play_randomly(HIVE, HiveOptions(), 1, turns)
    return Transcript(HIVE, HiveOptions(), 1, players(2), (*events, *more), outcome)


def toy_transcript() -> Transcript:
    """A whole match with everything that a transcript may have."""
    options = ToyOptions(seats=2, rounds=2)
    first, second = play_randomly(TOY, options, 5, 9)
    assert isinstance(first, TurnEvent)
    chat: dict[str, Any] = {"type": "chat", "player": 0, "text": "Grüße, 对手!", "at": 1.5}
    events = (replace(first, extra={"comment": "bold"}), OtherEvent(chat), second)
    played = Transcript(TOY, options, 5, players(2), events, extra={"begin": "2025-11-02", "x": []})
    return replace(played, outcome=final_outcome(played))


def fault_transcript() -> Transcript:
    fault = FaultEvent(0, Fault.TIMEOUT, "no turn within 1 s", {"host": "ares"})
    transcript = hive_transcript(2, fault)
    return replace(transcript, outcome=Outcome((0, 2), "white: timeout"))


def document(transcript: Transcript) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(format_transcript(transcript))
    return found


def parse(data: Json) -> Transcript:
    return parse_transcript(json.dumps(data), GAMES)


def refusal(data: Json) -> str:
    """What is wrong with this document, by parsing it or by replaying it."""
    with pytest.raises(TranscriptError) as caught:
        verify(parse(data))
    return str(caught.value)


# --- text and back -------------------------------------------------------------------------------

numbers = st.integers() | st.integers(-(10**300), 10**300)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=20)
fractions = st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Any] = st.recursive(
    scalars | fractions,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def objects(without: set[str]) -> st.SearchStrategy[JsonObject]:
    """Objects with any keys but those that mean something."""
    keys = st.text(max_size=8).filter(lambda key: key not in without)
    return st.dictionaries(keys, values, max_size=3)


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    """Random matches of both games: to the end, cut off, or ended by a fault; with extra keys."""
    game: Game = draw(st.sampled_from(GAMES))
    options: Options = ToyOptions(draw(st.integers(2, 8)), draw(st.integers(1, 3)))
    if game is HIVE:
        options = HiveOptions(draw(st.sampled_from(["Base", "Base+MLP"])), draw(st.booleans()))
    seed = draw(st.integers(0, 2**64 - 1))
    events = play_randomly(game, options, seed, draw(st.integers(0, 12)))
    if draw(st.booleans()):
        events = [
            replace(event, ns={}, extra=draw(objects(EVENT_KEYS)))
            for event in events
            if isinstance(event, TurnEvent)
        ]
    seats = game.start(options, seed).seats
    found = Transcript(game, options, seed, (), tuple(events))
    found = replace(found, players=tuple(draw(st.tuples(*[objects({"name"})] * seats))))
    if draw(st.booleans()) and final_outcome(found) is None:
        fault, seat = draw(st.sampled_from(Fault)), draw(st.integers(0, seats - 1))
        events.append(FaultEvent(seat, fault, draw(st.text()), draw(objects(EVENT_KEYS))))
    kinds = st.text(max_size=8).filter(lambda kind: kind not in ("turn", "fault", "limit"))
    for _ in range(draw(st.integers(0, 2))):
        other = OtherEvent(draw(objects({"type"})) | {"type": draw(kinds)})
        events.insert(draw(st.integers(0, len(events))), other)
    found = replace(found, events=tuple(events), extra=draw(objects(KNOWN_KEYS)))
    return replace(found, outcome=final_outcome(found) if draw(st.booleans()) else None)


@pytest.mark.long
@steady
@given(transcripts())
def test_what_is_written_is_read_again(transcript: Transcript) -> None:
    text = format_transcript(transcript)
    assert parse_transcript(text, GAMES) == transcript
    assert text.isascii()
    assert verify(transcript) == final_outcome(transcript)


@pytest.mark.parametrize("make", [toy_transcript, fault_transcript, hive_transcript])
@pytest.mark.parametrize("name", ["match.json", "match.json.gz"])
def test_what_is_saved_is_loaded_again(tmp_path: Path, make: Any, name: str) -> None:
    path = tmp_path / name
    save_transcript(path, make())
    assert load_transcript(path, GAMES) == make()
    assert path.read_bytes().startswith(b"\x1f\x8b" if name.endswith("gz") else b"{")


def test_a_saved_match_is_the_same_file_every_time(tmp_path: Path) -> None:
    one, two = tmp_path / "one.gz", tmp_path / "two.gz"
    save_transcript(one, toy_transcript())
    save_transcript(two, toy_transcript())
    assert one.read_bytes() == two.read_bytes()


def test_an_event_is_a_line() -> None:
    lines = format_transcript(fault_transcript()).splitlines()
    events = [json.loads(line.strip().rstrip(",")) for line in lines if line.startswith("  {")]
    assert [event["type"] for event in events] == ["turn", "turn", "fault"]
    assert lines[0] == '{"format": "Hive transcript",'
    assert lines[-1] == ' "outcome": {"scores": [0, 2], "reason": "white: timeout"}}'


def test_a_match_can_be_written_by_hand() -> None:
    text = """
        {"format": "Hive transcript", "version": "1.0",
         "players": [{"name": "Anna"}, {}],
         "events": [{"type": "turn", "turns": {"0": "wS1"}},
                    {"type": "turn", "turns": {"1": "bG1*|wS1"}}]}
    """
    transcript = parse_transcript(text)
    assert (transcript.options, transcript.seed, transcript.outcome) == (HiveOptions(), 0, None)
    assert verify(transcript) is None
    assert [position.turn for position in played_positions(transcript)] == [0, 1, 2]


def test_the_shortest_match_has_no_events() -> None:
    text = '{"format": "Hive transcript", "version": "1.0", "players": [{}, {}], "outcome": null}'
    assert verify(parse_transcript(text)) is None
    assert len(list(replay(parse_transcript(text)))) == 1


# --- replay and verification ---------------------------------------------------------------------


def test_replay_gives_every_event_with_the_position_after_it() -> None:
    chat = OtherEvent({"type": "chat"})
    transcript = hive_transcript(3, chat, FaultEvent(1, Fault.CRASH))
    found = [(event, position.turn) for event, position in replay(transcript)]
    assert found == list(zip((None, *transcript.events), (0, 1, 2, 3, 3, 3), strict=True))


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_ends_a_match_by_the_games_rule(fault: Fault) -> None:
    lost = Outcome((2, 0), f"black: {fault.value}")
    assert verify(hive_transcript(3, FaultEvent(1, fault), outcome=lost)) == lost
    assert verify(hive_transcript(3, FaultEvent(1, fault))) == lost


def test_an_unfinished_match_has_no_outcome() -> None:
    assert verify(hive_transcript(5)) is None
    told = document(hive_transcript(5)) | {"outcome": {"scores": [2, 0], "reason": "resigned"}}
    stored = '{"scores": [2, 0], "reason": "resigned"}'
    assert refusal(told) == f"outcome {stored}: the events give none: the match goes on"


@pytest.mark.parametrize(
    "outcome",
    [
        {"scores": [1, 1], "reason": "all cards played"},
        {"scores": [0, 0], "reason": "all cards played!"},
        {"scores": [0, 0, 0], "reason": "all cards played"},
        {"scores": [], "reason": ""},
    ],
)
def test_a_stored_outcome_that_differs_is_named(outcome: dict[str, Any]) -> None:
    data = document(toy_transcript())
    assert data["outcome"] != outcome
    found = refusal(data | {"outcome": outcome})
    assert found == f"outcome {json.dumps(outcome)}: the events give {json.dumps(data['outcome'])}"


def test_a_match_may_be_replayed_though_its_outcome_is_wrong() -> None:
    data = document(toy_transcript()) | {"outcome": {"scores": [9, 9], "reason": "?"}}
    assert len(played_positions(parse(data))) == 3


TURN: JsonObject = {"type": "turn", "turns": {"0": "wQ1"}}
OVER: JsonObject = {"type": "turn", "turns": {}}
WRONG_EVENTS: list[tuple[Transcript, int, JsonObject, str]] = [
    # (the match, where in its events, what stands there instead, what is told)
    (
        hive_transcript(4),
        2,
        {"type": "turn", "turns": {"0": "wZ1*|wS1"}},
        "events[2].turns.0: tile 'wZ1': expected w or b",
    ),
    (hive_transcript(4), 0, {"type": "turn", "turns": {"0": "wQ1"}}, "events[0].turns.0: move"),
    (hive_transcript(4), 1, {"type": "turn", "turns": {"1": "bS1"}}, "events[1].turns.1: move"),
    (hive_transcript(4), 1, {"type": "turn", "turns": {"1": "pass"}}, "events[1].turns.1: pass"),
    (hive_transcript(4), 1, {"type": "turn", "turns": {"1": ""}}, "events[1].turns.1: move ''"),
    (
        hive_transcript(4),
        1,
        {"type": "turn", "turns": {"0": "wS1"}},
        "events[1].turns of seats [0]: to act is 1",
    ),
    (
        hive_transcript(4),
        3,
        {"type": "turn", "turns": {"0": "wS1", "1": "bS1"}},
        "events[3].turns of seats [0, 1]: to act is 1",
    ),
    (hive_transcript(4), 3, OVER, "events[3].turns of seats []: to act is 1"),
    (
        hive_transcript(4),
        2,
        {"type": "fault", "player": 2, "fault": "crash"},
        "events[2].player 2: there is no such seat",
    ),
    (
        hive_transcript(4),
        2,
        {"type": "fault", "player": -1, "fault": "crash"},
        "events[2].player -1: there is no such seat",
    ),
    (
        toy_transcript(),
        0,
        {"type": "turn", "turns": {"0": "13a", "1": "1a"}},
        "events[0].turns.0: card '13a': expected 1a to 12b",
    ),
    (
        toy_transcript(),
        0,
        {"type": "turn", "turns": {"1": "1a"}},
        "events[0].turns of seats [1]: to act is 0, 1",
    ),
]


@pytest.mark.parametrize(("transcript", "place", "event", "told"), WRONG_EVENTS)
def test_an_event_that_does_not_fit_is_named(
    transcript: Transcript, place: int, event: JsonObject, told: str
) -> None:
    data = document(transcript)
    data["events"][place] = event
    assert refusal(data).startswith(told)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (TURN, "events[3].turns of seats [0]: to act is none: the match is over"),
        (OVER, "events[3].turns of seats []: to act is none: the match is over"),
        (
            {"type": "fault", "player": 0, "fault": "timeout"},
            "events[3]: the match is over: all cards played",
        ),
    ],
)
def test_nothing_but_talk_comes_after_the_end(event: JsonObject, told: str) -> None:
    data = document(toy_transcript())
    data["events"].append(event)
    assert refusal(data) == told
    data["events"][-1] = {"type": "chat", "text": "good game"}
    assert verify(parse(data)) == toy_transcript().outcome


def test_no_turn_comes_after_a_fault() -> None:
    data = document(hive_transcript(4))
    data["events"].insert(1, {"type": "fault", "player": 0, "fault": "crash"})
    assert refusal(data) == "events[2]: the match is over: white: crash"


def test_a_second_fault_comes_after_the_end() -> None:
    data = document(fault_transcript())
    fault = {"type": "fault", "player": 1, "fault": "timeout"}
    data["events"] += [{"type": "chat", "text": "oh"}, fault]
    assert refusal(data) == "events[4]: the match is over: white: timeout"


def test_faults_that_stand_together_happened_at_once() -> None:
    data = document(fault_transcript())
    data["events"].append({"type": "fault", "player": 1, "fault": "crash"})
    data["outcome"] = {"scores": [0, 0], "reason": "white: timeout, black: crash"}
    assert verify(parse(data)) == Outcome((0, 0), "white: timeout, black: crash")
    data["events"].append({"type": "fault", "player": 0, "fault": "crash"})
    assert refusal(data) == "events[4].player 0: it is out already"


def test_a_limit_ends_a_match() -> None:
    data = document(hive_transcript(4))
    data["events"].append({"type": "limit", "why": "late"})
    data["outcome"] = {"scores": [0, 0], "reason": "turn limit"}
    transcript = parse(data)
    assert verify(transcript) == Outcome((0, 0), "turn limit")
    assert parse_transcript(format_transcript(transcript)) == transcript
    data["events"].append({"type": "turn", "turns": {"0": "pass"}})
    assert refusal(data) == "events[5]: the match is over: turn limit"


@pytest.mark.parametrize("count", [0, 1, 3])
def test_there_is_a_player_for_every_seat(count: int) -> None:
    data = document(hive_transcript()) | {"players": [{"name": "x"}] * count}
    assert refusal(data) == f"players: {count} seats: Hive is for 2"


# --- bad documents -------------------------------------------------------------------------------


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def places(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value in a document."""
    yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from places(value, (*path, number))


def path_text(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:]


def free(path: tuple[str | int, ...]) -> bool:
    """Whether anything may stand there: keys that mean nothing to us."""
    within_chat = path[:2] == ("events", 1) and len(path) > 2 and path[2] != "type"
    comment = path[-1:] in (("comment",), ("host",), ("kind",))
    return path[:1] in (("begin",), ("x",)) or comment or within_chat


OTHER_VALUES: list[Any] = [None, True, 7, 1.5, "text", [], {}, [[1]], {"0": {"a": []}}, "0", -1]
WHOLE = [toy_transcript(), fault_transcript()]
EVERY_PLACE = [
    (number, path)
    for number, transcript in enumerate(WHOLE)
    for path in places(document(transcript))
    if not (free(path) and number == 0) and path[-1:] not in (("host",), ("kind",))
]


@pytest.mark.parametrize(
    ("number", "path"), EVERY_PLACE, ids=[f"{n} {path_text(p)}" for n, p in EVERY_PLACE]
)
def test_a_value_of_another_type_is_refused_with_its_place(
    number: int, path: tuple[str | int, ...]
) -> None:
    for value in OTHER_VALUES:
        data = document(WHOLE[number])
        if type(at(data, path)) is type(value) or (path == ("outcome",) and value is None):
            continue
        if not path:
            data = value
        else:
            at(data, path[:-1])[path[-1]] = value
        with pytest.raises(TranscriptError) as caught:
            parse(data)
        assert str(caught.value).startswith(path_text(path) or "the document"), value


@pytest.mark.parametrize("transcript", WHOLE, ids=["toy", "fault"])
def test_what_is_missing_is_either_optional_or_named(transcript: Transcript) -> None:
    required = set()
    for path in places(document(transcript)):
        data = document(transcript)
        if path and isinstance(path[-1], str):
            del at(data, path[:-1])[path[-1]]
            try:
                parse(data)
            except TranscriptError as error:
                assert str(error).startswith(path_text(path[:2]))  # noqa: PT017
                required.add(path[-1])
    assert {"format", "version", "players", "type", "scores", "reason"} <= required
    assert required <= {"format", "version", "players", "type", "scores", "reason"} | {
        *("turns", "player", "fault"),  # of an event
        *("0", "1"),  # a turn whose time stays behind
    }


DEFECTS: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("format",), "Chess transcript", 'format "Chess transcript": expected Hive transcript, Toy'),
    (("version",), "2.0", "version \"2.0\": expected '1.0'"),
    (("rules",), 2, "rules 2: this program plays by 1"),
    (("rules",), True, "rules true: expected a whole number"),
    (("seed",), 10**30, f"seed {10**30}: a number of more than 64 bits"),
    (("seed",), -(2**64), "seed -18446744073709551616: a number of more than 64 bits"),
    (("seed",), "1", 'seed "1": expected a whole number'),
    (("options", "rounds"), "2", 'options.rounds "2": expected such as 3'),
    (("options", "open_hands"), "off", 'options.open_hands "off": expected such as false'),
    (("options", "rounds"), 20, "options: rounds 20: expected 1 to 12"),
    (("options", "rounds"), 10**18, "options: option rounds='1000000000000000000': expected"),
    (("options", "variant"), "middle", "options: option variant='middle': expected high, low"),
    (("options", "speed"), 3, "options: option 'speed': expected one of seats"),
    (("options", "speed"), [3], "options.speed [3]: expected one value"),
    (("players", 0, "name"), 5, "players[0].name 5: expected a text"),
    (("events", 0, "turns", "8"), "1a", 'events[0].turns "8": expected a seat from 0 to 7'),
    (("events", 0, "turns", "00"), "1a", 'events[0].turns "00": expected a seat from 0 to 7'),
    (("events", 0, "ns", "1"), -1, "events[0].ns.1 -1: expected nanoseconds"),
    (("events", 0, "ns", "3"), 5, "events[0].ns.3: that seat has no turn here"),
    (("events", 0, "ns", "0"), 2**70, f"events[0].ns.0 {2**70}: a number of more than 64 bits"),
    (("outcome", "scores", 0), 10**25, f"outcome.scores[0] {10**25}: a number of more than 64"),
    (("outcome", "winner"), 1, "outcome.winner: expected scores, reason and points alone"),
    (("events", 1, "type"), "fault", "events[1].fault null: expected timeout, crash, illegal turn"),
    (("events",), {"0": []}, 'events {"0": []}: expected a list'),
    (("format",), "x" * 500, f'format "{"x" * 59} ...: expected Hive transcript'),
]


@pytest.mark.parametrize(("path", "value", "told"), DEFECTS)
def test_hand_edited_files_are_told_what_is_wrong(
    path: tuple[str | int, ...], value: Any, told: str
) -> None:
    data = document(toy_transcript())
    at(data, path[:-1])[path[-1]] = value
    assert refusal(data).startswith(told)


def test_the_registrys_games_are_the_usual_ones() -> None:
    with pytest.raises(TranscriptError, match=r'^format "Toy transcript": expected Atlantis'):
        parse_transcript(format_transcript(toy_transcript()))


def test_every_cut_is_found() -> None:
    text = format_transcript(toy_transcript()).rstrip()
    for length in range(len(text)):
        with pytest.raises(TranscriptError, match=r"^line \d+, column \d+: "):
            parse_transcript(text[:length], GAMES)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1: Expecting value"),
        ("{}", "format null: expected Hive transcript"),
        ("[]", "the document []: expected an object"),
        ("null", "the document null: expected an object"),
        ("NaN", "the document: a number that is infinite"),
        ("9" * 5000, "the document: a number that is infinite, too large"),
        ("{}\n{}", "line 2, column 1: Extra data"),
        ("\ufeff{}", "line 1, column 1: Unexpected UTF-8 BOM"),
        ('{"a": "tab\t"}', "line 1, column 11: Invalid control character"),
        ("{'a': 1}", "line 1, column 2: Expecting property name"),
        ('{"a": 01}', "line 1, column 8: Expecting ',' delimiter"),
        ("[" * 100_000, "the document: nested too deeply"),
        ('{"a":' * 100_000, "the document: nested too deeply"),
    ],
)
def test_what_is_not_json_is_told_so(text: str, told: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_transcript(text, GAMES)
    assert str(caught.value).startswith(told)


def with_text(place: str, text: str) -> str:
    """The whole toy match, with that JSON in place of what the mark stands for."""
    data = document(toy_transcript())
    targets = {
        "extra": (data, "x"),
        "seed": (data, "seed"),
        "ns": (data["events"][0]["ns"], "0"),
        "chat": (data["events"][1], "at"),
        "player": (data["players"][1], "kind"),
        "comment": (data["events"][0], "comment"),
    }
    inside, key = targets[place]
    inside[key] = "<here>"
    return json.dumps(data).replace('"<here>"', text)


PLACE_NAMES = {
    "extra": "x",
    "seed": "seed",
    "ns": "events[0].ns.0",
    "chat": "events[1].at",
    "player": "players[1].kind",
    "comment": "events[0].comment",
}


@pytest.mark.parametrize("place", PLACE_NAMES)
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "7" * 5000])
def test_numbers_that_json_does_not_have_are_refused(place: str, number: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_transcript(with_text(place, number), GAMES)
    told = "a number that is infinite, too large or none at all"
    assert str(caught.value) == f"{PLACE_NAMES[place]}: {told}"


@pytest.mark.parametrize("place", ["extra", "chat", "player", "comment"])
def test_nests_are_bounded(place: str) -> None:
    levels = DEEPEST - 1 - PLACE_NAMES[place].count(".") - PLACE_NAMES[place].count("[")
    deep = parse_transcript(with_text(place, "[" * levels + "]" * levels), GAMES)
    assert parse_transcript(format_transcript(deep), GAMES) == deep
    for more in (levels + 1, 900, 50_000):
        with pytest.raises(
            TranscriptError, match=r"nested too deeply; expected at most 64 levels$"
        ) as caught:
            parse_transcript(with_text(place, "[" * more + "]" * more), GAMES)
    assert str(caught.value) == "the document: nested too deeply; expected at most 64 levels"
    with pytest.raises(TranscriptError) as caught:
        parse_transcript(with_text(place, '{"a":' * 70 + "1" + "}" * 70), GAMES)
    assert str(caught.value).startswith(f"{PLACE_NAMES[place]}.a.a.a.a")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (with_text("extra", '{"a": 1, "a": 1}'), 'x: the key "a" stands twice'),
        (with_text("extra", '[{}, {"": 0, "b": 0, "": 1}]'), 'x[1]: the key "" stands twice'),
        (with_text("chat", '1, "text": 1'), 'events[1]: the key "text" stands twice'),
        (with_text("ns", '1, "1": 1'), 'events[0].ns: the key "1" stands twice'),
        (with_text("seed", '1, "seed": 2'), 'the document: the key "seed" stands twice'),
    ],
)
def test_a_key_that_stands_twice_is_refused(text: str, told: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_transcript(text, GAMES)
    assert str(caught.value) == told


# --- bad files -----------------------------------------------------------------------------------


def loading_fails(path: Path, told: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        load_transcript(path, GAMES)
    assert str(caught.value) == f"{path}: {told}"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    loading_fails(tmp_path / "nowhere.json", "No such file or directory")
    loading_fails(tmp_path, "Is a directory")


def test_a_bad_file_is_named_with_the_place_in_it(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(format_transcript(toy_transcript())[:-20])
    with pytest.raises(TranscriptError, match=rf"^{path}: line \d+, column \d+: "):
        load_transcript(path, GAMES)
    path.write_text("")
    loading_fails(path, "line 1, column 1: Expecting value; expected JSON, and all of it")


def test_bytes_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(b'{"format": "\xff"}')
    loading_fails(path, "byte 12 is not UTF-8")
    path.write_bytes(gzip.compress(b"\x80"))
    loading_fails(path, "byte 0 is not UTF-8")
    path.write_bytes("{}".encode("utf-16"))
    loading_fails(path, "byte 0 is not UTF-8")


def test_every_cut_of_a_packed_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "match.gz"
    save_transcript(path, toy_transcript())
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(TranscriptError, match=rf"^{path}: "):
            load_transcript(path, GAMES)


def test_a_damaged_packed_file_is_found_or_is_as_good_as_before(tmp_path: Path) -> None:
    path = tmp_path / "match.gz"
    save_transcript(path, toy_transcript())
    data = path.read_bytes()
    refused = 0
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        try:
            assert load_transcript(path, GAMES) == toy_transcript()
        except TranscriptError as error:
            assert str(error).startswith(f"{path}: ")  # noqa: PT017
            refused += 1
    assert refused >= len(data) - 10  # a packed file's head has bytes that mean nothing
    path.write_bytes(data + b"more")
    with pytest.raises(TranscriptError, match=r"Not a gzipped file"):
        load_transcript(path, GAMES)


@steady
@given(st.data())
def test_whatever_is_changed_in_a_file_nothing_else_is_raised(data: st.DataObject) -> None:
    text = format_transcript(data.draw(st.sampled_from(WHOLE)))
    place = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 12))
    text = text[:place] + data.draw(st.text(max_size=6)) + text[place + gone :]
    try:
        verify(parse_transcript(text, GAMES))
    except TranscriptError as error:
        assert str(error)  # noqa: PT017


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_may_have_exactly_the_allowed_size(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path, text = tmp_path / "match", " " * (1 << 20)
    path.write_bytes(pack(text.encode()))
    assert read_text(path, 1 << 20) == text
    path.write_bytes(pack(text.encode() + b" "))
    with pytest.raises(TranscriptError, match="larger than 1 MiB"):
        read_text(path, 1 << 20)


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(tmp_path: Path) -> None:
    """No more of it is unpacked than is allowed."""
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b" " * (64 << 20)))
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(TranscriptError, match="larger than 1 MiB"):
            read_text(path, 1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
