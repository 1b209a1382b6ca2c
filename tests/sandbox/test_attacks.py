"""Every attack is held, and the host is afterwards as it was before.

What becomes of each in a match is in tests/arbiter/test_attacks.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.sandbox.attacks import ATTACKS
from tests.sandbox.burdens import in_a_match
from tests.sandbox.host import Host

if TYPE_CHECKING:
    from pathlib import Path

    from tests.sandbox.attack import Attack

APART = [attack for attack in ATTACKS if getattr(attack.run, "watch", None) is not in_a_match]


@pytest.mark.parametrize("attack", APART, ids=lambda attack: attack.name)
def test_attack_is_held(attack: Attack, open_folder: Path) -> None:
    with Host(open_folder) as host:
        assert attack.run(host)
