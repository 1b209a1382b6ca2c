"""Make the network of MebiPenny's `search` anew, by proximal policy optimisation.

    python -m training.mebipenny --seconds 500 --out network.npz        on a GPU
    python -m training.mebipenny --small                                for a look at it, on a core

Beside the weights there is a table of how strong the network was when.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch

from agon.games.mebipenny.game import MebiPennyOptions
from training.mebipenny.learning import Learner, score
from training.mebipenny.matches import Matches
from training.mebipenny.network import Network, network_of, weights_of

SMALL = {"seconds": 30, "matches": 64, "size": 7, "worlds": 0, "test_every": 10, "games": 64}
LAST_WORLDS = 32
"""Of Monte Carlo in the last test."""
FIRST_TEST = 1_000_000
"""The seed of its matches."""


def main() -> None:
    given = read_arguments()
    torch.manual_seed(given.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    options = MebiPennyOptions(rows=given.size, cols=given.size)
    network = load(given.load) if given.load else Network()
    network.to(given.device)
    matches = Matches(options, given.matches, given.device, given.seed)
    learner = Learner(matches, network, given.steps, given.worlds, given.rate, given.seed)
    if given.compile:
        torch._dynamo.config.suppress_errors = True
        learner.compiled = torch.compile(network, dynamic=False)
    with given.out.with_suffix(".csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(("updates", "decisions", "seconds", "greedy", "search"))
        begin, next_test, share = time.perf_counter(), 0.0, 0.0
        while share < 1:
            seconds = time.perf_counter() - begin
            share = min(1.0, seconds / given.seconds)
            if seconds >= next_test or share == 1:
                next_test = seconds + given.test_every
                decisions = learner.updates * given.steps * given.matches
                scores = test(learner, options, given, share == 1)
                row = learner.updates, decisions, round(seconds), *scores
                curve.writerow(row)
                file.flush()
                np.savez_compressed(given.out, **weights_of(network))
                print(*row, flush=True)
            if share < 1:
                learner.update(share)
    print(f"wrote {given.out}")


def test(
    learner: Learner, options: MebiPennyOptions, given: argparse.Namespace, is_last: bool
) -> list[float]:
    """Its share of the points against `greedy`, and in the last test against Monte Carlo."""
    opponents = (0, LAST_WORLDS) if given.worlds and is_last else (0,)
    seed = FIRST_TEST + learner.updates
    return [
        score(learner.network, options, given.games, given.device, worlds, seed)
        for worlds in opponents
    ]


def read_arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    reader.add_argument("--small", action="store_true", help="a small board, for 30 seconds")
    reader.add_argument("--seconds", type=float, default=500)
    reader.add_argument("--matches", type=int, default=16_384)
    reader.add_argument("--steps", type=int, default=32, help="of each match between two updates")
    reader.add_argument("--rate", type=float, default=1e-3)
    reader.add_argument("--size", type=int, default=15)
    reader.add_argument("--worlds", type=int, default=8, help="of Monte Carlo, as an opponent")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--test-every", type=float, default=50, help="seconds")
    reader.add_argument("--games", type=int, default=2048, help="of each test")
    reader.add_argument("--compile", action="store_true")
    reader.add_argument("--load", type=Path, help="go on from these weights")
    reader.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    reader.add_argument("--out", type=Path, default=Path("network.npz"))
    if reader.parse_args().small:
        reader.set_defaults(**SMALL)
    return reader.parse_args()


def load(path: Path) -> Network:
    with np.load(path) as weights:
        return network_of(dict(weights))


if __name__ == "__main__":
    main()
