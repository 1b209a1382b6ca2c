"""Letters that look alike are one, whichever of them Unicode's table names."""

from __future__ import annotations

import pytest
from confusable_homoglyphs.confusables import confusables_data

from agon.website.accounts.lookalikes import find_alike, find_odd_letter, skeleton

MARK = "\u200e"
"""Keeps letters of right-to-left scripts in their place in the table."""


def test_a_letter_looks_like_what_the_table_says() -> None:
    for sign, alike in confusables_data.items():
        first, second = sign.strip(MARK), alike[0]["c"].strip(MARK)
        if len(alike) == len(first) == len(second) == 1:
            assert skeleton(first) == skeleton(second), f"{first!r}, {second!r}"


@pytest.mark.parametrize("pair", ["0O", "1l", "Il", "a\u0430", "o\u03bf", ("rn", "m")])
def test_letters_that_look_alike(pair: tuple[str, str]) -> None:
    first, second = (f"x{one}" for one in pair)
    assert find_alike(first, ["y", second]) == second
    assert find_alike(second, ["y", first]) == first


@pytest.mark.parametrize("name", ["ada", "Ada 2", "\u0441\u043e\u0440\u043e\u043a\u0430", "naïve"])
def test_names_in_one_alphabet(name: str) -> None:
    assert find_odd_letter(name) == ""
    assert skeleton("adz-9") == "adz-9"


@pytest.mark.parametrize("sign", ["\u200b", "\u3164", "\u2800", "\x07", "\ufe0f", "\U000e0100"])
def test_what_is_not_seen(sign: str) -> None:
    assert find_odd_letter(f"ad{sign}a") == sign
