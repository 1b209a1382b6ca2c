"""The tables of matches: tournaments, seats, transcripts, ratings, counts of results."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    Table,
    UniqueConstraint,
    text,
)

from agon.datastore.columns import EnumText, JsonColumn, Name, Real, Whole, Words
from agon.datastore.enums import Codec, MatchStatus, TournamentState
from agon.datastore.schema.base import column, metadata, row_id, to
from agon.match.transcript import Fault

tournaments = Table(
    "tournaments",
    metadata,
    row_id(),
    column("name", Name),
    column("game", Name),
    column("format", Name),
    column("settings", JsonColumn),
    column("state", EnumText(TournamentState)),
    column("created_ns", Whole),
    UniqueConstraint("name"),
)

entrants = Table(
    "entrants",
    metadata,
    to("tournament_id", "tournaments", key=True),
    to("version_id", "bot_versions", key=True),
    column("place", Whole),
    UniqueConstraint("tournament_id", "place"),
    sqlite_with_rowid=False,
)

matches = Table(
    "matches",
    metadata,
    row_id(),
    column("game", Name),
    column("rules_version", Whole),
    column("options", JsonColumn),
    column("seed", Whole),
    to("tournament_id", "tournaments", nullable=True),
    column("fixture", Name, nullable=True),
    column("status", EnumText(MatchStatus)),
    column("rated", Boolean),
    column("turns", Whole),
    column("reason", Words),
    column("started_ns", Whole),
    column("ended_ns", Whole),
    column("lateness_ns", Whole),
    column("checksum", Whole),
    CheckConstraint(
        "(tournament_id IS NULL) = (fixture IS NULL)", name="fixture_is_of_a_tournament"
    ),
    Index("ix_matches_game_id", "game", "id"),
    Index("ix_matches_tournament_id_id", "tournament_id", "id"),
)

# A fixture may be void several times, but is finished once, however many processes store it.
FINISHED_FIXTURE = text("fixture IS NOT NULL AND status = 'finished'")
Index(
    "uq_matches_finished_fixture",
    matches.c.tournament_id,
    matches.c.fixture,
    unique=True,
    sqlite_where=FINISHED_FIXTURE,
    postgresql_where=FINISHED_FIXTURE,
)

seats = Table(
    "seats",
    metadata,
    to("match_id", "matches", key=True),
    Column("seat", Whole, primary_key=True),
    to("version_id", "bot_versions"),
    column("fault", EnumText(Fault), nullable=True),
    column("score", Whole),
    column("rank", Whole),
    column("thinking_ns", Whole),
    column("checksum", Whole),
    Index("ix_seats_version_id_match_id", "version_id", "match_id"),
    sqlite_with_rowid=False,
)

transcripts = Table(
    "transcripts",
    metadata,
    to("match_id", "matches", key=True),
    column("size", Whole),
    column("codec", EnumText(Codec)),
    column("data", LargeBinary),
    column("checksum", Whole),
)

ratings = Table(
    "ratings",
    metadata,
    Column("match_id", Whole, primary_key=True),
    Column("seat", Whole, primary_key=True),
    to("version_id", "bot_versions"),
    column("game", Name),
    column("mu_before", Real),
    column("sigma_before", Real),
    column("mu", Real),
    column("sigma", Real),
    column("checksum", Whole),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    Index("ix_ratings_game_version_id_match_id", "game", "version_id", "match_id"),
    sqlite_with_rowid=False,
)

# Follows from the rated matches that are finished: see `agon.datastore.result_counts`.
result_counts = Table(
    "result_counts",
    metadata,
    Column("game", Name, primary_key=True),
    Column("rules_version", Whole, primary_key=True),
    Column("tournament_id", Whole, primary_key=True),  # 0: none
    Column("versions", Words, primary_key=True),
    Column("ranks", Words, primary_key=True),
    Column("faults", Words, primary_key=True),
    column("times", Whole),
    sqlite_with_rowid=False,
)
