"""What a client says, and what counts of it."""

from __future__ import annotations

import json
from typing import Any

from agon.games.skyport.action import DEFAULT_LOADOUT, LOADOUTS, format_turn
from agon.games.skyport.game import GAME
from agon.website.skyport.hearing import Hearing

CONNECT = {"message": "connect", "revision": 1, "name": "ann"}
LOADOUT = {"message": "loadout", "primary-weapon": "droid", "secondary-weapon": "mortar"}
MINE = {"message": "action", "type": "mine"}
PASS = {"message": "action", "type": "pass"}


def take(hearing: Hearing, message: dict[str, Any]) -> bool:
    """Take a message that is not refused."""
    is_complete = hearing.take(json.dumps(message))
    assert not any("error" in reply for reply in hearing.replies())
    return is_complete


def refusal(hearing: Hearing, message: dict[str, Any]) -> str:
    """The error that answers a message."""
    assert not hearing.take(json.dumps(message))
    (reply,) = hearing.replies()
    text: str = json.loads(reply)["error"]
    return text


def connected() -> Hearing:
    hearing = Hearing(tuple)
    take(hearing, CONNECT)
    return hearing


def test_nothing_counts_before_a_handshake() -> None:
    hearing = Hearing(tuple)
    for message in (LOADOUT, MINE):
        assert refusal(hearing, message).endswith(": expected a handshake first")
    assert refusal(hearing, {"message": "chat"}) == (
        'message "chat": expected connect, loadout, action'
    )
    assert hearing.name is None
    assert not hearing.take(json.dumps(CONNECT))
    assert hearing.replies() == ['{"message": "connect", "status": true}']
    assert hearing.name == "ann"
    assert refusal(hearing, CONNECT) == "connect: you are connected already"


def test_a_taken_name_is_refused_and_another_may_be_tried() -> None:
    hearing = Hearing(lambda: {"ann"})
    assert refusal(hearing, CONNECT) == 'name "ann": it is taken'
    take(hearing, CONNECT | {"name": "anna"})
    assert hearing.name == "anna"


def test_who_is_connected_is_told_so_even_if_the_name_is_taken_by_now() -> None:
    taken: set[str] = set()
    hearing = Hearing(lambda: taken)
    take(hearing, CONNECT)
    taken.add("ann")
    assert refusal(hearing, CONNECT) == "connect: you are connected already"


def test_loadouts_count_from_the_handshake_to_turn_one_the_last_one_wins() -> None:
    hearing = connected()
    assert not take(hearing, LOADOUT)  # nobody has asked yet
    start = GAME.start(seats=2)
    hearing.show(start, asked=True)
    assert not hearing.is_asked  # it was there already
    assert str(hearing.turn) == "loadout droid mortar"
    assert not take(hearing, LOADOUT | {"primary-weapon": "laser"})
    assert str(hearing.turn) == "loadout laser mortar"
    hearing.show(start.play(dict.fromkeys((0, 1), LOADOUTS[0])), asked=False)
    assert refusal(hearing, LOADOUT) == "loadout: the match has begun"


def test_a_loadout_that_is_asked_for_is_a_turn_and_there_is_a_usual_one() -> None:
    hearing = connected()
    hearing.show(GAME.start(seats=2), asked=True)
    assert hearing.is_asked
    assert hearing.turn == DEFAULT_LOADOUT
    assert take(hearing, LOADOUT)
    assert str(hearing.turn) == "loadout droid mortar"


def test_actions_count_only_while_they_are_asked_for() -> None:
    hearing = connected()
    start = GAME.start(seats=2)
    assert refusal(hearing, MINE) == "mine: it is not your turn"
    hearing.show(start, asked=True)
    assert refusal(hearing, MINE) == "mine: it is not your turn"
    first = start.play(dict.fromkeys((0, 1), LOADOUTS[0]))
    hearing.show(first, asked=True)
    assert not hearing.has_begun_turn
    assert not take(hearing, MINE)
    assert hearing.has_begun_turn
    assert take(hearing, PASS)
    assert not hearing.has_begun_turn
    assert format_turn(hearing.turn) == "mine; pass"
    assert refusal(hearing, PASS) == "pass: it is not your turn"
    hearing.show(first, asked=True)
    assert [take(hearing, MINE) for _ in range(3)] == [False, False, True]
    hearing.show(first, asked=False)
    assert refusal(hearing, MINE) == "mine: it is not your turn"
