"""The datastore: SQL, in a SQLite file by default or in PostgreSQL by URL, with the same code."""

from agon.datastore.bots import Bot, NewBot
from agon.datastore.choices import MatchStatus, TournamentState, Verdict, VersionStatus
from agon.datastore.location import find_data
from agon.datastore.matches import Match, MatchFilter, NewMatch, NewSeat, Rating, Seat
from agon.datastore.ratings import RatingStep
from agon.datastore.results import Encounters, Result, ResultFilter
from agon.datastore.store import Store, upgrade_store
from agon.datastore.tokens import Token, new_secret
from agon.datastore.tournaments import NewTournament, Tournament
from agon.datastore.users import User
from agon.datastore.versions import BotVersion, NewFile, NewVersion, VersionFile

__all__ = [
    "Bot",
    "BotVersion",
    "Encounters",
    "Match",
    "MatchFilter",
    "MatchStatus",
    "NewBot",
    "NewFile",
    "NewMatch",
    "NewSeat",
    "NewTournament",
    "NewVersion",
    "Rating",
    "RatingStep",
    "Result",
    "ResultFilter",
    "Seat",
    "Store",
    "Token",
    "Tournament",
    "TournamentState",
    "User",
    "Verdict",
    "VersionFile",
    "VersionStatus",
    "find_data",
    "new_secret",
    "upgrade_store",
]
