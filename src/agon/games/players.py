"""What the players of a match are called, in pictures, in terminals and in sentences.

Names come from bots and files: they may be of any length and in any script, and may hold signs that
would turn the text around them, or pile up. Here they become one tidy line. Where a match has no
names, and beside them, players are called in the game's own words: White, Red.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agon.games.reasons import tell_reason
from agon.games.text_fit import fit_cells, fit_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.game import Outcome

LONGEST = 64
SENTENCE_CELLS, SENTENCE_ROOM = 24, 15.0
"""How long a name may be among other words: in a terminal, and in pictures at size 1."""
MOST_MARKS = 2
"""Accents on one letter; more of them pile up."""
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
OVERSIZED = frozenset("\u2e3a\u2e3b\ua9c5\ufdfd")
"""Single characters as wide as words."""
FIRST_BEYOND, EMOJI, IDEOGRAPHS = 0x10000, range(0x1F000, 0x1FB00), range(0x20000, 0x32000)
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
ISOLATE, POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


@lru_cache(maxsize=512)
def tidy_name(name: str) -> str:
    r"""The name on one line, without what would disturb the text around it; perhaps cut.

    >>> tidy_name(" ada\n\u202e1 ")
    'ada 1'
    """
    return "".join(_tidy(unicodedata.normalize("NFKC", name[: 4 * LONGEST])))[:LONGEST].strip()


def _tidy(text: str) -> Iterator[str]:
    marks = 0
    for character in " ".join(text.split()):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind.startswith("C") or marks > MOST_MARKS:
            continue
        yield REPLACEMENT if _is_oversized(character) else character


def _is_oversized(character: str) -> bool:
    code = ord(character)
    is_far = code >= FIRST_BEYOND and code not in EMOJI and code not in IDEOGRAPHS
    return is_far or character in OVERSIZED


def isolate(text: str) -> str:
    """The text so that it does not turn what stands around it, if it runs from right to left."""
    turns = any(unicodedata.bidirectional(character) in RIGHT_TO_LEFT for character in text)
    return f"{ISOLATE}{text}{POP}" if turns else text


@dataclass(frozen=True, slots=True)
class Players:
    """The players of a match, by seat."""

    own: tuple[str, ...]
    """What the game calls them: by colour."""
    names: Sequence[str] = ()
    """What they are called themselves, as far as that is known."""
    in_terminal: bool = False
    """Whether it is for a terminal, which has no signs that keep directions of text apart."""

    def name(self, seat: int) -> str:
        """A player's own name, or else the game's word."""
        return self._own_name(seat) or self.own[seat]

    def full(self, seat: int) -> str:
        """The name and the game's word, for sentences.

        >>> Players(("White", "Black"), ["ada", ""]).full(0), Players(("White", "Black")).full(1)
        ('ada (White)', 'Black')
        """
        name = self._own_name(seat)
        if not name or name == self.own[seat]:
            return self.own[seat]
        if self.in_terminal:
            return f"{fit_cells(name, SENTENCE_CELLS)} ({self.own[seat]})"
        return f"{isolate(fit_text(name, 1, SENTENCE_ROOM))} ({self.own[seat]})"

    def tell(self, outcome: Outcome) -> str:
        """How the match ended, in one line."""
        return tell_outcome(outcome, [self.full(seat) for seat in range(len(outcome.scores))])

    def _own_name(self, seat: int) -> str:
        return tidy_name(self.names[seat]) if seat < len(self.names) else ""


def tell_outcome(outcome: Outcome, names: Sequence[str]) -> str:
    """How a match ended, in one line.

    >>> from agon.games.game import Outcome
    >>> tell_outcome(Outcome((2, 0), "queen surrounded"), ["ada", "bob"])
    'ada won: queen surrounded'
    >>> tell_outcome(Outcome((1, 1), "turn limit"), ["ada", "bob"])
    'No winner: turn limit'
    >>> tell_outcome(Outcome((1, 0, 1), "turn limit"), ["ada", "bob", "eve"])
    'ada and eve share the first place: turn limit'
    """
    first = [name for name, rank in zip(names, outcome.ranks, strict=True) if rank == 0]
    reason = tell_reason(outcome.reason, names)
    if len(first) == 1:
        return f"{first[0]} won: {reason}"
    if len(first) == len(names):
        return f"No winner: {reason}"
    told = f"{', '.join(first[:-1])} and {first[-1]}"
    return f"{told} share the first place: {reason}"
