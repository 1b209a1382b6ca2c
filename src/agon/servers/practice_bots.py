"""Bots of the games' own servers, for clients that ask for one or are alone.

A practice bot is a built-in bot, or a stored one where a server has them. It thinks in a thread or
in a process of its own, as bots do that play with people, and its answers come back to the event
loop of the server.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent import futures
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.arbiter.entrant import launch_on_host
from agon.arena.people.bots import MatchBots
from agon.arena.people.context import PlayContext
from agon.arena.people.opponents import find_opponent
from agon.arena.people.party import BotPlayer
from agon.arena.people.programs import BotReports
from agon.arena.people.settings import PlaySettings
from agon.errors import AgonError, SettingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.bot_process import Launch
    from agon.arbiter.entrant import Entrant
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.people.party import Party
    from agon.datastore.store import Store
    from agon.games.game import Game

LOG = logging.getLogger("agon.servers")
SECOND = 10**9
THREADS = 4
LONGEST_THOUGHT_NS = SECOND
MOST_PROGRAMS = 16
GRACE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Fill:
    """The built-in bot that takes free seats when a client has waited for so long."""

    bot: str
    after_ns: int = 10 * SECOND

    def check(self, game: Game) -> None:
        """Refuse a bot that the game does not have."""
        if not game.has_bot(self.bot):
            expected = f"a bot of {game.title}: {game.known_bots}"
            raise SettingError(f"fill {self.bot[:40]!r}: expected {expected}")


@dataclass(frozen=True, slots=True)
class StoredBots:
    """The bots of a datastore; the functions are called in threads."""

    find: Callable[[str], BotPlayer]
    """The bot of that name; SettingError if there is none that could play."""
    entrant: Callable[[int], Entrant]
    """A version, built."""
    launch: Launch


def stored_bots(store: Store, game: Game, builds: BotBuilds) -> StoredBots:
    """The bots of this datastore, in the sandbox or where `builds` has them run."""

    def find(name: str) -> BotPlayer:
        obstacle = builds.obstacle_here()
        if obstacle:
            raise SettingError(f"bot {name[:60]!r}: only built-in bots play here: {obstacle}")
        return find_opponent(store, game, name)

    return StoredBots(find, builds.entrant_here, builds.launch)


class PracticeBots:
    """The practice bots of a server, and the threads in which they think."""

    def __init__(
        self,
        game: Game,
        turn_ns: int,
        stored: StoredBots | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`turn_ns` is what a client has for a turn; built-in bots take half of it at most."""
        self._game = game
        self._stored = stored
        self._threads = futures.ThreadPoolExecutor(THREADS, "practice bot")
        self._context = PlayContext(
            clock,
            self._threads,
            _no_program if stored is None else stored.entrant,
            launch_on_host if stored is None else stored.launch,
            PlaySettings(bot_ns=min(turn_ns // 2, LONGEST_THOUGHT_NS)),
        )
        self._programs: list[MatchBots] = []

    @property
    def names(self) -> tuple[str, ...]:
        return self._game.bot_names

    def find(
        self, name: str, found: Callable[[BotPlayer], None], refused: Callable[[str], None]
    ) -> None:
        """Look for a bot; one of the two is called, now or later in the event loop."""
        if self._game.has_bot(name):
            found(BotPlayer(name, built_in=name))
        elif self._stored is None:
            refused(f"bot {name[:60]!r}: expected one of {self._game.known_bots}")
        else:
            self._threads.submit(_find_stored, self._stored, name, *_later(found, refused))

    def play(self, party: Party, seed: int, reports: BotReports) -> MatchBots:
        """The bots of a match. All reports are made in the event loop that runs now."""
        self._programs = [one for one in self._programs if _is_running(one)]
        if party.has_programs and len(self._programs) >= MOST_PROGRAMS:
            raise SettingError("too many stored bots are playing: try again in a few minutes")
        told = _later(reports.on_ready, reports.on_answer, reports.on_error)
        bots = MatchBots(party, seed, self._context, BotReports(*told))
        if bots.programs:
            self._programs.append(bots)
        return bots

    async def close(self) -> None:
        """Wait for thoughts that have begun, and for programs to end; their matches have ended."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        pending = [one for bots in self._programs for one in bots.pending()]
        await asyncio.to_thread(futures.wait, pending, GRACE_SECONDS)


def _find_stored(
    stored: StoredBots, name: str, found: Callable[..., None], refused: Callable[..., None]
) -> None:
    try:
        bot = stored.find(name)
    except AgonError as error:
        refused(str(error))
    else:
        found(bot)


def log_error(error: Exception) -> None:
    """The arena failed, not a bot."""
    LOG.error("a practice bot failed", exc_info=error)


def _later(*functions: Callable[..., None]) -> tuple[Callable[..., None], ...]:
    """These functions for other threads: they are called in the event loop that runs now."""
    loop = asyncio.get_running_loop()

    def later(function: Callable[..., None]) -> Callable[..., None]:
        return lambda *given: _call(loop, function, *given)

    return tuple(later(function) for function in functions)


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *given: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *given)


def _is_running(bots: MatchBots) -> bool:
    ends = bots.pending()
    return not ends or any(not one.done() for one in ends)


def _no_program(version_id: int) -> Entrant:
    raise SettingError(f"version {version_id}: no programs are run here")
