"""A hosted program at the HTTP API: one player of one match, no socket, no clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agon.errors import AgonError
from agon.games.dialogue import Briefing
from agon.games.http_exchange import HttpReply, HttpRequest
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS
from agon.games.mebipenny.protocol import HttpDialogue
from agon.games.mebipenny.wire import format_game

OPTIONS = MebiPennyOptions(3, 4, 2, "0.1")
JOIN = b'{"name": "digger"}'


def request(method: str, path: str, body: bytes = b"", token: bytes | None = None) -> HttpRequest:
    return HttpRequest(method, path, {} if token is None else {b"x-turn-token": token}, body)


class Exchanged:
    """A match at an exchange: what the arbiter does, without it. Replies in order of requests."""

    def __init__(self, seat: int = 0, found: int = 302) -> None:
        self.position = GAME.start(OPTIONS, 1)
        self.seat = seat
        self.dialogue = HttpDialogue(found)
        self.exchange = self.dialogue.http_exchange()
        self.held: list[HttpReply] = []
        """The replies to requests that were held."""
        self.hear(self.dialogue.open(self.position, seat, Briefing(names=("me", "you"))))

    def take(self, request: HttpRequest) -> HttpReply | None:
        """The reply; None: the request is held."""
        replies: list[HttpReply] = []
        leave = self.exchange.take(request, replies.append)
        if replies:
            return replies[0]
        self.held, self.leave = replies, leave
        return None

    def hear(self, lines: list[str]) -> HttpReply | None:
        """Tell the exchange; the reply to the request that is held, if it has one now."""
        (line,) = lines
        known = len(self.held)
        self.exchange.hear(line)
        return self.held[-1] if len(self.held) > known else None

    def ask(self) -> HttpReply | None:
        return self.hear(self.dialogue.ask(self.position))

    def play(self, move: int) -> None:
        after = self.position.play_move(move)
        self.dialogue.tell(self.position, {self.position.next_seat: move}, after)
        self.position = after

    def end(self) -> HttpReply | None:
        return self.hear(self.dialogue.close(self.position.outcome))

    def get(self, target: str) -> Any:
        reply = self.take(request("GET", target))
        assert reply is not None
        assert reply.status == 200
        return json.loads(reply.body)

    def post(self, target: str, body: bytes = b"", token: bytes | None = None) -> HttpReply | None:
        return self.take(request("POST", target, body, token))


def status(reply: HttpReply | None) -> int:
    assert reply is not None
    if reply.status >= 400:
        assert json.loads(reply.body)["error"]
    return reply.status


def token(reply: HttpReply | None) -> bytes | None:
    assert reply is not None
    return dict(reply.headers).get(b"x-turn-token")


def test_a_match_from_the_first_request_to_the_last_answer() -> None:
    match = Exchanged()
    assert match.post("/1/players", JOIN) is None
    first = match.ask()
    assert first is not None
    assert status(first) == 200
    game = json.loads(first.body)
    assert (game["state"], game["player_id"]) == ("in play", "p0")
    tile = game["players"][0]["hand"][0]
    move = json.dumps({"tile": tile}, indent=2).replace("\n", "\r\n").encode()
    assert match.post("/1/moves", move, token(first)) is None
    (line,) = match.exchange.said()
    assert json.loads(line) == {"tile": tile}
    assert not {"\n", "\r"} & set(line)
    assert match.exchange.said() == []
    match.play(match.dialogue.parse(match.position, 0, line))
    match.play(PASS)
    second = match.ask()
    assert token(second) not in (None, token(first))
    assert match.post("/1/moves", b'"PASS"', token(second)) is None
    match.play(PASS)
    last = match.end()
    assert last is not None
    assert json.loads(last.body)["state"] == "completed"
    assert (status(last), token(last)) == (200, None)
    assert status(match.post("/1/moves", b'"PASS"', token(second))) == 410
    assert status(match.post("/1/players", JOIN)) == 410


def test_the_game_waits_for_a_player_who_joins_late() -> None:
    match = Exchanged()
    assert match.ask() is None
    assert match.get("/1")["state"] == "initiating"
    assert token(match.post("/1/players", JOIN)) is not None
    assert match.get("/1")["state"] == "in play"


def test_a_match_may_end_before_the_first_turn() -> None:
    match = Exchanged(seat=1)
    match.position = match.position.drop({0: "crash"})
    match.dialogue.tell(match.position, {}, match.position)
    assert match.end() is None
    last = match.post("/1/players", JOIN)
    assert last is not None
    assert (last.status, token(last)) == (200, None)
    assert json.loads(last.body)["state"] == "completed"


@pytest.mark.parametrize("found", [302, 201])
def test_matches_are_found_and_games_are_made(found: int) -> None:
    match = Exchanged(found=found)
    reply = match.take(request("GET", "/match"))
    assert reply is not None
    found_game = ((b"location", b"/1"), (b"connection", b"close"))
    assert (reply.status, reply.body, reply.headers) == (found, b"", found_game)
    made = match.post("/", b'{"rows": 20, "cols": 20}')
    assert made is not None
    assert (made.status, made.body, made.headers) == (201, b"", found_game)
    assert match.get("/") == [{"id": "1", "state": "initiating"}]


def test_a_hosted_program_does_not_set_the_pace() -> None:
    made = Exchanged().post("/", b'{"rows": 20, "cols": 20, "delay_time": 0.5}')
    assert made is not None
    assert (made.status, made.note) == (
        403,
        "delay_time: expected none: the arena sets the pace of its matches",
    )


def test_a_hosted_program_does_not_choose_its_opponent() -> None:
    asked = Exchanged().take(HttpRequest("GET", "/match", {}, query="bot=greedy"))
    assert asked is not None
    assert (asked.status, asked.note) == (
        403,
        "bot 'greedy': expected none: the arena has chosen the opponent",
    )


def test_both_statuses_are_protocols_of_the_game() -> None:
    for protocol, found in (("http", 302), ("http-201", 201)):
        dialogue = GAME.dialogue(protocol)
        exchange = dialogue.http_exchange()
        assert exchange is not None
        replies: list[HttpReply] = []
        exchange.take(request("GET", "/match"), replies.append)
        assert [reply.status for reply in replies] == [found]
    assert GAME.dialogue("json").http_exchange() is None


def test_the_view_is_what_observers_of_the_position_see() -> None:
    match = Exchanged()
    match.post("/1/players", JOIN)
    for tile in range(3):
        reply = match.ask()
        players = match.dialogue._players
        assert match.get("/1") == format_game(match.position, players, None)
        assert match.post("/1/moves", b'"PASS"', token(reply)) is None
        match.play(match.position.moves[tile])
        match.play(match.position.moves[0])


def test_before_it_has_joined_the_seat_is_free() -> None:
    view = Exchanged(seat=1).get("/1")
    assert view["state"] == "initiating"
    assert view["player_id"] is None
    assert [player["name"] for player in view["players"]] == ["me"]
    assert [claim["owner"] for claim in view["claims"]] == [None]


@pytest.mark.parametrize(
    ("method", "target", "body", "expected"),
    [
        ("GET", "/2", b"", 404),
        ("POST", "/2/players", JOIN, 404),
        ("POST", "/1/observers", b"", 404),
        ("OPTIONS", "*", b"", 404),
        ("DELETE", "/1", b"", 405),
        ("POST", "/1/players", b'{"name": "\xff"}', 400),
        ("POST", "/1/players", b'{"name": 1}', 403),
        ("POST", "/", b'{"rows": 0, "cols": 3}', 403),
        ("POST", "/1/moves", b'"PASS"', 403),
    ],
)
def test_what_is_refused_changes_nothing(
    method: str, target: str, body: bytes, expected: int
) -> None:
    match = Exchanged()
    reply = match.take(request(method, target, body))
    assert status(reply) == expected
    assert reply is not None
    assert reply.note
    if expected == 405:
        assert dict(reply.headers)[b"allow"].endswith(b", OPTIONS")
    assert match.exchange.said() == []
    assert match.post("/1/players", b"\xef\xbb\xbf" + JOIN) is None


@pytest.mark.parametrize("wrong", [None, b"", b"0", b"2", b" 1"])
def test_a_token_that_is_not_the_last_one_is_refused(wrong: bytes | None) -> None:
    match = Exchanged()
    match.post("/1/players", JOIN)
    right = token(match.ask())
    assert status(match.post("/1/moves", b'"PASS"', wrong)) == 403
    assert status(match.post("/1/moves", b"PASS", right)) == 400
    assert match.exchange.said() == []
    assert match.post("/1/moves", b'"PASS"', right) is None
    assert status(match.post("/1/moves", b'"PASS"', right)) == 403  # it is used up
    assert match.exchange.said() == ['"PASS"']


@pytest.mark.parametrize("move", ['{"tile": {"row": 0, "col": 99}}', '"pass"', "7"])
def test_what_was_wrong_with_a_move_is_told(move: str) -> None:
    match = Exchanged()
    match.post("/1/players", JOIN)
    match.post("/1/moves", move.encode(), token(match.ask()))
    (line,) = match.exchange.said()
    with pytest.raises(AgonError) as caught:
        match.dialogue.parse(match.position, 0, line)
    match.position = match.position.drop({0: "illegal turn"})
    last = match.end()
    assert last is not None
    assert status(last) == 403
    assert json.loads(last.body) == {"error": str(caught.value)}


def test_only_one_can_join_and_who_leaves_in_time_may_come_again() -> None:
    match = Exchanged()
    assert match.post("/1/players", JOIN) is None
    assert status(match.post("/1/players", JOIN)) == 410
    match.leave()
    assert match.post("/1/players", JOIN) is None
    assert match.ask() is not None
    assert status(match.post("/1/players", JOIN)) == 410


def test_who_leaves_later_gets_no_more_turns() -> None:
    match = Exchanged()
    match.post("/1/players", JOIN)
    first = token(match.ask())
    assert match.post("/1/moves", b'"PASS"', first) is None
    match.leave()
    match.play(PASS)
    match.play(match.position.moves[0])
    assert match.ask() is None
    assert status(match.post("/1/moves", b'"PASS"', first)) == 403
    assert status(match.post("/1/players", JOIN)) == 410
