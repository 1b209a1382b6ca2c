"""The load on a server of MebiPenny, small: real processes, real figures."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from agon.errors import AgonError
from benchmarks.http_swarm import Swarm, header, request
from benchmarks.measure import Standing
from benchmarks.mebipenny_load import SIDES, Held, load_contest, measure_held, write_script
from benchmarks.mebipenny_report import load_json, print_load

STANDINGS = [Standing("ours", 1500, None), Standing("bare", 3000, 0.5)]
HELD = Held(2000, 210 << 20, None)


@pytest.mark.slow
def test_a_few_games_are_played_over_and_over() -> None:
    length = len(write_script(SIDES[0]).turns)
    with load_contest(games=2, piece=2 * length) as contest:
        for contestant in contest.contestants:
            for _ in range(2):  # more than one game long
                assert 2 * length <= contestant.work() <= 2 * length + 4


def test_a_few_requests_are_held() -> None:
    found = measure_held(40)
    assert found.held == 40
    assert found.error is None
    assert found.resident_bytes > 1 << 20


def test_a_response_that_is_not_expected_is_an_error() -> None:
    swarm = Swarm()
    head = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 3\r\nx-turn-token: abc"
    assert header(head, b"content-length") == b"3"
    assert swarm.expect(head, b"403", b"x-turn-token") == b"abc"
    assert swarm.error is None
    swarm.expect(head, b"200")
    assert isinstance(swarm.error, AgonError)
    assert "expected b'200'" in str(swarm.error)


@pytest.mark.parametrize("body", [b"", b"{}"])
def test_requests_say_how_long_they_are(body: bytes) -> None:
    sent = request(b"POST", b"/x", body, b"a: b\r\n")
    assert sent.startswith(b"POST /x HTTP/1.1\r\n")
    assert sent.endswith(b"content-length: %d\r\na: b\r\n\r\n%b" % (len(body), body))


def test_figures_for_people_and_for_programs() -> None:
    written = io.StringIO()
    print_load(Console(file=written, width=200), "200 games", STANDINGS, HELD)
    told = written.getvalue()
    assert "ours: 1,500/s" in told
    assert "that is 0.50 times the bare route's rate, wanted: at least 0.33" in told
    assert "2,000 held requests at once: no error; the server has 210 MiB" in told
    data = load_json(STANDINGS, Held(2000, 1, AgonError("the server closed a connection")))
    assert isinstance(data, dict)
    assert (data["ratio_permille"], data["held_error"]) == (500, "the server closed a connection")
