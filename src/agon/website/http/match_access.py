"""Which stored matches a visitor may see: all but those of hidden contests.

Hidden matches are in no list, and every route with the number of a match in its address goes past
`guard_match`, whichever part of the site it belongs to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002  FastAPI reads the annotation when it runs
from starlette.concurrency import run_in_threadpool

from agon.website.http.errors import not_found
from agon.website.identity import current_user
from agon.website.site import get_site
from agon.website.visibility import hidden_tournaments, is_hidden

if TYPE_CHECKING:
    from agon.datastore.matches import MatchFilter, StoredMatch
    from agon.datastore.users import User
    from agon.website.site import Site

LONGEST_ID = 19
"""Digits; so many are too many."""


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
    text: str = request.path_params.get("match_id", "")
    if text.isascii() and text.isdecimal() and len(text) < LONGEST_ID:
        await run_in_threadpool(_guard, request, int(text))


def _guard(request: Request, match_id: int) -> None:
    if not is_hidden(get_site(request).store, match_id):
        return
    if not sees_all(current_user(request)):
        raise not_found(f"There is no match {match_id}")
    request.state.is_hidden = True


def shows_hidden(request: Request) -> bool:
    """Whether the answer shows something that is not public."""
    return getattr(request.state, "is_hidden", False)
