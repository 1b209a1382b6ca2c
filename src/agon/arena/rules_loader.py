"""The rules of games in a process that must not stop to compile them: another process does that.

Python can do little else while it compiles, and a site has pages to answer. So kernels of all games
are held here: where one would have to be compiled, RulesNotReadyError is raised. Rules that were
compiled before are loaded; the others are compiled one game after the other. Each game is ready as
soon as its rules are loaded. A site may make some games ready from the start; the others follow
when one of their kernels is first asked for.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from concurrent.futures import CancelledError, Future
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING

from agon.arbiter.first_use import use_boards, use_bots, use_rules
from agon.arbiter.pool import StoppedError
from agon.errors import RulesNotReadyError
from agon.games.registry import all_games
from agon.kernel import hold_kernels, kept_cache, release_kernels, require_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.game import Game

LOG = logging.getLogger("agon.arena")
NICE = 10
"""How much the compiling process stands back."""


def await_rules(game: Game) -> None:
    """Wait until the rules of a game are ready, in a thread that may; StoppedError at the end."""
    try:
        require_kernels(game.package)
    except RulesNotReadyError as error:
        try:
            error.ready.result()
        except CancelledError:
            raise StoppedError("the site ends") from None


class RulesLoader:
    """Makes these games ready, one after the other, in a thread."""

    def __init__(
        self,
        games: Sequence[Game],
        tell: Callable[[str], None] = lambda told: None,
        compile_rules: Callable[[Game], None] | None = None,
    ) -> None:
        """From now on kernels are held. `compile_rules` returns when it has compiled a game's."""
        self.ready: dict[str, Future[None]] = {game.name: Future() for game in games}
        """By the game's name: done when its rules are loaded, cancelled by `stop`."""
        self._games = games
        self._wanted: SimpleQueue[Game | None] = SimpleQueue()
        """Games besides these, and None at the end."""
        self._tell = tell
        self._compile = compile_rules or self._compile_apart
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._is_stopped = False
        self._thread = Thread(target=self._run, name="rules", daemon=True)
        for game in all_games():
            hold_kernels(game.package, partial(self._not_ready, game))

    @property
    def is_done(self) -> bool:
        return not self._waiting

    @property
    def has_died(self) -> bool:
        """Whether the thread has ended, though it was not stopped."""
        is_started = self._thread.ident is not None
        return is_started and not self._thread.is_alive() and not self._is_stopped

    @property
    def progress(self) -> str:
        """How far it is, in words."""
        waiting = ", ".join(game.title for game in self._waiting)
        ready = len(self._games) - len(self._waiting)
        told = f"{ready} of {len(self._games)} games are ready"
        return f"{told}; next: {waiting}" if waiting else told

    def start(self) -> None:
        self._thread.start()

    def want(self, game: Game) -> Future[None]:
        """Done when a game is ready; one of the others is compiled now. From any thread."""
        with self._lock:
            if game.name not in self.ready:
                self.ready[game.name] = Future()
                self._wanted.put(game)
                if self._is_stopped:
                    self.ready[game.name].cancel()
            return self.ready[game.name]

    def stop(self) -> None:
        self._wanted.put(None)
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._process.terminate()
        if self._thread.ident is not None:
            self._thread.join()
        for future in self.ready.values():
            future.cancel()
        for game in all_games():
            release_kernels(game.package)

    def _not_ready(self, game: Game) -> RulesNotReadyError:
        told = f"the rules of {game.title} are being compiled"
        return RulesNotReadyError(told, self.want(game))

    @property
    def _waiting(self) -> list[Game]:
        return [game for game in self._games if not self.ready[game.name].done()]

    def _run(self) -> None:
        for game in self._games:
            self._load(game)
        for game in self._waiting:
            if self._is_stopped:
                return
            count = f"{len(self._games) - len(self._waiting)} of {len(self._games)}"
            self._tell(f"compiling the rules of {game.title}; {count} games are ready")
            self._make_ready(game)
        self._tell("all games are ready")
        while (wanted := self._wanted.get()) is not None:
            if not self._load(wanted):
                self._tell(f"compiling the rules of {wanted.title}")
                self._make_ready(wanted)

    def _make_ready(self, game: Game) -> None:
        self._compile(game)
        if not self._is_stopped and not self._load(game):
            LOG.error("%s: its rules are compiled when they are first used", game.title)
            self._release(game)

    def _load(self, game: Game) -> bool:
        """Whether all that matches use could be loaded."""
        try:
            use_rules(game)
            use_boards(game)
            use_bots(game, game.options(), game.bot_names)
        except RulesNotReadyError:
            return False
        self._release(game)
        return True

    def _release(self, game: Game) -> None:
        release_kernels(game.package)
        self.ready[game.name].set_result(None)

    def _compile_apart(self, game: Game) -> None:
        """Compile in a process of its own, at low priority."""
        if kept_cache() is None:
            return  # another process could not hand them over
        command = [sys.executable, "-m", "agon", "warm", "--play", game.name]
        with self._lock:
            if self._is_stopped:
                return
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603
        os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        self._process.wait()
