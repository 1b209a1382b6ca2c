"""`agon rank --bootstrap`: the same figures wherever they are made, and a clean end."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from agon.datastore import Store
from agon.sandbox.processes import descendants
from tests.cli.process import call_agon, run_agon, start_agon
from tests.waiting import wait_for
from tests.website.ranked import add_versions, store_results

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A datastore with the matches of four bots."""
    with Store.open(tmp_path / "agon.db") as store:
        store_results(store, add_versions(store, 4), 60)
    return str(tmp_path)


@pytest.mark.system
@pytest.mark.long
def test_one_process_many_and_a_cluster_find_the_same(data: str) -> None:
    asked = ("rank", "hive", "--data", data, "--bootstrap", "200", "--seed", "5", "--json")
    ways = (("--jobs", "1"), ("--jobs", "3"), ("--cluster", "local"))
    done = [run_agon(*asked, *way) for way in ways]
    assert [one.returncode for one in done] == [0, 0, 0], done
    found, *others = (json.loads(one.stdout) for one in done)
    assert others == [found, found]
    assert found["bootstrap"] == {"samples": 200, "seed": 5}
    for row in found["rows"]:
        assert row["bootstrap_low"] < row["rating"] < row["bootstrap_high"]
    plain = json.loads(call_agon("rank", "hive", "--data", data, "--json").stdout)
    for row in found["rows"]:
        del row["bootstrap_low"], row["bootstrap_high"]
    del found["bootstrap"]
    assert found == plain


@pytest.mark.system
def test_people_see_both_intervals(data: str) -> None:
    done = run_agon("rank", "hive", "--data", data, "--bootstrap", "100")
    assert done.returncode == 0, done.stderr
    _, headings, *rows = done.stdout.splitlines()
    assert headings.split()[:6] == ["bot", "Elo", "95", "%", "bootstrap", "games"]
    assert [row.count(" to ") for row in rows[:4]] == [2] * 4


@pytest.mark.system
def test_an_interrupt_ends_it_with_all_its_processes(data: str) -> None:
    process = start_agon("rank", "hive", "--data", data, "--bootstrap", "1000000", "--jobs", "2")
    started: set[int] = set()

    def works() -> bool:
        started.update(descendants(process.pid)[1:])
        return len(started) >= 4  # the fork server, its tracker of resources, two workers

    try:
        wait_for(works)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, stderr
    assert stdout == ""
    assert "Traceback" not in stderr
    wait_for(lambda: not any(is_agon(pid) for pid in started))


def is_agon(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as words:
            return b"python" in words.read()
    except OSError:
        return False


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--bootstrap", "99"), "--bootstrap 99: expected a whole number from 100"),
        (("--bootstrap", "100", "--seed", "-1"), "--seed -1: expected a whole number from 0"),
        (("--bootstrap", "100", "--jobs", "-1"), "--jobs -1: expected a whole number from 0"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(option: tuple[str, ...], told: str) -> None:
    refused = call_agon("rank", "hive", *option)
    assert refused.returncode == 2
    assert told in refused.stderr
