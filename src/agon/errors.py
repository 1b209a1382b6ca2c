"""Every error that Agon raises on purpose: it quotes the input and says what was expected."""

from __future__ import annotations


class AgonError(Exception):
    """Something that a user can mend; the command line shows it as one line."""


class SettingError(AgonError):
    """An option, an environment variable or an argument has a value that does not exist."""


class NotationError(AgonError):
    """A text is not in the notation that was expected."""


class IllegalMoveError(AgonError):
    """A well-formed move that the rules do not allow in this position."""


class MissingPartError(AgonError):
    """An optional part (a package, a device) is not there; the message says how to get it."""
