"""The cluster's bench, small: both sides play all their matches."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.system
@pytest.mark.long
def test_what_a_match_costs_and_rates_by_cores() -> None:
    """In a process of its own: Ray remembers the token of another test's cluster."""
    command = [sys.executable, "-m", "agon", "bench", "cluster", "--rounds", "1", "--seconds", "0"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["cluster"]
    costs = found["duel"]["sides"]
    assert min(side["cpu_ns"] for side in costs.values()) > 0
    here, there = costs["in a process here"]["cpu_ns"], costs["on a cluster"]["cpu_ns"]
    assert found["more_cpu_ns"] == there - here
    assert found["per_second"]["1"] > 0
