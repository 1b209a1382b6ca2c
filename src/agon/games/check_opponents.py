"""Situations that are legal but rare, and opponents who bring them about: for `agon bot check`.

A game has them in a module `check_opponents.py` of its package, in the constant `SITUATIONS`. A bot
chooses its own turns, so no position can be set up for it: an opponent steers towards it, and most
often gets there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agon.games.game import parse_options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.games.bot import Bot, Budget
    from agon.games.game import Game, Options, Position


def _any_options(options: Options) -> bool:
    """For situations that every match can get into."""
    return True


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that a bot must be able to cope with."""

    name: str
    """What happens, to be read after "copes with": `a forced pass`."""
    advice: str
    """What to look at in a bot that fails here."""
    opponent: Callable[[int], Bot[Any]]
    """Makes an opponent from a seed, who tries to bring it about."""
    occurs: Callable[[Position[Any], int], bool]
    """Whether it is there in a position, for the bot at that seat."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options that it takes, beside those that were asked for."""
    can_occur: Callable[[Options], bool] = _any_options
    """Whether a match with these options can get there."""

    def added_to(self, options: Options) -> Options:
        """Those options, with the ones that it takes in place of theirs."""
        parsed = parse_options(type(options), self.options)
        return replace(options, **{name: getattr(parsed, name) for name in self.options})


class Idler:
    """An opponent who does nothing, always; it needs no chance."""

    turn: Any = ()
    """The empty turn, in games whose turns have any number of moves."""

    def __init__(self, seed: int) -> None: ...

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        return self.turn


def find_situations(game: Game) -> Sequence[Situation]:
    """The situations of a game; none if it has no module for them."""
    package = type(game).__module__.rpartition(".")[0]
    name = f"{package}.check_opponents"
    if not package or find_spec(name) is None:
        return ()
    situations: Sequence[Situation] = import_module(name).SITUATIONS
    return situations
