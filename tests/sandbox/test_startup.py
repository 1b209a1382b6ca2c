"""Starting a sandboxed bot costs at most 25 ms more than the bare process."""

from __future__ import annotations

from tests.sandbox.startup import measure

ALLOWED_NS = 25 * 10**6


def test_the_cost_of_a_start_is_small() -> None:
    # The best of each: whatever else runs on this machine can only make starts slower.
    bare, boxed = measure(["/bin/echo", "hi"], 15)
    assert min(boxed) - min(bare) <= ALLOWED_NS
