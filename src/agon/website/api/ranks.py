"""The API's tables, bots and users: what every visitor may see."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  pydantic reads it
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Path, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from agon.arena.roster import load_roster, owner_name
from agon.games.registry import all_games, find_game
from agon.website.bots.user_page import find_user
from agon.website.http.api_router import FOR_ALL, MISSING, ErrorBody, api_router, moment
from agon.website.http.lookup import Id, find_bot, find_version
from agon.website.identity import current_user
from agon.website.ranking.pages import AGAIN_S, game_of
from agon.website.ranking.records import count_faults, find_opponents, sum_records
from agon.website.ranking.standings import standings_of
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.arena.roster import Contender
    from agon.datastore.bots import StoredBot
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game
    from agon.ranker.table import Rated
    from agon.website.ranking.records import BotRecord, MetOpponent
    from agon.website.ranking.standings import GameStanding

router = api_router("Tables")

NOT_YET: dict[int | str, dict[str, Any]] = {
    503: {"model": ErrorBody, "description": "The table is being calculated: ask again"}
}

GameName = Annotated[str, Path(max_length=40)]


class GameBody(BaseModel):
    """A game that is played here."""

    name: str
    title: str
    summary: str
    least_seats: int
    most_seats: int
    rules_version: int
    built_in_bots: list[str] = Field(description="From the weakest to the strongest.")


class ContenderBody(BaseModel):
    """A version of a bot."""

    bot_id: int
    bot: str
    version: int
    owner: str | None = Field(
        description="null for built-in bots, network clients and the organisers' bots."
    )
    built_in: bool


class RatingBody(BaseModel):
    """A rating in Elo and its 95 % interval."""

    rating: float
    low: float
    high: float


class RowBody(ContenderBody, RatingBody):
    """A row of a table."""

    rank: int
    matches: int
    wins: int
    draws: int
    losses: int
    score: float | None
    superiority: float | None = Field(description="How likely it is stronger than the next row's.")


class TableBody(BaseModel):
    """The official table of a game, from its stored matches alone."""

    game: str
    matches: int
    made: datetime
    draw_rate: float
    seats: list[RatingBody] = Field(description="What sitting there is worth, in Elo.")
    rows: list[RowBody]


class OpponentBody(ContenderBody):
    """Another bot, and how often it went how against it."""

    wins: int
    draws: int
    losses: int


class RecordBody(BaseModel):
    """Matches that count."""

    matches: int
    wins: int
    draws: int
    losses: int
    faults: dict[str, int]
    opponents: list[OpponentBody]


class VersionBody(BaseModel):
    """A version of a bot, and what it did."""

    version: int
    state: str
    language: str
    protocol: str
    created: datetime
    rank: int | None
    rating: RatingBody | None
    record: RecordBody


class BotBody(BaseModel):
    """A bot, and what all its versions did."""

    id: int
    game: str
    name: str
    owner: str | None
    built_in: bool
    deleted: bool
    created: datetime
    versions: list[int]
    record: RecordBody


class UserBotBody(BaseModel):
    """A bot of a user."""

    id: int
    game: str
    name: str
    created: datetime


class PersonBody(BaseModel):
    """A user, and the bots."""

    name: str
    bots: list[UserBotBody]


@router.get("/games", responses=FOR_ALL)
def show_games() -> list[GameBody]:
    """The games that are played here."""
    return [
        GameBody(
            name=game.name,
            title=game.title,
            summary=game.summary,
            least_seats=game.seats[0],
            most_seats=game.seats[-1],
            rules_version=game.rules_version,
            built_in_bots=list(game.bot_names),
        )
        for game in all_games()
    ]


@router.get("/games/{game}/table", responses=FOR_ALL | MISSING | NOT_YET)
def show_table(request: Request, game: GameName) -> TableBody:
    """The table of a game; while the first one is being made, status 503."""
    site = get_site(request)
    standing = _standing(site, game_of(game))
    roster = load_roster(site.store, game)
    table = standing.table
    return TableBody(
        game=game,
        matches=table.matches,
        made=moment(standing.made_ns),
        draw_rate=table.draw_rate,
        seats=[_rating(seat) for seat in table.seats],
        rows=[
            RowBody(
                **_contender(roster[version]).model_dump(),
                **_rating(row).model_dump(),
                rank=row.rank,
                matches=row.games,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                score=row.score,
                superiority=row.superiority,
            )
            for row, version in zip(table.rows, standing.versions, strict=True)
        ],
    )


@router.get("/bots/{bot_id}", responses=FOR_ALL | MISSING | NOT_YET)
def show_bot(request: Request, bot_id: Id) -> BotBody:
    """A bot, and what all its versions did together."""
    site = get_site(request)
    bot = find_bot(site, bot_id)
    versions = site.store.versions.of_bot(bot.id)
    return BotBody(
        id=bot.id,
        game=bot.game,
        name=bot.name,
        owner=owner_name(site.store, bot),
        built_in=bot.built_in,
        deleted=bot.removed_ns is not None,
        created=moment(bot.created_ns),
        versions=[version.number for version in versions],
        record=_record(site, bot, versions),
    )


@router.get("/bots/{bot_id}/versions/{number}", responses=FOR_ALL | MISSING | NOT_YET)
def show_version(request: Request, bot_id: Id, number: Id) -> VersionBody:
    """One version of a bot, and what it did."""
    site = get_site(request)
    bot = find_bot(site, bot_id)
    version = find_version(site, bot, number)
    row = _standing(site, find_game(bot.game)).row(version.id)
    return VersionBody(
        version=version.number,
        state=version.status.value,
        language=version.language,
        protocol=version.protocol,
        created=moment(version.created_ns),
        rank=None if row is None else row.rank,
        rating=None if row is None else _rating(row),
        record=_record(site, bot, [version]),
    )


@router.get("/users/{name}", responses=FOR_ALL | MISSING)
def show_user(request: Request, name: Annotated[str, Path(max_length=200)]) -> PersonBody:
    """A user who has made a bot, and the bots."""
    person, bots = find_user(get_site(request), name, current_user(request))
    return PersonBody(
        name=person.name,
        bots=[
            UserBotBody(id=bot.id, game=bot.game, name=bot.name, created=moment(bot.created_ns))
            for bot in bots
        ],
    )


def _standing(site: Site, game: Game) -> GameStanding:
    standing = standings_of(site).find(game)
    if standing is None:
        wait = {"Retry-After": str(AGAIN_S)}
        raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "The table is being calculated", wait)
    return standing


def _record(site: Site, bot: StoredBot, versions: list[BotVersion]) -> RecordBody:
    standing = _standing(site, find_game(bot.game))
    ids = [version.id for version in versions]
    record: BotRecord = sum_records(standing, ids)
    opponents = find_opponents(standing, load_roster(site.store, bot.game), ids)
    return RecordBody(
        matches=record.games,
        wins=record.wins,
        draws=record.draws,
        losses=record.losses,
        faults=count_faults(standing, ids),
        opponents=[_opponent(one) for one in opponents],
    )


def _opponent(one: MetOpponent) -> OpponentBody:
    return OpponentBody(**_contender(one.contender).model_dump(), **one.meeting._asdict())


def _contender(one: Contender) -> ContenderBody:
    return ContenderBody(
        bot_id=one.bot_id,
        bot=one.bot,
        version=one.number,
        owner=one.owner,
        built_in=one.built_in,
    )


def _rating(rated: Rated) -> RatingBody:
    return RatingBody(rating=rated.rating, low=rated.low, high=rated.high)
