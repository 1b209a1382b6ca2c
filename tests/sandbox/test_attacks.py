"""Every attack is held, and the host is afterwards as it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.sandbox.attacks import ATTACKS, Attack
from tests.sandbox.host import Host

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_is_held(attack: Attack, open_folder: Path) -> None:
    with Host(open_folder) as host:
        assert attack.run(host)
