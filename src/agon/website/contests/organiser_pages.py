"""Contests for their organisers: draft, edit, open, close, begin, pause, end, publish, delete."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from starlette.exceptions import HTTPException

from agon.arena.contests.terms import LABELS, Terms
from agon.datastore.contests import NOT_BEGUN
from agon.datastore.enums import ContestState, WhoMayEnter
from agon.games.registry import find_game, game_names
from agon.website.contests.contest_actions import (
    add_contest,
    change_state,
    edit_contest,
    publish,
    remove_contest,
)
from agon.website.contests.entering import find_contest
from agon.website.contests.form import OPTION, filled_form, form_of, read_form
from agon.website.contests.pages import CHANGED, show_contest
from agon.website.contests.proposal import LONGEST_NAME, Proposal
from agon.website.contests.wording import FORMATS, SEEDINGS
from agon.website.http.errors import not_found
from agon.website.http.lookup import Id  # noqa: TC001  FastAPI reads it
from agon.website.http.redirects import see
from agon.website.identity import Organiser  # noqa: TC001  FastAPI reads it
from agon.website.play.choices import option_offers
from agon.website.render.pages import render
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.datastore.contests import Contest

router = APIRouter(prefix="/contests", include_in_schema=False)

LONGEST_FIELD = 100_000
MOST_FIELDS = 100
PUBLISHED = {"yes": True, "no": False}


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a form; a dependency."""
    form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    return {name: str(text)[:LONGEST_FIELD] for name, text in form.items()}


Typed = Annotated[dict[str, str], Depends(read_fields)]


@router.get("/new")
def show_new(request: Request, organiser: Organiser, game: str = game_names()[0]) -> Response:
    _check_game(game)
    terms = Terms(seats=find_game(game).seats[0])
    return _form_page(request, form_of(Proposal("", game, terms=terms)))


@router.post("/new")
def change_game(request: Request, organiser: Organiser, typed: Typed) -> Response:
    """The form for another game, with all that was typed; nothing is made."""
    _check_game(typed.get("game", ""))
    seats = {str(number) for number in find_game(typed["game"]).seats}
    kept = {name: text for name, text in typed.items() if name != "seats" or text in seats}
    return _form_page(request, kept)


@router.post("")
def add(request: Request, organiser: Organiser, typed: Typed) -> Response:
    """Make a contest; it is a draft, which organisers alone see."""
    _check_game(typed.get("game", ""))
    try:
        contest = add_contest(get_site(request), organiser, read_form(typed))
    except CHANGED as error:
        return _form_page(request, typed, problem=str(error))
    return see(f"/contests/{contest.id}")


@router.get("/{contest_id}/edit")
def show_edit(request: Request, organiser: Organiser, contest_id: Id) -> Response:
    """The form of a contest that has not begun."""
    site = get_site(request)
    contest = _not_begun(find_contest(site, organiser, contest_id))
    invited = [site.store.users.get(one).name for one in site.store.contests.invited(contest.id)]
    return _form_page(request, filled_form(contest, invited), contest)


@router.post("/{contest_id}/edit")
def edit(request: Request, organiser: Organiser, contest_id: Id, typed: Typed) -> Response:
    site = get_site(request)
    contest = _not_begun(find_contest(site, organiser, contest_id))
    _check_game(typed.get("game", ""))
    try:
        edit_contest(site, organiser, contest, read_form(typed))
    except CHANGED as error:
        return _form_page(request, typed, contest, str(error))
    return see(f"/contests/{contest.id}")


@router.post("/{contest_id}/state")
def set_state(
    request: Request, organiser: Organiser, contest_id: Id, state: Annotated[str, Form()] = ""
) -> Response:
    """Let the contest go on: open, close, begin, pause, end."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    if state not in set(ContestState):
        known = ", ".join(ContestState)
        raise HTTPException(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"state {state[:40]!r}: expected one of {known}"
        )
    try:
        change_state(site, organiser, contest, ContestState(state))
    except CHANGED as error:
        return show_contest(request, contest, str(error))
    return see(f"/contests/{contest.id}")


@router.post("/{contest_id}/published")
def set_published(
    request: Request, organiser: Organiser, contest_id: Id, published: Annotated[str, Form()] = ""
) -> Response:
    """Show the contest to all visitors, or to organisers alone."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    if published not in PUBLISHED:
        raise HTTPException(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"published {published[:40]!r}: expected yes or no"
        )
    publish(site, organiser, contest, PUBLISHED[published])
    return see(f"/contests/{contest.id}")


@router.post("/{contest_id}/remove")
def remove(request: Request, organiser: Organiser, contest_id: Id) -> Response:
    """Delete a contest that has not begun, with its entries."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    try:
        remove_contest(site, organiser, contest)
    except CHANGED as error:
        return show_contest(request, contest, str(error))
    return see("/contests")


def _form_page(
    request: Request, typed: Mapping[str, str], contest: Contest | None = None, problem: str = ""
) -> Response:
    game = find_game(typed["game"])
    usual = form_of(Proposal("", game.name))
    return render(
        request,
        "contest_edit.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        contest=contest,
        game=game,
        typed={**usual, **typed},
        problem=problem,
        formats=FORMATS,
        seedings=SEEDINGS,
        who=WhoMayEnter,
        offers=option_offers(game),
        option=OPTION,
        labels=LABELS,
        longest_name=LONGEST_NAME,
    )


def _check_game(name: str) -> None:
    if name not in game_names():
        raise not_found(f"There is no game {name[:40]!r}")


def _not_begun(contest: Contest) -> Contest:
    if contest.state not in NOT_BEGUN:
        raise HTTPException(
            HTTPStatus.CONFLICT, f"The contest is {contest.state}: it cannot be changed any more."
        )
    return contest
