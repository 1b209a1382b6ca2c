"""All games together: finding and making them, limits, matchmaking, the end; without sockets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.live_matches import LiveMatches
from agon.errors import SettingError
from agon.games.http_exchange import HttpReply, RefusedError
from agon.servers.mebipenny.settings import MebiPennySettings
from tests.servers.mebipenny.quiet_lobby import SECOND, QuietLobby, Visitor, play_on

if TYPE_CHECKING:
    from agon.games.http_exchange import Leave, Respond
    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.servers.mebipenny.game_table import GameTable

HOUR = 3600 * SECOND


def find_match(quiet: QuietLobby, respond: Respond) -> Leave:
    """Ask for a match; the answer tells the game's id."""
    return quiet.lobby.match(lambda game: respond(HttpReply(302, game.id.encode())), respond)


def states(quiet: QuietLobby) -> list[str]:
    return [table.state for table in quiet.lobby]


def missing(quiet: QuietLobby, table: GameTable) -> bool:
    return table not in [*quiet.lobby]


# --- Views --------------------------------------------------------------------------------------


def test_the_view_of_a_game_shows_who_has_joined_and_no_hand() -> None:
    table = QuietLobby().table(seats=3)
    assert json.loads(table.view())["players"] == []
    visitors = [Visitor(table, "ann"), Visitor(table, "bob")]
    waiting = json.loads(table.view())
    assert [(p["name"], p["hand"]) for p in waiting["players"]] == [("ann", 0), ("bob", 0)]
    assert (waiting["state"], waiting["draw_size"]) == ("initiating", 16)
    visitors.append(Visitor(table, "cid"))
    begun = json.loads(table.view())
    assert (begun["state"], begun["player_id"]) == ("in play", None)
    assert {p["name"] for p in begun["players"]} == {"ann", "bob", "cid"}
    assert [p["hand"] for p in begun["players"]] == [6, 5, 5]


def test_a_view_is_of_the_latest_position() -> None:
    visitors = QuietLobby().full_table("ann", "bob")
    for claims in range(1, 5):
        play_on(visitors, 1)
        assert len(json.loads(visitors[0].table.view())["claims"]) == claims


def test_unknown_games_are_told() -> None:
    with pytest.raises(RefusedError, match="game 'nope': there is none") as caught:
        QuietLobby().lobby.find("nope")
    assert caught.value.status == 404


# --- Joining ------------------------------------------------------------------------------------


def test_a_full_game_is_gone() -> None:
    ann, _ = QuietLobby().full_table("ann", "bob")
    with pytest.raises(RefusedError, match="is in play: expected one with free seats") as caught:
        ann.table.join("eve", ann.answers.append)
    assert caught.value.status == 410
    ann.send("PASS")


def test_a_game_that_has_not_begun_expects_no_move() -> None:
    table = QuietLobby().table()
    ann = Visitor(table, "ann")
    with pytest.raises(RefusedError, match="has not begun") as caught:
        ann.send("PASS")
    assert caught.value.status == 403


def test_a_seat_stays_taken_when_its_client_goes_away() -> None:
    quiet = QuietLobby()
    table = quiet.table()
    gone = Visitor(table, "ann")
    gone.leave()
    bob = Visitor(table, "bob")
    assert table.state == "in play"
    quiet.time.pass_by(60 * SECOND)
    if bob.token:
        quiet.time.pass_by(60 * SECOND)
    assert gone.answers == []
    assert quiet.finished[0].match.faults != (None, None)


# --- Limits -------------------------------------------------------------------------------------


def test_games_that_no_player_joined_make_room() -> None:
    quiet = QuietLobby(most_games=3)
    tables = [quiet.table() for _ in range(3)]
    ann = Visitor(tables[0], "ann")
    tables.append(quiet.table())
    assert [missing(quiet, table) for table in tables] == [False, True, False, False]
    for table in tables[2:]:
        Visitor(table, "bob")
    with pytest.raises(RefusedError, match="too many games") as caught:
        quiet.table()
    assert caught.value.status == 503
    assert caught.value.headers == ((b"retry-after", b"30"),)
    assert ann.answers == []


def test_games_that_are_over_take_no_room() -> None:
    quiet = QuietLobby(most_games=1)
    for _ in range(3):
        for visitor in quiet.full_table("ann", "bob"):
            visitor.send("PASS")
    assert states(quiet) == ["completed"] * 3


def test_large_boards_are_bounded_together() -> None:
    quiet = QuietLobby(most_cells=100)
    tables = [quiet.table(7, 7), quiet.table(7, 7)]
    for table in tables:
        Visitor(table, "ann")
    with pytest.raises(RefusedError, match="too many games"):
        quiet.table(2, 2)
    quiet.table(1, 2)


def test_a_game_in_which_no_player_waits_is_given_up() -> None:
    quiet = QuietLobby(empty_ns=HOUR)
    empty, left, awaited = (quiet.table() for _ in range(3))
    Visitor(left, "ann").leave()
    waiting = Visitor(awaited, "bob")
    quiet.time.pass_by(HOUR - 1)
    assert len(states(quiet)) == 3
    quiet.time.pass_by(1)
    assert [missing(quiet, table) for table in (empty, left, awaited)] == [True, True, False]
    waiting.leave()
    quiet.time.pass_by(HOUR)
    assert missing(quiet, awaited)
    assert waiting.answers == []
    assert quiet.finished == []


def test_a_game_that_is_over_can_be_looked_at_for_a_while() -> None:
    quiet = QuietLobby(kept_ns=HOUR)
    ann, bob = quiet.full_table("ann", "bob")
    ann.send("PASS")
    bob.send("PASS")
    quiet.time.pass_by(HOUR - 1)
    assert json.loads(quiet.lobby.find(ann.table.id).view())["state"] == "completed"
    quiet.time.pass_by(1)
    with pytest.raises(RefusedError, match="there is none"):
        quiet.lobby.find(ann.table.id)


def test_the_oldest_games_are_forgotten_first() -> None:
    quiet = QuietLobby(kept_bytes=1000)
    tables = []
    for _ in range(5):
        ann, bob = quiet.full_table("ann", "bob")
        ann.send("PASS")
        bob.send("PASS")
        tables.append(ann.table)
    kept = [table for table in tables if not missing(quiet, table)]
    assert kept == tables[-len(kept) :]
    assert 0 < sum(len(table.view()) for table in kept) <= 1000
    assert len(kept) < 5
    quiet.time.pass_by(2 * HOUR)
    assert states(quiet) == []


def test_games_that_are_over_are_counted() -> None:
    quiet = QuietLobby(kept_games=2)
    for _ in range(4):
        for visitor in quiet.full_table("ann", "bob"):
            visitor.send("PASS")
    assert len(states(quiet)) == 2


def test_no_game_is_made_while_too_many_wait_to_be_stored() -> None:
    quiet = QuietLobby()
    quiet.is_behind = True
    with pytest.raises(RefusedError, match="many games wait to be stored") as caught:
        quiet.table()
    assert caught.value.status == 503


def test_games_leave_no_alarms_behind() -> None:
    quiet = QuietLobby(most_games=5, kept_games=3)
    for _ in range(20):
        quiet.table()
        for visitor in quiet.full_table("ann", "bob"):
            visitor.send("PASS")
    assert sum(bell.is_set for bell in quiet.time.bells) == len(states(quiet)) <= 8
    quiet.lobby.close()
    assert not any(bell.is_set for bell in quiet.time.bells)


def test_a_table_lets_go_of_its_game_when_it_is_over() -> None:
    ann, bob = QuietLobby().full_table("ann", "bob")
    ann.send("PASS")
    bob.send("PASS")
    assert ann.table._play is None
    assert ann.table._joined == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"match_status": 200}, "match status 200: expected 302 or 201"),
        ({"turn_ns": 0}, "turn time 0 ns"),
        ({"held_ns": -1}, "held time -1 ns"),
    ],
)
def test_settings_that_make_no_sense(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(SettingError, match=why):
        MebiPennySettings(**wrong)


# --- Matchmaking --------------------------------------------------------------------------------


def test_two_who_want_a_match_are_told_the_same_game() -> None:
    quiet = QuietLobby()
    answers: list[list[HttpReply]] = [[] for _ in range(4)]
    for number in range(4):
        find_match(quiet, answers[number].append)
        assert [len(own) for own in answers] == [
            int(other < (number + 1) // 2 * 2) for other in range(4)
        ]
    first, second, third, fourth = (own[0].body for own in answers)
    assert first == second
    assert third == fourth
    assert first != third
    for table in quiet.lobby:
        options = table.options
        assert 15 <= options.rows <= 24
        assert 15 <= options.cols <= 24
        assert 0 <= options.walls <= 0.2 * table.cells
        assert table.seats == 2


def test_a_client_that_leaves_also_leaves_the_queue() -> None:
    quiet = QuietLobby()
    gone: list[HttpReply] = []
    answers: list[list[HttpReply]] = [[], []]
    find_match(quiet, gone.append)()
    for own in answers:
        find_match(quiet, own.append)
    assert gone == []
    assert answers[0] == answers[1] != []


def test_boards_of_matches_follow_from_the_seed_of_the_server() -> None:
    def boards(seed: int) -> list[tuple[MebiPennyOptions, int]]:
        quiet = QuietLobby(seed=seed)
        for _ in range(40):
            find_match(quiet, lambda answer: None)
        return [(table.options, table.seed) for table in quiet.lobby]

    assert boards(1) == boards(1) != boards(2)
    assert len(boards(1)) == 20


def test_a_match_that_has_no_room_leaves_the_other_waiting() -> None:
    quiet = QuietLobby(most_games=1)
    ann, bob = quiet.full_table("ann", "bob")
    waiting: list[HttpReply] = []
    find_match(quiet, waiting.append)
    with pytest.raises(RefusedError, match="too many games"):
        find_match(quiet, waiting.append)
    ann.send("PASS")
    bob.send("PASS")
    find_match(quiet, waiting.append)
    assert len(waiting) == 2


# --- Spectators, and the end of the server ------------------------------------------------------


def test_games_are_live_matches() -> None:
    live_matches = LiveMatches()
    quiet = QuietLobby(live_matches)
    visitors = quiet.full_table("ann", "bob")
    (live,) = live_matches.running("mebipenny")
    assert live.players == tuple(visitor.name for visitor in visitors)
    play_on(visitors, 3)
    assert live.turns == 3
    assert live.position.observe(0) == live.position.observe(1)
    for visitor in (visitors[1], visitors[0]):
        visitor.send("PASS")
    assert live.position.outcome is not None
    assert [one.live for one in quiet.finished] == [live]  # ended by the store


def test_the_end_of_the_server_answers_every_request() -> None:
    live_matches = LiveMatches()
    quiet = QuietLobby(live_matches)
    ann, bob = quiet.full_table("ann", "bob")
    eve = Visitor(quiet.table(), "eve")
    waiting: list[HttpReply] = []
    find_match(quiet, waiting.append)
    assert quiet.lobby.close() == 1
    for answer in (bob.answers[-1], eve.answers[-1], *waiting):
        assert answer.status == 503
        assert json.loads(answer.body) == {"error": "the server is ending"}
    assert ann.token is not None
    assert live_matches.running() == []
    quiet.time.pass_by(10 * HOUR)
    assert quiet.finished == []
    with pytest.raises(RefusedError, match="the server is ending"):
        quiet.table()
    with pytest.raises(RefusedError, match="the server is ending"):
        find_match(quiet, waiting.append)
    with pytest.raises(RefusedError, match="completed"):
        ann.send("PASS")
