"""The network in PyTorch: learnt from positions, and rounded to integers.

What it learns is the chance to win, half of it the search's opinion and half the result. A point is
1/256 of the logarithm of the odds. The board has twelve symmetries about a queen; each time that a
position is looked at, it is turned by one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import nn

from agon.games.hive import evaluate
from agon.games.hive.board import KINDS, ON_TORUS
from agon.games.hive.network import (
    DANGERS,
    HAND_ROWS,
    ONE,
    PLACES,
    RADIUS,
    ROWS,
    SHIFT,
    WIDTH,
    distance,
    place_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from training.hive.samples import Samples

POINTS = 256
"""Points for odds of e to 1."""
UNIT = 1 << SHIFT
LIMIT = 1.9
"""Of a weight in a sum: so many of them do not overflow."""
BATCH = 16_384
RATE = 2e-3
OPINION = 0.75
"""How much of the goal is what the search thought; the rest is the result."""
NOTHING = ROWS + HAND_ROWS


class Network(nn.Module):
    """As `agon.games.hive.network` has it, with floats."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(NOTHING + 1, WIDTH, mode="sum", padding_idx=NOTHING)
        nn.init.uniform_(self.rows.weight, -0.05, 0.05)
        with torch.no_grad():
            self.rows.weight[NOTHING] = 0
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.25))
        self.output = nn.Parameter(torch.empty(2, WIDTH).uniform_(-0.1, 0.1))
        self.to_move = nn.Parameter(torch.zeros(1))
        free, stuck, in_hand = (
            torch.tensor([float(evaluate.points_of(table, kind)) for kind in range(KINDS)])
            for table in (evaluate.FREE, evaluate.STUCK, evaluate.IN_HAND)
        )
        worth = torch.stack([stuck - in_hand, free - in_hand]).repeat(DANGERS, 1, 1) / POINTS
        self.worth = nn.Parameter(worth)
        danger = [evaluate.PACKED_DANGER >> (10 * min(n, 5)) & 1023 for n in range(DANGERS)]
        self.danger = nn.Parameter(torch.tensor(danger, dtype=torch.float32) / POINTS)
        self.cover = nn.Parameter(torch.tensor([evaluate.COVERED_QUEEN / POINTS]))

    def forward(self, rows: Any, freedom: Any, danger: Any, held: Any) -> Any:
        hidden = [torch.clamp(self.rows(rows[:, nth]) + self.bias, 0, 1) for nth in range(2)]
        odds = self.to_move + hidden[0] @ self.output[0] + hidden[1] @ self.output[1]
        table = torch.cat([self.worth.reshape(-1), torch.zeros(1, device=rows.device)])
        for nth, sign in ((0, 1.0), (1, -1.0)):
            faces = danger[:, 1 - nth].long()
            place = faces[:, None] * (2 * KINDS) + freedom[:, nth].long()
            place = torch.where(freedom[:, nth] < 0, table.shape[0] - 1, place)
            odds = odds + sign * (
                table[place].sum(1) + self.danger[faces] + self.cover * held[:, 1 - nth]
            )
        return odds


def first_weights() -> dict[str, Any]:
    """Weights with which the search knows the tables of `evaluate.py`, and nothing else."""
    network = Network()
    with torch.no_grad():
        network.output.zero_()
    return rounded(network)


def symmetries() -> Any:
    """(12, PLACES): where each place goes when the board is turned or mirrored about the queen."""
    places = place_table()
    cells = [
        (row, col)
        for row in range(-RADIUS, RADIUS + 1)
        for col in range(-RADIUS, RADIUS + 1)
        if distance(row, col) <= RADIUS
    ]
    found = np.full((12, PLACES), PLACES - 1, np.int64)
    for turns in range(6):
        for mirrored in range(2):
            for row, col in cells:
                there = (col, row) if mirrored else (row, col)
                for _ in range(turns):
                    there = (there[1], there[1] - there[0])
                here = places[(32 * row + col) & ON_TORUS]
                found[2 * turns + mirrored, here] = places[(32 * there[0] + there[1]) & ON_TORUS]
    return found


def turned(rows: Any, maps: Any) -> Any:
    """The rows of each position in one of the twelve ways, by chance; no row becomes NOTHING."""
    which = torch.randint(12, (rows.shape[0], 1, 1), device=rows.device)
    places = maps[which, rows.clamp(min=0) % PLACES]
    on_board = rows - rows % PLACES + places
    kept = torch.where(rows >= ROWS, rows, on_board)
    return torch.where(rows < 0, NOTHING, kept)


class Known(NamedTuple):
    """Positions on the device, and what the network is to say of them."""

    rows: Any
    freedom: Any
    danger: Any
    held: Any
    goal: Any

    def pick(self, which: Any) -> Known:
        return Known(*(one[which] for one in self))


def load(samples: Samples, device: str) -> Known:
    """All positions, with the chance to win."""
    rows, freedom, danger, held, value, result = (
        torch.as_tensor(one).to(device) for one in samples
    )
    opinion = torch.sigmoid(value.float() / POINTS)
    return Known(rows, freedom, danger, held, OPINION * opinion + (1 - OPINION) * result)


def learn(
    samples: Samples, device: str, epochs: int, seed: int, say: Callable[[str], None] = print
) -> Network:
    """A network that has seen all positions so often; a twentieth of them only tests it."""
    torch.manual_seed(seed)
    known = load(samples, device)
    maps = torch.as_tensor(symmetries()).to(device)
    count = len(known.goal)
    tested = max(1, count // 20)
    network = Network().to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    steps = epochs * -(-(count - tested) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2 * RATE, total_steps=max(2, steps))
    for epoch in range(epochs):
        total = 0.0
        for which in torch.split(torch.randperm(count - tested) + tested, BATCH):
            some = known.pick(which.to(device))
            loss = loss_of(network, turned(some.rows.long(), maps), some)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                network.rows.weight.clamp_(-LIMIT, LIMIT)
            total += float(loss.detach()) * len(which)
        test = measure(network, known.pick(slice(tested)))
        say(f"epoch {epoch + 1}: {total / (count - tested):.5f}, tested {test:.5f}")
    return network


def loss_of(network: Network, rows: Any, known: Known) -> Any:
    odds = network(rows, known.freedom, known.danger, known.held)
    return nn.functional.binary_cross_entropy_with_logits(odds, known.goal)


def measure(network: Network, known: Known) -> float:
    """Of positions as they are."""
    total = 0.0
    with torch.no_grad():
        for which in torch.split(torch.arange(len(known.goal)), BATCH):
            some = known.pick(which)
            rows = some.rows.long()
            total += float(loss_of(network, torch.where(rows < 0, NOTHING, rows), some)) * len(
                which
            )
    return total / len(known.goal)


def rounded(network: Network) -> dict[str, Any]:
    """The weights as integers, as the package has them."""

    def whole(values: Any, unit: int) -> Any:
        return np.round(values.detach().cpu().numpy() * unit).astype(np.int16)

    return {
        "rows": whole(network.rows.weight[:NOTHING], ONE),
        "bias": whole(network.bias, ONE),
        "output": whole(network.output, UNIT),
        "to_move": whole(network.to_move, POINTS)[0],
        "worth": whole(network.worth, POINTS),
        "danger": whole(network.danger, POINTS),
        "cover": whole(network.cover, POINTS)[0],
    }
