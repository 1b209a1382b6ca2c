"""Make the network of Hive's `search` anew: self-play, learning, weights.

    python -m training.hive --small                a few minutes on one core, for a look at it
    python -m training.hive --out network.npz      as the one in the package was made

The matches are kept beside the weights, as Parquet where PyArrow is installed, and used again if
they are there.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.hive.learn import first_weights, learn, rounded
from training.hive.samples import find_samples
from training.hive.selfplay import join, play_games


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    reader.add_argument("--small", action="store_true", help="48 matches, 500 nodes a move")
    reader.add_argument("--rounds", type=int, default=2, help="of self-play and learning")
    reader.add_argument("--games", type=int, default=20_000, help="of each round")
    reader.add_argument("--nodes", type=int, default=3_000, help="of each move of the self-play")
    reader.add_argument("--seconds", type=int, help="of each round: then no new matches")
    reader.add_argument("--seed", type=int, default=1, help="of the first match, and of learning")
    reader.add_argument("--epochs", type=int, default=30)
    reader.add_argument("--jobs", type=int, default=1)
    reader.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    reader.add_argument("--data", type=Path, action="append", help="learn from these matches alone")
    reader.add_argument("--out", type=Path, default=Path("network.npz"))
    given = reader.parse_args()
    if given.small:
        given.games, given.nodes, given.epochs = 48, 500, 3
    if given.data:
        weights = learn_from([load_games(path) for path in given.data], given)
    else:
        weights, played = first_weights(), []
        for number in range(given.rounds):
            played.append(play_round(number, weights, given))
            weights = learn_from(played[-2:], given)
    np.savez_compressed(given.out, **weights)
    print(f"wrote {given.out}")


def learn_from(played: list[dict[str, Any]], given: argparse.Namespace) -> dict[str, Any]:
    """The weights that are learnt from these matches."""
    samples = find_samples(join(played))
    print(f"{len(samples.value)} positions; learning on {given.device}", flush=True)
    return rounded(learn(samples, given.device, given.epochs, given.seed))


def play_round(number: int, weights: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """Play with these weights, and keep what was played."""
    begin, blocks = time.monotonic(), []
    first = given.seed + number * given.games
    seeds = range(first, first + given.games)
    for block in play_games(seeds, given.nodes, weights, given.jobs):
        blocks.append(block)
        done = sum(len(block["turns"]) for block in blocks)
        print(f"\r{done} of {given.games} matches", end="", flush=True)
        if given.seconds and time.monotonic() - begin > given.seconds:
            break
    games = join(blocks)
    print(f"; {len(games['moves'])} turns, digest {digest(games)}")
    save_games(given.out.with_name(f"matches-{number + 1}.parquet"), games)
    return games


def digest(games: dict[str, Any]) -> str:
    """Of all that was played."""
    total = hashlib.sha256()
    for name in sorted(games):
        total.update(np.ascontiguousarray(games[name]).tobytes())
    return total.hexdigest()[:16]


def save_games(path: Path, games: dict[str, Any]) -> None:
    """A row for each match; without PyArrow arrays of NumPy."""
    if not find_spec("pyarrow"):
        np.savez_compressed(path.with_suffix(".npz"), **games)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    begins = pa.array(np.concatenate([[0], np.cumsum(games["turns"])]).astype(np.int32))
    lists = {
        name: pa.ListArray.from_arrays(begins, pa.array(games[name]))
        for name in ("moves", "values")
    }
    plain = {name: pa.array(games[name]) for name in ("expansions", "result")}
    pq.write_table(pa.table(plain | lists), path, compression="zstd")


def load_games(path: Path) -> dict[str, Any]:
    """Matches that were kept."""
    if path.suffix == ".npz":
        with np.load(path) as found:
            return dict(found)
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    found = {name: table[name].to_numpy() for name in ("expansions", "result")}
    for name in ("moves", "values"):
        found[name] = table[name].combine_chunks().values.to_numpy()
    found["turns"] = table["moves"].combine_chunks().value_lengths().to_numpy()
    return found


if __name__ == "__main__":
    main()
