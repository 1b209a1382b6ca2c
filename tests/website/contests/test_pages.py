"""The pages of contests as a browser without scripts gets them."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from agon.arena.contests.terms import Seeding, load_terms
from agon.datastore import ContestState, WhoMayEnter
from agon.games.registry import game_names
from agon.ranker.formats import Format
from agon.website.contests.contest_actions import add_contest, change_state, publish
from tests.website.contests.hosting import SECOND, make_proposal
from tests.website.contests.test_playing import built_in
from tests.website.people import NOON

if TYPE_CHECKING:
    from tests.website.contests.hosting import Hosting

NEW = {
    "name": "Spring <Cup>",
    "game": "battlebots",
    "format": "swiss",
    "description": "First line.\r\nSecond & last.",
    "rounds": "3",
    "seats": "4",
    "seeding": "lot",
    "turn_ms": "250",
    "bank_ms": "0",
    "turns": "90",
    "pace_ms": "100",
    "jobs": "2",
    "seed": "17",
    "bots_each": "5",
    "who": "invited",
    "invited": "ada, bob",
    "opens": "2026-05-01T18:00",
    "closes": "2026-05-02T18:00",
    "option-turn_limit": "80",
}
FIELD = re.compile(r'<(?:input|textarea|select)[^>]* name="([^"]+)"')


def test_the_way_of_an_organiser(hosting: Hosting) -> None:
    olga = hosting.world.browser("olga")
    made = olga.post("/contests", **NEW)
    assert made.status_code == 303
    path = made.headers["location"]
    (contest,) = hosting.store.contests.all()
    assert path == f"/contests/{contest.id}"
    terms = load_terms(contest.settings)
    assert (contest.name, contest.game, contest.format) == ("Spring <Cup>", "battlebots", "swiss")
    assert (contest.state, contest.published) == (ContestState.DRAFT, False)
    assert contest.description == "First line.\nSecond & last."
    assert (terms.rounds, terms.seats, terms.seeding, terms.seed) == (3, 4, Seeding.LOT, 17)
    assert (terms.turn_ns, terms.bank_ns, terms.pace_ns) == (250_000_000, 0, 100_000_000)
    assert (terms.turns, terms.jobs, terms.bots_each) == (90, 2, 5)
    assert (contest.options["turn_limit"], contest.options["seats"]) == (80, 4)
    assert contest.who_may_enter is WhoMayEnter.INVITED
    invited = [hosting.user(name).id for name in ("ada", "bob")]
    assert hosting.store.contests.invited(contest.id) == invited
    assert contest.opens_ns == 1_777_658_400 * SECOND
    page = olga.get(path).text
    assert "Spring &lt;Cup&gt;" in page
    assert "Second &amp; last." in page
    assert "turn limit: 80" in page
    for step in ("open", "closed"):
        assert olga.post(f"{path}/state", state=step).headers["location"] == path
    assert olga.post(f"{path}/published", published="yes").headers["location"] == path
    shown = hosting.world.browser().get(path).text
    assert "entry closed" in shown
    assert 'class="panel organise"' not in shown
    assert olga.post(f"{path}/remove").headers["location"] == "/contests"
    assert hosting.store.contests.all() == []


def test_what_is_there_is_in_the_form(hosting: Hosting) -> None:
    olga = hosting.world.browser("olga")
    path = olga.post("/contests", **NEW).headers["location"]
    form = unescape(olga.get(f"{path}/edit").text)
    for name, value in NEW.items():
        if name in ("format", "seeding", "who"):
            assert f'<option value="{value}" selected>' in form
        elif name not in ("description", "invited"):
            assert f'value="{value}"' in form, name
    assert NEW["invited"] in form
    before = hosting.store.contests.all()
    assert olga.post(f"{path}/edit", **NEW).status_code == 303
    assert hosting.store.contests.all() == before


def test_the_form_of_every_game_makes_a_contest(hosting: Hosting) -> None:
    olga = hosting.world.browser("olga")
    for game in game_names():
        form = olga.get(f"/contests/new?game={game}").text
        assert set(FIELD.findall(form)) >= NEW.keys() - {"option-turn_limit"}
        made = olga.post("/contests", name=game, game=game, format="round-robin")
        assert made.status_code == 303
    assert {contest.game for contest in hosting.store.contests.all()} == set(game_names())


WRONG = [
    ("name", "", "name '': expected 1 to 80"),
    ("name", "x" * 81, "expected 1 to 80"),
    ("name", "a\tb", "printable"),
    ("format", "war", "Format: expected round-robin, gauntlet, swiss, knockout, ladder, not 'war'"),
    ("format", "knockout", "4 seats: a knock-out is for two"),
    ("rounds", "0", "Rounds: expected 1 to 1000, not 0"),
    ("rounds", "many", "Rounds: expected a whole number, not 'many'"),
    ("seats", "9", "9 seats: Battlebots is for 2 to 8"),
    ("turn_ms", "1", "Time per turn, in ms: expected 10 to 600000, not 1"),
    ("turn_ms", "-5", "Time per turn, in ms: expected a whole number, not '-5'"),
    ("jobs", "17", "Matches at a time: expected 1 to 16, not 17"),
    ("seeding", "luck", "Seeding: expected rating, entry, lot, not 'luck'"),
    ("who", "friends", "Who may enter: expected everyone, invited, not 'friends'"),
    ("invited", "", "no user is invited"),
    ("invited", "ada nobody", "user 'nobody': there is none of that name"),
    (
        "opens",
        "tomorrow",
        "Opens: expected a date and a time such as 2026-05-01T18:00, not 'tomorrow'",
    ),
    ("opens", "0001-01-01T00:00", "another age"),
    ("closes", "9999-01-01T00:00", "another age"),
    ("closes", "2026-05-01T18:00", "closes before it opens"),
    ("description", "x" * 10_001, "expected at most 10000"),
    ("option-turn_limit", "none", "option turn_limit='none': expected a whole number"),
    ("option-field", "no map", "field"),
    ("option-color", "red", "option 'color': expected one of"),
]


def test_what_cannot_be_is_told_beside_the_form(hosting: Hosting) -> None:
    olga = hosting.world.browser("olga")
    for field, value, problem in WRONG:
        answer = olga.post("/contests", **{**NEW, field: value})
        assert answer.status_code == 422, (field, value)
        page = unescape(answer.text)
        assert problem in page
        assert 'class="problem"' in page
        assert value in page, "what was typed is kept"
    assert hosting.store.contests.all() == []


def test_another_game_leaves_what_was_typed(hosting: Hosting) -> None:
    olga = hosting.world.browser("olga")
    form = unescape(olga.post("/contests/new", **{**NEW, "game": "skyport"}).text)
    assert '<input type="hidden" name="game" value="skyport">' in form
    assert 'name="option-turn_limit"' not in form
    for name in ("name", "rounds", "seats", "turn_ms", "turns", "opens", "closes"):
        assert f'value="{NEW[name]}"' in form, name
    for name in ("format", "seeding", "who"):
        assert f'<option value="{NEW[name]}" selected>' in form
    assert "Second & last." in form
    assert NEW["invited"] in form
    two = olga.post("/contests/new", **{**NEW, "game": "hive", "seats": "4"}).text
    assert '<input type="hidden" name="seats" value="2">' in two
    assert hosting.store.contests.all() == []


def test_what_cannot_be_undone_asks_first(hosting: Hosting) -> None:
    contest = hosting.begin([hosting.add_bot("ada"), hosting.built_in("random")])
    page = hosting.world.browser("olga").get(f"/contests/{contest.id}").text
    for summary, button in (
        ("End now", "Yes, end the contest"),
        ("Disqualify", "Yes, disqualify crawler@1"),
    ):
        asked = re.search(rf">{summary} …</summary>(.*?)</details>", page, re.DOTALL)
        assert asked
        assert f'class="danger">{button}</button>' in asked[1]


def test_what_is_not_published_says_what_comes_first(hosting: Hosting) -> None:
    contest, olga = hosting.contest(), hosting.world.browser("olga")
    path = f"/contests/{contest.id}"
    assert "Publish the contest first" not in olga.get(path).text
    publish(hosting.site, hosting.olga, contest, False)
    page = olga.get(path).text
    assert (
        page.index("Open for entries")
        < page.index("Publish the contest first")
        < page.index("Edit<")
    )
    assert "Everything except the game." in page


def test_the_answer_to_a_form_can_be_loaded_again(hosting: Hosting) -> None:
    contest, browser = hosting.contest(), hosting.world.browser()
    for after in ("state", "remove", "entries", "entries/1/remove"):
        answer = browser.get(f"/contests/{contest.id}/{after}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/contests/{contest.id}")


def test_words_that_mean_nothing(hosting: Hosting) -> None:
    contest, olga = hosting.contest(), hosting.world.browser("olga")
    for game in ("", "chess", "../hive"):
        assert olga.post("/contests", **{**NEW, "game": game}).status_code == 404
        assert olga.get("/contests/new", params={"game": game}).status_code == 404
    for field, value in (("state", "won"), ("published", "maybe")):
        answer = olga.post(f"/contests/{contest.id}/{field}", **{field: value})
        assert answer.status_code == 422
    assert hosting.store.contests.all() == [contest]


def test_a_step_that_cannot_be_taken_is_told(hosting: Hosting) -> None:
    contest = hosting.contest(ContestState.CLOSED)
    olga = hosting.world.browser("olga")
    answer = olga.post(f"/contests/{contest.id}/state", state="running")
    assert answer.status_code == 422
    assert "it needs 2 bots or more to begin" in answer.text
    answer = olga.post(f"/contests/{contest.id}/state", state="paused")
    assert "it is closed; expected open or running" in answer.text


def test_what_has_begun_cannot_be_changed(hosting: Hosting) -> None:
    contest = hosting.begin(built_in(hosting))
    olga, path = hosting.world.browser("olga"), f"/contests/{contest.id}"
    assert olga.get(f"{path}/edit").status_code == 409
    assert olga.post(f"{path}/edit", **NEW).status_code == 409
    assert olga.post(f"{path}/remove").status_code == 422
    assert hosting.now(contest) == contest
    page = olga.get(path).text
    assert f'href="{path}/edit"' not in page
    assert "This site plays no matches" in page, "there is no contest scheduler"


def test_the_list(hosting: Hosting) -> None:
    assert "No contest is announced" in hosting.world.browser().get("/contests").text
    open_one = hosting.contest(ContestState.OPEN, "Open one", closes_ns=NOON + 86_400 * SECOND)
    hidden = hosting.contest(name="Hidden one")
    hosting.store.contests.publish(hidden.id, False)
    over = hosting.begin(built_in(hosting), name="Old one")
    change_state(hosting.site, hosting.olga, over, ContestState.FINISHED)
    page = hosting.world.browser("ada").get("/contests").text
    assert page.index("Open one") < page.index(">Finished<") < page.index("Old one")
    assert "open for bots" in page
    assert "2025-10-10 08:53 UTC" in page
    assert "Hidden one" not in page
    assert "New contest" not in page
    mine = hosting.world.browser("olga").get("/contests").text
    assert "Hidden one" in mine
    assert "New contest" in mine
    assert hosting.state(open_one) is ContestState.OPEN


def test_the_way_of_an_entrant(hosting: Hosting) -> None:
    contest, mine = hosting.contest(ContestState.OPEN), hosting.add_bot("ada", "<script>")
    path = f"/contests/{contest.id}"
    assert f'href="/login?next={path}"' in hosting.world.browser().get(path).text
    ada, bob = hosting.world.browser("ada"), hosting.world.browser("bob")
    assert "You have no bot that plays MebiPenny" in bob.get(path).text
    assert f'<option value="{mine}">&lt;script&gt;@1</option>' in ada.get(path).text
    assert ada.post(f"{path}/entries", version=str(mine)).headers["location"] == path
    page = ada.get(path).text
    assert "<script>" not in page
    assert 'aria-label="Remove &lt;script&gt;@1"' in page
    assert "Remove" not in bob.get(path).text
    assert "Remove" in hosting.world.browser("oscar").get(path).text
    assert ada.post(f"{path}/entries/{mine}/remove").headers["location"] == path
    assert "No entries yet" in ada.get(path).text


def test_a_version_or_a_contest_that_is_none(hosting: Hosting) -> None:
    contest, ada = hosting.contest(ContestState.OPEN), hosting.world.browser("ada")
    for version in ("", "x", "-1", "9" * 30, "4711"):
        answer = ada.post(f"/contests/{contest.id}/entries", version=version)
        assert answer.status_code == 422
        assert "bot version" in answer.text
    for path in ("/contests/4711", "/contests/x", "/contests/0/screen"):
        assert ada.get(path).status_code == 404


def test_a_contest_under_way(playing: Hosting) -> None:
    playing.paced_matches.drop()
    contest = playing.begin(built_in(playing), name="<i>Cup</i>")
    playing.hold_after(contest, 1)
    for path in (f"/contests/{contest.id}", f"/contests/{contest.id}/screen"):
        page = playing.world.browser().get(path).text
        assert "&lt;i&gt;Cup&lt;/i&gt;" in page
        assert "1 of 6 matches are played" in page
        assert 'class="ranking"' in page
    assert f'href="/matches/{playing.played(contest)[0].id}"' in (
        playing.world.browser().get(f"/contests/{contest.id}").text
    )
    playing.paced_matches.lift()


def test_the_live_boards_are_on_the_page(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing), pace_ns=2 * SECOND)
    playing.wait_for_live(1)
    playing.wait_for_shown(contest)
    (live,) = playing.scheduler.live(contest.id)
    page = playing.world.browser().get(f"/contests/{contest.id}").text
    assert f'data-key="{live.key}"' in page
    assert "<svg" in page
    assert f'href="/live/{live.key}"' in page


def test_the_bracket(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing), Format.KNOCKOUT)
    playing.wait_for(contest)
    winner = playing.standing(contest).winners[0]
    page = playing.world.browser().get(f"/contests/{contest.id}/screen").text
    assert 'class="bracket"' in page
    assert "Semi-finals" in page
    assert "no opponent" in page
    assert f'<a href="{winner.path}">{winner.title}</a> has won.' in page


def test_pages_of_matches(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing), rounds=4)
    playing.wait_for(contest)
    path = f"/contests/{contest.id}"
    browser = playing.world.browser()
    numbers = [match.id for match in playing.played(contest)]
    first = browser.get(path).text
    assert f'href="/matches/{numbers[-1]}"' in first
    assert f'href="/matches/{numbers[0]}"' not in first
    older = f"?before={numbers[-20]}"
    assert f'href="{older}#matches"' in first
    assert f'href="/matches/{numbers[0]}"' in browser.get(path + older).text


def test_the_description_is_markdown_on_the_page_and_as_typed_in_the_api(hosting: Hosting) -> None:
    typed = "**Friday** at noon\n\n<script>alert(1)</script> [club](https://club.example/)"
    contest = add_contest(hosting.site, hosting.user("olga"), make_proposal(description=typed))
    publish(hosting.site, hosting.olga, contest, True)
    page = hosting.world.browser().get(f"/contests/{contest.id}").text
    assert "<strong>Friday</strong>" in page
    assert "&lt;script&gt;alert(1)" in page
    assert 'rel="nofollow noreferrer ugc"' in page
    told = hosting.world.browser().get(f"/api/v1/contests/{contest.id}").json()
    assert told["description"] == typed
