"""How much memory the whole arena takes at rest: all its processes, shared pages counted once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.website.running import running_arena

MOST_MB = 400


def proportional_mb(process: int) -> float:
    """The proportional set size of a process and all that it started."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # it has just ended
    own = next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:"))
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return own / 1024 + sum(map(proportional_mb, children))


@pytest.mark.system
def test_the_arena_at_rest_takes_less_than_400_mb(tmp_path: Path) -> None:
    """All rules are loaded, nothing is played."""
    with running_arena(tmp_path / "data", "--no-ladder") as arena:
        assert 100 < proportional_mb(arena.process.pid) < MOST_MB
