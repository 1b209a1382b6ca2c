"""One match without a network: who is told what, in which order, and what is written down."""

from __future__ import annotations

from typing import Any

import pytest

from agon.errors import SettingError
from agon.games.skyport.game import SkyportOptions
from agon.match.transcript import (
    Fault,
    FaultEvent,
    TurnEvent,
    format_transcript,
    parse_transcript,
    verify,
)
from tests.servers.skyport.calling import LASER_DROID, MINE, PASS, SHORT
from tests.servers.skyport.scripted import Scripted, derived_lines

MOVE_OFF = {"message": "action", "type": "move", "direction": "sideways"}


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    """Messages in short: `gamestate 3`, `action mine`, `endturn`, `error`."""
    short = []
    for message in messages:
        detail = message.get("turn", message.get("type", ""))
        short.append(f"{message.get('message', 'error')} {detail}".strip())
    return short


def test_the_first_gamestate_goes_to_all_and_turn_one_waits_for_the_loadouts() -> None:
    match = Scripted("ann", "bob")
    match.playing.begin()
    assert [kinds(match.take(seat)) for seat in (0, 1)] == [["gamestate 0"]] * 2
    assert match.playing.patience_ns == SHORT.start_delay_ns
    match.say(1, LASER_DROID)
    assert match.playing.step == 1
    assert [match.take(0), match.take(1)] == [[], []]
    match.say(0, LASER_DROID)
    assert match.playing.step == 2
    assert match.playing.patience_ns == SHORT.think_ns
    assert kinds(match.take(0)) == ["gamestate 1"]
    shown = match.take(1)[0]
    assert (shown["gamestate"], shown["turn"]) == (1, 1)
    assert shown["players"][0]["name"] == ("ann", "bob")[match.actor]
    assert shown["players"][0]["secondary-weapon"] == {"name": "droid", "level": 1}


def test_a_client_that_asked_is_sent_the_legal_moves() -> None:
    match = Scripted("ann", "bob")
    match.clients[0].session.list_moves()
    match.playing.begin()
    assert [kinds(match.take(seat)) for seat in (0, 1)] == [
        ["gamestate 0", "legal"],
        ["gamestate 0"],
    ]
    match.say(0, LASER_DROID)
    match.say(1, LASER_DROID)
    if match.actor == 1:
        match.say(1, PASS)
    told = match.take(0)
    assert kinds(told[-2:]) == [f"gamestate {match.playing.position.turn}", "legal"]
    (move, *_) = [action for action in told[-1]["legal"] if action["type"] == "move"]
    match.say(0, move)
    (after,) = match.take(0)
    assert after["message"] == "legal"
    assert PASS in after["legal"]
    assert not any("legal" in kind for kind in kinds(match.take(1)))


def test_early_loadouts_count_and_the_match_starts_at_once() -> None:
    match = Scripted("ann", "bob")
    for client in match.clients:
        client.session.take(
            '{"message": "loadout", "primary-weapon": "droid", "secondary-weapon": "mortar"}'
        )
    match.playing.begin()
    assert kinds(match.take(0)) == ["gamestate 0", "gamestate 1"]
    assert match.take(1)[1]["players"][0]["primary-weapon"]["name"] == "droid"


def test_who_chose_nothing_when_the_start_delay_is_over_has_laser_and_mortar() -> None:
    match = Scripted("ann", "bob")
    match.playing.begin()
    match.say(0, LASER_DROID)
    match.clock.now = 5
    match.playing.time_is_over(match.playing.step)
    players = {player["name"]: player for player in match.take(0)[-1]["players"]}
    assert players["ann"]["secondary-weapon"]["name"] == "droid"
    assert players["bob"]["secondary-weapon"]["name"] == "mortar"


def test_a_turn_is_told_to_all_its_errors_to_the_one_who_made_them() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    actor, other = match.actor, 1 - match.actor
    match.say(actor, MINE, MOVE_OFF)
    assert [match.take(0), match.take(1)] == [[], []]  # nothing before the turn is over
    match.say(actor, PASS)
    own, others = match.take(actor), match.take(other)
    assert kinds(own) == ["endturn", "action pass", "error", "error", "gamestate 2"]
    assert kinds(others) == ["endturn", "action pass", "gamestate 2"]
    assert own[1] == {"message": "action", "type": "pass", "from": ("ann", "bob")[actor]}
    assert own[2] == {"error": "mine: nothing to mine on an S tile"}
    assert own[3]["error"].startswith('move: direction "sideways": expected up, down')


def test_what_is_no_action_of_the_turn_is_answered_at_once_to_the_offender_alone() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    actor, other = match.actor, 1 - match.actor
    match.say(other, MINE, LASER_DROID, {"message": "chat"}, {"hello": 1})
    match.playing.hear(match.clients[other], "no JSON")
    assert [message["error"] for message in match.take(other)] == [
        "mine: it is not your turn",
        "loadout: the match has begun",
        'message "chat": expected connect, loadout, action',
        '{"hello": 1}: expected a key message with a text',
        '"no JSON": not JSON',
    ]
    assert match.take(actor) == []
    match.say(actor, PASS)
    assert kinds(match.take(other)) == ["endturn", "action pass", "gamestate 2"]


def test_all_clients_are_sent_the_same_bytes_which_are_made_once() -> None:
    match = Scripted("ann", "bob", "cid")
    match.begin()
    match.say(match.actor, PASS)
    for first, *others in zip(*(pad.sent for pad in match.pads), strict=True):
        assert all(other is first for other in others)


def test_when_the_time_is_over_what_came_counts_and_the_rest_is_late() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    actor, step = match.actor, match.playing.step
    match.say(actor, {"message": "action", "type": "upgrade", "weapon": "laser"})
    match.clock.now = 9
    match.playing.time_is_over(step)
    assert kinds(match.take(actor)) == ["endturn", "error", "gamestate 2"]
    match.say(actor, MINE)
    assert match.take(actor) == [{"error": "mine: it is not your turn"}]
    match.playing.time_is_over(step)  # another step's time: nothing happens
    assert match.playing.position.turn == 2


def test_how_long_they_thought_is_written_down() -> None:
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1))
    match.playing.begin()
    match.clock.now = 10
    match.say(0, LASER_DROID)
    match.clock.now = 30
    match.say(1, LASER_DROID)
    first = match.actor
    match.clock.now = 37
    match.say(first, PASS)
    match.clock.now = 137
    match.playing.time_is_over(match.playing.step)
    found = match.playing.result()
    events = found.transcript.events
    assert [event.ns for event in events if isinstance(event, TurnEvent)] == [
        {0: 10, 1: 30},
        {first: 7},
        {1 - first: 100},
    ]
    assert [event.turns for event in events if isinstance(event, TurnEvent)][1:] == [
        {first: "pass"},
        {1 - first: "nothing"},
    ]
    assert found.thought_ns == ((17, 130) if first == 0 else (110, 37))
    assert found.slowest_ns == ((10, 100) if first == 0 else (100, 30))


def test_at_the_end_every_client_gets_the_last_gamestate_and_is_let_go() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    for turn in range(1, 5):
        assert not match.playing.is_over
        match.forget()
        match.say(match.actor, PASS)
        assert kinds(match.take(0))[-1] == f"gamestate {turn + 1}"
    assert match.playing.is_over
    assert all(pad.is_finished for pad in match.pads)
    found = match.playing.result()
    assert found.outcome.scores == (-40, -40)
    assert found.faults == (None, None)
    assert found.transcript.players == (
        {"name": "ann", "kind": "guest"},
        {"name": "bob", "kind": "guest"},
    )
    assert verify(found.transcript) == found.outcome


@pytest.mark.parametrize(("played", "turns"), [(0, 1), (1, 1), (2, 1), (3, 2), (5, 2), (6, 3)])
def test_when_the_time_of_the_match_is_over_the_round_is_the_last(played: int, turns: int) -> None:
    match = Scripted("ann", "bob", "cid", options=SkyportOptions(turns=9))
    match.begin()
    for _ in range(played):
        match.say(match.actor, PASS)
    match.playing.match_time_is_over()
    assert match.playing.position.turn == played + 1
    while not match.playing.is_over:
        match.say(match.actor, PASS)
    assert match.playing.position.turn == 3 * turns + 1
    found = match.playing.result()
    assert found.transcript.options == SkyportOptions(turns=turns)
    assert verify(found.transcript) == found.outcome
    match.playing.match_time_is_over()  # nothing more happens
    assert match.playing.result().transcript == found.transcript


def test_the_time_of_a_match_may_be_over_before_turn_one_and_adds_no_turns() -> None:
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1))
    match.playing.begin()
    match.playing.match_time_is_over()
    for seat in range(2):
        match.say(seat, LASER_DROID)
    for _ in range(2):
        match.say(match.actor, PASS)
    assert match.playing.is_over


def test_the_lines_follow_from_the_record() -> None:
    match = Scripted("ann", "bob", "cid")
    match.playing.begin()
    for seat in range(3):
        match.say(seat, LASER_DROID)
    step = {"message": "action", "type": "move", "direction": "down"}
    turns = [(MINE, MOVE_OFF, PASS), (PASS,), (step, MOVE_OFF, step)]
    while not match.playing.is_over:
        match.say(match.actor, *turns[match.playing.position.turn % 3])
    transcript = parse_transcript(format_transcript(match.playing.result().transcript))
    for seat in range(3):
        assert match.pads[seat].lines == derived_lines(transcript, seat)


def test_the_record_has_the_lines_that_were_exchanged() -> None:
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1))
    match.clients[0].read(b'{"message": "loadout"}')
    match.playing.begin()
    match.playing.leave(match.clients[0])
    match.playing.leave(match.clients[1])
    wire: Any = match.playing.result().transcript.extra["wire"]
    assert wire[0][0] == '< {"message": "loadout"}'
    assert [line[:26] for line in wire[1]] == ['> {"message": "gamestate",'] * 2


def test_a_match_under_way_has_no_record_yet() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    with pytest.raises(SettingError, match="the match goes on"):
        match.playing.result()


# --- clients that hang up ------------------------------------------------------------------------


def test_who_hangs_up_before_turn_one_is_not_waited_for() -> None:
    match = Scripted("ann", "bob")
    match.playing.begin()
    match.say(0, LASER_DROID)
    match.forget()
    match.playing.leave(match.clients[1])
    match.playing.leave(match.clients[1])  # once is enough
    assert match.actor == 0
    assert kinds(match.take(0))[-1].startswith("gamestate")
    assert match.playing.position.out == {1: "crash"}


def test_who_hangs_up_in_its_own_turn_skips_it_and_all_that_follow() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    gone, other = match.actor, 1 - match.actor
    match.playing.leave(match.clients[gone])
    assert kinds(match.take(other)) == ["endturn", "gamestate 2"]
    match.say(other, PASS)
    assert kinds(match.take(other)) == [
        "endturn",
        "action pass",
        "gamestate 3",
        "endturn",
        "gamestate 4",
    ]
    match.say(other, PASS)
    assert match.playing.is_over
    found = match.playing.result()
    assert found.faults[gone] is Fault.CRASH
    assert found.outcome.winner == other
    assert found.transcript.events[1] == FaultEvent(gone, Fault.CRASH, "it hung up")
    assert verify(found.transcript) == found.outcome


def test_what_it_had_sent_of_its_turn_counts() -> None:
    match = Scripted("ann", "bob")
    match.begin()
    gone = match.actor
    match.say(gone, {"message": "action", "type": "move", "direction": "sideways"}, MINE)
    match.playing.leave(match.clients[gone])
    assert match.actor == 1 - gone
    match.playing.leave(match.clients[1 - gone])
    _, kept, fault, *_ = match.playing.result().transcript.events
    assert isinstance(kept, TurnEvent)
    assert kept.turns[gone].endswith("; mine")
    assert fault == FaultEvent(gone, Fault.CRASH, "it hung up")


def test_who_hangs_up_in_anothers_turn_holds_no_other_up() -> None:
    match = Scripted("ann", "bob", "cid")
    match.begin()
    actor, gone, last = match.playing.position.order
    match.playing.leave(match.clients[gone])
    assert match.take(last) == []  # the turn goes on
    assert match.playing.step == 2
    match.say(actor, PASS)
    assert match.actor == last
    assert kinds(match.take(gone))[:2] == ["endturn", "action pass"]  # it may still read


def test_when_all_have_hung_up_the_match_is_over_at_once() -> None:
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1 << 20))
    match.begin()
    match.playing.leave(match.clients[0])
    match.forget()
    match.playing.leave(match.clients[1])
    assert match.playing.is_over
    found = match.playing.result()
    assert found.outcome.reason == "seat 0: crash, seat 1: crash"
    assert found.outcome.scores == (0, 0)
    assert verify(found.transcript) == found.outcome
    assert kinds(match.take(0))[-1].startswith("gamestate")


def test_after_the_end_hanging_up_is_no_fault() -> None:
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1))
    match.begin()
    match.say(match.actor, PASS)
    match.say(match.actor, PASS)
    match.playing.leave(match.clients[0])
    assert match.playing.result().faults == (None, None)


def test_who_hangs_up_in_the_last_turn_with_half_of_it_sent_has_played_it() -> None:
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1))
    match.begin()
    match.say(match.actor, PASS)
    last = match.actor
    match.say(last, MINE)
    match.playing.leave(match.clients[last])
    assert match.playing.is_over
    found = match.playing.result()
    assert found.faults == (None, None)
    assert verify(found.transcript) == found.outcome


def test_spectators_see_every_position_once() -> None:
    seen = []
    match = Scripted("ann", "bob", options=SkyportOptions(turns=1))
    match.playing.on_position = lambda position: seen.append((position.turn, dict(position.out)))
    match.begin()
    match.playing.leave(match.clients[match.actor])
    match.say(match.actor, PASS)
    gone = next(iter(seen[1][1]))
    out = {gone: "crash"}
    assert seen == [(1, {}), (1, out), (2, out), (3, out)]
