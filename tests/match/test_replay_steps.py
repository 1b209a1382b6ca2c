"""A match told step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agon.errors import TranscriptError
from agon.games.registry import find_game
from agon.match.public_part import public_part
from agon.match.replay_steps import LONGEST_NOTE, Note, player_names, tell
from agon.match.transcript import (
    Fault,
    FaultEvent,
    LimitEvent,
    OtherEvent,
    TurnEvent,
    final_outcome,
    format_transcript,
    parse_transcript,
)
from tests.cli.samples import OPENING, forfeit, transcript_of
from tests.website.arena import play


def test_a_step_for_each_turn_and_one_for_the_start() -> None:
    transcript = play("hive", ("random", "random"), turns=6).transcript
    steps = list(tell(transcript, in_stages=False))
    assert [step.turn for step in steps] == list(range(7))
    assert steps[0].event is None
    assert steps[3].event == transcript.events[2]


def test_stages_come_before_the_turn_that_they_lead_to() -> None:
    transcript = play("battlebots", ("random", "random"), turns=3).transcript
    steps = list(tell(transcript, in_stages=True))
    assert [step.turn for step in steps] == [0] + [turn for turn in (1, 2, 3) for _ in range(4)]
    assert [step.stage for step in steps[1:5]] == [
        "orders",
        "half a step",
        "a whole step",
        "sieges and growth",
    ]
    assert [step.event is None for step in steps[1:5]] == [True, True, True, False]
    plain = list(tell(transcript, in_stages=False))
    last = [step for step in steps if step.event is not None]
    for one, two in zip(plain[1:], last, strict=True):
        assert one.position.observe(None) == two.position.observe(None)


def test_the_stop_at_the_turn_limit_is_noted_and_no_seat_has_won() -> None:
    transcript = play("hive", ("random", "random"), turns=4).transcript
    assert isinstance(transcript.events[-1], LimitEvent)
    *_, last = tell(transcript, in_stages=False)
    assert [note.kind for note in last.notes] == ["limit"]
    assert last.position.outcome == final_outcome(transcript)


def test_faults_warnings_and_chat_stand_after_the_turn_at_which_they_happened() -> None:
    played = play("hive", ("random", "random"), turns=4).transcript
    first, second = played.events[:2]
    assert isinstance(first, TurnEvent)
    warned = replace(first, extra={"warnings": {"0": ["late"], "7": ["nobody"], "1": "no list"}})
    chat = OtherEvent({"type": "chat", "user": "ada", "message": "<b>Hi</b>"})
    weather = OtherEvent({"type": "weather", "sky": "blue"})
    fault = FaultEvent(0, Fault.TIMEOUT, "no turn within 1 s")
    transcript = replace(played, events=(warned, chat, second, weather, fault), outcome=None)
    steps = list(tell(transcript, in_stages=False))
    assert steps[1].notes == [Note("warning", "late", 0), Note("chat", "ada: <b>Hi</b>")]
    assert steps[2].notes == [
        Note("note", "weather: sky blue"),
        Note("fault", "timeout: no turn within 1 s", 0),
    ]
    outcome = steps[-1].position.outcome
    assert outcome is not None
    assert outcome.winner == 1


def test_long_words_are_cut() -> None:
    played = play("hive", ("random", "random"), turns=1).transcript
    words = ["x" * length for length in (LONGEST_NOTE, LONGEST_NOTE + 1)]
    transcript = replace(played, events=tuple(OtherEvent({"type": word}) for word in words))
    [start] = tell(transcript, in_stages=False)
    assert [note.text for note in start.notes] == [words[0], words[0][:-1] + "…"]


def test_what_is_noted_though_little_is_said() -> None:
    played = play("hive", ("random", "random"), turns=1).transcript
    chat = OtherEvent({"type": "chat", "player": 1, "text": "hi"})
    limit = LimitEvent({"reason": "the hall closes"})
    transcript = replace(played, events=(chat, FaultEvent(1, Fault.CRASH)))
    stopped = replace(played, events=(chat, OtherEvent({"type": "chat"}), limit))
    notes = [
        note
        for match in (transcript, stopped)
        for step in tell(match, in_stages=False)
        for note in step.notes
    ]
    assert notes == [
        Note("chat", "1: hi"),
        Note("fault", "crash", 1),
        Note("chat", "1: hi"),
        Note("chat", ": "),
        Note("limit", "the match is stopped here"),
    ]


def test_a_damaged_transcript_is_told_up_to_the_damage() -> None:
    played = play("hive", ("random", "random"), turns=4).transcript
    broken = replace(played, events=(*played.events[:2], TurnEvent({0: "no such turn"})))
    steps = list(tell(broken, in_stages=True))
    assert [step.turn for step in steps] == [0, 1, 2]
    [note] = steps[-1].notes
    assert note.kind == "damage"
    assert "events[2].turns.0" in note.text
    assert steps[-1].position.outcome is None


def test_a_transcript_that_cannot_begin_is_refused() -> None:
    played = play("hive", ("random", "random"), turns=1).transcript
    with pytest.raises(TranscriptError, match="players"):
        list(tell(replace(played, players=({"name": "alone"},)), in_stages=False))


def test_seats_without_a_name_have_a_number() -> None:
    transcript = replace(
        play("hive", ("random", "random"), turns=1).transcript, players=({"name": "ada"}, {})
    )
    assert player_names(transcript) == ["ada", "seat 1"]


def test_every_game_has_words_for_its_seats() -> None:
    from agon.games.registry import all_games
    from agon.match.wording import seat_title

    for game in all_games():
        titles = [seat_title(game, seat) for seat in range(game.seats[-1])]
        assert len(set(titles)) == len(titles), game.name
        assert all(titles), game.name
    assert seat_title(find_game("hive"), 0) == "White"


def test_what_a_program_wrote_last_is_for_its_author() -> None:
    transcript = forfeit(transcript_of(*OPENING[:2]), 0, Fault.CRASH, "exit status 1")
    (*events, last) = transcript.events
    assert isinstance(last, FaultEvent)
    said = replace(transcript, events=(*events, replace(last, said="KeyError: 'queen'")))
    whole = [event.whole for event in said.events if isinstance(event, FaultEvent)]
    assert whole == ["exit status 1: KeyError: 'queen'"]
    kept = format_transcript(said)
    assert parse_transcript(kept) == said
    assert last.whole == "exit status 1"
    assert "KeyError" in kept
    assert "KeyError" not in format_transcript(public_part(said))
    notes = [note.text for step in tell(said, in_stages=False) for note in step.notes]
    assert notes == ["crash: exit status 1"]
