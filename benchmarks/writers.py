"""How many matches several servers book and store in one PostgreSQL database, and what limits it.

    createdb bench && python -m benchmarks.writers postgresql://agon@localhost/bench

Each writer is a process, as a server is, that does for a match of the ladder what a server does:
books it, takes it, and stores it rated, with its record. Nothing is played meanwhile.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import text

from agon.arena.match_record import stored_form
from agon.arena.rate_match import rate_result
from agon.datastore.bookings import NewBooking
from agon.datastore.bots import NewBot
from agon.datastore.enums import BookingKind
from agon.datastore.store import Store
from agon.datastore.versions import NewVersion
from benchmarks.storing import play_tournament

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.synchronize import Barrier

    from agon.arena.fleet.jobs import PlayedMatch

WRITERS = (1, 4, 16)
MATCHES = 480
BOTS = 50
TICKS = os.sysconf("SC_CLK_TCK")
SPAWN = get_context("spawn")


@dataclass(frozen=True, slots=True)
class WriterReport:
    """What so many writers did together."""

    writers: int
    matches: int
    seconds: float
    own_seconds: float
    """CPU of the writers."""
    server_seconds: float
    """CPU of PostgreSQL, if it is on this machine."""
    written_bytes: int
    """What PostgreSQL has written to its log."""

    def __str__(self) -> str:
        """A row of figures: a match costs so much.

        >>> str(WriterReport(4, 1000, 5.0, 4.0, 2.0, 9_000_000))
        '4 writers: 200 matches a second; each 4.0 ms of CPU here, 2.0 ms of PostgreSQL, 9.0 kB'
        """
        return (
            f"{self.writers} writers: {self.matches / self.seconds:.0f} matches a second; each "
            f"{1000 * self.own_seconds / self.matches:.1f} ms of CPU here, "
            f"{1000 * self.server_seconds / self.matches:.1f} ms of PostgreSQL, "
            f"{self.written_bytes / self.matches / 1000:.1f} kB"
        )


def measure_writers(where: str, writers: int, matches: int, bots: int = BOTS) -> WriterReport:
    """Have so many matches stored by so many processes together."""
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "agon.db") as own:
        played = play_tournament(own, "sample", 1)[0]
    with Store.open(where) as store:
        versions = [add_version(store, number) for number in range(bots)]
        barrier = SPAWN.Barrier(writers + 1)
        shares = [matches // writers] * writers
        processes = [
            SPAWN.Process(target=write, args=(where, share, versions, played, barrier))
            for share in shares
        ]
        for process in processes:
            process.start()
        barrier.wait()  # all are connected
        begin, before = time.perf_counter(), read_usage(store, processes_of(processes))
        barrier.wait()  # all are done
        seconds, after = time.perf_counter() - begin, read_usage(store, processes_of(processes))
        barrier.wait()
        for process in processes:
            process.join()
    used = [later - sooner for later, sooner in zip(after, before, strict=True)]
    return WriterReport(writers, sum(shares), seconds, used[0], used[1], int(used[2]))


def add_version(store: Store, number: int) -> int:
    bot = store.bots.ensure(NewBot("hive", f"bot {number}", 1))
    return store.versions.ensure(bot.id, NewVersion(1, run="./bot")).id


def write(
    where: str, matches: int, versions: Sequence[int], played: PlayedMatch, barrier: Barrier
) -> None:
    """What one writer does, in a process of its own."""
    rng = Random(os.getpid())  # noqa: S311
    with Store.open(where) as store:
        write_match(store, rng.sample(versions, 2), played)
        barrier.wait()
        for _ in range(matches):
            write_match(store, rng.sample(versions, 2), played)
        barrier.wait()
        barrier.wait()


def write_match(store: Store, versions: Sequence[int], played: PlayedMatch) -> None:
    now_ns = time.time_ns()
    fixture = f"hive {os.getpid()} {now_ns}"
    seats = tuple(versions)
    new = NewBooking(
        BookingKind.LADDER, "hive", played.options, 7, seats, now_ns, {"round": 1}, fixture=fixture
    )
    booking = store.bookings.take_one(store.bookings.add(new).id, now_ns)
    assert booking  # noqa: S101  no one else knows of it
    match = stored_form(played, versions, now_ns, time.time_ns())
    rate = rate_result(played, versions)
    store.record_booked_match(booking.id, match, now_ns, rate, booking.attempts)


def processes_of(processes: Sequence[object]) -> list[int]:
    return [int(getattr(process, "pid", 0)) for process in processes]


def read_usage(store: Store, writers: Sequence[int]) -> tuple[float, float, float]:
    """CPU seconds of the writers and of PostgreSQL, and bytes of its log, until now."""
    with store.database.read() as connection:
        servers = connection.execute(text("SELECT pid FROM pg_stat_activity")).scalars().all()
        written = connection.execute(text("SELECT pg_current_wal_lsn() - '0/0'")).scalar_one()
    return sum(map(cpu_seconds, writers)), sum(map(cpu_seconds, servers)), float(written)


def cpu_seconds(process: int) -> float:
    """What a process of this machine has used; 0 if there is none such."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    return 0.0


if __name__ == "__main__":
    for number in WRITERS:
        print(measure_writers(sys.argv[1], number, MATCHES), flush=True)
