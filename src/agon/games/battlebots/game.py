"""Battlebots as the registry knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, SettingError
from agon.games.battlebots.mapfile import is_log
from agon.games.battlebots.maps import KINDS, make_map
from agon.games.battlebots.transcript_form import BattlebotsForm
from agon.games.game import Game, Options, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.battlebots.layout import Layout
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.game import Position
    from agon.games.learning import Learning
    from agon.games.match_log import MatchLog

MOST_TURNS = 100_000  # with what 512 forts grow in so many, all numbers still fit
CHOICES = {
    "map": KINDS,
    "at_limit": ("draw", "most-soldiers"),
    "sight": ("all-roads", "own-roads"),
    "origin": ("home", "absolute"),
}


@dataclass(frozen=True, slots=True)
class BattlebotsOptions(Options):
    """What can be set for a match of Battlebots."""

    seats: int = option(2, "how many play, 2 to 8, where that is not clear from the players")
    map: str = option("fair", "how the map is made from the seed", CHOICES["map"], is_main=True)
    field: str = option(
        "", "a whole map as text, instead of one made from the seed", is_document=True
    )
    turn_limit: int = option(500, "turns after which the match ends", is_main=True)
    at_limit: str = option("draw", "what that means for those left", CHOICES["at_limit"])
    sight: str = option(
        "all-roads", "roads seen: between seen forts, or at own ones", CHOICES["sight"]
    )
    origin: str = option("home", "where coordinates count from", CHOICES["origin"])

    def __post_init__(self) -> None:
        GAME.check_seats(self.seats)
        if not 1 <= self.turn_limit <= MOST_TURNS:
            raise SettingError(f"turn_limit {self.turn_limit}: expected 1 to {MOST_TURNS}")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise SettingError(f"{name} {getattr(self, name)!r}: expected {', '.join(choices)}")


class BattlebotsGame(Game):
    """Be the last one on the field."""

    name = "battlebots"
    title = "Battlebots"
    summary = "Armies march between forts in the fog of war, all at the same time; 2 to 8 players."
    seats = range(2, 9)
    rules_version = 1
    options = BattlebotsOptions
    bot_names = ("random", "greedy", "search")
    level_ratings = (0, 678, 872, 889, 952, 1393, 1643, 2100, 2596, 2846)
    protocol_page = "battlebots.md"
    has_maps = True
    form = BattlebotsForm()

    @property
    def rule_sets(self) -> Sequence[BattlebotsOptions]:
        """For the records of generated maps for two or three, and of most for four or five."""
        return (BattlebotsOptions(), BattlebotsOptions(seats=4))

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> BattlebotsPosition:
        """The map that the seed makes, or the one of the options."""
        from agon.games.battlebots.position import BattlebotsPosition

        chosen = BattlebotsOptions.of(options)
        return BattlebotsPosition.start(chosen, self.layout(chosen, seed, seats))

    def learning_of(self, position: Position[Any]) -> Learning:
        """On the map of the match, whatever seed has made it."""
        from agon.games.battlebots.position import BattlebotsPosition

        found = BattlebotsPosition.of(position)
        made: Learning = self.part("learning").make_learning(found.options, found.layout)
        return made

    def parse_log(self, text: str) -> MatchLog | None:
        """A log, or a map, which is known by its first line."""
        if not is_log(text):
            return None
        log: MatchLog = self.part("match_text").parse_log(text)
        return log

    def longest_match(self, options: Options, seats: int) -> int:
        return BattlebotsOptions.of(options).turn_limit

    def layout(self, options: BattlebotsOptions, seed: int, seats: int | None = None) -> Layout:
        """The map of a match for so many, or for as many as the options say."""
        from agon.games.battlebots.layout import Layout
        from agon.games.battlebots.mapfile import parse_map

        if not options.field:
            wanted = options.seats if seats is None else self.check_seats(seats)
            return Layout(make_map(options.map, wanted, seed))
        try:
            layout = Layout(parse_map(options.field))
        except NotationError as error:
            raise SettingError(f"option field: {error}") from None
        if seats not in (None, len(layout.players)):
            raise SettingError(f"{seats} seats: the map is for {len(layout.players)}")
        return layout


GAME = BattlebotsGame()
