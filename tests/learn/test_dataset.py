"""Datasets: what is written as Parquet is read back as the same matches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

import agon
from agon.errors import SettingError, TranscriptError
from agon.games.game import Outcome
from agon.learn.dataset import MatchRecord, SeatRecord, read_dataset, write_dataset
from agon.learn.dataset.schema import describe_columns
from agon.match.public_part import public_part
from agon.match.transcript import (
    Fault,
    FaultEvent,
    LimitEvent,
    OtherEvent,
    TurnEvent,
    format_transcript,
    parse_transcript,
    verify,
)
from tests.cli.samples import OPENING, forfeit, transcript_of
from tests.learn.test_batch import names
from tests.learn.test_page import PAGE

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.game import Game
    from agon.match.transcript import Transcript

CHAT = OtherEvent({"type": "chat", "user": "ada", "message": "naïve 🐝", "n": 2**70})
NOON = 1_760_000_000_123_456_789


def write_and_read(folder: Path, *matches: Any) -> list[MatchRecord]:
    write_dataset(folder / "set", matches)
    return list(read_dataset(folder / "set"))


def played(game: Game, seed: int, turns: int = 25) -> Transcript:
    """A match between random bots, read from its text."""
    seats = game.start().seats
    match = agon.play(game, ["random"] * seats, seed=seed, limits=agon.Limits(turns=turns))
    return parse_transcript(format_transcript(match.transcript))


@names
def test_matches_are_read_back(game: Game, tmp_path: Path) -> None:
    whole = [played(game, seed) for seed in range(3)]
    first = replace(whole[0], events=whole[0].events[:4], outcome=None)
    fault = FaultEvent(1, Fault.TIMEOUT, "no turn within 1.00 s", {"late": [1, None]})
    failed = replace(first, events=(*first.events, fault))
    odd = (
        first,
        failed,
        replace(first, events=()),
        replace(first, events=(CHAT, *first.events, CHAT), extra={"user": "ada", "void": "x"}),
        replace(first, events=(*first.events, LimitEvent({"reason": "server ended"}))),
    )
    found = write_and_read(tmp_path, *whole, *odd)
    assert [record.transcript for record in found] == [*whole, *odd]
    for record, transcript in zip(found, (*whole, *odd), strict=True):
        assert format_transcript(record.transcript) == format_transcript(transcript)
        assert verify(record.transcript) == verify(transcript)
    points = [record.transcript.outcome and record.transcript.outcome.points for record in found]
    assert points == [one.outcome and one.outcome.points for one in (*whole, *odd)]


def test_all_that_is_known_of_a_match_is_read_back(tmp_path: Path) -> None:
    seats = SeatRecord(3, 25.0, 25 / 3), SeatRecord(None, None, None)
    record = MatchRecord(transcript_of(*OPENING), seats, NOON, NOON + 1, 17)
    assert write_and_read(tmp_path, record) == [record]


def test_options_and_players_of_every_kind(tmp_path: Path) -> None:
    options = agon.game("hive").parse_options({"variant": "Base+MLP"})
    players: Any = ({}, {"name": "<b>`|", "kind": 7, "command": ["a"], "version": 2})
    transcript = transcript_of(*OPENING, options=options, players=players, seed=2**63 - 1)
    (record,) = write_and_read(tmp_path, transcript)
    assert record.transcript == transcript
    assert "`<b>" not in (tmp_path / "set" / "README.md").read_text("utf-8")


def test_turns_at_once_and_turns_of_no_one(tmp_path: Path) -> None:
    events = TurnEvent({1: "a", 0: "b"}, {1: 5}, {"warnings": [1]}), TurnEvent({})
    transcript = transcript_of(events=events)
    (record,) = write_and_read(tmp_path, transcript)
    assert record.transcript == transcript


def test_what_is_the_authors_own_is_not_written(tmp_path: Path) -> None:
    ended = forfeit(transcript_of(*OPENING), 1, Fault.CRASH, "ended")
    *events, fault = ended.events
    assert isinstance(fault, FaultEvent)
    secret = replace(
        ended,
        events=(*events, replace(fault, said="SECRET")),
        extra={"wire": ["SECRET"], "stderr": ["SECRET"], "marks": ["SECRET"], "user": "ada"},
    )
    (record,) = write_and_read(tmp_path, secret)
    assert record.transcript == public_part(secret) != secret
    assert "SECRET" not in str(pq.read_table(tmp_path / "set" / "matches.parquet").to_pylist())


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    ended = forfeit(transcript_of(*OPENING), 1, Fault.CRASH, "ended")
    records = [MatchRecord(ended, started_ns=NOON), MatchRecord(transcript_of(*OPENING))]
    summary = write_dataset(tmp_path / "set", records, licence="CC0 1.0")
    assert (summary.matches, summary.turns, summary.without_outcome) == (2, 8, 1)
    about = pq.read_metadata(tmp_path / "set" / "matches.parquet").metadata
    assert (about[b"agon.format"], about[b"agon.format_version"]) == (b"Agon matches", b"1.0")
    assert (about[b"agon.game"], about[b"agon.rules_version"]) == (b"hive", b"1")
    assert b'"variant": "Base"' in about[b"agon.options"]
    card = (tmp_path / "set" / "README.md").read_text("utf-8")
    assert describe_columns() in card
    for line in (
        "# Hive: 2 matches",
        "- Licence: CC0 1.0",
        "- Matches: 2, with 8 turns",
        "- Without an outcome, so that they count for nothing: 1",
        "- In which a player failed: 1",
        "- Played: 2025-10-09 08:53:20 UTC to 2025-10-09 08:53:20 UTC",
        "| 2 | `ada` |  |",
    ):
        assert f"{line}\n" in card


def test_rows_can_be_used_without_agon(tmp_path: Path) -> None:
    ended = forfeit(transcript_of(*OPENING), 1, Fault.CRASH, "ended")
    write_dataset(tmp_path / "set", [ended])
    (row,) = pq.read_table(tmp_path / "set" / "matches.parquet").to_pylist()
    assert (row["match"], row["game"], row["turns"], row["reason"]) == (
        0,
        "hive",
        4,
        "black: crash",
    )
    white, black = row["players"]
    assert (white["score"], white["rank"], white["fault"]) == (2, 0, None)
    assert (black["name"], black["score"], black["rank"]) == ("bob", 0, 1)
    assert black["fault"] == "crash"
    assert [entry["text"] for entry in row["events"]] == [*OPENING, "crash"]
    assert [entry["ns"] for entry in row["events"]] == [
        10**6,
        2 * 10**6,
        3 * 10**6,
        4 * 10**6,
        None,
    ]


def test_many_matches_are_written_in_groups(tmp_path: Path) -> None:
    matches = [transcript_of(*OPENING, seed=seed) for seed in range(303)]
    write_dataset(tmp_path / "set", matches, group_events=20)
    found = read_dataset(tmp_path / "set")
    assert [record.transcript.seed for record in found] == list(range(303))
    about = pq.read_metadata(tmp_path / "set" / "matches.parquet")
    assert about.num_row_groups == 61


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seed": 2**63}, "match.seed: a number of 64 bits; expected 63 at most"),
        ({"outcome": Outcome((1,), "x")}, "1 scores: expected one for each of 2 players"),
        ({"events": (FaultEvent(2, Fault.CRASH),)}, "events[0].player 2: no such seat"),
        (
            {"events": (TurnEvent({0: "\ud800"}),)},
            r"match.events[0].text '\ud800': it is not UTF-8",
        ),
    ],
)
def test_what_no_row_can_hold_is_refused(tmp_path: Path, changes: Any, told: str) -> None:
    odd = transcript_of(*OPENING, **changes)
    with pytest.raises(TranscriptError) as refused:
        write_dataset(tmp_path / "set", [odd])
    assert str(refused.value) == told
    assert not (tmp_path / "set").exists()
    errors: list[str] = []
    write_dataset(
        tmp_path / "set",
        [odd, transcript_of(), odd],
        on_refused=lambda error: errors.append(str(error)),
    )
    assert errors == [told] * 2
    assert [record.transcript for record in read_dataset(tmp_path / "set")] == [transcript_of()]


def test_a_dataset_is_whole_or_not_there(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "set"
    with pytest.raises(SettingError, match="no matches"):
        write_dataset(place, [])
    with pytest.raises(SettingError, match="a match of skyport: expected matches of hive alone"):
        write_dataset(place, [transcript_of(), played(agon.game("skyport"), 1, 1)])
    assert not place.exists()
    write_dataset(place, [transcript_of()])
    before = (place / "matches.parquet").read_bytes()
    (place / "decisions.parquet").touch()
    (place / "notes.txt").touch()
    with pytest.raises(SettingError, match="is there already"):
        write_dataset(place, [transcript_of(*OPENING)])
    with pytest.raises(SettingError, match="no matches"):
        write_dataset(place, [], force=True)
    assert (place / "matches.parquet").read_bytes() == before
    write_dataset(place, [transcript_of(*OPENING)], force=True)
    assert sorted(file.name for file in place.iterdir()) == [
        *("README.md", "matches.parquet", "notes.txt")
    ]


def test_other_files_are_refused(tmp_path: Path) -> None:
    for name, content in (("none", None), ("text", b"abc"), ("empty", b"")):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(TranscriptError, match=name):
            list(read_dataset(file))
    write_dataset(tmp_path / "set", [transcript_of()])
    file = tmp_path / "set" / "matches.parquet"
    table = pq.read_table(file)
    pq.write_table(table.replace_schema_metadata({"agon.format": "Agon matches"}), file)
    with pytest.raises(TranscriptError, match=r"'Agon matches ': expected Agon matches 1.0"):
        list(read_dataset(file))


def test_other_rules_are_refused(tmp_path: Path) -> None:
    write_dataset(tmp_path / "set", [transcript_of()])
    file = tmp_path / "set" / "matches.parquet"
    table = pq.read_table(file)
    place = table.column_names.index("rules_version")
    pq.write_table(table.set_column(place, "rules_version", [[99]]), file)
    with pytest.raises(TranscriptError, match="rules_version 99: this program plays Hive by 1"):
        list(read_dataset(file))


def test_the_page_has_the_columns() -> None:
    assert describe_columns() in PAGE.read_text("utf-8")
