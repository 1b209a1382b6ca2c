"""JSON that people can read, and the word while kernels are compiled."""

from __future__ import annotations

import io
import json
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from agon.cli.console import CompileNotice, format_json

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=40,
)


@given(json_values)
def test_formatted_json_is_the_same_json(value: Any) -> None:
    assert json.loads(format_json(value)) == value


def test_long_json_is_broken_into_lines() -> None:
    value: dict[str, Any] = {"cells": [[n, -n] for n in range(30)], "name": "hive"}
    lines = format_json(value).splitlines()
    assert lines[:3] == ["{", '  "cells": [', "    [0, 0],"]
    assert lines[-2:] == ['  "name": "hive"', "}"]


def clock_of_seconds() -> Any:
    seconds = count()
    return lambda: next(seconds) * 10**9


def test_many_compilations_are_one_line() -> None:
    written = io.StringIO()
    notice = CompileNotice("Hive", Console(file=written), clock_of_seconds())
    notice.on_event("perft", True)
    notice.on_event("step", True)
    assert written.getvalue() == "agon: compiling the rules of Hive, kept for the next time …"
    notice.on_event("step", False)
    notice.on_event("perft", False)
    notice.close()
    assert written.getvalue() == (
        "agon: compiling the rules of Hive, kept for the next time … 3.00 s\n"
    )


def test_nothing_is_said_if_nothing_is_compiled() -> None:
    written = io.StringIO()
    CompileNotice("Hive", Console(file=written), clock_of_seconds()).close()
    assert written.getvalue() == ""


def test_a_terminal_shows_a_spinner_and_keeps_one_line() -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, color_system=None, width=100)
    notice = CompileNotice("Hive", console, clock_of_seconds())
    notice.on_event("perft", True)
    notice.on_event("perft", False)
    notice.close()
    assert written.getvalue().endswith(
        "compiling the rules of Hive, kept for the next time: 1.00 s\n"
    )
