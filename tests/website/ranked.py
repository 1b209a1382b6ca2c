"""Stores with many results in them, made up: who wins follows from strengths that are apart."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from agon.datastore import NewBot, NewVersion, Rating
from agon.datastore.matches import NewMatch, NewSeat
from agon.games.hive.game import GAME
from agon.match.transcript import Fault
from agon.ranker.live_ratings import LiveRater, LiveRating
from agon.ranker.result import Result
from tests.website.people import NOON, SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore import Store

ELO_APART = 60
DRAWN = 0.1
FAILING = 0.05


def add_version(store: Store, name: str, owner_id: int | None = None, label: str = "") -> int:
    """The next version of the bot of that name in Hive: its id."""
    bot = store.bots.ensure(NewBot("hive", name, NOON, owner_id=owner_id))
    new = NewVersion(NOON, label=label, language="python", protocol="lines")
    return store.versions.add(bot.id, new).id


def add_versions(store: Store, number: int) -> list[int]:
    """So many bots with one version each."""
    return [add_version(store, f"bot {place:02}") for place in range(number)]


def store_results(store: Store, versions: Sequence[int], number: int, seed: int = 1) -> list[int]:
    """So many matches of these, of which later ones are stronger; the matches' numbers."""
    rng = Random(seed)  # noqa: S311
    return [store_result(store, *_draw(versions, rng)) for _ in range(number)]


def store_result(
    store: Store,
    versions: Sequence[int],
    scores: Sequence[int],
    faults: Sequence[Fault | None] = (None, None),
    *,
    rated: bool = True,
    seed: int = 1,
) -> int:
    """One match: who sat where, and what they got; its number."""
    seats = tuple(
        NewSeat(version, fault, score, sum(other > score for other in scores))
        for version, score, fault in zip(versions, scores, faults, strict=True)
    )
    options = asdict(GAME.options())
    match = NewMatch(
        GAME.name, GAME.rules_version, options, seed, seats, b"{}", NOON, NOON + SECOND, 30,
        "made up", rated=rated,
    )  # fmt: skip
    if not rated:
        return store.record_match(match)
    result = Result(tuple(map(str, versions)), tuple(scores))
    return store.record_rated_match(match, partial(_rate, result))


def _rate(result: Result, last: Sequence[Rating | None]) -> list[tuple[Rating, Rating]]:
    before = [LiveRating() if one is None else LiveRating(one.mu, one.sigma) for one in last]
    after = LiveRater().update(result, before)
    return [
        (Rating(one.mu, one.sigma), Rating(two.mu, two.sigma))
        for one, two in zip(before, after, strict=True)
    ]


def _draw(
    versions: Sequence[int], rng: Random
) -> tuple[Sequence[int], Sequence[int], Sequence[Fault | None]]:
    white, black = rng.sample(range(len(versions)), 2)
    white_wins = 1 / (1 + 10 ** (ELO_APART * (black - white) / 400))
    faults: list[Fault | None] = [None, None]
    if rng.random() < DRAWN:
        scores = (1, 1)
    else:
        scores = (2, 0) if rng.random() < white_wins else (0, 2)
        if rng.random() < FAILING:
            faults[scores.index(0)] = rng.choice([Fault.TIMEOUT, Fault.CRASH])
    return (versions[white], versions[black]), scores, faults
