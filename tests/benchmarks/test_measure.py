"""Measuring, by a clock that only work moves."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.measure import Contest, Contestant, Standing, measure, rate, standings

SECOND = 10**9


@dataclass
class Workshop:
    """A clock, and who worked when."""

    now: int = 0
    log: list[str] = field(default_factory=list)

    def clock(self) -> int:
        return self.now

    def contestant(self, name: str, amount: int, *takes: int) -> Contestant:
        """Does `amount` a piece; the pieces take these times, the last one ever after."""
        left = list(takes)

        def work() -> int:
            self.log.append(name)
            self.now += left.pop(0) if len(left) > 1 else left[0]
            return amount

        return Contestant(name, work)


def test_a_rate_is_work_over_time() -> None:
    shop = Workshop()
    steady = shop.contestant("steady", 30, SECOND // 10)
    assert rate(steady.work, shop.clock, SECOND) == 300
    assert len(shop.log) == 10


def test_a_piece_that_takes_longer_is_counted_in_full() -> None:
    shop = Workshop()
    assert rate(shop.contestant("slow", 30, 3 * SECOND).work, shop.clock, SECOND) == 10


@pytest.mark.parametrize("least", [0, -5])
def test_a_clock_that_did_not_move_breaks_nothing(least: int) -> None:
    shop = Workshop()
    assert rate(shop.contestant("swift", 2, 0).work, shop.clock, least) == 2 * 10**9


def test_contestants_take_turns_after_a_piece_to_warm_up() -> None:
    shop = Workshop()
    contest = Contest(
        "walking", "steps", (shop.contestant("us", 1, SECOND), shop.contestant("them", 1, SECOND))
    )
    measure(contest, shop.clock, rounds=3, round_ns=2 * SECOND)
    assert shop.log == ["us", "them"] + ["us", "us", "them", "them"] * 3


def test_the_middle_rate_counts_and_warming_up_does_not() -> None:
    shop = Workshop()
    ours = shop.contestant("us", 100, 50 * SECOND, 1 * SECOND, 10 * SECOND, 2 * SECOND)
    theirs = shop.contestant("them", 10, SECOND)
    found = measure(Contest("walking", "steps", (ours, theirs)), shop.clock, 3, SECOND)
    assert found == [Standing("us", 50, None), Standing("them", 10, 5.0)]


def test_one_contestant_has_no_ratio() -> None:
    shop = Workshop()
    alone = Contest("walking", "steps", (shop.contestant("us", 8, SECOND),))
    assert measure(alone, shop.clock, 2, SECOND) == [Standing("us", 8, None)]


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=5))
def test_ratios_say_how_many_times_faster_ours_is(rates: list[int]) -> None:
    shop = Workshop()
    names = [f"number {n}" for n in range(len(rates))]
    contest = Contest("any", "pieces", tuple(shop.contestant(name, 1, 1) for name in names))
    found = standings(contest, rates)
    assert [(s.name, s.per_second) for s in found] == list(zip(names, rates, strict=True))
    assert found[0].ratio is None
    for other in found[1:]:
        assert other.ratio == rates[0] / max(1, other.per_second)
