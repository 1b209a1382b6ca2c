"""The network of `agon.games.mebipenny.network` in PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agon.games.mebipenny.board import SEATS
from agon.games.mebipenny.network import (
    CHANNELS,
    COMMON,
    LAYERS,
    OF_CELLS,
    PLANES,
    SCALES,
)
from agon.games.mebipenny.view import BLOCKED, CELL_NUMBERS, LEAD, NUMBERS, OTHERS, OWN

if TYPE_CHECKING:
    from training.mebipenny.matches import Sight


class Network(nn.Module):
    """For each tile of the hand how good it is to play; and who will win."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Conv2d(CHANNELS if number else PLANES, CHANNELS, 3, padding=1)
            for number in range(LAYERS)
        )
        self.whole = nn.Linear(NUMBERS + 1, CHANNELS)
        common = [nn.Linear(2 * CHANNELS, CHANNELS) for _ in range(COMMON)]
        self.common = nn.ModuleList(common)
        self.tiles = nn.Conv2d(CHANNELS, 2, 1)  # for each cell: favour the own seat, or the other
        self.ending = nn.Linear(2 * CHANNELS, CHANNELS)
        self.verdict = nn.Linear(CHANNELS, 2)  # to pass; who will win
        for linear in common:
            nn.init.zeros_(linear.weight)
        nn.init.normal_(self.tiles.weight, std=0.01)
        nn.init.normal_(self.verdict.weight, std=0.01)

    def forward(self, seen: Tensor, shape: tuple[int, int], hand: Tensor) -> tuple[Tensor, Tensor]:
        """Of rows as `view.see` writes them, and the cells of the hand."""
        planes, numbers = look(seen, shape)
        x = planes.contiguous(memory_format=torch.channels_last)
        for number, layer in enumerate(self.layers):
            y = layer(x) + (x if number else self.whole(numbers)[:, :, None, None])
            if number and number % 2 == 0:
                y = y + self.common[number // 2 - 1](pool(x))[:, :, None, None]
            x = functional.relu(y)
        verdict = self.verdict(functional.relu(self.ending(pool(x)))).float()
        tiles = self.tiles(x).flatten(2).float()
        tiles = tiles.gather(2, hand[:, None].expand(-1, 2, -1)).transpose(1, 2)
        values = torch.cat([tiles, tiles[..., 1:].expand(-1, -1, SEATS - 2)], 2).flatten(1)
        return torch.cat([values, verdict[:, :1]], 1), torch.tanh(verdict[:, 1])


def pool(x: Tensor) -> Tensor:
    """The mean and the most of each channel."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


def look(seen: Tensor, shape: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """Rows of integers as planes of the board and numbers of the whole."""
    cells = shape[0] * shape[1]
    board = seen[:, : cells * CELL_NUMBERS].reshape(-1, cells, CELL_NUMBERS)
    kinds = board[..., :1] == torch.arange(BLOCKED, device=seen.device, dtype=seen.dtype)
    own, others = kinds[..., OWN : OWN + 1], kinds[..., OTHERS : OTHERS + 1]
    sizes = scaled(board[..., 1:].float())
    army, swings = sizes[..., :1], sizes[..., 1:]
    joined = army * kinds[..., :OWN].any(2, keepdim=True)
    planes = torch.cat([kinds.float(), army * own - army * others, joined, swings], 2)
    whole = seen[:, cells * CELL_NUMBERS :].float()
    parts = [
        scale / (cells if of_cells else 1) for scale, of_cells in zip(SCALES, OF_CELLS, strict=True)
    ]
    numbers = whole * torch.tensor(parts, device=seen.device)
    numbers = torch.cat([numbers, scaled(whole[:, LEAD : LEAD + 1])], 1)
    return planes.transpose(1, 2).reshape(-1, PLANES, *shape), numbers


def scaled(values: Tensor) -> Tensor:
    """Sizes and leads by their logarithms."""
    return values.sign() * torch.log2(values.abs() + 1) / 4


def policy(network: nn.Module, sight: Sight, shape: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """Logarithms of the chances of all actions, and who will win."""
    with torch.autocast(sight.seen.device.type, torch.bfloat16, enabled=sight.seen.is_cuda):
        values, ending = network(sight.seen, shape, sight.hand)
    values = values.float().masked_fill(~sight.legal, -1e9)
    return torch.log_softmax(values, 1), ending.float()


def weights_of(network: Network) -> dict[str, Any]:
    """The weights as the package has them."""
    state = {name: value.cpu().numpy() for name, value in network.state_dict().items()}

    def stacked(name: str, count: int, first: int = 0) -> Any:
        return np.stack([state[name.format(number)] for number in range(first, count)])

    found = {
        "first": state["layers.0.weight"],
        "later": stacked("layers.{}.weight", LAYERS, 1),
        "bias": stacked("layers.{}.bias", LAYERS),
        "common": stacked("common.{}.weight", COMMON),
        "common_bias": stacked("common.{}.bias", COMMON),
        "tiles": state["tiles.weight"][:, :, 0, 0],
    }
    for name in ("first", "later"):
        found[name] = found[name].reshape(*found[name].shape[:-2], -1)
    for name in ("whole", "ending", "verdict"):
        found |= {name: state[f"{name}.weight"], f"{name}_bias": state[f"{name}.bias"]}
    found["tiles_bias"] = state["tiles.bias"]
    return {name: rounded(value) for name, value in found.items()}


def rounded(values: Any) -> Any:
    """To an eighth of the power of two below: smaller in a file, and exact enough to play."""
    bits = values.astype(np.float16).view(np.uint16)
    return (bits + (1 << 6) & ~np.uint16((1 << 7) - 1)).astype(np.uint16).view(np.float16)


def network_of(weights: dict[str, Any]) -> Network:
    """A network that goes on from such weights."""
    network = Network()
    taken = {name: torch.as_tensor(value.astype(np.float32)) for name, value in weights.items()}
    state = network.state_dict()
    for number in range(LAYERS):
        state[f"layers.{number}.bias"] = taken["bias"][number]
        filters = taken["later"][number - 1] if number else taken["first"]
        state[f"layers.{number}.weight"] = filters.reshape(*filters.shape[:2], 3, 3)
    for number in range(COMMON):
        state[f"common.{number}.weight"] = taken["common"][number]
        state[f"common.{number}.bias"] = taken["common_bias"][number]
    state["tiles.weight"] = taken["tiles"][:, :, None, None]
    state["tiles.bias"] = taken["tiles_bias"]
    for name in ("whole", "ending", "verdict"):
        state[f"{name}.weight"], state[f"{name}.bias"] = taken[name], taken[f"{name}_bias"]
    network.load_state_dict(state)
    return network
