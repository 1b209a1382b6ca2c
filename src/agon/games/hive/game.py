"""Hive as the registry knows it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agon.errors import SettingError
from agon.games.game import Game, Options, option

if TYPE_CHECKING:
    from agon.games.game import Position
    from agon.games.hive.position import HivePosition
    from agon.games.perft import PerftJob

EXPANSIONS = "MLP"
VARIANTS = (
    "Base",
    *("Base+" + "".join(c) for n in (1, 2, 3) for c in combinations(EXPANSIONS, n)),
)


@dataclass(frozen=True, slots=True)
class HiveOptions(Options):
    """What can be set for a match of Hive."""

    variant: str = option(
        "Base", "tiles in the game: Base, Base+M ... Base+MLP", VARIANTS, is_main=True
    )
    queen_first: bool = option(default=False, help_text="a side may begin with its queen")
    repetition: bool = option(default=True, help_text="the third occurrence of a position draws")

    def __post_init__(self) -> None:
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
    level_ratings = (0, 617, 1090, 1223, 1315, 1541, 1740, 1908, 2052, 2223)
    protocol_page = "write-a-bot.md"
    guides = MappingProxyType(
        {"uhp": "For viewers and other programs that know Hive: our engine, and engines as bots."}
    )
    has_common_notation = True
    are_turns_open = True
    picture_turns = 18

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> HivePosition:
        """An empty table. Hive has no chance: the seed changes nothing."""
        from agon.games.hive.position import HivePosition

        self.check_seats(2 if seats is None else seats)
        return HivePosition.start(HiveOptions.of(options))

    def common_notation(self, turn: str) -> str:
        """A MoveString: `bG1 -wS1`."""
        from agon.games.hive.uhp_notation import to_uhp

        return to_uhp(turn)

    def perft_jobs(self, position: Position[Any], depth: int, wanted: int = 1) -> list[PerftJob]:
        """Shares by the first move, or by the first two."""
        from agon.games.hive.perft_run import hive_perft_jobs
        from agon.games.hive.position import HivePosition

        return hive_perft_jobs(HivePosition.of(position), depth, wanted)


GAME = HiveGame()
