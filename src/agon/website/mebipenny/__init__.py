"""MebiPenny over HTTP, as the first server spoke it: held requests, turn tokens, observers."""

from agon.website.mebipenny.app import mebipenny_app
from agon.website.mebipenny.hall import Hall
from agon.website.mebipenny.keeper import Keeper
from agon.website.mebipenny.server import MebiPennyServer, load_rules, open_hall
from agon.website.mebipenny.settings import Settings

__all__ = [
    "Hall",
    "Keeper",
    "MebiPennyServer",
    "Settings",
    "load_rules",
    "mebipenny_app",
    "open_hall",
]
