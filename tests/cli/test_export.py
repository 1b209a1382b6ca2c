"""`agon export`: stored matches, or files, as a dataset."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import agon
from agon.arena.fleet.jobs import PlayedMatch
from agon.arena.match_record import stored_form
from agon.cli.app import app
from agon.datastore import NewContest, NewTournament, Rating, Store
from agon.learn.dataset import SeatRecord, read_dataset
from agon.match.public_part import public_part
from agon.match.result import result_of
from agon.match.transcript import Fault, format_transcript, parse_transcript, save_transcript
from tests.cli.samples import OPENING, forfeit, transcript_of
from tests.datastore.samples import NOON, add_versions, make_match, rate
from tests.learn.test_batch import names

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

    from agon.datastore import NewMatch
    from agon.games.game import Game
    from agon.match.result import MatchResult

DAY = 86_400 * 10**9
BEFORE, AFTER = Rating(25.0, 25 / 3), Rating(26.1, 8.0)


def export(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def exported(*arguments: str | Path) -> dict[str, Any]:
    result = export(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(*arguments: str | Path) -> str:
    result = export(*arguments)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    return result.stderr.splitlines()[-1]


def stored(match: MatchResult, versions: list[int], **changes: Any) -> NewMatch:
    return replace(stored_form(PlayedMatch.of(match), versions, NOON, NOON + DAY), **changes)


@names
def test_stored_matches_are_read_back(game: Game, tmp_path: Path) -> None:
    seats = game.start().seats
    bots = ["random"] * seats
    matches = [agon.play(game, bots, seed=n, limits=agon.Limits(turns=12)) for n in range(3)]
    with Store.open(tmp_path / "agon.db") as store:
        versions = add_versions(store, seats, game.name)
        news = [stored(match, versions) for match in matches]
        news[1] = rate(news[1], *[(BEFORE, AFTER)] * seats)
        ids = store.record_matches(news)
    found = exported(game.name, "--data", tmp_path, "--out", tmp_path / "set")
    assert (found["matches"], found["left_out"], found["game"]) == (3, 0, game.name)
    assert found["turns"] == sum(match.turns for match in matches)
    records = list(read_dataset(tmp_path / "set"))
    texts = [format_transcript(match.transcript) for match in matches]
    assert [one.transcript for one in records] == [public_part(parse_transcript(t)) for t in texts]
    assert [one.stored_id for one in records] == ids
    assert [one.seats[0] for one in records] == [
        SeatRecord(1),
        SeatRecord(1, BEFORE.mu, BEFORE.sigma),
        SeatRecord(1),
    ]
    assert {(one.started_ns, one.ended_ns) for one in records} == {(NOON, NOON + DAY)}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A store of four matches of Hive: plain, of the next day, void, and damaged."""
    ended = result_of(forfeit(transcript_of(*OPENING), 1, Fault.CRASH, "ended"))
    with Store.open(tmp_path / "agon.db") as store:
        versions = add_versions(store, 3)
        later = {"started_ns": NOON + DAY, "ended_ns": NOON + DAY}
        store.record_matches(
            [
                stored(ended, versions[:2]),
                stored(ended, versions[1:], **later),
                stored(result_of(transcript_of(*OPENING, seed=4)), versions[:2], **later),
                make_match(versions[:2]),
            ]
        )
    return tmp_path


def ids_of(folder: Path) -> list[int | None]:
    return [record.stored_id for record in read_dataset(folder)]


def test_a_damaged_match_is_left_out_and_told(data: Path) -> None:
    result = export("hive", "--data", data, "--out", data / "set")
    assert result.exit_code == 0
    assert result.stdout == f"{data / 'set'}: 3 matches, 12 turns\n"
    damaged, count = result.stderr.splitlines()
    assert damaged.startswith("left out: match 4: format null: expected")
    assert count == "1 match was left out"
    assert ids_of(data / "set") == [1, 2, 3]


@pytest.mark.parametrize(
    ("chosen", "ids"),
    [
        (["--limit", "2"], [1, 2]),
        (["--since", "2025-10-10"], [2, 3]),
        (["--since", "2025-10-09"], [1, 2, 3]),
        (["--bot", "c"], [2]),
        (["--bot", "b", "--since", "2025-10-10T08:53:20"], [2, 3]),
        (["--variant", "Base"], [1, 2, 3]),
    ],
)
def test_which_matches(data: Path, chosen: list[str], ids: list[int]) -> None:
    exported("hive", "--data", data, "--out", data / "set", *chosen)
    assert ids_of(data / "set") == ids


def test_contests_that_are_not_published_are_asked_for(data: Path) -> None:
    with Store.open(data / "agon.db") as store:
        ada = store.users.add("ada", "x", NOON, organiser=True)
        versions = add_versions(store)
        contest = store.contests.add(NewContest("cup", "hive", "swiss"), ada.id, NOON)
        cup = store.tournaments.add(
            NewTournament("cup", "hive", "swiss", NOON, {}, tuple(versions))
        )
        store.contests.set_tournament(contest.id, cup.id)
        match = result_of(forfeit(transcript_of(*OPENING), 1, Fault.CRASH, "ended"))
        secret = store.record_match(stored(match, versions, tournament_id=cup.id, fixture="r1:a-b"))
    exported("hive", "--data", data, "--out", data / "public")
    exported("hive", "--data", data, "--out", data / "all", "--unpublished")
    assert ids_of(data / "public") == [1, 2, 3]
    assert ids_of(data / "all") == [1, 2, 3, secret]


def test_files(tmp_path: Path) -> None:
    matches = [transcript_of(*OPENING[:count]) for count in range(3)]
    files = [tmp_path / f"{number}.json" for number in range(4)]
    for file, match in zip(files, matches, strict=False):
        save_transcript(file, match)
    files[3].write_text("{}")
    found = exported("hive", *files, "--out", tmp_path / "set", "--licence", "CC0-1.0")
    assert (found["matches"], found["left_out"]) == (3, 1)
    assert [one.transcript for one in read_dataset(tmp_path / "set")] == matches
    assert "- Licence: CC0-1.0\n" in (tmp_path / "set" / "README.md").read_text("utf-8")


def test_a_match_that_breaks_the_rules_is_told_by_its_name(tmp_path: Path) -> None:
    files = [tmp_path / "good.json", tmp_path / "bad.json"]
    save_transcript(files[0], transcript_of(*OPENING))
    save_transcript(files[1], transcript_of("bQ"))
    result = export("hive", *files, "--out", tmp_path / "set", "--observations")
    assert result.exit_code == 0
    told, count = result.stderr.splitlines()[-2:]  # before: the notice, if rules are compiled
    assert told.startswith(f"left out: {files[1]}: events[0].turns.0: ")
    assert count == "1 match was left out"


def test_why_there_is_nothing_to_write_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text("{}")
    result = export("hive", file, "--out", tmp_path / "set")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-3:] == [
        f"left out: {file}: format null: expected Hive transcript",
        "1 match was left out",
        "agon: no matches: expected one at least",
    ]


def test_what_is_there_is_replaced_only_on_demand(data: Path) -> None:
    arguments = ("hive", "--data", data, "--out", data / "set")
    exported(*arguments)
    assert refused(*arguments) == (
        f"agon: --out {str(data / 'set')!r}: it is there already; --force replaces it"
    )
    exported(*arguments, "--force", "--limit", "1")
    assert ids_of(data / "set") == [1]


def test_wrong_use(data: Path) -> None:
    there = ("--data", data, "--out", data / "set")
    assert "game 'chess'" in refused("chess", *there)
    assert refused("skyport", *there).endswith("/agon.db: no such matches of skyport")
    assert "--bot 'z': no bot of that name" in refused("hive", *there, "--bot", "z")
    assert "--since 'noon': expected a date" in refused("hive", *there, "--since", "noon")
    assert "--format 'csv': expected parquet" in refused("hive", *there, "--format", "csv")
    assert "--limit 0: expected" in refused("hive", *there, "--limit", "0")
    assert "there is none" in refused("hive", "--data", data / "none", "--out", data / "set")
    assert "go with the datastore" in refused("hive", "a.json", *there)
    nothing = refused("hive", *there, "--variant", "Base+P")
    assert nothing == "agon: no matches: expected one at least"
    assert not (data / "set").exists()


def test_observations(data: Path) -> None:
    found = exported("hive", "--data", data, "--out", data / "set", "--observations")
    assert (found["matches"], found["decisions"], found["turns_without_decisions"]) == (3, 12, 0)
    assert (data / "set" / "decisions.parquet").exists()
