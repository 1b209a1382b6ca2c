"""A game in play: tokens, turns, time, and the ends, without sockets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.http_exchange import HttpReply, HttpRequest, RefusedError
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.http_api import HttpApi
from agon.games.mebipenny.wire import format_delta, format_game
from agon.match.transcript import Fault, FaultEvent, TurnEvent, verify
from tests.servers.mebipenny.quiet_lobby import (
    SECOND,
    QuietLobby,
    Visitor,
    in_play,
    move_for,
    play_on,
    seat_of,
)

if TYPE_CHECKING:
    from agon.servers.mebipenny.game_table import GameTable

PASS = "PASS"  # noqa: S105


def refused(status: int, visitor: Visitor, body: bytes, token: bytes | None) -> str:
    """Send a move that is refused; what was said."""
    with pytest.raises(RefusedError) as caught:
        visitor.table.move(token, body, visitor.answers.append)
    assert caught.value.status == status
    assert json.loads(caught.value.reply.body) == {"error": str(caught.value)}
    return str(caught.value)


# --- Turns --------------------------------------------------------------------------------------


def test_players_are_asked_when_the_last_seat_is_taken_and_it_is_their_turn() -> None:
    quiet = QuietLobby()
    table = quiet.table(seats=3)
    visitors = [Visitor(table, name) for name in ("ann", "bob")]
    assert [visitor.answers for visitor in visitors] == [[], []]
    visitors = sorted([*visitors, Visitor(table, "cid")], key=seat_of)
    assert [len(visitor.answers) for visitor in visitors] == [1, 0, 0]
    game = visitors[0].told
    assert visitors[0].answers[0].status == 200
    assert game["state"] == "in play"
    assert game["player_id"] == game["players"][0]["id"]
    assert game == format_game(in_play(table).position, in_play(table).players, 0)
    visitors[0].send(PASS)
    assert [len(visitor.answers) for visitor in visitors] == [1, 1, 0]
    assert visitors[1].told["player_id"] == visitors[1].told["players"][0]["id"]


def test_a_delta_covers_all_since_the_own_move_with_it() -> None:
    visitors = QuietLobby().full_table("ann", "bob", "cid")
    play_on(visitors, 3)
    before = in_play(visitors[0].table).position
    play_on(visitors, 3)
    play = in_play(visitors[0].table)
    assert visitors[0].told == format_delta(before, play.position, play.players, 0)
    assert len(visitors[0].told["claims"]) >= 3


def test_after_a_turn_the_next_player_is_asked_when_the_delay_is_over() -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    table = new_game(quiet, {"rows": 4, "cols": 4, "delay_time": 2.5})
    first, second = sorted((Visitor(table, name) for name in ("ann", "bob")), key=seat_of)
    assert len(first.answers) == 1  # before the first turn there was none
    first.send(move_for(table))
    quiet.time.pass_by(2 * SECOND)
    assert second.answers == []
    assert "expected the token of the turn" in refused(403, second, b'"PASS"', b"x")
    quiet.time.pass_by(SECOND // 2)
    assert second.told["claims"]
    quiet.time.pass_by(29 * SECOND)  # the player's time begins with the answer
    second.send(PASS)
    quiet.time.pass_by(5 * SECOND // 2)
    first.send(PASS)
    assert second.told["state"] == first.told["state"] == "completed"
    assert quiet.finished[0].match.thought_ns == (0, 29 * SECOND)


def test_a_game_that_ends_in_the_delay_asks_no_player() -> None:
    quiet = QuietLobby()
    table = new_game(quiet, {"rows": 4, "cols": 4, "delay_time": 1})
    first, second = sorted((Visitor(table, name) for name in ("ann", "bob")), key=seat_of)
    first.send(PASS)
    quiet.lobby.close()
    quiet.time.pass_by(SECOND)
    assert [answer.status for answer in second.answers] == [503]


def new_game(quiet: QuietLobby, document: Any) -> GameTable:
    """The game that a request makes."""
    request = HttpRequest("POST", "/", {}, json.dumps(document).encode())
    replies: list[HttpReply] = []
    HttpApi(quiet.lobby, 302).take(request, replies.append)
    return quiet.lobby.find(dict(replies[0].headers)[b"location"].decode()[1:])


def test_who_sits_where_follows_from_the_seed_and_the_order_of_arrival() -> None:
    names = ("ann", "bob", "cid", "dan")

    def order(seed: int) -> list[str]:
        return [visitor.name for visitor in QuietLobby().full_table(*names, seed=seed)]

    orders = {seed: order(seed) for seed in range(30)}
    assert all(order(seed) == found for seed, found in orders.items())
    assert {found[0] for found in orders.values()} == {*names}


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (QuietLobby().full_table("ann", "bob") for _ in range(2))
    assert first[0].told["players"][0]["hand"] == second[0].told["players"][0]["hand"]
    assert in_play(first[0].table).position.hands == GAME.start(MebiPennyOptions(4, 4), 7).hands


# --- Tokens -------------------------------------------------------------------------------------


def test_a_token_is_good_once() -> None:
    ann, bob = QuietLobby().full_table("ann", "bob")
    used = ann.token or b""
    ann.send(PASS)
    told = refused(403, ann, b'"PASS"', used)
    assert told == f"X-Turn-Token {used.decode()!r}: expected the token of the turn that is on"
    bob.send(move_for(bob.table))
    assert ann.token != used
    refused(403, ann, b'"PASS"', used)
    assert len(ann.answers) == 2


@pytest.mark.parametrize("token", [None, b"", b"x", "é".encode(), b"\xff" * 500])
def test_a_token_that_is_none_changes_nothing(token: bytes | None) -> None:
    ann, bob = QuietLobby().full_table("ann", "bob")
    before = in_play(ann.table).position
    told = refused(403, bob, b'"PASS"', token)
    assert "X-Turn-Token" in told
    assert len(told) < 300
    assert in_play(ann.table).position is before
    ann.send(PASS)
    assert len(bob.answers) == 1


def test_a_token_of_another_game_opens_nothing() -> None:
    quiet = QuietLobby()
    (ann, _), (eve, fay) = quiet.full_table("ann", "bob"), quiet.full_table("eve", "fay")
    for visitor in (eve, fay):
        refused(403, visitor, b'"PASS"', ann.token)
    assert ann.token != eve.token


def test_the_other_player_has_no_use_for_the_token_of_a_turn_that_is_over() -> None:
    ann, bob = QuietLobby().full_table("ann", "bob")
    used = ann.token
    ann.send(PASS)
    refused(403, bob, b'"PASS"', used)


def test_ids_and_tokens_are_long_and_all_different() -> None:
    quiet = QuietLobby()
    players, tokens, games = set(), set(), set()
    for _ in range(50):
        ann, bob = quiet.full_table("ann", "bob")
        ann.send(PASS)
        players |= {ann.id, bob.id}
        tokens |= {ann.token, bob.token}
        games.add(ann.table.id)
    assert (len(players), len(tokens), len(games)) == (100, 100, 50)
    assert all(len(token or b"") >= 20 for token in tokens)
    assert all(len(ident) >= 16 for ident in players | games)


# --- Moves that are none ------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"", b"PASS", b"{", b"\xff", b"NaN", b"[" * 9999, b"9" * 9999])
def test_what_is_not_json_changes_nothing(body: bytes) -> None:
    ann, bob = QuietLobby().full_table("ann", "bob")
    token = ann.token
    assert refused(400, ann, body, token).endswith(("expected JSON", "nested too deeply"))
    ann.send(PASS)
    assert (len(ann.answers), len(bob.answers)) == (1, 1)


@pytest.mark.parametrize(
    ("data", "fault", "why"),
    [
        ({"tile": {"row": 9, "col": 9}}, Fault.ILLEGAL, "tile 9,9 is not on the board"),
        ({"tile": {"row": "0", "col": 0}}, Fault.PROTOCOL, 'row "0": expected a whole number'),
        ("pass", Fault.PROTOCOL, 'move "pass": expected an object with a tile, or "PASS"'),
        ([], Fault.PROTOCOL, "move []: expected an object"),
        (None, Fault.PROTOCOL, "move null: expected an object"),
    ],
)
def test_a_move_that_is_none_disqualifies(data: Any, fault: Fault, why: str) -> None:
    quiet = QuietLobby()
    first, second, third = quiet.full_table("ann", "bob", "cid")
    first.send(PASS)
    told = refused(403, second, json.dumps(data).encode(), second.token)
    assert told.startswith(why)
    assert told.endswith("you are disqualified")
    for visitor in (first, third):
        assert visitor.answers[-1].status == 200
        assert visitor.token is None
        assert visitor.told["state"] == "completed"
        scores = {player["name"]: player["score"] for player in visitor.told["players"]}
        assert scores[second.name] == "disqualified"
    assert "player_id" not in first.told
    assert third.told["player_id"]  # it had never had the whole game
    (finished,) = quiet.finished
    match = finished.match
    assert match.faults == (None, fault, None)
    assert verify(match.transcript) == match.outcome
    assert refused(410, second, b'"PASS"', second.token).endswith("no move is expected any more")


def test_what_is_nested_almost_too_deeply_disqualifies_like_any_other() -> None:
    found = set()
    for depth in range(200, 1000, 5):
        ann, bob = QuietLobby().full_table("ann", "bob")
        with pytest.raises(RefusedError) as caught:
            ann.send_bytes(b"[" * depth + b"]" * depth)
        found.add(caught.value.status)
        assert len(bob.answers) == (caught.value.status == 403)
    assert found == {400, 403}


# --- Time ---------------------------------------------------------------------------------------


def test_a_player_that_does_not_move_in_time_is_disqualified() -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    ann, bob = quiet.full_table("ann", "bob")
    quiet.time.pass_by(30 * SECOND - 1)
    assert bob.answers == []
    quiet.time.pass_by(1)
    assert bob.told["state"] == "completed"
    assert bob.token is None
    refused(410, ann, b'"PASS"', ann.token)
    (finished,) = quiet.finished
    match = finished.match
    assert match.faults == (Fault.TIMEOUT, None)
    assert match.outcome.scores == (-1, 0)
    assert verify(match.transcript) == match.outcome
    fault = match.transcript.events[-1]
    assert isinstance(fault, FaultEvent)
    assert fault.detail == "no move within 30 s"


def test_every_turn_has_its_own_time() -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    visitors = quiet.full_table("ann", "bob")
    for _ in range(4):
        quiet.time.pass_by(29 * SECOND)
        play_on(visitors, 1)
    quiet.time.pass_by(30 * SECOND)
    (finished,) = quiet.finished
    turns = [event for event in finished.match.transcript.events if isinstance(event, TurnEvent)]
    assert [ns for turn in turns for ns in turn.ns.values()] == [29 * SECOND] * 4
    assert finished.match.thought_ns == (58 * SECOND, 58 * SECOND)


def test_a_client_that_went_away_misses_its_answer_and_its_time_runs_out() -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    ann, bob = quiet.full_table("ann", "bob")
    bob.leave()
    ann.send(PASS)
    assert bob.answers == []
    quiet.time.pass_by(30 * SECOND)
    assert ann.told["state"] == "completed"
    assert quiet.finished[0].match.faults == (None, Fault.TIMEOUT)
    assert bob.answers == []


def test_a_machine_that_was_busy_gives_the_time_back() -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    ann, bob = quiet.full_table("ann", "bob")
    quiet.time.jump(35 * SECOND)
    ann.send(PASS)
    assert len(bob.answers) == 1
    quiet.time.pass_by(30 * SECOND)
    assert quiet.finished[0].match.faults == (None, Fault.TIMEOUT)


def test_the_time_that_was_given_back_ends_too() -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    quiet.full_table("ann", "bob")
    quiet.time.jump(35 * SECOND)
    quiet.time.pass_by(5 * SECOND - 1)
    assert quiet.finished == []
    quiet.time.pass_by(1)
    assert quiet.finished[0].match.faults == (Fault.TIMEOUT, None)


# --- Ends ---------------------------------------------------------------------------------------


def test_all_players_pass() -> None:
    quiet = QuietLobby()
    visitors = quiet.full_table("ann", "bob", "cid")
    for visitor in visitors:
        visitor.send(PASS)
    for visitor in visitors:
        assert visitor.answers[-1].status == 200
        assert visitor.told["state"] == "completed"
        assert visitor.token is None
    assert quiet.finished[0].match.outcome.reason == "all passed"


def test_a_whole_game_is_recorded() -> None:
    quiet = QuietLobby()
    visitors = quiet.full_table("ann", "bob", "cid", side=5)
    quiet.time.pass_by(SECOND)
    while not quiet.finished:
        play_on(visitors, 1)
    (finished,) = quiet.finished
    match = finished.match
    assert match.outcome.reason == "no tiles left"
    assert match.turns == 25
    assert verify(match.transcript) == match.outcome
    assert [player["name"] for player in match.transcript.players] == [v.name for v in visitors]
    assert finished.end_ns - finished.begin_ns == SECOND
    last = json.loads(visitors[0].table.view())
    assert {player["name"]: player["score"] for player in last["players"]} == dict(
        zip((v.name for v in visitors), match.outcome.scores, strict=True)
    )


def test_a_game_without_a_tile_is_over_when_it_begins() -> None:
    quiet = QuietLobby()
    table = quiet.lobby.create(MebiPennyOptions(3, 3, 2, "1"), 1)
    visitors = [Visitor(table, name) for name in ("ann", "bob")]
    for visitor in visitors:
        assert visitor.told["state"] == "completed"
        assert visitor.token is None
    match = quiet.finished[0].match
    assert (match.turns, match.outcome.scores) == (0, (0, 0))
    assert verify(match.transcript) == match.outcome
