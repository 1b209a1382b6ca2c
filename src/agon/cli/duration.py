"""Durations on the command line, as whole nanoseconds: `1s`, `0.2s`, `250ms`."""

from __future__ import annotations

import re

from agon.errors import SettingError

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9}
_DURATION = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?(ns|us|ms|s|m)", re.ASCII)


def parse_duration(text: str) -> int:
    """Nanoseconds of a duration.

    >>> parse_duration("0.2s"), parse_duration("250ms")
    (200000000, 250000000)
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise SettingError(f"time {text[:40]!r}: expected a number and a unit, such as 1s or 200ms")
    whole, fraction, unit = match.groups("")
    units: int = 10 ** len(fraction)
    return int(whole + fraction) * _UNITS[unit] // units
