"""The site's figures, as metrics.

Each reading is cheap however much is stored: counters are kept by the process, and of the datastore
only what waits and runs is read.
"""

from __future__ import annotations

import time
from collections import Counter
from importlib.metadata import version
from itertools import product
from typing import TYPE_CHECKING

from agon.arena.fleet.jobs import JobFailure
from agon.arena.fleet.local_fleet import LocalFleet
from agon.datastore.bookings import OPEN, WAITING
from agon.datastore.enums import BookingKind, CheckState, MatchStatus
from agon.datastore.gauges import booking_queues, check_queues, count_contests, size_in_bytes
from agon.errors import DatabaseError
from agon.games.registry import game_names
from agon.match.transcript import Fault
from agon.website.monitoring.exposition import Kind, Metric, Sample
from agon.website.monitoring.health import dead_threads
from agon.website.monitoring.machines import read_machines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.arena.workers import Workers
    from agon.website.monitoring.machines import Machine
    from agon.website.site import Site

SECOND = 10**9
CHECKING = (CheckState.QUEUED, CheckState.RUNNING)
STATUS_DIGITS = (2, 3, 4, 5)


def read_figures(site: Site, clock: Callable[[], int] = time.monotonic_ns) -> list[Metric]:
    """All figures at this moment; `clock` counts nanoseconds."""
    figures = [
        _gauge("agon_info", "The version of Agon that runs.", 1, {"version": version("agon")}),
        *_datastore(site, clock),
        *_stored(site),
        *_watching(site),
        _gauge("agon_draining", "Whether no match begins any more.", int(site.draining.is_set())),
    ]
    if site.workers is not None:
        figures += [*_jobs(site.workers), *_cluster(site, site.workers)]
    if site.rules is not None:
        ready = [one.done() for one in site.rules.ready.values()]
        figures += [
            _gauge("agon_games_ready", "Games whose rules are loaded.", sum(ready)),
            _gauge("agon_games_wanted", "Games whose rules are loaded or compiled.", len(ready)),
        ]
    return figures


def _datastore(site: Site, clock: Callable[[], int]) -> list[Metric]:
    """What is read of the datastore; only that it does not answer if it does not."""
    database, begin = site.store.database, clock()
    up = ("agon_datastore_up", "Whether the datastore answers.")
    try:
        bookings, checks = booking_queues(database), check_queues(database)
        contests, size = count_contests(database), size_in_bytes(database)
    except DatabaseError:
        return [_gauge(*up, 0)]
    took = (clock() - begin) / SECOND
    now_ns = site.now_ns()
    kinds = list(product(BookingKind, OPEN))
    oldest = [one.oldest_ns for (_, state), one in bookings.items() if state in WAITING]
    next_check = checks.get(CheckState.QUEUED)
    return [
        _gauge(*up, 1),
        _gauge("agon_datastore_read_seconds", "How long it took to read the queues.", took),
        _gauge("agon_datastore_bytes", "The size of the datastore on disk.", size),
        Metric(
            "agon_bookings",
            "Matches that wait or are played.",
            Kind.GAUGE,
            tuple(
                Sample(found.length if found else 0, {"kind": kind, "state": state})
                for kind, state in kinds
                for found in [bookings.get((kind, state))]
            ),
        ),
        _gauge(
            "agon_bookings_oldest_seconds",
            "How long the oldest of the matches that wait has waited.",
            (now_ns - min(oldest, default=now_ns)) / SECOND,
        ),
        _by_label(
            "agon_checks",
            "Checks of bots that wait or run.",
            Kind.GAUGE,
            "state",
            {state: checks[state].length if state in checks else 0 for state in CHECKING},
        ),
        _gauge(
            "agon_checks_oldest_seconds",
            "How long the oldest of the checks that wait has waited.",
            (now_ns - next_check.oldest_ns) / SECOND if next_check else 0,
        ),
        _by_label("agon_contests", "Contests.", Kind.GAUGE, "state", contests),
    ]


def _stored(site: Site) -> list[Metric]:
    tally = site.store.tally
    matches, faults = tally.matches, tally.faults
    return [
        Metric(
            "agon_matches_stored_total",
            "Matches that this server has stored; void ones count for no bot.",
            Kind.COUNTER,
            tuple(
                Sample(matches.get((game, status), 0), {"game": game, "status": status})
                for game, status in product(game_names(), MatchStatus)
            ),
        ),
        _by_label(
            "agon_faults_total",
            "Faults of seats in the stored matches.",
            Kind.COUNTER,
            "fault",
            {fault: faults.get(fault, 0) for fault in Fault},
        ),
        _counter(
            "agon_late_matches_total",
            "Stored matches during which this machine was late.",
            tally.late,
        ),
    ]


def _jobs(workers: Workers) -> list[Metric]:
    fleet = workers.fleet
    return [
        _counter("agon_jobs_done_total", "Matches that the fleet has played.", fleet.done),
        _by_label(
            "agon_jobs_failed_total",
            "Matches that the fleet could not play, by what failed.",
            Kind.COUNTER,
            "cause",
            {failure.name.lower(): fleet.failed[failure] for failure in JobFailure},
        ),
        _counter(
            "agon_fleet_deaths_total",
            "Worker processes that died while they played.",
            workers.processes.deaths,
        ),
    ]


def _cluster(site: Site, workers: Workers) -> list[Metric]:
    """The machines that play: of a cluster that is silent only that it is."""
    is_cluster = not isinstance(workers.processes, LocalFleet)
    found = read_machines(site) if is_cluster else None
    states = Counter((one.sandbox, _state(one)) for one in (found.machines if found else ()))
    is_silent = is_cluster and found is None
    return [
        Metric(
            "agon_fleet_cores",
            "Matches that the fleet can play now.",
            Kind.GAUGE,
            () if is_silent else (Sample(workers.processes.cores),),
        ),
        Metric(
            "agon_cluster_up",
            "Whether the cluster answers.",
            Kind.GAUGE,
            (Sample(int(found is not None)),) if is_cluster else (),
        ),
        Metric(
            "agon_cluster_machines",
            "Machines of the cluster, by whether the sandbox holds there and what they do.",
            Kind.GAUGE,
            tuple(
                Sample(number, {"sandbox": sandbox, "state": state})
                for (sandbox, state), number in sorted(states.items())
            ),
        ),
        Metric(
            "agon_cluster_jobs_waiting",
            "Jobs that wait for a machine of the cluster.",
            Kind.GAUGE,
            (Sample(found.waiting),) if found else (),
        ),
    ]


def _state(machine: Machine) -> str:
    if not machine.cores:
        return "asks"
    return "busy" if machine.work.playing else "free"


def _watching(site: Site) -> list[Metric]:
    playing = Counter(match.game.name for match in site.live_matches.running())
    answers = site.traffic.answers
    return [
        _by_label(
            "agon_live_matches",
            "Matches that are shown live.",
            Kind.GAUGE,
            "game",
            {game: playing[game] for game in game_names()},
        ),
        _gauge("agon_streams", "Live boards that spectators have open.", site.places.count),
        _gauge("agon_connections", "Open HTTP connections.", len(site.traffic.connections)),
        _by_label(
            "agon_http_responses_total",
            "Answers to HTTP requests, by the class of their status.",
            Kind.COUNTER,
            "class",
            {f"{digit}xx": answers[digit] for digit in STATUS_DIGITS},
        ),
        _counter("agon_warnings_total", "Warnings and errors in the log.", site.warnings.total),
        _gauge(
            "agon_dead_threads",
            "Threads that have ended without being stopped.",
            len(dead_threads(site)),
        ),
    ]


def _gauge(
    name: str, words: str, value: int | float, labels: Mapping[str, str] | None = None
) -> Metric:
    return Metric(name, words, Kind.GAUGE, (Sample(value, labels or {}),))


def _counter(name: str, words: str, value: int) -> Metric:
    return Metric(name, words, Kind.COUNTER, (Sample(value),))


def _by_label(name: str, words: str, kind: Kind, label: str, values: Mapping[str, int]) -> Metric:
    samples = tuple(Sample(value, {label: text}) for text, value in values.items())
    return Metric(name, words, kind, samples)
