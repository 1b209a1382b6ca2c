"""Bots that a new site has: the built-in ones and the games' starters.

So visitors see matches at once, and authors have opponents.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from agon.arbiter.entrant import SETTINGS, Entrant, parse_program
from agon.arbiter.starter import missing_tools, starter_files, starter_languages
from agon.arena.bot_versions import enter_bot
from agon.arena.ladder.participants import EXAMPLE
from agon.datastore.bots import NewBot
from agon.datastore.versions import NewFile, NewVersion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.datastore.store import Store
    from agon.games.game import Game


def enter_built_in(store: Store, game: Game, now_ns: int) -> None:
    """Add the game's built-in bots to the store."""
    for name in game.bot_names:
        enter_bot(store, game, Entrant(name, built_in=name), now_ns)


def enter_examples(store: Store, game: Game, languages: Iterable[str], now_ns: int) -> list[str]:
    """The game's starters in these languages, as far as this machine has the tools; their names.

    A starter that has changed becomes the next version. What an organiser has withdrawn or removed
    stays so.
    """
    removed = {
        bot.name
        for bot in store.bots.all(game.name)
        if bot.owner_id is None and bot.removed_ns is not None
    }
    entered = []
    for language in languages:
        name = example_name(language)
        if language not in starter_languages(game) or name in removed:
            continue
        version = _version(game, language, name, now_ns)
        if version is not None:
            bot = store.bots.ensure(NewBot(game.name, name, now_ns))
            store.versions.ensure(bot.id, version)
            entered.append(name)
    return entered


def example_name(language: str) -> str:
    return f"{language}-starter"


def _version(game: Game, language: str, name: str, now_ns: int) -> NewVersion | None:
    """The starter as a version; None if its tools are missing here."""
    texts = starter_files(game, language, name)
    program = parse_program(texts[SETTINGS].encode())
    if missing_tools(program):
        return None
    return NewVersion(
        now_ns,
        label=EXAMPLE,
        language=program.language,
        build=shlex.join(program.build),
        run=shlex.join(program.run),
        protocol=program.protocol or "",
        files={file: NewFile(text.encode()) for file, text in texts.items()},
    )
