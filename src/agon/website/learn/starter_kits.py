"""Starter bots to download: what each is, and all its files in one packed folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from agon.arbiter.entrant import SETTINGS
from agon.arbiter.starter import starter_files, starter_languages
from agon.games.registry import find_game

COMMENTS = 52
"""The column at which commands are explained."""
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the same bytes whenever they are packed."""
PLAIN_FILE = 0o100644 << 16

TITLES = {
    "c": "C",
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript",
    "python": "Python",
    "python-http": "Python, over HTTP",
    "rust": "Rust",
}


@dataclass(frozen=True, slots=True)
class Kit:
    """A starter bot."""

    game: str
    language: str
    title: str
    build: str
    run: str
    source_name: str
    source: str

    @property
    def folder(self) -> str:
        """What it unpacks to."""
        return f"{self.game}-{self.language}"

    @property
    def lines(self) -> int:
        """How long its source is."""
        return len(self.source.splitlines())


@cache
def kits_of(game: str) -> tuple[Kit, ...]:
    """The starters of a game, by language."""
    return tuple(_kit(game, language) for language in starter_languages(find_game(game)))


def _kit(game: str, language: str) -> Kit:
    texts = starter_files(find_game(game), language)
    settings = tomllib.loads(texts[SETTINGS])
    source_name = next(name for name in texts if name != SETTINGS)
    return Kit(
        game,
        language,
        TITLES.get(language, language),
        settings.get("build", ""),
        settings["run"],
        source_name,
        texts[source_name],
    )


@cache
def pack_kit(game: str, language: str) -> bytes:
    """The starter's folder as a zip file; always the same bytes."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in starter_files(find_game(game), language).items():
            info = ZipInfo(f"{game}-{language}/{name}", FIRST_DAY)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = PLAIN_FILE
            info.create_system = 3  # Unix, wherever it is packed
            archive.writestr(info, text.encode())
    return packed.getvalue()


def first_steps(kit: Kit) -> str:
    """What to type, from the download to a bot that plays here."""
    game = find_game(kit.game)
    steps = (
        (f"unzip {kit.folder}.zip", ""),
        (f"cd {kit.folder}", ""),
        ("agon bot check .", "try it out, step by step"),
        (f"agon match {game.name} . {game.bot_names[0]} --watch", "see it play"),
        (f"agon match {game.name} . {game.usual_opponent} --save match.json", "keep a match"),
        ("agon replay match.json", "see why it lost"),
        ("agon replay match.json --wire --seat 0", "what it was sent and wrote"),
        ("agon replay match.json --stderr --seat 0", "what it told itself"),
        ("agon login ADDRESS", "of this site, once"),
        ("agon submit .", "send it here: it is checked, and plays"),
    )
    return "\n".join(
        f"{command:<{COMMENTS}}# {words}" if words else command for command, words in steps
    )
