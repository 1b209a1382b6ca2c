"""The datastore: open one, and everything in it by its noun.

    with Store.open(find_data(None, os.environ)) as store:
        store.users.find("ada")
        store.record_match(match)

No clock is read here: callers pass the time in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agon.datastore.attempts import Attempts
from agon.datastore.audit_log import AuditLog
from agon.datastore.blobs import Blobs
from agon.datastore.bookings import Bookings, find_booked, finish_booking
from agon.datastore.bots import Bots, ensure_bot
from agon.datastore.checks import Checks, add_check
from agon.datastore.contests import Contests
from agon.datastore.database import Begin, Database
from agon.datastore.journal import Journal
from agon.datastore.location import parse_location
from agon.datastore.match_tally import MatchTally
from agon.datastore.matches import Matches
from agon.datastore.ratings import Ratings
from agon.datastore.record import pack_transcripts, rate_seats, record_matches
from agon.datastore.result_counts import ResultCounts
from agon.datastore.results import Results
from agon.datastore.servers import Servers
from agon.datastore.sessions import Sessions
from agon.datastore.tokens import Tokens
from agon.datastore.tournaments import Tournaments
from agon.datastore.upgrade import check_revision, read_revision, upgrade
from agon.datastore.users import Users
from agon.datastore.versions import Versions, add_version
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    from sqlalchemy import Connection

    from agon.datastore.bots import NewBot, StoredBot
    from agon.datastore.checks import StoredCheck
    from agon.datastore.matches import NewMatch
    from agon.datastore.record import Rate
    from agon.datastore.retry import Retry
    from agon.datastore.versions import BotVersion, NewVersion

FOLDER_MODE = 0o700
FILE_MODE = 0o600  # password hashes are in it


class Store:
    """An open datastore. Threads may share it; a process that forks opens its own."""

    def __init__(self, database: Database, tally: MatchTally | None = None) -> None:
        """The store in this database, which has the tables; `open` looks after that."""
        self.database = database
        self.tally = tally or MatchTally()
        """The matches that were stored here."""
        self.users = Users(database)
        self.tokens = Tokens(database)
        self.sessions = Sessions(database)
        self.audit_log = AuditLog(database)
        self.bots = Bots(database)
        self.versions = Versions(database)
        self.blobs = Blobs(database)
        self.checks = Checks(database)
        self.tournaments = Tournaments(database)
        self.matches = Matches(database)
        self.results = Results(database)
        self.result_counts = ResultCounts(database)
        self.ratings = Ratings(database)
        self.bookings = Bookings(database)
        self.contests = Contests(database)
        self.journal = Journal(database)
        self.servers = Servers(database)
        self.attempts = Attempts(database)

    @classmethod
    def open(
        cls, where: str | Path, *, create: bool = True, answer_seconds: int | None = None
    ) -> Self:
        """Open the SQLite file at this path, or the database at this URL.

        What does not exist, or is empty, becomes a new store, unless `create` is False. A server
        that takes longer than `answer_seconds` for an answer has failed.
        """
        database = open_database(where, create=create, answer_seconds=answer_seconds)
        try:
            revision = read_revision(database)
            if revision is not None:
                check_revision(database, revision)
            elif create:
                upgrade(database)
            else:
                raise _missing(database)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def close(self) -> None:
        self.database.close()

    def retrying(self, retry: Retry) -> Store:
        """The same store for a caller that waits while its database does not answer."""
        return Store(self.database.retrying(retry), self.tally)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def submit_version(
        self, bot: NewBot, version: NewVersion, now_ns: int
    ) -> tuple[StoredBot, BotVersion, StoredCheck]:
        """Store a bot's next version and let it wait for its check, all or nothing.

        The bot is new if its owner has none of that name in that game.
        """

        def work(connection: Connection) -> tuple[StoredBot, BotVersion, StoredCheck]:
            owned = ensure_bot(connection, bot)
            added = add_version(connection, owned.id, version)
            return owned, added, add_check(connection, added.id, now_ns)

        return self.database.write(work)

    def record_match(self, match: NewMatch) -> int:
        """Store a match with its seats, transcript and ratings, all or nothing; its id.

        A finished fixture is stored once: storing it again changes nothing and gives the same id.
        """
        return self.record_matches([match])[0]

    def record_matches(self, matches: Sequence[NewMatch]) -> list[int]:
        """Store several matches in one transaction, which is quicker; their ids in order."""
        packed = pack_transcripts(matches)
        ids = self.database.write(
            lambda connection: record_matches(connection, matches, packed), Begin.QUICK
        )
        self.tally.add(matches)
        return ids

    def record_rated_match(self, match: NewMatch, rate: Rate) -> int:
        """Store a match with the ratings that follow from it; its id.

        `rate` is given the last rating of each seat's bot, None if it has none, and returns for
        each seat the rating before the match and the one after it. No other match of these bots
        comes in between.
        """
        packed = pack_transcripts([match])
        match_id = self.database.write(
            lambda connection: record_matches(
                connection, [rate_seats(connection, match, rate)], packed
            )[0],
            Begin.QUICK,
        )
        self.tally.add([match])
        return match_id

    def record_booked_match(
        self,
        booking_id: int,
        match: NewMatch,
        now_ns: int,
        rate: Rate | None = None,
        attempt: int | None = None,
    ) -> int:
        """Store the match of a booking, which is done with it, all or nothing; its id.

        With `rate` it is rated, as by `record_rated_match`. A booking's match is stored once:
        storing it again changes nothing and gives the same id. GivenUpError if the booking is
        cancelled, or if another attempt than this one has begun.
        """
        packed = pack_transcripts([match])

        def work(connection: Connection) -> int:
            stored = find_booked(connection, booking_id, attempt)
            if stored is not None:
                return stored
            rated = match if rate is None else rate_seats(connection, match, rate)
            (match_id,) = record_matches(connection, [rated], packed)
            finish_booking(connection, booking_id, match_id, now_ns)
            return match_id

        match_id = self.database.write(work, Begin.QUICK)
        self.tally.add([match])
        return match_id


def upgrade_store(where: str | Path) -> tuple[str | None, str]:
    """Bring the store there to the newest revision: from which one (None: new), to which one."""
    database = open_database(where)
    try:
        return upgrade(database)
    finally:
        database.close()


def open_database(
    where: str | Path, *, create: bool = True, answer_seconds: int | None = None
) -> Database:
    """The database there, whatever is in it; the file of a SQLite database is made if need be."""
    database = Database(parse_location(where), answer_seconds=answer_seconds)
    if database.is_sqlite:
        _prepare_file(database, create)
    return database


def _prepare_file(database: Database, create: bool) -> None:
    path = Path(database.url.database or "")
    if path.is_dir():
        raise DatastoreError(f"datastore {database.place}: it is a folder; expected a file")
    if path.exists():
        return
    if not create:
        raise _missing(database)
    try:
        path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        path.touch(FILE_MODE)
    except OSError as error:
        raise DatastoreError(
            f"datastore {database.place}: it cannot be made there: {error.strerror}"
        ) from None


def _missing(database: Database) -> DatastoreError:
    return DatastoreError(f"datastore {database.place}: there is none; `agon db upgrade` makes one")
