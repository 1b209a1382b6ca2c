"""The front page: what is being played now, what was played last, who leads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from agon.datastore.matches import MatchFilter
from agon.games.registry import all_games
from agon.ranker.live_ratings import LiveRating
from agon.website.http.match_access import find_matches
from agon.website.live.pages import current_board
from agon.website.live.streams import MOST_SHOWN, choose_matches
from agon.website.ranking.records import name_players
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import public_page, render
from agon.website.site import get_site
from agon.website.visibility import hidden_tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.datastore.matches import Rating
    from agon.datastore.store import Store
    from agon.games.game import Game

router = APIRouter(include_in_schema=False)

LATEST = 8
LEADERS = 3


@dataclass(frozen=True, slots=True)
class Leader:
    """A bot at the top of a table."""

    bot_id: int
    name: str
    elo: float
    error: float


@router.get("/", response_class=HTMLResponse)
def front(request: Request) -> Response:
    return public_page(request, lambda: _front(request))


def _front(request: Request) -> Response:
    site = get_site(request)
    live = choose_matches(site.live_matches.running(), MOST_SHOWN)
    shown_games = dict.fromkeys(match.game.name for match in live)
    latest = find_matches(site, None, MatchFilter(), LATEST)
    return render(
        request,
        "front.html",
        progress=site.progress,
        live=[(match, current_board(match)) for match in live],
        looks={game.name: look_address(game.name) for game in all_games()},
        look_files=json.dumps({game.name: _look_files(game.name) for game in all_games()}),
        glyphs=[draw_glyphs(name) for name in shown_games],
        latest=latest,
        names=name_players(site.store, latest),
        leaders=find_leaders(site.store, all_games()),
        titles={game.name: game.title for game in all_games()},
    )


def _look_files(game: str) -> dict[str, str]:
    """Where the page's script finds what it needs for a board of the game."""
    return {kind: look_address(game, kind) for kind in ("css", "svg")}


def find_leaders(store: Store, games: Sequence[Game]) -> dict[str, list[Leader]]:
    """Of each game the bots with the highest live ratings, uncertain ones after certain ones."""
    hidden = hidden_tournaments(store)
    found = {game.name: _highest(store.ratings.current(game.name, hidden)) for game in games}
    ids = {version for best in found.values() for version in best}
    names = {one.id: one for one in store.versions.named_by_id(ids)}
    return {
        game: [
            Leader(names[version].bot_id, names[version].bot, rating.elo, rating.elo_error)
            for version, rating in best.items()
        ]
        for game, best in found.items()
    }


def _highest(ratings: Mapping[int, Rating]) -> dict[int, LiveRating]:
    """The first of them by version, each with a rating that it has almost certainly."""
    ranked = sorted(ratings, key=lambda version: ratings[version].sigma * 2 - ratings[version].mu)
    return {
        version: LiveRating(ratings[version].mu, ratings[version].sigma)
        for version in ranked[:LEADERS]
    }
