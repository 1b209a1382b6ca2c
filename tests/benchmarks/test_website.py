"""The bench of the website, small: real processes, real figures."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from agon.errors import AgonError
from agon.games.registry import all_games
from benchmarks.http_swarm import PATIENCE
from benchmarks.served import served
from benchmarks.website import (
    LONG,
    Long,
    PageWeight,
    ReplayWeight,
    play_long_match,
    weigh_page,
    weigh_replay,
)
from benchmarks.website_load import Kind, PageTime, PageTimes, make_request, measure_pages
from benchmarks.website_report import Figures, print_website, website_json
from benchmarks.website_server import serve_quiet_site
from benchmarks.website_spectators import Watching, measure_spectators, waited

MS = 10**6
SECOND = 10**9
FIGURES = Figures(
    [PageWeight("/", 10 << 10, 20 << 10)],
    [ReplayWeight("hive", 250, 5, 20 << 10)],
    PageTimes(500, (PageTime("front page", 900 * MS),), (PageTime("bot page", 12 * MS),)),
    Watching(500, 10, 20_000, 300 * MS, 25 * MS, 700 * MS, 40 * MS, 0, 9 * MS),
)


@pytest.mark.slow
def test_a_page_weighs_as_much_as_it_and_what_it_loads() -> None:
    with served(serve_quiet_site) as site:
        front, match = (weigh_page(site.port, path) for path in ("/", "/matches/1"))
        with pytest.raises(AgonError, match="/nowhere: status 404, expected 200"):
            weigh_page(site.port, "/nowhere")
    assert 1000 < front.own < front.total
    assert front.assets > 5000
    assert match.assets != front.assets  # another script, and what it imports


def test_a_small_crowd_is_served() -> None:
    found = measure_pages(crowd=5, times=2)
    assert {one.name for one in found.crowds} >= {"front page, visitors", "front page, users"}
    assert all(0 < one.ns < PATIENCE * SECOND for one in (*found.crowds, *found.anew))


def test_a_client_asks_as_itself() -> None:
    numbers = iter((7, 8))
    own = Kind("", "/bots/{author}?before={new}", logged_in=True)
    asked = make_request(own, 5, numbers)
    assert asked.split()[1] == b"/bots/6?before=7"
    assert b"agon_session=session-of-author-5\r\n" in asked
    assert b"agon_session" not in make_request(Kind("", "/"), 5, numbers)


@pytest.mark.slow
def test_a_few_spectators_see_what_is_shown() -> None:
    found = measure_spectators(spectators=20, seconds=1.2)
    assert (found.spectators, found.matches, found.lost) == (20, 10, 0)
    assert found.updates >= 20  # a position twice a second
    assert found.arrival_ns > 0
    assert 0 < found.median_ns <= max(found.slowest_ns, found.slowest_arriving_ns)


def test_who_sees_nothing_more_waits_to_the_end() -> None:
    assert list(waited([10, 20, 30], [(0, 11), (1, 22)], 5, 40, 40)) == [1, 2, 10]
    assert list(waited([10], [], 5, 40, 40)) == [30]


def test_what_was_shown_before_cannot_be_late() -> None:
    assert list(waited([10, 20, 30], [(2, 33)], 15, 25, 40)) == [13]


def test_a_long_match_is_cut_off() -> None:
    assert play_long_match(Long("hive", 2, "random", 1), 12).turns == 12


def test_a_replay_is_weighed() -> None:
    found = weigh_replay(Long("mebipenny", 3, "greedy", 0, {"rows": "9"}), 6)
    assert (found.match, found.turns, found.pieces) == ("mebipenny, 3 greedy, rows 9", 6, 1)
    assert 1000 < found.packed < 10_000


def test_all_games_are_weighed_with_few_and_with_many() -> None:
    weighed = {(long.game, long.seats) for long in LONG}
    for game in all_games():
        assert {(game.name, 2), (game.name, max(game.seats))} <= weighed


def test_figures_for_people() -> None:
    written = io.StringIO()
    print_website(Console(file=written, width=200), FIGURES)
    told = written.getvalue()
    assert "/: 30.0 KiB, of which 10.0 KiB the page itself" in told
    assert "hive, 250 turns in 5 pieces: 20.0 KiB" in told
    words = [" ".join(line.split()) for line in told.splitlines()]
    assert "500 at once, front page: all served after 900.0 ms below 3.00 s" in words
    assert "made anew: bot page 12.0 ms below 20.0 ms" in words
    assert "500 spectators of 10 matches: there after 300.0 ms" in words
    assert "the slowest update while they come 700.0 ms below 3.00 s" in words
    assert "the slowest update afterwards 40.0 ms below 1.00 s" in words
    assert "streams that were lost 0 0" in words
    assert "so late were the clients themselves 9.0 ms" in words


def test_figures_for_programs() -> None:
    data = website_json(FIGURES)
    assert isinstance(data, dict)
    assert data["page_bytes"] == {"/": 30 << 10}
    assert data["replays"] == {"hive": {"turns": 250, "pieces": 5, "packed_bytes": 20 << 10}}
    assert data["crowd_served_ns"] == {"front page": 900 * MS}
    assert data["made_anew_ns"] == {"bot page": 12 * MS}
    assert (data["slowest_behind_arriving_ns"], data["slowest_behind_ns"]) == (700 * MS, 40 * MS)
