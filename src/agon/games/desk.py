"""A protocol over HTTP: a desk answers a program's requests, without a socket and without bytes.

The program comes when it likes; its dialogue speaks in lines, when a match wants it to. The desk
stands between them: requests become lines of the program, lines of the dialogue become replies. A
request whose reply is not known yet is held; at most one is at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Request:
    """What a program asks for."""

    method: str
    target: str
    """The path, and what may stand behind a `?`."""
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    """What it is answered."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    note: str = ""
    """For the author, if there is something wrong with the request."""


class Desk(ABC):
    """Where one program is served, in one match."""

    path = "/"
    """The path that the program is told."""

    @abstractmethod
    def take(self, request: Request) -> Reply | None:
        """The reply to a request; None: it is held, and a line that comes later is its reply."""

    @abstractmethod
    def hear(self, line: str) -> Reply | None:
        """Take a line of the dialogue: the reply to the request that is held, if one is."""

    @abstractmethod
    def release(self) -> None:
        """Whoever made the request that is held has gone away."""

    @abstractmethod
    def said(self) -> list[str]:
        """The program's lines since the last time, for the dialogue."""
