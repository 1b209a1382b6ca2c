"""What users and their tokens may be called."""

from __future__ import annotations

import re

from agon.errors import AccountError
from agon.games.registry import all_games
from agon.website.accounts.lookalikes import find_alike, normal_form

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
NAME_RULE = "1 to 32 letters, digits, dots, hyphens and underscores, a letter or digit first"
LONGEST_TITLE = 100
LONGEST_REASON = 200
SHOWN = 40


def is_user_name(text: str) -> bool:
    """Whether a user can be called that; such a name is a part of an address as it stands.

    >>> is_user_name("ada-1815"), is_user_name(".."), is_user_name("Ada Lovelace")
    (True, False, False)
    """
    return NAME.fullmatch(text) is not None


def check_user_name(text: str) -> str:
    """The name in normal form, if a user can be called that.

    >>> check_user_name("\uff41\uff44\uff41")
    'ada'
    """
    name = normal_form(text)
    if not is_user_name(name):
        raise AccountError(f"Name {text[:SHOWN]!r}: expected {NAME_RULE}.")
    if find_alike(name, [bot for game in all_games() for bot in game.bot_names]):
        raise AccountError(f"Name {name!r}: a bot of the arena has it; expected another one.")
    return name


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


def check_reason(text: str) -> str:
    """Why a user is suspended: nothing, or a text of one line.

    >>> check_reason(" spam. ")
    'spam'
    """
    reason = text.strip().rstrip(".")
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise AccountError(
            f"Reason {text[:SHOWN]!r}: expected one line of at most {LONGEST_REASON} characters."
        )
    return reason
