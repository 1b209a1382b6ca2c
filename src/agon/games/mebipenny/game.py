"""MebiPenny as the registry knows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.game import Game, Options, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.mebipenny.deal import Deal
    from agon.games.mebipenny.position import MebiPennyPosition
    from agon.games.mebipenny.setup import Setup

SEATS = range(2, 5)
LONGEST_SIDE = 256
LONGEST_FRACTION = 40  # characters


@dataclass(frozen=True, slots=True)
class MebiPennyOptions(Options):
    """What can be set for a match of MebiPenny."""

    rows: int = option(15, "rows of the board, 1 to 256", is_main=True)
    cols: int = option(15, "columns of the board, 1 to 256", is_main=True)
    seats: int = option(0, "how many play, 2 to 4; 0: as many as there are players, or 2")
    seed_coverage: str = option("0", "the part of the board that is walls, from 0 to 1")
    deal: str = option("", "walls, hands and pile as they are given, in place of chance")

    def __post_init__(self) -> None:
        for name, side in (("rows", self.rows), ("cols", self.cols)):
            if not 1 <= side <= LONGEST_SIDE:
                raise SettingError(f"{name} {side}: expected 1 to {LONGEST_SIDE}")
        if self.seats and self.seats not in SEATS:
            raise SettingError(f"seats {self.seats}: expected 2 to 4, or 0 for any of them")
        text = self.seed_coverage
        if not _is_decimal(text) or Fraction(text) > 1:
            raise SettingError(
                f"seed_coverage {text[:LONGEST_FRACTION]!r}: expected a decimal number from 0 to 1"
            )
        if self.deal:
            self._check_deal()

    def _check_deal(self) -> None:
        """R14."""
        from agon.games.mebipenny.deal import tidy_deal

        object.__setattr__(self, "deal", tidy_deal(self.deal))
        hands = len(self.find_deal().hands)
        if self.seats not in (0, hands):
            raise SettingError(f"deal of {hands} hands: the option seats says {self.seats}")
        if Fraction(self.seed_coverage):
            raise SettingError(
                f"seed_coverage {self.seed_coverage!r}: expected 0 beside a deal, which has walls"
            )

    @property
    def walls(self) -> int:
        """R2: how many walls there are."""
        if self.deal:
            return len(self.find_deal().walls)
        return int(Fraction(self.seed_coverage) * self.rows * self.cols)

    def find_deal(self) -> Deal:
        """R14: the deal that is given."""
        from agon.games.mebipenny.deal import parse_deal

        return parse_deal(self.deal, self.rows, self.cols)

    def seats_for(self, players: int | None) -> int:
        """How many play, if there are so many players or the number is not given."""
        given = len(self.find_deal().hands) if self.deal else self.seats
        if players is None:
            return given or SEATS[0]
        if given not in (0, players):
            says = f"the deal has {given} hands" if self.deal else f"the option says {given}"
            raise SettingError(f"{players} seats: {says}")
        return players

    def setup(self, players: int | None = None) -> Setup:
        """The options as the kernels take them."""
        from agon.games.mebipenny.setup import build_setup

        deal = self.find_deal() if self.deal else None
        return build_setup(self.rows, self.cols, self.seats_for(players), self.walls, deal)


def _is_decimal(text: str) -> bool:
    return len(text) <= LONGEST_FRACTION and bool(re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.A))


class MebiPennyGame(Game):
    """Claim cells, join armies, turn them over."""

    name = "mebipenny"
    title = "MebiPenny"
    summary = "Tiles that join armies; the player with the most in an army takes all of it."
    seats = range(SEATS.start, SEATS.stop)
    rules_version = 1
    network_protocol = "http"
    options = MebiPennyOptions
    bot_names = ("random", "greedy", "search")
    level_ratings = (0, 375, 624, 680, 798, 840, 878, 909, 1013, 1117)
    protocol_page = "mebipenny.md"
    are_turns_open = True
    picture_turns = 60

    @property
    def rule_sets(self) -> Sequence[MebiPennyOptions]:
        """One for each size of records."""
        from agon.games.mebipenny.board import TIERS

        return [MebiPennyOptions(isqrt(cells), isqrt(cells)) for cells in TIERS]

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> MebiPennyPosition:
        """Walls, pile and hands follow from the seed."""
        from agon.games.mebipenny.position import MebiPennyPosition

        if seats is not None:
            self.check_seats(seats)
        return MebiPennyPosition.start(MebiPennyOptions.of(options), seed, seats)


GAME = MebiPennyGame()
