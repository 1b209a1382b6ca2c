"""Tournaments: what was set, who takes part, and which of the fixtures are finished."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from agon.datastore import schema
from agon.datastore.database import insert_new
from agon.datastore.enums import MatchStatus, TournamentState
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Connection, Row

    from agon.datastore.database import Database

TOURNAMENTS, ENTRANTS, MATCHES = schema.tournaments, schema.entrants, schema.matches


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to be stored, with the bot versions that take part, in their order."""

    name: str
    game: str
    format: str
    created_ns: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    entrants: tuple[int, ...] = ()
    state: TournamentState = TournamentState.PLANNED


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament that is stored."""

    id: int
    name: str
    game: str
    format: str
    settings: Mapping[str, Any]
    state: TournamentState
    created_ns: int


class Tournaments:
    """The tournaments of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, tournament: NewTournament) -> StoredTournament:
        """A new tournament. TakenError if there is one of that name."""

        def work(connection: Connection) -> StoredTournament:
            new = insert_new(connection, TOURNAMENTS).values(
                name=tournament.name,
                game=tournament.game,
                format=tournament.format,
                settings=tournament.settings,
                state=tournament.state,
                created_ns=tournament.created_ns,
            )
            row = connection.execute(
                new.on_conflict_do_nothing(index_elements=["name"]).returning(TOURNAMENTS)
            ).one_or_none()
            if row is None:
                raise TakenError(f"tournament {tournament.name!r}: there is one of that name")
            _enter(connection, row.id, tournament.entrants)
            return _tournament(row)

        return self._database.write(work)

    def get(self, tournament_id: int) -> StoredTournament:
        with self._database.read() as connection:
            query = select(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament_id)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise DatastoreError(f"tournament {tournament_id}: there is none of that id")
        return _tournament(row)

    def find(self, name: str) -> StoredTournament | None:
        with self._database.read() as connection:
            query = select(TOURNAMENTS).where(TOURNAMENTS.c.name == name)
            row = connection.execute(query).one_or_none()
        return None if row is None else _tournament(row)

    def all(self, game: str | None = None) -> list[StoredTournament]:
        """All tournaments, of a game if given, the latest first."""
        query = select(TOURNAMENTS).order_by(TOURNAMENTS.c.id.desc())
        if game is not None:
            query = query.where(TOURNAMENTS.c.game == game)
        with self._database.read() as connection:
            return [_tournament(row) for row in connection.execute(query)]

    def set_state(self, tournament_id: int, state: TournamentState) -> None:
        change = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament_id).values(state=state)
        if not self._database.write(lambda connection: connection.execute(change).rowcount):
            raise DatastoreError(f"tournament {tournament_id}: there is none of that id")

    def enter(self, tournament_id: int, version_ids: Iterable[int]) -> None:
        """Let more bot versions take part; those that do already keep their places."""
        given = tuple(version_ids)
        self._database.write(lambda connection: _enter(connection, tournament_id, given))

    def entrants(self, tournament_id: int) -> list[int]:
        """The bot versions that take part, in their order."""
        with self._database.read() as connection:
            return _entrants(connection, tournament_id)

    def finished_fixtures(self, tournament_id: int) -> dict[str, int]:
        """The fixtures that need not be played any more, and their matches' ids."""
        query = (
            select(MATCHES.c.fixture, MATCHES.c.id)
            .where(
                MATCHES.c.tournament_id == tournament_id,
                MATCHES.c.status == MatchStatus.FINISHED,
            )
            .order_by(MATCHES.c.id)
        )
        with self._database.read() as connection:
            return dict(connection.execute(query).all())


def _enter(connection: Connection, tournament_id: int, version_ids: tuple[int, ...]) -> None:
    lock = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.id == tournament_id).with_for_update()
    if connection.execute(lock).one_or_none() is None:
        raise DatastoreError(f"tournament {tournament_id}: there is none of that id")
    there = set(_entrants(connection, tournament_id))
    new = [v for v in dict.fromkeys(version_ids) if v not in there]
    highest = select(func.max(ENTRANTS.c.place)).where(ENTRANTS.c.tournament_id == tournament_id)
    last = connection.execute(highest).scalar()
    first = 0 if last is None else last + 1
    rows = [
        {"tournament_id": tournament_id, "version_id": version_id, "place": place}
        for place, version_id in enumerate(new, first)
    ]
    if rows:
        connection.execute(insert(ENTRANTS), rows)


def _entrants(connection: Connection, tournament_id: int) -> list[int]:
    query = select(ENTRANTS.c.version_id).where(ENTRANTS.c.tournament_id == tournament_id)
    return list(connection.execute(query.order_by(ENTRANTS.c.place)).scalars())


def _tournament(row: Row[Any]) -> StoredTournament:
    return StoredTournament(**row._mapping)
