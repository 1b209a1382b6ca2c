"""Challenges: a user asks for a match between any bots, and watches it at once. It is not rated."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Request, Response

from agon.arena.ladder.participants import is_playable, playable_versions
from agon.datastore.bookings import BookingFilter, NewBooking
from agon.datastore.enums import BookingKind, BookingState
from agon.errors import AgonError, DatastoreError, SettingError
from agon.games.registry import find_game, game_names
from agon.ranker.pairing import SEED_LIMIT
from agon.website.accounts.policy import hold_up
from agon.website.http.errors import not_found
from agon.website.http.lookup import Id, SomeId  # noqa: TC001  FastAPI reads it
from agon.website.http.redirects import see
from agon.website.identity import LoggedIn  # noqa: TC001  FastAPI reads it
from agon.website.render.pages import render
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.bookings import Booking
    from agon.datastore.users import User
    from agon.games.game import Game

router = APIRouter(include_in_schema=False)

MICROSECOND = 1000
REFRESH_SECONDS = 1
LONGEST = 20


def challenge(site: Site, user: User, game: Game, versions: Sequence[int]) -> Booking:
    """Let these versions meet as soon as may be; SettingError if they cannot."""
    hold_up(site.challenges, f"user {user.id}", site.now_ns())
    options = game.options()
    check_players(game, len(versions))
    for version_id in versions:
        _check_version(site, game, version_id)
    game.start(options, 0, len(versions))
    if site.store.bookings.count_open(user.id) >= site.uploads.challenges:
        raise SettingError(
            f"{site.uploads.challenges} of your matches wait or run:"
            " expected to see the end of one of them first"
        )
    seed = site.now_ns() // MICROSECOND % SEED_LIMIT
    booking = site.store.bookings.add(
        NewBooking(
            BookingKind.CHALLENGE,
            game.name,
            asdict(options),
            seed,
            tuple(versions),
            site.now_ns(),
            requested_by=user.id,
        )
    )
    if site.workers is not None:
        site.workers.ring_challengers()
    return booking


def check_players(game: Game, bots: int) -> None:
    """Raise SettingError if the game cannot be played by so many."""
    if bots not in game.seats:
        raise SettingError(
            f"{bots} bots: {game.title} is for {game.seats[0]}"
            + (f" to {game.seats[-1]}" if len(game.seats) > 1 else "")
        )


def find_booking(site: Site, user: User, booking_id: int) -> Booking:
    """A match that the user has asked for."""
    try:
        booking = site.store.bookings.get(booking_id)
    except DatastoreError:
        raise not_found(f"You have asked for no match {booking_id}") from None
    if booking.requested_by != user.id or booking.kind is not BookingKind.CHALLENGE:
        raise not_found(f"You have asked for no match {booking_id}")
    return booking


def address_of(site: Site, booking: Booking) -> str | None:
    """Where the match of a booking is to be seen; None: nowhere yet."""
    if booking.match_id is not None:
        return f"/matches/{booking.match_id}"
    live = site.live_matches.of_booking(booking.id)
    return None if live is None else f"/live/{live.key}"


@router.get("/challenge")
def show_challenge(
    request: Request, user: LoggedIn, game: str = game_names()[0], version: SomeId = None
) -> Response:
    if game not in game_names():
        raise not_found(f"There is no game {game!r}")
    found = find_game(game)
    if version is None:
        return _page(request, user, found, [])
    try:
        _check_version(get_site(request), found, version)
    except SettingError as error:
        return _page(request, user, found, [], str(error))
    return _page(request, user, found, [version])


@router.post("/challenge")
def send_challenge(
    request: Request,
    user: LoggedIn,
    game: Annotated[str, Form()] = "",
    bot: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Book the match, and go where it will be seen."""
    if game not in game_names():
        raise not_found(f"There is no game {game!r}")
    found = find_game(game)
    chosen: list[int] = []
    try:
        chosen = [_parse_id(text) for text in bot or () if text]
        booking = challenge(get_site(request), user, found, chosen)
    except AgonError as error:
        return _page(request, user, found, chosen, str(error))
    return see(f"/challenges/{booking.id}")


@router.get("/challenges/{booking_id}")
def show_booking(request: Request, user: LoggedIn, booking_id: Id) -> Response:
    """Where the match is; as long as it has not begun, a page that asks again."""
    site = get_site(request)
    booking = find_booking(site, user, booking_id)
    address = address_of(site, booking)
    if address is not None:
        return see(address)
    return render(
        request,
        "challenge_waits.html",
        booking=booking,
        game=find_game(booking.game),
        names=_names(site, booking),
        before=_count_before(site, booking),
        refresh=REFRESH_SECONDS,
    )


def _count_before(site: Site, booking: Booking) -> int:
    """How many challenges are played first."""
    return sum(
        one.id < booking.id
        for state in (BookingState.QUEUED, BookingState.INTERRUPTED, BookingState.RUNNING)
        for one in site.store.bookings.find(BookingFilter(BookingKind.CHALLENGE, state=state))
    )


def _page(
    request: Request, user: User, game: Game, chosen: Sequence[int], problem: str = ""
) -> Response:
    site = get_site(request)
    return render(
        request,
        "challenge.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        game=game,
        known=playable_versions(site.store, game),
        owners={one.id: one.name for one in site.store.users.all()},
        chosen=chosen,
        bookings=[
            (one, address_of(site, one), _names(site, one))
            for one in site.store.bookings.of_user(user.id, LONGEST)
            if one.kind is BookingKind.CHALLENGE
        ],
        problem=problem,
    )


def _parse_id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise SettingError(f"bot {text[:LONGEST]!r}: expected the number of a version")
    return int(text)


def _check_version(site: Site, game: Game, version_id: int) -> None:
    try:
        version = site.store.versions.get(version_id)
        bot = site.store.bots.get(version.bot_id)
    except DatastoreError:
        raise SettingError(f"bot version {version_id}: there is none of that id") from None
    if bot.game != game.name:
        raise SettingError(f"bot {bot.name!r} plays {bot.game}, not {game.name}")
    if not is_playable(game, bot, version):
        raise SettingError(f"bot {bot.name!r}, version {version.number}: it does not play")


def _names(site: Site, booking: Booking) -> list[str]:
    """What plays; people are in no challenge."""
    versions = [site.store.versions.get(one) for one in booking.versions if one is not None]
    bots = [(site.store.bots.get(one.bot_id), one.number) for one in versions]
    return [bot.name if bot.built_in else f"{bot.name}, version {one}" for bot, one in bots]
