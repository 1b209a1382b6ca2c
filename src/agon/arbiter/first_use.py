"""A short use of all that a match needs: afterwards its kernels are compiled and loaded."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from agon.games.bot import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agon.games.game import Game, Options, Position

TURNS = 40
"""Of a match by chance: enough for what does not happen in its first turns."""
LISTED = 2
"""In so many turns legal moves are listed, and boards drawn: both take long."""


def use_rules(game: Game, rule_sets: Iterable[Options] | None = None) -> None:
    """Play turns by chance in every way that matches and replays do.

    With these options, or with all for which there are kernels of their own.
    """
    for options in rule_sets or game.rule_sets:
        positions: list[Position[Any]] = []
        for number, (position, turns) in enumerate(_moments(game, options)):
            for seat, turn in turns.items():
                position.parse_turn(seat, position.format_turn(seat, turn))
            if number < LISTED:
                position.legal_moves(position.to_act[0])
            position.stages(turns)
            position.observe(0)
            positions.append(position)
        game.parse_match(game.format_match(positions))
        for seat in range(position.seats - 1):  # and to its end
            position = position.drop({seat: "timeout"}) if position.outcome is None else position


def use_boards(game: Game) -> None:
    """Draw boards for spectators, for a player, and for a terminal."""
    for number, (position, _) in enumerate(_moments(game, game.options())):
        if number < LISTED or number == TURNS - 1:
            position.scene(None)
            position.scene(position.to_act[0])
            game.clicks()(position, position.to_act[0], ())
            game.terminal_board(position)


def use_bots(game: Game, options: Options, names: Iterable[str]) -> None:
    """Have these built-in bots choose a turn, at the start of a match and later on.

    A level may be any of them, turn by turn.
    """
    moments = [position for position, _ in _moments(game, options)]
    wanted = {*names}
    for name in game.bot_names if wanted & {*game.level_names} else wanted:
        for position in (moments[0], moments[-1]):
            bot, seat = game.bot(name, 0), position.to_act[0]
            bot.choose(position, seat, Budget(depth=1))


def _moments(game: Game, options: Options) -> Iterator[tuple[Position[Any], Mapping[int, Any]]]:
    """The positions of a match by chance, and the turns that are played in them."""
    position, chance = game.start(options), Random(0)  # noqa: S311
    for _ in range(TURNS):
        if position.outcome is not None:
            return
        turns = dict(position.forced)
        turns |= {s: position.random_turn(s, chance) for s in position.to_act if s not in turns}
        yield position, turns
        position = position.play(turns)
