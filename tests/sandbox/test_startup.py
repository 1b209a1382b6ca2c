"""A start in the sandbox costs at most 25 ms more than a bare one, a pause hardly anything."""

from __future__ import annotations

from tests.sandbox.startup import measure, measure_pause

ALLOWED_NS = 25 * 10**6


def test_the_cost_of_a_start_is_small() -> None:
    # The best of each, and again if need be: what else runs here can only make starts slower.
    bare, boxed = [], []
    for _ in range(6):
        times = measure(["/bin/echo", "hi"], 15)
        bare += times[0]
        boxed += times[1]
        if min(boxed) - min(bare) <= ALLOWED_NS:
            break
    assert min(boxed) - min(bare) <= ALLOWED_NS


def test_the_cost_of_a_pause_is_small() -> None:
    for with_group in (True, False):
        assert min(measure_pause(with_group, 200)) < 10**6
