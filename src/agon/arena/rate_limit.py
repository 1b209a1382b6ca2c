"""Rate limits: attempts within a window of time, for each address, account or other key.

The window slides: an attempt counts for just that time. Nothing is stored; a restart forgets. Keys
that were quiet are forgotten too, and the number of keys has a limit of its own. Where several
servers share a datastore, attempts are counted there (`share`).
"""

from __future__ import annotations

from collections import OrderedDict, deque
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.datastore.attempts import Attempts

SECOND_NS = 10**9
MOST_KEYS = 20_000
IPV6_HOST_BITS = 64
"""One customer has a whole network with a prefix of this length: it counts as one address."""


class RateLimit:
    """A maximum of attempts for each key within a window of time."""

    def __init__(self, limit: int, window_s: int, most_keys: int = MOST_KEYS) -> None:
        self.limit = limit
        self.window_ns = window_s * SECOND_NS
        self._most_keys = most_keys
        self._attempts: OrderedDict[str, deque[int]] = OrderedDict()
        self._lock = Lock()
        self._shared: Attempts | None = None
        self._name = ""

    def share(self, attempts: Attempts, name: str) -> None:
        """From now on count attempts there, for all servers together."""
        self._shared, self._name = attempts, name

    def take(self, key: str, now_ns: int) -> int:
        """Count an attempt: 0 if it is within the limit, else in how many ns one will be.

        An attempt that is refused does not count.
        """
        if self._shared is not None:
            return self._shared.take(self._name, key, self.limit, self.window_ns, now_ns)
        with self._lock:
            attempts = self._attempts.get(key)
            if attempts is None:
                attempts = self._attempts[key] = deque()
            if attempts and attempts[-1] > now_ns:  # the clock was set back
                attempts.clear()
            while attempts and attempts[0] <= now_ns - self.window_ns:
                attempts.popleft()
            if len(attempts) >= self.limit:
                return attempts[0] + self.window_ns - now_ns
            attempts.append(now_ns)
            self._attempts.move_to_end(key)
            self._forget(now_ns)
            return 0

    def give_back(self, key: str) -> None:
        """The latest attempt of the key was none that should count."""
        if self._shared is not None:
            self._shared.give_back(self._name, key)
            return
        with self._lock:
            attempts = self._attempts.get(key)
            if attempts:
                attempts.pop()

    def __len__(self) -> int:
        return len(self._attempts)

    def _forget(self, now_ns: int) -> None:
        """Drop the keys that were quiet for a window, and the quietest if there are too many."""
        while self._attempts:
            key, attempts = next(iter(self._attempts.items()))
            is_quiet = not attempts or attempts[-1] <= now_ns - self.window_ns
            if not is_quiet and len(self._attempts) <= self._most_keys:
                return
            del self._attempts[key]


def address_key(host: str | None) -> str:
    """The key for a client's address.

    >>> address_key("192.0.2.7"), address_key("2001:db8:1:2:3:4:5:6"), address_key(None)
    ('192.0.2.7', '2001:db8:1:2::', 'unknown')
    """
    try:
        address = ip_address(host or "")
    except ValueError:
        return host or "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> IPV6_HOST_BITS << IPV6_HOST_BITS))
    return str(address)
