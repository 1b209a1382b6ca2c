"""The types of our columns: the same on both databases, and checked before they get there.

SQLite takes anything in any column; PostgreSQL refuses some texts and numbers with words of its
own. So that both hold the same, what one of them cannot hold is refused here for both. Going in,
a value is checked; coming out, it has its Python type.
"""

from __future__ import annotations

import json
import math
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import BigInteger, Double, Integer, String, Text
from sqlalchemy.types import TypeDecorator

from agon.errors import DatastoreError
from agon.strict_json import load_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Dialect
    from sqlalchemy.types import TypeEngine

SHOWN = 40
MOST = 2**63 - 1
NAME_LENGTH = 200

EnumT = TypeVar("EnumT", bound=StrEnum)


def check_text(text: object) -> str:
    """The text, if both databases can hold it.

    >>> check_text("naïve 🐝")
    'naïve 🐝'
    """
    if not isinstance(text, str):
        raise DatastoreError(f"{text!r:.{SHOWN}}: expected a text")
    if "\0" in text:
        raise DatastoreError(f"text {text[:SHOWN]!r}: expected no NUL character in it")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DatastoreError(f"text {text[:SHOWN]!r}: expected text that is Unicode") from None
    return text


class Words(TypeDecorator[str]):
    """A text of any length, sorted by its code points on both databases."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """PostgreSQL would sort by the server's language."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(collation=collation))

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:
        """Refuse what PostgreSQL cannot hold."""
        return None if value is None else check_text(value)


class Name(TypeDecorator[str]):
    """A text of limited length that is not empty, short enough for an index."""

    impl = String
    cache_ok = True

    def __init__(self, length: int = NAME_LENGTH) -> None:
        super().__init__(length)
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """PostgreSQL would sort by the server's language."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(self.length, collation=collation))

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:
        """Refuse what is no name."""
        return None if value is None else self.check(value)

    def check(self, value: object) -> str:
        """The text, if it is a name."""
        name = check_text(value)
        if not 1 <= len(name) <= self.length:
            raise DatastoreError(
                f"name {name[:SHOWN]!r} of {len(name)} characters: expected 1 to {self.length}"
            )
        return name


class Whole(TypeDecorator[int]):
    """A whole number of 64 bits with its sign: ids, seeds, scores, and times in nanoseconds."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """SQLite's INTEGER has 64 bits, and only that name makes a primary key the row's own id."""
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else BigInteger())

    def process_bind_param(self, value: object, dialect: Dialect) -> int | None:
        """Refuse other types (NumPy's, say, which SQLite would store as bytes) and more bits."""
        if value is None:
            return None
        if type(value) is not int:
            raise DatastoreError(f"{value!r:.{SHOWN}}: expected a whole number (int)")
        if not -MOST - 1 <= value <= MOST:
            raise DatastoreError(f"number {value:.12g}: expected at most 64 bits with the sign")
        return value


class Real(TypeDecorator[float]):
    """A finite number in 64-bit floating point."""

    impl = Double
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> float | None:
        """Refuse NaN, which SQLite would turn into NULL, and infinity."""
        if value is None:
            return None
        if not isinstance(value, float | int) or not math.isfinite(value):
            raise DatastoreError(f"{value!r:.{SHOWN}}: expected a finite number")
        return float(value)


class EnumText(TypeDecorator[EnumT], Generic[EnumT]):
    """One of a closed set, stored as its word."""

    impl = String
    cache_ok = True

    def __init__(self, choices: type[EnumT]) -> None:
        super().__init__(20)
        self.choices = choices

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else self._find(value).value

    def process_result_value(self, value: Any, dialect: Dialect) -> EnumT | None:
        return None if value is None else self._find(value)

    def _find(self, value: Any) -> EnumT:
        try:
            return self.choices(value)
        except ValueError:
            known = ", ".join(self.choices)
            raise DatastoreError(f"{value!r:.{SHOWN}}: expected one of {known}") from None


class JsonColumn(TypeDecorator["Mapping[str, Any]"]):
    """A JSON object as text in one fixed form, so that equal objects are equal texts."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Its text; JSON's escapes keep every odd character out of it."""
        if value is None:
            return None
        try:
            return json.dumps(dict(value), sort_keys=True, separators=(",", ":"), allow_nan=False)
        except RecursionError:  # which quoting it would raise again
            raise DatastoreError("a JSON object: it is nested too deeply") from None
        except (TypeError, ValueError) as error:
            raise DatastoreError(f"{value!r:.{SHOWN}}: expected a JSON object: {error}") from None

    def process_result_value(self, value: Any, dialect: Dialect) -> Mapping[str, Any] | None:
        if value is None:
            return None
        try:
            found = load_json(value)
        except ValueError as error:
            raise DatastoreError(f"{value[:SHOWN]!r}: expected a JSON object: {error}") from None
        if not isinstance(found, dict):
            raise DatastoreError(f"{value[:SHOWN]!r}: expected a JSON object")
        return found
