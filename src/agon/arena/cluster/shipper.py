"""Makes jobs ready to travel: bots without their folders, files and compiled rules as packs."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from agon.arbiter.sandboxed import settle
from agon.arena.bot_versions import read_files
from agon.arena.cluster.file_packs import FilePack, pack_kernels
from agon.arena.cluster.node_worker import Shipment
from agon.arena.fleet.jobs import ResampleRatings
from agon.kernel import kept_cache

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agon.arbiter.bot_process import Program
    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.jobs import Job
    from agon.arena.fleet.task_runner import FleetSettings


class Shipper:
    """Packs what jobs need, each thing once. Threads may share it."""

    def __init__(self, settings: FleetSettings, keep: Callable[[FilePack], object]) -> None:
        """`keep` has a pack where other machines can fetch it."""
        self._settings = settings
        self._keep = keep
        self._sent: dict[Path, str] = {}
        """The digest of what was packed, by its folder."""
        self._shipped_games: set[str] = set()
        self._lock = Lock()

    def ship(self, job: Job, bots: Sequence[Entrant], is_followed: bool) -> Shipment:
        files, travelling = {}, []
        for bot in bots:
            if bot.program is not None:
                program = bot.program if bot.program.folder else settle(bot.program)
                if (folder := program.folder) is not None:
                    files[bot.name] = self._send_bot(folder, is_built=bool(program.build))
                bot = replace(bot, program=without_folder(program))
            travelling.append(bot)
        kernels = "" if isinstance(job, ResampleRatings) else self._send_kernels(job.game)
        return Shipment(job, tuple(travelling), files, kernels, is_followed, self._settings)

    def _send_bot(self, folder: Path, *, is_built: bool) -> str:
        """A bot's files, as they are when it is first sent, for all machines to fetch."""
        with self._lock:
            if folder not in self._sent:
                found = read_files(folder, is_built)
                files = ((name, file.content, file.executable) for name, file in found.items())
                self._sent[folder] = self._send(FilePack.of(files))
            return self._sent[folder]

    def _send_kernels(self, game: str) -> str:
        """The compiled rules of this machine, again for another game: they may be new."""
        home = kept_cache()
        if home is None:
            return ""
        with self._lock:
            if game not in self._shipped_games:
                self._shipped_games.add(game)
                self._sent[home] = self._send(pack_kernels(home))
            return self._sent[home]

    def _send(self, pack: FilePack) -> str:
        self._keep(pack)
        return pack.digest


def without_folder(program: Program) -> Program:
    """The program as it travels: words of its command that name its files are relative."""
    folder = f"{program.folder}/"
    run = tuple(word.removeprefix(folder) for word in program.run)
    return replace(program, run=run, folder=None)
