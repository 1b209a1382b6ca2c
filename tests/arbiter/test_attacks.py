"""What becomes of every attack in a match: the right verdict, and an arbiter that plays on."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.build import build_in_sandbox
from agon.arbiter.build_cache import BuildCache
from tests.arbiter.attack_match import TURNS, play_attack, play_normally
from tests.sandbox.attack import Burden, Probe, all_held
from tests.sandbox.attacks import ATTACKS
from tests.sandbox.host import SECOND, Host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.sandbox.attack import Attack

ENDS_WELL = ("setuid",)  # it is run, without effect
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


@pytest.mark.parametrize(
    "attack",
    [a for a in ATTACKS if isinstance(a.run, Burden) and a.name != ELSEWHERE],
    ids=lambda attack: attack.name,
)
def test_a_build_that_uses_something_up_is_held(
    attack: Attack, open_folder: Path, tmp_path: Path
) -> None:
    """Those that try to reach something are built in tests/website/bots/test_attacks.py."""
    with Host(open_folder) as host:
        program = Program("attacker", ("true",), host.bot, tuple(host.command(attack.run.source)))
        build = build_in_sandbox(
            program, 3 * SECOND, limits=attack.limits, cache=BuildCache(tmp_path)
        )
    if None not in attack.verdicts and attack.name not in ENDS_WELL:
        assert build.failure is not None, build.output


def test_what_one_match_leaves_the_next_does_not_find(open_folder: Path) -> None:
    (attack,) = (attack for attack in ATTACKS if attack.name == "left-memory")
    with Host(open_folder) as host:
        for _ in range(2):
            assert play_attack(host, attack).said == "held: nothing was there\n"
