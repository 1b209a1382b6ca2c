"""People at the board of a real `agon serve`, in a real browser, with real clicks.

One arena and one browser for all of it; each new context is a new visitor.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from agon.games.bot import Budget
from agon.games.registry import find_game, game_names
from agon.match.transcript import parse_transcript
from tests.website.play.clicking import chance
from tests.website.play.seeing import CHOICE, MINE, OVER, click_turn, new_page, pick, send, sit_down
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from agon.games.game import Position
    from tests.website.running import Arena

QUIETLY = ("--no-ladder",)
MOST_TURNS = 60


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def arena(data: Path) -> Iterator[Arena]:
    with running_arena(data, *QUIETLY) as running:
        yield running


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The transcripts of all matches."""
    return tmp_path_factory.mktemp("transcripts")


@pytest.fixture
def said() -> list[str]:
    """What the pages complain of."""
    return []


@pytest.fixture
def page(browser: Browser, arena: Arena, said: list[str]) -> Iterator[Page]:
    """A page on which nothing may go wrong."""
    context = browser.new_context(base_url=arena.address, reduced_motion="reduce")
    yield new_page(context, said)
    context.close()
    assert said == []


def look(page: Page) -> Any:
    """The match as the API tells it to this page."""
    key = page.url.rpartition("/")[2]
    answer = page.request.get(f"/api/v1/plays/{key}")
    assert answer.ok, answer.text()
    return answer.json()


def play_to_the_end(page: Page, game: str) -> None:
    if game == "hive":
        win_hive(page)
        return
    rng = chance(game)
    for _ in range(MOST_TURNS):
        if page.locator(OVER).count():
            return
        click_turn(page, rng)
    raise AssertionError(f"{game} does not end")


def win_hive(page: Page) -> None:
    """Chance would take too long: a bot says where to click."""
    game = find_game("hive")
    advisor = game.bot("search", 1)
    position: Position[Any] = game.start()
    known = 0
    while not page.locator(OVER).count():
        for turn in (one for one in look(page)["turns"] if one["number"] > known):
            known = turn["number"]
            [told] = turn["told"]
            [seat] = position.to_act
            shown = told.partition(": ")[2]
            position = position.play(
                {
                    seat: next(
                        move
                        for move in position.legal_moves(seat)
                        if game.common_notation(position.format_turn(seat, move)) == shown
                    )
                }
            )
        wanted = position.format_turn(0, advisor.choose(position, 0, Budget(depth=6)))
        for number, one in enumerate(find_clicks(position, wanted)):
            pick(page, one, number + 1)
        send(page)
    assert look(page)["verdict"] == "guest won: black queen surrounded"


def find_clicks(position: Position[Any], text: str) -> list[str]:
    """The clicks that make this turn of Hive."""
    step = find_game("hive").clicks()
    for first in step(position, 0, []).choices:
        for second in step(position, 0, [first.id]).choices:
            if step(position, 0, [first.id, second.id]).turn == text:
                return [first.id, second.id]
    raise AssertionError(f"{text} cannot be clicked")


@pytest.mark.parametrize("game", game_names())
def test_a_whole_match_with_real_clicks(page: Page, kept: Path, game: str) -> None:
    sit_down(page, game)
    expect(page.locator(MINE)).to_be_attached()
    play_to_the_end(page, game)
    check_end(page, kept, "guest won" if game == "hive" else "")


@pytest.mark.parametrize("game", ["skyport", "mebipenny"])
def test_resigning_is_asked_once_and_told_in_words(page: Page, kept: Path, game: str) -> None:
    sit_down(page, game)
    expect(page.locator(MINE)).to_be_attached()
    click_turn(page, chance(game))
    page.locator("summary", has_text="Resign").click()
    expect(page.get_by_text("Do you give up? random wins then.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Yes, resign")).to_be_hidden()
    assert look(page)["state"] == "playing"
    page.locator("summary", has_text="Resign").press("Enter")
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(OVER)).to_be_attached()
    expect(page.locator('[data-part="status"]')).to_have_text("random won: guest resigned")
    check_end(page, kept, "random won: guest resigned")
    page.goto("/matches")
    row = page.locator(".results tbody tr").first
    expect(row).to_contain_text("guest (person) resigned")
    listed = page.request.get("/api/v1/matches?limit=1").json()[0]
    assert listed["reason"] == "guest (person) resigned"
    assert [seat["verdict"] for seat in listed["seats"]] == ["resigned", "rules"]


def check_end(page: Page, folder: Path, verdict: str) -> None:
    """The verdict stands on the page; the replay is a click away, and follows from the rules."""
    told = page.locator('[data-part="status"]').inner_text()
    assert verdict in told
    assert " won: " in told or told.startswith("No winner: ")
    expect(page.locator(CHOICE)).to_have_count(0)
    page.get_by_role("link", name="Watch the replay").click()
    expect(page).to_have_url(re.compile(r"/matches/[0-9]+$"))
    expect(page.locator("p.verdict")).to_contain_text(told)
    path = urlsplit(page.url).path
    transcript = page.request.get(f"{path}/transcript").text()
    assert parse_transcript(transcript).outcome
    (folder / f"{path.rpartition('/')[2]}.json").write_text(transcript)


def test_all_that_was_played_can_be_verified(arena: Arena, data: Path, kept: Path) -> None:
    """The tests above have left their matches."""
    files = run_agon("verify", "--json", str(kept))["files"]
    assert len(files) >= len(game_names())
    run_agon("verify", "--ratings", "--json", "--data", str(data))


def run_agon(*arguments: str) -> Any:
    """What a command prints; all must be well."""
    command = [sys.executable, "-m", "agon", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["ok"]
    return told


def test_a_page_goes_on_by_itself_when_the_site_was_killed(
    browser: Browser, arena: Arena, data: Path, kept: Path, said: list[str]
) -> None:
    """The last test: it ends the arena of the others, and starts it again at the same address."""
    context = browser.new_context(base_url=arena.address, reduced_motion="reduce")
    page = new_page(context, said)
    sit_down(page, "skyport")
    expect(page.locator(MINE)).to_be_attached()
    click_turn(page, chance(1))
    before = look(page)
    arena.stop(signal.SIGKILL)
    expect(page.get_by_text("The site does not answer.")).to_be_visible()
    with running_arena(data, *QUIETLY, "--port", str(urlsplit(arena.address).port)):
        expect(page.get_by_text("The site does not answer.")).to_be_hidden(timeout=60_000)
        assert {**look(page), "players": []} == {**before, "players": []}
        play_to_the_end(page, "skyport")
        check_end(page, kept, "")
        context.close()
    assert all("ERR_" in one or "503" in one for one in said), said
