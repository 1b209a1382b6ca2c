"""Games of random clients: the record verifies, and every request is answered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.games.http_exchange import RefusedError
from agon.games.mebipenny.wire import GameState
from agon.match.transcript import Fault, format_transcript, parse_transcript, verify
from tests.servers.mebipenny.quiet_lobby import SECOND, QuietLobby, in_play, move_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from agon.games.mebipenny.move import Move

WRONG: list[Any] = [{}, 7, "pass", {"tile": {"row": 99, "col": 0}}, {"tile": {"row": 0}}]


@given(st.randoms(use_true_random=False))
def test_records_of_random_clients_verify(rng: Random) -> None:
    quiet = QuietLobby(turn_ns=30 * SECOND)
    names = ("ann", "bob", "cid", "dan")[: rng.randint(2, 4)]
    visitors = quiet.full_table(*names, seed=rng.randrange(99), side=rng.randint(2, 6))
    table = visitors[0].table

    def choose(moves: Sequence[Move]) -> Move:
        return rng.choice(moves)

    expected: Fault | None = None
    while table.state is GameState.IN_PLAY:
        mover = visitors[in_play(table).position.next_seat]
        quiet.time.pass_by(rng.randrange(30 * SECOND))
        chance = rng.random()
        if chance < 0.02:
            quiet.time.pass_by(30 * SECOND)
            expected = Fault.TIMEOUT
        elif chance < 0.04:
            with pytest.raises(RefusedError, match="you are disqualified"):
                mover.send(rng.choice(WRONG))
            expected = Fault.PROTOCOL
        elif chance < 0.1:
            with pytest.raises(RefusedError, match="X-Turn-Token"):
                table.move(b"wrong", b'"PASS"', mover.answers.append)
        else:
            mover.send(move_for(table, choose))
    (finished,) = quiet.finished
    transcript = parse_transcript(format_transcript(finished.match.transcript))
    assert verify(transcript) == finished.match.outcome
    assert finished.match.transcript.events == transcript.events
    faults = {fault for fault in finished.match.faults if fault is not None}
    assert len(faults) <= 1
    assert bool(faults) == (expected is not None)
    assert faults <= {expected, Fault.ILLEGAL}
    for visitor in visitors:
        if not faults or finished.match.faults[visitors.index(visitor)] is None:
            assert json.loads(visitor.answers[-1].body)["state"] == "completed"
            assert visitor.token is None
