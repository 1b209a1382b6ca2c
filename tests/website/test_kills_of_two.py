"""Two servers on one PostgreSQL play a contest of programs while they and their workers are killed.

Every match is played once, and the table is that of a contest that nothing has disturbed.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import pytest

from agon.arena.contests.terms import Seeding, Terms, save_terms
from agon.datastore import (
    ContestState,
    MatchFilter,
    NewBot,
    NewContest,
    NewFile,
    NewVersion,
    Store,
    VersionStatus,
)
from agon.datastore.integrity import check_database
from tests.datastore.server import running_postgresql
from tests.website.running import running_arena

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.datastore.server import PostgreSQL
    from tests.website.running import Arena

Table: TypeAlias = dict[tuple[object, ...], tuple[int, ...]]
NOON = 1_760_000_000_000_000_000
BOTS = 5
ROUNDS = int(os.environ.get("AGON_KILL_ROUNDS", "50"))
MATCHES = ROUNDS * BOTS * (BOTS - 1)
KILLS = 20
HURRY_S = 1800
ALL = 10**6
QUIETLY = ("--no-ladder", "--jobs", "2")
SETTINGS = """name = "counter"
games = ["mebipenny"]
run = "python3 bot.py {number}"
"""
SOURCE = """
import json, sys
number = int(sys.argv[1])
print("legal", flush=True)
for news in map(json.loads, sys.stdin):
    if "legal" in news:
        moves = news["legal"]
        print(json.dumps(moves[number % len(moves)]), flush=True)
"""


def prepare(store: Store) -> int:
    """Programs that always play the same, and a contest of them that has begun: its id."""
    user = store.users.add("ada", "…", NOON, organiser=True)
    terms = Terms(ROUNDS, turn_ns=10 * 10**9, pace_ns=0, jobs=4, seeding=Seeding.ENTRY, bots_each=9)
    contest = store.contests.add(
        NewContest("cup", "mebipenny", "round-robin", {"rows": 3, "cols": 3}, save_terms(terms)),
        user.id,
        NOON,
    )
    store.contests.set_state(contest.id, ContestState.OPEN)
    for number in range(BOTS):
        files = {
            "bot.toml": NewFile(SETTINGS.format(number=number).encode()),
            "bot.py": NewFile(SOURCE.encode()),
        }
        new = NewVersion(NOON, run=f"python3 bot.py {number}", files=files)
        _, version, _ = store.submit_version(
            NewBot("mebipenny", f"counter {number}", NOON, user.id), new, NOON
        )
        check = store.checks.take(NOON)
        assert check is not None
        store.checks.end(check.id, passed=True, now_ns=NOON)
        assert store.versions.get(version.id).status is VersionStatus.ACTIVE
        store.contests.enter(contest.id, version.id, user.id, NOON)
    store.contests.set_state(contest.id, ContestState.CLOSED)
    store.contests.set_state(contest.id, ContestState.RUNNING)
    return contest.id


def played(store: Store) -> Table:
    """The scores of every match, by its fixture."""
    matches = store.matches.find(MatchFilter(), limit=ALL)
    table: Table = {
        (match.fixture, match.seed, *(seat.bot for seat in match.seats)): tuple(
            seat.score for seat in match.seats
        )
        for match in matches
    }
    assert len(table) == len(matches)
    return table


def play(server: PostgreSQL, name: str, folder: Path, disturb: Callable[[Servers], None]) -> Table:
    """A contest on two servers, and what came of it."""
    folder.mkdir()
    server.execute(f"CREATE DATABASE {name}")
    url = server.url(name)
    with Store.open(url) as store:
        contest = prepare(store)
        with Servers(url, folder) as servers:
            end = time.monotonic() + HURRY_S
            while store.contests.get(contest).state is not ContestState.FINISHED:
                assert store.contests.get(contest).state is ContestState.RUNNING, servers.log
                assert time.monotonic() < end, servers.log
                disturb(servers)
        assert check_database(store.database) == []
        return played(store)


class Servers:
    """Two servers; one that is killed is started again."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._stacks = [ExitStack(), ExitStack()]
        self.arenas: list[Arena] = []
        self.kills = 0

    def __enter__(self) -> Servers:
        self.arenas = [self._start(place) for place in range(2)]
        return self

    def __exit__(self, *_: object) -> None:
        for stack in self._stacks:
            stack.close()

    @property
    def log(self) -> str:
        return "\n".join(file.read_text() for file in sorted(self._folder.rglob("log.txt")))

    def _start(self, place: int) -> Arena:
        arena = running_arena(self._folder / f"server{place}", *QUIETLY, "--data", self._url)
        return self._stacks[place].enter_context(arena)

    def kill_server(self, place: int) -> None:
        self.arenas[place].process.send_signal(signal.SIGKILL)
        self.arenas[place].process.wait()
        self._stacks[place].close()
        self.arenas[place] = self._start(place)
        self.kills += 1

    def kill_worker(self, chance: Random) -> None:
        """Kill a process that plays matches, if there is one."""
        workers = [
            pid
            for arena in self.arenas
            for pid in descendants(arena.process.pid)
            if b"forkserver" in command_of(pid)
        ]
        if workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            self.kills += 1


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def descendants(pid: int) -> Iterator[int]:
    for child in map(int, (path.name for path in Path("/proc").glob("[0-9]*"))):
        if parent_of(child) == pid:
            yield child
            yield from descendants(child)


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@pytest.mark.slow
@pytest.mark.system
def test_every_match_is_played_once_and_the_table_is_the_same(tmp_path: Path) -> None:
    chance = Random(5)  # noqa: S311

    def kill_sometimes(servers: Servers) -> None:
        time.sleep(chance.random() * 3)
        if servers.kills >= KILLS:
            return
        if chance.random() < 0.5:
            servers.kill_server(chance.randrange(2))
        else:
            servers.kill_worker(chance)

    with running_postgresql(synchronous_commit="on") as server:
        quiet = play(server, "quiet", tmp_path / "quiet", lambda servers: time.sleep(1))
        disturbed = play(server, "disturbed", tmp_path / "disturbed", kill_sometimes)
    assert len(quiet) == MATCHES
    assert disturbed == quiet
