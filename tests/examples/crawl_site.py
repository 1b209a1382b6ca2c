"""Fetch every page of the site that is about a game: `python -m tests.examples.crawl_site GAME`.

A process of its own, because which games there are is found out once in a process.
"""

from __future__ import annotations

import html
import json
import re
import sys
import tempfile
from pathlib import Path

from agon.games.registry import find_game
from agon.website.learn.articles import all_guides
from tests.website.arena import DAWN, name_players, play, store_match
from tests.website.people import make_world
from tests.website.play.clicking import Clicker

ADDRESS = re.compile(r'(?:href|src|data-src)="([^"]+)"')


def crawl(game: str) -> dict[str, int]:
    """The statuses of all addresses that lead on from the game's pages and a match of it."""
    found_game = find_game(game)
    weakest = [found_game.bot_names[0]] * (found_game.seats[0] - 1)
    bots = [found_game.usual_opponent, *weakest]
    with tempfile.TemporaryDirectory() as folder:
        world = make_world(Path(folder) / "agon.db")
        try:
            number = store_match(world.store, play(game, bots), name_players(bots), DAWN)
            guest = Clicker(world, world.browser())
            guest.open(game, opponent="")
            first = ("/", "/matches", f"/games/{game}", "/play", f"/play?game={game}")
            pages = [*first, f"/matches/{number}", f"/play/{guest.key}", f"/learn/{game}"]
            pages += [f"/learn/guides/{name}" for name in all_guides()]
            found: dict[str, int] = {}
            while pages:
                page = pages.pop()
                if page in found:
                    continue
                answer = guest.browser.get(page)
                found[page] = answer.status_code
                if answer.headers.get("content-type", "").startswith("text/html"):
                    links = [html.unescape(link) for link in ADDRESS.findall(answer.text)]
                    pages += [link.partition("#")[0] for link in links if is_about(link, game)]
            return found
        finally:
            world.close()


def is_about(link: str, game: str) -> bool:
    """Whether a link is followed: the site's own, about the game, its matches or its looks."""
    return link.startswith("/") and (game in link or link.startswith(("/matches/", "/learn")))


if __name__ == "__main__":
    json.dump(crawl(sys.argv[1]), sys.stdout)
