"""The spaces of a game in Gymnasium's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gymnasium
import numpy as np

if TYPE_CHECKING:
    from agon.games.learning import Learning


def masked_space(learning: Learning, actions: int) -> gymnasium.spaces.Dict:
    """An observation with the mask of so many actions."""
    return gymnasium.spaces.Dict(
        {
            "observation": observation_box(learning),
            "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def observation_box(learning: Learning) -> gymnasium.spaces.Box:
    """All rows of numbers that an observation can be."""
    low = np.concatenate([np.full(part.size, part.low) for part in learning.observation])
    high = np.concatenate([np.full(part.size, part.high) for part in learning.observation])
    return gymnasium.spaces.Box(
        low.astype(learning.observed), high.astype(learning.observed), dtype=learning.observed.type
    )
