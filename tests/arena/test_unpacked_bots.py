"""Files of stored bots on the disk: private, with the data, and removed even after a kill."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from agon.arbiter.build_cache import find_cache
from agon.arena.bot_builds import BotBuilds
from agon.arena.unpacked_bots import PLACE, UnpackedBots
from agon.datastore.bots import NewBot
from agon.datastore.store import Store
from agon.datastore.versions import NewFile, NewVersion

SOURCES = Path(__file__).parents[2] / "src"
# A process that unpacks the first version and begins a build, and is killed in the middle of both.
VICTIM = """
import sys, time
from agon.arbiter.build_cache import find_cache
from agon.arena.bot_builds import BotBuilds
from agon.datastore.store import Store
folder = BotBuilds(Store.open(sys.argv[1])).unpack(1)
with find_cache().new_folder() as half_built:
    print(folder, half_built, flush=True)
    time.sleep(1000)
"""


def store_bot(store: Store) -> int:
    bot = store.bots.ensure(NewBot("hive", "mine", 1))
    files = {
        "bot.toml": NewFile(b'name = "mine"\nrun = "./bot"\n'),
        "deep/bot": NewFile(b"#!/bin/sh\n", executable=True),
    }
    return store.versions.ensure(bot.id, NewVersion(1, run="./bot", files=files)).id


def test_they_are_private_and_lie_with_the_data(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        version, unpacked = store_bot(store), UnpackedBots(store)
        folder = unpacked.folder(version)
        assert folder is not None
        assert folder == unpacked.folder(version)
        assert folder.is_relative_to(tmp_path / PLACE)
        assert stat.S_IMODE((tmp_path / PLACE).stat().st_mode) == 0o700
        assert os.access(folder / "deep" / "bot", os.X_OK)
        unpacked.close()
        assert not list((tmp_path / PLACE).iterdir())


def test_what_a_killed_process_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    for name in ("data", "cache", "tmp"):
        (tmp_path / name).mkdir()
    where = tmp_path / "data" / "agon.db"
    environment = {
        "PYTHONPATH": str(SOURCES),
        "HOME": str(tmp_path),
        "AGON_CACHE": str(tmp_path / "cache"),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    with Store.open(where) as store:
        store_bot(store)
        victim = subprocess.Popen(
            [sys.executable, "-c", VICTIM, str(where)], stdout=subprocess.PIPE, env=environment
        )
        assert victim.stdout is not None
        with victim.stdout:
            left = [Path(word.decode()) for word in victim.stdout.readline().split()]
        mine = UnpackedBots(store)
        ours = mine.folder(1)
        assert len(left) == 2
        assert all(path.is_dir() for path in left), "it is at work"
        victim.kill()
        victim.wait()
        assert not list((tmp_path / "tmp").iterdir())
        BotBuilds(store).close()
        find_cache({"AGON_CACHE": str(tmp_path / "cache")})
        assert not any(path.exists() for path in left)
        assert ours is not None
        assert ours.is_dir(), "what lives is left alone"
        mine.close()
