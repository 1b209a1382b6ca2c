"""Games over HTTP: whole matches, races, tokens, faults, matchmaking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agon.arena.match_record import store_network_match
from agon.datastore.store import Store
from agon.match.transcript import Fault, parse_transcript, verify
from tests.servers.mebipenny.greedy_client import play_whole
from tests.servers.mebipenny.live_server import (
    Live,
    ask_for_match,
    begin,
    error,
    join,
    live_server,
    move,
    two_players,
)

if TYPE_CHECKING:
    from pathlib import Path

    from agon.servers.match_store import KeptMatch

MILLISECOND = 10**6

# --- Playing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match_is_played_and_stored(tmp_path: Path, seats: int) -> None:
    with Store.open(tmp_path / "agon.db") as store:

        def keep(match: Any, begin_ns: int, end_ns: int) -> int:
            return store_network_match(store, match, begin_ns, end_ns)

        with live_server(keep) as live:
            path = live.new_game(6, 7, seats=seats, seed_coverage=0.1)
            clients = play_whole(live, path, seats)
            final = httpx.get(f"{live.url}{path}").json()
        (kept,) = live.kept
        assert kept.match_id is not None
        stored = store.matches.get(kept.match_id)
        transcript = parse_transcript(store.matches.transcript(kept.match_id).decode())
    assert final["state"] == "completed"
    scores = {player["id"]: player["score"] for player in final["players"]}
    for client in clients:
        assert client.scores == scores
        assert client.owners == {
            (claim["tile"]["row"], claim["tile"]["col"]): claim["owner"]
            for claim in final["claims"]
        }
    assert sum(scores.values()) == 6 * 7 - int(6 * 7 * 0.1)
    outcome = verify(transcript)
    assert outcome is not None
    assert sorted(outcome.scores) == sorted(scores.values())
    assert not stored.rated
    assert stored.ended_ns >= stored.started_ns
    assert {player["kind"] for player in transcript.players} == {"guest"}


def test_a_race_for_the_last_seat_has_one_winner(live: Live) -> None:
    path = live.new_game()
    first = join(live, path)
    live.wait_for_players(path, 1)
    others = [join(live, path, f"late {number}") for number in range(6)]
    table = live.ask(lambda: live.lobby.find(path[1:]))
    live.wait_until(lambda: table.state == "in play")
    live.wait_until(lambda: sum(one.is_held for one in (first, *others)) == 1)
    answers = [one.answer() for one in (first, *others) if not one.is_held]
    assert sorted(answer.status_code for answer in answers) == [200, 410, 410, 410, 410, 410]
    (begun,) = [answer for answer in answers if answer.status_code == 200]
    token = begun.headers["x-turn-token"]
    move(live, path, token, "pass").answer()
    for one in (first, *others):
        one.answer()


def test_of_two_requests_with_one_token_one_is_taken(live: Live) -> None:
    path = live.new_game()
    token, other = two_players(live, path)
    both = [move(live, path, token, "PASS") for _ in range(2)]
    theirs = other.answer().headers["x-turn-token"]
    live.wait_until(lambda: sum(one.is_held for one in both) == 1)
    (refused,) = [one.answer() for one in both if not one.is_held]
    assert error(refused, 403).startswith("X-Turn-Token ")
    last = move(live, path, theirs, "PASS").answer()
    assert sorted(one.answer().status_code for one in both) == [200, 403]
    assert last.json()["state"] == "completed"
    assert "x-turn-token" not in last.headers


def test_bad_tokens_change_nothing(live: Live, http: httpx.Client) -> None:
    path, elsewhere = live.new_game(), live.new_game()
    assert error(http.post(f"{path}/moves", json="PASS"), 403).endswith("no move is expected yet")
    token, other = two_players(live, path)
    foreign, stranger = two_players(live, elsewhere)
    for wrong in (None, "", "x", foreign, token[:-1], token + "x"):
        assert "X-Turn-Token" in error(move(live, path, wrong, "PASS").answer(), 403)
    odd = {b"x-turn-token": "é".encode("latin-1")}
    answer = http.post(f"{path}/moves", content=b'"PASS"', headers=odd)
    assert "X-Turn-Token" in error(answer, 403)
    assert error(http.post(f"{path}/moves", content=b"{", headers={"x-turn-token": token}), 400)
    assert http.get(path).json()["state"] == "in play"
    mine = move(live, path, token, "PASS")
    theirs = other.answer().headers["x-turn-token"]
    assert "X-Turn-Token" in error(move(live, path, token, "PASS").answer(), 403)
    move(live, path, theirs, "PASS").answer()
    assert mine.answer().json()["state"] == "completed"
    move(live, elsewhere, foreign, 3).answer()
    stranger.answer()


@pytest.mark.parametrize("seats", [2, 3])
def test_an_illegal_move_ends_the_game_for_all(live: Live, seats: int) -> None:
    path = live.new_game(seats=seats, seed=1000 + seats)
    held, first = begin(live, path, seats)
    token = held[first].answer().headers["x-turn-token"]
    answer = move(live, path, token, {"tile": {"row": 99, "col": 0}}).answer()
    assert error(answer, 403).startswith("tile 99,0 is not on the board")
    for number, one in enumerate(held):
        if number != first:
            told = one.answer()
            assert told.status_code == 200
            assert told.json()["state"] == "completed"
            assert "x-turn-token" not in told.headers
    assert error(move(live, path, token, "PASS").answer(), 410).endswith("any more")
    assert "free seats" in error(join(live, path).answer(), 410)
    final = httpx.get(f"{live.url}{path}").json()
    assert [player["score"] for player in final["players"]].count("disqualified") == 1
    live.wait_until(lambda: bool(kept_of(live, 1000 + seats)))
    (kept,) = kept_of(live, 1000 + seats)
    assert [*kept.match.faults] == [Fault.ILLEGAL] + [None] * (seats - 1)


def kept_of(live: Live, seed: int) -> list[KeptMatch]:
    """The matches of that seed that were stored."""
    return [kept for kept in live.kept if kept.match.transcript.seed == seed]


def test_a_player_that_is_too_slow_is_disqualified() -> None:
    with live_server(turn_ns=80 * MILLISECOND) as live:
        path = live.new_game()
        token, other = two_players(live, path)
        told = other.answer()
        assert told.status_code == 200
        assert "x-turn-token" not in told.headers
        assert "disqualified" in [player["score"] for player in told.json()["players"]]
        assert error(move(live, path, token, "PASS").answer(), 410)
    (kept,) = live.kept
    assert Fault.TIMEOUT in kept.match.faults
    assert verify(kept.match.transcript) == kept.match.outcome


# --- Matchmaking --------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [302, 201])
def test_two_who_ask_are_matched_in_order(status: int) -> None:
    with live_server(match_status=status) as live:
        held = []
        for number in range(4):
            held.append(ask_for_match(live))
            waiting = (number + 1) % 2
            live.wait_until(lambda: len(live.lobby._queue) == waiting)  # noqa: B023  asked at once
        answers = [one.answer() for one in held]
        assert {answer.status_code for answer in answers} == {status}
        paths = [answer.headers["location"] for answer in answers]
        assert paths[0] == paths[1] != paths[2] == paths[3]
        game = httpx.get(f"{live.url}{paths[0]}").json()
        assert 15 <= game["rows"] <= 24
        assert 15 <= game["cols"] <= 24
        assert len(game["claims"]) <= 0.2 * game["rows"] * game["cols"]


def test_matched_clients_play(live: Live) -> None:
    first, second = ask_for_match(live), ask_for_match(live)
    path = first.answer().headers["location"]
    assert second.answer().headers["location"] == path
    play_whole(live, path, 2)
