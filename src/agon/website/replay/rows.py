"""What each group holds from back to front, as far as it can be foreseen.

A thing that comes stands right behind the last one that came from the same mould, even if that one
is gone: its place is kept until the next one takes it. What stands elsewhere has to be put there.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agon.website.replay.casts import Cast

ROOT = ""


class Rows:
    """The things of all groups, by the groups' ids; places that are kept are among them."""

    def __init__(self) -> None:
        """Nothing stands anywhere yet."""
        self._rows: dict[str, list[Cast]] = {}
        self._holder: dict[Cast, str] = {}

    def come(self, cast: Cast, last: Cast | None) -> None:
        """A thing comes; the last one of its mould says where."""
        holder = None if last is None else self._holder.get(last)
        if last is None or holder is None:
            return
        row = self._rows[holder]
        row.insert(row.index(last), cast)
        self._holder[cast] = holder
        if last.is_gone:
            self.leave(last)

    def leave(self, cast: Cast) -> None:
        """Its place is kept no longer."""
        holder = self._holder.pop(cast, None)
        if holder is not None:
            self._rows[holder].remove(cast)

    def close(self, holder: str) -> None:
        """A group is gone, and all places in it."""
        for cast in self._rows.pop(holder, ()):
            del self._holder[cast]

    def put(self, cast: Cast, holder: str, after: Cast | None) -> None:
        """A thing stands in this group, at the back or right before another one."""
        self.leave(cast)
        row = self._rows.setdefault(holder, [])
        row.insert(0 if after is None else row.index(after) + 1, cast)
        self._holder[cast] = holder

    def arrange(
        self, kids: Mapping[str, Sequence[str]], by_id: Mapping[str, Cast]
    ) -> Iterator[tuple[Cast, str, Cast | None]]:
        """Put what stands elsewhere than it shall, and tell: the thing, its group, after what."""
        for holder, ids in kids.items():
            there = [cast.id for cast in self._rows.get(holder, ()) if not cast.is_gone]
            if there == list(ids):
                continue
            staying = find_staying(there, ids)
            after = None
            for id_ in ids:
                cast = by_id[id_]
                if id_ not in staying:
                    self.put(cast, holder, after)
                    yield cast, holder, after
                after = cast


def find_staying(there: Sequence[str], wanted: Sequence[str]) -> set[str]:
    """The most things that need not be put elsewhere to get the order that is wanted.

    >>> sorted(find_staying("abcd", "bcad"))
    ['b', 'c', 'd']
    """
    place = {one: number for number, one in enumerate(there)}
    ends: list[int] = []  # by length, the last place of the chain that ends soonest
    last: list[str] = []
    before: dict[str, str | None] = {}
    for one in wanted:
        if one not in place:
            continue
        length = bisect_left(ends, place[one])
        before[one] = last[length - 1] if length else None
        ends[length : length + 1] = [place[one]]
        last[length : length + 1] = [one]
    staying: set[str] = set()
    link = last[-1] if last else None
    while link is not None:
        staying.add(link)
        link = before[link]
    return staying
