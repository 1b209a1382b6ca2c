"""`agon simulate`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.cli.simulate import MOST_GAMES, MOST_PLIES
from tests.cli.process import call_agon


def simulate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["simulate", *arguments])


def figures(*arguments: str) -> dict[str, Any]:
    result = simulate("hive", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_has_the_figures() -> None:
    found = figures("--games", "300", "--cap", "60", "--seed", "4", "--threads", "2")
    assert (found["game"], found["rules_version"], found["device"]) == ("hive", 1, "cpu")
    assert (found["games"], found["cap"], found["seed"], found["threads"]) == (300, 60, 4, 2)
    assert found["options"]["variant"] == "Base"
    assert sum(found["wins"]) + found["draws"] + found["unfinished"] == 300
    assert sum(found["points"]) == 2 * (sum(found["wins"]) + found["draws"])
    assert 300 * found["shortest"] <= found["plies"] <= 300 * found["longest"] <= 300 * 60
    assert found["plies_per_second"] == found["plies"] * 10**9 // found["time_ns"]
    assert found["games_per_second"] == 300 * 10**9 // found["time_ns"]
    assert found["checksum"] is None


def test_json_is_all_that_stdout_has() -> None:
    done = call_agon("simulate", "hive", "--games", "2", "--cap", "10", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["games"] == 2


def test_the_same_seed_gives_the_same_games() -> None:
    runs = [
        figures("--games", "200", "--cap", "30", "--checksum", "--seed", seed, "--threads", threads)
        for seed, threads in (("7", "1"), ("7", "3"), ("8", "1"))
    ]
    assert runs[0]["checksum"] == runs[1]["checksum"] != runs[2]["checksum"]
    assert runs[0]["wins"] == runs[1]["wins"]


@pytest.mark.parametrize("seed", ["0", str(2**63), str(2**64 - 1)])
def test_any_seed_of_64_bits_will_do(seed: str) -> None:
    assert figures("--games", "2", "--cap", "5", "--seed", seed)["seed"] == int(seed)


def test_variants_are_other_games() -> None:
    base, mlp = (
        figures("--games", "20", "--cap", "30", "--checksum", "--variant", variant)
        for variant in ("Base", "Base+MLP")
    )
    assert mlp["options"]["variant"] == "Base+MLP"
    assert base["checksum"] != mlp["checksum"]


def test_any_option_of_the_game_can_be_set() -> None:
    found = figures(
        "--games", "5", "--option", "queen_first=on", "--option", "variant=Base+L", "--cap", "9"
    )
    assert found["options"]["queen_first"] is True
    assert found["options"]["variant"] == "Base+L"


def test_text_for_people() -> None:
    result = simulate("hive", "--games", "1500", "--cap", "40", "--checksum", "--threads", "2")
    assert result.exit_code == 0
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines[0].startswith("Hive  variant Base")
    assert lines[0].endswith("seed 0")
    assert [line.split("  ")[0] for line in lines[2:6]] == [
        "seat 0 wins",
        "seat 1 wins",
        "draws",
        "unfinished",
    ]
    assert lines[6].startswith("1,500 games of ")
    assert "cap 40" in lines[6]
    assert "plies/s" in lines[7]
    assert lines[7].endswith("2 threads)")
    assert lines[8].startswith("checksum ")
    assert "\x1b" not in result.stdout


WRONG_USE: list[tuple[list[str], str]] = [
    (["chess"], "game 'chess': expected one of atlantis"),
    (["hive", "--games", "0"], f"--games 0: expected a whole number from 1 to {MOST_GAMES}"),
    (["hive", "--games", "-5"], "--games -5: expected a whole number from 1"),
    (["hive", "--games", str(MOST_GAMES + 1)], "expected a whole number from 1"),
    (["hive", "--games", "9" * 60], "expected a whole number from 1"),
    (["hive", "--cap", "0"], f"--cap 0: expected a whole number from 1 to {MOST_PLIES}"),
    (["hive", "--cap", "9" * 30], "expected a whole number from 1"),
    (["hive", "--seed", "-1"], "--seed -1: expected a whole number from 0"),
    (["hive", "--seed", str(2**64)], "expected a whole number from 0 to 18446744073709551615"),
    (["hive", "--threads", "-1"], "--threads '-1': expected all, or a whole number up to 1024"),
    (["hive", "--threads", "1025"], "--threads '1025': expected all, or a whole number"),
    (["hive", "--threads", "two"], "--threads 'two': expected all, or a whole number"),
    (["hive", "--variant", "Base+X"], "option variant='Base+X': expected Base, Base+M"),
    (["hive", "--variant", ""], "option variant='': expected Base, Base+M"),
    (["hive", "--option", "queen_first"], "--option 'queen_first': expected NAME=VALUE"),
    (["hive", "--option", "queen=on"], "option 'queen': expected one of variant, queen_first"),
    (["hive", "--option", "queen_first=2"], "option queen_first='2': expected on or off"),
    (
        ["hive", "--variant", "Base", "--option", "variant=Base"],
        "--option 'variant=Base': variant is given twice",
    ),
    (["hive", "--device", "tpu"], "--device 'tpu': expected one of cpu, cuda"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG_USE)
def test_wrong_use_is_told_in_one_line(arguments: list[str], told: str) -> None:
    result = simulate(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    line = result.stderr.splitlines()[-1]  # the first may tell that something is compiled
    assert line.startswith("agon: ")
    assert told in line


@pytest.mark.parametrize("number", ["many", "1.5", "1e3", "9" * 5000, ""])
def test_what_is_not_a_number_is_refused(number: str) -> None:
    result = simulate("hive", "--games", number)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Invalid value for '--games'" in result.stderr
