"""What the processes of `test_processes.py` do: open a store and write to it, until killed."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING

import psycopg  # noqa: F401  # loaded once, before the processes are forked

from agon.datastore import Store
from tests.datastore.samples import NOON, make_match

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


def store_fixtures(
    place: str, versions: list[int], tournament_id: int, last: int | None, reports: Connection
) -> None:
    """Store the fixtures that are missing, one at a time and several at once in turn.

    After each transaction the fixtures and their ids are reported. Without a last one it goes on
    for ever.
    """
    with Store.open(place) as store:
        done = store.tournaments.finished_fixtures(tournament_id)
        numbers = count() if last is None else iter(range(last))
        missing = (str(n) for n in numbers if str(n) not in done)
        for size in (1, 3, 1, 10) * 10**6:
            fixtures = list(islice(missing, size))
            if not fixtures:
                break
            new = [
                make_match(versions, tournament_id=tournament_id, fixture=fixture)
                for fixture in fixtures
            ]
            reports.send(list(zip(fixtures, store.record_matches(new), strict=True)))
    reports.close()


def store_without_fixtures(place: str, versions: list[int], number: int) -> None:
    """Store so many matches, one at a time."""
    with Store.open(place) as store:
        for _ in range(number):
            store.record_match(make_match(versions))


def play_bookings(place: str, versions: list[int], reports: Connection) -> None:
    """Play what is booked until nothing is left; each match is reported when it is stored."""
    with Store.open(place) as store:
        while booking := store.bookings.take(NOON):
            reports.send([(str(booking.id), 0)])
            match_id = store.record_booked_match(booking.id, make_match(versions), NOON)
            reports.send([(str(booking.id), match_id)])
    reports.close()


def open_and_close(place: str) -> None:
    """Open a store, which may have to be made."""
    Store.open(place).close()
