"""The peers of `agon bench learn`: which of them are here, and steps in games of theirs."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from agon.simulate.cuda import count_gpus
from benchmarks.measure import Contest, Contestant, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Work: TypeAlias = "Callable[[], int]"

CAP = 500
"""Steps after which a match of a peer is left for another one."""
STEPS = 20
SPIEL = "hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)"
CLASSIC = {
    "tic-tac-toe": "tictactoe.tictactoe",
    "Connect Four": "connect_four.connect_four",
    "chess": "chess.chess",
    "Go 19x19": "go.go",
}
PGX_GAMES = ("chess", "shogi", "go_9x9", "go_19x19")
PGX_BATCHES = (1 << 13, 1 << 15, 1 << 17)
"""So many matches at a time are tried, and the fastest is measured. Each is compiled anew."""
TRIAL_NS = 10**9


@dataclass(frozen=True, slots=True)
class Peer:
    """Another library that takes part if it is here."""

    name: str
    modules: tuple[str, ...]
    extra: str

    @property
    def missing(self) -> str:
        """Why it takes no part, and how to get it; empty: it does."""
        gone = [module for module in self.modules if find_spec(module) is None]
        if gone:
            return f"{self.name} takes no part: no {', '.join(gone)} here; install {self.extra}"
        return ""


OPEN_SPIEL = Peer("OpenSpiel", ("pyspiel",), "agon[bench]")
OUR_PETTING_ZOO = Peer("Agon through PettingZoo", ("pettingzoo", "gymnasium"), "agon[learn]")
PETTING_ZOO = Peer("PettingZoo classic", ("pettingzoo", "pygame", "chess"), "agon[bench]")
ON_CORES = (OPEN_SPIEL, OUR_PETTING_ZOO, PETTING_ZOO)
OURS_ON_GPU = Peer("Agon on a GPU", ("torch",), "agon[bench-gpu]")
PGX = Peer("Pgx", ("jax", "pgx"), "agon[bench-gpu]")


def missing_peers() -> list[str]:
    """For each contestant that takes no part: why, and how to get it."""
    told = [peer.missing for peer in ON_CORES]
    if count_gpus():
        told += [OURS_ON_GPU.missing, missing_pgx()]
    else:
        told.append("Agon on a GPU and Pgx take no part: they need a GPU and agon[bench-gpu]")
    return [line for line in told if line]


def missing_pgx() -> str:
    """As `Peer.missing`; JAX without a GPU would run, and be no peer of ours on one."""
    if PGX.missing:
        return PGX.missing
    backend = import_module("jax").default_backend()
    if backend == "gpu":
        return ""
    return f"Pgx takes no part: JAX runs on {backend}; install {PGX.extra}"


def open_spiel() -> Contestant:
    """OpenSpiel's own Hive, as called from Python."""
    import pyspiel

    game = pyspiel.load_game(SPIEL)
    rng = Random(1)  # noqa: S311

    def work() -> int:
        steps = 0
        state = game.new_initial_state()
        while steps < CAP and not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            state.observation_tensor(0)
            steps += 1
        return steps

    counts = "apply_action; with legal_actions and observation_tensor of the next position"
    return Contestant("OpenSpiel's Hive", work, counts)


def classic_games() -> Iterator[Contestant]:
    """PettingZoo's own games without wrappers around them, which check what is given."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    for title, module in CLASSIC.items():
        env: Any = import_module(f"pettingzoo.classic.{module}").raw_env()
        yield Contestant(f"its {title}", through_pettingzoo(env), AEC_COUNTS)


AEC_COUNTS = "env.step of one agent; with last(), its observation and mask, the choice and resets"


def through_pettingzoo(env: Any) -> Work:
    """A match between agents that choose by chance among what the mask allows."""
    rng = Random(1)  # noqa: S311

    def work() -> int:
        env.reset(seed=1)
        steps = 0
        for _ in env.agent_iter():
            seen, _, ended, cut_off, info = env.last()
            if ended or cut_off:
                env.step(None)
            else:
                mask = (seen if isinstance(seen, dict) else info)["action_mask"]
                legal = np.flatnonzero(mask)
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
            if steps == CAP:
                break
        return steps

    return work


def pgx_contests() -> Iterator[Contest]:
    """Pgx's games, each with as many matches at a time as it is fastest with."""
    for name in PGX_GAMES:
        works = {size: pgx_work(name, size) for size in PGX_BATCHES}
        size, rates = fastest(works, fits_on_gpu, time.perf_counter_ns, TRIAL_NS)
        tried = ", ".join(f"{matches:,}: {found:,}" for matches, found in rates.items())
        counts = (
            "an action of one match, drawn from the mask, with auto_reset; with its observation"
            f" and mask. Steps/s by matches at a time: {tried}"
        )
        contestant = Contestant(f"Pgx, {size:,} matches", works[size], counts)
        yield Contest(f"{name}, one GPU", "steps", (contestant,))


def fastest(
    works: Mapping[int, Work],
    fits: Callable[[Work], bool],
    clock: Callable[[], int],
    least_ns: int,
) -> tuple[int, dict[int, int]]:
    """The size that does most in a second, and the rates of all; larger than fits is not tried."""
    rates: dict[int, int] = {}
    for size, work in works.items():
        if not fits(work):
            break
        rates[size] = rate(work, clock, least_ns)
    return max(rates, key=lambda size: rates[size]), rates


def fits_on_gpu(work: Work) -> bool:
    """Whether there is memory for it; it is done once, which compiles it."""
    try:
        work()
    except import_module("jax").errors.JaxRuntimeError as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        return False
    return True


def pgx_work(name: str, matches: int) -> Work:
    """Steps of so many matches of a game, all on the device."""
    jax: Any = import_module("jax")
    env: Any = import_module("pgx").make(name)
    wrappers: Any = import_module("pgx.experimental.wrappers")
    begin, step = jax.jit(jax.vmap(env.init)), wrappers.auto_reset(env.step, env.init)

    def one(state: Any, key: Any) -> Any:
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        return step(state, jax.random.categorical(key, logits), key)

    @jax.jit  # type: ignore[untyped-decorator]
    def many(states: Any, key: Any) -> Any:
        def body(states: Any, key: Any) -> Any:  # states hold the observations of every step
            return jax.vmap(one)(states, jax.random.split(key, matches)), None

        return jax.lax.scan(body, states, jax.random.split(key, STEPS))[0]

    held: list[Any] = []

    def work() -> int:
        if not held:
            held[:] = begin(jax.random.split(jax.random.PRNGKey(0), matches)), 0
        held[:] = many(held[0], jax.random.PRNGKey(held[1] + 1)), held[1] + 1
        jax.block_until_ready(held[0])
        return STEPS * matches

    return work
