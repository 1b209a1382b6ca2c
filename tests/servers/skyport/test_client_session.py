"""What a client says, and what counts of it."""

from __future__ import annotations

import json
from typing import Any

from agon.games.skyport.game import GAME
from agon.games.skyport.move import DEFAULT_LOADOUT, LOADOUTS
from agon.games.skyport.notation import format_turn
from agon.servers.skyport.client_session import ClientSession

CONNECT = {"message": "connect", "revision": 1, "name": "ann"}
LOADOUT = {"message": "loadout", "primary-weapon": "droid", "secondary-weapon": "mortar"}
MINE = {"message": "action", "type": "mine"}
PASS = {"message": "action", "type": "pass"}


def take(session: ClientSession, message: dict[str, Any]) -> bool:
    """Take a message that is not refused."""
    is_complete = session.take(json.dumps(message))
    assert not any("error" in reply for reply in session.replies())
    return is_complete


def refusal(session: ClientSession, message: dict[str, Any]) -> str:
    """The error that answers a message."""
    assert not session.take(json.dumps(message))
    (reply,) = session.replies()
    text: str = json.loads(reply)["error"]
    return text


def connected() -> ClientSession:
    session = ClientSession(tuple)
    take(session, CONNECT)
    return session


def test_nothing_counts_before_a_handshake() -> None:
    session = ClientSession(tuple)
    for message in (LOADOUT, MINE):
        assert refusal(session, message).endswith(": expected a handshake first")
    assert refusal(session, {"message": "chat"}) == (
        'message "chat": expected connect, loadout, action'
    )
    assert session.name is None
    assert not session.take(json.dumps(CONNECT))
    assert session.replies() == ['{"message": "connect", "status": true}']
    assert session.name == "ann"
    assert refusal(session, CONNECT) == "connect: you are connected already"


def test_a_taken_name_is_refused_and_another_may_be_tried() -> None:
    session = ClientSession(lambda: {"ann"})
    assert refusal(session, CONNECT) == 'name "ann": it is taken'
    take(session, CONNECT | {"name": "anna"})
    assert session.name == "anna"


def test_who_is_connected_is_told_so_even_if_the_name_is_taken_by_now() -> None:
    taken: set[str] = set()
    session = ClientSession(lambda: taken)
    take(session, CONNECT)
    taken.add("ann")
    assert refusal(session, CONNECT) == "connect: you are connected already"


def test_loadouts_count_from_the_handshake_to_turn_one_the_last_one_wins() -> None:
    session = connected()
    assert not take(session, LOADOUT)  # it was not asked for yet
    start = GAME.start(seats=2)
    assert session.show(start, asked=True)  # it was there already
    assert str(session.turn) == "loadout droid mortar"
    assert not take(session, LOADOUT | {"primary-weapon": "laser"})
    assert str(session.turn) == "loadout laser mortar"
    session.show(start.play(dict.fromkeys((0, 1), LOADOUTS[0])), asked=False)
    assert refusal(session, LOADOUT) == "loadout: the match has begun"


def test_a_loadout_that_is_asked_for_is_a_turn_and_there_is_a_usual_one() -> None:
    session = connected()
    assert not session.show(GAME.start(seats=2), asked=True)
    assert session.turn == DEFAULT_LOADOUT
    assert take(session, LOADOUT)
    assert str(session.turn) == "loadout droid mortar"


def test_actions_count_only_while_they_are_asked_for() -> None:
    session = connected()
    start = GAME.start(seats=2)
    assert refusal(session, MINE) == "mine: it is not your turn"
    session.show(start, asked=True)
    assert refusal(session, MINE) == "mine: it is not your turn"
    first = start.play(dict.fromkeys((0, 1), LOADOUTS[0]))
    session.show(first, asked=True)
    assert not session.has_begun_turn
    assert not take(session, MINE)
    assert session.has_begun_turn
    assert take(session, PASS)
    assert not session.has_begun_turn
    assert format_turn(session.turn) == "mine; pass"
    assert refusal(session, PASS) == "pass: it is not your turn"
    session.show(first, asked=True)
    assert [take(session, MINE) for _ in range(3)] == [False, False, True]
    session.show(first, asked=False)
    assert refusal(session, MINE) == "mine: it is not your turn"


def test_the_legal_moves_are_asked_for_before_the_handshake() -> None:
    session = ClientSession(set)
    assert not session.take("legal")
    assert session.replies() == []
    session.take(json.dumps(CONNECT))
    session.replies()
    assert session.lists_moves
    session.take("legal")
    assert [json.loads(reply) for reply in session.replies()] == [{"error": '"legal": not JSON'}]
