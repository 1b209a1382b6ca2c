"""JSON from untrusted sources: what a reader could take in two ways is refused.

A key that stands twice, a number that JSON does not have or that no 64 bits hold, a nest that is
too deep: Python's own parser lets all of them pass.
"""

from __future__ import annotations

import json
import math
from typing import Any

from agon.errors import TranscriptError

LARGEST_NUMBER = 2**64
LONGEST_NUMBER = 4000  # digits; Python itself refuses a few more
DEEPEST = 64
LONGEST_QUOTE = 60
TOO_DEEP = "nested too deeply"


class TooDeepError(ValueError):
    """Brackets in brackets in brackets, more than a reader follows."""


class _Twice(dict[str, Any]):
    """An object in which a key stands twice."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice, keys = _Twice(found), [key for key, _ in pairs]
    twice.key = next(key for key in keys if keys.count(key) > 1)
    return twice


def _whole_number(text: str) -> int | float:
    return int(text) if len(text) <= LONGEST_NUMBER else math.inf


def load_json(text: str | bytes, **hooks: Any) -> Any:
    """`json.loads`, where a nest that is too deep is a ValueError like all else that is wrong."""
    try:
        return json.loads(text, **hooks)
    except RecursionError:
        raise TooDeepError(TOO_DEEP) from None


def not_json(error: ValueError) -> str:
    """Why `load_json` could not read a text, for messages."""
    return str(error) if isinstance(error, TooDeepError) else "expected JSON"


def parse_json(text: str) -> Any:
    """Read a document; a TranscriptError names the place of what is wrong."""
    try:
        data = load_json(text, object_pairs_hook=_object, parse_int=_whole_number)
    except json.JSONDecodeError as error:
        raise TranscriptError(
            f"line {error.lineno}, column {error.colno}: {error.msg}; expected JSON, and all of it"
        ) from None
    except TooDeepError:
        raise _too_deep("the document") from None
    _check_json(data, "the document", DEEPEST)
    return data


def _too_deep(place: str) -> TranscriptError:
    return TranscriptError(f"{place}: {TOO_DEEP}; expected at most {DEEPEST} levels")


def _check_json(value: Any, place: str, levels: int) -> None:
    """Refuse what the parser lets pass: keys that stand twice, infinite numbers, too deep nests."""
    if isinstance(value, float) and not math.isfinite(value):
        raise TranscriptError(f"{place}: a number that is infinite, too large or none at all")
    if not isinstance(value, dict | list):
        return
    if not levels:
        raise _too_deep(place)
    if isinstance(value, _Twice):
        raise TranscriptError(f"{place}: the key {quote(value.key)} stands twice")
    if isinstance(value, list):
        for number, item in enumerate(value):
            if not isinstance(item, str | int):
                _check_json(item, f"{place}[{number}]", levels - 1)
        return
    prefix = "" if levels == DEEPEST else f"{place}."
    for key, item in value.items():
        if not isinstance(item, str | int):
            _check_json(item, f"{prefix}{key}", levels - 1)


def quote(value: Any) -> str:
    """The beginning of a value, for messages."""
    text = spell(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} ..."


def spell(value: Any) -> str:
    """The value as JSON; one that could be read, but only just, is not spelled out."""
    try:
        return json.dumps(value)
    except RecursionError:
        return f"what is {TOO_DEEP}"


def expect(value: Any, kind: type, place: str, expected: str) -> Any:
    """The value, if it is of that kind."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TranscriptError(f"{place} {quote(value)}: expected {expected}")
    if isinstance(value, int) and not -LARGEST_NUMBER < value < LARGEST_NUMBER:
        raise TranscriptError(f"{place} {quote(value)}: a number of more than 64 bits")
    return value
