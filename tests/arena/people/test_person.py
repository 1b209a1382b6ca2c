"""A person's seat at the arbiter's table."""

from __future__ import annotations

import select
import time
from contextlib import closing, contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.limits import Limits
from agon.arbiter.seat import BotSeat, ScriptSeat, Seat
from agon.arena.people.person import PersonSeat
from agon.arena.people.table import PlayTable
from agon.errors import IllegalMoveError
from agon.games.hive.game import GAME
from agon.match.result import Failure
from agon.match.transcript import Fault, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agon.games.game import Position
    from agon.match.result import MatchResult

SECOND = 10**9
FEW_S = 30
LIMITS = Limits(SECOND)


def is_rung(seat: PersonSeat) -> bool:
    poll = select.poll()
    for descriptor, events in seat.waits_on():
        poll.register(descriptor, events)
    return bool(poll.poll(0))


def turn_of(position: Position[Any], number: int = 0) -> Any:
    return position.legal_moves(position.to_act[0])[number]


@pytest.fixture
def ada() -> Iterator[PersonSeat]:
    with closing(PersonSeat("ada", SECOND)) as seat:
        yield seat


def test_the_bell_rings_for_a_turn_and_the_answer_is_there(ada: PersonSeat) -> None:
    position = GAME.start()
    ada.ask(position, None)
    assert ada.answer is None
    assert not is_rung(ada)
    ada.give(position, turn_of(position))
    assert is_rung(ada)
    ada.on_event(ada.waits_on()[0][0])
    assert ada.answer
    assert ada.answer.turn == turn_of(position)
    assert not is_rung(ada)


def test_a_turn_may_come_before_it_is_asked_for(ada: PersonSeat) -> None:
    position = GAME.start()
    assert not ada.has_given(position)
    ada.give(position, turn_of(position))
    assert ada.has_given(position)
    ada.ask(position, None)
    assert ada.answer
    assert ada.answer.turn == turn_of(position)


def test_a_turn_for_another_position_is_no_answer(ada: PersonSeat) -> None:
    old, new = GAME.start(), GAME.start()
    ada.give(old, turn_of(old))
    ada.ask(new, None)
    ada.on_event(ada.waits_on()[0][0])
    assert ada.answer is None


def test_a_turn_cannot_be_sent_twice(ada: PersonSeat) -> None:
    position = GAME.start()
    ada.give(position, turn_of(position))
    with pytest.raises(IllegalMoveError, match="sent already"):
        ada.give(position, turn_of(position, 1))
    ada.ask(position, None)
    assert ada.answer
    assert ada.answer.turn == turn_of(position)


def test_who_leaves_fails_at_the_next_question(ada: PersonSeat) -> None:
    ada.leave()
    ada.ask(GAME.start(), None)
    assert ada.has_left
    assert ada.answer
    assert ada.answer.failure == Failure(Fault.RESIGNED, "")


def test_a_bell_after_the_end_harms_nobody() -> None:
    seat = PersonSeat("ada", SECOND)
    seat.close()
    seat.ring()
    seat.leave()
    seat.close()
    assert seat.answer is None or seat.answer.failure is not None


class Playing:
    """A match in a thread; the test acts for the people in it."""

    def __init__(self, table: PlayTable, positions: SimpleQueue[Position[Any]]) -> None:
        self.positions = positions
        self._match: MatchResult | None = None
        self.thread = Thread(target=self._run, args=(table,))
        self.thread.start()

    def _run(self, table: PlayTable) -> None:
        self._match = table.play(1)

    def next_position(self) -> Position[Any]:
        return self.positions.get(timeout=FEW_S)

    def match(self) -> MatchResult:
        self.thread.join(FEW_S)
        assert self._match, "the match did not end"
        return self._match


@contextmanager
def playing(
    make_seats: Callable[[Callable[[], None]], Sequence[Seat]], limits: Limits = LIMITS
) -> Iterator[Playing]:
    positions: SimpleQueue[Position[Any]] = SimpleQueue()
    seats = make_seats(lambda: table.check_departures())
    table = PlayTable(
        GAME, GAME.options(), seats, limits, time.monotonic_ns, on_position=positions.put
    )
    one = Playing(table, positions)
    try:
        yield one
    finally:
        for seat in seats:
            if isinstance(seat, PersonSeat):
                seat.leave()
        one.thread.join(FEW_S)
        for seat in seats:
            seat.close()
        assert not one.thread.is_alive()


def test_a_match_between_a_person_and_a_script() -> None:
    ada = PersonSeat("ada", FEW_S * SECOND)
    script = ScriptSeat("script", ["bS1*|wS1"])
    with playing(lambda check: (ada, script), Limits(SECOND, turns=2)) as one:
        start = one.next_position()
        ada.give(start, start.parse_turn(0, "wS1"))
        match = one.match()
    assert [turn for event in match.transcript.events[:2] for turn in _texts(event)] == [
        "wS1",
        "bS1*|wS1",
    ]
    assert match.transcript.players[0] == {"name": "ada", "kind": "person"}
    verify(match.transcript)


def _texts(event: Any) -> list[str]:
    return list(event.turns.values())


def test_patience_ends_a_match_and_not_the_bots_time() -> None:
    ada = PersonSeat("ada", patience_ns=SECOND // 1000)
    with playing(lambda check: (ada, ScriptSeat("script", []))) as one:
        match = one.match()
    assert match.faults == (Fault.TIMEOUT, None)
    assert match.outcome.reason == "white: timeout"


def test_people_are_not_held_to_the_bots_time() -> None:
    """The table's time for a turn is over as soon as the clock moves."""
    ada, bob = PersonSeat("ada", FEW_S * SECOND), PersonSeat("bob", FEW_S * SECOND)
    with playing(lambda check: (ada, bob), Limits(turn_ns=1, start_ns=0, turns=2)) as one:
        for seat in (ada, bob):
            position = one.next_position()
            seat.give(position, turn_of(position))
        match = one.match()
    assert match.faults == (None, None)
    assert match.turns == 2


def test_who_leaves_in_the_turn_of_another_is_not_waited_for() -> None:
    made: list[PersonSeat] = []

    def seats(check: Callable[[], None]) -> Sequence[Seat]:
        made.extend(PersonSeat(name, FEW_S * SECOND, check) for name in ("ada", "bob"))
        return made

    with playing(seats) as one:
        one.next_position()
        ada, bob = made
        bob.leave()
        ada.ring()
        match = one.match()
    assert match.faults == (None, Fault.RESIGNED)
    assert match.outcome.reason == "black: resigned"
    verify(match.transcript)


def test_a_bot_that_answers_needs_no_bell() -> None:
    ada = PersonSeat("ada", FEW_S * SECOND)
    bot = BotSeat("random", GAME.bots()["random"], 1, time.monotonic_ns)
    with playing(lambda check: (bot, ada), Limits(SECOND, turns=1)) as one:
        assert one.match().turns == 1
