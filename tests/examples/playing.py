"""Matches of bots that are folders against bots that play by chance."""

from __future__ import annotations

import importlib.util
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.entrant import find_entrant, launch_on_host, make_seat
from agon.arbiter.limits import Limits
from agon.arbiter.seat import BotSeat
from agon.games.bot import no_time
from agon.match.transcript import TurnEvent, verify

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from agon.arbiter.bot_process import Launch
    from agon.games.game import Game
    from agon.match.result import MatchResult

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
SECOND = 10**9
LIMITS = Limits(turn_ns=120 * SECOND, start_ns=60 * SECOND, turns=300)


def meet(
    game: Game, bot_text: Path | str, given: Mapping[str, str], launch: Launch = launch_on_host
) -> MatchResult:
    """A match of this bot, as the command line names it, on the first seat."""
    options = game.parse_options(given)
    bot = make_seat(game, find_entrant(game, str(bot_text)), 0, time.monotonic_ns, launch)
    names = range(1, game.start(options).seats)
    others = [BotSeat(f"other {n}", game.bots()["random"], n, no_time) for n in names]
    try:
        match = Arbiter(game, options, [bot, *others], LIMITS, time.monotonic_ns).play(3)
    finally:
        bot.close()
    assert verify(match.transcript) == match.transcript.outcome
    return match


# The second unit of a mine may be gone, and then an upgrade that it was to pay for fails too.
KNOWN_WARNING = re.compile("mine: nothing to mine on a G tile|upgrade [a-z]+: not enough [a-z]+")


def unknown_warnings(match: MatchResult) -> set[str]:
    """What the bot was warned of, although it might have known."""
    events = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    warned: list[Any] = [event.extra.get("warnings", {}) for event in events]
    found = {text for by_seat in warned for texts in by_seat.values() for text in texts}
    return {text for text in found if not KNOWN_WARNING.fullmatch(text)}


def load_example(path: str) -> ModuleType:
    """The source of an example bot, as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{Path(path).stem}", EXAMPLES / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses ask for it
    spec.loader.exec_module(module)
    return module
