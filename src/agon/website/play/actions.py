"""What pages and API do alike: open a match, find it, take a seat, follow it."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from agon.website.accounts.policy import client_key, hold_up
from agon.website.http.errors import not_found
from agon.website.live.streams import HEARTBEAT, HEARTBEAT_SECONDS, format_event
from agon.website.play.choices import make_party
from agon.website.play.person_cookie import read_person
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import Request

    from agon.arena.people.party import Person
    from agon.arena.people.session import PlaySession
    from agon.games.game import Game
    from agon.website.play.choices import Wish

NOT_HERE = "This match is not being played here: it ended long ago, or it is for its players alone."
MOST_STREAMS = 10
"""For one match: every page that shows it has one."""


def open_play(request: Request, game: Game, person: Person, wish: Wish) -> PlaySession:
    """Open a match for a player; SettingError if it cannot be played."""
    site = get_site(request)
    hold_up(site.plays.throttle, client_key(request), site.now_ns())
    party = make_party(site.store, game, person, wish, secrets.randbelow)
    return site.plays.open(party)


def find_play(request: Request, key: str) -> PlaySession:
    """The match of that key; 404 if there is none."""
    session = get_site(request).plays.find(key)
    if session is None:
        raise not_found(NOT_HERE)
    return session


def find_seat(request: Request, key: str) -> tuple[PlaySession, int]:
    """The match of that key and the seat of the player who asks; 404 for others."""
    session = find_play(request, key)
    seat = session.party.seat_of(read_person(request))
    if seat is None:
        raise not_found(NOT_HERE)
    return session, seat


async def follow(session: PlaySession) -> AsyncIterator[bytes]:
    """An event whenever something has happened; nothing of what it was is in it."""
    session.streams += 1
    try:
        seen = -1
        while not session.is_closed:
            value = session.signal.value
            if value != seen:
                seen = value
                yield format_event("news", {"version": value})
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await session.signal.beyond(seen)
            except TimeoutError:
                yield HEARTBEAT
    finally:
        session.streams -= 1
