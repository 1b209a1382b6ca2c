"""Proximal policy optimisation: play some decisions of every match, and learn from them.

One network has both seats of some of the matches; in the others the bot's seat is a network of the
past, `greedy`, or Monte Carlo.
"""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional

from agon.games.mebipenny.learning import PASS_ACTION
from training.mebipenny.matches import Matches, Sight
from training.mebipenny.network import Network, policy

if TYPE_CHECKING:
    from agon.games.mebipenny.game import MebiPennyOptions

TRACE = 0.97
"""How far a result is traced back, for each decision before it."""
CLIP = 0.2
ENTROPY, LAST_ENTROPY = 0.01, 0.003
LONGEST_STEP = 0.5
EPOCHS, PART = 2, 16_384
POOL, KEEP_EVERY = 20, 20
"""So many networks of the past, and updates between them."""
ITSELF, PAST, GREEDY, SEARCH = 0.4, 0.15, 0.3, 0.15
"""Which part of the matches is against whom. Without worlds, `greedy` has that of Monte Carlo."""


class Decisions(NamedTuple):
    """By step and match, or in one row."""

    sight: Sight
    actions: Any
    chance: Any
    """Its logarithm."""
    ending: Any
    """Who will win, as the network thought."""
    own: Any
    """Whether the network decided that learns."""
    reward: Any
    ends: Any

    def in_one_row(self) -> Decisions:
        sight, *rest = self
        return Decisions(
            Sight(*(one.flatten(0, 1) for one in sight)), *(one.flatten(0, 1) for one in rest)
        )


class Learner:
    """A network that gets better at the matches which it plays."""

    def __init__(
        self, matches: Matches, network: Network, steps: int, worlds: int, rate: float, seed: int
    ) -> None:
        """`steps`: decisions of each match in an update. `worlds`: of Monte Carlo, or 0."""
        self.matches, self.network = matches, network
        self.compiled: Any = network
        self.updates = 0
        self._steps, self._worlds, self._rate = steps, worlds, rate
        self._optimiser = torch.optim.Adam(network.parameters(), eps=1e-5)
        self._past: list[Network] = []
        self._chance = random.Random(seed)  # noqa: S311
        spread_out(matches, network)

    def update(self, share: float) -> None:
        """Play and learn; `share` says how much of the time is over."""
        if self.updates % KEEP_EVERY == 0:
            self._past = [*self._past, copy.deepcopy(self.network).eval()][-POOL:]
        past = self._chance.choice(self._past)
        played, ending = play(self.matches, self.network, past, self._steps, self._worlds)
        self._optimiser.param_groups[0]["lr"] = self._rate * (1 - share)
        entropy_worth = ENTROPY + share * (LAST_ENTROPY - ENTROPY)
        gains = trace_back(played, ending)
        learn(self.compiled, self._optimiser, played, gains, self.matches.shape, entropy_worth)
        self.updates += 1


@torch.no_grad()
def spread_out(matches: Matches, network: Network) -> None:
    """Bring the matches to all stages, so that what is learnt at once is not all of one stage.

    Each passes for a while, which ends a match at once, and then begins to play.
    """
    begin = torch.randint(matches.cells, (matches.count,), device=matches.device)
    for step in range(matches.cells):
        actions = sample(policy(network, matches.see(), matches.shape)[0])
        matches.env.step(torch.where(step < begin, PASS_ACTION, actions))


@torch.no_grad()
def play(
    matches: Matches, network: Network, past: Network, steps: int, worlds: int
) -> tuple[Decisions, Any]:
    """Some decisions of every match, and who will win after them."""
    size = steps, matches.count, matches.width
    seen = torch.empty(size, dtype=torch.int16, device=matches.device)
    played: list[Decisions] = []
    for step in range(steps):
        sight = matches.see(seen[step])
        chances, ending = policy(network, sight, matches.shape)
        actions = sample(chances)
        own = choose_for_bots(matches, past, sight, worlds, actions)
        chance = chances.gather(1, actions[:, None])[:, 0]
        matches.env.step(actions)
        reward = matches.rewards.gather(1, sight.seats[:, None])[:, 0].float()
        played.append(Decisions(sight, actions, chance, ending, own, reward, matches.ends > 0))
    sights, *rest = zip(*played, strict=True)
    seats, _, hand, legal = map(torch.stack, zip(*sights, strict=True))
    found = Decisions(Sight(seats, seen, hand, legal), *map(torch.stack, rest))
    return found, policy(network, matches.see(), matches.shape)[1]


def choose_for_bots(
    matches: Matches, past: Network, sight: Sight, worlds: int, actions: Any
) -> Any:
    """Replace the actions of bots by their own; returns where the network's remain."""
    ends = ITSELF, ITSELF + PAST, ITSELF + PAST + GREEDY if worlds else 1.0
    old, greedy, search = (round(matches.count * end) for end in ends)
    own = sight.seats != matches.bot_seats
    own[:old] = True
    if old < greedy:
        part = slice(old, greedy)
        theirs = sample(policy(past, sight.of(part), matches.shape)[0])
        actions[part] = torch.where(own[part], actions[part], theirs)
    matches.choose_greedily(sight, greedy, search, actions)
    matches.search(sight, search, matches.count, actions, worlds)
    return own


def sample(chances: Any) -> Any:
    """An action of each row, by the logarithms of their chances."""
    noise = -torch.log(-torch.log(torch.rand_like(chances).clamp(1e-9, 1 - 1e-7)))
    return (chances + noise).argmax(1)


def trace_back(played: Decisions, ending: Any) -> Any:
    """How much better each decision was than expected: generalised advantages.

    Seats take turns: what is good for the next is bad for this one.
    """
    gains = torch.zeros_like(played.ending)
    later = torch.zeros_like(ending)
    for step in reversed(range(len(gains))):
        goes_on = (~played.ends[step]).float()
        now = played.reward[step] - goes_on * ending - played.ending[step]
        gains[step] = later = now - TRACE * goes_on * later
        ending = played.ending[step]
    return gains


def learn(
    network: Any,
    optimiser: torch.optim.Optimizer,
    played: Decisions,
    gains: Any,
    shape: tuple[int, int],
    entropy_worth: float,
) -> None:
    """Make what went better than expected more likely."""
    known, gains = played.in_one_row(), gains.flatten()
    target = known.ending + gains
    own = known.own.nonzero()[:, 0]
    gains = (gains - gains[own].mean()) / (gains[own].std() + 1e-8)
    size = min(PART, len(own))
    for _ in range(EPOCHS):
        order = own[torch.randperm(len(own), device=own.device)]
        for begin in range(0, len(own) - size + 1, size):
            part = order[begin : begin + size]
            chances, ending = policy(network, known.sight.of(part), shape)
            chance = chances.gather(1, known.actions[part][:, None])[:, 0]
            ratio, gain = (chance - known.chance[part]).exp(), gains[part]
            better = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            entropy = -(chances.exp() * chances.clamp(min=-50)).sum(1).mean()
            miss = functional.mse_loss(ending, target[part])
            loss: Any = miss - better - entropy_worth * entropy
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), LONGEST_STEP)
            optimiser.step()


@torch.no_grad()
def score(
    network: Network, options: MebiPennyOptions, games: int, device: str, worlds: int, seed: int
) -> float:
    """Its share of the points against `greedy`, or Monte Carlo in so many worlds."""
    matches = Matches(options, games, device, seed)
    points = torch.full((games,), -1.0, device=device)
    while bool((points < 0).any()):
        sight = matches.see()
        actions = policy(network, sight, matches.shape)[0].argmax(1)
        if worlds:
            matches.search(sight, 0, games, actions, worlds)
        else:
            matches.choose_greedily(sight, 0, games, actions)
        matches.env.step(actions)
        rewards = matches.rewards.gather(1, 1 - matches.bot_seats[:, None])[:, 0].float()
        over = (matches.ends > 0) & (points < 0)
        points = torch.where(over, (1 + rewards) / 2, points)
    return float(points.mean())
