"""The pages on which people play. All of it can be done without scripts, one click at a time."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.datastructures import FormData

from agon.arena.people.context import StaleError, State
from agon.arena.people.party import Person
from agon.errors import AgonError, SettingError
from agon.games.registry import find_game, game_names
from agon.kernel import require_kernels
from agon.match.wording import seat_title
from agon.website.http.errors import not_found
from agon.website.http.redirects import see
from agon.website.play.actions import find_play, find_seat, open_play
from agon.website.play.choices import (
    PERSON,
    Wish,
    built_in_offers,
    ladder_offers,
    level_offers,
    option_offers,
    seat_offers,
)
from agon.website.play.person_cookie import meet_person, read_person, remember
from agon.website.play.schemas import LONGEST_PICK, MOST_PICKS
from agon.website.play.view import play_body, step_body
from agon.website.render.boards import draw_board, draw_glyphs, look_address
from agon.website.render.pages import render
from agon.website.site import get_site, require_rules

if TYPE_CHECKING:
    from agon.arena.people.session import PlaySession
    from agon.games.game import Game
    from agon.website.play.schemas import StepBody

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_rules)])

OPTION = "option-"
LONGEST_FIELD = 100_000


async def read_form(request: Request) -> FormData:
    """The fields of a form; a dependency."""
    return await request.form(max_files=0, max_fields=500)


Fields = Annotated[FormData, Depends(read_form)]
Picks = Annotated[list[str] | None, Query(alias="pick", max_length=MOST_PICKS)]


@router.get("/play", response_class=HTMLResponse)
def choose_play(request: Request, game: str = "", opponent: str = "") -> Response:
    """Choose a game; then who plays it, and how."""
    if game and game not in game_names():
        raise not_found(f"There is no game {game[:40]!r}")
    chosen = find_game(game) if game else None
    if chosen is not None:
        require_kernels(chosen.package)  # before a form is filled in
    return _choose_page(request, chosen, Wish(opponent or None), "", HTTPStatus.OK)


@router.post("/play")
def begin_play(request: Request, form: Fields) -> Response:
    """Open a match, and go to its page."""
    name = _text(form, "game")
    if name not in game_names():
        raise not_found(f"There is no game {name[:40]!r}")
    game = find_game(name)
    wish = Wish(_text(form, "opponent") or None)
    try:
        wish = _read_wish(form)
        person = meet_person(request)
        session = open_play(request, game, person, wish)
    except AgonError as error:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _choose_page(request, game, wish, str(error), status)
    response = see(f"/play/{session.key}")
    remember(request, response, person)
    return response


@router.get("/play/{play}", response_class=HTMLResponse)
def show_play(request: Request, play: str, pick: Picks = None, moment: int = -1) -> Response:
    """The board for players; the invitation for a visitor with the link to a free seat."""
    session = find_play(request, play)
    seat = session.party.seat_of(read_person(request))
    if seat is None:
        return _invite_page(request, session)
    picks = [one[:LONGEST_PICK] for one in pick or ()] if moment == session.moment else []
    return _play_page(request, session, seat, picks)


@router.post("/play/{play}/join")
def join_play(request: Request, play: str) -> Response:
    """Take the free seat."""
    session = find_play(request, play)
    person = meet_person(request)
    if session.party.seat_of(person) is None and session.party.free is None:
        return _invite_page(request, session)
    session.join(person)
    response = see(f"/play/{play}")
    remember(request, response, person)
    return response


@router.post("/play/{play}/turn")
def send_turn(request: Request, play: str, form: Fields) -> Response:
    """Send turn that was picked together."""
    session, seat = find_seat(request, play)
    moment = _text(form, "moment")
    picks = [str(one)[:LONGEST_PICK] for one in form.getlist("pick")][:MOST_PICKS]
    try:
        session.submit(seat, int(moment) if moment.isdecimal() else -1, picks)
    except StaleError:
        pass  # the page shows what has become of it
    except AgonError as error:
        return _play_page(request, session, seat, [], str(error))
    return see(f"/play/{play}")


@router.post("/play/{play}/resign")
def resign(request: Request, play: str) -> Response:
    """Give up, or withdraw the invitation; the page has asked before."""
    session, seat = find_seat(request, play)
    with suppress(StaleError):  # the page shows what has become of it
        session.resign(seat)
    return see(f"/play/{play}")


@router.post("/play/{play}/rematch")
def play_again(request: Request, play: str) -> Response:
    """The same once more, with other seats."""
    session, _ = find_seat(request, play)
    new = get_site(request).plays.rematch(session, read_person(request))
    return see(f"/play/{new.key}")


def _play_page(
    request: Request, session: PlaySession, seat: int, picks: list[str], problem: str = ""
) -> Response:
    body = play_body(session, seat)
    step, board = body.step, None
    try:
        if step is not None:
            taken = session.step(seat, body.moment, picks)
            step, board = step_body(taken, picks), draw_board(taken.scene)
    except StaleError:
        step = None
    except AgonError as error:
        picks, problem = [], problem or str(error)
    return render(
        request,
        "play.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        session=session,
        body=body,
        step=step,
        links=_links(body.moment, picks, step),
        problem=problem,
        board=board or draw_board(session.position.scene(seat, session.party.names)),
        look=look_address(session.game.name),
        glyphs=draw_glyphs(session.game.name),
        address=str(request.url_for("show_play", play=session.key)),
        patience_minutes=get_site(request).plays.settings.patience_ns // (60 * 10**9),
    )


def _links(moment: int, picks: list[str], step: StepBody | None) -> dict[str, str]:
    """Where each pick leads that may come next; by number, how to take back to there."""

    def link(chosen: list[str]) -> str:
        return "?" + urlencode({"moment": moment, "pick": chosen}, doseq=True) + "#turn"

    if step is None:
        return {}
    found = {one.id: link([*picks, one.id]) for one in (*step.choices, *step.buttons)}
    return found | {f"back-{number}": link(picks[:number]) for number in range(len(picks))}


def _invite_page(request: Request, session: PlaySession) -> Response:
    free = session.party.free
    if free is None or session.state is not State.WAITING:
        raise not_found("The seats of this match are taken: it is for its players alone.")
    party = session.party
    named = zip(party.names, party.players, strict=True)
    return render(
        request,
        "invite.html",
        session=session,
        inviting=[name for name, player in named if isinstance(player, Person)],
        seat=seat_title(session.game, free),
        board=draw_board(party.game.start(party.options, 0, len(party.players)).scene(free)),
        look=look_address(session.game.name),
        glyphs=draw_glyphs(session.game.name),
    )


def _choose_page(
    request: Request, game: Game | None, wish: Wish, problem: str, status: int
) -> Response:
    site = get_site(request)
    person = read_person(request)
    running = [*site.plays.of_person(person), *site.plays.elsewhere(person)]
    offers = {}
    if game is not None:
        offers = {
            "built_in": built_in_offers(game),
            "levels": level_offers(game),
            "ladder": [] if site.plays.obstacle else ladder_offers(site.store, game),
            "options": option_offers(game),
            "seats": seat_offers(game),
            "counts": list(game.seats),
        }
    return render(
        request,
        "play_new.html",
        status=status,
        game=game,
        wish=wish,
        offers=offers,
        problem=problem,
        running=running,
        person=PERSON,
        bot_seconds=site.plays.settings.bot_ns / 10**9,
    )


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value[:LONGEST_FIELD].strip() if isinstance(value, str) else ""


def _read_wish(form: FormData) -> Wish:
    seat, players = _text(form, "seat"), _text(form, "players")
    if any(text and not text.isdecimal() for text in (seat, players)) or len(seat + players) > 8:
        raise SettingError(f"seat {seat!r} of {players!r}: expected numbers")
    return Wish(
        _text(form, "opponent") or None,
        int(seat) if seat else None,
        int(players) if players else None,
        _text(form, "others") or None,
        {name.removeprefix(OPTION): _text(form, name) for name in form if name.startswith(OPTION)},
    )
