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
from agon.games.registry import all_games, find_game, game_names
from agon.website.render.markdown import read_article

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from agon.games.game import Game
    from agon.website.render.markdown import Article

RULES = "README.md"

GUIDES = {
    "ranking": "How ratings come about, what their intervals mean, how bots are paired.",
    "sandbox": "In what a bot runs, what it may use, and what it cannot reach.",
    "accounts": "Users and organisers, tokens for programs, and what protects them.",
    "website": "How to run the whole arena on one machine.",
    "deploy": "How to run it as a service, in containers or on Kubernetes; what to watch.",
    "contests": "How organisers hold a contest, and how users take part.",
    "python": "The games in Python programs and notebooks: positions, matches, simulation.",
    "datastore": "What is kept of matches, and how to take it out as data.",
}
"""Pages that are not about one game, and what they are for."""


def all_guides() -> dict[str, str]:
    """All pages that are not about rules or protocols: those of the games come first."""
    own = {name: words for game in all_games() for name, words in game.guides.items()}
    return own | GUIDES


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
        folder = target.split("/")[-2] if "/" in target else ""
        return f"/learn/{folder}" if folder in game_names() else None
    for game in all_games():
        if game.protocol_page == name:
            return f"/learn/{game.name}/protocol"
    guide = name.removesuffix(".md")
    return f"/learn/guides/{guide}" if guide in all_guides() and name.endswith(".md") else None


@cache
def rules_of(game: str) -> Article:
    return _page_of(find_game(game), RULES)


@cache
def protocol_of(game: str) -> Article:
    """What its programs and the arena tell each other."""
    found = find_game(game)
    return _page_of(found, found.protocol_page)


@cache
def guide(name: str) -> Article:
    """A page about something that all games share."""
    if name not in all_guides():
        raise AgonError(f"guide {name!r}: expected one of {', '.join(all_guides())}")
    return _read(docs_folder() / f"{name}.md")


def _page_of(game: Game, name: str) -> Article:
    """A page of the game's package, or of `docs`; a game that brings none has its summary there."""
    for file in (game.find_file(name), docs_folder() / name):
        if file is not None and file.is_file():
            return _read(file)
    return read_article(f"# {game.title}\n\n{game.summary}\n", find_page)


def _read(file: Traversable) -> Article:
    return read_article(file.read_text("utf-8"), find_page)
