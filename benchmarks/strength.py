"""Is a bot stronger than one of another version of Agon? Pairs of matches, each side in a process.

    python -m benchmarks.strength hive search search --old /path/to/older/src --pairs 100 --ms 200

The second bot plays by the code in `--old`, or by ours. Both think by the CPU time of their own
process, so that a machine that is busy with other work changes nothing. Every seed is played from
both sides. For two players; `agon sprt` compares bots of one version, by time on the wall.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from agon.games.bot import Budget
from agon.games.registry import find_game
from agon.ranker.sprt import SCORES, estimate_elo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_TURNS = 1000
SRC = Path(__file__).resolve().parents[1] / "src"


def serve() -> None:
    """One side: a bot that follows a match and thinks when it is asked."""
    position: Any = None
    bot: Any = None
    for line in sys.stdin:
        told = json.loads(line)
        if "game" in told:
            game = find_game(told["game"])
            position = game.start(game.parse_options(told["options"]), told["seed"])
            bot = game.bot(told["bot"], told["bot_seed"])
            continue
        if "turns" in told:
            turns = {int(s): position.parse_turn(int(s), t) for s, t in told["turns"].items()}
            position = position.play(turns)
            continue
        begin = time.process_time_ns()
        depth = told.get("depth")
        deadline = None if depth else begin + told["ns"]
        budget = Budget(time.process_time_ns, deadline=deadline, depth=depth)
        turn = bot.choose(position, told["seat"], budget)
        took = time.process_time_ns() - begin
        print(
            json.dumps({"turn": position.format_turn(told["seat"], turn), "ns": took}), flush=True
        )


@dataclass(frozen=True, slots=True)
class Setting:
    """What all matches have in common."""

    game: str
    options: Mapping[str, str]
    ns: int


class Side:
    """A bot in a process of its own, by the code in that folder."""

    def __init__(self, bot: str, src: Path, setting: Setting) -> None:
        """Start it, and let it think once, so that what it needs is loaded."""
        known = os.environ.get("PYTHONPATH", "")
        path = os.pathsep.join([str(src), str(SRC.parent), *filter(None, [known])])
        self._bot, self._setting = bot, setting
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "benchmarks.strength", "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.slowest = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin and self._process.stdout  # noqa: S101, PT018
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def tell(self, **told: Any) -> None:
        assert self._process.stdin  # noqa: S101
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()

    def begin(self, seed: int) -> None:
        setting = self._setting
        self.tell(
            game=setting.game,
            options=dict(setting.options),
            seed=seed,
            bot=self._bot,
            bot_seed=seed + 1,
        )

    def ask(self, seat: int, **limit: int) -> str:
        self.tell(seat=seat, **limit)
        assert self._process.stdout  # noqa: S101
        answer = json.loads(self._process.stdout.readline())
        self.slowest = max(self.slowest, answer["ns"])
        return str(answer["turn"])


def play(setting: Setting, sides: tuple[Side, Side], seed: int) -> float:
    """One match; the points of seat 0."""
    game = find_game(setting.game)
    position = game.start(game.parse_options(setting.options), seed)
    for side in sides:
        side.begin(seed)
    for _ in range(MOST_TURNS):
        if position.outcome is not None:
            first, second = position.outcome.ranks
            return (1 + (second > first) - (second < first)) / 2
        asked = {
            seat: sides[seat].ask(seat, ns=setting.ns)
            for seat in position.to_act
            if seat not in position.forced
        }
        turns = {seat: position.parse_turn(seat, text) for seat, text in asked.items()}
        texts = {
            str(seat): position.format_turn(seat, turn)
            for seat, turn in {**position.forced, **turns}.items()
        }
        for side in sides:
            side.tell(turns=texts)
        position = position.play({**position.forced, **turns})
    return 0.5


def play_pairs(
    setting: Setting, bots: tuple[str, str], old: Path, seeds: Iterator[int]
) -> Iterator[float]:
    """The points of the first bot in each pair, until there are no seeds left."""
    with Side(bots[0], SRC, setting) as new, Side(bots[1], old, setting) as other:
        for side in (new, other):  # loads what it needs
            side.begin(0)
            position = find_game(setting.game).start(
                find_game(setting.game).parse_options(setting.options), 0
            )
            side.ask(position.to_act[0], depth=1)
            side.slowest = 0
        for seed in seeds:
            yield play(setting, (new, other), seed) + 1 - play(setting, (other, new), seed)
        told = [f"{side.slowest / 1e6:.0f} ms" for side in (new, other)]
        print(f"slowest turns: {', '.join(told)}", file=sys.stderr)


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    reader.add_argument("game")
    reader.add_argument("bots", nargs=2)
    reader.add_argument("--old", type=Path, default=SRC)
    reader.add_argument("--pairs", type=int, default=100)
    reader.add_argument("--ms", type=int, default=100)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--jobs", type=int, default=1)
    reader.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = reader.parse_args()
    options = dict(one.split("=", 1) for one in given.option)
    setting = Setting(given.game, options, given.ms * 10**6)
    counts = [0] * len(SCORES)
    seeds = iter(range(given.seed, given.seed + given.pairs))

    def work(_: int) -> None:
        for points in play_pairs(setting, tuple(given.bots), given.old, seeds):
            counts[round(2 * points)] += 1
            print(describe(counts), file=sys.stderr, flush=True)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(work, range(given.jobs)))
    print(f"{given.game} {' '.join(given.option)} {given.ms} ms: {describe(counts)}")


def describe(counts: list[int]) -> str:
    """Points and Elo, with the 95 % interval, of pairs with 0, 1/2, 1, 3/2 and 2 points.

    >>> describe([0, 0, 4, 1, 2])
    '7 pairs: 9.5 of 14 points (67.9 %), +130 Elo, 95 % interval -19 to +353'
    """
    pairs = sum(counts)
    points = sum(n * k / 2 for k, n in enumerate(counts))
    elo, low, high = (
        "no bound" if one is None else f"{sign(one)}{abs(one):.0f}" for one in estimate_elo(counts)
    )
    return (
        f"{pairs} pairs: {points:g} of {2 * pairs} points ({50 * points / pairs:.1f} %),"
        f" {elo} Elo, 95 % interval {low} to {high}"
    )


def sign(elo: float) -> str:
    return "-" if elo < 0 else "+"


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()
