"""A disk that is full under a running arena: it says so, waits, and has lost nothing after it."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import httpx
import pytest

from agon.datastore import BookingFilter, BookingKind, BookingState, MatchFilter, Store
from agon.datastore.integrity import check_database
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LADDER = ("--game", "mebipenny", "--pace", "0s")


def wait_for(what: str, is_there: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not is_there():
        assert time.monotonic() < end, f"{what}: {log.read_text()}"
        time.sleep(0.05)


def fill_disk(file: Path) -> None:
    with file.open("wb", buffering=0) as ballast:
        for size in (1 << 16, 1 << 12):
            try:
                while ballast.write(b"\0" * size):
                    pass
            except OSError:
                continue


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A folder that is a file system of a few MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    made = subprocess.run(mount, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"a small disk needs the right to mount: {made.stderr}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)  # noqa: S607


@pytest.mark.system
def test_a_full_disk(tmp_path: Path, disk: Path) -> None:
    with (
        running_arena(disk, *LADDER, log=tmp_path / "log.txt") as arena,
        Store.open(disk / "agon.db", create=False) as store,
    ):

        def played() -> int:
            return store.matches.count(MatchFilter())

        wait_for("matches", lambda: played() > 2, arena.log)
        fill_disk(disk / "ballast")
        wait_for("the warning", lambda: "disk is full" in arena.log.read_text(), arena.log)
        account = {"name": "ada", "password": "correct horse battery", "again": ""}
        account["again"] = account["password"]
        own = {"Origin": arena.address}
        register = f"{arena.address}/register"
        refused = httpx.post(register, data=account, headers=own)
        assert refused.status_code == 503
        assert refused.headers["Retry-After"] == "10"
        assert str(disk) not in refused.text
        assert httpx.get(f"{arena.address}/matches/1").status_code == 200
        (disk / "ballast").unlink()
        before = played()
        wait_for("its return", lambda: "answers again" in arena.log.read_text(), arena.log)
        wait_for("matches again", lambda: played() > before + 2, arena.log)
        assert httpx.post(register, data=account, headers=own).status_code == 303
        assert check_database(store.database) == []
        booked = store.bookings.find(BookingFilter(kind=BookingKind.LADDER), 10_000)
        done = [one.match_id for one in booked if one.state is BookingState.DONE]
        assert len(done) == len({*done})
        assert {one.state for one in booked} <= {BookingState.DONE, BookingState.RUNNING}
