"""Tokens: what a program shows instead of a password. Only their hashes are stored.

A token is 32 random bytes, so a plain SHA-256 is enough: it cannot be guessed, and a hash from the
table opens nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from agon.datastore import schema
from agon.datastore.database import Begin
from agon.errors import DatabaseError, DatastoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from agon.datastore.database import Database

TOKENS = schema.tokens
TOKEN_BYTES = 32
PREFIX = "agon_"
USE_NOTED_NS = 60 * 10**9
"""A token's last use is noted to the minute: a busy program costs no write a request."""


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token; the secret itself is not."""

    id: int
    user_id: int
    name: str
    created_ns: int
    last_used_ns: int | None
    revoked_ns: int | None


def new_secret() -> str:
    """A random secret; secret scanners recognise its prefix in a leaked file."""
    return PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


class Tokens:
    """The tokens of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, user_id: int, name: str, secret: str, created_ns: int) -> Token:
        """Let this secret, from `new_secret`, stand for the user."""
        values = {
            "user_id": user_id,
            "name": name,
            "digest": secret_digest(secret),
            "created_ns": created_ns,
        }
        new = insert(TOKENS).values(values).returning(TOKENS)
        return self._database.write(lambda connection: _token(connection.execute(new).one()))

    def use(self, secret: str, now_ns: int) -> Token | None:
        """The token of that secret, noted as used now; None if there is none or it is revoked."""
        with self._database.read() as connection:
            row = connection.execute(
                select(TOKENS).where(
                    TOKENS.c.digest == secret_digest(secret), TOKENS.c.revoked_ns.is_(None)
                )
            ).one_or_none()
        if row is None:
            return None
        token = _token(row)
        if token.last_used_ns is not None and now_ns - token.last_used_ns < USE_NOTED_NS:
            return token
        noted = update(TOKENS).where(TOKENS.c.id == token.id).values(last_used_ns=now_ns)
        with suppress(DatabaseError):  # on a full disk the API is read all the same
            self._database.write(lambda connection: connection.execute(noted), Begin.QUICK)
        return Token(
            token.id, token.user_id, token.name, token.created_ns, now_ns, token.revoked_ns
        )

    def of_user(self, user_id: int) -> list[Token]:
        """The user's tokens, the oldest first, with those that are revoked."""
        query = select(TOKENS).where(TOKENS.c.user_id == user_id).order_by(TOKENS.c.id)
        with self._database.read() as connection:
            return [_token(row) for row in connection.execute(query)]

    def revoke(self, token_id: int, now_ns: int) -> None:
        """From now on the secret opens nothing."""

        def work(connection: Connection) -> None:
            there = select(TOKENS.c.id).where(TOKENS.c.id == token_id)
            if connection.execute(there).one_or_none() is None:
                raise DatastoreError(f"token {token_id}: there is none of that id")
            connection.execute(
                update(TOKENS)
                .where(TOKENS.c.id == token_id, TOKENS.c.revoked_ns.is_(None))
                .values(revoked_ns=now_ns)
            )

        self._database.write(work)


def secret_digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _token(row: Row[Any]) -> Token:
    return Token(row.id, row.user_id, row.name, row.created_ns, row.last_used_ns, row.revoked_ns)
