"""What observers are told, without sockets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agon.games.http_exchange import RefusedError
from agon.servers.mebipenny.observers import Observer, Wrapper, parse_wrapper
from tests.servers.mebipenny.quiet_lobby import QuietLobby, Visitor, play_on, seat_of


def heard(observer: Observer) -> list[Any]:
    """All documents that wait."""
    found = []
    while (document := observer.take()) is not None:
        assert document.endswith(b"\n")
        assert document.count(b"\n") == 1
        found.append(json.loads(document))
    return found


def test_an_observer_is_told_of_every_event_from_the_first_player_on() -> None:
    quiet = QuietLobby()
    table = quiet.table(3, 3)
    observer = quiet.lobby.observe(table, Wrapper())
    visitors = [Visitor(table, "ann"), Visitor(table, "bob")]
    visitors = sorted(visitors, key=seat_of)
    while not quiet.finished:
        play_on(visitors, 1)
    game, joined, begun, *turns = heard(observer)
    assert (game["state"], game["players"], game["player_id"]) == ("initiating", [], None)
    assert [p["name"] for p in joined["players"]] == ["ann"]
    assert (joined["state"], joined["claims"], joined["draw_size"]) == ("initiating", [], 9)
    assert [p["name"] for p in begun["players"]] == [visitor.name for visitor in visitors]
    assert [p["hand"] for p in begun["players"]] == [5, 4]
    assert (begun["state"], begun["draw_size"]) == ("in play", 0)
    assert len(turns) == 9
    assert [turn["state"] for turn in turns] == ["in play"] * 8 + ["completed"]
    assert observer.is_over
    board: dict[str, str] = {}
    for document in (game, joined, begun, *turns):
        board |= {json.dumps(claim["tile"]): claim["owner"] for claim in document["claims"]}
    assert len(board) == 9
    last = json.loads(table.view())
    assert board == {json.dumps(claim["tile"]): claim["owner"] for claim in last["claims"]}


def test_an_observer_of_a_game_that_is_over_is_told_so_at_once() -> None:
    quiet = QuietLobby()
    ann, bob = quiet.full_table("ann", "bob")
    ann.send("PASS")
    bob.send("PASS")
    observer = quiet.lobby.observe(ann.table, Wrapper())
    (game,) = heard(observer)
    assert game["state"] == "completed"
    assert observer.is_over


def test_a_disqualified_player_is_told() -> None:
    quiet = QuietLobby()
    ann, _ = quiet.full_table("ann", "bob")
    observer = quiet.lobby.observe(ann.table, Wrapper())
    quiet.time.pass_by(30 * 10**9)
    _, last = heard(observer)
    assert last["state"] == "completed"
    assert [player["score"] for player in last["players"]] == ["disqualified"]


def test_one_who_does_not_read_is_dropped_and_the_others_are_not() -> None:
    quiet = QuietLobby(observer_bytes=400)
    visitors = quiet.full_table("ann", "bob")
    idle, eager = (quiet.lobby.observe(visitors[0].table, Wrapper()) for _ in range(2))
    told = heard(eager)
    for _ in range(6):
        play_on(visitors, 1)
        told += heard(eager)
    assert idle.is_dropped
    assert heard(idle) == []
    assert not eager.is_dropped
    assert len(told) == 7


def test_one_who_leaves_is_told_nothing_more() -> None:
    quiet = QuietLobby(most_observers=1)
    visitors = quiet.full_table("ann", "bob")
    table = visitors[0].table
    observer = quiet.lobby.observe(table, Wrapper())
    with pytest.raises(RefusedError, match="too many observers") as caught:
        quiet.lobby.observe(table, Wrapper())
    assert caught.value.status == 503
    quiet.lobby.leave(table, observer)
    play_on(visitors, 1)
    assert len(heard(observer)) == 1
    assert quiet.lobby.observe(table, Wrapper())


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("%s", b"{}\n"),
        ("<p>%s</p>", b"<p>{}\n</p>"),
        ("%s %s", b"{}\n %s"),
        ("%%s%d", b"%{}\n%d"),
        ("tick", b"tick"),
        ("", b""),
        ("é%s", "é{}\n".encode()),
    ],
)
def test_the_first_place_in_a_wrapper_is_filled(text: str, sent: bytes) -> None:
    assert parse_wrapper({"wrapper": text}).wrap(b"{}") == sent


@pytest.mark.parametrize("data", [None, {}, [], "wrapper", 3, {"wrap": "%s"}])
def test_without_a_wrapper_documents_are_lines(data: Any) -> None:
    assert parse_wrapper(data).wrap(b"{}") == b"{}\n"


@pytest.mark.parametrize("text", [None, 3, ["%s"], "\ud800"])
def test_a_wrapper_that_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(RefusedError, match=r"wrapper .*: expected") as caught:
        parse_wrapper({"wrapper": text})
    assert caught.value.status == 403
