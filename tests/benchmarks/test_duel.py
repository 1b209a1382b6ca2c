"""Duels, by a meter that only work moves, and the real meter on real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

from benchmarks.duel import Costs, Duel, Side, Spent, cost, descendants, fight, one_core, read_meter

SECOND = 10**9


@dataclass
class Workshop:
    """A meter, and who worked when."""

    spent: Spent = field(default_factory=lambda: Spent(0, 0, 0))
    log: list[str] = field(default_factory=list)

    def meter(self) -> Spent:
        return self.spent

    def side(self, name: str, units: int, *takes: Spent) -> Side:
        """Does so many units a piece; the pieces take these amounts, the last one ever after."""
        left = list(takes)

        def work() -> int:
            self.log.append(name)
            more = left.pop(0) if len(left) > 1 else left[0]
            self.spent = Spent(
                self.spent.wall_ns + more.wall_ns,
                self.spent.own_ns + more.own_ns,
                self.spent.programs_ns + more.programs_ns,
            )
            return units

        return Side(name, work)


def test_costs_are_per_unit_with_and_without_programs() -> None:
    shop = Workshop()
    work = shop.side("us", 10, Spent(SECOND // 2, 3000, 500)).work
    found = cost(work, shop.meter, SECOND)
    assert found == Costs(350, 300, SECOND // 20, SECOND // 2)
    assert found.per_second == 20
    assert len(shop.log) == 2


def test_sides_take_turns_after_a_piece_to_warm_up() -> None:
    shop = Workshop()
    a_second = Spent(SECOND, 1, 1)
    sides = (shop.side("us", 1, a_second), shop.side("bare", 1, a_second))
    fight(Duel("walking", "step", "steps", *sides), shop.meter, 3, 2 * SECOND)
    assert shop.log == ["us", "bare"] + ["us", "us", "bare", "bare"] * 3


def test_the_middle_round_counts_and_warming_up_does_not() -> None:
    shop = Workshop()
    cold, slow, fast, usual = (Spent(n * SECOND, n * 100, n * 20) for n in (90, 9, 2, 4))
    ours = shop.side("us", 2, cold, slow, fast, usual)
    bare = shop.side("bare", 2, Spent(SECOND, 20, 20))
    found = fight(Duel("walking", "step", "steps", ours, bare), shop.meter, 3, SECOND)
    assert found.ours == Costs(240, 200, 2 * SECOND, 4 * SECOND)
    assert found.bare == Costs(20, 10, SECOND // 2, SECOND)
    assert (found.cpu_ratio, found.time_ratio) == (12.0, 4.0)


def test_the_real_meter_counts_this_process_and_its_programs() -> None:
    busy = "import os; [i * i for i in range(10**6)]; os.write(1, b'.'); input()"
    begin = read_meter()
    with subprocess.Popen(
        [sys.executable, "-S", "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin
        assert child.stdout
        child.stdout.read(1)
        spent = read_meter() - begin
        assert child.pid in descendants(os.getpid())
        child.stdin.write(b"\n")
    assert spent.wall_ns > 0
    assert spent.own_ns > 0
    assert spent.programs_ns > 10**6
    assert spent.cpu_ns == spent.own_ns + spent.programs_ns


def test_a_process_that_is_gone_has_no_descendants() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as child:
        child.wait()
    assert list(descendants(child.pid)) == []


def test_one_core_for_this_process_and_its_programs_for_a_while() -> None:
    asked = "import os; print(len(os.sched_getaffinity(0)))"
    before = os.sched_getaffinity(0)
    with one_core():
        told = subprocess.run(
            [sys.executable, "-S", "-c", asked], capture_output=True, check=True, text=True
        ).stdout
        assert len(os.sched_getaffinity(0)) == 1
    assert told == "1\n"
    assert os.sched_getaffinity(0) == before
