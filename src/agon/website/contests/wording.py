"""Contests in the words of their pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.arena.contests.terms import Seeding
from agon.datastore.enums import ContestState
from agon.games.game import SEATS
from agon.games.registry import find_game
from agon.ranker.formats import Format
from agon.website.contests.form import option_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.datastore.contests import Contest

LONGEST_VALUE = 60

STATES: Mapping[ContestState, str] = {
    ContestState.DRAFT: "planned",
    ContestState.OPEN: "open for bots",
    ContestState.CLOSED: "entry closed",
    ContestState.RUNNING: "being played",
    ContestState.PAUSED: "paused",
    ContestState.FINISHED: "over",
}
FORMATS: Mapping[Format, tuple[str, str]] = {
    Format.ROUND_ROBIN: (
        "Round-robin",
        "every bot meets every other; rounds: how often, 1 if not given",
    ),
    Format.SWISS: (
        "Swiss",
        "equally good bots meet; rounds: about the number for a knock-out if not given",
    ),
    Format.KNOCKOUT: (
        "Knock-out",
        "the loser of a tie is out; rounds: pairs of matches in a tie, 1 if not given",
    ),
    Format.GAUNTLET: (
        "Gauntlet",
        "the first seed meets all others; rounds: how often, 1 if not given",
    ),
    Format.LADDER: (
        "Ladder",
        "the matches from which most is learned; rounds: how many batches, to be given",
    ),
}
SEEDINGS: Mapping[Seeding, str] = {
    Seeding.RATING: "by rating, the strongest first",
    Seeding.ENTRY: "in the order of entry",
    Seeding.LOT: "by lot",
}


def format_title(contest: Contest) -> str:
    return FORMATS[Format(contest.format)][0]


def changed_options(contest: Contest) -> list[tuple[str, str]]:
    """The options of the game that are not as usual, with their values."""
    usual = asdict(find_game(contest.game).options())
    return [
        (name.replace("_", " "), _short(option_text(value)))
        for name, value in contest.options.items()
        if name != SEATS and usual.get(name) != value
    ]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_VALUE else line[: LONGEST_VALUE - 1] + "…"
