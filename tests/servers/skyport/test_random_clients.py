"""Matches of random clients: what they are told follows from the record, and the record verifies.

Clients send actions in and out of turn, are late, disconnect in mid-turn; the match's time ends.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from agon.games.skyport import wire
from agon.games.skyport.game import SkyportOptions
from agon.games.skyport.position import SkyportPosition
from agon.match.transcript import (
    Fault,
    Transcript,
    TurnEvent,
    format_transcript,
    parse_transcript,
    replay,
    verify,
)
from tests.servers.skyport.calling import LASER_DROID, MINE, PASS
from tests.servers.skyport.scripted import Scripted, derived_lines

if TYPE_CHECKING:
    from random import Random

NAMES = ("ann", "bob", "cid", "dan")
MESSAGES: list[dict[str, Any]] = [
    LASER_DROID,
    MINE,
    PASS,
    {"message": "action", "type": "upgrade", "weapon": "laser"},
    {"message": "action", "type": "laser", "direction": "up"},
    {"message": "action", "type": "move", "direction": "sideways"},
    *(
        {"message": "action", "type": "move", "direction": direction}
        for direction in ("up", "down", "left-up", "right-down")
    ),
]


def play_randomly(rng: Random) -> Scripted:
    """A match from its first gamestate to its last."""
    names = NAMES[: rng.randint(2, 4)]
    match = Scripted(
        *names, options=SkyportOptions(turns=rng.randint(1, 4)), seed=rng.randrange(99)
    )
    clients = {*range(len(names))}
    for seat in clients:
        if rng.random() < 0.3:
            match.clients[seat].session.take(json.dumps(LASER_DROID))
    match.playing.begin()
    while not match.playing.is_over:
        match.clock.now += rng.randrange(1000)
        chance = rng.random()
        if chance < 0.04:
            gone = rng.choice(sorted(clients))
            clients.discard(gone)
            match.playing.leave(match.clients[gone])
        elif chance < 0.1:
            match.playing.time_is_over(match.playing.step - rng.randrange(2))
        elif chance < 0.11:
            match.playing.match_time_is_over()
        else:
            match.say(rng.choice(sorted(clients)), rng.choice(MESSAGES))
    return match


def without_errors(lines: list[str]) -> list[str]:
    """What a client is told of the match, without what it is told about its own mistakes."""
    return [line for line in lines if not line.startswith('{"error"')]


@given(st.randoms(use_true_random=False))
def test_lines_and_record_of_random_clients_agree(rng: Random) -> None:
    match = play_randomly(rng)
    found = match.playing.result()
    transcript = parse_transcript(format_transcript(found.transcript))
    assert verify(transcript) == found.outcome
    assert set(found.faults) <= {None, Fault.CRASH}
    for seat, pad in enumerate(match.pads):
        told, derived = without_errors(pad.lines), without_errors(derived_lines(transcript, seat))
        last = last_line(transcript)
        # With half a turn sent, the gamestate after that turn is the last one, too.
        assert told in ([*derived, *last], [*derived[:-1], *last] if last else derived)
        assert pad.is_finished


def last_line(transcript: Transcript) -> list[str]:
    """If the last client's disconnect ended the match, a gamestate of its own tells the end."""
    *_, (event, position) = replay(transcript)
    if isinstance(event, TurnEvent):
        return []
    names = [str(player["name"]) for player in transcript.players]
    return [wire.format_message(wire.gamestate(SkyportPosition.of(position), names))]
