"""What a request is answered with, ready to be sent; and the refusals among them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Json

Header: TypeAlias = tuple[bytes, bytes]

JSON_TYPE: Header = (b"content-type", b"application/json")
FRESH: Header = (b"cache-control", b"no-store")
TURN_TOKEN = b"x-turn-token"


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole response; `headers` without its type and length."""

    status: int
    body: bytes = b""
    headers: tuple[Header, ...] = ()


Respond: TypeAlias = "Callable[[HttpReply], None]"
"""Answers a request that is held; called once at most."""
Leave: TypeAlias = "Callable[[], None]"
"""Tells whoever holds a request that its client has gone away."""


class RefusedError(AgonError):
    """A request that is not carried out; the status says what kind of reason there is."""

    def __init__(self, status: int, text: str, headers: tuple[Header, ...] = ()) -> None:
        """`text` says in words what was wrong."""
        super().__init__(text)
        self.status = status
        self.headers = headers

    @property
    def answer(self) -> HttpReply:
        """The response."""
        return HttpReply(self.status, encode({"error": str(self)}), self.headers)


def encode(data: Json) -> bytes:
    """JSON without needless blanks, on one line."""
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def parse_body(body: bytes) -> Json:
    """The JSON in a body, whatever its type is said to be."""
    try:
        found: Json = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RefusedError(400, f"body {shown(body)}: expected JSON") from None
    return found


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def shown(body: bytes) -> str:
    """The beginning of a body, for messages."""
    text = repr(body[:60].decode("utf-8", "backslashreplace"))
    return text if len(body) <= 60 else f"{text} ..."
