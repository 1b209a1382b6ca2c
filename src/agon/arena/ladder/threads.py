"""The threads of the ladder: some play its matches, and for each game one shows some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arena.ladder.service import LadderService
from agon.arena.pace import Pace
from agon.arena.shown_matches import ShownMatches
from agon.arena.worker_thread import Worker, WorkerPool
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.live_matches import LiveMatches
    from agon.arena.match_runner import MatchRunner
    from agon.arena.settings import WorkerSettings
    from agon.datastore.store import Store


class LadderThreads:
    """None of them runs yet."""

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        match_runner: MatchRunner,
        bot_builds: BotBuilds,
        settings: WorkerSettings,
        clock: Callable[[], int],
        now_ns: Callable[[], int],
        stopping: Event,
        room: Callable[[], int],
    ) -> None:
        """Showing ends when `stopping` is set. `room`: for how many matches there is room now."""
        games = [find_game(name) for name in settings.ladder]
        shown = {
            game.name: ShownMatches(
                store,
                game,
                live_matches,
                Pace(settings.pace_ns, clock, stopping),
                now_ns,
                self.ring,
            )
            for game in games
        }
        self._showing = {name: Worker(f"show {name}", one.show_next) for name, one in shown.items()}
        self.service = LadderService(
            store,
            games,
            match_runner,
            bot_builds,
            lambda name: shown[name].is_wanting,
            lambda name: self._showing[name].ring(),
            clock,
            now_ns,
            room,
        )
        self.playing = WorkerPool("ladder", self.service.play_next, room if games else lambda: 0)
        self.showing = [*self._showing.values()]

    def ring(self) -> None:
        """There may be a match to be played."""
        self.playing.ring()
