"""What is refused: picks that were not offered, turns that come too late, other people's seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.people.party import Person
from agon.datastore import NewBot, NewFile, NewVersion
from agon.datastore.enums import VersionStatus
from tests.website.play.clicking import Clicker, chance

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.website.people import World


def refusal(response: Any, status: int) -> str:
    assert response.status_code == status, response.text
    error: str = response.json()["error"]
    return error


def test_a_pick_that_was_not_offered(guest: Clicker) -> None:
    guest.open("hive")
    guest.wait()
    moment = guest.look()["moment"]
    for picks in (["to-0,0"], ["pick-wS1", "pick-wS1"], ["<script>"], [""], ["pick-wS1"] * 400):
        told = refusal(guest.send("/step", {"moment": moment, "picks": picks}), 400)
        assert told.startswith("pick ")
        assert "expected" in told
        refusal(guest.send("/turn", {"moment": moment, "picks": picks}), 400)
    assert "picks" in refusal(guest.send("/step", {"moment": moment, "picks": ["x"] * 401}), 422)
    assert guest.look()["moment"] == moment
    assert guest.look()["may_act"]


def test_a_turn_that_is_not_whole(guest: Clicker) -> None:
    guest.open("hive")
    guest.wait()
    body = {"moment": guest.look()["moment"], "picks": ["pick-wS1"]}
    assert "expected a whole turn" in refusal(guest.send("/turn", body), 400)


def test_a_text_that_is_no_turn(guest: Clicker) -> None:
    guest.open("hive")
    guest.wait()
    moment = guest.look()["moment"]
    for text in ("nonsense", "wQ1", "bS1", "pass", ""):
        refusal(guest.send("/turn", {"moment": moment, "text": text}), 400)
    assert guest.call("/turn", {"moment": moment, "text": "wS1"})["moment"] >= moment


def test_a_turn_that_comes_too_late(guest: Clicker) -> None:
    guest.open("hive")
    guest.wait()
    moment = guest.look()["moment"]
    picks = guest.pick_turn(chance(1))
    guest.call("/turn", {"moment": moment, "picks": picks})
    guest.wait()
    for path in ("/turn", "/step"):
        told = refusal(guest.send(path, {"moment": moment, "picks": picks}), 409)
        assert "the match has gone on" in told
    assert len(guest.look()["turns"]) == 2


def test_no_player_plays_in_the_turn_of_another(world: World, guest: Clicker) -> None:
    other = Clicker(world, world.browser())
    guest.open("hive", "person")
    other.join(guest.key)
    guest.wait()
    body = {"moment": 1, "picks": ["pick-bS1", "to-0,0"]}
    assert refusal(other.send("/turn", body), 409) == "it is not your turn"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("", None),
        ("/events", None),
        ("/step", {"moment": 1, "picks": []}),
        ("/turn", {"moment": 1, "picks": ["pick-wS1", "to-0,0"]}),
        ("/resign", {}),
        ("/rematch", {}),
    ],
)
def test_a_match_is_for_its_players_alone(
    world: World, guest: Clicker, path: str, body: Any
) -> None:
    guest.open("hive")
    guest.wait()
    own = guest.browser.cookie("player")
    assert own
    for secret in ("", "x", own[:-1], own + "x", own.upper()):
        stranger = Clicker(world, world.browser("ada"), guest.key)
        stranger.headers = {"X-Play-Secret": secret}
        assert "for its players alone" in refusal(stranger.send(path, body), 404)
    assert guest.look()["may_act"]


def test_the_cookie_alone_changes_nothing(world: World, guest: Clicker) -> None:
    """Another site can make a browser send its cookies, but not another origin."""
    guest.open("hive")
    guest.wait()
    address = f"/api/v1/plays/{guest.key}"
    assert guest.browser.get(address).status_code == 200
    for path, body in (("/turn", {"moment": 1, "text": "wS1"}), ("/resign", {})):
        for headers in ({}, {"Origin": "https://evil.test"}, {"Sec-Fetch-Site": "cross-site"}):
            response = guest.browser.send("POST", address + path, json=body, headers=headers)
            assert response.status_code == 403
    forged = guest.browser.send("POST", f"/play/{guest.key}/resign", data={})
    assert forged.status_code == 403
    assert guest.look()["may_act"]


def test_a_match_of_an_account_is_not_the_browsers(world: World) -> None:
    ada = Clicker(world, world.browser("ada"))
    ada.open("hive")
    assert ada.look()["players"][0]["name"] == "ada"
    ada.browser.post("/logout")
    assert ada.send("").status_code == 404
    again = Clicker(world, world.browser("ada"), ada.key)
    assert again.seat == 0


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"opponent": "nobody"},
            "expected one of random, greedy, search, search:1 to search:10, person",
        ),
        ({"opponent": "version:99"}, "version 99: there is none of that number"),
        ({"seat": "2"}, "seat 2: expected 0 to 1"),
        ({"seat": "first"}, "expected numbers"),
        ({"players": "3"}, "3 seats: Hive is for 2"),
        ({"players": "many"}, "expected numbers"),
        ({"others": "nobody"}, "expected one of random, greedy, search"),
        ({"option-variant": "Chess"}, "expected Base, Base+M"),
        ({"option-speed": "9"}, "option &#39;speed&#39;: expected one of variant"),
    ],
)
def test_a_wish_that_cannot_be_fulfilled(
    world: World, guest: Clicker, fields: dict[str, str], told: str
) -> None:
    given = {"game": "hive", "opponent": "random", "option-repetition": "off", **fields}
    response = guest.browser.post("/play", **given)
    assert response.status_code == 422
    assert told in response.text
    assert world.site.plays.of_person(Person(guest.browser.cookie("player") or "")) == []
    assert 'value="off" selected' in response.text or "numbers" in told, "what was typed is kept"


def test_unknown_games_and_matches(guest: Clicker) -> None:
    assert guest.browser.get("/play?game=chess").status_code == 404
    assert guest.browser.post("/play", game="chess").status_code == 404
    assert guest.browser.get("/play/nothing").status_code == 404
    assert guest.browser.get("/play/pictures/chess.svg").status_code == 404
    told = guest.browser.send("POST", "/api/v1/plays", json={"game": "chess"})
    assert "chess" in refusal(told, 400)


def test_a_board_that_is_too_large(guest: Clicker) -> None:
    body = {"game": "atlantis", "options": {"board": "hexagon", "size": "14"}}
    told = refusal(guest.browser.send("POST", "/api/v1/plays", json=body), 400)
    assert "too large" in told


def test_tables_are_bounded(make: Callable[..., World]) -> None:
    world = make(own=2, tables=3)
    one, two = Clicker(world, world.browser()), Clicker(world, world.browser())
    one.open("hive")
    one.open("hive")
    body = {"game": "hive", "opponent": "random", "seat": "0"}
    response = one.browser.post("/play", **body)
    assert response.status_code == 422
    assert "you play 2 matches already" in response.text
    two.open("hive")
    response = two.browser.post("/play", **body)
    assert "all tables are taken" in response.text
    one.wait()
    one.call("/resign", {})
    one.wait_for_end()
    two.open("hive")


def test_matches_cannot_be_begun_without_end(world: World, guest: Clicker) -> None:
    throttle = world.site.plays.throttle
    for _ in range(throttle.limit):
        throttle.take("192.0.2.1", world.clock())
    response = guest.browser.post("/play", game="hive", opponent="random")
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) > 0


@pytest.mark.parametrize("status", [VersionStatus.WITHDRAWN, VersionStatus.FAILED, None])
def test_versions_that_do_not_play(
    world: World, guest: Clicker, status: VersionStatus | None
) -> None:
    """None: it has no program, like the people and guests among the bots."""
    bot = world.store.bots.add(NewBot("hive", "<b>crawler</b>", world.clock()))
    files = {"bot.py": NewFile(b"")} if status else {}
    new = NewVersion(
        world.clock(),
        run="python3 bot.py" if status else "",
        files=files,
        status=status or VersionStatus.ACTIVE,
    )
    version = world.store.versions.add(bot.id, new)
    assert "crawler" not in guest.browser.get("/play?game=hive").text
    response = guest.browser.post("/play", game="hive", opponent=f"version:{version.id}")
    assert response.status_code == 422
    assert "does not play any more" in response.text
    response = guest.browser.post("/play", game="skyport", opponent=f"version:{version.id}")
    assert "plays hive" in response.text
    assert "<b>crawler" not in response.text
