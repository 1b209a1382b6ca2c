"""`agon user`: the accounts of a site, from the machine that it runs on."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import JsonFlag
from agon.cli.console import print_json
from agon.cli.db import DataOption
from agon.errors import AccountError

if TYPE_CHECKING:
    from agon.datastore.store import Store
    from agon.datastore.users import User
    from agon.website.accounts.registrar import Registrar

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The user's name.")]
PasswordStdin = Annotated[
    bool,
    typer.Option(
        "--password-stdin",
        help="Read the password from the first line of stdin. Without it you are asked, or, "
        "without a terminal, a temporary one is made.",
    ),
]

user = typer.Typer(
    name="user",
    no_args_is_help=True,
    help="Manage the accounts of a site: add, list, suspend, remove, reset passwords.",
    rich_markup_mode="rich",
)


@user.command()
def add(
    name: NameArgument,
    organiser: Annotated[
        bool, typer.Option("--organiser", help="Give the user an organiser's rights.")
    ] = False,
    password_stdin: PasswordStdin = False,
    data: DataOption = None,
) -> None:
    """Create an account; this is how a site gets its first organiser.

    Without a password, prints a temporary one for the user to change at the first log-in.

    \b
    Examples:
      agon user add ada --organiser
      agon user add bob --password-stdin < password.txt
    """
    password = read_password(password_stdin)
    with open_store(data) as store:
        registrar = make_registrar(store)
        now_ns = time.time_ns()
        if password is None:
            added, temporary = registrar.create_account(name, now_ns, organiser=organiser)
            print_temporary(added, temporary)
        else:
            added = registrar.register(name, password, now_ns, organiser=organiser)
            print(f"{added.name}: {rights(added)}, added")
        note(store, "user.add", added, "organiser" if organiser else "")


@user.command("list")
def list_users(data: DataOption = None, as_json: JsonFlag = False) -> None:
    """List all users, one per line: name, rights, since when.

    \b
    Examples:
      agon user list
      agon user list --data ~/contest --json
    """
    from datetime import UTC, datetime

    with open_store(data) as store:
        users = [
            (one.name, rights(one), datetime.fromtimestamp(one.created_ns // 10**9, UTC).date())
            for one in store.users.all()
        ]
    if as_json:
        print_json([{"name": n, "rights": r, "since": str(since)} for n, r, since in users])
        return
    for name, right, since in users:
        print(f"{name}\t{right}\t{since}")


@user.command()
def remove(name: NameArgument, data: DataOption = None) -> None:
    """Remove an account: its bots stop playing, its name stays taken. This cannot be undone.

    \b
    Examples:
      agon user remove bob
    """
    with open_store(data) as store:
        found = find_user(store, name)
        store.users.remove(found.id, time.time_ns())
        note(store, "user.remove", found)
    print(f"{found.name}: removed")


@user.command()
def suspend(
    name: NameArgument,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why; the user is told it at the log-in.")
    ] = "",
    data: DataOption = None,
) -> None:
    """Keep a user out: sessions end, the bots do not play, until `agon user reinstate`.

    \b
    Examples:
      agon user suspend bob --reason "bots that only wait"
    """
    from agon.website.accounts.names import check_reason

    why = check_reason(reason)
    with open_store(data) as store:
        found = find_user(store, name)
        store.users.suspend(found.id, why, time.time_ns())
        note(store, "user.suspend", found, why)
    print(f"{found.name}: suspended")


@user.command()
def reinstate(name: NameArgument, data: DataOption = None) -> None:
    """End a suspension: the user may log in again, and the bots play again.

    \b
    Examples:
      agon user reinstate bob
    """
    with open_store(data) as store:
        found = find_user(store, name)
        store.users.reinstate(found.id)
        note(store, "user.reinstate", found)
    print(f"{found.name}: reinstated")


@user.command()
def password(
    name: NameArgument, password_stdin: PasswordStdin = False, data: DataOption = None
) -> None:
    """Set a new password; the user's sessions end, tokens are revoked.

    Without a password, prints a temporary one for the user to change at the next log-in.

    \b
    Examples:
      agon user password bob
      agon user password bob --password-stdin < password.txt
    """
    chosen = read_password(password_stdin)
    with open_store(data) as store:
        found = find_user(store, name)
        given = make_registrar(store).reset_password(found, time.time_ns(), chosen)
        note(store, "user.password", found)
    if chosen is None:
        print_temporary(found, given)
    else:
        print(f"{found.name}: password changed")


def open_store(data: str | None) -> Store:
    """The datastore, new if there was none."""
    from agon.datastore.location import find_data
    from agon.datastore.store import Store

    return Store.open(find_data(data, os.environ))


def make_registrar(store: Store) -> Registrar:
    """The registrar of the store's accounts, with the site's password hashing."""
    from agon.website.accounts.passwords import Argon2, Passwords
    from agon.website.accounts.registrar import Registrar

    return Registrar(store, Passwords(Argon2()))


def note(store: Store, action: str, found: User, detail: str = "") -> None:
    """Write into the audit log what was done on the command line."""
    from agon.datastore.enums import AuditAction

    store.audit_log.add(None, AuditAction(action), found.name, found.id, time.time_ns(), detail)


def find_user(store: Store, name: str) -> User:
    found = store.users.find(name)
    if found is None or found.removed_ns is not None:
        raise AccountError(f"user {name!r}: there is none of that name; see `agon user list`")
    return found


def read_password(from_stdin: bool) -> str | None:
    """The password that was given: on stdin, or typed twice on a terminal; None: none was."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        return None
    typed: str = typer.prompt(
        "Password (empty: one is made up)",
        default="",
        hide_input=True,
        show_default=False,
        confirmation_prompt="Once more",
        err=True,
    )
    return typed or None


def print_temporary(found: User, temporary: str) -> None:
    """Print a password that the user is to change."""
    print(f"{found.name}: {rights(found)}, temporary password {temporary}")


def rights(found: User) -> str:
    if found.removed_ns is not None:
        return "removed"
    if found.suspended_ns is not None:
        return "suspended"
    return "organiser" if found.organiser else "user"
