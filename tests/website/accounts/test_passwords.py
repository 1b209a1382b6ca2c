"""What a password may be, and that what is kept of it cannot be used."""

from __future__ import annotations

import pytest

from agon.errors import AccountError
from agon.website.accounts.names import (
    check_reason,
    check_title,
    check_user_name,
    is_user_name,
)
from agon.website.accounts.passwords import (
    LONGEST,
    Argon2,
    Cost,
    Passwords,
    check_new_password,
    new_temporary,
)

CHEAP = Argon2(Cost(1, 8, 1))


def test_hashes_are_argon2id_with_a_salt_of_their_own() -> None:
    first, second = CHEAP.hash("correct horse"), CHEAP.hash("correct horse")
    assert first.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert first != second
    assert CHEAP.verify(first, "correct horse")
    assert not CHEAP.verify(first, "Correct horse")
    assert "correct" not in first


def test_by_default_a_hash_costs_64_mib_and_three_passes() -> None:
    assert Argon2().hash("x").startswith("$argon2id$v=19$m=65536,t=3,p=4$")


@pytest.mark.parametrize("stored", ["", "plain", "$argon2id$v=19$m=8,t=1,p=1$x$y", "$argon2id$…"])
def test_what_is_no_hash_fits_nothing(stored: str) -> None:
    assert not CHEAP.verify(stored, "")
    assert not Passwords(CHEAP).verify(stored, stored)


def test_a_hash_of_another_cost_is_outdated() -> None:
    assert not CHEAP.is_outdated(CHEAP.hash("x"))
    assert CHEAP.is_outdated(Argon2(Cost(2, 8, 1)).hash("x"))


def test_accents_may_be_composed_either_way() -> None:
    passwords = Passwords(CHEAP)
    assert passwords.verify(passwords.hash("cafe\u0301 naïve"), "caf\u00e9 naïve")


def test_odd_and_long_texts_are_only_wrong() -> None:
    passwords = Passwords(CHEAP)
    stored = passwords.hash("p" * LONGEST)
    assert passwords.verify(stored, "p" * LONGEST)
    for wrong in ("", "\0", "\ud800", "🐝" * 300, "p" * (LONGEST + 1)):
        assert not passwords.verify(stored, wrong)
        assert not passwords.verify(None, wrong)


@pytest.mark.parametrize("password", ["x" * 8, "x" * LONGEST, "        ", "пароль пароль"])
def test_passwords_that_may_be(password: str) -> None:
    assert check_new_password("ada", password) == password


@pytest.mark.parametrize(
    ("password", "told"),
    [
        ("", "Password of 0 characters: expected 8 to 1024"),
        ("x" * 7, "Password of 7 characters: expected 8 to 1024"),
        ("x" * (LONGEST + 1), "Password of 1025 characters: expected 8 to 1024"),
        ("ADA-lovelace", "Password that is the user's name"),
        ("password", "one of the 10,000 most common ones, which are guessed first"),
        ("12345678", "one of the 10,000 most common ones"),
        ("Football1", "one of the 10,000 most common ones"),
        ("jennifer", "one of the 10,000 most common ones"),  # zxcvbn has it among names
        ("\uff54\uff52\uff55\uff53\uff54no1", "one of the 10,000 most common ones"),
    ],
)
def test_passwords_that_may_not_be(password: str, told: str) -> None:
    with pytest.raises(AccountError, match=told):
        check_new_password("ada-Lovelace", password)


def test_temporary_passwords_are_long_and_never_the_same() -> None:
    made = {new_temporary() for _ in range(100)}
    assert len(made) == 100
    assert min(map(len, made)) >= 16
    assert all(check_new_password("ada", password) for password in made)


@pytest.mark.parametrize("name", ["a", "7", "Ada.Lovelace_1815-x", "x" * 32])
def test_names_that_may_be(name: str) -> None:
    assert check_user_name(name) == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "-a", "_a", "a b", "a/b", "ä", "x" * 33, "a\n", "<b>", "a\0", "a%2f"]
)
def test_names_that_may_not_be(name: str) -> None:
    assert not is_user_name(name)
    with pytest.raises(AccountError, match="expected 1 to 32 letters, digits"):
        check_user_name(name)


@pytest.mark.parametrize("name", ["random", "GREEDY", "sear\uff43h", "rand0m"])
def test_a_user_is_not_called_like_a_bot_of_the_arena(name: str) -> None:
    with pytest.raises(AccountError, match="a bot of the arena has it"):
        check_user_name(name)


@pytest.mark.parametrize("title", ["", "  ", "a\nb", "x" * 101, "\0"])
def test_a_token_has_a_name_that_can_be_read(title: str) -> None:
    with pytest.raises(AccountError, match="expected 1 to 100 printable"):
        check_title(title)


def test_texts_may_be_just_as_long_as_allowed() -> None:
    assert check_title("x") == "x"
    assert check_title("x" * 100) == "x" * 100
    assert check_reason("x" * 200) == "x" * 200
    assert check_reason("") == ""
    for check in (check_user_name, check_title, check_reason):
        with pytest.raises(AccountError, match=f" '{'x' * 40}': expected"):
            check("x" * 201)
