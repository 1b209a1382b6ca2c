"""Skyport as the registry knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, SettingError
from agon.games.game import Game, Options, option

if TYPE_CHECKING:
    from agon.games.skyport.mapfile import Map
    from agon.games.skyport.move import Loadout
    from agon.games.skyport.position import SkyportPosition

AUTO = "auto"
MAPS = (AUTO, "two", "three", "four", "five", "six", "seven", "eight")
USUAL_SEATS = 2
MAX_TURNS = 1 << 20


@dataclass(frozen=True, slots=True)
class SkyportOptions(Options):
    """What can be set for a match of Skyport."""

    map: str = option(
        AUTO, "a map of ours by its number of seats, or auto: the one that fits", MAPS, is_main=True
    )
    map_text: str = option("", "a whole map file, in place of a map of ours", is_document=True)
    turns: int = option(
        100, "turns for each seat: a match has as many times the number of seats", is_main=True
    )
    order: str = option("", "the seats in the order of their turns, such as 1 0; empty: by chance")
    loadouts: str = option(
        "", "the weapons of each seat, such as laser mortar | droid laser; empty: its own choice"
    )

    def __post_init__(self) -> None:
        """Refuse what does not exist or does not fit together."""
        if self.map not in MAPS:
            raise SettingError(f"map {self.map!r}: expected {', '.join(MAPS)}")
        if not 1 <= self.turns <= MAX_TURNS:
            raise SettingError(f"turns {self.turns}: expected 1 to {MAX_TURNS}")
        if self.map_text and self.map != AUTO:
            raise SettingError(f"map {self.map!r}: expected {AUTO} beside a map_text")
        if self.map_text or self.order or self.loadouts:
            self.find_map(None)

    @property
    def turn_order(self) -> tuple[int, ...]:
        """R6: the order that is given, or none."""
        if not self.order:
            return ()
        from agon.games.skyport.given import parse_order

        return parse_order(self.order)

    @property
    def given_loadouts(self) -> tuple[Loadout, ...]:
        """R5: the loadouts that are given, or none."""
        if not self.loadouts:
            return ()
        from agon.games.skyport.given import parse_loadouts

        return parse_loadouts(self.loadouts)

    def build_setup(self, board: Map) -> Any:
        """The setup of a match with these options, as the rules take it."""
        from agon.games.skyport.setup import build_setup

        return build_setup(board, self.turns, self.turn_order, self.given_loadouts)

    def find_map(self, seats: int | None) -> Map:
        """The map for so many seats; None: as many as it has, or as usual."""
        from agon.games.skyport.mapfile import parse_map
        from agon.games.skyport.maps import load_map, name_for

        if self.map_text:
            try:
                found = parse_map(self.map_text)
            except NotationError as error:
                raise SettingError(f"map_text: {error}") from None
        elif self.map == AUTO:
            given = len(self.turn_order) or len(self.given_loadouts) or USUAL_SEATS
            found = load_map(name_for(given if seats is None else seats))
        else:
            found = load_map(self.map)
        if seats not in (None, found.seats):
            raise SettingError(f"{seats} seats: the map is for {found.seats}")
        for text, count in (
            (f"order {self.order!r}", len(self.turn_order)),
            (f"loadouts {self.loadouts!r}", len(self.given_loadouts)),
        ):
            if count not in (0, found.seats):
                raise SettingError(f"{text}: of {count} seats, the match has {found.seats}")
        return found


class SkyportGame(Game):
    """Mine, upgrade, shoot."""

    name = "skyport"
    title = "Skyport"
    summary = "Robots on an island of hexes mine, upgrade their weapons and shoot at each other."
    seats = range(2, 9)
    rules_version = 2
    network_protocol = "json"
    options = SkyportOptions
    bot_names = ("random", "greedy", "search")
    level_ratings = (0, 543, 998, 1415, 1818, 2235, 2670, 2756, 3163, 3243)
    protocol_page = "skyport.md"
    has_maps = True
    are_turns_open = True
    picture_turns = 24

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> SkyportPosition:
        """Every robot on its spawn; the seed shuffles the order of turns."""
        from agon.games.skyport.position import SkyportPosition

        chosen = SkyportOptions.of(options)
        found = chosen.find_map(None if seats is None else self.check_seats(seats))
        return SkyportPosition.start(chosen, found, seed)

    def longest_match(self, options: Options, seats: int) -> int:
        return seats * SkyportOptions.of(options).turns


GAME = SkyportGame()
