"""Matches that were played: what is stored of one, and how to find it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, or_, select

from agon.datastore import schema
from agon.datastore.checksum import CHECKSUM, check_row
from agon.datastore.codec import Packed, unpack
from agon.datastore.enums import MatchStatus
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from agon.datastore.database import Database
    from agon.match.transcript import Fault

MATCHES, SEATS, RATINGS = schema.matches, schema.seats, schema.ratings
BOTS, VERSIONS, TRANSCRIPTS = schema.bots, schema.bot_versions, schema.transcripts
SHOWN = [column for column in MATCHES.c if column.name != CHECKSUM]
PAGE = 50
LATEST = 200


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a bot version is believed to be, and how uncertain that is."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class NewSeat:
    """One seat of a match to be stored; both ratings or none."""

    version_id: int
    fault: Fault | None
    """How it failed; None: it ended by the rules."""
    score: int
    rank: int
    """How many seats did better."""
    thinking_ns: int = 0
    before: Rating | None = None
    after: Rating | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to be stored. A fixture names it within its tournament: stored once, for good."""

    game: str
    rules_version: int
    options: Mapping[str, Any]
    seed: int
    seats: tuple[NewSeat, ...]
    transcript: bytes
    started_ns: int
    ended_ns: int
    turns: int
    reason: str = ""
    status: MatchStatus = MatchStatus.FINISHED
    rated: bool = True
    lateness_ns: int = 0
    tournament_id: int | None = None
    fixture: str | None = None
    journal: str | None = None
    """Its key in the journal, from which it is removed when it is stored."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """One seat of a stored match, and who had it."""

    version_id: int
    bot_id: int
    bot: str
    number: int
    fault: Fault | None
    score: int
    rank: int
    thinking_ns: int
    before: Rating | None
    after: Rating | None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match, without its transcript."""

    id: int
    game: str
    rules_version: int
    options: Mapping[str, Any]
    seed: int
    tournament_id: int | None
    fixture: str | None
    status: MatchStatus
    rated: bool
    turns: int
    reason: str
    started_ns: int
    ended_ns: int
    lateness_ns: int
    seats: tuple[StoredSeat, ...]


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are wanted; what is None does not matter."""

    game: str | None = None
    tournament_id: int | None = None
    status: MatchStatus | None = None
    bot_id: int | None = None
    version_id: int | None = None
    fault: Fault | None = None
    """A seat that failed like this; of that bot or version, if one is given."""
    but_tournaments: frozenset[int] = frozenset()
    """Not the matches of these."""
    bots: frozenset[int] = frozenset()
    """Those with one of these bots, if any are given."""
    since_ns: int | None = None
    """Those that began then or later."""


class Matches:
    """The matches of a store; `Store.record_match` adds to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, match_id: int) -> StoredMatch:
        with self._database.read() as connection:
            found = _load(connection, select(*SHOWN).where(MATCHES.c.id == match_id))
        if not found:
            raise DatastoreError(f"match {match_id}: there is none of that id")
        return found[0]

    def find(
        self, wanted: MatchFilter, limit: int = PAGE, before_id: int | None = None
    ) -> list[StoredMatch]:
        """A page of matches, the latest first; the next page is before the last one's id."""
        query = _filtered(wanted).order_by(MATCHES.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(MATCHES.c.id < before_id)
        with self._database.read() as connection:
            return _load(connection, query)

    def in_order(
        self, wanted: MatchFilter, limit: int = PAGE, after_id: int = 0
    ) -> list[StoredMatch]:
        """A page of matches in the order in which they were stored; the next: after the last."""
        query = _filtered(wanted).where(MATCHES.c.id > after_id).order_by(MATCHES.c.id)
        with self._database.read() as connection:
            return _load(connection, query.limit(limit))

    def count(self, wanted: MatchFilter) -> int:
        query = select(func.count()).select_from(_filtered(wanted).subquery())
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def newest(self, game: str) -> int:
        """The id of the game's latest match; 0 if there is none."""
        query = select(func.max(MATCHES.c.id)).where(MATCHES.c.game == game)
        with self._database.read() as connection:
            return connection.execute(query).scalar() or 0

    def count_latest(self, game: str) -> int:
        """How many of the game's matches are among the last numbers up to its newest one.

        With several writers, a match may be stored a little later than one with a higher number.
        """
        newest = select(func.max(MATCHES.c.id)).where(MATCHES.c.game == game).scalar_subquery()
        query = select(func.count()).where(MATCHES.c.game == game, MATCHES.c.id > newest - LATEST)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def transcript(self, match_id: int) -> bytes:
        return unpack(self.packed_transcript(match_id), f"transcript of match {match_id}")

    def packed_transcript(self, match_id: int) -> Packed:
        """The match's transcript as it is stored."""
        with self._database.read() as connection:
            query = select(TRANSCRIPTS).where(TRANSCRIPTS.c.match_id == match_id)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise DatastoreError(f"match {match_id}: there is no transcript of it")
        check_row(TRANSCRIPTS, row._asdict())
        return Packed(row.codec, row.size, row.data)


def is_none_of(tournaments: Collection[int]) -> ColumnElement[bool]:
    """That a match was played in none of these."""
    played_in = MATCHES.c.tournament_id
    return or_(played_in.is_(None), played_in.not_in(tournaments))


def _filtered(wanted: MatchFilter) -> Select[Any]:
    query = select(*SHOWN)
    for column in ("game", "tournament_id", "status"):
        if getattr(wanted, column) is not None:
            query = query.where(MATCHES.c[column] == getattr(wanted, column))
    if wanted.but_tournaments:
        query = query.where(is_none_of(wanted.but_tournaments))
    if wanted.since_ns is not None:
        query = query.where(MATCHES.c.started_ns >= wanted.since_ns)
    seat = [SEATS.c.match_id == MATCHES.c.id]
    if wanted.version_id is not None:
        seat.append(SEATS.c.version_id == wanted.version_id)
    bots = wanted.bots if wanted.bot_id is None else {wanted.bot_id}
    if bots:
        versions = select(VERSIONS.c.id).where(VERSIONS.c.bot_id.in_(bots))
        seat.append(SEATS.c.version_id.in_(versions))
    if wanted.fault is not None:
        seat.append(SEATS.c.fault == wanted.fault)
    return query.where(exists().where(*seat)) if len(seat) > 1 else query


def _load(connection: Connection, query: Select[Any]) -> list[StoredMatch]:
    """The matches of the query, in its order, with their seats."""
    rows = connection.execute(query).all()
    if not rows:
        return []
    seats: dict[int, list[StoredSeat]] = {row.id: [] for row in rows}
    of_seats = (
        select(
            SEATS,
            VERSIONS.c.bot_id,
            VERSIONS.c.number,
            BOTS.c.name,
            RATINGS.c.mu_before,
            RATINGS.c.sigma_before,
            RATINGS.c.mu,
            RATINGS.c.sigma,
        )
        .select_from(SEATS)
        .join(VERSIONS, VERSIONS.c.id == SEATS.c.version_id)
        .join(BOTS)
        .outerjoin(
            RATINGS,
            (RATINGS.c.match_id == SEATS.c.match_id) & (RATINGS.c.seat == SEATS.c.seat),
        )
        .where(SEATS.c.match_id.in_(seats))
        .order_by(SEATS.c.match_id, SEATS.c.seat)
    )
    for row in connection.execute(of_seats):
        seats[row.match_id].append(_seat(row))
    return [StoredMatch(**row._mapping, seats=tuple(seats[row.id])) for row in rows]


def _seat(row: Row[Any]) -> StoredSeat:
    rated = row.mu is not None
    return StoredSeat(
        row.version_id,
        row.bot_id,
        row.name,
        row.number,
        row.fault,
        row.score,
        row.rank,
        row.thinking_ns,
        Rating(row.mu_before, row.sigma_before) if rated else None,
        Rating(row.mu, row.sigma) if rated else None,
    )
