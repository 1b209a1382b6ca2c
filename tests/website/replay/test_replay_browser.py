"""Replays in a real browser: what is seen, clicked, pressed and dropped."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from agon.datastore import MatchFilter
from agon.match.replay_steps import player_names
from agon.match.transcript import parse_transcript, replay
from agon.website.render.boards import draw_board
from tests.website.arena import MATCHES
from tests.website.viewing import BATTLEBOTS, DASH, HIVE, READY, Viewer, place

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from agon.website.site import Site


def test_a_newcomer_finds_the_way_to_a_replay(viewer: Viewer) -> None:
    page = viewer.open("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Bots play")
    page.get_by_role("region", name="Latest results").get_by_role(
        "link", name="1", exact=True
    ).click()
    page.wait_for_selector(READY)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"greedy {DASH} random")
    expect(page.locator(".verdict")).to_contain_text("greedy won: black queen surrounded")


def test_steps_by_buttons(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    last = place(page)
    page.get_by_label("First turn").click()
    assert place(page).startswith("Turn 0 of")
    page.get_by_label("One step on").click()
    page.get_by_label("One step on").click()
    assert place(page).startswith("Turn 2 of")
    expect(page.locator('[data-part="caption"]')).to_contain_text("random")
    page.get_by_label("One step back").click()
    assert place(page).startswith("Turn 1 of")
    assert page.url.endswith("#turn=1")
    page.get_by_label("Last turn").click()
    assert place(page).startswith(last)


def test_steps_by_keys(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    page.keyboard.press("Home")
    assert place(page).startswith("Turn 0 of")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert place(page).startswith("Turn 2 of")
    page.keyboard.press("End")
    assert re.fullmatch(r"Turn (\d+) of \1", place(page))


def test_play_goes_on_by_itself_and_stops(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    page.get_by_label("Speed").select_option("8")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.get_by_label("Pause")).to_be_visible()
    expect(page.locator('[data-part="place"]')).to_have_text(re.compile(r"Turn ([4-9]|\d\d) of"))
    page.keyboard.press(" ")
    expect(page.get_by_label("Play", exact=True)).to_be_visible()
    assert re.search(r"#turn=\d+$", page.url)


def test_play_at_the_end_begins_again(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    page.get_by_label("Play", exact=True).click()
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 1 of")


def test_the_slider_leads_to_any_turn(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    slider = page.get_by_label("Turn", exact=True)
    slider.fill("7")
    assert place(page).startswith("Turn 7 of")
    assert (slider.get_attribute("aria-valuetext") or "").startswith("Turn 7 of")
    slider.press("ArrowRight")
    assert place(page).startswith("Turn 8 of")


def test_a_link_leads_to_a_turn(viewer: Viewer) -> None:
    page = viewer.open_match(f"{HIVE}#turn=9")
    assert place(page).startswith("Turn 9 of")
    page.evaluate("location.hash = '#turn=4'")
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 4 of")
    expect(page.locator('[data-turn="4"][aria-current="step"]')).to_be_in_viewport()
    page.locator('[data-turn="3"]').click()
    assert place(page).startswith("Turn 3 of")
    picture = page.locator('[data-part="picture"]').get_attribute("href")
    assert picture == f"{HIVE}/turn-3.svg"


def test_the_notation_of_bots_is_shown_on_demand(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    own = page.locator('[data-turn="2"] .own')
    expect(own).to_be_hidden()
    page.get_by_label("also in the notation of bots").check()
    expect(own).to_be_visible()


def test_clocks_count_up_to_the_step(viewer: Viewer) -> None:
    page = viewer.open_match(f"{HIVE}#turn=3")
    clocks = [page.locator(f'[data-part="clock-{seat}"]').inner_text() for seat in (0, 1)]
    assert clocks == ["6.0 ms", "3.0 ms"]


def test_views_of_the_fog(viewer: Viewer) -> None:
    page = viewer.open_match(f"{BATTLEBOTS}#turn=6")
    board = page.locator('[data-part="board"]')
    expect(board).not_to_contain_text("sees it")
    views = page.get_by_role("group", name="Whose view")
    views.get_by_role("link", name="random").click()
    expect(board).to_contain_text("as random (Blue) sees it")
    assert place(page).startswith("Turn 6 of")
    page.wait_for_url("**?seat=1#turn=6")
    page.keyboard.press("ArrowRight")
    step = place(page)
    page.get_by_role("link", name="Spectator").click()
    expect(board).not_to_contain_text("sees it")
    assert place(page) == step
    page.wait_for_url(f"**{BATTLEBOTS}#turn=7")
    page.route("**/replay/*", lambda route: route.abort())
    views.get_by_role("link", name="random").click()
    expect(page.locator('[data-part="place"]')).to_contain_text("This view could not be loaded")
    expect(views.get_by_role("link", name="Spectator")).to_have_attribute("aria-current", "true")
    viewer.problems.clear()


def test_who_points_at_stones_reads_of_their_field(viewer: Viewer) -> None:
    page = viewer.open_match("/matches/3#turn=0")  # no move lies on top of the stones yet
    stack = page.locator(".board .stack").first
    box = stack.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".board [data-id] > title")).to_contain_text("explodes at")


def test_a_turn_is_told_in_stages(viewer: Viewer) -> None:
    page = viewer.open_match(f"{BATTLEBOTS}#turn=6")
    told = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        told.append(place(page).partition(", ")[2])
    assert told == ["orders", "half a step", "a whole step", "sieges and growth"]


def outline(page: Page, script: str, argument: Any = None) -> list[list[Any]]:
    """The elements of a board: tag, attributes, words; as both sides write them."""
    found: list[list[Any]] = page.evaluate(
        "([find, argument]) => [...eval(find)(argument).querySelectorAll('*')].map((one) =>"
        " [one.tagName.toLowerCase(), Object.fromEntries([...one.attributes]"
        ".map((at) => [at.name, at.value])), one.children.length ? '' : one.textContent])",
        [script, argument],
    )
    return found


POINT_AT_ALL = """() => {
  for (const one of document.querySelectorAll("[data-part=board] svg *")) {
    one.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
  }
}"""
"""Shapes get their words once they are pointed at."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-\d+)?")


def same_but_for_rounding(one: str, other: str) -> bool:
    """Whether two attributes are the same, and their numbers closer than can be seen."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(abs(float(a) - float(b)) <= 0.11 for a, b in pairs)


@pytest.mark.parametrize("game", sorted({game for _, game, *_ in MATCHES}))
def test_the_browser_draws_what_the_server_draws(viewer: Viewer, site: Site, game: str) -> None:
    match_id = site.store.matches.in_order(MatchFilter(game=game), 1)[0].id
    page = viewer.open_match(f"/matches/{match_id}")
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.evaluate(POINT_AT_ALL)
    drawn = outline(page, "() => document.querySelector('[data-part=board] svg')")
    text = site.store.matches.transcript(match_id).decode()
    transcript = parse_transcript(text)
    *_, (_, position) = replay(transcript)
    board = str(draw_board(position.scene(None, player_names(transcript))))
    expected = outline(
        page, "(text) => new DOMParser().parseFromString(text, 'image/svg+xml')", board
    )[1:]
    assert [one[0] for one in drawn] == [one[0] for one in expected]
    for mine, theirs in zip(drawn, expected, strict=True):
        assert mine[1].keys() == theirs[1].keys(), theirs
        assert mine[2] == theirs[2]
        for key, value in theirs[1].items():
            assert same_but_for_rounding(mine[1][key], value), (key, mine, theirs)


def test_steps_back_show_what_steps_on_showed(viewer: Viewer) -> None:
    page = viewer.open_match(f"{BATTLEBOTS}#turn=0")
    board = page.locator('[data-part="board"] svg')
    seen = [board.inner_html()]
    for _ in range(110):  # beyond the first piece
        page.keyboard.press("ArrowRight")
        place(page)
        seen.append(board.inner_html())
    for expected in reversed(seen[:-1]):
        page.keyboard.press("ArrowLeft")
        place(page)
        assert board.inner_html() == expected


def test_shapes_glide_fade_and_end_where_they_belong(browser: Browser, server: str) -> None:
    viewer = Viewer(browser, server)
    page = viewer.open_match(f"{BATTLEBOTS}#turn=2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().length") > 0
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    ids = page.evaluate("[...document.querySelectorAll('.board [data-id]')].map(o => o.dataset.id)")
    assert len(set(ids)) == len(ids)
    loose = page.evaluate("[...document.querySelectorAll('.board svg > g:not([data-id])')].length")
    assert loose == 0
    viewer.close()


def hold_pieces(page: Page) -> list[Route]:
    """Requests for pieces wait in the list that is given back."""
    waiting: list[Route] = []
    page.route("**/replay/*", lambda route: waiting.append(route))
    return waiting


def test_what_is_asked_before_a_piece_has_come_is_kept_in_mind(viewer: Viewer) -> None:
    waiting = hold_pieces(viewer.page)
    with viewer.page.expect_request("**/replay/*"):
        page = viewer.open(BATTLEBOTS)
    slider = page.locator('[data-part="slider"]')
    expect(slider).to_be_disabled()
    page.get_by_role("button", name="Play").click()
    with page.expect_request("**/replay/0?*"):  # at the end play begins again
        waiting.pop().continue_()
    expect(slider).to_be_enabled()
    waiting.pop(0).continue_()
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 1 of")
    page.unroute("**/replay/*")
    for held in waiting:
        held.continue_()
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-part="place"]')).to_have_text(re.compile(r"Turn (\d+) of \1\b"))


def test_while_a_piece_comes_the_last_wish_counts(viewer: Viewer) -> None:
    waiting = hold_pieces(viewer.page)
    with viewer.page.expect_request("**/replay/2?*"):
        page = viewer.open(f"{HIVE}#turn=2")
    for turn in (7, 9):
        page.locator(f'[data-turn="{turn}"] a').click()
    page.keyboard.press("ArrowRight")
    waiting.pop().continue_()
    page.wait_for_selector(READY)
    assert place(page).startswith("Turn 10 of")
    page.unroute("**/replay/*")


def test_any_turn_opens_with_one_piece_and_the_next_comes_ahead_of_time(viewer: Viewer) -> None:
    asked: list[str] = []
    viewer.page.on("request", lambda request: asked.append(request.url))
    with viewer.page.expect_response("**/replay/*long=1*"):
        page = viewer.open_match(f"{BATTLEBOTS}?turn=12")
    pieces = [url.partition("/replay/")[2].partition("?")[0] for url in asked if "/replay/" in url]
    assert pieces[0] == "12"
    assert len(pieces) > 1
    assert len(set(pieces)) == len(pieces)
    drawn = page.locator('[data-part="board"] svg').inner_html()
    page.keyboard.press("Home")
    page.get_by_label("Turn", exact=True).fill("12")
    assert page.locator('[data-part="board"] svg').inner_html() == drawn


def test_a_piece_that_does_not_come_can_be_asked_for_again(viewer: Viewer) -> None:
    viewer.page.route("**/replay/*", lambda route: route.abort())
    page = viewer.open(HIVE)
    told = page.locator('[data-part="place"]')
    expect(told).to_contain_text("The replay could not be loaded")
    page.keyboard.press("Home")
    expect(told).to_contain_text("This turn could not be loaded")
    page.unroute("**/replay/*")
    page.keyboard.press("Home")
    expect(told).to_contain_text("Turn 0 of")
    viewer.problems.clear()


def test_choices_can_be_clicked_and_pressed(viewer: Viewer) -> None:
    page = viewer.open_match(HIVE)
    page.evaluate(
        """async () => {
          const { Board, Scenes } = await import(document.querySelector("script[type=module]").src
            .replace("match.js", "scene.js"));
          const scenes = new Scenes();
          const shapes = [{kind: "disc", role: "stone", radius: 20}, {kind: "group", parts: []}];
          scenes.read({shapes,
            new: ["", 1, 0, 0, "", "a", 0, 5000, 5000, "stone a", "b", 0, 15000, 5000, "stone b"],
            kids: [[0, 0, 0, [1, 2]]]});
          const holder = document.createElement("div");
          holder.id = "try";
          document.querySelector("main").prepend(holder);
          window.board = new Board(holder, {look: "hive", width: 200, height: 100});
          window.picked = [];
          window.board.show(scenes.nodes, {title: "Try"});
          window.board.setChoices([["a", "Take a"]], (id) => window.picked.push(id));
        }"""
    )
    stone = page.get_by_role("button", name="Take a")
    stone.click()
    stone.focus()
    page.keyboard.press("Enter")
    page.keyboard.press(" ")
    page.locator('#try [data-id="b"]').click()
    assert page.evaluate("window.picked") == ["a", "a", "a"]
    assert page.locator("#try svg").get_attribute("role") == "group"
    page.evaluate("window.board.setChoices([])")
    expect(stone).to_have_count(0)


def test_a_file_is_opened_by_choosing_and_by_dropping(
    viewer: Viewer, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "my match.json"
    file.write_bytes(site.store.matches.transcript(4))
    page = viewer.open("/replay")
    page.get_by_label("Transcript").set_input_files(file)
    page.wait_for_selector(READY)
    expect(page.get_by_role("heading", level=2).first).to_have_text(
        f"Battlebots: greedy {DASH} random"
    )
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert place(page).startswith("Turn 1 of")
    views = page.get_by_role("group", name="Whose view")
    views.get_by_role("button", name="random").click()
    expect(page.locator('[data-part="board"]')).to_contain_text("as random (Blue) sees it")
    drop = page.evaluate_handle(
        "(text) => { const data = new DataTransfer();"
        " data.items.add(new File([text], 'dropped.json')); return data; }",
        site.store.matches.transcript(1).decode(),
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": drop})
    expect(page.locator("#opened h2").first).to_have_text(f"Hive: greedy {DASH} random")
    page.wait_for_selector(READY)


def test_a_file_that_the_server_has_forgotten_is_sent_again(
    viewer: Viewer, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(site.store.matches.transcript(4))
    page = viewer.open("/replay")
    page.get_by_label("Transcript").set_input_files(file)
    page.wait_for_selector(READY)
    gone = json.dumps({"error": "gone"})
    page.route("**/replay/*/*", lambda route: route.fulfill(status=404, body=gone), times=1)
    views = page.get_by_role("group", name="Whose view")
    views.get_by_role("button", name="random").click()
    expect(page.locator('[data-part="board"]')).to_contain_text("soldiers in sight")
    viewer.problems = [one for one in viewer.problems if "404" not in one]  # the answer itself


def test_a_bad_file_is_told_beside_the_form(browser: Browser, server: str, tmp_path: Path) -> None:
    viewer = Viewer(browser, server)
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({"format": "Chess transcript"}))
    page = viewer.open("/replay")
    page.get_by_label("Transcript").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text('format "Chess transcript"')
    viewer.problems = [one for one in viewer.problems if "400" not in one]  # the answer itself
    viewer.close()


def test_on_a_phone_the_board_can_be_larger(browser: Browser, server: str) -> None:
    viewer = Viewer(browser, server, viewport={"width": 390, "height": 844})
    page = viewer.open_match(BATTLEBOTS)
    board = page.locator('[data-part="board"]')
    assert board.evaluate("one => one.scrollWidth === one.clientWidth")
    page.get_by_label("Larger board").check()
    assert board.evaluate("one => one.scrollWidth > 2 * one.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.get_by_label("Larger board")).to_be_hidden()
    assert board.evaluate("one => one.scrollWidth === one.clientWidth")
    viewer.close()
