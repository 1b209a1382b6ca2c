"""The official table of a game, from the counts that are stored with each match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.ranker.result import Result, count_results
from agon.ranker.table import table_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from agon.datastore.result_counts import SeatedResult
    from agon.match.transcript import Fault
    from agon.ranker.result import Counted
    from agon.ranker.table import RankingTable


def version_key(version_id: int) -> str:
    """A name for the ranker that sorts as the ids do; titles may change, and two may be equal."""
    return f"{version_id:020}"


def table_from_counts(
    counts: Counter[SeatedResult],
    rules_version: int,
    name: Callable[[int], str] = version_key,
) -> RankingTable:
    """The table of all that was played by these rules."""
    return table_of(counted_results(counts, rules_version, name))


def counted_results(
    counts: Counter[SeatedResult], rules_version: int, name: Callable[[int], str]
) -> Counted:
    """What the ranker makes a table of: all that was played by these rules."""
    counted = {one: times for one, times in counts.items() if one.rules_version == rules_version}
    names = {version: name(version) for version in {v for one in counted for v in one.versions}}
    results = (
        Result(tuple([names[version] for version in one.versions]), tuple([-r for r in one.ranks]))
        for one in counted
    )
    return count_results(results, times=counted.values())


def faults_by_version(counts: Counter[SeatedResult]) -> dict[int, dict[Fault, int]]:
    """How often each bot version failed in which way; versions that never did are left out."""
    found: dict[int, dict[Fault, int]] = {}
    for result, times in counts.items():
        for version_id, fault in zip(result.versions, result.faults, strict=True):
            if fault is not None:
                kinds = found.setdefault(version_id, {})
                kinds[fault] = kinds.get(fault, 0) + times
    return found
