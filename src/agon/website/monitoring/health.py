"""Whether the site is well: its datastore answers, and its threads live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.gauges import check_answer
from agon.errors import DatabaseError

if TYPE_CHECKING:
    from agon.website.site import Site


def find_missing(site: Site) -> list[str]:
    """What is wrong, in words that may be public; empty: all is well."""
    missing = [f"the thread {name!r} has ended" for name in dead_threads(site)]
    try:
        check_answer(site.store.database)
    except DatabaseError:
        missing.append("the datastore does not answer")
    return missing


def dead_threads(site: Site) -> list[str]:
    """The names of threads that have ended without being stopped."""
    found = []
    if site.workers is not None:
        found += site.workers.dead_threads()
    if site.contests is not None:
        found += site.contests.dead_threads()
    if site.rules is not None and site.rules.has_died:
        found.append("rules")
    return found
