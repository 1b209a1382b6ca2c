"""A short use of all that a match needs: afterwards its kernels are compiled and loaded."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agon.games.bot import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.game import Game, Options


def use_rules(game: Game, rule_sets: Iterable[Options] | None = None) -> None:
    """Play two turns, and look at them in every way: the first one may have nothing to refer to.

    With these options, or with all for which there are kernels of their own.
    """
    for options in rule_sets or game.rule_sets:
        position = game.start(options)
        chance = Random(0)  # noqa: S311
        for _ in range(2):
            turns = {seat: position.random_turn(seat, chance) for seat in position.to_act}
            position.legal_moves(position.to_act[0])
            for seat, turn in turns.items():
                position.parse_turn(seat, position.format_turn(seat, turn))
            position.stages(turns)
            position = position.play(turns)
            position.observe(0)
        for seat in range(position.seats - 1):  # and to its end
            position = position.drop({seat: "timeout"}) if position.outcome is None else position


def use_bots(game: Game, options: Options, names: Iterable[str]) -> None:
    """Have these built-in bots choose a turn."""
    position = game.start(options)
    for name in names:
        game.bot(name, 0).choose(position, position.to_act[0], Budget(depth=1))
