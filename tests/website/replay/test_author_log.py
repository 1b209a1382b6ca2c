"""An author's log, cut into turns, however long or old the record is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import Limits
from agon.arbiter.log import SeatLog, SeatMarks, left_out_note
from agon.match.transcript import Fault, FaultEvent
from agon.website.replay.author_log import read_author_log
from tests.arbiter.script_seat import ScriptSeat
from tests.cli.samples import OPENING, forfeit, transcript_of

if TYPE_CHECKING:
    from agon.match.transcript import Transcript

LINES = ["> newgame", "< ok", "> turn 1", "< wS1", "> turn 3", "< wA1"]


def record(wire: list[str], stderr: str, marks: list[list[int]], turns: int = 4) -> Transcript:
    """A match whose seat 0 was a program."""
    transcript = transcript_of(*OPENING[:turns])
    extra: dict[str, Any] = {"wire": [wire, []], "stderr": [stderr, ""], "marks": [marks, []]}
    return replace(transcript, extra=extra)


def test_lines_and_complaints_stand_at_their_turns() -> None:
    marks = [[0, 2, 5], [1, 4, 9], [3, 6, 14]]
    log = read_author_log(record(LINES, "hellohmm!oops\n", marks), 0)
    assert [page.lines for page in log.pages] == [
        ("> newgame", "< ok"),
        ("> turn 1", "< wS1"),
        (),
        ("> turn 3", "< wA1"),
        (),
    ]
    assert [page.stderr for page in log.pages] == ["hello", "hmm!", "", "oops\n", ""]


def test_what_was_said_last_belongs_to_the_last_turn() -> None:
    transcript = forfeit(record(LINES, "", [[0, 2, 0], [1, 4, 0]], turns=1), 0, Fault.CRASH, "x")
    log = read_author_log(transcript, 0)
    assert [page.turn for page in log.pages] == [0, 1]
    assert log.page(1).lines == ("> turn 1", "< wS1", "> turn 3", "< wA1")
    assert log.page(99) == log.page(1)


def test_a_record_without_marks_has_it_all_at_the_end() -> None:
    transcript = record(LINES, "hello", [])
    del transcript.extra["marks"]
    log = read_author_log(transcript, 0)
    assert log.page(4).lines == tuple(LINES)
    assert log.page(4).stderr == "hello"
    assert all(not page.lines and not page.stderr for page in log.pages[:-1])


def test_lines_that_are_left_out_are_counted() -> None:
    wire = ["> 0", "< 1", left_out_note(4), "> 6", "< 7"]
    log = read_author_log(record(wire, "", [[0, 1, 0], [1, 3, 0], [2, 5, 0], [3, 7, 0]]), 0)
    assert [page.lines for page in log.pages] == [
        ("> 0",),
        ("< 1", left_out_note(4)),
        (),
        ("> 6",),
        ("< 7",),
    ]


def test_a_long_standard_error_lost_its_beginning_and_is_not_cut_up() -> None:
    text = "x" * Limits().stderr_bytes
    log = read_author_log(record(LINES, text, [[0, 2, 5], [1, 4, 9]]), 0)
    assert log.pages[-1].stderr == text
    assert {page.stderr for page in log.pages[:-1]} == {""}


def test_times_stand_beside_them() -> None:
    log = read_author_log(record(LINES, "", []), 0)
    other = read_author_log(record(LINES, "", []), 1)
    assert [page.ns is None for page in log.pages] == [True, False, True, False, True]
    assert [page.ns is None for page in other.pages] == [True, True, False, True, False]


def test_a_seat_that_was_no_program_and_a_record_by_another_program() -> None:
    assert {page.lines for page in read_author_log(record(LINES, "x", []), 1).pages} == {()}
    strange = replace(
        transcript_of(*OPENING[:1]), extra={"wire": "x", "stderr": [1, 2], "marks": 3}
    )
    assert read_author_log(strange, 0).pages[-1].lines == ()
    odd: dict[str, Any] = {"wire": [["> a"], []], "marks": [[[1], ["a", 1, 2], 7], []]}
    assert read_author_log(replace(strange, extra=odd), 0).pages[-1].lines == ("> a",)


def test_the_whole_of_it_as_a_text() -> None:
    marks = [[0, 2, 5], [1, 4, 9], [3, 6, 14]]
    text = read_author_log(record(LINES, "hellohmm!oops\n", marks), 0).text()
    assert text.startswith(
        "--- turn 0: it was not asked ---\n> newgame\n< ok\n! hello\n\n--- turn 1"
    )
    assert "---\n> turn 3\n< wA1\n! oops\n" in text


def test_who_fails_was_asked() -> None:
    transcript = forfeit(transcript_of(*OPENING[:2]), 0, Fault.CRASH, "exit status 1")
    (*events, last) = transcript.events
    assert isinstance(last, FaultEvent)
    failed = replace(transcript, events=(*events, replace(last, said="KeyError: 'queen'")))
    words = [page.words for page in read_author_log(failed, 0).pages]
    assert words[-1] == "it failed: crash: exit status 1: KeyError: 'queen'"
    assert words[0] == "it was not asked"
    assert words[1].startswith("it thought for ")
    assert read_author_log(failed, 1).pages[-1].failure == ""


def test_a_log_counts_lines_that_it_leaves_out_and_marks_only_news() -> None:
    log, marks, seat = SeatLog(first=10, last=10), SeatMarks(), ScriptSeat("x", [])
    marks.note(0, log, seat)
    for _ in range(20):
        log.on_line(">", "0123456789")
    marks.note(1, log, seat)
    marks.note(2, log, seat)
    assert log.count == 20
    assert marks.marks == [[0, 0, 0], [1, 20, 0]]
    log.clear()
    assert log.count == 0
