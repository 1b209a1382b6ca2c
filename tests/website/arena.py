"""A running website with real matches in it, for tests that look at it from outside."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import uvicorn

from agon.arbiter.arbiter import play_match
from agon.arbiter.limits import Limits
from agon.arena.fleet.jobs import PlayedMatch
from agon.arena.match_record import stored_form
from agon.datastore import NewBot, NewVersion, Rating
from agon.games.registry import find_game
from agon.ranker.live_ratings import LiveRater, LiveRating
from agon.ranker.result import Result
from agon.website.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.datastore import Store
    from agon.games.game import JsonObject
    from agon.match.result import MatchResult
    from agon.website.site import Site

SECOND = 10**9
MINUTE = 60 * SECOND
DAWN = 1_750_000_000 * SECOND
"""When the first match of the arena began."""
NOON = DAWN + 360 * MINUTE
START_SECONDS = 20

MATCHES = (
    (3, "hive", "greedy", "random"),  # greedy wins before the turn limit
    (2, "hive", "random", "greedy"),
    (3, "atlantis", "greedy", "random"),
    (4, "battlebots", "greedy", "random"),
    (5, "skyport", "random", "random"),
    (6, "mebipenny", "greedy", "random"),
)
"""Seed, game and bots."""


def ticking(step_ns: int = 3_000_000) -> Iterator[int]:
    """The readings of a clock on which every look takes a moment."""
    now = 0
    while True:
        now += step_ns
        yield now


def play(game: str, bots: Sequence[str], seed: int = 1, turns: int = 60) -> MatchResult:
    """A match between built-in bots, with times that are the same whenever it is played."""
    found = find_game(game)
    players = [found.bot(name, seed + number) for number, name in enumerate(bots)]
    clock = partial(next, ticking())
    match = play_match(found, players, Limits(turns=turns), seed=seed, clock=clock)
    named: tuple[JsonObject, ...] = tuple({"name": name} for name in name_players(bots))
    return replace(match, transcript=replace(match.transcript, players=named))


def store_match(store: Store, match: MatchResult, names: Sequence[str], begin_ns: int) -> int:
    """Store a match of bots of these names, rated; its number."""
    game = match.transcript.game.name
    bots = [store.bots.ensure(NewBot(game, name, DAWN, built_in=True)) for name in names]
    versions = [store.versions.ensure(bot.id, NewVersion(DAWN, label=bot.name)).id for bot in bots]
    new = stored_form(PlayedMatch.of(match), versions, begin_ns, begin_ns + MINUTE)
    result = Result(tuple(names), match.outcome.scores, match.transcript.seed)
    rater = LiveRater()

    def rate(last: Sequence[Rating | None]) -> list[tuple[Rating, Rating]]:
        before = [LiveRating() if one is None else LiveRating(one.mu, one.sigma) for one in last]
        after = rater.update(result, before)
        return [
            (Rating(one.mu, one.sigma), Rating(two.mu, two.sigma))
            for one, two in zip(before, after, strict=True)
        ]

    return store.record_rated_match(new, rate)


def fill(store: Store) -> dict[str, int]:
    """Store a few matches of every game; the number of the last one of each."""
    found = {}
    for number, (seed, game, *bots) in enumerate(MATCHES):
        match = play(game, bots, seed=seed)
        found[game] = store_match(store, match, name_players(bots), DAWN + number * 10 * MINUTE)
    return found


def name_players(bots: Sequence[str]) -> list[str]:
    """The names under which the bots are stored: no two are the same."""
    numbers = [bots[: seat + 1].count(name) for seat, name in enumerate(bots)]
    return [
        name if number == 1 else f"{name} {number}"
        for name, number in zip(bots, numbers, strict=True)
    ]


@contextmanager
def serving(site: Site) -> Iterator[str]:
    """The site on a free port of this machine: its address."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(site),
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    listening.listen(128)  # from now on callers wait until the server answers
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)
        listening.close()
        assert not thread.is_alive(), "the server did not end"
