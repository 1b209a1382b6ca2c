"""Stored matches for spectators: the list of them, and a page for each."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from agon.datastore.matches import MatchFilter, StoredMatch
from agon.errors import DatastoreError, SettingError
from agon.games.registry import all_games, game_names
from agon.games.svg import format_svg
from agon.match.public_part import public_part
from agon.match.transcript import format_transcript, parse_transcript
from agon.website.http.errors import not_found
from agon.website.http.lookup import Id, SomeId  # noqa: TC001  FastAPI reads it
from agon.website.http.match_access import find_matches, sees_all, shows_hidden
from agon.website.identity import current_user
from agon.website.ranking.records import name_players
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import public_page, render
from agon.website.replay.answers import answer_piece, piece_address
from agon.website.replay.author_panel import authors_parts
from agon.website.replay.replay_cache import WantedPiece, replay_cache_of
from agon.website.replay.shown_turn import show_turn
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.datastore.contests import Contest
    from agon.match.transcript import Transcript
    from agon.website.replay.pieces import LoadedMatch

router = APIRouter(include_in_schema=False)

LONGEST_ID = 19
"""A number with this many digits is no id."""
PAGE = 50
KEEP = "public, max-age=3600"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture brings its own styles, and may do nothing else."""

Turn = Annotated[int | None, Query(ge=0, le=10**6)]
TurnInPath = Annotated[int, Path(ge=0, le=10**6)]
Seat = Annotated[int | None, Query(ge=0)]


def find_match(site: Site, match_id: int) -> StoredMatch:
    try:
        return site.store.matches.get(match_id)
    except DatastoreError:
        raise not_found(f"There is no match {match_id}") from None


def load(site: Site, match_id: int) -> Transcript:
    """The transcript of a stored match, with what only authors may see."""
    find_match(site, match_id)
    return parse_transcript(site.store.matches.transcript(match_id).decode())


def load_replay(site: Site, match_id: int) -> LoadedMatch:
    return replay_cache_of(site).load(match_id, lambda: load(site, match_id))


@router.get("/matches", response_class=HTMLResponse)
def matches(request: Request, game: str = "", bot: str = "", before: SomeId = None) -> Response:
    """The matches that were played, the latest first; of one game, of one bot."""
    if game and game not in game_names():
        raise not_found(f"There is no game {game!r}")
    if bot and not (bot.isascii() and bot.isdecimal() and len(bot) < LONGEST_ID):
        raise not_found(f"There is no bot {bot[:20]!r}")
    wanted = MatchFilter(game=game or None, bot_id=int(bot) if bot else None)
    own = sees_all(current_user(request))
    return public_page(request, lambda: _matches(request, wanted, before), own=own)


def _matches(request: Request, wanted: MatchFilter, before: int | None) -> Response:
    site = get_site(request)
    found = find_matches(site, current_user(request), wanted, PAGE + 1, before)
    return render(
        request,
        "matches.html",
        matches=found[:PAGE],
        names=name_players(site.store, found),
        older=found[PAGE - 1].id if len(found) > PAGE else None,
        game=wanted.game or "",
        bot=wanted.bot_id,
        bots=site.store.bots.that_played(wanted.game, also=wanted.bot_id),
        before=before,
        titles={one.name: one.title for one in all_games()},
    )


@router.get("/matches/{match_id}", response_class=HTMLResponse)
def match_page(request: Request, match_id: Id, turn: Turn = None, seat: Seat = None) -> Response:
    """A match: its board at a turn, who played, how it ended, all its turns."""
    own = shows_hidden(request) or _is_author(request, match_id)
    return public_page(request, lambda: _match_page(request, match_id, turn, seat), own=own)


def _is_author(request: Request, match_id: int) -> bool:
    """Whether the user owns a bot in the match, and sees what it wrote."""
    user = current_user(request)
    return user is not None and user.id in get_site(request).store.bots.owners_in(match_id)


def _match_page(request: Request, match_id: int, turn: int | None, seat: int | None) -> Response:
    site = get_site(request)
    match = find_match(site, match_id)
    try:
        shown = show_turn(load_replay(site, match_id), turn, seat)
    except SettingError as error:
        raise not_found(f"Match {match_id}: {error}") from None
    return render(
        request,
        "match.html",
        match=match,
        contest=_contest_of(site, match),
        shown=shown,
        look=look_address(shown.look),
        glyphs=draw_glyphs(shown.look),
        replay=piece_address(f"/matches/{match_id}/replay"),
        downloads=f"/matches/{match_id}",
        authors_parts=authors_parts(
            site, current_user(request), match, shown.turn, lambda: load(site, match_id)
        ),
    )


def _contest_of(site: Site, match: StoredMatch) -> Contest | None:
    """The contest that the match was played in; users who may see the match may see that."""
    if match.tournament_id is None:
        return None
    return site.store.contests.of_tournament(match.tournament_id)


@router.get("/matches/{match_id}/replay/{turn}")
def replay_piece(
    request: Request,
    match_id: Id,
    turn: TurnInPath,
    seat: Seat = None,
    *,
    long: bool = False,
) -> Response:
    """The piece of the replay that holds a turn, for the page's script."""
    match = load_replay(get_site(request), match_id)
    try:
        return answer_piece(request, match_id, match, WantedPiece(turn, seat, long), KEEP)
    except SettingError as error:
        raise not_found(f"Match {match_id}: {error}") from None


@router.get("/matches/{match_id}/transcript")
def transcript(request: Request, match_id: Id) -> Response:
    """The match record, to keep; authors find their programs' output on the page."""
    text = format_transcript(public_part(load(get_site(request), match_id)))
    return _download(text.encode(), f"match-{match_id}.json", "application/json")


@router.get("/matches/{match_id}/transcript.gz")
def packed_transcript(request: Request, match_id: Id) -> Response:
    text = format_transcript(public_part(load(get_site(request), match_id)))
    packed = gzip.compress(text.encode(), mtime=0)
    return _download(packed, f"match-{match_id}.json.gz", "application/gzip")


@router.get("/matches/{match_id}/turn-{turn}.svg")
def picture(request: Request, match_id: Id, turn: TurnInPath, seat: Seat = None) -> Response:
    """The board at a turn as a picture of its own."""
    match = load_replay(get_site(request), match_id)
    try:
        match.check(turn, seat)
    except SettingError as error:
        raise not_found(f"Match {match_id}: {error}") from None
    content = format_svg(match.scene(turn, seat))
    name = f"match-{match_id}-turn-{turn}.svg"
    response = _download(content.encode(), name, "image/svg+xml")
    response.headers["Content-Security-Policy"] = PICTURE_POLICY
    return response


def _download(content: bytes, name: str, media: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": KEEP,
    }
    return Response(content, media_type=media, headers=headers)
