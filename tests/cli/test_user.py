"""`agon user`: the accounts of a site from the command line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from agon.cli.user import make_registrar, user
from agon.datastore import Store, new_secret
from agon.errors import AccountError, TakenError
from tests.cli.process import call_agon

if TYPE_CHECKING:
    from pathlib import Path

    from agon.datastore import User

PASSWORD = "correct horse"  # noqa: S105


def run(folder: Path, *arguments: str, given: str | None = None) -> str:
    """Run a command that ends well: what it prints."""
    result = CliRunner().invoke(user, [*arguments, "--data", str(folder)], input=given)
    assert result.exception is None, result.exception
    return result.stdout


def find(folder: Path, name: str) -> User:
    with Store.open(folder / "agon.db") as store:
        found = store.users.find(name)
    assert found
    return found


def opens(folder: Path, name: str, password: str) -> bool:
    with Store.open(folder / "agon.db") as store:
        return make_registrar(store).open(name, password) is not None


def test_the_first_organiser(tmp_path: Path) -> None:
    printed = run(tmp_path, "add", "olga", "--organiser")
    found = re.fullmatch(r"olga: organiser, temporary password ([\w-]{16})\n", printed)
    assert found
    olga = find(tmp_path, "olga")
    assert (olga.organiser, olga.password_is_temporary) == (True, True)
    assert opens(tmp_path, "olga", found[1])


def test_a_password_from_stdin(tmp_path: Path) -> None:
    printed = run(tmp_path, "add", "bob", "--password-stdin", given=PASSWORD + "\n")
    assert printed == "bob: user, added\n"
    bob = find(tmp_path, "bob")
    assert (bob.organiser, bob.password_is_temporary) == (False, False)
    assert opens(tmp_path, "bob", PASSWORD)


@pytest.mark.long
def test_a_lost_password(tmp_path: Path) -> None:
    run(tmp_path, "add", "bob", "--password-stdin", given=PASSWORD)
    secret = new_secret()
    with Store.open(tmp_path / "agon.db") as store:
        store.tokens.add(find(tmp_path, "bob").id, "laptop", secret, 0)
    printed = run(tmp_path, "password", "BOB")
    assert printed.startswith("bob: user, temporary password ")
    assert not opens(tmp_path, "bob", PASSWORD)
    assert opens(tmp_path, "bob", printed.split()[-1])
    with Store.open(tmp_path / "agon.db") as store:
        assert store.tokens.use(secret, 1) is None
    given = "battery staple"
    changed = run(tmp_path, "password", "bob", "--password-stdin", given=given)
    assert changed == "bob: password changed\n"
    assert opens(tmp_path, "bob", given)
    assert not find(tmp_path, "bob").password_is_temporary


def test_users_are_listed_and_removed(tmp_path: Path) -> None:
    run(tmp_path, "add", "bob")
    run(tmp_path, "add", "ada", "--organiser")
    assert run(tmp_path, "remove", "bob") == "bob: removed\n"
    lines = [line.split("\t")[:2] for line in run(tmp_path, "list").splitlines()]
    assert lines == [["ada", "organiser"], ["bob", "removed"]]
    told = json.loads(run(tmp_path, "list", "--json"))
    assert [(one["name"], one["rights"]) for one in told] == [tuple(line) for line in lines]


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "given", "kind", "told"),
    [
        (["add", "ADA"], "", TakenError, "user 'ADA': the name is taken"),
        (["add", "a b"], "", AccountError, "Name 'a b': expected 1 to 32"),
        (["add", "bob", "--password-stdin"], "short\n", AccountError, "Password of 5 characters"),
        (["password", "ada", "--password-stdin"], "", AccountError, "Password of 0 characters"),
        (["password", "nobody"], "", AccountError, "user 'nobody': there is none of that name"),
        (["remove", "nobody"], "", AccountError, "user 'nobody': there is none of that name"),
    ],
)
def test_what_is_wrong_is_told(
    tmp_path: Path, arguments: list[str], given: str, kind: type[Exception], told: str
) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        before = store.users.add("ada", "hash", 0)
    result = CliRunner().invoke(user, [*arguments, "--data", str(tmp_path)], input=given)
    assert isinstance(result.exception, kind)
    assert told in str(result.exception)
    assert find(tmp_path, "ada") == before


def test_it_is_a_command_of_agon(tmp_path: Path) -> None:
    result = call_agon("user", "list", "--data", str(tmp_path))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    result = call_agon("user", "remove", "bob", "--data", str(tmp_path))
    assert result.returncode == 2
    assert result.stderr.startswith("agon: user 'bob': there is none of that name")


def test_a_user_is_suspended_and_reinstated(tmp_path: Path) -> None:
    run(tmp_path, "add", "bob")
    assert run(tmp_path, "suspend", "BOB", "--reason", "spam") == "bob: suspended\n"
    assert find(tmp_path, "bob").suspended_for == "spam"
    assert run(tmp_path, "list").startswith("bob\tsuspended\t")
    assert run(tmp_path, "reinstate", "bob") == "bob: reinstated\n"
    assert find(tmp_path, "bob").is_present
    run(tmp_path, "password", "bob")
    run(tmp_path, "remove", "bob")
    with Store.open(tmp_path / "agon.db") as store:
        done = [(entry.by, entry.action, entry.detail) for entry in store.audit_log.find()]
    assert done[::-1] == [
        (None, "user.add", ""),
        (None, "user.suspend", "spam"),
        (None, "user.reinstate", ""),
        (None, "user.password", ""),
        (None, "user.remove", ""),
    ]


@pytest.mark.parametrize("command", ["add", "list", "remove", "suspend", "reinstate", "password"])
def test_help_has_examples(command: str) -> None:
    result = CliRunner().invoke(user, [command, "--help"])
    assert f"  agon user {command}" in result.stdout.partition("Examples:")[2]
