"""Matches of built-in bots, stored as `agon tournament` stores them, against the rules alone.

A tournament is played once and written down; then our side plays the same one again and again, each
time under another name, and the bare side walks through the same matches: draw a turn, format the
one that was played, play it.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from agon.arbiter.entrant import Entrant, launch_on_host
from agon.arbiter.host import HostWatch
from agon.arbiter.limits import Limits
from agon.arbiter.series import SeriesRunner
from agon.arena.fleet.carry_out import find_among
from agon.arena.fleet.fleet import FleetMatches, InProcessFleet
from agon.arena.tournament import Plan, TournamentRun
from agon.datastore.store import Store
from agon.errors import AgonError
from agon.games.hive.game import GAME, HiveOptions
from agon.match.transcript import TurnEvent, parse_transcript
from agon.ranker.formats import Format, new_schedule
from benchmarks.duel import Duel, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agon.arena.fleet.jobs import PlayedMatch
    from agon.games.game import Position

ENTRANTS = (Entrant("random", built_in="random"), Entrant("random 2", built_in="random"))
OPTIONS = HiveOptions()
LIMITS = Limits(10**9, turns=1000)
ROUNDS = 10
AT_MOST = 3


def play_tournament(store: Store, name: str, rounds: int) -> list[PlayedMatch]:
    """Two random bots, twice in a round with seats swapped, one match at a time."""
    names = [entrant.name for entrant in ENTRANTS]
    schedule = new_schedule(Format.ROUND_ROBIN, names, 0, 2, rounds)
    plan = Plan(name, GAME, OPTIONS, ENTRANTS, LIMITS, Format.ROUND_ROBIN.value, rounds, 0)
    matches: list[PlayedMatch] = []
    with HostWatch() as host:
        arena = SeriesRunner(time.monotonic_ns, launch_on_host, host.late_since)
        running = TournamentRun(store, plan, time.time_ns)
        runner = FleetMatches(InProcessFleet(arena), find_among(ENTRANTS))
        running.run(schedule, runner, lambda: 1, lambda result, match: matches.append(match))
    return matches


@dataclass(frozen=True, slots=True)
class Recorded:
    """A match that was played: its seed, and its turns as the rules and as people know them."""

    seed: int
    turns: tuple[Mapping[int, Any], ...]
    texts: tuple[str, ...]


def record(match: PlayedMatch) -> Recorded:
    """The turns of a match."""
    transcript = parse_transcript(match.transcript.decode())
    position: Position[Any] = GAME.start(OPTIONS, transcript.seed)
    turns, texts = list[dict[int, Any]](), list[str]()
    for event in transcript.events:
        if isinstance(event, TurnEvent):
            turns.append(
                {seat: position.parse_turn(seat, text) for seat, text in event.turns.items()}
            )
            texts += event.turns.values()
            position = position.play(turns[-1])
    return Recorded(transcript.seed, tuple(turns), tuple(texts))


def walk(match: Recorded) -> list[str]:
    """Only the rules: the texts of all turns of the match."""
    position, rng = GAME.start(OPTIONS, match.seed), Random(match.seed)  # noqa: S311
    texts = []
    for turns in match.turns:
        for seat in position.to_act:
            position.random_turn(seat, rng)
            texts.append(position.format_turn(seat, turns[seat]))
        position = position.play(turns)
    return texts


def walk_all(matches: Sequence[Recorded]) -> int:
    """Walk through these matches; how many plies that was."""
    for match in matches:
        if walk(match) != list(match.texts):
            raise AgonError(f"the bare side of the bench strayed at seed {match.seed}")
    return sum(len(match.turns) for match in matches)


@contextmanager
def storing_duel(rounds: int = ROUNDS) -> Iterator[Duel]:
    """The duel, with its store in a folder that is removed afterwards."""
    names = (f"tournament {number}" for number in count())
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "agon.db") as store:
        recorded = [record(match) for match in play_tournament(store, next(names), rounds)]

        def ours() -> int:
            return sum(match.turns for match in play_tournament(store, next(names), rounds))

        yield Duel(
            f"{len(recorded)} matches of random bots, played and stored",
            "ply",
            "plies",
            Side("Agon's tournament", ours),
            Side("the same turns by the rules alone", lambda: walk_all(recorded)),
            AT_MOST,
        )
