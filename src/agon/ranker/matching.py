"""Pairing everybody at once: perfect matchings in a graph of who may meet whom.

Jack Edmonds' blossom algorithm finds a matching, if there is one; pairs can then be fixed one after
another, each as well as it can be without leaving somebody alone in the end.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NOBODY = -1


def match_in_order(partners: Sequence[Sequence[int]]) -> list[tuple[int, int]] | None:
    """Pair all of 0, 1, 2, ...: the first gets the best partner it can have, then the next one.

    `partners[i]` are those that i may be paired with, the best first; if j is among them, i must be
    among those of j. None if not all can be paired.

    >>> match_in_order([[1, 2, 3], [0, 2], [0, 1], [0]])
    [(0, 3), (1, 2)]
    """
    graph = _Graph(partners)
    if not all(graph.mate[one] != NOBODY or graph.augment(one) for one in range(len(partners))):
        return None
    pairs = []
    for one in range(len(partners)):
        if graph.there[one]:
            two = next(two for two in partners[one] if graph.there[two] and graph.settle(one, two))
            pairs.append((one, two))
    return pairs


class _Graph:
    """A graph with a matching that grows along augmenting paths."""

    def __init__(self, partners: Sequence[Sequence[int]]) -> None:
        self.partners = partners
        self.mate = [NOBODY] * len(partners)
        self.there = [True] * len(partners)

    def settle(self, one: int, two: int) -> bool:
        """Pair these two for good and take them out, if the rest can still be paired."""
        before = self.mate[:]
        left = [self.mate[one], self.mate[two]]
        self.there[one] = self.there[two] = False
        if left[0] == two:
            return True
        for mate in left:
            self.mate[mate] = NOBODY
        if self.augment(left[0]):
            return True
        self.mate = before
        self.there[one] = self.there[two] = True
        return False

    def augment(self, root: int) -> bool:
        """Make the matching larger by one, with a path that begins at `root`, if there is one."""
        search = _Search(self, root)
        end = search.run()
        while end != NOBODY:
            previous = search.parent[end]
            following = self.mate[previous]
            self.mate[end], self.mate[previous] = previous, end
            end = following
        return search.found


class _Search:
    """A breadth-first search for an augmenting path; odd cycles shrink to their base."""

    def __init__(self, graph: _Graph, root: int) -> None:
        self.graph = graph
        self.root = root
        self.found = False
        self.parent = [NOBODY] * len(graph.mate)
        self.base = list(range(len(graph.mate)))
        self.even = [False] * len(graph.mate)
        self.queue = deque([root])

    def run(self) -> int:
        """The free end of the path; `parent` and the mates lead back to the root."""
        graph = self.graph
        self.even[self.root] = True
        while self.queue:
            one = self.queue.popleft()
            for two in graph.partners[one]:
                if not graph.there[two] or self.base[one] == self.base[two]:
                    continue
                if graph.mate[one] == two:
                    continue
                if two == self.root or self._has_parent(graph.mate[two]):
                    self._shrink(one, two)
                elif self.parent[two] == NOBODY:
                    self.parent[two] = one
                    if graph.mate[two] == NOBODY:
                        self.found = True
                        return two
                    self._reach(graph.mate[two])
        return NOBODY

    def _has_parent(self, one: int) -> bool:
        return one != NOBODY and self.parent[one] != NOBODY

    def _reach(self, one: int) -> None:
        if not self.even[one]:
            self.even[one] = True
            self.queue.append(one)

    def _shrink(self, one: int, two: int) -> None:
        """An edge between two even vertices closes an odd cycle: make it one vertex."""
        base = self._common_base(one, two)
        blossom = {*self._mark(one, base, two), *self._mark(two, base, one)}
        for vertex, its_base in enumerate(self.base):
            if its_base in blossom:
                self.base[vertex] = base
                self._reach(vertex)

    def _common_base(self, one: int, two: int) -> int:
        seen = set()
        while True:
            one = self.base[one]
            seen.add(one)
            if self.graph.mate[one] == NOBODY:
                break
            one = self.parent[self.graph.mate[one]]
        while self.base[two] not in seen:
            two = self.parent[self.graph.mate[self.base[two]]]
        return self.base[two]

    def _mark(self, vertex: int, base: int, child: int) -> list[int]:
        """Turn the parents on the way from a vertex to the base; the bases that were passed."""
        passed = []
        while self.base[vertex] != base:
            mate = self.graph.mate[vertex]
            passed += [self.base[vertex], self.base[mate]]
            self.parent[vertex] = child
            child = mate
            vertex = self.parent[mate]
        return passed
