"""The pages that tell how to take part: rules, protocols and guides, each written once.

Rules are the games' READMEs, the rest are the files of `docs`, which an installed package has
within itself and a checkout beside its sources.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from posixpath import basename
from typing import TYPE_CHECKING

import agon
from agon.errors import AgonError
from agon.games.registry import NAMES
from agon.website.render.markdown import read_article

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from agon.website.render.markdown import Article

RULES = "README.md"

PROTOCOLS = {
    "hive": "write-a-bot.md",
    "atlantis": "atlantis.md",
    "battlebots": "battlebots.md",
    "skyport": "skyport.md",
    "mebipenny": "mebipenny.md",
}
"""What programs and the arena tell each other, by game."""

GUIDES = {
    "uhp": "For viewers and other programs that know Hive: our engine, and engines as bots.",
    "ranking": "How ratings come about, what their intervals mean, how bots are paired.",
    "sandbox": "In what a bot runs, what it may use, and what it cannot reach.",
    "accounts": "Users and organisers, tokens for programs, and what protects them.",
    "website": "How to run the whole arena on one machine.",
    "contests": "How organisers hold a contest, and how users take part.",
    "python": "The games in Python programs and notebooks: positions, matches, simulation.",
    "datastore": "What is kept of matches, and how to take it out as data.",
}
"""Pages that are not about one game's protocol, and what they are for."""


def docs_folder() -> Traversable:
    """Where the files of `docs` are."""
    packaged = files(agon) / "docs"
    if packaged.is_dir():
        return packaged
    beside = Path(agon.__file__).resolve().parents[2] / "docs"
    if not beside.is_dir():
        raise AgonError("the pages of docs are neither in the package nor beside its sources")
    return beside


def find_page(target: str) -> str | None:
    """The address of the page that a link in one of the files means; None if it is none of ours.

    >>> find_page("../src/agon/games/hive/README.md"), find_page("sandbox.md"), find_page("LICENSE")
    ('/learn/hive', '/learn/guides/sandbox', None)
    """
    name = basename(target)
    if name == RULES:
        game = target.split("/")[-2] if "/" in target else ""
        return f"/learn/{game}" if game in NAMES else None
    for game, page in PROTOCOLS.items():
        if page == name:
            return f"/learn/{game}/protocol"
    guide = name.removesuffix(".md")
    return f"/learn/guides/{guide}" if guide in GUIDES and name.endswith(".md") else None


@cache
def rules_of(game: str) -> Article:
    """The rules of a game."""
    return _read(files(f"agon.games.{game}") / RULES)


@cache
def protocol_of(game: str) -> Article:
    """What its programs and the arena tell each other."""
    return _read(docs_folder() / PROTOCOLS[game])


@cache
def guide(name: str) -> Article:
    """A page about something that all games share."""
    if name not in GUIDES:
        raise AgonError(f"guide {name!r}: expected one of {', '.join(GUIDES)}")
    return _read(docs_folder() / f"{name}.md")


def _read(file: Traversable) -> Article:
    return read_article(file.read_text("utf-8"), find_page)
