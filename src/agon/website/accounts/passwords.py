"""Passwords: what one may be, and how it is kept. Argon2id makes guessing slow.

Whether a user exists must not be heard from how long an answer takes: with nothing to compare
to, a password is compared to the hash of a random one.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cache
from threading import BoundedSemaphore
from typing import Protocol
from unicodedata import normalize

from argon2 import PasswordHasher, Type
from argon2.exceptions import Argon2Error

from agon.errors import AccountError

SHORTEST = 8
LONGEST = 1024
PASSWORD_RULE = f"{SHORTEST} to {LONGEST} characters, not a common password or the user's name"
MOST_COMMON = 10_000
TEMPORARY_BYTES = 12
AT_ONCE = 2
"""How many passwords are hashed at a time: each needs its memory and a core."""


@dataclass(frozen=True, slots=True)
class Cost:
    """How much work a hash is; the default is RFC 9106's for machines with little memory."""

    passes: int = 3
    memory_kib: int = 65_536
    lanes: int = 4


class Hasher(Protocol):
    """What turns passwords into hashes."""

    def hash(self, password: str) -> str: ...

    def verify(self, stored: str, password: str) -> bool: ...

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash was made with less work than is asked for now."""


class Argon2:
    """Argon2id, few at a time."""

    def __init__(self, cost: Cost | None = None) -> None:
        cost = cost or Cost()
        self._hasher = PasswordHasher(
            time_cost=cost.passes,
            memory_cost=cost.memory_kib,
            parallelism=cost.lanes,
            type=Type.ID,
        )
        self._room = BoundedSemaphore(AT_ONCE)

    def hash(self, password: str) -> str:
        """A new hash of the password, with a salt of its own."""
        with self._room:
            return self._hasher.hash(_prepare(password))

    def verify(self, stored: str, password: str) -> bool:
        try:
            with self._room:
                return self._hasher.verify(stored, _prepare(password))
        except (Argon2Error, ValueError):  # the second: the hash is none
            return False

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash was made with other parameters."""
        return self._hasher.check_needs_rehash(stored)


class Passwords:
    """The passwords of a site."""

    def __init__(self, hasher: Hasher) -> None:
        self._hasher = hasher
        self._unused_hash = hasher.hash(new_temporary())

    def hash(self, password: str) -> str:
        return self._hasher.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Whether it is the password; the same work if there is none to compare to."""
        # What is too long was never accepted: only its beginning is worth the work.
        fits = self._hasher.verify(stored or self._unused_hash, password[:LONGEST])
        return fits and bool(stored) and len(password) <= LONGEST

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash should be made anew, now that the password is at hand."""
        return self._hasher.is_outdated(stored)


def check_new_password(name: str, password: str) -> str:
    """The password, if the user of that name may have it."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise AccountError(f"Password of {len(password)} characters: expected {PASSWORD_RULE}.")
    if password.casefold() == name.casefold():
        raise AccountError(f"Password that is the user's name: expected {PASSWORD_RULE}.")
    if normalize("NFKC", password).casefold() in _common_passwords():
        raise AccountError(
            f"Password that is one of the {MOST_COMMON:,} most common ones, which are guessed"
            f" first: expected {PASSWORD_RULE}."
        )
    return password


@cache
def _common_passwords() -> frozenset[str]:
    """The first of each list of zxcvbn, which has a word in the list where it is most common."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    lists = FREQUENCY_LISTS.values()
    return frozenset(
        word for words in lists for word in words[:MOST_COMMON] if len(word) >= SHORTEST
    )


def new_temporary() -> str:
    """A random password, which the user must change."""
    return secrets.token_urlsafe(TEMPORARY_BYTES)


def _prepare(password: str) -> bytes:
    """Its bytes: the same whichever way a keyboard composes its accents."""
    return normalize("NFKC", password).encode(errors="surrogatepass")
