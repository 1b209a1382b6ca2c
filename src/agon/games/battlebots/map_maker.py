"""Maps of Battlebots for `agon map`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.battlebots.game import GAME
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.maps import make_map
from agon.games.map_maker import MapMaker

if TYPE_CHECKING:
    from agon.games.map_maker import MapRequest

MOST_FORTS = 200  # which take some seconds


def make_battlebots_map(wanted: MapRequest) -> str:
    """A map; its first line makes it a log as well, for programs that read those."""
    GAME.check_seats(wanted.players)
    least = wanted.players + 1
    if wanted.forts is not None and not least <= wanted.forts <= MOST_FORTS:
        raise SettingError(
            f"--forts {wanted.forts}: expected a whole number from {least} to {MOST_FORTS}"
        )
    kind = "fair" if wanted.fair else "random"
    field = make_map(kind, wanted.players, wanted.seed, wanted.forts)
    return f"# STEP: 0\n# {kind}, seed {wanted.seed}\n{format_map(field)}"


MAKER = MapMaker(make_battlebots_map, "field", ("--forts", "--fair"))
