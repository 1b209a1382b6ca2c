"""How a bot spends its budget, alone or with helpers."""

from __future__ import annotations

from threading import Event, get_ident
from typing import TYPE_CHECKING

import pytest

from agon.games.bot import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60


class Helper:
    """Thinks in steps without an end, unless it fails at once."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails
        self.depth = 0
        self.thread: int | None = None
        self.begun, self.ended = Event(), Event()

    def think(self, depth: int) -> Iterator[None]:
        self.depth, self.thread = depth, get_ident()
        self.begun.set()
        if self.fails:
            raise ValueError("no idea")
        try:
            while True:
                yield
        finally:
            self.ended.set()


def test_helpers_think_in_threads_until_the_time_is_over() -> None:
    helpers = [Helper(), Helper()]
    seen: list[int] = []

    def think(depth: int) -> Iterator[None]:
        assert all(helper.begun.wait(PATIENCE) for helper in helpers)
        while True:
            seen.append(depth)
            yield

    budget = Budget(lambda: len(seen), deadline=3, threads=3)
    budget.spend_on(think, 1, 7, [helper.think for helper in helpers])
    assert seen == [7, 7, 7]
    assert [helper.depth for helper in helpers] == [7, 7]
    assert len({get_ident(), *(helper.thread for helper in helpers)}) == 3
    assert all(helper.ended.wait(PATIENCE) for helper in helpers)


def test_what_fails_in_a_helper_is_told() -> None:
    with pytest.raises(ValueError, match="no idea"):
        Budget(depth=2).spend_on(lambda depth: iter(range(depth)), 1, 7, [Helper(True).think])


def test_helpers_end_if_the_thinker_fails() -> None:
    helper = Helper()

    def think(_: int) -> Iterator[None]:
        assert helper.begun.wait(PATIENCE)
        yield
        raise ValueError("no idea")

    with pytest.raises(ValueError, match="no idea"):
        Budget(depth=2).spend_on(think, 1, 7, [helper.think])
    assert helper.ended.wait(PATIENCE)
