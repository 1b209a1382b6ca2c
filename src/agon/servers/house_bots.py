"""House bots on the games' own servers: they play against clients that would wait in vain.

A house bot is a built-in bot that takes a seat. It thinks in a thread, as bots do that play with
people, and its answers come back to the event loop of the server.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.entrant import launch_on_host
from agon.arena.people.bots import MatchBots
from agon.arena.people.context import PlayContext
from agon.arena.people.programs import BotReports
from agon.arena.people.settings import PlaySettings
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from agon.arbiter.entrant import Entrant
    from agon.arbiter.seat import Answer
    from agon.arena.people.party import Party
    from agon.games.game import Game, Position

    OnAnswer: TypeAlias = Callable[[int, Position[Any], Answer, int], None]

LOG = logging.getLogger("agon.servers")
SECOND = 10**9
THREADS = 4
LONGEST_THOUGHT_NS = SECOND


@dataclass(frozen=True, slots=True)
class Fill:
    """The built-in bot that takes free seats when a client has waited for so long."""

    bot: str
    after_ns: int = 10 * SECOND

    def check(self, game: Game) -> None:
        """Refuse a bot that the game does not have."""
        if self.bot not in game.bot_names:
            known = ", ".join(game.bot_names)
            raise SettingError(f"fill {self.bot[:40]!r}: expected a bot of {game.title}: {known}")


class HouseBots:
    """The threads in which the house bots of a server think."""

    def __init__(self, turn_ns: int, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """`turn_ns` is what a client has for a turn; bots take half of it at most."""
        self._threads = ThreadPoolExecutor(THREADS, "house bot")
        settings = PlaySettings(bot_ns=min(turn_ns // 2, LONGEST_THOUGHT_NS))
        self._context = PlayContext(clock, self._threads, _no_program, launch_on_host, settings)

    def play(self, party: Party, seed: int, on_answer: OnAnswer) -> MatchBots:
        """The bots of a match. `on_answer` is called in the event loop that runs now."""
        loop = asyncio.get_running_loop()

        def answer(*given: Any) -> None:
            loop.call_soon_threadsafe(on_answer, *given)

        reports = BotReports(lambda *given: None, answer, _log_error)
        return MatchBots(party, seed, self._context, reports)

    async def close(self) -> None:
        """Wait for the thoughts that have begun."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)


def _no_program(version_id: int) -> Entrant:
    raise SettingError(f"version {version_id}: no programs are run here")


def _log_error(error: Exception) -> None:
    LOG.error("a house bot failed", exc_info=error)
