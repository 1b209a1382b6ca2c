"""The pages of stored matches, without a browser."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from anyio.from_thread import start_blocking_portal

from agon.arena.live_matches import LiveMatches
from agon.datastore import Store
from agon.games.registry import find_game, game_names
from agon.match.transcript import TurnEvent, parse_transcript, verify
from agon.website.app import create_app
from agon.website.render.assets import ASSETS
from agon.website.site import Site, SiteSettings
from tests.website.arena import DAWN, NOON, play, store_match
from tests.website.people import Browser, Clock, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx import Response

EVIL = '<script>alert("x")</script>'
LARGEST_PAGE = 100 << 10


@contextmanager
def visiting(site: Site) -> Iterator[Browser]:
    """A browser of a visitor without an account on a site that needs no server."""
    with start_blocking_portal() as portal:
        world = World(site, create_app(site), Clock(NOON), portal)
        visitor = world.browser()
        yield visitor
        portal.call(visitor.client.aclose)


@pytest.fixture(scope="module")
def visitor(site: Site) -> Iterator[Browser]:
    """A visitor without an account."""
    with visiting(site) as visitor:
        yield visitor


@pytest.fixture
def own(blank: Path) -> Iterator[tuple[Site, Browser]]:
    """A site of the test's own, without a match, and a visitor of it."""
    with Store.open(blank) as store:
        site = Site(store, LiveMatches(), lambda: NOON)
        with visiting(site) as visitor:
            yield site, visitor


def test_the_front_page_of_an_empty_arena_says_so(own: tuple[Site, Browser]) -> None:
    page = own[1].get("/")
    assert page.status_code == 200
    assert "No match is running right now" in page.text
    assert "No matches yet" in page.text
    assert page.text.count("No bot is rated yet") == len(game_names())


def test_the_front_page_shows_results_leaders_and_what_is_played(
    own: tuple[Site, Browser],
) -> None:
    site, visitor = own
    match = play("hive", ("greedy", "random"))
    store_match(site.store, match, ["greedy", EVIL], DAWN)
    hive = find_game("hive")
    live = site.live_matches.begin(hive, ["ada", EVIL], hive.start(), NOON)
    hidden = site.live_matches.begin(hive, ["a person", "bob"], hive.start(), NOON, private=True)
    page = visitor.get("/").text
    assert f'href="/live/{live.key}"' in page
    assert 'data-id="tray-white"' in page
    assert hidden.key not in page
    assert "a person" not in page
    assert EVIL not in page
    assert "&lt;script&gt;alert(" in page
    assert re.search(r'href="/bots/\d+">greedy</a>', page)


def test_pages_that_all_may_share_are_made_once(own: tuple[Site, Browser]) -> None:
    site, visitor = own
    first = visitor.get("/")
    hive = find_game("hive")
    site.live_matches.begin(hive, ["ada", "bob"], hive.start(), NOON)
    assert visitor.get("/").text == first.text  # time stands still here
    assert first.headers["vary"] == "Cookie, Accept-Encoding"
    plain = visitor.get("/", headers={"accept-encoding": "identity"})
    assert plain.text == first.text
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize("path", ["/", "/matches", "/matches/1", "/matches/4?turn=3&seat=1"])
def test_pages_are_small_with_all_that_they_load(visitor: Browser, path: str) -> None:
    seen: dict[str, int] = {}

    def fetch(address: str) -> Response:
        response = visitor.get(address)
        assert response.status_code == 200, address
        seen[address] = int(response.headers["content-length"])
        return response

    page = fetch(path).text
    for address in re.findall(r'<(?:link|script|img)[^>]* (?:href|src)="([^"]+)"', page):
        script = fetch(address).text
        for name in re.findall(r'from "\./([a-z_]+\.js)"', script):
            fetch(ASSETS.address(name))
    assert sum(seen.values()) < LARGEST_PAGE, seen


def test_a_page_loads_nothing_from_elsewhere_and_holds_no_style_or_script(
    visitor: Browser,
) -> None:
    for path in ("/", "/matches", "/matches/1", "/replay"):
        page = visitor.get(path).text
        assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', page), path
        assert not re.findall(r"<style|\sstyle=|\son[a-z]+=", page), path
        assert not re.findall(r"<script(?![^>]*\ssrc=)", page), path


def test_matches_are_listed_the_latest_first(visitor: Browser, site: Site) -> None:
    page = visitor.get("/matches").text
    numbers = [int(found) for found in re.findall(r'href="/matches/(\d+)"', page)]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 6


def test_matches_of_a_game_and_of_a_bot(visitor: Browser, site: Site) -> None:
    hive = visitor.get("/matches?game=hive&bot=").text
    assert re.findall(r'href="/matches/(\d+)"', hive) == ["2", "1"]
    bot = site.store.bots.find("battlebots", "greedy", built_in=True)
    assert bot is not None
    of_bot = visitor.get(f"/matches?game=&bot={bot.id}").text
    assert re.findall(r'href="/matches/(\d+)"', of_bot) == ["4"]
    assert f'<option value="{bot.id}" selected>' in of_bot
    assert "No match found" in visitor.get(f"/matches?game=hive&bot={bot.id}").text


def test_matches_come_in_pages(own: tuple[Site, Browser]) -> None:
    site, visitor = own
    match = play("mebipenny", ("random", "random"), turns=2)
    for number in range(51):
        store_match(site.store, match, ["a", "b"], DAWN + number)
    first = visitor.get("/matches").text
    assert len(re.findall(r'href="/matches/\d+"', first)) == 50
    [older] = re.findall(r'href="(/matches\?[^"]*before=\d+)"', first)
    second = visitor.get(older.replace("&amp;", "&")).text
    assert re.findall(r'href="/matches/(\d+)"', second) == ["1"]
    assert "before=" not in second


@pytest.mark.parametrize(
    "path",
    [
        "/matches/99999",
        "/matches/0",
        "/matches/x",
        "/matches/99999999999999999999999",
        "/matches/1?turn=999",
        "/matches/1?seat=2",
        "/matches/1/replay/0?seat=2",
        "/matches/1/replay/999",
        "/matches/99999/replay/0",
        "/replay/a-key-that-is-not-there/0",
        "/matches/1/turn-999.svg",
        "/matches/1/turn-1.svg?seat=5",
        "/matches?game=chess",
        "/matches?bot=x",
        "/matches?bot=9999999999999999999999",
        "/looks/chess.css",
        "/live/hive-99",
        "/live/hive-99/events",
        "/nothing",
    ],
)
def test_what_is_not_there_is_not_found(visitor: Browser, path: str) -> None:
    page = visitor.get(path)
    assert page.status_code == 404
    assert "<h1>Not Found</h1>" in page.text
    told = visitor.get(path, headers={"accept": "application/json"})
    assert told.status_code in (404, 422)
    assert told.json()["error"]


def test_a_match_page_tells_who_played_what_and_how_it_ended(visitor: Browser) -> None:
    page = visitor.get("/matches/1").text
    assert "greedy won: black queen surrounded" in page
    assert re.search(r'<a href="/bots/\d+/versions/1">greedy</a>', page)
    assert "1st" in page
    assert "2nd" in page
    assert "Final place" in page
    assert 'data-id="tile-wQ1"' in page
    turns = re.findall(r'<li data-turn="(\d+)">', page)
    assert turns == [str(turn) for turn in range(len(turns))]
    assert 'href="?turn=3#board"' in page


def test_turns_are_written_as_players_do_and_as_bots_do_on_demand(visitor: Browser) -> None:
    page = unescape(visitor.get("/matches/1").text)
    match = parse_transcript(visitor.get("/matches/1/transcript").text)
    assert "also in the notation of bots" in page
    events = [event for event in match.events if isinstance(event, TurnEvent)]
    for text in (text for event in events for text in event.turns.values()):
        assert f'{match.game.common_notation(text)} <code class="own">{text}</code>' in page
    assert "/*" not in re.sub('<code class="own">.*?</code>', "", page)


def test_a_turn_can_be_asked_for_without_scripts(visitor: Browser) -> None:
    page = visitor.get("/matches/1?turn=2").text
    assert "Turn 2 of" in page
    assert 'href="?turn=1#board"' in page
    assert 'href="?turn=3#board"' in page
    assert 'href="/matches/1/turn-2.svg"' in page
    first = visitor.get("/matches/1?turn=0").text
    assert 'data-id="last-target"' in page
    assert 'data-id="last-target"' not in first


def test_views_are_offered_where_seats_see_different_things(visitor: Browser) -> None:
    fog = visitor.get("/matches/4?turn=5&seat=1").text
    chosen = re.search(r'(?s)href="\?turn=5&amp;seat=1"\s+aria-current="true"[^>]*>(.*?)</a>', fog)
    assert chosen is not None
    assert chosen[1].endswith("<span>random</span>"), "by name, with its emblem before it"
    assert "(Blue) sees" in fog
    assert "Whose view" not in visitor.get("/matches/1").text


def test_a_replay_comes_in_pieces_compressed_as_the_browser_accepts(visitor: Browser) -> None:
    pieces = {}
    for accepted in ("gzip, br", "zstd", "gzip", "identity"):
        answer = visitor.get("/matches/5/replay/55", headers={"accept-encoding": accepted})
        assert answer.headers["cache-control"] == "public, max-age=3600"
        assert "Accept-Encoding" in answer.headers["vary"]
        pieces[answer.headers.get("content-encoding", "identity")] = answer.json()
    assert list(pieces) == ["br", "zstd", "gzip", "identity"]
    piece = pieces["identity"]
    assert all(other == piece for other in pieces.values())
    assert piece["players"] == ["random", "random 2"]
    turns = [step["turn"] for step in piece["steps"]]
    assert 0 < piece["first"] == turns[0] <= 55 <= turns[-1]


def test_a_transcript_can_be_downloaded_and_verified(visitor: Browser) -> None:
    plain = visitor.get("/matches/1/transcript")
    assert plain.headers["content-disposition"] == 'attachment; filename="match-1.json"'
    outcome = verify(parse_transcript(plain.text))
    assert outcome is not None
    assert outcome.winner == 0
    packed = visitor.get("/matches/1/transcript.gz")
    assert packed.headers["content-type"] == "application/gzip"
    assert gzip.decompress(packed.content).decode() == plain.text


def test_what_programs_wrote_is_not_public(own: tuple[Site, Browser]) -> None:
    site, visitor = own
    match = play("hive", ("random", "random"), turns=3)
    logs: dict[str, Any] = {"wire": [["> secret"], []], "stderr": ["secret", ""], "void": 1}
    match = replace(match, transcript=replace(match.transcript, extra=logs))
    store_match(site.store, match, ["a", "b"], DAWN)
    text = visitor.get("/matches/1/transcript").text
    assert "secret" not in text
    assert json.loads(text)["void"] == 1
    assert "secret" not in visitor.get("/matches/1").text
    assert "secret" not in visitor.get("/matches/1/replay/0").text
    assert b"secret" not in gzip.decompress(visitor.get("/matches/1/transcript.gz").content)


def test_a_picture_has_its_own_styles_and_may_do_nothing_else(visitor: Browser) -> None:
    picture = visitor.get("/matches/4/turn-3.svg?seat=0")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert "(Red) sees" in picture.text
    policy = picture.headers["content-security-policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def test_files_are_kept_for_good_under_the_hash(visitor: Browser) -> None:
    hashed = visitor.get(ASSETS.address("scene.js"))
    assert hashed.headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = visitor.get("/static/scene.js")
    assert plain.headers["cache-control"] == "no-cache"
    assert plain.text == hashed.text
    old = visitor.get("/static/0123456789ab/scene.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    same = visitor.get("/static/scene.js", headers={"if-none-match": plain.headers["etag"]})
    assert same.status_code == 304
    assert visitor.get("/static/../app.py").status_code == 404


def test_looks_are_kept_for_good_under_their_version(visitor: Browser) -> None:
    page = visitor.get("/matches/1").text
    [address] = re.findall(r'href="(/looks/hive\.css\?v=[^"]+)"', page)
    assert "immutable" in visitor.get(address).headers["cache-control"]
    assert visitor.get("/looks/hive.css?v=old").headers["cache-control"] == "no-cache"
    assert visitor.get("/looks/hive.svg").text.startswith('<svg id="glyphs-hive"')


def test_every_page_can_be_asked_about(visitor: Browser) -> None:
    for path in ("/", "/matches/1", "/matches/1/transcript"):
        head, whole = visitor.send("HEAD", path), visitor.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_a_live_page_shows_the_board_and_leads_to_the_stored_match(
    own: tuple[Site, Browser],
) -> None:
    site, visitor = own
    game = find_game("battlebots")
    live = site.live_matches.begin(game, ["ada", EVIL], game.start(), NOON)
    page = visitor.get(f"/live/{live.key}?seat=1")
    assert page.status_code == 200
    assert EVIL not in page.text
    assert "(Blue) sees" in page.text
    assert f'data-live="/live/{live.key}/events?seat=1"' in page.text
    assert visitor.get(f"/live/{live.key}?seat=2").status_code == 404
    live.end(7)
    moved = visitor.get(f"/live/{live.key}")
    assert (moved.status_code, moved.headers["location"]) == (303, "/matches/7")


def test_a_match_with_a_person_in_it_is_not_for_spectators(own: tuple[Site, Browser]) -> None:
    site, visitor = own
    game = find_game("hive")
    live = site.live_matches.begin(game, ["ada", "bob"], game.start(), NOON, private=True)
    assert visitor.get(f"/live/{live.key}").status_code == 404
    assert visitor.get(f"/live/{live.key}/events").status_code == 404


def test_mistakes_of_ours_say_nothing_about_the_inside(caplog: pytest.LogCaptureFixture) -> None:
    nothing: Any = None
    with visiting(Site(nothing, LiveMatches(), lambda: NOON)) as visitor:
        page = visitor.get("/matches")
    assert page.status_code == 500
    assert "Something went wrong on our side" in page.text
    assert "NoneType" not in page.text
    assert "GET /matches failed" in caplog.text


def test_settings_give_the_site_its_name(blank: Path) -> None:
    with Store.open(blank) as store:
        site = Site(store, LiveMatches(), lambda: NOON, SiteSettings(title="Friday Cup"))
        with visiting(site) as visitor:
            assert "<title>Friday Cup: bots play games</title>" in visitor.get("/").text


def test_a_page_fetches_the_piece_ahead_that_its_script_asks_for(own: tuple[Site, Browser]) -> None:
    site, visitor = own
    match = play("battlebots", ("greedy", "random"))
    number = store_match(site.store, match, ["greedy", "random"], DAWN)
    page = visitor.get(f"/matches/{number}?turn=2&seat=1").text
    ahead = re.search('<link rel="preload" as="fetch" crossorigin href="([^"]+)">', page)
    assert ahead
    address = unescape(ahead[1])
    assert address.startswith(f"/matches/{number}/replay/2?")
    assert address.endswith("&seat=1")
    assert visitor.get(address).json()["first"] == 0
