"""Hive as the registry knows it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from agon.errors import SettingError
from agon.games.game import Game, Options, option

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.text import Text

    from agon.games.bot import Bot
    from agon.games.clicks import Clicks
    from agon.games.dialogue import Dialogue
    from agon.games.game import Position
    from agon.games.hive.position import HivePosition
    from agon.games.perft import PerftJob
    from agon.games.scene import Shape
    from agon.games.simulation import Simulation

EXPANSIONS = "MLP"
VARIANTS = (
    "Base",
    *("Base+" + "".join(c) for n in (1, 2, 3) for c in combinations(EXPANSIONS, n)),
)


@dataclass(frozen=True, slots=True)
class HiveOptions(Options):
    """What can be set for a match of Hive."""

    variant: str = option("Base", "tiles in the game: Base, Base+M ... Base+MLP", VARIANTS)
    queen_first: bool = option(default=False, help_text="a side may begin with its queen")
    repetition: bool = option(default=True, help_text="the third occurrence of a position draws")

    def __post_init__(self) -> None:
        """Refuse a variant that does not exist."""
        if self.variant not in VARIANTS:
            raise SettingError(f"variant {self.variant!r}: expected {', '.join(VARIANTS)}")

    @property
    def expansion_bits(self) -> int:
        """The expansions as the rules take them: 1 mosquito, 2 ladybug, 4 pillbug."""
        _, _, letters = self.variant.partition("+")
        return sum(1 << EXPANSIONS.index(letter) for letter in letters)


class HiveGame(Game):
    """Surround the other side's queen."""

    name = "hive"
    title = "Hive"
    summary = (
        "Tiles that are insects; surround the other queen. Base set, mosquito, ladybug, pillbug."
    )
    seats = range(2, 3)
    rules_version = 1
    options = HiveOptions
    bot_names = ("random", "greedy", "search")
    protocol_page = "write-a-bot.md"
    are_turns_open = True
    picture_turns = 18

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> HivePosition:
        """An empty table. Hive has no chance: the seed changes nothing."""
        from agon.games.hive.position import HivePosition

        self.check_seats(2 if seats is None else seats)
        return HivePosition.start(HiveOptions.of(options))

    def bots(self) -> Mapping[str, Callable[[int], Bot[Any]]]:
        """Random, greedy and search."""
        from agon.games.hive.bots import BOTS

        return BOTS

    def dialogues(self) -> Mapping[str, Callable[[], Dialogue]]:
        """The seed's notation line by line, and the Universal Hive Protocol."""
        from agon.games.hive.protocol import LineDialogue, UhpDialogue

        return {"lines": LineDialogue, "uhp": UhpDialogue}

    def simulation(self, options: Options | None = None) -> Simulation:
        """Compiled random play."""
        from agon.games.hive.simulation import make_simulation

        return make_simulation(HiveOptions.of(options))

    def parse_match(self, text: str) -> Sequence[HivePosition]:
        """A GameString of the Universal Hive Protocol, or a variant alone."""
        from agon.games.hive.uhp_notation import parse_game

        return parse_game(text)

    def format_match(self, positions: Sequence[Position[Any]]) -> str:
        """The GameString."""
        from agon.games.hive.position import HivePosition
        from agon.games.hive.uhp_notation import format_game

        return format_game([HivePosition.of(position) for position in positions])

    def terminal_board(
        self, position: Position[Any], width: int = 80, names: Sequence[str] = ()
    ) -> Text:
        """Hexes, stacks and hands."""
        from agon.games.hive.position import HivePosition
        from agon.games.hive.terminal import board_text

        return board_text(HivePosition.of(position), width, names)

    def call_seat(self, seat: int) -> str:
        """White or Black."""
        from agon.games.hive.tile import SIDE_NAMES

        return SIDE_NAMES[seat]

    def emblem(self, seat: int) -> tuple[Shape, ...]:
        """A tile."""
        from agon.games.hive.scene import emblem

        return emblem(seat)

    def clicks(self) -> Clicks:
        """A tile, then where it goes."""
        from agon.games.hive.clicks import step

        return step

    def perft_jobs(self, position: Position[Any], depth: int, wanted: int = 1) -> list[PerftJob]:
        """Shares by the first move, or by the first two."""
        from agon.games.hive.perft_run import hive_perft_jobs
        from agon.games.hive.position import HivePosition

        return hive_perft_jobs(HivePosition.of(position), depth, wanted)


GAME = HiveGame()
