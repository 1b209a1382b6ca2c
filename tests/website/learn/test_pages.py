"""The pages to learn from: whole, true to the sources they are made of, and accessible."""

from __future__ import annotations

import re
import shlex
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from agon.arbiter.entrant import load_program
from agon.arbiter.starter import starter_languages
from agon.cli.app import app as cli
from agon.errors import AgonError
from agon.games.registry import all_games, find_game, game_names
from agon.match.transcript import played_positions
from agon.website.learn.articles import (
    all_guides,
    docs_folder,
    find_page,
    guide,
    protocol_of,
    rules_of,
)
from agon.website.learn.pictures import LONGEST, draw_pictures, play_example
from agon.website.learn.starter_kits import first_steps, kits_of, pack_kit
from agon.website.render.markdown import read_article
from tests.toy_game import ToyGame
from tests.website.arena import serving
from tests.website.axe import COLOURS, violations
from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser as Chromium

PAGES = (
    "/learn",
    *(f"/learn/{game}{part}" for game in game_names() for part in ("", "/protocol", "/starters")),
    *(f"/learn/guides/{name}" for name in all_guides()),
)
LINK = re.compile(r'<a href="([^"]+)"')
ID = re.compile(r' id="([^"]+)"')
ELSEWHERE = ("/docs", "/play", "/contests", "/upload")
"""Addresses of other parts of the site, which have tests of their own."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = make_world(tmp_path_factory.mktemp("learn") / "agon.db")
    yield world
    world.close()


@pytest.fixture(scope="module")
def pages(world: World) -> dict[str, str]:
    """All the pages, by their addresses."""
    browser = world.browser()
    found = {}
    for path in PAGES:
        answer = browser.get(path)
        assert answer.status_code == 200, path
        found[path] = answer.text
    return found


def main_of(page: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0]


def test_no_link_leads_nowhere(pages: dict[str, str], world: World) -> None:
    browser = world.browser()
    seen: set[str] = set()
    for here, page in pages.items():
        for link in LINK.findall(main_of(page)):
            target, _, anchor = link.partition("#")
            if target.startswith(("https://", *ELSEWHERE)):
                continue
            if target and target not in pages:
                if target not in seen:
                    assert browser.get(target).status_code == 200, f"{here} → {link}"
                seen.add(target)
                continue
            if anchor:
                assert anchor in ID.findall(pages[target or here]), f"{here} → {link}"
            seen.add(target)
    assert {f"/learn/{game}/protocol" for game in game_names()} <= seen
    assert "/learn/guides/sandbox" in seen


def test_no_page_has_an_id_twice(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        ids = ID.findall(page)
        assert len(ids) == len(set(ids)), path


def test_rules_and_protocols_are_those_of_the_sources(pages: dict[str, str]) -> None:
    for game in all_games():
        rules = main_of(pages[f"/learn/{game.name}"])
        assert "<strong>R1." in rules
        assert rules.count("<h1>") == 1
        assert rules.count("<figure>") == 4
        assert rules_of(game.name).title == game.title
        assert protocol_of(game.name).body in pages[f"/learn/{game.name}/protocol"]
    assert "queen_first=off" in pages["/learn/hive/protocol"]
    assert "turn_ms" in pages["/learn/hive/protocol"]


def test_headings_are_in_the_table_of_contents(pages: dict[str, str]) -> None:
    page = pages["/learn/hive/protocol"]
    contents = page.partition('class="contents"')[2].partition("</nav>")[0]
    anchors = re.findall(r'href="#([^"]+)"', contents)
    assert anchors[:3] == ["ten-minutes", "the-lines", "the-legal-moves"]
    assert anchors == [heading.anchor for heading in protocol_of("hive").headings]


def test_docs_are_found_beside_the_sources_or_in_the_package() -> None:
    folder = docs_folder()
    assert (folder / "write-a-bot.md").is_file()
    with pytest.raises(AgonError, match="expected one of uhp"):
        guide("../../secrets")


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("../src/agon/games/atlantis/README.md", "/learn/atlantis"),
        ("../../../../docs/skyport.md", "/learn/skyport/protocol"),
        ("write-a-bot.md", "/learn/hive/protocol"),
        ("uhp.md", "/learn/guides/uhp"),
        ("README.md", None),
        ("decisions/README.md", None),
        ("../src/agon/games/chess/README.md", None),
        ("ranking", None),
        ("", None),
    ],
)
def test_links_between_files_become_links_between_pages(target: str, address: str | None) -> None:
    assert find_page(target) == address


def test_html_in_a_page_is_text() -> None:
    text = (
        "# T <b>x</b>\n\nOne <script>alert(1)</script> `<i>`.\n\n<div onclick=x>\n\n"
        "## A <img src=x>\n\n    <pre>\n\n```html\n</code><script>\n```\n\n"
        "[bad](javascript:alert(1)) [worse](data:text/html,x) ![image](https://a.example/x.png)\n\n"
        "| <u> |\n|---|\n| <s> |\n"
    )
    article = read_article(text, lambda _: None)
    html = article.opening + article.body
    for tag in ("<script", "<i>", "<div onclick", "<img", "<u>", "<s>", "href=", "</code><script"):
        assert tag not in html, tag
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in article.opening
    assert article.title == "T <b>x</b>"
    assert article.headings[0].anchor == "a-img-srcx"


def test_markdown_becomes_what_pages_need() -> None:
    text = (
        "# Title\n\nFirst *words*\nof it.\n\n## Same\n\n### Same\n\n#### Deep\n\n"
        "[here](a.md#x) [gone](b.md) [out](https://a.example/) [in](#same)\n\n"
        "| a | |\n|---|---|\n| 1 | 2 |\n\n    code\n"
    )
    article = read_article(text, lambda target: "/a" if target == "a.md" else None)
    assert (article.title, article.lead) == ("Title", "First words of it.")
    assert article.opening == "<p>First <em>words</em>\nof it.</p>\n"
    assert [(h.level, h.anchor) for h in article.headings] == [(2, "same"), (3, "same-1")]
    assert '<h4 id="deep">' in article.body
    assert '<a href="/a#x">here</a> gone <a href="https://a.example/" rel="noreferrer">out</a>' in (
        article.body
    )
    assert '<a href="#same">in</a>' in article.body
    assert article.body.count('<div class="scroll" tabindex="0"') == 1
    assert article.body.count("scope=") == 1, "a column without a name has no heading"
    assert '<pre tabindex="0"><code>code\n</code></pre>' in article.body


def test_a_page_without_title_or_words_is_no_mistake() -> None:
    empty = read_article("", lambda _: None)
    assert (empty.title, empty.lead, empty.opening, empty.body) == ("", "", "", "")
    assert read_article("- only\n- a list\n", lambda _: None).opening == ""


@pytest.mark.parametrize("name", game_names())
def test_pictures_show_a_whole_match(name: str) -> None:
    pictures = draw_pictures(name)
    positions = played_positions(play_example(find_game(name)).transcript)
    assert 2 < len(positions) <= LONGEST
    outcome = positions[-1].outcome
    assert outcome is not None
    assert len(pictures) == 4
    assert len({picture.board for picture in pictures}) == 4
    assert pictures[0].words == "The start of a match."
    assert outcome.reason in pictures[-1].words
    assert f"after {len(positions) - 1} turns" in pictures[-1].words
    hides = any(at.scene(0) != at.scene(None) for at in positions)
    assert hides == any("sees it" in picture.words for picture in pictures)


def test_the_usual_opponents_of_any_game_play_the_match_of_its_pictures() -> None:
    match = play_example(ToyGame())
    assert [player["name"] for player in match.transcript.players] == ["HighestBot"] * 3
    assert match.outcome == played_positions(match.transcript)[-1].outcome


def test_starters_are_listed_with_what_they_need(pages: dict[str, str]) -> None:
    page = pages["/learn/hive/starters"]
    for kit in kits_of("hive"):
        assert f'href="/learn/hive/starters/{kit.language}.zip"' in page
        assert kit.run in page
    assert "cc -O2 -Wall -o hive_bot hive_bot.c" in page
    assert "agon bot check ." in page


def test_each_visitor_is_told_the_address_that_they_used(world: World) -> None:
    """What one visitor calls the site is told to no other."""
    path = "/learn/hive/starters"
    page = world.browser().get(path, headers={"Host": "evil.test"}).text
    assert "agon login http://evil.test " in page
    assert "agon login http://agon.test " in world.browser().get(path).text


@pytest.mark.parametrize("game", game_names())
def test_a_packed_starter_is_a_bot(game: str, world: World, tmp_path: Path) -> None:
    assert [kit.language for kit in kits_of(game)] == list(starter_languages(find_game(game)))
    for kit in kits_of(game):
        answer = world.browser().get(f"/learn/{game}/starters/{kit.language}.zip")
        assert answer.headers["Content-Type"] == "application/zip"
        assert f'filename="{kit.folder}.zip"' in answer.headers["Content-Disposition"]
        with ZipFile(BytesIO(answer.content)) as archive:
            assert archive.testzip() is None
            assert all(name.startswith(f"{kit.folder}/") for name in archive.namelist())
            archive.extractall(tmp_path)
        program = load_program(tmp_path / kit.folder)
        assert shlex.join(program.run) == shlex.join(shlex.split(kit.run))
        assert program.games == (game,)
        assert (tmp_path / kit.folder / kit.source_name).read_text("utf-8") == kit.source


def test_a_starter_is_packed_to_the_same_bytes_every_time() -> None:
    first = pack_kit("hive", "python")
    pack_kit.cache_clear()
    assert pack_kit("hive", "python") == first
    with ZipFile(BytesIO(first)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_first_steps_are_commands_of_ours() -> None:
    lines = first_steps(kits_of("hive")[0]).splitlines()
    assert len(lines) == 10
    known = get_command(cli)
    for line in lines:
        program, *arguments = shlex.split(line, comments=True)
        if program == "agon":
            parse(known, arguments)
    with pytest.raises(Exception, match="No such option"):
        parse(known, ["replay", "--colour"])


def parse(command: Any, arguments: list[str]) -> None:
    """Read a command line down to its last word, and run nothing."""
    if isinstance(command, TyperGroup):
        parse(command.commands[arguments[0]], arguments[1:])
    else:
        with command.make_context(command.name, list(arguments)):
            assert arguments == [] or command.params


@pytest.mark.parametrize(
    "path",
    [
        "/learn/chess",
        "/learn/chess/protocol",
        "/learn/chess/starters",
        "/learn/chess/starters/python.zip",
        "/learn/hive/starters/cobol.zip",
        "/learn/hive/starters/..%2fpython.zip",
        "/learn/guides/secrets",
        "/learn/hive/other",
    ],
)
def test_what_is_not_there_is_not_found(world: World, path: str) -> None:
    assert world.browser().get(path).status_code == 404


def test_the_pages_fit_a_phone(world: World, browser: Chromium) -> None:
    with serving(world.site) as address:
        context = browser.new_context(base_url=address, viewport={"width": 360, "height": 740})
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        for path in PAGES:
            page.goto(path)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= 360, path
        context.close()
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible(world: World, browser: Chromium, scheme: str) -> None:
    """The kinds of pages, each in light and dark with another game."""
    paths = {
        "light": (
            "/learn",
            "/learn/atlantis",
            "/learn/skyport/protocol",
            "/learn/hive/starters",
            "/learn/guides/ranking",
        ),
        "dark": ("/learn", "/learn/battlebots", "/learn/hive/protocol"),
    }
    with serving(world.site) as address:
        context = browser.new_context(
            base_url=address, color_scheme="dark" if scheme == "dark" else "light"
        )
        page = context.new_page()
        for path in paths[scheme]:
            page.goto(path)
            assert violations(page, COLOURS if scheme == "dark" else None) == [], path
        context.close()
