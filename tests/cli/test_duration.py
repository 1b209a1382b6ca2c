"""Durations on the command line."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.cli.duration import parse_duration
from agon.errors import SettingError

UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9}

steady = settings(derandomize=True, deadline=None)


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("1s", 10**9),
        ("0.2s", 200_000_000),
        ("250ms", 250_000_000),
        ("1.5m", 90 * 10**9),
        ("7us", 7_000),
        ("3ns", 3),
        ("0s", 0),
        ("007s", 7 * 10**9),
        ("0.3s", 300_000_000),
        ("0.000000001s", 1),
        ("1.9ns", 1),
        ("999999999m", 999_999_999 * 60 * 10**9),
    ],
)
def test_durations_are_whole_nanoseconds(text: str, nanoseconds: int) -> None:
    assert parse_duration(text) == nanoseconds


@steady
@given(
    st.integers(0, 10**9 - 1),
    st.none() | st.text("0123456789", min_size=1, max_size=9),
    st.sampled_from(sorted(UNITS)),
)
def test_nothing_is_lost_but_parts_of_nanoseconds(
    whole: int, fraction: str | None, unit: str
) -> None:
    number = str(whole) if fraction is None else f"{whole}.{fraction}"
    assert parse_duration(number + unit) == Fraction(number) * UNITS[unit] // 1


@pytest.mark.parametrize(
    "text",
    [
        *("", "s", "1", "1 s", " 1s", "1s ", "1s\n", "-1s", "+1s", "1h", "1S", "1sec", "1m30s"),
        *("1.s", ".5s", "1,5s", "1e3s", "0x1s", "1_000ms", "infs", "nans", "1..2s", "1s1s"),
        *(
            "\uff11s",
            "\u0663s",
            "1\u00a0s",
            "1\0s",
            "1234567890s",
            "0.1234567890s",
            "9" * 10_000 + "s",
        ),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match=r"^time '.*expected a number and a unit, such as 1s"):
        parse_duration(text)


@steady
@given(st.text())
def test_rubbish_is_quoted_in_one_short_line(text: str) -> None:
    with pytest.raises(SettingError) as refusal:
        parse_duration(text + "?")
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 600
