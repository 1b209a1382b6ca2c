"""A redeal changes what a seat cannot know, and nothing that it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from agon.learn import BatchEnv
from tests.learn.test_batch import MATCHES, everything, observed_by, play_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.kernel import IntArray


def other_hands(state: Any, seat: int) -> bytes:
    """In MebiPenny."""
    return bytes(state["hands"][1 - seat].tobytes())


def other_loadouts(state: Any, seat: int) -> bytes:
    """In Skyport, before they are shown."""
    return bytes(state["match"]["level"][1 - seat].tobytes())


def forts_and_armies(state: Any, seat: int) -> bytes:
    """In Battlebots; some of them are hidden."""
    return b"".join(state["match"][name].tobytes() for name in ("owner", "garrison", "armies"))


def tiles_of(state: Any, seat: int) -> list[int]:
    """All tiles in MebiPenny that the seat does not see."""
    hand = state["hands"][1 - seat][: state["hand_size"][1 - seat]]
    pile = state["pile"][: state["draw_size"]]
    return sorted([*hand.tolist(), *pile.tolist()])


@pytest.mark.parametrize(
    ("name", "steps", "hidden"),
    [
        ("mebipenny", 9, other_hands),
        ("skyport", 1, other_loadouts),
        ("battlebots", 60, forts_and_armies),
    ],
)
def test_what_is_hidden_changes_and_what_is_seen_does_not(
    name: str, steps: int, hidden: Callable[[Any, int], bytes]
) -> None:
    env = BatchEnv(name, MATCHES, seed=3)
    play_on(env, steps)
    seats = np.maximum(env.to_act.reshape(MATCHES, -1)[:, -1], 0)
    before, shown = observed_by(env, seats), shown_to(env, seats)
    worlds: list[set[bytes]] = [set() for _ in range(MATCHES)]
    for seed in range(8):
        env.redeal(seats, seed)
        assert observed_by(env, seats) == before
        assert shown_to(env, seats) == shown
        for i, seat in enumerate(seats.tolist()):
            worlds[i].add(hidden(env.states[i], seat))
    several = [len(found) for found in worlds if len(found) > 1]
    assert len(several) > MATCHES / 2
    assert max(several) > 2
    play_on(env, 20)


def shown_to(env: BatchEnv, seats: IntArray) -> list[Any]:
    """What the arrays say of these seats."""
    found = []
    for i, seat in enumerate(seats.tolist()):
        at = (i, seat) if env.learning.at_once > 1 else (i,)
        count = int(env.counts[at])
        actions = env.actions[at][:count].tolist()
        found.append((int(env.to_act[at]), env.observations[at].tobytes(), actions))
    return found


def test_a_redeal_of_hands_loses_no_tile_and_deals_no_other() -> None:
    env = BatchEnv("mebipenny", MATCHES, seed=3)
    play_on(env, 9)
    seats = env.to_act.copy()
    before = [tiles_of(state, seat) for state, seat in zip(env.states, seats, strict=True)]
    env.redeal(seats, 5)
    assert [tiles_of(state, seat) for state, seat in zip(env.states, seats, strict=True)] == before


@pytest.mark.parametrize("name", ["mebipenny", "skyport", "battlebots"])
def test_redeals_follow_from_their_seed(name: str) -> None:
    found = []
    for seed in (5, 6, 5):
        env = BatchEnv(name, MATCHES, seed=3)
        play_on(env, 12)
        env.redeal(np.zeros(MATCHES, np.int64), seed)
        found.append(everything(env))
    assert found[0] == found[2] != found[1]
