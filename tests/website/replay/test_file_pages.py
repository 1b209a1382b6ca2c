"""A visitor's own transcript, opened on the site."""

from __future__ import annotations

import gzip
import re
import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.live_matches import LiveMatches
from agon.arena.rate_limit import RateLimit
from agon.datastore import MatchFilter, Store
from agon.errors import TranscriptError
from agon.match.transcript import Fault, FaultEvent, format_transcript
from agon.website.replay.file_pages import unpack
from agon.website.site import Site, SiteSettings
from tests.games.atlantis.first_site import BARE_BOARD, SAVED
from tests.games.battlebots.contest_log import CONTEST_LOG, CROSSING_MAP
from tests.website.arena import NOON, play
from tests.website.replay.test_match_pages import visiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx import Response

    from tests.website.people import Browser

MATCH = play("battlebots", ("greedy", "random"), turns=6)
TEXT = format_transcript(MATCH.transcript)
SMALL = SiteSettings(largest_replay=100_000)
EVIL = "<script>alert(1)</script>.json"


@pytest.fixture
def visitor(blank: Path) -> Iterator[Browser]:
    """A visitor of a site that takes files of 100 kB."""
    with Store.open(blank) as store:
        site = Site(store, LiveMatches(), lambda: NOON, SMALL, openings=RateLimit(20, 60))
        with visiting(site) as visitor:
            yield visitor
        assert site.store.matches.count(MatchFilter()) == 0


def send(
    visitor: Browser, path: str, content: bytes, name: str = "match.json", **fields: str
) -> Response:
    return visitor.send(
        "POST",
        path,
        data=fields,
        files={"file": (name, content)},
        headers={"accept": "text/html" if path == "/replay" else "application/json"} | visitor.own,
    )


@pytest.mark.parametrize("content", [TEXT.encode(), gzip.compress(TEXT.encode())])
def test_a_file_is_shown_without_scripts(visitor: Browser, content: bytes) -> None:
    page = send(visitor, "/replay", content, EVIL)
    assert page.status_code == 200
    assert "Turn 6 of 6" in page.text
    assert "greedy" in page.text
    assert 'data-id="fort-0"' in page.text
    assert EVIL not in page.text
    assert "&lt;script&gt;" in page.text
    assert 'data-turn="6"' in page.text
    assert 'href="?turn=' not in page.text


def test_one_turn_and_one_view_can_be_asked_for(visitor: Browser) -> None:
    page = send(visitor, "/replay", TEXT.encode(), turn="2", seat="1")
    assert "Turn 2 of 6" in page.text
    assert "random (Blue) sees" in page.text


def test_the_script_gets_pieces_under_a_secret_address(visitor: Browser) -> None:
    page = send(visitor, "/replay", TEXT.encode(), script="yes")
    [address] = re.findall(r'data-replay="(/replay/[^"/]{40,}/\{turn\}\?v=[0-9a-f]+)"', page.text)
    answer = visitor.get(f"{address.replace('{turn}', '6')}&seat=0")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.json()["steps"][-1]["turn"] == 6
    assert "as greedy (Red) sees it" in answer.json()["steps"][0]["title"]
    for missing in ("7", "6&seat=3"):
        assert visitor.get(address.replace("{turn}", missing)).status_code == 404
    again = send(visitor, "/replay", TEXT.encode(), script="yes")
    assert address not in again.text


def test_without_scripts_nothing_is_kept(visitor: Browser) -> None:
    assert 'data-replay=""' in send(visitor, "/replay", TEXT.encode()).text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "line 1"),
        (b"{", "line 1"),
        (b"\xff", "byte 0 of the file is not UTF-8"),
        (TEXT.replace('"1.0"', '"9.9"').encode(), "version"),
        (TEXT.replace('"type": "turn"', '"type": 5', 1).encode(), "events[0].type"),
        (TEXT.replace('{"name": "greedy"}, ', "").encode(), "players"),
        (gzip.compress(TEXT.encode())[:200], "cut off"),
        (b"\x1f\x8bnonsense", "not gzipped as it should be"),
        (gzip.compress(b" " * 1_000_000), "larger than"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(visitor: Browser, content: bytes, told: str) -> None:
    page = send(visitor, "/replay", content)
    assert page.status_code == 400
    assert told in page.text


def test_a_damaged_match_is_shown_up_to_the_damage(visitor: Browser) -> None:
    broken = replace(MATCH.transcript, events=MATCH.transcript.events[:3], outcome=None)
    text = (
        format_transcript(broken)
        .replace('"0": "', '"0": "no ', 2)
        .replace('"0": "no ', '"0": "', 1)
    )
    page = send(visitor, "/replay", text.encode())
    assert page.status_code == 200
    assert "From here on the transcript is damaged" in page.text
    assert "events[1]" in page.text
    assert "The match has not ended." in page.text


def test_a_claim_that_does_not_fit_is_not_believed(visitor: Browser) -> None:
    lying = TEXT.replace(
        '"outcome": {', '"outcome": {"scores": [9, 9, 9], "reason": "mine"}, "x": {'
    )
    page = send(visitor, "/replay", lying.encode())
    assert page.status_code == 200
    assert "mine" not in page.text


def test_faults_are_told(visitor: Browser) -> None:
    events = (*MATCH.transcript.events[:2], FaultEvent(1, Fault.CRASH, "segfault <here>"))
    text = format_transcript(replace(MATCH.transcript, events=events, outcome=None))
    page = send(visitor, "/replay", text.encode())
    assert "crash: segfault &lt;here&gt;" in page.text


def test_a_file_that_is_too_large_is_not_read(visitor: Browser) -> None:
    page = send(visitor, "/replay", b" " * 300_000)
    assert page.status_code == 413
    assert "larger than" in page.text


@pytest.mark.parametrize("fields", [{"turn": "99"}, {"turn": "x"}, {"seat": "7"}, {"seat": "-1"}])
def test_turns_and_seats_that_are_not_there(visitor: Browser, fields: dict[str, str]) -> None:
    page = send(visitor, "/replay", TEXT.encode(), **fields)
    assert page.status_code == 400
    assert next(iter(fields)) in page.text


def test_no_file_is_no_match(visitor: Browser) -> None:
    visitor.get("/replay")
    page = visitor.post("/replay", turn="1")
    assert page.status_code == 400
    assert "no file" in page.text


def test_a_form_of_another_site_opens_nothing(visitor: Browser) -> None:
    page = visitor.send("POST", "/replay", files={"file": ("x.json", TEXT.encode())})
    assert page.status_code == 403


def test_no_visitor_may_have_files_opened_all_the_time(visitor: Browser) -> None:
    answers = [send(visitor, "/replay", b"{") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [400] * 20 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_what_is_unpacked_has_a_limit() -> None:
    assert unpack(gzip.compress(b"x" * 100), 100) == "x" * 100
    with pytest.raises(TranscriptError, match="larger"):
        unpack(gzip.compress(b"x" * 101), 100)
    with pytest.raises(TranscriptError, match="larger"):
        unpack(b"x" * 101, 100)


def test_no_more_is_unpacked_than_may_be() -> None:
    bomb = gzip.compress(b" " * (64 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(TranscriptError, match="larger than 1 MiB"):
            unpack(bomb, 1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["contest.log", "upload"])
def test_a_log_of_a_contest_is_opened_by_its_content(visitor: Browser, name: str) -> None:
    page = send(visitor, "/replay", CONTEST_LOG.encode(), name, script="yes")
    assert page.status_code == 200
    assert re.search("Battlebots: felix . ilion", page.text)
    assert "road nox oz: it crosses the road boyard helsingor" in page.text
    assert "a march of 0 soldiers of felix from boyard to helsingor" in page.text
    assert "Turn 4 of 4" in page.text
    (address,) = re.findall(r'data-replay="([^"]+)"', page.text)
    piece = visitor.get(address.replace("{turn}", "0")).json()
    assert [step["turn"] for step in piece["steps"]] == [0, 1, 2, 3, 4]


def test_a_map_of_a_contest_is_opened(visitor: Browser) -> None:
    page = send(visitor, "/replay", CROSSING_MAP.encode(), "duel.map")
    assert page.status_code == 200
    assert "Turn 0 of 0" in page.text
    assert "it crosses the road" in page.text
    bad = send(visitor, "/replay", CROSSING_MAP.replace("4 forts", "9 forts").encode(), "x.map")
    assert bad.status_code == 400
    assert "expected fort x y owner soldiers" in bad.text


def test_a_board_without_players_is_opened(visitor: Browser) -> None:
    page = send(visitor, "/replay", BARE_BOARD.encode(), "board.json", script="yes")
    assert page.status_code == 200
    assert "A board of 11 fields, without players" in page.text
    assert 'id="players"' not in page.text
    (address,) = re.findall(r'data-replay="([^"]+)"', page.text)
    piece = visitor.get(address.replace("{turn}", "0")).json()
    assert (piece["last"], piece["players"]) == (0, [])


def test_a_file_of_the_first_site_is_opened_and_its_oddities_are_told(visitor: Browser) -> None:
    page = send(visitor, "/replay", SAVED.replace("{", '{"server": 1, ', 1).encode(), "old.json")
    assert page.status_code == 200
    assert "Turn 3 of 3" in page.text
    assert "read as &#34;Atlantis transcript&#34;" in page.text
    assert "server: not a key of this format" in page.text


def test_the_colours_of_a_document_are_those_of_the_page(visitor: Browser) -> None:
    content = SAVED.replace('"red"', '"teal"').encode()
    page = send(visitor, "/replay", content, "old.json", script="yes")
    assert re.search(r"<small>Teal</small>.*<small>Blue</small>", page.text, re.DOTALL)
    [look] = re.findall(r'<link rel="stylesheet" href="([^"]+)" data-look="([^"]+)">', page.text)
    assert look[1] == "atlantis-008080-0000ff"
    assert 'class="swatch scene scene-atlantis-008080-0000ff"' in page.text
    assert 'id="glyphs-atlantis-008080-0000ff"' in page.text
    css = visitor.get(look[0])
    assert css.headers["cache-control"].startswith("public, max-age=31536000")
    assert ".scene-atlantis-008080-0000ff .red{color:#008080}" in css.text
    (address,) = re.findall(r'data-replay="([^"]+)"', page.text)
    assert visitor.get(address.replace("{turn}", "0")).json()["look"] == look[1]
    for name in ("atlantis-nonsense", "atlantis-ff0000-x-x-x-x-x-x", "nothing"):
        assert visitor.get(f"/looks/{name}.css").status_code == 404
