"""Maps of Skyport for `agon map`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.map_maker import MapMaker
from agon.games.skyport.game import GAME
from agon.games.skyport.mapfile import format_map
from agon.games.skyport.maps import generate, load_map, name_for

if TYPE_CHECKING:
    from agon.games.map_maker import MapRequest


def make_skyport_map(wanted: MapRequest) -> str:
    """A map as symmetric as its number of players allows; without a size: as large as ours."""
    GAME.check_seats(wanted.players)
    size = load_map(name_for(wanted.players)).side if wanted.size is None else wanted.size
    try:
        return format_map(generate(wanted.players, size, wanted.seed))
    except SettingError as error:
        raise SettingError(f"--{error}") from None


MAKER = MapMaker(make_skyport_map, "map_text", ("--size",))
