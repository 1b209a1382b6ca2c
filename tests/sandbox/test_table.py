"""The page on the sandbox lists the attacks that are played, all of them and no others."""

from __future__ import annotations

from agon.sandbox.doctor import LAYERS
from tests.sandbox.attacks import ATTACKS
from tests.sandbox.table import PAGE, listed


def test_the_page_lists_every_attack() -> None:
    assert listed(PAGE.read_text()) == [attack.name for attack in ATTACKS]


def test_the_page_names_every_layer_and_whether_it_is_needed() -> None:
    rows = [f"\n| {layer.name} | {'yes' if layer.needed else 'no'} |" for layer in LAYERS]
    page = PAGE.read_text()
    assert not [row for row in rows if row not in page]
