"""Bots of two versions against each other, in processes of their own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.strength import SRC, describe


def test_points_and_elo_in_words() -> None:
    assert describe([1, 0, 0, 0, 1]).startswith("2 pairs: 2 of 4 points (50.0 %), +0 Elo,")
    assert "no bound" in describe([0, 0, 0, 0, 3])


@pytest.mark.parametrize("game", ["mebipenny", "battlebots"])
def test_pairs_of_matches(game: str) -> None:
    command = [sys.executable, "-m", "benchmarks.strength", game, "greedy", "random"]
    more = ["--old", str(SRC), "--pairs", "2", "--ms", "5", "--seed", "3", "--jobs", "2"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
    told, points = done.stdout.split(" pairs: ")
    assert told == f"{game}  5 ms: 2"
    assert float(points.split()[0]) > 2  # of 4
    assert done.stderr.count("slowest turns") == 2
