"""Two servers on one PostgreSQL play a contest and challenges of programs while they are killed.

Once each plays on processes of its own, and once both on a cluster of several nodes; servers,
worker processes and nodes are killed. Every match is played once, and all results and the official
table are those of a run that nothing disturbed. Nothing is left on the machine.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from agon.arena.contests.terms import Seeding, Terms, save_terms
from agon.arena.official_table import table_from_counts
from agon.datastore import (
    BookingFilter,
    BookingKind,
    BookingState,
    ContestState,
    MatchFilter,
    NewBooking,
    NewBot,
    NewContest,
    NewFile,
    NewVersion,
    Store,
    VersionStatus,
)
from agon.datastore.integrity import check_database
from agon.games.registry import find_game
from tests.cli.process import call_agon
from tests.datastore.server import running_postgresql
from tests.waiting import wait_for
from tests.website.killing import (
    Cluster,
    Servers,
    Target,
    left_files,
    left_groups,
    own_folders,
    running,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from agon.datastore import StoredMatch
    from tests.datastore.server import PostgreSQL

LOG = logging.getLogger(__name__)
Result: TypeAlias = tuple[object, ...]
GAME = find_game("mebipenny")
OPTIONS = {"rows": 3, "cols": 3}
NOON = 1_760_000_000_000_000_000
BOTS = 5
ROUNDS = int(os.environ.get("AGON_KILL_ROUNDS", "15"))
"""25: 500 matches of the contest, 500 challenges, and 20 kills."""
FIXTURES = ROUNDS * BOTS * (BOTS - 1)
CHALLENGES = FIXTURES
KILLS = min(20, ROUNDS * 4 // 5)
ON_PROCESSES = (Target.FIRST_SERVER, Target.WORKER, Target.SECOND_SERVER, Target.WORKER)
ON_A_CLUSTER = (*ON_PROCESSES, Target.NODE, Target.NODE)
MARK = f"of-test-{os.getpid()}"
"""In the command line of every bot."""
HURRY_S = 1800
ALL = 10**6
SETTINGS = """name = "counter"
games = ["mebipenny"]
run = "python3 bot.py {number} {mark}"
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


@dataclass(frozen=True)
class Played:
    """What came of a run."""

    contest: dict[Result, Result]
    """The result of every fixture."""
    challenges: dict[int, Result]
    """By booking."""
    table: dict[str, Any]
    """The official one."""
    attempts: Counter[int]
    """How often a booking was begun."""


def prepare(store: Store) -> int:
    """Programs that always play the same, challenges, and a contest that has begun: its id."""
    user = store.users.add("ada", "…", NOON, organiser=True)
    terms = Terms(ROUNDS, turn_ns=10 * 10**9, pace_ns=0, jobs=4, seeding=Seeding.ENTRY, bots_each=9)
    contest = store.contests.add(
        NewContest("cup", GAME.name, "round-robin", OPTIONS, save_terms(terms)), user.id, NOON
    )
    store.contests.set_state(contest.id, ContestState.OPEN)
    versions = [add_bot(store, user.id, number) for number in range(BOTS)]
    for version in versions:
        store.contests.enter(contest.id, version, user.id, NOON)
    book(store, versions, CHALLENGES)
    store.contests.set_state(contest.id, ContestState.CLOSED)
    store.contests.set_state(contest.id, ContestState.RUNNING)
    return contest.id


def book(store: Store, versions: Sequence[int], number: int) -> None:
    """Challenges, each with a seed of its own."""
    chance = Random(7)  # noqa: S311
    for seed in range(number):
        seats = tuple(chance.sample(versions, 2))
        store.bookings.add(NewBooking(BookingKind.CHALLENGE, GAME.name, OPTIONS, seed, seats, NOON))


def add_bot(store: Store, user: int, number: int) -> int:
    """The id of its version, which has passed its check."""
    files = {
        "bot.toml": NewFile(SETTINGS.format(number=number, mark=MARK).encode()),
        "bot.py": NewFile(SOURCE.encode()),
    }
    new = NewVersion(NOON, run=f"python3 bot.py {number} {MARK}", files=files)
    bot = NewBot(GAME.name, f"counter {number}", NOON, user)
    _, version, _ = store.submit_version(bot, new, NOON)
    check = store.checks.take(NOON)
    assert check is not None
    store.checks.end(check.id, passed=True, now_ns=NOON)
    assert store.versions.get(version.id).status is VersionStatus.ACTIVE
    return version.id


def play(
    store: Store, servers: Servers, contest: int, disturb: Callable[[Servers, int], None]
) -> None:
    """Play all; `disturb` is called again and again meanwhile."""
    end = time.monotonic() + HURRY_S
    while not is_contest_over(store, contest) or count_open(store):
        assert time.monotonic() < end, servers.log
        disturb(servers, store.matches.count(MatchFilter()))
        time.sleep(0.05)
    wait_for(lambda: not running(MARK), lambda: running(MARK))  # while servers and nodes go on


def is_contest_over(store: Store, contest: int) -> bool:
    state = store.contests.get(contest).state
    assert state in (ContestState.RUNNING, ContestState.FINISHED), state
    return state is ContestState.FINISHED


def count_open(store: Store) -> int:
    return sum(not one.is_over for one in store.bookings.find(BookingFilter(), ALL))


def read_played(store: Store, url: str) -> Played:
    """What is stored, when it was found to be sound."""
    assert check_database(store.database) == []
    verified = call_agon("verify", "--ratings", GAME.name, "--data", url, "--json")
    assert json.loads(verified.stdout)["ok"], verified.stdout
    matches = {match.id: match for match in store.matches.find(MatchFilter(), ALL)}
    bookings = store.bookings.find(BookingFilter(), ALL)
    assert [(one, one.reason) for one in bookings if one.state is not BookingState.DONE] == []
    booked = {one.id: matches.pop(one.match_id or 0) for one in bookings}  # each has its own
    contest: dict[Result, Result] = {
        (one.fixture, one.seed, *names(one)): result_of(one) for one in matches.values()
    }
    assert len(contest) == len(matches)
    return Played(
        contest,
        {booking: (one.seed, *names(one), *result_of(one)) for booking, one in booked.items()},
        table_from_counts(store.result_counts.find(GAME.name), GAME.rules_version).to_json(),
        Counter(one.attempts for one in bookings),
    )


def names(match: StoredMatch) -> list[str]:
    return [seat.bot for seat in match.seats]


def result_of(match: StoredMatch) -> Result:
    faults = [seat.fault for seat in match.seats]
    return match.turns, match.reason, *(seat.score for seat in match.seats), *faults


class Killer:
    """Kills the targets in a random order, at random moments of the first half of the run."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._chance = Random(5)  # noqa: S311
        self._plan = list(islice(cycle(targets), KILLS))
        self._chance.shuffle(self._plan)
        self._goals = sorted(self._chance.sample(range((FIXTURES + CHALLENGES) // 2), KILLS))
        self.kills: Counter[Target] = Counter()

    def disturb(self, servers: Servers, stored: int) -> None:
        done = self.kills.total()
        if done < KILLS and stored >= self._goals[done]:
            time.sleep(self._chance.random() * 0.3)  # any moment of the next matches
            servers.kill(self._plan[done], self._chance)
            self.kills[self._plan[done]] += 1


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with running_postgresql(synchronous_commit="on") as server:
        yield server


def run(
    server: PostgreSQL,
    name: str,
    logs: Path,
    disturb: Callable[[Servers, int], None],
    cluster: Cluster | None = None,
) -> Played:
    """Play all in a new database, and end in order."""
    server.execute(f"CREATE DATABASE {name}")
    url = server.url(name)
    with Store.open(url) as store:
        contest = prepare(store)
        with Servers(url, logs, cluster) as servers:
            play(store, servers, contest, disturb)
        players = {one.server_id for one in store.bookings.find(BookingFilter(), ALL)}
        assert len(players) >= 2, "both servers play"
        return read_played(store, url)


@pytest.fixture(scope="module")
def undisturbed(server: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Played:
    with own_folders():
        logs = tmp_path_factory.mktemp("undisturbed")
        return run(server, "undisturbed", logs, lambda servers, stored: None)


@pytest.mark.parametrize("is_cluster", [False, True], ids=["processes", "cluster"])
@pytest.mark.slow
@pytest.mark.system
def test_every_match_is_played_once_and_nothing_is_left(
    server: PostgreSQL, undisturbed: Played, tmp_path: Path, is_cluster: bool
) -> None:
    groups = left_groups()
    killer = Killer(ON_A_CLUSTER if is_cluster else ON_PROCESSES)
    with own_folders() as home:
        with ExitStack() as stack:
            cluster = stack.enter_context(Cluster(tmp_path)) if is_cluster else None
            name = "on_a_cluster" if is_cluster else "on_processes"
            played = run(server, name, tmp_path, killer.disturb, cluster)
        wait_for(lambda: not running(str(home)))
        assert left_files(home) == set()
    LOG.info("%s; bookings by attempts: %s", killer.kills, played.attempts)
    assert left_groups() <= groups
    assert killer.kills.total() == KILLS, f"all was played after {killer.kills.total()} kills"
    assert killer.kills.keys() == set(ON_A_CLUSTER if is_cluster else ON_PROCESSES)
    assert any(attempts > 1 for attempts in played.attempts)
    assert (len(played.contest), len(played.challenges)) == (FIXTURES, CHALLENGES)
    assert played.contest == undisturbed.contest
    assert played.challenges == undisturbed.challenges
    assert played.table == undisturbed.table


@pytest.mark.slow
@pytest.mark.system
def test_what_a_server_plays_that_was_taken_for_gone_is_stored_once(
    server: PostgreSQL, tmp_path: Path
) -> None:
    """It is stopped in the middle of matches, which the other one begins anew; then it goes on."""
    server.execute("CREATE DATABASE taken_for_gone")
    url = server.url("taken_for_gone")
    with own_folders(), Store.open(url) as store:
        user = store.users.add("ada", "…", NOON, organiser=True)
        versions = [add_bot(store, user.id, number) for number in range(2)]
        with Servers(url, tmp_path, None) as servers:
            gone, other = (one.id for one in store.servers.all())
            book(store, versions, 30)
            wait_for(lambda: bool(running_on(store, gone)))
            process = servers.arenas[0].process
            process.send_signal(signal.SIGSTOP)
            begun = running_on(store, gone)
            wait_for(lambda: [one.id for one in store.servers.all()] == [other])
            wait_for(lambda: not running_on(store, gone))
            process.send_signal(signal.SIGCONT)
            wait_for(lambda: not count_open(store))
            wait_for(lambda: len(store.servers.all()) == 2)  # it has begun anew
        played = read_played(store, url)
        assert [store.bookings.get(one).attempts for one in begun] == [2] * len(begun)
        assert (len(played.challenges), len(played.contest)) == (30, 0)
        assert store.matches.count(MatchFilter()) == 30


def running_on(store: Store, server_id: int) -> list[int]:
    """The bookings that a server plays."""
    wanted = BookingFilter(state=BookingState.RUNNING)
    return [one.id for one in store.bookings.find(wanted, ALL) if one.server_id == server_id]
