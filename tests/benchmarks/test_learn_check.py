"""The check of batches on a GPU: on cores it finds all equal, and any byte that is not."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import typer

from benchmarks.command import checked_json, report_checks
from benchmarks.learn_check import (
    CASES,
    SHAPES,
    SHOWN,
    Case,
    Checked,
    Played,
    Shape,
    check_all,
    main,
    make_batch,
    play_both,
    to_host,
)
from tests.benchmarks.test_command import bench
from tests.simulate.test_cuda import WHY_NOT

SMALL = Shape(12, 110, limit=70)
ROWS = ("observations", "actions", "rewards")


class Spoilt:
    """A batch in which, from a step on, a bit of an array is another one."""

    def __init__(self, name: str, since: int, place: tuple[int, ...]) -> None:
        self._env = make_batch(Case("mebipenny"), SMALL, "cpu", 1)
        self._spoilt, self._since, self._place = name, since, place
        self._steps = 0

    def step(self, actions: Any) -> None:
        self._steps += 1
        self._env.step(actions)

    def step_nth(self, places: Any) -> None:
        self._steps += 1
        self._env.step_nth(places)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._env, name)
        if name == self._spoilt and self._steps >= self._since:
            found = np.array(found)
            row = found.view(np.uint8).reshape(*found.shape, -1)
            row[self._place] ^= 1
        return found


def compare_with(spoilt: Any) -> Played:
    return play_both(make_batch(Case("mebipenny"), SMALL, "cpu", 1), spoilt, SMALL.steps)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_threads_play_as_one_core_does(case: Case) -> None:
    (checked,) = check_all([case], [SMALL], "cpu", threads=3)
    assert checked.played.difference == ""
    assert checked.played.steps == SMALL.steps
    assert checked.played.over + checked.played.cut_off >= SMALL.matches


def test_options_are_those_of_the_matches() -> None:
    found = {case.title: make_batch(case, SMALL, "cpu", 1).learning for case in CASES}
    assert found["battlebots seats=3"].seats == 3
    assert found["skyport map=three"].seats == 3
    assert found["mebipenny seats=4 seed_coverage=0.1"].seats == 4
    assert found["atlantis board=hexagon size=5"].observation[0].size == 427
    assert (found["hive"].setup != found["hive variant=Base+MLP"].setup).any()


@pytest.mark.parametrize("name", SHOWN)
def test_a_bit_is_noticed_in_the_step_in_which_it_differs(name: str) -> None:
    spoilt = Spoilt(name, since=4, place=(5, *(0,) * (2 if name in ROWS else 1)))
    played = compare_with(spoilt)
    assert played.difference == f"after step 4 by step_nth: {name} of match 5"
    assert played.steps == 4


def test_a_difference_from_the_start_or_by_a_redeal_is_noticed() -> None:
    assert compare_with(Spoilt("states", 0, (3, 0))) == Played(
        difference="at the start: states of match 3"
    )
    other = make_batch(Case("mebipenny"), SMALL, "cpu", 1)
    redeal = other.redeal
    other.redeal = lambda seats, seed: redeal(seats, seed + 1)  # type: ignore[method-assign]
    assert compare_with(other).difference == "after step 50 and redeal: states of match 0"


def test_what_stands_behind_the_legal_actions_does_not_matter() -> None:
    assert not compare_with(Spoilt("actions", 1, (5, -1, 0))).difference


def test_another_type_is_no_match() -> None:
    class Wider(Spoilt):
        def __getattr__(self, name: str) -> Any:
            found = super().__getattr__(name)
            return found.astype(np.int64) if name == "counts" else found

    played = compare_with(Wider("ends", 99, (0, 0)))
    assert played.difference == "at the start: counts int32 (12,), int64 (12,)"


def test_arrays_of_a_device_are_copied() -> None:
    class OnDevice:
        def copy_to_host(self) -> Any:
            return np.arange(3)

    assert to_host(OnDevice()).tolist() == [0, 1, 2]


def test_a_million_steps_of_each_game_at_the_least() -> None:
    assert all(shape.matches * shape.steps >= 10**6 for shape in SHAPES)
    assert {case.game for case in CASES} == {
        "hive",
        "atlantis",
        "battlebots",
        "skyport",
        "mebipenny",
    }


EQUAL = Checked(CASES[0], SMALL, Played(9))
DIFFERENT = Checked(CASES[1], SMALL, Played(9, 4, 3, "at the start: ends of match 3"))


def test_the_report_is_for_people_and_for_programs() -> None:
    assert str(EQUAL) == "hive: 108 steps of 12 matches, 0 ended, 0 cut off: equal"
    assert str(DIFFERENT) == (
        "hive variant=Base+MLP: 108 steps of 12 matches, 4 ended, 3 cut off:"
        " DIFFERENT at the start: ends of match 3"
    )
    assert checked_json(DIFFERENT) == {
        "game": "hive",
        "options": {"variant": "Base+MLP"},
        "matches": 12,
        "steps": 108,
        "ended": 4,
        "cut_off": 3,
        "difference": "at the start: ends of match 3",
    }


def test_a_difference_is_a_status_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    report_checks([EQUAL], as_json=False)
    assert capsys.readouterr().out == f"{EQUAL}\n"
    with pytest.raises(typer.Exit) as ended:
        report_checks([EQUAL, DIFFERENT], as_json=True)
    assert ended.value.exit_code == 1
    assert json.loads(capsys.readouterr().out) == [checked_json(EQUAL), checked_json(DIFFERENT)]


@pytest.mark.skipif(WHY_NOT is None, reason="there is a GPU here")
def test_without_a_gpu_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    told = f"agon: {WHY_NOT}\n"
    result = bench("learn", "--check")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", told)
    assert main(["hive"]) == 2
    assert capsys.readouterr().err == told
