"""The arbiter's duels, small: both sides do the same work, down to the bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.host import HostProcess
from agon.datastore.store import Store
from agon.errors import AgonError
from benchmarks.duel import fight, read_meter
from benchmarks.pipes import (
    ArbiterSide,
    BareSide,
    Step,
    instant_commands,
    pipes_duel,
    record_moves,
    rehearse,
    steps_of,
)
from benchmarks.ranking import fill, rank, ranking_duels, read_rows
from benchmarks.storing import play_tournament, record, storing_duel, walk, walk_all

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.duel import Duel

PLIES = 12


def overheard(commands: Sequence[Sequence[str]], folder: Path) -> list[list[str]]:
    """The same programs, with all that they read and write kept in files."""
    folder.mkdir()
    return [
        ["sh", "-c", f'tee {folder}/in-{seat} | "$@" | tee {folder}/out-{seat}', "sh", *command]
        for seat, command in enumerate(commands)
    ]


def kept(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted(folder.iterdir())}


def check_figures(duel: Duel) -> None:
    verdict = fight(duel, read_meter, rounds=1, round_ns=0)
    for costs in (verdict.ours, verdict.bare):
        assert costs.cpu_ns >= costs.own_cpu_ns > 0
        assert costs.piece_ns >= costs.wall_ns > 0
        assert costs.per_second > 0
    assert verdict.cpu_ratio > 0
    assert verdict.time_ratio > 0


def test_programs_read_and_write_the_same_on_both_sides(tmp_path: Path) -> None:
    moves = record_moves(PLIES)
    commands = instant_commands(tmp_path, moves)
    steps = steps_of(rehearse(commands, HostProcess, PLIES))
    ours = ArbiterSide(overheard(commands, tmp_path / "ours"), HostProcess, PLIES)
    bare = BareSide(overheard(commands, tmp_path / "bare"), steps)
    for side in (ours, bare):
        try:
            assert side.play(2) == 2 * PLIES
        finally:
            side.close()
    found = kept(tmp_path / "ours")
    assert found == kept(tmp_path / "bare")
    for seat in range(2):
        own_moves = "".join(f"{move}\n" for move in moves[seat::2])
        assert found[f"out-{seat}"] == own_moves * 2
    assert found["in-1"].splitlines()[1:3] == ["colour black", moves[0]]
    assert found["in-0"].count("options variant=Base") == found["in-0"].count("end draw") == 2


def test_a_recorded_match_has_the_wanted_length_and_is_the_same_every_time() -> None:
    assert len(record_moves(300)) == 300
    assert record_moves(40) == record_moves(40)


def test_steps_are_writes_with_their_answers() -> None:
    wire = [
        (0, ">", "options"),
        (1, ">", "options"),
        (0, ">", "colour white"),
        (0, "<", "wS1"),
        (1, ">", "colour black"),
        (1, ">", "wS1"),
        (1, "<", "bS1*|wS1"),
    ]
    assert steps_of(wire) == [
        Step(0, b"options\n"),
        Step(1, b"options\n"),
        Step(0, b"colour white\n", b"wS1\n"),
        Step(1, b"colour black\nwS1\n", b"bS1*|wS1\n"),
    ]
    with pytest.raises(AgonError, match="'wS1' of seat 0: it was not asked for"):
        steps_of([(0, "<", "wS1")])


def test_other_answers_than_the_arbiter_got_are_told(tmp_path: Path) -> None:
    commands = instant_commands(tmp_path, record_moves(PLIES))
    bare = BareSide(commands, [Step(0, b"options\ncolour white\n", b"pass\n")])
    try:
        with pytest.raises(AgonError, match="other answers"):
            bare.play(1)
    finally:
        bare.close()


def test_a_match_that_ends_early_is_told(tmp_path: Path) -> None:
    commands = instant_commands(tmp_path, record_moves(PLIES)[: PLIES - 2])
    ours = ArbiterSide(commands, HostProcess, PLIES)
    try:
        with pytest.raises(AgonError, match=f"ended after {PLIES - 2}: .*white: crash"):
            ours.play(1)
    finally:
        ours.close()


@pytest.mark.parametrize("keeps_logs", [False, True])
def test_programs_on_pipes(keeps_logs: bool) -> None:
    with pipes_duel(plies=PLIES, matches=2, keeps_logs=keeps_logs) as duel:
        assert duel.ours.work() == duel.bare.work() == 2 * PLIES
        check_figures(duel)


def test_the_rules_alone_play_the_stored_matches(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        recorded = [record(match) for match in play_tournament(store, "first", 2)]
        again = [record(match) for match in play_tournament(store, "second", 2)]
    assert len(recorded) == 4
    assert recorded == again
    assert recorded[0].turns != recorded[2].turns
    assert [walk(match) for match in recorded] == [list(match.texts) for match in recorded]
    assert walk_all(recorded) == sum(len(match.texts) for match in recorded) > 0


def test_matches_that_are_stored() -> None:
    with storing_duel(rounds=1) as duel:
        assert duel.ours.work() == duel.bare.work() > 0
        check_figures(duel)


def test_made_up_matches_make_a_table(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        fill(store, 400, 5)
        results, table = rank(store)
    assert len(results) == table.matches == 400
    assert len(table.rows) == 5
    assert table.rows[0].rating > 0 > table.rows[-1].rating
    assert read_rows(tmp_path / "agon.db", 400) == 400
    with pytest.raises(AgonError, match="800 rows in the bench's store: expected 802"):
        read_rows(tmp_path / "agon.db", 401)


def test_the_table_of_many_matches() -> None:
    with ranking_duels(matches=300, bots=4) as duels:
        for duel in duels:
            assert duel.ours.work() == duel.bare.work() == 300
            check_figures(duel)
