"""A page for each bot, and for each of its versions: what it is, and what it has done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from agon.arena.roster import load_roster, owner_name
from agon.datastore.matches import MatchFilter
from agon.games.registry import find_game
from agon.website.bots.bot_actions import find_playing, tell_states
from agon.website.bots.outlook import find_outlook
from agon.website.http.lookup import Id, SomeId, find_bot, find_version
from agon.website.http.match_access import find_matches
from agon.website.identity import current_user
from agon.website.ranking.pages import ask_again, make_plot
from agon.website.ranking.rating_history import load_history
from agon.website.ranking.records import count_faults, find_opponents, name_players, sum_records
from agon.website.ranking.standings import standings_of
from agon.website.render.pages import public_page, render
from agon.website.site import Site, get_site
from agon.website.visibility import hidden_tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agon.datastore.bots import StoredBot
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game
    from agon.website.ranking.standings import GameStanding

router = APIRouter(include_in_schema=False)

PAGE = 25
LINES = 6
"""How many versions of a bot are in its plot."""


@router.get("/bots/{bot_id}", response_class=HTMLResponse)
def bot_page(request: Request, bot_id: Id, before: SomeId = None) -> Response:
    bot = find_bot(get_site(request), bot_id)
    own = _sees_more(current_user(request), bot)
    return public_page(request, lambda: _bot_page(request, bot, before), own=own)


def _sees_more(user: User | None, bot: StoredBot) -> bool:
    """Whether the pages of a bot offer the user more than others: its author, and organisers."""
    return user is not None and (user.organiser or user.id == bot.owner_id)


def _bot_page(request: Request, bot: StoredBot, before: int | None) -> Response:
    site = get_site(request)
    game = find_game(bot.game)
    standing = standings_of(site).find(game)
    versions = site.store.versions.of_bot(bot.id)
    user = current_user(request)
    page = render(
        request,
        "bot.html",
        versions=[(one, None if standing is None else standing.row(one.id)) for one in versions],
        states=tell_states(game, bot, versions),
        playing=find_playing(game, bot, versions),
        mine=user is not None and user.id == bot.owner_id,
        **_deeds(site, game, bot, versions, standing),
        **_matches(site, MatchFilter(bot_id=bot.id), before),
    )
    return ask_again(page, standing)


@router.get("/bots/{bot_id}/versions/{number}", response_class=HTMLResponse)
def version_page(request: Request, bot_id: Id, number: Id, before: SomeId = None) -> Response:
    site = get_site(request)
    bot = find_bot(site, bot_id)
    version = find_version(site, bot, number)
    own = _sees_more(current_user(request), bot)
    return public_page(request, lambda: _version_page(request, bot, version, before), own=own)


def _version_page(
    request: Request, bot: StoredBot, version: BotVersion, before: int | None
) -> Response:
    site = get_site(request)
    game = find_game(bot.game)
    standing = standings_of(site).find(game)
    states = tell_states(game, bot, site.store.versions.of_bot(bot.id))
    user = current_user(request)
    page = render(
        request,
        "version.html",
        version=version,
        state=states[version.id],
        row=None if standing is None else standing.row(version.id),
        mine=user is not None and user.id == bot.owner_id,
        **_deeds(site, game, bot, [version], standing),
        **_matches(site, MatchFilter(version_id=version.id), before),
    )
    return ask_again(page, standing)


def _deeds(
    site: Site,
    game: Game,
    bot: StoredBot,
    versions: Sequence[BotVersion],
    standing: GameStanding | None,
) -> dict[str, Any]:
    """What both pages tell of these versions, the newest first: what they did, and will do."""
    ids = [version.id for version in versions]
    roster = load_roster(site.store, game.name)
    hidden = hidden_tournaments(site.store)
    histories = [load_history(site.store, game.name, version, hidden) for version in ids[:LINES]]
    newest = versions[0] if versions else None
    played = len(histories[0].points) if histories else 0  # 0 only if it has not
    return {
        "game": game,
        "bot": bot,
        "owner": roster[newest.id].owner if newest else owner_name(site.store, bot),
        "contender": roster[newest.id] if newest else None,
        "outlook": find_outlook(site, game, bot, newest, played) if newest else None,
        "standing": standing,
        "record": sum_records(standing, ids),
        "opponents": find_opponents(standing, roster, ids),
        "faults": count_faults(standing, ids),
        "plot": make_plot(histories, roster),
        "titles": {game.name: game.title},
    }


def _matches(site: Site, wanted: MatchFilter, before: int | None) -> dict[str, Any]:
    """A page of matches, the latest first, and where the next one begins."""
    found = find_matches(site, None, wanted, PAGE + 1, before)
    return {
        "matches": found[:PAGE],
        "names": name_players(site.store, found),
        "older": found[PAGE - 1].id if len(found) > PAGE else None,
        "before": before,
    }
