"""Two people at one board: the link, what each may know, leaving, and playing again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.people.context import State
from agon.datastore import MatchFilter
from agon.games.registry import find_game
from agon.website.render.boards import draw_board
from tests.website.play.clicking import Clicker, chance, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.website.people import World


@pytest.fixture
def ada(world: World) -> Clicker:
    return Clicker(world, world.browser("ada"))


def sit_down(ada: Clicker, guest: Clicker, game: str = "hive") -> None:
    guest.join(ada.open(game, "person"))
    ada.wait()


def test_the_link_is_good_for_one_person(world: World, ada: Clicker, guest: Clicker) -> None:
    key = ada.open("hive", "person")
    assert ada.look()["status"] == "Waiting for another player to take the free seat."
    invitation = guest.browser.get(f"/play/{key}")
    assert "ada invites you to a match of Hive" in invitation.text
    assert "<b>Black</b>" in invitation.text
    guest.join(key)
    play = guest.look()
    assert [(one["name"], one["is_you"]) for one in play["players"]] == [
        ("ada", False),
        ("guest", True),
    ]
    late = world.browser()
    assert late.get(f"/play/{key}").status_code == 404
    assert late.post(f"/play/{key}/join").status_code == 404
    assert late.send("POST", f"/api/v1/plays/{key}/join", json={}).status_code == 409
    assert guest.seat == 1


def test_an_invitation_shows_no_more_than_the_free_seat_sees(ada: Clicker, guest: Clicker) -> None:
    key = ada.open("mebipenny", "person", **{"option-deal": "hand 0,0 | hand 1,1"})
    start = find_game("mebipenny").start(ada.session.party.options)
    page = guest.browser.get(f"/play/{key}").text
    assert draw_board(start.scene(1)) in page
    assert draw_board(start.scene(None)) not in page


def test_joining_twice_changes_nothing(ada: Clicker, guest: Clicker) -> None:
    sit_down(ada, guest)
    guest.join(guest.key)
    ada.join(ada.key)
    assert (ada.seat, guest.seat) == (0, 1)


def test_a_match_by_turns(world: World, ada: Clicker, guest: Clicker) -> None:
    sit_down(ada, guest)
    assert (ada.look()["may_act"], guest.look()["may_act"]) == (True, False)
    assert guest.look()["status"] == "ada thinks …"
    ada.play_turn(chance(1))
    guest.wait()
    assert (ada.look()["may_act"], guest.look()["may_act"]) == (False, True)
    assert ada.look()["turns"][0]["told"][0].startswith("ada: w")
    guest.play_turn(chance(2))
    ada.wait()
    assert len(ada.look()["turns"]) == 2
    match = world.site.live_matches.running("hive")[0]
    assert match.private
    assert match.players == ("ada", "guest")
    assert ada.browser.get(f"/live/{match.key}").status_code == 404


def test_turns_at_the_same_time_wait_for_each_other_and_are_secret(
    world: World, ada: Clicker, guest: Clicker
) -> None:
    sit_down(ada, guest, "battlebots")
    guest.wait()
    assert ada.look()["scene"] != guest.look()["scene"]
    ada.call("/turn", {"moment": ada.look()["moment"], "picks": []})
    play = ada.look()
    assert (play["moment"], play["may_act"], play["status"]) == (1, False, "guest thinks …")
    assert ada.send("/turn", {"moment": 1, "picks": []}).status_code == 409
    guest.play_turn(chance(3))
    ada.wait()
    assert [one["told"] for one in ada.look()["turns"]] == [["ada: pass"]]
    assert [one["told"][0].split(":")[0] for one in guest.look()["turns"]] == ["guest"]
    ada.call("/resign", {})
    ada.wait_for_end()
    assert len(guest.look()["turns"][0]["told"]) == 2, "everything is told at the end"


@pytest.mark.parametrize("leaver", [0, 1])
def test_resigning_in_either_turn_ends_the_match(
    world: World, ada: Clicker, guest: Clicker, leaver: int
) -> None:
    sit_down(ada, guest)
    people = (ada, guest)
    people[leaver].call("/resign", {})
    guest.wait_for_end()
    play = people[1 - leaver].look()
    names = ("ada", "guest")
    assert play["verdict"] == f"{names[1 - leaver]} won: {names[leaver]} resigned"
    [match] = world.store.matches.find(MatchFilter(game="hive"))
    assert [seat.bot for seat in match.seats] == ["ada (person)", "guest (person)"]
    assert [seat.fault for seat in match.seats] == [
        "resigned" if seat == leaver else None for seat in (0, 1)
    ]
    assert people[leaver].send("/resign", {}).status_code == 409


def test_a_rematch_changes_the_seats(world: World, ada: Clicker, guest: Clicker) -> None:
    sit_down(ada, guest)
    first = ada.key
    assert ada.send("/rematch", {}).status_code == 400
    ada.call("/resign", {})
    ada.wait_for_end()
    again = ada.browser.post(f"/play/{first}/rematch").headers["location"]
    assert guest.look()["rematch"] == again.removeprefix("/play/")
    assert guest.browser.post(f"/play/{first}/rematch").headers["location"] == again
    ada.key = guest.key = again.removeprefix("/play/")
    guest.wait()
    assert (ada.seat, guest.seat) == (1, 0)
    assert guest.look()["may_act"]
    guest.call("/resign", {})
    guest.wait_for_end()
    guest.key = first
    third = guest.browser.post(f"/play/{first}/rematch").headers["location"]
    assert third != again


def test_two_guests_have_different_names(world: World, guest: Clicker) -> None:
    other = Clicker(world, world.browser())
    guest.open("hive", "person")
    other.join(guest.key)
    assert [one["name"] for one in other.look()["players"]] == ["guest", "guest 2"]


def test_more_players_than_people(world: World, ada: Clicker, guest: Clicker) -> None:
    key = ada.open("mebipenny", "person", seat="2", players="4", others="random")
    assert guest.browser.get(f"/play/{key}").status_code == 200
    guest.join(key)
    play = ada.look()
    names = ["guest", "random", "ada", "random 2"]
    assert [one["name"] for one in play["players"]] == names
    assert [one["is_person"] for one in play["players"]] == [True, False, True, False]
    assert (guest.seat, ada.seat) == (0, 2)


def test_the_others_play_on_when_a_person_resigns(world: World, guest: Clicker) -> None:
    guest.open("skyport", players="3", others="greedy")
    guest.wait()
    guest.call("/resign", {})
    assert guest.look()["may_act"] is False
    guest.wait_for_end()
    session = guest.session
    assert session.outcome
    assert session.match_id is not None
    assert session.outcome.winner != 0


def test_a_free_seat_is_not_kept_for_ever(world: World, ada: Clicker) -> None:
    key = ada.open("hive", "person")
    old = ada.session
    world.clock.pass_s(2 * 3600)
    ada.open("hive", "person")
    assert old.state is State.OVER
    assert ada.browser.get(f"/play/{key}").status_code == 404


def test_a_player_who_does_nothing_for_long_is_out(make: Callable[..., World]) -> None:
    quick = make(patience_ns=10**6)
    person = Clicker(quick, quick.browser())
    person.open("hive")
    wait_until(quick, person.session, lambda one: one.state is State.OVER)
    assert person.look()["verdict"] == "random won: guest ran out of time"
