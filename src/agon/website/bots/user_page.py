"""A page for each user: their bots, and what these played last."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from agon.datastore.matches import MatchFilter
from agon.games.registry import all_games, find_game, game_names
from agon.website.accounts.names import is_user_name
from agon.website.bots.bot_actions import find_playing, tell_states
from agon.website.http.errors import not_found
from agon.website.http.match_access import find_matches
from agon.website.identity import current_user
from agon.website.ranking.records import name_players, sum_records
from agon.website.ranking.standings import standings_of
from agon.website.render.pages import public_page, render
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.matches import StoredMatch
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.ranker.table import RankingRow
    from agon.website.ranking.records import BotRecord

router = APIRouter(include_in_schema=False)

PAGE = 25

Before = Annotated[int | None, Query(ge=1, le=2**63 - 1)]
UserName = Annotated[str, Path(max_length=200)]


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot of a user, with the version that plays, or else its newest, and that one's place."""

    bot: StoredBot
    version: BotVersion | None
    state: str
    row: RankingRow | None
    record: BotRecord


def find_user(site: Site, name: str, asker: User | None) -> tuple[User, list[StoredBot]]:
    """The user of that name with their bots, those that were deleted left out.

    Who has made no bot is as unknown as who does not exist, but for themselves and organisers:
    names of accounts are private.
    """
    user = site.store.users.find(name) if is_user_name(name) else None
    bots = [] if user is None else site.store.bots.all(owner_id=user.id)
    may_see = bool(bots) or (
        user is not None and asker is not None and (asker.organiser or asker.id == user.id)
    )
    if user is None or not may_see:
        raise not_found(f"There is no user {name!r} with a bot")
    return user, [bot for bot in bots if bot.removed_ns is None and bot.game in game_names()]


@router.get("/users/{name}", response_class=HTMLResponse)
def user_page(request: Request, name: UserName, before: Before = None) -> Response:
    asker = current_user(request)
    person, bots = find_user(get_site(request), name, asker)
    own = asker is not None and (asker.organiser or asker.id == person.id)
    return public_page(request, lambda: _user_page(request, person, bots, before), own=own)


def _user_page(
    request: Request, person: User, bots: list[StoredBot], before: int | None
) -> Response:
    site, asker = get_site(request), current_user(request)
    matches = latest_matches(site, bots, before)
    return render(
        request,
        "user.html",
        person=person,
        mine=asker is not None and asker.id == person.id,
        entries=[make_entry(site, bot) for bot in bots],
        matches=matches[:PAGE],
        names=name_players(site.store, matches),
        older=matches[PAGE - 1].id if len(matches) > PAGE else None,
        before=before,
        titles={game.name: game.title for game in all_games()},
    )


def make_entry(site: Site, bot: StoredBot) -> Entry:
    """What a user's page tells of one bot."""
    versions = site.store.versions.of_bot(bot.id)
    game = find_game(bot.game)
    standing = standings_of(site).find(game)
    record = sum_records(standing, [version.id for version in versions])
    if not versions:
        return Entry(bot, None, "", None, record)
    shown = find_playing(game, bot, versions) or versions[0]
    row = None if standing is None else standing.row(shown.id)
    return Entry(bot, shown, tell_states(game, bot, versions)[shown.id], row, record)


def latest_matches(site: Site, bots: list[StoredBot], before: int | None) -> list[StoredMatch]:
    """The matches of any of these bots, the latest first: a page of them and one more."""
    found: dict[int, StoredMatch] = {}
    for bot in bots:
        for match in find_matches(site, None, MatchFilter(bot_id=bot.id), PAGE + 1, before):
            found[match.id] = match
    return nlargest(PAGE + 1, found.values(), key=lambda match: match.id)
