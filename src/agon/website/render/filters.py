"""Numbers, times and endings of matches as people read them, for templates."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agon.games.reasons import tell_reason

if TYPE_CHECKING:
    from agon.datastore.matches import StoredMatch

SECOND = 10**9
STEPS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def seconds(ns: int) -> str:
    """A span of time, as short as it can be told.

    >>> seconds(1_234_000), seconds(2_500_000_000), seconds(75 * 10**9), seconds(0)
    ('1.2 ms', '2.50 s', '1 min 15 s', '0 s')
    """
    if ns <= 0:
        return "0 s"
    if ns < SECOND // 1000:
        return f"{ns / 1000:.0f} µs"
    if ns < SECOND:
        return f"{ns / 10**6:.{1 if ns < 10**7 else 0}f} ms"
    if ns < 60 * SECOND:
        return f"{ns / SECOND:.2f} s"
    minutes, rest = divmod(ns // SECOND, 60)
    return f"{minutes} min {rest} s"


def date(ns: int) -> str:
    """A moment, in universal time, as `datetime` attributes want it.

    >>> date(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(ns // SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(ns: int, now_ns: int) -> str:
    """How long ago a moment was; a date when that says more.

    >>> ago(0, 5 * SECOND), ago(0, 61 * SECOND), ago(0, 7200 * SECOND), ago(0, 10**7 * SECOND)
    ('just now', '1 minute ago', '2 hours ago', '1970-01-01')
    """
    passed = (now_ns - ns) // SECOND
    if passed < STEPS[-1][0]:
        return "just now"
    if passed > 30 * STEPS[0][0]:
        return date(ns)[:10]
    length, name = next(step for step in STEPS if passed >= step[0])
    number = passed // length
    return f"{number} {name}{'' if number == 1 else 's'} ago"


def number(value: float) -> str:
    """A number with its thousands apart.

    >>> number(1234567), number(-0.5)
    ('1\\u202f234\\u202f567', '-0.5')
    """
    return f"{value:,}".replace(",", "\u202f")


def ending(match: StoredMatch) -> str:
    """Why a match ended, with the names of its bots."""
    return tell_reason(match.reason, [seat.bot for seat in match.seats])
