"""Pairing all bots of a round at once: perfect matchings in a graph of who may meet whom."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def match_in_order(partners: Sequence[Sequence[int]]) -> list[tuple[int, int]] | None:
    """Pair all of 0, 1, 2, ...: the first gets the best partner it can have, then the next one.

    `partners[i]` are those that i may be paired with, the best first; if j is among them, i must be
    among those of j. None if not all can be paired.

    >>> match_in_order([[1, 2, 3], [0, 2], [0, 1], [0]])
    [(0, 3), (1, 2)]
    """
    pairs, alone = _first_come(partners)
    taken_back = 1
    while alone:  # take back more and more of the last pairs, until the rest can be paired
        kept, loose = pairs[:-taken_back], chain(*pairs[-taken_back:])
        matched = _best_matching(partners, sorted([*alone, *loose]))
        if matched is not None:
            return kept + matched
        if not kept:
            return None
        taken_back *= 2
    return pairs


def _first_come(partners: Sequence[Sequence[int]]) -> tuple[list[tuple[int, int]], list[int]]:
    """Each in turn takes its best free partner: the pairs, and those left alone.

    The first k pairs are final if all bots outside them can be paired: none of those k could do
    better. A bot left alone may only meet bots that were paired before its turn.
    """
    free = dict.fromkeys(range(len(partners)))
    pairs, alone = [], []
    for one in range(len(partners)):
        if one in free:
            del free[one]
            two = next((two for two in partners[one] if two in free), None)
            if two is None:
                alone.append(one)
            else:
                del free[two]
                pairs.append((one, two))
    return pairs, alone


def _best_matching(
    partners: Sequence[Sequence[int]], bots: Sequence[int]
) -> list[tuple[int, int]] | None:
    """The first perfect matching of these bots, by weights: each place outweighs all after it."""
    from networkx import Graph, max_weight_matching  # slow to import and seldom needed

    graph = Graph()
    among = set(bots)
    for place, one in enumerate(bots):
        step = len(partners) ** (len(bots) - place)
        graph.add_weighted_edges_from(
            (one, two, -rank * step)
            for rank, two in enumerate(partners[one])
            if two > one and two in among
        )
    matching = max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < len(bots):
        return None
    return sorted((min(pair), max(pair)) for pair in matching)
