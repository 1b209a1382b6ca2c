"""Contests for all visitors: the list, a page for each, a page for the projector, and entering."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse

from agon.arena.contests.standing import load_standing
from agon.arena.contests.terms import load_terms
from agon.arena.roster import load_roster
from agon.datastore.contests import NOT_BEGUN
from agon.datastore.enums import ContestState
from agon.datastore.matches import MatchFilter
from agon.errors import DatastoreError, SettingError
from agon.games.registry import all_games, find_game
from agon.website.contests.contest_actions import STATE_BUTTONS
from agon.website.contests.entering import (
    LEAVING,
    enter,
    find_contest,
    is_welcome,
    list_contests,
    remove_entry,
    versions_to_enter,
)
from agon.website.contests.wording import SEEDINGS, STATES, changed_options, format_title
from agon.website.http.lookup import LARGEST_ID, Id
from agon.website.http.redirects import see
from agon.website.identity import LoggedIn, current_user
from agon.website.live.pages import current_board
from agon.website.ranking.records import name_players
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import public_page, render
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from typing import Any

    from agon.arena.live_matches import LiveMatch
    from agon.arena.roster import Contender
    from agon.datastore.contests import Contest, ContestEntry
    from agon.datastore.users import User

router = APIRouter(include_in_schema=False)

PAGE = 20
MOST_BOARDS = 4
"""A browser keeps few streams open at once."""
LONGEST_ID = 19
CHANGED = (SettingError, DatastoreError)
"""A wrong request, or a change by another user at the same time."""

Before = Annotated[int | None, Query(ge=1, le=LARGEST_ID)]


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot on the list of a contest."""

    entry: ContestEntry
    contender: Contender
    user: str
    can_remove: bool
    """Whether the visitor may remove it."""


@router.get("/contests", response_class=HTMLResponse)
def contests_page(request: Request) -> Response:
    """All contests, those that matter now first."""
    own = current_user(request) is not None
    return public_page(request, lambda: _contests_page(request), own=own)


def _contests_page(request: Request) -> Response:
    site = get_site(request)
    found = list_contests(site, current_user(request))
    return render(
        request,
        "contests.html",
        current=[one for one in found if one.state is not ContestState.FINISHED],
        over=[one for one in found if one.state is ContestState.FINISHED],
        states=STATES,
        format_title=format_title,
        titles={game.name: game.title for game in all_games()},
        entries=lambda contest: len(site.store.contests.entries(contest.id)),
    )


@router.get("/contests/{contest_id}", response_class=HTMLResponse)
def contest_page(request: Request, contest_id: Id, before: Before = None) -> Response:
    """A contest: its terms, who has entered, how it stands, its matches."""
    user = current_user(request)
    contest = find_contest(get_site(request), user, contest_id)
    make = partial(show_contest, request, contest, before=before)
    return public_page(request, make, own=user is not None)


@router.get("/contests/{contest_id}/screen", response_class=HTMLResponse)
def screen(request: Request, contest_id: Id) -> Response:
    """The same for a projector: what is played now and how it stands, large."""
    site = get_site(request)
    user = current_user(request)
    contest = find_contest(site, user, contest_id)

    def make() -> Response:
        return render(request, "contest_screen.html", **_progress(site, contest))

    return public_page(request, make, own=user is not None)


@router.post("/contests/{contest_id}/entries")
def enter_bot(
    request: Request, user: LoggedIn, contest_id: Id, version: Annotated[str, Form()] = ""
) -> Response:
    site = get_site(request)
    contest = find_contest(site, user, contest_id)
    try:
        enter(site, contest, user, _parse_id(version))
    except CHANGED as error:
        return show_contest(request, contest, str(error))
    return see(f"/contests/{contest.id}")


@router.post("/contests/{contest_id}/entries/{version_id}/remove")
def leave(request: Request, user: LoggedIn, contest_id: Id, version_id: Id) -> Response:
    """Take a bot out."""
    site = get_site(request)
    contest = find_contest(site, user, contest_id)
    try:
        remove_entry(site, contest, user, version_id)
    except CHANGED as error:
        return show_contest(request, contest, str(error))
    return see(f"/contests/{contest.id}")


@router.get("/contests/{contest_id}/state")
@router.get("/contests/{contest_id}/remove")
@router.get("/contests/{contest_id}/entries")
@router.get("/contests/{contest_id}/entries/{version_id}/remove")
def go_back(contest_id: Id) -> Response:
    """Reloading the answer to a form leads to the contest."""
    return see(f"/contests/{contest_id}")


def show_contest(
    request: Request, contest: Contest, problem: str = "", before: int | None = None
) -> Response:
    """The page of a contest; with what went wrong, if something did."""
    site, user = get_site(request), current_user(request)
    contest = site.store.contests.get(contest.id)
    is_organiser = user is not None and user.organiser
    matches = _matches(site, contest, before)
    return render(
        request,
        "contest.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        problem=problem,
        terms=load_terms(contest.settings),
        seedings=SEEDINGS,
        options=changed_options(contest),
        entries=list_entries(site, contest, user),
        is_welcome=user is not None and is_welcome(site, contest, user),
        offers=[] if user is None else versions_to_enter(site, contest, user),
        state_buttons=STATE_BUTTONS[contest.state] if is_organiser else (),
        is_organiser=is_organiser,
        can_edit=contest.state in NOT_BEGUN,
        trouble=_trouble(site, contest) if is_organiser else "",
        matches=matches[:PAGE],
        names=name_players(site.store, matches),
        older=matches[PAGE - 1].id if len(matches) > PAGE else None,
        before=before,
        titles={contest.game: find_game(contest.game).title},
        **_progress(site, contest),
    )


def live_matches_of(site: Site, contest: Contest) -> list[LiveMatch]:
    """The contest's matches under way."""
    return [] if site.contests is None else site.contests.live(contest.id)


def list_entries(site: Site, contest: Contest, user: User | None) -> list[Entered]:
    """The entries, in order, and whether the visitor may remove them."""
    roster = load_roster(site.store, contest.game)
    entries = site.store.contests.entries(contest.id)
    users = {entry.user_id: site.store.users.get(entry.user_id).name for entry in entries}
    return [
        Entered(
            entry,
            roster[entry.version_id],
            users[entry.user_id],
            user is not None and _can_remove(contest, entry, roster[entry.version_id], user),
        )
        for entry in entries
    ]


def _can_remove(contest: Contest, entry: ContestEntry, contender: Contender, user: User) -> bool:
    if not user.organiser:
        return contest.state in LEAVING and entry.user_id == user.id
    if contest.state in NOT_BEGUN:
        return True
    is_there = contender.owner is not None and contender.status == "active"
    return is_there and contest.state is not ContestState.FINISHED


def _progress(site: Site, contest: Contest) -> dict[str, Any]:
    """What moves while the contest is played."""
    live = live_matches_of(site, contest)
    return {
        "contest": contest,
        "game": find_game(contest.game),
        "state_words": STATES[contest.state],
        "format_title": format_title(contest),
        "standing": load_standing(site.store, contest),
        "live": [(match, current_board(match)) for match in live[:MOST_BOARDS]],
        "more_live": live[MOST_BOARDS:],
        "look": look_address(contest.game),
        "glyphs": draw_glyphs(contest.game),
    }


def _matches(site: Site, contest: Contest, before: int | None) -> list[Any]:
    if contest.tournament_id is None:
        return []
    wanted = MatchFilter(tournament_id=contest.tournament_id)
    return list(site.store.matches.find(wanted, PAGE + 1, before))


def _trouble(site: Site, contest: Contest) -> str:
    if site.contests is not None:
        return site.contests.trouble(contest.id)
    if contest.state is ContestState.RUNNING:
        return "This site plays no matches: it was started without what works behind the pages."
    return ""


def _parse_id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_ID):
        raise SettingError(f"bot version {text[:LONGEST_ID]!r}: expected its number")
    return int(text)
