"""Things that take long to make, kept until there is no more room."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")


class Kept(Generic[T]):
    """The things that were asked for last, by their keys. Threads may share it.

    >>> kept = Kept[str](5, len)
    >>> for word in ("one", "two", "a"): kept.put(word, word)
    >>> kept.get("one"), kept.get("two"), kept.get("a")
    (None, 'two', 'a')
    """

    def __init__(self, most: int, weigh: Callable[[T], int] = lambda _: 1) -> None:
        """Never more than so much; without a weight every thing counts as one."""
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._things: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        """The thing of that key, if it is still kept."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key]

    def put(self, key: Hashable, thing: T) -> None:
        """Keep this; what was not asked for for longest may go."""
        weight = self._weigh(thing)
        with self._lock:
            if key in self._things:
                self._weight -= self._weigh(self._things.pop(key))
            if weight > self._most:
                return
            self._things[key] = thing
            self._weight += weight
            while self._weight > self._most:
                _, dropped = self._things.popitem(last=False)
                self._weight -= self._weigh(dropped)
