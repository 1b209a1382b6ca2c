"""Teaches a network MebiPenny by proximal policy optimisation, against itself and its own past.

    pip install agon torch                             # and agon[gpu], for a GPU
    python examples/learn/train.py --out mybot         # on a GPU if there is one
    agon sprt mebipenny mybot greedy                   # is it better than greedy?

All matches are one `BatchEnv`, and one network decides for all seats: it sees each position from
the side of the seat that decides. In some matches a network of the past has one of the seats. What
is learnt goes, as arrays of NumPy, to mybot/network.npz, beside a copy of bot/network_bot.py, which
plays with it, and the curve of its strength to mybot/curve.csv.
"""

from __future__ import annotations

import argparse
import copy
import csv
import math
import random
import shutil
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import agon
from agon.learn import BatchEnv
from agon.learn.policy import TurnByDecisions

GAME = agon.game("mebipenny")
HAND, SEATS = 6, 4  # an action is a place in the hand * 4 + the seat that it favours
PASS = HAND * SEATS  # the last action
PLANES, LAYERS = 10, 5

STEPS = 64  # decisions of each match between two updates
TRACE = 0.97  # how far a result is traced back, for each decision before it
CLIP = 0.2  # how far an update may change the chance of an action
ENTROPY = 0.01
EPOCHS, PARTS = 2, 16  # how often the decisions are used, and in how many parts
OLD = 0.25  # of the matches are against a network of the past
POOL, KEEP_EVERY = 20, 25  # so many of these are kept, one every so many updates


class Network(nn.Module):
    """Looks at the board with small filters; a tile's value is read at its cell."""

    def __init__(self, rows: int, cols: int, channels: int, seats: int = 2) -> None:
        super().__init__()
        self.rows, self.cols, self.seats = rows, cols, seats
        widths = [PLANES] + [channels] * LAYERS
        self.layers = nn.ModuleList(
            nn.Conv2d(one, other, 3, padding=1) for one, other in pairwise(widths)
        )
        self.tiles = nn.Conv2d(channels, 2, 1)  # for each cell: favour the own seat, or another
        self.whole = nn.Linear(2 * channels, 2)  # of the whole board: to pass; who will win

    def look(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Rows of observations as planes of the board, and the cells of the hand."""
        cells = self.rows * self.cols
        owners, armies = rows[:, None, :cells], rows[:, None, cells : 2 * cells].float()
        hand, rest = rows[:, 2 * cells : 2 * cells + HAND].long(), rows[:, 2 * cells + HAND :]
        held = torch.zeros(len(rows), cells + 1, device=rows.device)
        held.scatter_(1, torch.where(hand < 0, cells, hand), 1.0)
        size = torch.log2(armies + 1) / 8
        own, other = (owners == 0).float(), (owners > 0).float()
        sizes, scores = rest[:, :SEATS], rest[:, SEATS : 2 * SEATS]
        pile, all_passed = rest[:, 2 * SEATS], rest[:, 2 * SEATS + 1] == self.seats - 1
        planes = [own, other, (owners == -1).float(), own * size, other * size, held[:, None, :-1]]
        lead = scores[:, 0] - scores[:, 1:].amax(1)
        more_tiles = sizes[:, 1:].amax(1) - sizes[:, 0]
        numbers = torch.stack(
            [lead / cells, pile / cells, all_passed, more_tiles / HAND], 1
        ).float()
        planes.append(numbers[:, :, None].expand(-1, -1, cells))
        return torch.cat(planes, 1).unflatten(2, (self.rows, self.cols)), hand.clamp(min=0)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """For each row how good each action is, and how the match will end, from -1 to 1."""
        x, hand = self.look(rows)
        x = x.contiguous(memory_format=torch.channels_last)
        for number, layer in enumerate(self.layers):
            x = functional.relu(layer(x) + x if number else layer(x))
        whole = self.whole(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)).float()
        tiles = self.tiles(x).flatten(2).float()
        tiles = tiles.gather(2, hand[:, None].expand(-1, 2, -1)).transpose(1, 2)
        values = torch.cat([tiles, tiles[..., 1:].expand(-1, -1, SEATS - 2)], 2).flatten(1)
        return torch.cat([values, whole[:, :1]], 1), torch.tanh(whole[:, 1])

    def policy(self, rows: Tensor, legal: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        with torch.autocast(rows.device.type, torch.bfloat16, enabled=rows.is_cuda):
            values, ending = self(rows)
        values = values.float().masked_fill(~legal, -math.inf)
        return torch.distributions.Categorical(logits=values, validate_args=False), ending.float()


class Matches:
    """A batch of matches as tensors, without copies."""

    def __init__(self, options: Any, matches: int, device: str, seed: int) -> None:
        self.env = BatchEnv(GAME, matches, device, options=options, seed=seed, masks=True)
        self.device = device
        self.rows, self.masks, self.seats, self.rewards, self.ends = (
            torch.as_tensor(array, device=device)
            for array in (
                self.env.observations,
                self.env.masks,
                self.env.to_act,
                self.env.rewards,
                self.env.ends,
            )
        )


@torch.no_grad()
def play(matches: Matches, network: Network, past: Network) -> dict[str, Tensor]:
    """Some decisions of every match, and how much better each one was than expected."""
    count = len(matches.seats)
    number = torch.arange(count, device=matches.device)
    first_old = round(count * (1 - OLD))
    told: dict[str, list[Tensor]] = {}
    for _ in range(STEPS):
        rows, legal, seats = matches.rows.clone(), matches.masks.bool(), matches.seats.long()
        policy, ending = network.policy(rows, legal)
        actions = policy.sample()
        chance = policy.log_prob(actions)
        theirs = (number >= first_old) & (seats == number % 2)
        actions_of_past = past.policy(rows[first_old:], legal[first_old:])[0].sample()
        actions[first_old:] = torch.where(theirs[first_old:], actions_of_past, actions[first_old:])
        matches.env.step(actions)
        step = {
            "rows": rows,
            "legal": legal,
            "actions": actions,
            "chance": chance,
            "ending": ending,
            "own": ~theirs,
            "reward": matches.rewards.gather(1, seats[:, None])[:, 0].clone(),
            "ends": matches.ends > 0,
        }
        for name, values in step.items():
            told.setdefault(name, []).append(values)
    found = {name: torch.stack(values) for name, values in told.items()}
    found["better"] = trace_back(found, network.policy(matches.rows, matches.masks.bool())[1])
    return found


def trace_back(found: dict[str, Tensor], next_ending: Tensor) -> Tensor:
    """Generalised advantages. Seats take turns: what is good for the next is bad for this one."""
    better = torch.zeros_like(found["ending"])
    later = torch.zeros_like(next_ending)
    for step in reversed(range(len(better))):
        goes_on = (~found["ends"][step]).float()
        now = found["reward"][step] - goes_on * next_ending - found["ending"][step]
        later = now - TRACE * goes_on * later
        better[step] = later
        next_ending = found["ending"][step]
    return better


def learn(network: Network, optimiser: torch.optim.Optimizer, found: dict[str, Tensor]) -> None:
    """Make what went better than expected more likely."""
    own = found["own"].flatten()
    data = {name: values.flatten(0, 1)[own] for name, values in found.items()}
    target = data["ending"] + data["better"]
    better = (data["better"] - data["better"].mean()) / (data["better"].std() + 1e-8)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(target), device=target.device).chunk(PARTS):
            policy, ending = network.policy(data["rows"][part], data["legal"][part])
            ratio = (policy.log_prob(data["actions"][part]) - data["chance"][part]).exp()
            gain = torch.minimum(
                ratio * better[part], ratio.clamp(1 - CLIP, 1 + CLIP) * better[part]
            )
            chances = policy.probs
            entropy = -(chances * chances.clamp(min=1e-9).log()).sum(1).mean()
            loss = functional.mse_loss(ending, target[part]) - gain.mean() - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


@torch.no_grad()
def score_against_greedy(network: Network, options: Any, games: int, device: str) -> float:
    """Its share of the points in so many games, half of them in each seat; draws count half."""
    greedy = [GAME.bot("greedy", seed) for seed in range(games)]
    positions = [GAME.start(options, seed // 2, 2) for seed in range(games)]
    learning = GAME.learning(options)
    while under_way := [game for game in range(games) if positions[game].outcome is None]:
        ours = [game for game in under_way if positions[game].to_act == (game % 2,)]
        for game in set(under_way).difference(ours):
            turn = greedy[game].choose(positions[game], 1 - game % 2, agon.Budget())
            positions[game] = positions[game].play({1 - game % 2: turn})
        if not ours:
            continue
        drafts = [TurnByDecisions(learning, positions[game], game % 2) for game in ours]
        legal = np.zeros((len(ours), PASS + 1), bool)
        for mask, draft in zip(legal, drafts, strict=True):
            mask[draft.legal_actions()] = True
        rows = torch.as_tensor(np.stack([draft.observe() for draft in drafts]), device=device)
        policy, _ = network.policy(rows, torch.as_tensor(legal, device=device))
        actions = policy.probs.argmax(1).tolist()
        for game, draft, action in zip(ours, drafts, actions, strict=True):
            positions[game] = positions[game].play({game % 2: draft.decide(action)})
    scores = [position.outcome.scores for position in positions if position.outcome]
    own = [(pair[game % 2], pair[1 - game % 2]) for game, pair in enumerate(scores)]
    return sum((one > other) + (one == other) / 2 for one, other in own) / games


def save(network: Network, path: Path) -> None:
    """As arrays of NumPy; half as exact, which is exact enough to play."""
    arrays = {
        name: value.cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()
    }
    np.savez_compressed(path, **arrays)


def positive(text: str) -> int:
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--updates", type=positive, default=400, help="of the network")
    parser.add_argument("--matches", type=positive, default=4096, help="played at the same time")
    parser.add_argument(
        "--channels", type=positive, default=32, help="of each layer of the network"
    )
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at the beginning")
    parser.add_argument("--size", type=positive, default=15, help="rows and columns of the board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points", type=positive, default=10, help="of the curve against greedy")
    parser.add_argument("--games", type=positive, default=400, help="for each point of the curve")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the new bot")
    chosen = parser.parse_args()
    if (chosen.out / "network.npz").exists():
        parser.error(f"--out {chosen.out}: expected a folder without a network.npz")
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name in ("bot.toml", "network_bot.py"):
        shutil.copy(Path(__file__).parent / "bot" / name, chosen.out)

    torch.manual_seed(chosen.seed)
    pick = random.Random(chosen.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    options = GAME.options(rows=chosen.size, cols=chosen.size)
    network = Network(chosen.size, chosen.size, chosen.channels).to(chosen.device)
    optimiser = torch.optim.Adam(network.parameters(), lr=chosen.rate, eps=1e-5)
    matches = Matches(options, chosen.matches, chosen.device, chosen.seed)
    pool: list[Network] = []
    with (chosen.out / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(("updates", "decisions", "seconds", "score_against_greedy"))
        began = time.perf_counter()
        for update in range(chosen.updates + 1):
            if update > 0:
                optimiser.param_groups[0]["lr"] = chosen.rate * (1 - (update - 1) / chosen.updates)
                learn(network, optimiser, play(matches, network, pick.choice(pool)))
            if update % KEEP_EVERY == 0:
                pool = [*pool, copy.deepcopy(network)][-POOL:]
            if update % max(1, chosen.updates // chosen.points) == 0:
                decisions, seconds = update * STEPS * chosen.matches, time.perf_counter() - began
                score = score_against_greedy(network, options, chosen.games, chosen.device)
                curve.writerow((update, decisions, round(seconds), score))
                print(
                    f"{update:5} updates  {decisions / 1e6:6.1f} M decisions  {seconds:5.0f} s"
                    f"  {score:6.1%} against greedy",
                    flush=True,
                )
                save(network, chosen.out / "network.npz")


if __name__ == "__main__":
    main()
