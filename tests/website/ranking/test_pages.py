"""Tables, matrices, and the pages of bots and users: what they say, to any visitor."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from agon.datastore import NewBot, NewVersion, Store, VersionStatus
from agon.datastore.enums import MatchStatus
from agon.games.hive.game import GAME
from agon.games.registry import game_names
from agon.match.transcript import Fault
from agon.website.app import create_app
from agon.website.ranking.pages import LARGEST_MATRIX
from agon.website.ranking.plots import LABEL_GAP, MINUS, Scale, bar_scale, draw_bar, draw_history
from agon.website.ranking.rating_history import Point, RatingHistory
from agon.website.ranking.standings import Standings, standings_of
from agon.website.render.pages import templates
from tests.website.arena import serving
from tests.website.axe import violations
from tests.website.people import NOON, World, make_world
from tests.website.ranked import add_version, add_versions, store_result, store_results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser as Chromium

EVIL = "<script>alert(1)</script>"
PHONE = {"width": 360, "height": 740}
PAGE = 25
DASH = "\N{EN DASH}"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A site on which ada is a user, and nothing has been played."""
    world = make_world(tmp_path / "agon.db")
    world.add_user("ada")
    yield world
    world.close()


def user_id(world: World, name: str) -> int:
    user = world.store.users.find(name)
    assert user
    return user.id


def look(world: World, path: str, name: str | None = None) -> str:
    """What a page says, not one that was made a while ago."""
    world.clock.pass_s(60)
    answer = world.browser(name).get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def words(html: str) -> str:
    """What can be read of a page."""
    main = html.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def test_a_game_without_matches_says_what_to_do(world: World) -> None:
    page = look(world, "/games/hive")
    assert "No rated match has been played yet" in page
    assert 'href="/learn/hive/starters"' in page
    assert "<table" not in page
    assert "No rated match" in look(world, "/games/hive/matrix")


def test_a_bot_without_matches_waits_for_them(world: World) -> None:
    add_version(world.store, "crawler")
    add_version(world.store, "visitor (guest)")
    text = words(look(world, "/games/hive"))
    assert "Waiting for a first match: crawler@1 ." in text
    assert "visitor" not in text


def test_one_bot_that_has_met_only_itself_has_a_row(world: World) -> None:
    version = add_version(world.store, "crawler")
    store_result(world.store, (version, version), (2, 0))
    assert "0 rated matches of 1 bot." in words(look(world, "/games/hive"))
    assert "crawler" in look(world, "/games/hive/matrix")
    assert "itself" in look(world, "/games/hive/matrix")
    assert "never met" not in look(world, "/games/hive/matrix")
    assert "@1" in look(world, "/bots/1")
    assert "0 rated matches: 0 won" in words(look(world, "/bots/1/versions/1"))


def test_the_table_tells_who_is_how_strong_and_how_sure_that_is(world: World) -> None:
    weak, strong = add_versions(world.store, 2)
    for score in (2, 2, 2, 0, 1):
        store_result(world.store, (strong, weak), (score, 2 - score))
    page = look(world, "/games/hive")
    standing = standings_of(world.site).find(GAME)
    assert standing is not None
    top, bottom = standing.table.rows
    assert page.index(">bot 01@1<") < page.index(">bot 00@1<")
    text = words(page)
    assert f"{top.rating:+.0f}" in text
    assert f"{MINUS}{-bottom.low:.0f} to" in text
    assert "5 rated matches of 2 bots" in text
    assert "70.0 %" in text, "its score"
    assert f"{top.superiority or 0:.1%}".replace("%", " %") in text
    assert page.count('<svg class="bar"') == 2
    assert page.count("<polyline") == 2
    assert "The plot has" not in page
    assert "White" in text
    assert "Black" in text


def test_the_table_is_new_once_a_match_is_stored(world: World) -> None:
    one, two = add_versions(world.store, 2)
    store_result(world.store, (one, two), (2, 0))
    page = look(world, "/games/hive")
    assert "1 rated match of 2 bots" in words(page)
    assert "<polyline" not in page, "one match makes no line"
    store_result(world.store, (one, two), (2, 0))
    assert "2 rated matches of 2 bots" in words(look(world, "/games/hive"))


def test_matches_under_way_are_named_unless_they_are_private(world: World) -> None:
    live_matches = world.site.live_matches
    private = live_matches.begin(GAME, ("ada", "search"), GAME.start(), NOON, private=True)
    assert "Now playing" not in look(world, "/games/hive")
    public = live_matches.begin(GAME, ("greedy", "random"), GAME.start(), NOON)
    page = look(world, "/games/hive")
    assert f'href="/live/{public.key}"' in page
    assert private.key not in page
    assert "Now playing" not in look(world, "/games/atlantis")


def test_groups_that_never_met_are_told_of(world: World) -> None:
    versions = add_versions(world.store, 4)
    store_result(world.store, versions[:2], (2, 0))
    store_result(world.store, versions[2:], (2, 0))
    assert "not connected by matches" in look(world, "/games/hive")
    store_result(world.store, versions[1:3], (2, 0))
    assert "not connected by matches" not in look(world, "/games/hive")


def test_withdrawn_and_deleted_bots_are_marked(world: World) -> None:
    one, two = add_versions(world.store, 2)
    store_result(world.store, (one, two), (2, 0))
    assert "withdrawn" not in look(world, "/games/hive")
    world.store.versions.set_status(one, VersionStatus.WITHDRAWN)
    world.store.bots.remove(world.store.versions.get(two).bot_id, world.clock())
    text = words(look(world, "/games/hive"))
    assert "bot 00@1 withdrawn" in text
    assert "bot 01@1 deleted" in text
    assert "It was deleted" in look(world, "/bots/2")


def test_cells_of_the_matrix_say_who_won_how_often(world: World) -> None:
    one, two, _ = add_versions(world.store, 3)
    for scores in ((2, 0), (2, 0), (1, 1), (0, 2)):
        store_result(world.store, (one, two), scores)
    page = look(world, "/games/hive/matrix")
    assert "bot 00@1 against bot 01@1: 2 wins, 1 draw, 1 loss" in page
    assert "bot 01@1 against bot 00@1: 1 win, 1 draw, 2 losses" in page
    assert f">2{DASH}1{DASH}1<" in page


def test_fifty_bots_are_all_in_the_table_and_in_the_matrix(world: World) -> None:
    versions = add_versions(world.store, 50)
    store_results(world.store, versions, 300)
    page = look(world, "/games/hive")
    assert page.count('<svg class="bar"') == 50
    assert page.count("<polyline") == 6
    assert "The plot has the first 6 of the table." in page
    assert len(page) < 100_000
    matrix = look(world, "/games/hive/matrix")
    assert matrix.count("<td") == 50 * 50
    assert "These are the first" not in matrix


def test_a_matrix_of_more_bots_says_that_it_is_cut_off(world: World) -> None:
    versions = add_versions(world.store, LARGEST_MATRIX + 2)
    for one, two in pairwise(versions):
        store_result(world.store, (one, two), (2, 0))
    page = look(world, "/games/hive/matrix")
    assert page.count("<tr>") == LARGEST_MATRIX + 1
    assert f"These are the first {LARGEST_MATRIX} of {LARGEST_MATRIX + 2}" in page


def test_a_page_without_its_table_asks_again(world: World) -> None:
    store_result(world.store, add_versions(world.store, 2), (2, 0))
    site = replace(world.site)
    slow = Standings(world.store, world.clock, lambda _: None, patience_s=0)
    assert site.part(Standings, lambda: slow) is slow
    world.app = create_app(site)
    for path in ("/games/hive", "/games/hive/matrix", "/bots/1", "/bots/1/versions/1"):
        answer = world.browser().get(path)
        assert answer.status_code == 202
        assert int(answer.headers["Refresh"]) > 0
        assert "The table is being calculated" in answer.text
    for path in ("/games/hive/table", "/bots/1", "/bots/1/versions/1"):
        answer = world.browser().get(f"/api/v1{path}")
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.json() == {"error": "The table is being calculated"}


def test_names_are_shown_as_they_are(world: World) -> None:
    ada = user_id(world, "ada")
    evil = add_version(world.store, EVIL, ada, label="<i>second</i>")
    other = add_version(world.store, "crawler", ada)
    for _ in range(2):
        store_result(world.store, (evil, other), (2, 0))
    for path in (
        "/games/hive",
        "/games/hive/matrix",
        "/bots/1",
        "/bots/1/versions/1",
        "/bots/2",
        "/users/ada",
    ):
        page = look(world, path)
        assert EVIL not in page, path
        assert "<i>second" not in page
        assert "&lt;script&gt;" in page
    assert "&lt;script&gt;alert(1)&lt;/…" in look(world, "/games/hive"), "in the plot, cut off"


def test_a_bots_page_adds_its_versions_up(world: World) -> None:
    ada = user_id(world, "ada")
    first = add_version(world.store, "crawler", ada)
    second = add_version(world.store, "crawler", ada)
    other = add_version(world.store, "beetle")
    store_result(world.store, (first, other), (0, 2), (Fault.TIMEOUT, None))
    store_result(world.store, (other, second), (0, 2), (Fault.CRASH, None))
    store_result(world.store, (second, other), (0, 2), (Fault.TIMEOUT, None))
    bot_id = world.store.versions.get(first).bot_id
    text = words(look(world, f"/bots/{bot_id}"))
    assert "A bot by ada" in text
    assert "in python" in text
    assert "2 timeout" in text
    assert "crash" not in text.partition("Opponents")[0]
    assert "beetle@1 3 1 0 2 33.3 %" in text
    one = words(look(world, f"/bots/{bot_id}/versions/1"))
    assert "1 rated match: 0 won, 0 drawn, 1 lost score 0.0 %" in one
    assert "1 timeout" in one
    assert "beetle@1 1 0 0 1 0.0 %" in one
    assert "None: all its rated matches" not in one


def test_only_rated_matches_are_counted_and_the_others_are_marked(world: World) -> None:
    one = add_version(world.store, "crawler", user_id(world, "ada"))
    two = add_version(world.store, "beetle")
    store_result(world.store, (one, two), (2, 0))
    pages = ("/bots/1", "/bots/1/versions/1", "/users/ada", "/games/hive", "/matches")
    assert not [path for path in pages if "unrated" in look(world, path)]
    faults = (Fault.CRASH, None)
    store_result(world.store, (one, two), (0, 2), faults, rated=False)
    assert [look(world, path).count("unrated") for path in pages] == [1] * len(pages)
    for path in pages[:2]:
        text = words(look(world, path))
        assert "Faults in rated matches None: all rated matches ended by the rules." in text
        assert "Opponents in rated matches" in text


def test_lists_call_bots_by_their_versions(world: World) -> None:
    built_in = world.store.bots.add(NewBot("hive", "greedy", NOON, built_in=True))
    others = [world.store.versions.add(built_in.id, NewVersion(NOON)).id]
    others += [add_version(world.store, name) for name in ("eve (guest)", "bob (person)")]
    ada = user_id(world, "ada")
    add_version(world.store, "crawler", ada)
    second = add_version(world.store, "crawler", ada)
    for other in others:
        store_result(world.store, (second, other), (2, 0), rated=False)
    crawler = world.store.versions.get(second).bot_id
    paths = (f"/bots/{crawler}", f"/bots/{crawler}/versions/2", "/users/ada")
    for path in (*paths, "/games/hive", "/matches", "/matches?game=hive"):
        text = words(look(world, path))
        for name in ("greedy", "eve (guest)", "bob (person)"):
            assert f"crawler@2 {DASH} {name} made up" in text, (path, name)


def test_older_pages_go_on_where_the_one_before_ended(world: World) -> None:
    one = add_version(world.store, "crawler", user_id(world, "ada"))
    two = add_version(world.store, "beetle")
    stored = [store_result(world.store, (one, two), (2, 0), rated=False) for _ in range(52)]
    for path in ("/bots/1", "/bots/1/versions/1", "/users/ada"):
        found: list[int] = []
        older: str | None = ""
        while older is not None:
            page = look(world, f"{path}{older}")
            found += map(int, dict.fromkeys(re.findall(r'href="/matches/(\d+)"', page)))
            link = re.search(r'href="(\?before=\d+)[^"]*"[^>]*>Older', page)
            older = link[1] if link else None
        assert found == stored[::-1], path


def test_no_bot_is_marked_where_none_won(world: World) -> None:
    one, two = add_versions(world.store, 2)
    store_result(world.store, (one, two), (1, 1))
    page = look(world, "/matches")
    assert 'class="first"' not in page
    assert "No winner: made up" in page
    store_result(world.store, (one, two), (0, 2))
    page = look(world, "/matches")
    assert re.findall(r'class="first">([^<]*)<', page) == ["bot 01@1"]
    assert page.count("No winner") == 1
    void = replace(world.store.matches.get(1), status=MatchStatus.VOID)
    table = templates().get_template("_results.html").module
    told = str(table.results([void], {"hive": "Hive"}, NOON, "list"))  # type: ignore[attr-defined]
    assert "made up" in told
    assert "No winner" not in told


def test_bots_that_cannot_have_played_are_not_offered(world: World) -> None:
    one, two = add_versions(world.store, 2)
    failed = add_version(world.store, "broken")
    world.store.versions.set_status(one, VersionStatus.WITHDRAWN)
    world.store.versions.set_status(failed, VersionStatus.FAILED)
    store_result(world.store, (one, two), (2, 0))
    for path in ("/matches", "/matches?game=hive"):
        assert re.findall(r'<option value="\d+">(bot \d+|broken)', look(world, path)) == [
            "bot 00",
            "bot 01",
        ]
    assert re.search(r'<option value="3" selected>broken', look(world, "/matches?bot=3"))


def test_matches_of_a_bot_come_in_pages(world: World) -> None:
    one, two = add_versions(world.store, 2)
    numbers = [store_result(world.store, (one, two), (2, 0)) for _ in range(PAGE + 2)]
    for path in ("/bots/1", "/bots/1/versions/1"):
        page = look(world, path)
        assert f'href="/matches/{numbers[-1]}"' in page
        assert f'href="/matches/{numbers[0]}"' not in page
        older = re.search(r'href="\?before=(\d+)#matches"', page)
        assert older
        rest = look(world, f"{path}?before={older[1]}")
        shown = re.findall(r'<a href="/matches/(\d+)">', rest)
        assert [int(number) for number in shown] == numbers[1::-1]
        assert "?before=" not in rest
        assert ">Latest<" in rest


@pytest.mark.parametrize(
    "path",
    [
        "/games/chess",
        "/games/chess/matrix",
        "/bots/99",
        "/bots/0",
        "/bots/x",
        "/bots/1/versions/9",
        "/bots/99999999999999999999",
        "/users/nobody",
        "/users/..%00",
        "/api/v1/games/chess/table",
        "/api/v1/bots/99",
        "/api/v1/bots/1/versions/9",
        "/api/v1/users/nobody",
    ],
)
def test_what_is_not_there_is_not_found(world: World, path: str) -> None:
    add_version(world.store, "crawler")
    assert world.browser().get(path).status_code in (404, 422)


def test_a_user_without_bots_is_known_to_themselves_and_organisers_only(world: World) -> None:
    world.add_user("bob")
    world.add_user("olga", organiser=True)
    unknown = world.browser("bob").get("/users/nobody")
    for path in ("/users/ada", "/api/v1/users/ada"):
        assert world.browser().get(path).status_code == 404
        assert world.browser("bob").get(path).status_code == 404
        assert world.browser("ada").get(path).status_code == 200
        assert world.browser("olga").get(path).status_code == 200
    hidden = world.browser("bob").get("/users/ada")
    assert words(hidden.text).replace("ada", "nobody") == words(unknown.text)
    add_version(world.store, "crawler", user_id(world, "ada"))
    assert "crawler" in look(world, "/users/ADA")


def test_a_users_page_has_their_bots_and_the_matches_of_these(world: World) -> None:
    ada = user_id(world, "ada")
    one = add_version(world.store, "crawler", ada)
    two = add_version(world.store, "beetle", ada)
    other = add_version(world.store, "stranger")
    gone = world.store.bots.add(NewBot("hive", "forgotten", NOON, owner_id=ada))
    world.store.versions.add(gone.id, NewVersion(NOON))
    world.store.bots.remove(gone.id, NOON)
    shared = store_result(world.store, (one, two), (2, 0))
    numbers = [store_result(world.store, (one, other), (2, 0)) for _ in range(PAGE)]
    foreign = store_result(world.store, (other, other), (2, 0))
    page = look(world, "/users/ada")
    assert "crawler" in page
    assert "beetle" in page
    assert "forgotten" not in page
    assert re.findall(r'<a href="/matches/(\d+)">', page) == [str(n) for n in numbers[::-1]]
    assert f"?before={numbers[0]}#" in page
    rest = look(world, f"/users/ada?before={numbers[0]}")
    assert re.findall(r'<a href="/matches/(\d+)">', rest) == [str(shared)], "once, not twice"
    assert foreign not in numbers


def test_the_api_tells_the_same_as_the_pages(world: World) -> None:
    ada = user_id(world, "ada")
    one, two = add_version(world.store, "crawler", ada), add_version(world.store, "beetle")
    store_result(world.store, (one, two), (2, 0), (None, Fault.ILLEGAL))
    browser = world.browser()
    table = browser.get("/api/v1/games/hive/table").json()
    assert table["matches"] == 1
    assert [row["bot"] for row in table["rows"]] == ["crawler", "beetle"]
    top = table["rows"][0]
    assert (top["bot_id"], top["version"], top["owner"]) == (1, 1, "ada")
    assert (top["wins"], top["draws"], top["losses"], top["score"]) == (1, 0, 0, 1.0)
    assert top["low"] < top["rating"] < top["high"]
    assert 0.5 < top["superiority"] < 1
    assert table["rows"][1]["superiority"] is None
    bot = browser.get("/api/v1/bots/2").json()
    assert (bot["name"], bot["owner"], bot["versions"]) == ("beetle", None, [1])
    assert bot["record"]["faults"] == {"illegal turn": 1}
    assert bot["record"]["opponents"][0]["bot"] == "crawler"
    assert bot["record"]["opponents"][0]["losses"] == 1
    version = browser.get("/api/v1/bots/2/versions/1").json()
    assert version["rank"] == 2
    assert version["rating"]["rating"] == table["rows"][1]["rating"]
    assert version["record"] == bot["record"]
    user = browser.get("/api/v1/users/ada").json()
    assert user == {"name": "ada", "bots": [user["bots"][0]]}
    assert user["bots"][0]["name"] == "crawler"
    names = [game["name"] for game in browser.get("/api/v1/games").json()]
    assert names == list(game_names())


def test_the_api_says_nothing_of_how_a_bot_is_run(world: World) -> None:
    bot = world.store.bots.add(NewBot("hive", "crawler", NOON))
    world.store.versions.add(bot.id, NewVersion(NOON, run="python3 secret.py", build="make secret"))
    for path in ("/api/v1/bots/1/versions/1", "/bots/1/versions/1", "/bots/1"):
        assert "secret" not in world.browser().get(path).text


def test_a_wide_interval_does_not_hide_the_others(world: World) -> None:
    *known, new = add_versions(world.store, 9)
    store_results(world.store, known, 200)
    store_result(world.store, (known[0], new), (2, 0))
    standing = standings_of(world.site).find(GAME)
    assert standing is not None
    scale = bar_scale(standing.table.rows)
    last = standing.table.rows[-1]
    assert last.low < scale.low
    assert draw_bar(last, scale).count('class="span"') == 2, "one end is open"
    assert draw_bar(standing.table.rows[0], scale).count('class="span"') == 3


def test_no_name_in_a_plot_lies_over_another() -> None:
    histories = [RatingHistory(n, (Point(1, 0.0, 90.0), Point(2, n * 3.0, 50.0))) for n in range(6)]
    drawing = draw_history(histories, [f"bot {n}" for n in range(6)])
    heights = [float(y) for y in re.findall(r'class="name line-\d" x="\d+" y="([0-9.]+)"', drawing)]
    assert len(heights) == 6
    gaps = [below - above for above, below in pairwise(heights)]
    assert min(gaps) >= LABEL_GAP - 0.2
    assert draw_history([], []) == ""


def test_places_on_a_scale_stay_between_its_ends() -> None:
    scale = Scale(-10, 10, 0, 100)
    assert [scale.place(value) for value in (-1e9, -10, 0, 10, 1e9)] == [0, 0, 50, 100, 100]


def fill(store: Store, owner_id: int) -> None:
    versions = add_versions(store, 7)
    versions.append(add_version(store, EVIL, owner_id))
    versions.append(add_version(store, "a bot with a name that is longer than most", owner_id))
    store_results(store, versions, 250)
    store.versions.set_status(versions[1], VersionStatus.WITHDRAWN)


PAGES = (
    "/games/hive",
    "/games/hive/matrix",
    "/games/skyport",
    "/bots/1",
    "/bots/8/versions/1",
    "/users/ada",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible(world: World, browser: Chromium, scheme: str) -> None:
    fill(world.store, user_id(world, "ada"))
    is_dark = scheme == "dark"
    with serving(world.site) as address:
        context = browser.new_context(
            base_url=address,
            viewport={"width": 360, "height": 740} if is_dark else None,
            color_scheme="dark" if is_dark else "light",
        )
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        for path in PAGES if is_dark else PAGES[:3]:
            page.goto(path)
            for closed in page.locator("details").all():
                closed.evaluate("details => { details.open = true }")
            assert violations(page) == [], path
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= page.evaluate("window.innerWidth"), path
        context.close()
    assert said == []
