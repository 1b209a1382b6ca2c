"""Plays MebiPenny with the network that train.py made, by NumPy alone.

    agon bot check .
    agon match mebipenny . greedy --watch
    agon submit .

`look` and `judge` do what `Network.look` and `Network.forward` do in train.py.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a bot has one core
import numpy as np

Tile = tuple[int, int]  # row, column
HAND = 6
WALL = ""  # in place of an owner


class Match:
    """What the bot knows of a match."""

    def __init__(self, news: Any) -> None:
        self.shape = news["rows"], news["cols"]
        self.me = news["player_id"]
        self.owners: dict[Tile, str] = {}
        self.hand: list[Tile] = []
        self.hand_sizes: dict[str, int] = {}
        self.others_have_passed = False

    def hear(self, news: Any) -> None:
        """Learn what has happened since the last turn."""
        claims = sum(map(bool, self.owners.values()))
        for claim in news["claims"]:
            self.owners[as_tile(claim["tile"])] = claim["owner"] or WALL
        for player in news["players"]:
            hand = player["hand"]
            if player["id"] == self.me:
                self.hand = [as_tile(tile) for tile in hand]
                hand = len(hand)
            self.hand_sizes[player["id"]] = hand
        self.pile = news["draw_size"]
        # before its first turn only the last seat has seen all others move: they are p0, p1, ...
        all_have_moved = "rows" not in news or self.me == f"p{len(self.hand_sizes) - 1}"
        nobody_has_played = claims == sum(map(bool, self.owners.values()))
        self.others_have_passed = all_have_moved and nobody_has_played

    def play(self, move: Any) -> None:
        """Note an own move: the next news tell it, too, and what the other one did."""
        if move != "PASS":
            self.owners[as_tile(move["tile"])] = self.me

    def army_sizes(self) -> dict[Tile, int]:
        """How many claims are connected with each claim."""
        sizes: dict[Tile, int] = {}
        claims = {tile for tile, owner in self.owners.items() if owner != WALL}
        while claims:
            first = claims.pop()
            army, todo = [first], [first]
            while todo:
                row, col = todo.pop()
                beside = {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)} & claims
                claims -= beside
                army += beside
                todo += beside
            sizes |= dict.fromkeys(army, len(army))
        return sizes

    def look(self) -> Any:
        """The planes of the board that the network looks at."""
        cells = self.shape[0] * self.shape[1]
        planes = np.zeros((10, *self.shape), np.float32)
        planes[2] = 1
        scores = dict.fromkeys(self.hand_sizes, 0)
        sizes = self.army_sizes()
        for tile, owner in self.owners.items():
            planes[(2, *tile)] = 0
            if owner != WALL:
                other = int(owner != self.me)
                planes[(other, *tile)] = 1
                planes[(3 + other, *tile)] = np.log2(sizes[tile] + 1) / 8
                scores[owner] += 1
        for tile in self.hand:
            planes[(5, *tile)] = 1
        others = [player for player in self.hand_sizes if player != self.me]
        planes[6] = (scores[self.me] - max(scores[other] for other in others)) / cells
        planes[7] = self.pile / cells
        planes[8] = self.others_have_passed
        planes[9] = (max(self.hand_sizes[other] for other in others) - len(self.hand)) / HAND
        return planes


def as_tile(tile: Any) -> Tile:
    return tile["row"], tile["col"]


class Network:
    """Layers of filters, and what is read off the last one."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as arrays:
            self.arrays = {name: arrays[name].astype(np.float32) for name in arrays}
        self.layers = sum(name.startswith("layers") for name in self.arrays) // 2

    def judge(self, planes: Any) -> tuple[Any, float]:
        """How good it is to play the tile of each cell, for the own seat or another; to pass."""
        x = planes
        for number in range(self.layers):
            filtered = self.convolve(f"layers.{number}", x)
            x = np.maximum(filtered + x if number else filtered, 0)
        tiles = self.arrays["tiles.weight"][:, :, 0, 0] @ x.reshape(len(x), -1)
        tiles = tiles.reshape(2, *x.shape[1:]) + self.arrays["tiles.bias"][:, None, None]
        whole = np.concatenate([x.mean((1, 2)), x.max((1, 2))])
        passing = self.arrays["whole.weight"][0] @ whole + self.arrays["whole.bias"][0]
        return tiles, float(passing)

    def convolve(self, name: str, x: Any) -> Any:
        """Filters of 3 by 3 cells, at every cell; beyond the edge there are zeros."""
        weight, bias = self.arrays[f"{name}.weight"], self.arrays[f"{name}.bias"]
        channels, rows, cols = x.shape
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
        found = np.zeros((len(weight), rows * cols), np.float32)
        for row in range(3):
            for col in range(3):
                shifted = padded[:, row : row + rows, col : col + cols]
                found += weight[:, :, row, col] @ shifted.reshape(channels, -1)
        return found.reshape(-1, rows, cols) + bias[:, None, None]


def choose(match: Match, network: Network, moves: list[Any]) -> Any:
    """The legal move that the network likes best."""
    tiles, passing = network.judge(match.look())

    def value(move: Any) -> float:
        if move == "PASS":
            return passing
        other = int(move.get("favor", match.me) != match.me)
        return float(tiles[(other, *as_tile(move["tile"]))])

    return max(moves, key=value)


def main() -> None:
    network = Network(Path(__file__).parent / "network.npz")
    print("legal", flush=True)  # our first line: we want the legal moves with every question
    for news in map(json.loads, sys.stdin):
        if "rows" in news:
            match = Match(news)  # the first line of all
        if "legal" in news:
            move = choose(match, network, news["legal"])
            match.play(move)
            print(json.dumps(move), flush=True)
        else:
            match.hear(news)


if __name__ == "__main__":
    main()
