"""What is wrong with a request, in words: each part that is not as expected, quoted, and what was.

name 'x…': expected at most 40 characters
players.0.bot_id "one": expected a valid integer
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agon.strict_json import TOO_DEEP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST = 60
MOST_TOLD = 5
"""The most errors of a request that are listed."""
SHOULD = re.compile(r"^(?:Input|String|List|Value|Dictionary|Data|Number)?\s*should (?:be|have) ")
SECRET = frozenset({"password", "token", "old", "new", "again"})


def tell_invalid(errors: Iterable[Mapping[str, Any]]) -> str:
    """All that is wrong, as far as it is told."""
    told = list(dict.fromkeys(_tell(error) for error in errors))
    left = len(told) - MOST_TOLD
    return "; ".join(told[:MOST_TOLD]) + (f"; and {left} more" if left > 0 else "")


def _tell(error: Mapping[str, Any]) -> str:
    kind, location = str(error["type"]), tuple(map(str, error["loc"]))
    if kind == "json_invalid":
        why = error.get("ctx", {}).get("error", "")
        return f"the body is no JSON: {why} at character {location[-1]}; expected an object"
    place = _shorten(".".join(location[1:])) or f"the {location[0]}"
    if kind == "missing":
        return f"{place} is missing: expected it in the {location[0]}"
    expected = SHOULD.sub("expected ", str(error["msg"]))
    if SECRET & {*location}:
        return f"{place}: {expected}"
    return f"{place} {_quote(error.get('input'))}: {expected}"


def _quote(given: object) -> str:
    """What came, as JSON, shortened."""
    try:
        shown = json.dumps(given, ensure_ascii=False)
    except RecursionError:
        return f"what is {TOO_DEEP}"
    except (TypeError, ValueError):
        shown = repr(given)
    return _shorten(shown)


def _shorten(text: str) -> str:
    text = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[: LONGEST + 1])
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
