"""The games' tables: who is how strong, how sure that is, and who did what against whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from agon.arena.match_record import CLIENT_SUFFIX
from agon.arena.roster import load_roster
from agon.datastore.enums import VersionStatus
from agon.datastore.matches import MatchFilter
from agon.errors import SettingError
from agon.games.registry import find_game
from agon.match.wording import seat_title
from agon.website.http.errors import not_found
from agon.website.http.match_access import find_matches
from agon.website.ranking.plots import bar_scale, draw_bar, draw_history, table_moments
from agon.website.ranking.records import name_players
from agon.website.ranking.standings import standings_of
from agon.website.render.pages import public_page, render
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from agon.arena.roster import Contender
    from agon.games.game import Game
    from agon.ranker.table import HeadToHead, RankingRow
    from agon.website.ranking.rating_history import RatingHistory
    from agon.website.ranking.standings import GameStanding

router = APIRouter(include_in_schema=False)

LATEST = 8
LARGEST_MATRIX = 50
SHADES = 5
AGAIN_S = 3
"""When a page that had to be shown without its table asks once more."""

GameName = Annotated[str, Path(max_length=40)]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of the table on the page."""

    row: RankingRow
    contender: Contender
    bar: Markup


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One bot against another one."""

    meeting: HeadToHead
    shade: int
    """From 0, it loses, to SHADES - 1, it wins."""
    words: str


@dataclass(frozen=True, slots=True)
class Plot:
    """The histories of some bots: as a drawing, and what a table tells of them."""

    drawing: Markup
    histories: tuple[RatingHistory, ...]
    titles: tuple[str, ...]
    moments: list[int]


def game_of(name: str) -> Game:
    """The game of that name; else there is no such page."""
    try:
        return find_game(name)
    except SettingError:
        raise not_found(f"There is no game {name!r}") from None


@router.get("/games/{game}", response_class=HTMLResponse)
def game_page(request: Request, game: GameName) -> Response:
    found = game_of(game)
    return public_page(request, lambda: _game_page(request, found))


def _game_page(request: Request, game: Game) -> Response:
    site = get_site(request)
    standing = standings_of(site).find(game)
    roster = load_roster(site.store, game.name)
    matches = find_matches(site, None, MatchFilter(game=game.name), LATEST)
    page = render(
        request,
        "game.html",
        game=game,
        tab="table",
        standing=standing,
        lines=[] if standing is None else make_lines(standing, roster),
        seats=[] if standing is None else _seats(game, standing),
        waiting=_waiting(standing, roster),
        plot=make_plot(() if standing is None else standing.histories, roster),
        matches=matches,
        names=name_players(site.store, matches),
        titles={game.name: game.title},
        live=[match for match in site.live_matches.running(game.name) if not match.private],
    )
    return ask_again(page, standing)


@router.get("/games/{game}/matrix", response_class=HTMLResponse)
def matrix_page(request: Request, game: GameName) -> Response:
    """Who did what against whom."""
    found = game_of(game)
    return public_page(request, lambda: _matrix_page(request, found))


def _matrix_page(request: Request, game: Game) -> Response:
    site = get_site(request)
    standing = standings_of(site).find(game)
    roster = load_roster(site.store, game.name)
    lines = [] if standing is None else make_lines(standing, roster)[:LARGEST_MATRIX]
    page = render(
        request,
        "matrix.html",
        game=game,
        tab="matrix",
        standing=standing,
        lines=lines,
        cells=[] if standing is None else make_cells(standing, lines),
        all_rows=0 if standing is None else len(standing.versions),
        most=LARGEST_MATRIX,
    )
    return ask_again(page, standing)


def ask_again(page: Response, standing: GameStanding | None) -> Response:
    """The page; without a table it says when there should be one."""
    if standing is None:
        page.headers["Refresh"] = str(AGAIN_S)
        page.status_code = 202  # accepted: it is being made
    return page


def make_lines(standing: GameStanding, roster: Mapping[int, Contender]) -> list[TableLine]:
    """The rows with who they are, and their bars."""
    scale = bar_scale(standing.table.rows)
    return [
        TableLine(row, roster[version], draw_bar(row, scale))
        for row, version in zip(standing.table.rows, standing.versions, strict=True)
    ]


def make_cells(standing: GameStanding, lines: Sequence[TableLine]) -> list[list[MatrixCell | None]]:
    """The matrix of the first rows; None where two did not meet."""
    return [
        [
            _cell(standing.table.meetings[one][two], line.contender, other.contender)
            for two, other in enumerate(lines)
        ]
        for one, line in enumerate(lines)
    ]


def _cell(meeting: HeadToHead, own: Contender, other: Contender) -> MatrixCell | None:
    games = sum(meeting)
    if not games:
        return None
    score = (meeting.wins + meeting.draws / 2) / games
    words = (
        f"{own.title} against {other.title}: {_count(meeting.wins, 'win')},"
        f" {_count(meeting.draws, 'draw')}, {_count(meeting.losses, 'loss', 'losses')}"
    )
    return MatrixCell(meeting, min(SHADES - 1, int(score * SHADES)), words)


def _count(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def make_plot(histories: Sequence[RatingHistory], roster: Mapping[int, Contender]) -> Plot:
    """The histories of these versions; one match alone makes no line."""
    shown = tuple(history for history in histories if len(history.points) > 1)
    titles = tuple(roster[history.version_id].title for history in shown)
    return Plot(draw_history(shown, titles), shown, titles, table_moments(shown))


def _seats(game: Game, standing: GameStanding) -> list[tuple[str, float, float]]:
    """What the seats are worth: name, Elo, half the width of the interval."""
    return [
        (seat_title(game, number), seat.rating, seat.high - seat.rating)
        for number, seat in enumerate(standing.table.seats)
    ]


def _waiting(standing: GameStanding | None, roster: Mapping[int, Contender]) -> list[Contender]:
    """The versions that may play and have not yet."""
    played = set() if standing is None else standing.places.keys()
    return [
        one
        for one in roster.values()
        if one.status is VersionStatus.ACTIVE
        and one.version_id not in played
        and not one.bot.endswith(CLIENT_SUFFIX)
    ]
