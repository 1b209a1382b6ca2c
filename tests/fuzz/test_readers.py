"""No bytes make a reader fail: what it cannot take is an error of ours, with a message."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agon.arbiter.entrant import parse_program
from agon.errors import AgonError, SettingError
from agon.games.skyport.wire import parse_message
from agon.match.transcript import parse_transcript
from tests.fuzz.readers import READERS, WIRE, read, samples

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

INPUTS = 5_000
DEPTHS = (100, 480, 900, 990, 5_000, 100_000)

every_reader = pytest.mark.parametrize("reader", READERS)


@st.composite
def edited(draw: DrawFn, reader: str) -> bytes:
    """A sample with some parts cut out, put in, or exchanged."""
    content = draw(st.sampled_from(samples(reader)))
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(content)))
        end = draw(st.integers(begin, min(begin + 20, len(content))))
        new = draw(st.binary(max_size=8) | st.text(max_size=4).map(str.encode))
        content = content[:begin] + new + content[end:]
    return content


@every_reader
def test_samples_can_be_read(reader: str) -> None:
    """Else the other tests would try nothing but errors."""
    taken = 0
    for sample in samples(reader):
        try:
            READERS[reader](sample)
            taken += 1
        except AgonError:
            assert READERS[reader].args == (WIRE,)  # type: ignore[attr-defined]
    assert taken * 2 >= len(samples(reader))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@every_reader
def test_edited_samples(reader: str) -> None:
    """Starlette leaves the file of a form that is cut off to the garbage collector, which warns."""

    @settings(max_examples=INPUTS, suppress_health_check=list(HealthCheck), database=None)
    @given(edited(reader) | st.binary(max_size=200))
    def attempt(content: bytes) -> None:
        read(reader, content)

    attempt()


@every_reader
@pytest.mark.parametrize("depth", DEPTHS)
def test_deep_nests(reader: str, depth: int) -> None:
    nest = b"[" * depth + b"1" + b"]" * depth
    table = b'{"a":' * depth + b"1" + b"}" * depth
    values = (nest, b'{"message": ' + nest + b"}", b'{"events": ' + nest + b"}", table)
    for first in range(len(WIRE)):
        for value in values:
            read(reader, bytes([first]) + value)
    for value in (*values, b"name = " + nest, b"games = [" + nest + b"]", b"a." * depth + b"a = 1"):
        read(reader, value)


def test_nests_are_told() -> None:
    nest = "[" * 5_000
    with pytest.raises(SettingError, match=r"bot\.toml: nested too deeply; expected lines"):
        parse_program(f"name = {nest}".encode(), Path("bot.toml"))
    with pytest.raises(AgonError, match="the document: nested too deeply; expected at most 64"):
        parse_transcript(nest)
    with pytest.raises(AgonError, match="nested too deeply"):
        parse_message(nest)


def test_a_long_bot_toml_is_refused_before_it_is_parsed() -> None:
    """A key of so many dots would take the parser half a minute."""
    with pytest.raises(SettingError, match=r"bot\.toml: expected at most 8192 bytes"):
        parse_program(b"a." * 32_000 + b"a = 1", Path("bot.toml"))
