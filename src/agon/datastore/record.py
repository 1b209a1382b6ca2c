"""Store matches that have ended: match, seats, transcript, ratings and counts, or nothing.

A fixture of a tournament is finished once. The database itself holds that (a unique index over the
finished ones), so it is true for several processes, for one that is killed and resumed, and
for one that died just after the commit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import bindparam, insert, select

from agon.datastore import schema
from agon.datastore.checksum import with_checksum
from agon.datastore.codec import Packed, pack
from agon.datastore.database import INSERT, may_be_stored
from agon.datastore.enums import MatchStatus
from agon.datastore.journal import remove_entries
from agon.datastore.matches import Rating
from agon.datastore.result_counts import add_matches
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from agon.datastore.matches import NewMatch

    Values = dict[str, Any]
    RatingChange: TypeAlias = tuple[Rating, Rating]
    Rate: TypeAlias = Callable[[Sequence[Rating | None]], Sequence[RatingChange]]

MATCHES, SEATS, RATINGS = schema.matches, schema.seats, schema.ratings
VERSIONS = schema.bot_versions

# Made once: making a statement takes longer than storing a row.
NEW_MATCH = {
    dialect: make(MATCHES)
    .on_conflict_do_nothing(
        index_elements=[MATCHES.c.tournament_id, MATCHES.c.fixture],
        index_where=schema.FINISHED_FIXTURE,
    )
    .returning(MATCHES.c.id)
    for dialect, make in INSERT.items()
}
NEW_SEAT = insert(SEATS)
NEW_TRANSCRIPT = insert(schema.transcripts)
NEW_RATING = insert(schema.ratings)
LAST_RATING = (
    select(RATINGS.c.mu, RATINGS.c.sigma)
    .where(
        RATINGS.c.game == bindparam("game"),
        RATINGS.c.version_id == bindparam("version_id"),
    )
    .order_by(RATINGS.c.match_id.desc(), RATINGS.c.seat.desc())
    .limit(1)
)


def pack_transcripts(matches: Sequence[NewMatch]) -> list[Packed]:
    """The transcripts in stored form: made before the transaction, which others may wait for."""
    return [pack(match.transcript) for match in matches]


def record_matches(
    connection: Connection, matches: Sequence[NewMatch], packed: Sequence[Packed]
) -> list[int]:
    """Store these matches in the transaction of this connection; their ids, in the same order."""
    ids, seats, transcripts, ratings = [], [], [], []
    new_match = NEW_MATCH[connection.dialect.name]
    new, known = [], []
    for match, transcript in zip(matches, packed, strict=True):
        _check(match)
        values = _match_values(match)
        match_id = _find_same(connection, values) if may_be_stored(connection) else None
        if match_id is not None:
            ids.append(match_id)
            continue
        match_id = connection.execute(new_match, values).scalar()
        if match_id is None:
            match_id = _stored_already(connection, match)
            known.append((match_id, match))
            ids.append(match_id)
            continue
        ids.append(match_id)
        new.append(match)
        seats += _seat_values(match_id, match)
        transcripts.append(
            with_checksum(
                schema.transcripts,
                {
                    "match_id": match_id,
                    "size": transcript.size,
                    "codec": transcript.codec,
                    "data": transcript.data,
                },
            )
        )
        ratings += _rating_values(match_id, match)
    for statement, rows in (
        (NEW_SEAT, seats),
        (NEW_TRANSCRIPT, transcripts),
        (NEW_RATING, ratings),
    ):
        if rows:
            connection.execute(statement, rows)
    for match_id, match in known:
        _check_same(connection, match_id, match)
    written = [match.journal for match in matches if match.journal is not None]
    if written:
        remove_entries(connection, written)
    add_matches(connection, new)
    return ids


def rate_seats(connection: Connection, match: NewMatch, rate: Rate) -> NewMatch:
    """The match with ratings: those of its bots as they are in this transaction, and new ones.

    The versions are locked until its end: the next transaction that rates one sees these ratings.
    """
    ids = sorted({seat.version_id for seat in match.seats})
    lock = select(VERSIONS.c.id).where(VERSIONS.c.id.in_(ids)).order_by(VERSIONS.c.id)
    if connection.dialect.name != "sqlite":  # which has one writer at a time
        connection.execute(lock.with_for_update(key_share=True)).all()
    known = {version: _last_rating(connection, match.game, version) for version in ids}
    changes = rate([known[seat.version_id] for seat in match.seats])
    seats = (
        replace(seat, before=before, after=after)
        for seat, (before, after) in zip(match.seats, changes, strict=True)
    )
    return replace(match, seats=tuple(seats))


def _last_rating(connection: Connection, game: str, version_id: int) -> Rating | None:
    row = connection.execute(LAST_RATING, {"game": game, "version_id": version_id}).one_or_none()
    return None if row is None else Rating(row.mu, row.sigma)


def _check(match: NewMatch) -> None:
    """Refuse what would be half a match."""
    if not match.seats:
        raise DatastoreError("match without seats: expected at least one")
    if (match.tournament_id is None) != (match.fixture is None):
        raise DatastoreError(f"fixture {match.fixture!r}: expected it together with a tournament")
    for number, seat in enumerate(match.seats):
        if (seat.before is None) != (seat.after is None):
            raise DatastoreError(f"seat {number}: expected both ratings, before and after, or none")


def _find_same(connection: Connection, values: Values) -> int | None:
    """The id of this very match, if the attempt before has stored it."""
    same = (MATCHES.c[name] == values[name] for name in ("game", "started_ns", "checksum"))
    found: int | None = connection.execute(select(MATCHES.c.id).where(*same)).scalar()
    return found


def _stored_already(connection: Connection, match: NewMatch) -> int:
    """The id of the finished match of the same fixture."""
    same = (
        MATCHES.c.tournament_id == match.tournament_id,
        MATCHES.c.fixture == match.fixture,
        MATCHES.c.status == MatchStatus.FINISHED,
    )
    return int(connection.execute(select(MATCHES.c.id).where(*same)).scalar_one())


def _check_same(connection: Connection, match_id: int, match: NewMatch) -> None:
    """Refuse a fixture that was stored with another seed or other bots."""
    of_seed = select(MATCHES.c.seed).where(MATCHES.c.id == match_id)
    of_seats = select(SEATS.c.version_id).where(SEATS.c.match_id == match_id).order_by(SEATS.c.seat)
    seed = connection.execute(of_seed).scalar_one()
    versions = list(connection.execute(of_seats).scalars())
    given = [seat.version_id for seat in match.seats]
    if (seed, versions) != (match.seed, given):
        raise DatastoreError(
            f"fixture {match.fixture!r} of tournament {match.tournament_id}: stored with seed"
            f" {seed} and bot versions {versions}; now with {match.seed} and {given}"
        )


def _match_values(match: NewMatch) -> Values:
    values = {
        "game": match.game,
        "rules_version": match.rules_version,
        "options": match.options,
        "seed": match.seed,
        "tournament_id": match.tournament_id,
        "fixture": match.fixture,
        "status": match.status,
        "rated": match.rated,
        "turns": match.turns,
        "reason": match.reason,
        "started_ns": match.started_ns,
        "ended_ns": match.ended_ns,
        "lateness_ns": match.lateness_ns,
    }
    return with_checksum(MATCHES, values)


def _seat_values(match_id: int, match: NewMatch) -> list[Values]:
    values = (
        {
            "match_id": match_id,
            "seat": number,
            "version_id": seat.version_id,
            "fault": seat.fault,
            "score": seat.score,
            "rank": seat.rank,
            "thinking_ns": seat.thinking_ns,
        }
        for number, seat in enumerate(match.seats)
    )
    return [with_checksum(SEATS, row) for row in values]


def _rating_values(match_id: int, match: NewMatch) -> list[Values]:
    values = (
        {
            "match_id": match_id,
            "seat": number,
            "version_id": seat.version_id,
            "game": match.game,
            "mu_before": seat.before.mu,
            "sigma_before": seat.before.sigma,
            "mu": seat.after.mu,
            "sigma": seat.after.sigma,
        }
        for number, seat in enumerate(match.seats)
        if seat.before is not None and seat.after is not None
    )
    return [with_checksum(RATINGS, row) for row in values]
