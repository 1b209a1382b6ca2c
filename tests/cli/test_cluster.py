"""`agon cluster` and `--cluster`: what is refused before anything starts."""

from __future__ import annotations

import pytest

from tests.cli.process import run_agon


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cluster join 127.0.0.1:6379 --host 10.0.0.2", "expected addresses of a private network"),
        ("cluster join 10.0.0.1 --host 10.0.0.2", "expected HOST:PORT"),
        ("cluster join 10.0.0.1:6379", "--host: expected this machine's address"),
        ("cluster head --port 0", "--port 0: expected a whole number from 1"),
        ("simulate hive --games 9 --cluster nowhere", "'nowhere': expected HOST:PORT or local"),
        ("simulate hive --cluster local --device cuda", "--cluster with --device cuda"),
        ("match hive random random --watch --cluster local", "--watch with --cluster"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(command: str, told: str) -> None:
    result = run_agon(*command.split())
    assert result.returncode == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
