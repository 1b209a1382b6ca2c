"""Contests: what an organiser has announced, who may enter, and which bots did.

A contest is drafted, opened for bots, closed, and then played as a tournament, which can pause.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, or_, select, update

from agon.datastore import schema
from agon.datastore.database import insert_new
from agon.datastore.enums import ContestState, WhoMayEnter
from agon.datastore.servers import is_left
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Connection, Row

    from agon.datastore.database import Database

CONTESTS, ENTRIES, INVITED = schema.contests, schema.contest_entries, schema.contest_invited
VERSIONS = schema.bot_versions

NEXT: Mapping[ContestState, tuple[ContestState, ...]] = {
    ContestState.DRAFT: (ContestState.OPEN,),
    ContestState.OPEN: (ContestState.DRAFT, ContestState.CLOSED),
    ContestState.CLOSED: (ContestState.OPEN, ContestState.RUNNING),
    ContestState.RUNNING: (ContestState.PAUSED, ContestState.FINISHED),
    ContestState.PAUSED: (ContestState.RUNNING, ContestState.FINISHED),
    ContestState.FINISHED: (),
}
"""Where a contest can go from where it stands."""

NOT_BEGUN = (ContestState.DRAFT, ContestState.OPEN, ContestState.CLOSED)


@dataclass(frozen=True, slots=True)
class NewContest:
    """A contest to be stored, or what another one is to become; all that an organiser chooses."""

    name: str
    game: str
    format: str
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Rounds, limits, seats, and what else the format needs."""
    description: str = ""
    who_may_enter: WhoMayEnter = WhoMayEnter.EVERYONE
    opens_ns: int | None = None
    closes_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest that is stored."""

    id: int
    name: str
    game: str
    format: str
    options: Mapping[str, Any]
    settings: Mapping[str, Any]
    description: str
    who_may_enter: WhoMayEnter
    opens_ns: int | None
    closes_ns: int | None
    state: ContestState
    published: bool
    """Whether all visitors see it; else only organisers."""
    created_by: int
    created_ns: int
    tournament_id: int | None
    server_id: int | None
    """Who plays it."""


@dataclass(frozen=True, slots=True)
class ContestEntry:
    """A bot version that takes part."""

    version_id: int
    user_id: int
    entered_ns: int


class Contests:
    """The contests of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, contest: NewContest, created_by: int, created_ns: int) -> Contest:
        """A new contest: a draft. TakenError if there is one of that name."""

        def work(connection: Connection) -> Contest:
            new = insert_new(connection, CONTESTS).values(
                **asdict(contest),
                state=ContestState.DRAFT,
                published=False,
                created_by=created_by,
                created_ns=created_ns,
            )
            row = connection.execute(
                new.on_conflict_do_nothing(index_elements=["name"]).returning(CONTESTS)
            ).one_or_none()
            if row is None:
                raise TakenError(f"contest {contest.name!r}: there is one of that name")
            return _contest(row)

        return self._database.write(work)

    def get(self, contest_id: int) -> Contest:
        with self._database.read() as connection:
            query = select(CONTESTS).where(CONTESTS.c.id == contest_id)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise _missing(contest_id)
        return _contest(row)

    def of_tournament(self, tournament_id: int) -> Contest | None:
        """The contest whose matches are those of a tournament, if it is one's."""
        query = select(CONTESTS).where(CONTESTS.c.tournament_id == tournament_id)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _contest(row)

    def all(self, *, published: bool | None = None) -> list[Contest]:
        """All contests, those that are published or not if given, the latest first."""
        query = select(CONTESTS).order_by(CONTESTS.c.id.desc())
        if published is not None:
            query = query.where(CONTESTS.c.published == published)
        with self._database.read() as connection:
            return [_contest(row) for row in connection.execute(query)]

    def edit(self, contest_id: int, contest: NewContest) -> Contest:
        """Change all settings, before the contest begins. TakenError for another one's name."""

        def work(connection: Connection) -> Contest:
            _hold(connection, contest_id, NOT_BEGUN)
            same = select(CONTESTS.c.id).where(
                CONTESTS.c.name == contest.name, CONTESTS.c.id != contest_id
            )
            if connection.execute(same).first():
                raise TakenError(f"contest {contest.name!r}: there is one of that name")
            change = update(CONTESTS).where(CONTESTS.c.id == contest_id).values(**asdict(contest))
            return _contest(connection.execute(change.returning(CONTESTS)).one())

        return self._database.write(work)

    def set_state(self, contest_id: int, state: ContestState) -> Contest:
        """Let it go on to that state; not every state follows every other."""

        def work(connection: Connection) -> Contest:
            now = _hold(connection, contest_id, tuple(ContestState)).state
            if state not in NEXT[now]:
                expected = " or ".join(NEXT[now]) or "nothing more"
                raise DatastoreError(f"contest {contest_id}: it is {now}; expected {expected}")
            change = update(CONTESTS).where(CONTESTS.c.id == contest_id).values(state=state)
            return _contest(connection.execute(change.returning(CONTESTS)).one())

        return self._database.write(work)

    def publish(self, contest_id: int, published: bool) -> None:
        """Show it to all visitors, or only to organisers."""
        self._change(contest_id, published=published)

    def set_tournament(self, contest_id: int, tournament_id: int) -> None:
        self._change(contest_id, tournament_id=tournament_id)

    def claim(self, contest_id: int) -> bool:
        """Have this server alone play it; False if another one does so already."""
        own = self._database.server.id
        free = or_(is_left(CONTESTS.c.server_id), CONTESTS.c.server_id == own)
        claimed = update(CONTESTS).where(CONTESTS.c.id == contest_id, free).values(server_id=own)
        return bool(self._database.write(lambda connection: connection.execute(claimed).rowcount))

    def server_of(self, contest_id: int) -> int | None:
        """The server that plays it; None if none does, or there is no such contest."""
        query = select(CONTESTS.c.server_id).where(CONTESTS.c.id == contest_id)
        with self._database.read() as connection:
            found: int | None = connection.execute(query).scalar()
        return found

    def release(self, contest_id: int) -> None:
        """This server does not play it any more."""
        mine = CONTESTS.c.server_id == self._database.server.id
        free = update(CONTESTS).where(CONTESTS.c.id == contest_id, mine).values(server_id=None)
        self._database.write(lambda connection: connection.execute(free))

    def remove(self, contest_id: int) -> None:
        """Delete a contest that has not begun, with its entries."""

        def work(connection: Connection) -> None:
            _hold(connection, contest_id, NOT_BEGUN)
            for table in (ENTRIES, INVITED):
                connection.execute(delete(table).where(table.c.contest_id == contest_id))
            connection.execute(delete(CONTESTS).where(CONTESTS.c.id == contest_id))

        self._database.write(work)

    def set_invited(self, contest_id: int, user_ids: Iterable[int]) -> None:
        """Invite these users, and no others, to a contest for invited users."""
        given = sorted(set(user_ids))

        def work(connection: Connection) -> None:
            _hold(connection, contest_id, tuple(ContestState))
            connection.execute(delete(INVITED).where(INVITED.c.contest_id == contest_id))
            rows = [{"contest_id": contest_id, "user_id": user_id} for user_id in given]
            if rows:
                connection.execute(insert(INVITED), rows)

        self._database.write(work)

    def invited(self, contest_id: int) -> list[int]:
        query = select(INVITED.c.user_id).where(INVITED.c.contest_id == contest_id)
        with self._database.read() as connection:
            return list(connection.execute(query.order_by(INVITED.c.user_id)).scalars())

    def enter(self, contest_id: int, version_id: int, user_id: int, now_ns: int) -> None:
        """Let a bot version take part, in place of another version of the same bot.

        Only while the contest is open, and only for users who may enter.
        """

        def work(connection: Connection) -> None:
            contest = _hold(connection, contest_id, (ContestState.OPEN,))
            if contest.who_may_enter is WhoMayEnter.INVITED:
                invitation = (INVITED.c.contest_id == contest_id, INVITED.c.user_id == user_id)
                if connection.execute(select(INVITED).where(*invitation)).one_or_none() is None:
                    raise DatastoreError(f"contest {contest_id}: user {user_id} is not invited")
            of_bot = select(VERSIONS.c.bot_id).where(VERSIONS.c.id == version_id)
            same = select(VERSIONS.c.id).where(VERSIONS.c.bot_id == of_bot.scalar_subquery())
            connection.execute(
                delete(ENTRIES).where(
                    ENTRIES.c.contest_id == contest_id, ENTRIES.c.version_id.in_(same)
                )
            )
            values = {
                "contest_id": contest_id,
                "version_id": version_id,
                "user_id": user_id,
                "entered_ns": now_ns,
            }
            connection.execute(insert(ENTRIES).values(values))

        self._database.write(work)

    def leave(self, contest_id: int, version_id: int) -> None:
        """Take a bot version out, before the contest begins."""

        def work(connection: Connection) -> None:
            _hold(connection, contest_id, NOT_BEGUN)
            entry = (ENTRIES.c.contest_id == contest_id, ENTRIES.c.version_id == version_id)
            if not connection.execute(delete(ENTRIES).where(*entry)).rowcount:
                raise DatastoreError(f"contest {contest_id}: bot version {version_id} is not in it")

        self._database.write(work)

    def entries(self, contest_id: int) -> list[ContestEntry]:
        """The bot versions that take part, in the order in which they entered."""
        query = select(ENTRIES.c.version_id, ENTRIES.c.user_id, ENTRIES.c.entered_ns)
        query = query.where(ENTRIES.c.contest_id == contest_id)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(ENTRIES.c.entered_ns, ENTRIES.c.version_id))
            return [ContestEntry(*row) for row in rows]

    def _change(self, contest_id: int, **values: Any) -> None:
        change = update(CONTESTS).where(CONTESTS.c.id == contest_id).values(**values)
        if not self._database.write(lambda connection: connection.execute(change).rowcount):
            raise _missing(contest_id)


def _hold(connection: Connection, contest_id: int, states: tuple[ContestState, ...]) -> Contest:
    """The contest, held until the end of the transaction, if it is in one of these states."""
    query = select(CONTESTS).where(CONTESTS.c.id == contest_id).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        raise _missing(contest_id)
    if row.state not in states:
        expected = " or ".join(states)
        raise DatastoreError(f"contest {contest_id}: it is {row.state}; expected {expected}")
    return _contest(row)


def _missing(contest_id: int) -> DatastoreError:
    return DatastoreError(f"contest {contest_id}: there is none of that id")


def _contest(row: Row[Any]) -> Contest:
    return Contest(**row._mapping)
