"""A command as its author writes it, split into words. No shell reads it, so none may be needed."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath

from agon.errors import SettingError

SHELLS = {"sh", "bash", "dash", "ksh", "zsh", "busybox"}
SHELL_WORDS = re.compile(
    r"\.|[:!({]|\[\[|alias|case|cd|command|eval|exec|export|for|function|if|read|set|source|trap"
    r"|ulimit|umask|unset|until|while"
)
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*")
QUOTED = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""")
OPERATOR = re.compile(r"&&?|\|\|?|;|>>?|<<?|`")
VARIABLE = re.compile(r"(?<!\\)\$(?:[A-Za-z_][A-Za-z0-9_]*|[{(@*#?0-9])|(?<!\S)~(?=/|\s|$)")


def parse_command(text: str) -> tuple[str, ...]:
    """The words of a command line.

    Raises SettingError for what only a shell understands, since the program would get it as an
    argument, or would not be found.
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise SettingError(f"{text!r}: {error}") from None
    if words and (sign := find_shell_word(text, words)):
        raise SettingError(
            f"{text!r}: {sign!r} is for a shell, and no shell is used: expected a program and its"
            f' arguments. To have one, write "sh run.sh" with the commands in that file, or'
            f" {'sh -c ' + shlex.quote(text)!r}"
        )
    return words


def find_shell_word(text: str, words: tuple[str, ...]) -> str:
    """What a shell would be needed for; nothing, if all of it is plain words.

    >>> find_shell_word("exec python3 bot.py", ("exec", "python3", "bot.py"))
    'exec'
    >>> find_shell_word("sh -c 'cd bin; ./bot'", ("sh", "-c", "cd bin; ./bot"))
    ''
    """
    first = words[0]
    if SHELL_WORDS.fullmatch(first) or ASSIGNMENT.fullmatch(first):
        return first
    bare = QUOTED.sub("", text)
    expanded = QUOTED.sub(lambda found: found[0] if found[0][0] == '"' else "", text)
    if PurePath(first).name in SHELLS:
        expanded = bare  # what stands in double quotes is its script
    found = OPERATOR.search(bare) or VARIABLE.search(expanded)
    return found[0] if found else ""
