"""The front page: what is being played now, what was played last, who leads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from agon.datastore.matches import MatchFilter, StoredMatch
from agon.games.registry import all_games
from agon.ranker.live_ratings import LiveRating
from agon.website.cache.sharing import nobody, share_soon
from agon.website.http.match_access import find_matches
from agon.website.live.pages import current_board
from agon.website.live.streams import MOST_SHOWN, choose_matches
from agon.website.ranking.records import name_players
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import render
from agon.website.site import Site, get_site
from agon.website.visibility import hidden_tournaments

if TYPE_CHECKING:
    from agon.datastore.store import Store
    from agon.games.game import Game

router = APIRouter(include_in_schema=False)

FRONT_SECONDS = 2
NEWS_SECONDS = 2
LATEST = 8
LEADERS = 3


@dataclass(frozen=True, slots=True)
class Leader:
    """A bot at the top of a table."""

    bot_id: int
    name: str
    number: int
    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the page takes from the datastore."""

    latest: tuple[StoredMatch, ...]
    names: dict[int, str]
    """What the versions in them are called."""
    leaders: dict[str, list[Leader]]
    until_ns: int


@router.get("/", response_class=HTMLResponse)
async def front(request: Request) -> Response:
    """The front page."""
    return await share_soon(request, FRONT_SECONDS, lambda: _front(request), nobody)


def _front(request: Request) -> Response:
    site = get_site(request)
    live = choose_matches(site.stage.matches(), MOST_SHOWN)
    shown_games = dict.fromkeys(match.game.name for match in live)
    news = _news(site)
    return render(
        request,
        "front.html",
        live=[(match, current_board(site, match)) for match in live],
        looks={game.name: look_address(game.name) for game in all_games()},
        look_files=json.dumps({game.name: _look_files(game.name) for game in all_games()}),
        glyphs=[draw_glyphs(name) for name in shown_games],
        latest=news.latest,
        names=news.names,
        leaders=news.leaders,
        titles={game.name: game.title for game in all_games()},
    )


def _look_files(game: str) -> dict[str, str]:
    """Where the page's script finds what it needs for a board of the game."""
    return {kind: look_address(game, kind) for kind in ("css", "svg")}


def _news(site: Site) -> FrontPage:
    """The latest results and the tables, not older than a moment."""
    now = site.now_ns()
    key = ("front", site.visibility.changes)
    news = site.replay_cache.news.get(key)
    if news is None or not news.until_ns - NEWS_SECONDS * 10**9 <= now < news.until_ns:
        latest = tuple(find_matches(site, None, MatchFilter(), LATEST))
        leaders = {game.name: find_leaders(site.store, game) for game in all_games()}
        names = name_players(site.store, latest)
        news = FrontPage(latest, names, leaders, now + NEWS_SECONDS * 10**9)
        site.replay_cache.news.put(key, news)
    return news


def find_leaders(store: Store, game: Game) -> list[Leader]:
    """The bots with the highest live ratings, of those that are known well enough to be sure."""
    ratings = store.ratings.current(game.name, hidden_tournaments(store))
    ranked = sorted(ratings, key=lambda version: ratings[version].sigma * 2 - ratings[version].mu)
    leaders: list[Leader] = []
    for version_id in ranked[:LEADERS]:
        version = store.versions.get(version_id)
        bot = store.bots.get(version.bot_id)
        live = LiveRating(ratings[version_id].mu, ratings[version_id].sigma)
        leaders.append(Leader(bot.id, bot.name, version.number, live.elo, live.elo_error))
    return leaders
