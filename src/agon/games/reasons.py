"""Why a match ended, for people: outcomes name seats, sentences name players.

random won: seat 0 disqualified: resigned   becomes   random won: ada resigned
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESIGNED = "resigned"
FAILED = {
    "timeout": "ran out of time",
    "crash": "crashed",
    "illegal turn": "sent an illegal turn",
    "protocol error": "broke the protocol",
    "resource limit": "went beyond its limits",
    "could not start": "could not start",
    RESIGNED: "resigned",
}
"""What a fault is called in outcomes, and in sentences about a player."""
SEATS = {"white": 0, "black": 1}
FAILURE = re.compile(
    rf"\b(?:(?P<side>{'|'.join(SEATS)})|seat (?P<seat>\d)|player(?P<player>\d))"
    rf"(?: disqualified)?: (?P<fault>{'|'.join(FAILED)})\b",
    re.ASCII,
)


def format_failure(seat: int, fault: str) -> str:
    """How outcomes say that a seat failed.

    >>> format_failure(0, "resigned")
    'seat 0: resigned'
    """
    return f"seat {seat}: {fault}"


def note_failure(fault: str, word: str = "out") -> str:
    """A note beside the name of a player who failed; to resign is no failure.

    >>> note_failure("timeout"), note_failure("resigned")
    ('out: timeout', 'resigned')
    """
    return fault if fault == RESIGNED else f"{word}: {fault}"


def tell_reason(reason: str, names: Sequence[str]) -> str:
    """The reason of an outcome with the players' names in it.

    >>> tell_reason("white: timeout", ["ada", "bob"])
    'ada ran out of time'
    >>> tell_reason("one player left; player2: crash", ["ada", "bob"])
    'one player left; bob crashed'
    >>> tell_reason("black queen surrounded", ["ada", "bob"])
    'black queen surrounded'
    """

    def tell(found: re.Match[str]) -> str:
        seat = _seat_of(found)
        return f"{names[seat]} {FAILED[found['fault']]}" if seat < len(names) else found[0]

    return FAILURE.sub(tell, reason)


def _seat_of(found: re.Match[str]) -> int:
    if found["side"]:
        return SEATS[found["side"]]
    return int(found["seat"]) if found["seat"] else int(found["player"]) - 1
