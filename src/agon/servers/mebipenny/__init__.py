"""MebiPenny over HTTP, as the first server spoke it: held requests, turn tokens, observers."""

from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.lobby import Lobby
from agon.servers.mebipenny.match_store import MatchStore
from agon.servers.mebipenny.server import MebiPennyServer
from agon.servers.mebipenny.settings import MebiPennySettings

__all__ = [
    "Lobby",
    "MatchStore",
    "MebiPennyApp",
    "MebiPennyServer",
    "MebiPennySettings",
]
