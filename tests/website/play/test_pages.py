"""The pages on which people play, as they are without scripts."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from agon.arena.people.context import State
from agon.games.registry import all_games, game_names
from agon.games.svg import format_svg
from tests.website.play.clicking import Clicker, chance

if TYPE_CHECKING:
    from agon.games.scene import Scene
    from tests.website.people import World

PICK_LINK = re.compile(r'href="(\?[^"]+)" data-pick=')
BACK_LINK = re.compile(r'href="(\?[^"]+)" data-back=')
SENT_PICK = re.compile(r'name="pick" value="([^"]*)"')
SENT_MOMENT = re.compile(r'name="moment" value="([0-9]+)"')
INLINE = re.compile(r"<style|style=|<script>|\son\w+=")


def page_of(clicker: Clicker, query: str = "") -> str:
    response = clicker.browser.get(f"/play/{clicker.key}{query.partition('#')[0]}")
    assert response.status_code == 200, response.text
    assert not INLINE.search(response.text)
    return response.text


def links(found: re.Pattern[str], page: str) -> list[str]:
    return [html.unescape(link) for link in found.findall(page)]


def test_every_game_can_be_chosen_and_set_up(guest: Clicker) -> None:
    page = guest.browser.get("/play").text
    for game in all_games():
        assert f'href="/play?game={game.name}"' in page
        assert f"/play/pictures/{game.name}.svg" in page
        form = guest.browser.get(f"/play?game={game.name}").text
        for name in game.bot_names:
            assert f'name="opponent" value="{name}"' in form
        assert not INLINE.search(form)
        assert 'name="option-seats"' not in form


@pytest.mark.parametrize("name", game_names())
def test_pictures_show_a_match_under_way(guest: Clicker, name: str) -> None:
    picture = guest.browser.get(f"/play/pictures/{name}.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "sandbox" in picture.headers["content-security-policy"]
    assert "<title>" in picture.text


@pytest.mark.parametrize("name", game_names())
def test_a_turn_can_be_clicked_taken_back_and_sent_without_scripts(
    guest: Clicker, name: str
) -> None:
    guest.open(name)
    guest.wait()
    rng = chance(name)
    first = page = page_of(guest)
    for _ in range(10):
        if "disabled>Send" not in page and BACK_LINK.search(page):
            break
        page = page_of(guest, rng.choice(links(PICK_LINK, page)))
    picks = [html.unescape(pick) for pick in SENT_PICK.findall(page)]
    assert picks
    back = links(BACK_LINK, page)
    assert len(back) == len(picks)
    assert links(PICK_LINK, page_of(guest, back[0])) == links(PICK_LINK, first)
    [moment] = SENT_MOMENT.findall(page)
    own = guest.browser.own
    form = {"moment": moment, "pick": picks}
    response = guest.browser.send("POST", f"/play/{guest.key}/turn", data=form, headers=own)
    assert response.status_code == 303
    guest.wait()
    assert guest.session.moment > 1
    assert page_of(guest) != page
    again = guest.browser.send("POST", f"/play/{guest.key}/turn", data=form, headers=own)
    assert again.status_code == 303, "a form that is sent twice shows the match as it is"


def test_picks_of_another_position_or_none_at_all_are_forgotten(guest: Clicker) -> None:
    guest.open("hive")
    guest.wait()
    whole = page_of(guest)
    assert links(PICK_LINK, page_of(guest, "?moment=7&pick=pick-wS1")) == links(PICK_LINK, whole)
    odd = guest.browser.get(f"/play/{guest.key}?moment=1&pick=<script>")
    assert odd.status_code == 422
    assert "<script>" not in odd.text
    assert "expected one of" in odd.text
    half = {"moment": "1", "pick": ["pick-wS1"]}
    response = guest.browser.send(
        "POST", f"/play/{guest.key}/turn", data=half, headers=guest.browser.own
    )
    assert response.status_code == 422
    assert "expected a whole turn" in response.text


def test_a_match_from_beginning_to_end(world: World, guest: Clicker) -> None:
    guest.open("battlebots", "greedy")
    guest.wait()
    assert "Your matches" in guest.browser.get("/play").text
    assert "It is your turn." in page_of(guest)
    guest.browser.post(f"/play/{guest.key}/resign")
    guest.wait_for_end()
    page = page_of(guest)
    assert "greedy won" in page
    assert f'href="/matches/{guest.session.match_id}"' in page
    assert "Your matches" not in guest.browser.get("/play").text
    again = guest.browser.post(f"/play/{guest.key}/rematch")
    guest.key = again.headers["location"].removeprefix("/play/")
    assert guest.seat == 1
    guest.browser.post(f"/play/{guest.key}/resign")
    guest.wait_for_end()
    assert guest.session.state is State.OVER


def test_the_seat_may_be_left_to_chance(guest: Clicker) -> None:
    seats = set()
    for _ in range(30):
        guest.open("hive", "person", seat="")
        seats.add(guest.seat)
        guest.session.close()
        if len(seats) == 2:
            break
    assert seats == {0, 1}


def test_names_of_users_are_shown(world: World) -> None:
    ada = Clicker(world, world.browser("ada"))
    ada.open("hive", "person")
    assert re.search("<h1[^>]*>ada . free seat</h1>", page_of(ada))
    assert f"/play/{ada.key}" in page_of(ada), "the link to send"


def test_what_others_have_in_hand_is_not_told(guest: Clicker) -> None:
    guest.open("mebipenny")
    guest.wait()
    _, position = guest.session.now
    secrets = labels_of(position.scene(None)) - labels_of(position.scene(0))
    assert secrets, "the other player's tiles"
    told = guest.send("").text + page_of(guest)
    assert not {label for label in secrets if f'"{label}"' in told or f">{label}<" in told}
    own = labels_of(position.scene(0)) - labels_of(position.scene(1))
    assert all(f">{label}<" in told for label in own)


def labels_of(scene: Scene) -> set[str]:
    """All words that stand on a board."""
    return set(re.findall("<text[^>]*>([^<]+)</text>", format_svg(scene)))


def test_resigning_is_asked_without_scripts_and_names_what_comes_of_it(guest: Clicker) -> None:
    guest.open("skyport")
    guest.wait()
    page = page_of(guest)
    question = page[page.index("<details") : page.index("</details>", page.index("Yes, resign"))]
    assert "Do you give up? random wins then." in question
    assert f'action="/play/{guest.key}/resign"' in question
    for _ in range(2):  # a form that is sent twice shows the match as it is
        assert guest.browser.post(f"/play/{guest.key}/resign").status_code == 303
    guest.wait_for_end()
    page = page_of(guest)
    assert "random won: guest resigned" in page
    assert "Do you give up?" not in page


@pytest.mark.parametrize(
    ("game", "means"),
    [
        ("skyport", "The others play on without you; you do not win."),
        ("mebipenny", "The match ends then, for the others as well."),
    ],
)
def test_among_more_the_question_says_what_becomes_of_the_others(
    guest: Clicker, game: str, means: str
) -> None:
    guest.open(game, players="3", others="random")
    guest.wait()
    assert guest.look()["resigning"] == f"Do you give up? {means}"


def test_an_invitation_can_be_withdrawn(world: World, guest: Clicker) -> None:
    guest.open("hive", "person")
    page = page_of(guest)
    assert "Withdraw the invitation? Its link leads nowhere then." in page
    assert guest.browser.post(f"/play/{guest.key}/resign").status_code == 303
    assert guest.session.state is State.OVER
    assert "The invitation was withdrawn." in page_of(guest)
    late = world.browser()
    assert late.get(f"/play/{guest.key}").status_code == 404
    assert late.send("POST", f"/api/v1/plays/{guest.key}/join", json={}).status_code == 400
