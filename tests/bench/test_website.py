"""The bench of the website, small: real processes, real figures."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from agon.bench.measure import Standing
from agon.bench.served import served
from agon.bench.website import PageWeight, ReplayWeight, play_long_match, weigh_page
from agon.bench.website_load import Watching, measure_spectators, pages_contest, waited
from agon.bench.website_server import serve_quiet_site
from agon.cli.bench_website import Figures, print_website, website_json
from agon.errors import AgonError

FIGURES = Figures(
    [PageWeight("/", 10 << 10, 20 << 10)],
    [ReplayWeight("hive", 250, 20 << 10)],
    [Standing("ours", 1500, None), Standing("bare", 3000, 0.5)],
    Watching(500, 10, 20_000, 25 * 10**6, 700 * 10**6, 0),
)


def test_a_page_weighs_as_much_as_it_and_what_it_loads() -> None:
    with served(serve_quiet_site) as site:
        front, match = (weigh_page(site.port, path) for path in ("/", "/matches/1"))
        with pytest.raises(AgonError, match="/nowhere: status 404, expected 200"):
            weigh_page(site.port, "/nowhere")
    assert 1000 < front.own < front.total
    assert front.assets > 5000
    assert match.assets != front.assets  # another script, and what it imports


def test_a_few_readers_read_on_and_on() -> None:
    with pages_contest(clients=3, piece=12) as contest:
        for contestant in contest.contestants:
            for _ in range(2):
                assert 12 <= contestant.work() <= 12 + 3


def test_a_few_spectators_see_what_is_shown() -> None:
    found = measure_spectators(spectators=20, seconds=1.2)
    assert (found.spectators, found.matches, found.lost) == (20, 10, 0)
    assert found.updates >= 20  # a position twice a second
    assert 0 < found.median_ns <= found.slowest_ns


def test_who_sees_nothing_more_waits_to_the_end() -> None:
    assert list(waited([10, 20, 30], [(0, 11), (1, 22)], 5, 40)) == [1, 2, 10]
    assert list(waited([10], [], 5, 40)) == [30]


def test_a_long_match_is_cut_off() -> None:
    assert play_long_match("hive", 12).turns == 12
    assert play_long_match("mebipenny", 12).turns == 12


def test_a_shorter_match_is_scaled() -> None:
    assert ReplayWeight("hive", 250, 1000).scaled == 2000
    assert ReplayWeight("hive", 500, 1000).scaled == 1000


def test_figures_for_people() -> None:
    written = io.StringIO()
    print_website(Console(file=written, width=200), FIGURES)
    told = written.getvalue()
    assert "/: 30.0 KiB, of which 10.0 KiB the page itself" in told
    assert "hive, 250 turns: 20.0 KiB; 500 turns at this rate: 40.0 KiB" in told
    assert "that is 0.50 times the bare rate, wanted: at least 0.25" in told
    assert "the slowest 700.0 ms, wanted: less than 1.00 s; lost: 0" in told


def test_figures_for_programs() -> None:
    data = website_json(FIGURES)
    assert isinstance(data, dict)
    assert data["page_bytes"] == {"/": 30 << 10}
    assert data["replays"] == {"hive": {"turns": 250, "packed_bytes": 20 << 10}}
    assert (data["ratio_permille"], data["slowest_behind_ns"]) == (500, 700_000_000)
