"""`agon.play`: one match between bots of any kind, for Python programs and notebooks."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.build import prepare
from agon.arbiter.entrant import check_time, find_entrant, make_seat
from agon.arbiter.host import HostWatch
from agon.arbiter.limits import Limits
from agon.arbiter.sandboxed import choose_launch
from agon.arbiter.seat import BotSeat
from agon.errors import SettingError
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.seat import Seat
    from agon.games.bot import Bot, Budget
    from agon.games.game import Game, Options, Position
    from agon.match.result import MatchResult

    Player: TypeAlias = str | Path | Bot[Any] | Callable[[Position[Any], int], Any]

USUAL_LIMITS = Limits(turn_ns=10**9, turns=1000)
"""As `agon match` has them: a second a turn, 1000 turns."""


class FunctionBot:
    """A bot that asks a function of position and seat for every turn."""

    def __init__(self, function: Callable[[Position[Any], int], Any]) -> None:
        self._function = function

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        """What the function returns; it is not told the budget."""
        return self._function(position, seat)


def play(
    game: Game | str,
    bots: Sequence[Player],
    *,
    options: Options | None = None,
    seed: int = 0,
    limits: Limits = USUAL_LIMITS,
    unsafe_host: bool = False,
) -> MatchResult:
    """Play one match; the bots have the seats in their order.

    A bot is the name of a built-in one; a folder with a `bot.toml` or a command line, which run in
    the sandbox (`unsafe_host`: without it); an object with `choose(position, seat, budget)`; or a
    function of position and seat. An exception in such an object or function ends the match and
    is raised here.
    """
    chosen = find_game(game)
    chosen.check_seats(len(bots))
    with ExitStack() as stack:
        seats = []
        for number, bot in enumerate(bots):
            bot_seed = seed * len(bots) + number
            seats.append(_make_seat(chosen, bot, bot_seed, limits.turn_ns, unsafe_host))
            stack.callback(seats[-1].close)
        host = stack.enter_context(HostWatch())
        arbiter = Arbiter(
            chosen, options or chosen.options(), seats, limits, time.monotonic_ns, host.late_since
        )
        return arbiter.play(seed)


def _make_seat(game: Game, bot: Player, seed: int, turn_ns: int | None, unsafe_host: bool) -> Seat:
    if isinstance(bot, str | Path):
        found = find_entrant(game, str(bot))
        check_time(game, [found], turn_ns)
        entrant = prepare(found, unsafe_host)
        launch = choose_launch([entrant], unsafe_host, ranked=False)
        return make_seat(game, entrant, seed, time.monotonic_ns, launch)
    if hasattr(bot, "choose"):
        name, made = type(bot).__name__, bot
    elif callable(bot):
        name, made = getattr(bot, "__name__", type(bot).__name__), FunctionBot(bot)
    else:
        raise SettingError(
            f"bot {bot!r}: expected a name, a folder, a command line, an object with `choose`,"
            " or a function of position and seat"
        )
    return BotSeat(name, lambda _: made, seed, time.monotonic_ns)
