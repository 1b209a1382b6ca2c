"""What users and their tokens may be called."""

from __future__ import annotations

import re

from agon.errors import AccountError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
NAME_RULE = "1 to 32 letters, digits, dots, hyphens and underscores, a letter or digit first"
LONGEST_TITLE = 100
SHOWN = 40


def is_user_name(text: str) -> bool:
    """Whether a user can be called that; such a name is a part of an address as it stands.

    >>> is_user_name("ada-1815"), is_user_name(".."), is_user_name("Ada Lovelace")
    (True, False, False)
    """
    return NAME.fullmatch(text) is not None


def check_user_name(text: str) -> str:
    """The name, if a user can be called that."""
    if not is_user_name(text):
        raise AccountError(f"Name {text[:SHOWN]!r}: expected {NAME_RULE}.")
    return text


def check_title(text: str) -> str:
    """What a token is called: anything that can be read on one line.

    >>> check_title(" my laptop ")
    'my laptop'
    """
    title = text.strip()
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise AccountError(
            f"Token name {text[:SHOWN]!r}: expected 1 to {LONGEST_TITLE} printable characters."
        )
    return title
