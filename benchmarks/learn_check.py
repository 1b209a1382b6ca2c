"""Batches on a GPU against those on cores, byte by byte: `agon bench learn --check`.

    python -m benchmarks.learn_check [GAME]...      the same, where only NumPy and Numba are

Both play the same choices from the same seed. After every step all that a batch shows is compared;
now and then every match is dealt anew for the seat that decides.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import MissingPartError
from agon.games.registry import find_game
from agon.learn import BatchEnv
from agon.learn.stepping import CUT_OFF, OVER
from agon.simulate.cuda import load_cuda
from agon.simulate.threads import available_cores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SHOWN = (
    "to_act",
    "counts",
    "observations",
    "actions",
    "masks",
    "rewards",
    "ends",
    "progress",
    "states",
)
REDEAL_EVERY = 50
SEED = 7


@dataclass(frozen=True, slots=True)
class Case:
    """A game with options that make other records or other rules of it."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


@dataclass(frozen=True, slots=True)
class Shape:
    """How many matches are played, for how long, and when they are cut off."""

    matches: int
    steps: int
    limit: int


@dataclass(slots=True)
class Played:
    """What came of playing the same in two batches."""

    steps: int = 0
    over: int = 0
    """Matches that ended by their rules."""
    cut_off: int = 0
    difference: str = ""
    """Where the two differ first; empty: nowhere."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one case in one shape."""

    case: Case
    shape: Shape
    played: Played

    def __str__(self) -> str:
        matches, played = self.shape.matches, self.played
        found = f"DIFFERENT {played.difference}" if played.difference else "equal"
        return (
            f"{self.case.title}: {matches * played.steps:,} steps of {matches:,} matches,"
            f" {played.over:,} ended, {played.cut_off:,} cut off: {found}"
        )


CASES = (
    Case("hive"),
    Case("hive", {"variant": "Base+MLP"}),
    Case("atlantis"),
    Case("atlantis", {"board": "hexagon", "size": "5"}),
    Case("battlebots"),
    Case("battlebots", {"seats": "3"}),
    Case("battlebots", {"seats": "5"}),
    Case("skyport"),
    Case("skyport", {"map": "three"}),
    Case("mebipenny"),
    Case("mebipenny", {"seats": "4", "seed_coverage": "0.1"}),
)
SHAPES = (Shape(4096, 250, limit=120), Shape(256, 4000, limit=10_000))
"""A million steps each: many matches, most of them cut off; and few that go on to their ends."""


def check_all(
    cases: Iterable[Case], shapes: Sequence[Shape], device: str, threads: int
) -> Iterator[Checked]:
    """Each case in each shape: that many threads against a device, or against one core."""
    for case in cases:
        for shape in shapes:
            here = make_batch(case, shape, "cpu", threads)
            there = make_batch(case, shape, device, 1)
            yield Checked(case, shape, play_both(here, there, shape.steps))


def check_gpu(names: Sequence[str] = ()) -> Iterator[Checked]:
    """These games, or all, on this machine's cores and on its GPU."""
    cases = [case for case in CASES if not names or case.game in names]
    return check_all(cases, SHAPES, "cuda", available_cores())


def make_batch(case: Case, shape: Shape, device: str, threads: int) -> BatchEnv:
    game = find_game(case.game)
    options = game.parse_options(case.options)
    return BatchEnv(
        game,
        shape.matches,
        device,
        options=options,
        seed=SEED,
        limit=shape.limit,
        threads=threads,
        masks=True,
    )


def play_both(here: BatchEnv, there: BatchEnv, steps: int) -> Played:
    """Play the same in both, by numbers and by places in turn, until they differ."""
    rng = np.random.default_rng(SEED)
    played = Played(difference=compare(here, there, "at the start"))
    while played.steps < steps and not played.difference:
        played.steps += 1
        way = "step" if played.steps % 2 else "step_nth"
        play_by_chance(here, there, way, rng)
        ends = to_host(here.ends)
        played.over += int((ends == OVER).sum())
        played.cut_off += int((ends == CUT_OFF).sum())
        played.difference = compare(here, there, f"after step {played.steps} by {way}")
        if played.steps % REDEAL_EVERY == 0 and not played.difference:
            redeal_both(here, there, played.steps)
            played.difference = compare(here, there, f"after step {played.steps} and redeal")
    return played


def play_by_chance(here: BatchEnv, there: BatchEnv, way: str, rng: np.random.Generator) -> None:
    """The same decisions in both, which `here` makes."""
    counts = to_host(here.counts)
    chosen = (rng.random(counts.shape) * counts).astype(np.int64)
    if way == "step":
        actions = to_host(here.actions)
        chosen = np.take_along_axis(actions, chosen[..., None], axis=-1)[..., 0].astype(np.int64)
    for env in (here, there):
        getattr(env, way)(chosen)


def redeal_both(here: BatchEnv, there: BatchEnv, seed: int) -> None:
    """For the seat of each match that decides, or the first of them."""
    seats = np.maximum(to_host(here.to_act).reshape(here.matches, -1)[:, 0], 0)
    for env in (here, there):
        env.redeal(seats, seed)


def compare(here: BatchEnv, there: BatchEnv, moment: str) -> str:
    """Which array of which match is not the same in both; empty: all are."""
    for name in SHOWN:
        one, other = (shown(env, name) for env in (here, there))
        if (one.shape, one.dtype) != (other.shape, other.dtype):
            return f"{moment}: {name} {one.dtype} {one.shape}, {other.dtype} {other.shape}"
        differing = (bytes_of(one) != bytes_of(other)).any(axis=1)
        if differing.any():
            return f"{moment}: {name} of match {int(differing.argmax())}"
    return ""


def shown(env: BatchEnv, name: str) -> Any:
    """An array; of rows of actions what is filled, as what stands behind means nothing."""
    array = to_host(getattr(env, name))
    if name == "actions":
        filled = np.arange(array.shape[-1]) < to_host(env.counts)[..., None]
        array = np.where(filled, array, -1)
    return array


def bytes_of(array: Any) -> Any:
    """A row of bytes for each match."""
    return np.ascontiguousarray(array).reshape(len(array), -1).view(np.uint8)


def to_host(array: Any) -> Any:
    return np.asarray(array.copy_to_host() if hasattr(array, "copy_to_host") else array)


def main(names: Sequence[str]) -> int:
    """Check these games, or all, and print what was found; the exit status."""
    try:
        load_cuda()
    except MissingPartError as missing:
        print(f"agon: {missing}", file=sys.stderr)
        return 2
    status = 0
    for checked in check_gpu(names):
        print(checked, flush=True)
        status |= bool(checked.played.difference)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
