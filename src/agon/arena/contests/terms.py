"""The terms of a contest: rounds, seats, time, pace, and how the bots are seeded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import Limits
from agon.errors import SettingError
from agon.ranker.formats import Format
from agon.ranker.pairing import SEED_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.game import Game, Options

MILLISECOND = 10**6
SECOND = 1000 * MILLISECOND
MINUTE = 60 * SECOND
USUAL_TURNS = 400


class Seeding(StrEnum):
    """The order of the bots in the schedule, best first: it makes the bracket."""

    RATING = "rating"
    ENTRY = "entry"  # who came first
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class Terms:
    """What an organiser chooses beyond game, format and dates; all times are whole nanoseconds."""

    rounds: int | None = None
    """What the format counts as rounds; None: as many as are usual."""
    seats: int = 2
    turn_ns: int = 500 * MILLISECOND
    """Time per turn."""
    bank_ns: int = 2 * SECOND
    """Time beyond that, once for a whole match."""
    turns: int | None = None
    """Turns after which a match ends without a winner; None: `settle_turns` finds a number."""
    pace_ns: int = 500 * MILLISECOND
    """From one position to the next, so that people can follow; 0: at once."""
    jobs: int = 1
    """Matches at a time."""
    seed: int = 1
    """All random choices of the contest follow from this number."""
    seeding: Seeding = Seeding.RATING
    bots_each: int = 1
    """How many bots of one user may take part."""

    @property
    def limits(self) -> Limits:
        return Limits(self.turn_ns, self.bank_ns, turns=self.turns)


BOUNDS: Mapping[str, tuple[int, int]] = {
    "rounds": (1, 1000),
    "turn_ns": (10 * MILLISECOND, 10 * MINUTE),
    "bank_ns": (0, 60 * MINUTE),
    "turns": (1, 10_000),
    "pace_ns": (0, 10 * SECOND),
    "jobs": (1, 16),
    "seed": (0, SEED_LIMIT - 1),
    "bots_each": (1, 100),
}
"""The least and the most of each number but the seats, which the game bounds."""

LABELS: Mapping[str, str] = {
    "rounds": "Rounds",
    "seats": "Seats",
    "turn_ns": "Time per turn, in ms",
    "bank_ns": "Extra time per match, in ms",
    "turns": "Turn limit",
    "pace_ns": "Pace, in ms",
    "jobs": "Matches at a time",
    "seed": "Seed",
    "bots_each": "Bots per user",
}
"""What each number is called in the form; times are in milliseconds there."""


def check_terms(game: Game, kind: Format, terms: Terms) -> Terms:
    """The terms, if a contest of this game and format can be played on them; else SettingError."""
    for name, (least, most) in BOUNDS.items():
        value = getattr(terms, name)
        if value is not None and not least <= value <= most:
            unit = MILLISECOND if name.endswith("_ns") else 1
            raise SettingError(
                f"{LABELS[name]}: expected {least // unit} to {most // unit}, not {value // unit}"
            )
    game.check_seats(terms.seats)
    if kind is Format.KNOCKOUT and terms.seats != 2:
        raise SettingError(f"{terms.seats} seats: a knock-out is for two")
    if kind is Format.LADDER and terms.rounds is None:
        raise SettingError("Rounds: expected a number, as a ladder has no end of its own")
    return terms


def settle_turns(game: Game, terms: Terms, options: Options) -> Terms:
    """The terms with a turn limit within which every match ends by the game's own rules.

    SettingError if the one that was chosen is too low, or none is high enough.
    """
    needed, most = game.longest_match(options, terms.seats), BOUNDS["turns"][1]
    if needed > most:
        raise SettingError(f"a match would take up to {needed} turns: expected at most {most}")
    turns = max(USUAL_TURNS, needed) if terms.turns is None else terms.turns
    if turns < needed:
        raise SettingError(
            f"{LABELS['turns']}: expected {needed} or more, not {turns}, as a match of"
            f" {terms.seats} bots takes up to {needed} turns until it is decided"
        )
    return replace(terms, turns=turns)


def save_terms(terms: Terms) -> dict[str, Any]:
    """The terms as plain data, for the datastore."""
    return {**asdict(terms), "seeding": terms.seeding.value}


def load_terms(settings: Mapping[str, Any]) -> Terms:
    """The terms that `save_terms` has saved; what an older site did not know has its default."""
    known = {field.name for field in fields(Terms)}
    unknown = sorted(settings.keys() - known)
    if unknown:
        raise SettingError(f"setting {unknown[0]!r}: expected one of {', '.join(sorted(known))}")
    seeding = Seeding(settings.get("seeding", Seeding.RATING))
    return Terms(**{**settings, "seeding": seeding})
