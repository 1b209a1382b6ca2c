"""All tables, once: what is kept, and which rows belong together.

    users ─┬─ tokens
           ├─ sessions
           ├─ audit_log
           ├─ bots ── bot_versions ─┬─ version_files ── blobs
           │                        ├─ checks
           │                        ├─ entrants ── tournaments
           │                        ├─ seats ── matches ─┬─ transcripts
           │                        │    └─ ratings      └─ (tournaments)
           ├─ bookings ── booking_seats ── (bot_versions)
           └─ contests ─┬─ contest_entries ── (users, bot_versions)
                        └─ contest_invited ── (users)
    journal ── journal_lines
    result_counts, which follow from matches and seats
    attempts
    servers: what is under way has the id of one in a column `server_id`, which is no foreign key,
             as servers come and go

Times are nanoseconds since 1970 and come from the caller. What a table needs later comes by a
migration; a test holds the migrations and this module to the same schema, on both databases.
"""

from agon.datastore.schema.accounts import audit_log, sessions, tokens, users
from agon.datastore.schema.base import REVISION, VERSION_TABLE, metadata
from agon.datastore.schema.bots import (
    PATH_LENGTH,
    blobs,
    bot_versions,
    bots,
    checks,
    version_files,
)
from agon.datastore.schema.journal import journal, journal_lines
from agon.datastore.schema.matches import (
    FINISHED_FIXTURE,
    entrants,
    matches,
    ratings,
    result_counts,
    seats,
    tournaments,
    transcripts,
)
from agon.datastore.schema.plans import (
    BOOKED_FIXTURE,
    booking_seats,
    bookings,
    contest_entries,
    contest_invited,
    contests,
)
from agon.datastore.schema.servers import attempts, servers

__all__ = [
    "BOOKED_FIXTURE",
    "FINISHED_FIXTURE",
    "PATH_LENGTH",
    "REVISION",
    "VERSION_TABLE",
    "attempts",
    "audit_log",
    "blobs",
    "booking_seats",
    "bookings",
    "bot_versions",
    "bots",
    "checks",
    "contest_entries",
    "contest_invited",
    "contests",
    "entrants",
    "journal",
    "journal_lines",
    "matches",
    "metadata",
    "ratings",
    "result_counts",
    "seats",
    "servers",
    "sessions",
    "tokens",
    "tournaments",
    "transcripts",
    "users",
    "version_files",
]
