"""The policy of accounts: how passwords are hashed, how long sessions last, rate limits.

Tests choose cheap hashes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from agon.arena.rate_limit import SECOND_NS, RateLimit, address_key
from agon.website.accounts.passwords import Argon2, Passwords

if TYPE_CHECKING:
    from fastapi import Request

MINUTE_S = 60
HOUR_S = 60 * MINUTE_S
DAY_NS = 24 * HOUR_S * SECOND_NS


def _passwords() -> Passwords:
    return Passwords(Argon2())


@dataclass(frozen=True)
class AccountPolicy:
    """Passwords, sessions, limits."""

    passwords: Passwords = field(default_factory=_passwords)
    idle_ns: int = 7 * DAY_NS
    """A session that is not used for this time ends."""
    longest_ns: int = 30 * DAY_NS
    """However often it is used, a session lasts no longer."""
    most_tokens: int = 50
    """Maximum number of tokens for each user, without revoked ones."""
    log_in_by_address: RateLimit = field(default_factory=lambda: RateLimit(100, 5 * MINUTE_S))
    """Wide enough for a class behind one address."""
    log_in_by_account: RateLimit = field(default_factory=lambda: RateLimit(10, 15 * MINUTE_S))
    """Failures only: a successful log-in gives its attempt back."""
    register: RateLimit = field(default_factory=lambda: RateLimit(100, HOUR_S))
    upload: RateLimit = field(default_factory=lambda: RateLimit(30, HOUR_S))
    api: RateLimit = field(default_factory=lambda: RateLimit(1200, MINUTE_S))
    own_data: RateLimit = field(default_factory=lambda: RateLimit(10, HOUR_S))


def hold_up(throttle: RateLimit, key: str, now_ns: int) -> None:
    """Count an attempt; 429 with the time to wait if there were too many."""
    wait_ns = throttle.take(key, now_ns)
    if wait_ns > 0:
        seconds = math.ceil(wait_ns / SECOND_NS)
        raise HTTPException(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"Too many attempts. Try again in {_in_words(seconds)}.",
            {"Retry-After": str(seconds)},
        )


def client_key(request: Request) -> str:
    """The key for the address that a request comes from."""
    return address_key(request.client.host if request.client else None)


def _in_words(seconds: int) -> str:
    if seconds <= MINUTE_S:
        return f"{seconds} s"
    return f"{math.ceil(seconds / MINUTE_S)} min"
