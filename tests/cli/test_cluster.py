"""`agon cluster` and `--cluster`: what is refused before anything starts."""

from __future__ import annotations

import pytest

from tests.cli.process import run_agon


@pytest.mark.system
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cluster join 127.0.0.1:6379 --host 10.0.0.2", "a head at a loopback address has no"),
        ("cluster join 10.0.0.1:6379 --host 127.0.0.1", "'127.0.0.1': expected this machine's"),
        ("cluster head --host 192.0.2.1", "--host 192.0.2.1: Cannot assign requested address"),
        ("cluster join 10.0.0.1 --host 10.0.0.2", "expected HOST:PORT"),
        ("cluster join 10.0.0.1:6379", "--host '': expected this machine's address"),
        ("cluster head --port 0", "--port 0: expected a whole number from 1"),
        ("cluster status --cluster local", "'local': expected HOST:PORT"),
        ("simulate hive --games 9 --cluster nowhere", "'nowhere': expected HOST:PORT"),
        ("match hive random random --watch --cluster local", "--watch with --cluster"),
        *(
            (f"{command} --allow /usr/games --cluster 10.0.0.1:6379", "set AGON_ALLOW where `agon")
            for command in (
                "match hive random greedy",
                "tournament hive random greedy",
                "sprt hive random greedy",
            )
        ),
    ],
)
def test_what_cannot_be_is_told_in_one_line(command: str, told: str) -> None:
    result = run_agon(*command.split())
    assert result.returncode == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
