"""The API's contests: what every visitor may see, entering a bot, and what organisers do."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import Request  # noqa: TC002  FastAPI reads it
from starlette.exceptions import HTTPException

from agon.errors import DatastoreError, SettingError
from agon.website.contests.contest_actions import (
    add_contest,
    change_state,
    edit_contest,
    publish,
    remove_contest,
)
from agon.website.contests.entering import enter, find_contest, list_contests, remove_entry
from agon.website.contests.schemas import (
    ContestBody,
    ContestPublishedBody,
    ContestStateBody,
    NewContestBody,
    NewEntryBody,
    WholeContestBody,
    read_proposal,
    short_body,
    whole_body,
)
from agon.website.http.api_router import (
    FOR_USERS,
    MISSING,
    ApiOrganiser,
    ApiUser,
    ErrorBody,
    api_router,
)
from agon.website.http.lookup import Id  # noqa: TC001  FastAPI reads it
from agon.website.identity import current_user
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Done = TypeVar("Done")

router = api_router("Contests")

REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": ErrorBody, "description": "Not in the state in which the contest is"}
}


@router.get("/contests")
def show_contests(request: Request) -> list[ContestBody]:
    """All contests that you may see, the latest first."""
    found = list_contests(get_site(request), current_user(request))
    return [short_body(contest) for contest in found]


@router.get("/contests/{contest_id}", responses=MISSING)
def show_contest(request: Request, contest_id: Id) -> WholeContestBody:
    """A contest: its terms, entries, table or bracket."""
    site = get_site(request)
    return whole_body(site, find_contest(site, current_user(request), contest_id))


@router.post("/contests", status_code=HTTPStatus.CREATED, responses=FOR_USERS | REFUSED)
def add(request: Request, organiser: ApiOrganiser, body: NewContestBody) -> WholeContestBody:
    """Make a contest: a draft, which organisers alone see."""
    site = get_site(request)
    return whole_body(site, _try(lambda: add_contest(site, organiser, read_proposal(body))))


@router.put("/contests/{contest_id}", responses=FOR_USERS | MISSING | REFUSED)
def edit(
    request: Request, organiser: ApiOrganiser, contest_id: Id, body: NewContestBody
) -> WholeContestBody:
    """Choose everything anew, before the contest begins."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    return whole_body(
        site, _try(lambda: edit_contest(site, organiser, contest, read_proposal(body)))
    )


@router.delete(
    "/contests/{contest_id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=FOR_USERS | MISSING | REFUSED,
)
def remove(request: Request, organiser: ApiOrganiser, contest_id: Id) -> None:
    """Delete a contest that has not begun, with its entries."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    _try(lambda: remove_contest(site, organiser, contest))


@router.put("/contests/{contest_id}/state", responses=FOR_USERS | MISSING | REFUSED)
def set_state(
    request: Request, organiser: ApiOrganiser, contest_id: Id, body: ContestStateBody
) -> WholeContestBody:
    """Open, close, begin (`running`), pause or end (`finished`) a contest."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    return whole_body(site, _try(lambda: change_state(site, organiser, contest, body.state)))


@router.put("/contests/{contest_id}/published", responses=FOR_USERS | MISSING)
def set_published(
    request: Request, organiser: ApiOrganiser, contest_id: Id, body: ContestPublishedBody
) -> WholeContestBody:
    """Show a contest to all visitors, or to organisers alone."""
    site = get_site(request)
    contest = find_contest(site, organiser, contest_id)
    publish(site, organiser, contest, body.published)
    return whole_body(site, find_contest(site, organiser, contest_id))


@router.post(
    "/contests/{contest_id}/entries",
    status_code=HTTPStatus.CREATED,
    responses=FOR_USERS | MISSING | REFUSED,
)
def enter_version(
    request: Request, user: ApiUser, contest_id: Id, body: NewEntryBody
) -> WholeContestBody:
    """Let a bot version take part, in place of another one of the same bot."""
    site = get_site(request)
    contest = find_contest(site, user, contest_id)
    _try(lambda: enter(site, contest, user, body.version_id))
    return whole_body(site, contest)


@router.delete(
    "/contests/{contest_id}/entries/{version_id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=FOR_USERS | MISSING | REFUSED,
)
def leave(request: Request, user: ApiUser, contest_id: Id, version_id: Id) -> None:
    """Take a bot version out; once entry is closed, organisers alone do.

    Once the contest is played, this disqualifies it.
    """
    site = get_site(request)
    contest = find_contest(site, user, contest_id)
    _try(lambda: remove_entry(site, contest, user, version_id))


def _try(work: Callable[[], Done]) -> Done:
    """What the work gives; what cannot be is told with a status for programs."""
    try:
        return work()
    except SettingError as error:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
    except DatastoreError as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from None
