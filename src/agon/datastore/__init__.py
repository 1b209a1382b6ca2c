"""The datastore: SQL, in a SQLite file by default or in PostgreSQL by URL, with the same code."""

from agon.datastore.audit_log import AuditEntry
from agon.datastore.bookings import Booking, BookingFilter, NewBooking
from agon.datastore.bots import NewBot, StoredBot
from agon.datastore.checks import StoredCheck
from agon.datastore.contests import Contest, ContestEntry, NewContest
from agon.datastore.enums import (
    AuditAction,
    BookingKind,
    BookingState,
    CheckState,
    ContestState,
    JournalKind,
    MatchStatus,
    TournamentState,
    VersionStatus,
    WhoMayEnter,
)
from agon.datastore.journal import Journal, JournalEntry, Page
from agon.datastore.location import find_data
from agon.datastore.matches import MatchFilter, NewMatch, NewSeat, Rating, StoredMatch, StoredSeat
from agon.datastore.ratings import RatingStep
from agon.datastore.results import Encounters, ResultFilter, StoredResult
from agon.datastore.sessions import Session
from agon.datastore.store import Store, upgrade_store
from agon.datastore.tokens import Token, new_secret
from agon.datastore.tournaments import NewTournament, StoredTournament
from agon.datastore.users import User
from agon.datastore.versions import BotVersion, NewFile, NewVersion, VersionFile

__all__ = [
    "AuditAction",
    "AuditEntry",
    "Booking",
    "BookingFilter",
    "BookingKind",
    "BookingState",
    "BotVersion",
    "CheckState",
    "Contest",
    "ContestEntry",
    "ContestState",
    "Encounters",
    "Journal",
    "JournalEntry",
    "JournalKind",
    "MatchFilter",
    "MatchStatus",
    "NewBooking",
    "NewBot",
    "NewContest",
    "NewFile",
    "NewMatch",
    "NewSeat",
    "NewTournament",
    "NewVersion",
    "Page",
    "Rating",
    "RatingStep",
    "ResultFilter",
    "Session",
    "Store",
    "StoredBot",
    "StoredCheck",
    "StoredMatch",
    "StoredResult",
    "StoredSeat",
    "StoredTournament",
    "Token",
    "TournamentState",
    "User",
    "VersionFile",
    "VersionStatus",
    "WhoMayEnter",
    "find_data",
    "new_secret",
    "upgrade_store",
]
