"""Accounts are opened, changed and closed here, for pages, API and command line alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.tokens import new_secret
from agon.errors import AccountError
from agon.website.accounts.lookalikes import find_alike, normal_form
from agon.website.accounts.names import check_title, check_user_name, is_user_name
from agon.website.accounts.passwords import check_new_password, new_temporary

if TYPE_CHECKING:
    from agon.datastore.store import Store
    from agon.datastore.tokens import Token
    from agon.datastore.users import User
    from agon.website.accounts.passwords import Passwords


class Registrar:
    """Who keeps the accounts of a store."""

    def __init__(self, store: Store, passwords: Passwords) -> None:
        self._store = store
        self._passwords = passwords

    def register(self, name: str, password: str, now_ns: int, *, organiser: bool = False) -> User:
        """A new account. TakenError if the name has one."""
        name = self._check_name(name)
        hashed = self._passwords.hash(check_new_password(name, password))
        return self._store.users.add(name, hashed, now_ns, organiser=organiser)

    def create_account(
        self, name: str, now_ns: int, *, organiser: bool = False
    ) -> tuple[User, str]:
        """A new account for another person, and its temporary password."""
        name = self._check_name(name)
        password = new_temporary()
        user = self._store.users.add(
            name,
            self._passwords.hash(password),
            now_ns,
            organiser=organiser,
            password_is_temporary=True,
        )
        return user, password

    def open(self, name: str, password: str) -> User | None:
        """The account of that name, if this is its password.

        An unknown name, a removed user and a wrong password are one, and take the same time.
        """
        name = normal_form(name)
        found = self._store.users.find(name) if is_user_name(name) else None
        user = None if found is None or found.removed_ns is not None else found
        if not self._passwords.verify(user.password_hash if user else None, password):
            return None
        if user and self._passwords.is_outdated(user.password_hash):
            self._store.users.set_password(
                user.id,
                self._passwords.hash(password),
                is_temporary=user.password_is_temporary,
            )
        return user

    def _check_name(self, text: str) -> str:
        """The name, if it can be told from the names of all other users."""
        name = check_user_name(text)
        others = [user.name for user in self._store.users.all()]
        alike = find_alike(name, others)
        if alike is not None and alike.casefold() != name.casefold():
            raise AccountError(f"Name {name!r} looks like {alike!r}: expected another one.")
        return name

    def is_password(self, user: User, password: str) -> bool:
        return self._passwords.verify(user.password_hash, password)

    def change_password(self, user: User, new: str, *, but: int | None = None) -> None:
        """Another password, chosen by the user; all other sessions end but that one."""
        hashed = self._passwords.hash(check_new_password(user.name, new))
        self._store.users.set_password(user.id, hashed)
        self._store.sessions.end_all(user.id, but=but)

    def reset_password(self, user: User, now_ns: int, chosen: str | None = None) -> str:
        """A password in place of one that was lost or stolen: the chosen one, or a temporary one.

        Sessions end and tokens are revoked.
        """
        if chosen is not None:
            check_new_password(user.name, chosen)
        password = new_temporary() if chosen is None else chosen
        hashed = self._passwords.hash(password)
        self._store.users.set_password(user.id, hashed, is_temporary=chosen is None)
        self._store.sessions.end_all(user.id)
        for token in self.tokens(user):
            self._store.tokens.revoke(token.id, now_ns)
        return password

    def tokens(self, user: User) -> list[Token]:
        """The user's tokens that open something."""
        return [one for one in self._store.tokens.of_user(user.id) if one.revoked_ns is None]

    def new_token(self, user: User, name: str, now_ns: int, most: int) -> tuple[Token, str]:
        """A new token and its secret, which is nowhere else; a user has at most `most`."""
        title = check_title(name)
        if len(self.tokens(user)) >= most:
            raise AccountError(f"You have {most} tokens; revoke one that you no longer need.")
        secret = new_secret()
        return self._store.tokens.add(user.id, title, secret, now_ns), secret

    def revoke_token(self, user: User, token_id: int, now_ns: int) -> bool:
        """Revoke one of the user's own tokens; False if it is none."""
        if token_id not in {token.id for token in self.tokens(user)}:
            return False
        self._store.tokens.revoke(token_id, now_ns)
        return True
