"""What becomes of every attack in a match: the right verdict, and an arbiter that plays on."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.arbiter.attack_match import TURNS, play_attack, play_normally
from tests.sandbox.attack import Probe, all_held
from tests.sandbox.attacks import ATTACKS
from tests.sandbox.host import Host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.sandbox.attack import Attack

ELSEWHERE = "routed-address"  # played by tests/sandbox/network.py, in a network of its own


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """An empty folder that a bot, run as the user nobody, may see: pytest's own are closed."""
    folder = Path(tempfile.mkdtemp(prefix="agon-attack-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    "attack", [a for a in ATTACKS if a.name != ELSEWHERE], ids=lambda attack: attack.name
)
def test_the_verdict_is_right_and_the_next_match_is_like_any_other(
    attack: Attack, open_folder: Path
) -> None:
    with Host(open_folder) as host:
        verdict = play_attack(host, attack)
        assert verdict.fault in attack.verdicts, verdict
        if isinstance(attack.run, Probe):
            all_held(verdict.said)
    normal = open_folder / "novice"
    normal.mkdir()
    match = play_normally(normal)
    assert (match.faults, match.turns) == ((None, None), TURNS)


def test_what_one_match_leaves_the_next_does_not_find(open_folder: Path) -> None:
    (attack,) = (attack for attack in ATTACKS if attack.name == "left-memory")
    with Host(open_folder) as host:
        for _ in range(2):
            assert play_attack(host, attack).said == "held: nothing was there\n"
