"""Which stored matches a visitor may see: all but those of hidden contests.

Hidden matches are in no list, and every route with the number of a match in its address goes past
`guard_match`, whichever part of the site it belongs to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002  FastAPI reads the annotation when it runs
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool

from agon.website.http.errors import not_found
from agon.website.http.lookup import Id
from agon.website.identity import current_user
from agon.website.site import get_site
from agon.website.visibility import hidden_tournaments, is_hidden

if TYPE_CHECKING:
    from agon.datastore.matches import MatchFilter, StoredMatch
    from agon.datastore.users import User
    from agon.website.site import Site

ID: TypeAdapter[int] = TypeAdapter(Id)
"""Reads a number as the routes do: `1`, and also `+1` and `1.0`."""


def sees_all(user: User | None) -> bool:
    """Whether nothing is hidden from the user."""
    return user is not None and user.organiser


def find_matches(
    site: Site, user: User | None, wanted: MatchFilter, limit: int, before_id: int | None = None
) -> list[StoredMatch]:
    """A page of the matches that the user may see, the latest first."""
    hidden = frozenset[int]() if sees_all(user) else hidden_tournaments(site.store)
    return site.store.matches.find(replace(wanted, but_tournaments=hidden), limit, before_id)


async def guard_match(request: Request) -> None:
    """404 for a match that is hidden from the visitor; a dependency of all routes."""
    try:
        match_id = ID.validate_python(request.path_params.get("match_id"))
    except ValidationError:
        return  # the route refuses it, or has none
    await run_in_threadpool(_guard, request, match_id)


def _guard(request: Request, match_id: int) -> None:
    if not is_hidden(get_site(request).store, match_id):
        return
    if not sees_all(current_user(request)):
        raise not_found(f"There is no match {match_id}")
    request.state.is_hidden = True


def shows_hidden(request: Request) -> bool:
    """Whether the answer shows something that is not public."""
    return getattr(request.state, "is_hidden", False)
