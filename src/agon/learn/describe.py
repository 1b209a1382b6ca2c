"""What the numbers of a game mean, as text: made from what its kernels are described by."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.learning import Learning, Part


def describe(learning: Learning) -> str:
    """The actions and the observation of a game with its options, as tables in Markdown."""
    return "\n".join(
        (
            f"{learning.action_count:,} actions, at most {learning.most_actions:,} of them legal:",
            "",
            "| from | part | shape | meaning |",
            "|---|---|---|---|",
            *_rows(learning.actions, with_range=False),
            "",
            f"An observation has {learning.observation_size:,} numbers ({learning.observed}):",
            "",
            "| from | part | shape | range | meaning |",
            "|---|---|---|---|---|",
            *_rows(learning.observation, with_range=True),
        )
    )


def _rows(parts: Sequence[Part], with_range: bool) -> Iterator[str]:
    at = 0
    for part in parts:
        shape = " by ".join(map(str, part.shape))
        cells = [f"{at:,}", f"`{part.name}`", shape]
        if with_range:
            cells.append(f"{part.low:,} to {part.high:,}")
        yield f"| {' | '.join([*cells, part.meaning])} |"
        at += part.size
