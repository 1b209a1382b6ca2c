"""One match: turns at the same time, clocks, banks, a late machine, faults, spectators."""

from __future__ import annotations

import os
import select
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from agon.arbiter.arbiter import Arbiter, play_match
from agon.arbiter.limits import Limits, format_ns
from agon.arbiter.seat import Answer, BotSeat, Seat
from agon.errors import AgonError, IllegalMoveError
from agon.games.bot import no_time
from agon.games.game import Outcome
from agon.games.hive.game import GAME as HIVE
from agon.match.result import Failure, MatchResult
from agon.match.transcript import (
    Fault,
    FaultEvent,
    TurnEvent,
    format_transcript,
    parse_transcript,
    played_positions,
    verify,
)
from agon.sandbox.core_times import ThreadTimes
from tests.arbiter.script_seat import ScriptSeat
from tests.toy_game import GAME, Card, ToyOptions, ToyPosition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agon.games.bot import Budget
    from agon.games.game import JsonObject, Position
    from agon.sandbox.core_times import CoreTimes

    MakeSeat: TypeAlias = Callable[..., "Waiting"]

MS = 10**6


@dataclass
class Clock:
    """A clock that moves when it is told to, and not before."""

    now: int = 1_000

    def __call__(self) -> int:
        return self.now


@dataclass
class Scripted:
    """Plays the card of that place in its hand, and takes that long for it."""

    clock: Clock = field(default_factory=Clock)
    places: Sequence[int] = (0, 0, 0)
    takes: Sequence[int] = (0, 0, 0)
    seen: list[tuple[Position[Any], int, Budget]] = field(default_factory=list)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Card:
        turn = len(self.seen)
        self.seen.append((position, seat, budget))
        self.clock.now += self.takes[turn]
        card: Card = position.legal_moves(seat)[self.places[turn]]
        return card


class Waiting(Seat):
    """Answers with its first card after a time on the clock, as a program behind a pipe does.

    A byte that is never read keeps its pipe ready, so that no wait takes time.
    """

    def __init__(self, clock: Clock, takes: Sequence[int | None], step: int = 1) -> None:
        """None: it never answers. Between two looks the clock moves by `step`."""
        self.name = "waiting"
        self.told: list[str] = []
        self._clock = clock
        self._takes = iter(takes)
        self._step = step
        self._pipe = os.pipe()
        os.write(self._pipe[1], b"!")

    def describe(self) -> JsonObject:
        return {"name": self.name}

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        self._seat = seat
        self.told.append("begin")

    def is_ready(self) -> bool:
        return True

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        assert self.answer is None
        self._position = position
        takes = next(self._takes)
        self._due = None if takes is None else self._clock.now + takes
        self.told.append(f"ask by {deadline}")

    def tell(self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]) -> None:
        self.told.append("tell " + " ".join(before.format_turn(s, t) for s, t in turns.items()))

    def end(self, outcome: Outcome | None) -> None:
        self.told.append(f"end {outcome and outcome.reason}")

    def close(self) -> None:
        for descriptor in self._pipe:
            os.close(descriptor)

    def waits_on(self) -> Sequence[tuple[int, int]]:
        return ((self._pipe[0], select.POLLIN),)

    def on_event(self, descriptor: int) -> None:
        assert descriptor == self._pipe[0]
        self._clock.now += self._step
        if self._due is not None and self._clock.now >= self._due:
            self.answer = Answer(self._position.legal_moves(self._seat)[0])


class NotReady(Waiting):
    """Never ready, or with a failure instead."""

    def __init__(self, clock: Clock, failure: Failure | None = None) -> None:
        super().__init__(clock, [], 10**9)
        self._failure = failure

    def is_ready(self) -> bool:
        return False

    def on_event(self, descriptor: int) -> None:
        self._clock.now += self._step
        if self._failure is not None:
            self.answer = Answer(failure=self._failure)


class Hinting(Waiting):
    def stop_waiting(self) -> str:
        return "half a card"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def waiting(clock: Clock) -> Iterator[MakeSeat]:
    """Makes such seats, and closes them at the end."""
    seats: list[Waiting] = []

    def make(*takes: int | None, step: int = 1, kind: type[Waiting] = Waiting) -> Waiting:
        seats.append(kind(clock, takes, step))
        return seats[-1]

    yield make
    for seat in seats:
        seat.close()


def script(seat: int, rounds: int = 3) -> ScriptSeat:
    """A seat of two that plays its cards from the lowest on."""
    cards = GAME.start(ToyOptions(seats=2, rounds=rounds)).legal_moves(seat)
    start = GAME.start(ToyOptions(seats=2, rounds=rounds))
    return ScriptSeat("script", [start.format_turn(seat, card) for card in cards])


def table(
    seats: Sequence[Seat],
    limits: Limits,
    clock: Callable[[], int] = no_time,
    late_since: Callable[[int], int] = lambda begin: 0,
) -> Arbiter:
    return Arbiter(GAME, ToyOptions(seats=len(seats)), seats, limits, clock, late_since)


def fault_of(match: MatchResult) -> FaultEvent:
    (fault,) = (e for e in match.transcript.events if isinstance(e, FaultEvent))
    return fault


# --- bots in this process ------------------------------------------------------------------------


def test_a_match_goes_to_its_end() -> None:
    bots = [Scripted(places=(2, 1, 0)), Scripted(), Scripted()]
    match = play_match(GAME, bots, Limits(), seed=3)
    start = GAME.start(seed=3)
    hands = [start.legal_moves(seat) for seat in range(3)]
    assert [event.turns for event in match.transcript.events if isinstance(event, TurnEvent)] == [
        {
            seat: start.format_turn(seat, hands[seat][place])
            for seat, place in enumerate((2 - n, n, n))
        }
        for n in range(3)
    ]
    assert match.turns == 3
    assert match.outcome == match.transcript.outcome == verify(match.transcript)
    assert match.outcome.reason == "all cards played"
    assert (match.faults, match.is_void, match.late_ns) == ((None, None, None), False, 0)


def test_the_transcript_says_how_the_match_was_set_up() -> None:
    options = ToyOptions(seats=2, rounds=2, variant="low")
    match = play_match(GAME, [Scripted(), Scripted()], Limits(), options, 8)
    transcript = match.transcript
    assert (transcript.game, transcript.options, transcript.seed) == (GAME, options, 8)
    assert transcript.players == ({"name": "Scripted", "kind": "built-in"},) * 2
    assert parse_transcript(format_transcript(transcript), [GAME]) == transcript


def test_turns_at_the_same_time_are_chosen_from_the_same_position() -> None:
    bots = [Scripted(), Scripted(), Scripted()]
    match = play_match(GAME, bots, Limits())
    positions = [position.observe(None) for position in played_positions(match.transcript)]
    for turn in range(3):
        chosen_from = [bot.seen[turn][0] for bot in bots]
        assert chosen_from[0] is chosen_from[1] is chosen_from[2]
        assert chosen_from[0].observe(None) == positions[turn]
        assert [bot.seen[turn][1] for bot in bots] == [0, 1, 2]


def test_each_seat_has_its_own_time(clock: Clock) -> None:
    bots = [
        Scripted(clock, takes=(5, 1, 1)),
        Scripted(clock, takes=(0, 0, 0)),
        Scripted(clock, takes=(10, 40, 20)),
    ]
    match = play_match(GAME, bots, Limits(), clock=clock)
    assert match.thought_ns == (7, 0, 70)
    assert match.slowest_ns == (5, 0, 40)
    times = [event.ns for event in match.transcript.events if isinstance(event, TurnEvent)]
    assert times == [{0: 5, 1: 0, 2: 10}, {0: 1, 1: 0, 2: 40}, {0: 1, 1: 0, 2: 20}]


def test_a_budget_begins_when_the_turn_does(clock: Clock) -> None:
    bots = [Scripted(clock, takes=(5, 5, 5)) for _ in range(3)]
    play_match(GAME, bots, Limits(turn_ns=100, depth=4, bank_ns=1_000), clock=clock)
    deadlines = [bots[n % 3].seen[n // 3][2].deadline for n in range(9)]
    assert deadlines == [1_100 + 5 * n for n in range(9)]
    assert all(budget.depth == 4 for bot in bots for _, _, budget in bot.seen)


def test_without_a_time_there_is_no_deadline(clock: Clock) -> None:
    budget = Limits(depth=2).budget(clock, None)
    assert (budget.deadline, budget.depth, budget.is_spent()) == (None, 2, False)


def test_a_budget_is_spent_at_its_deadline(clock: Clock) -> None:
    budget = Limits(turn_ns=10).budget(clock, None)
    clock.now += 9
    assert not budget.is_spent()
    clock.now += 1
    assert budget.is_spent()


def test_a_budget_ends_no_later_than_the_seats_time(clock: Clock) -> None:
    assert Limits(turn_ns=10).budget(clock, clock.now + 4).deadline == clock.now + 4
    assert Limits(turn_ns=10).budget(clock, clock.now + 40).deadline == clock.now + 10


def test_a_bot_in_this_process_keeps_its_time_itself(clock: Clock) -> None:
    """It stops at its budget, give or take a slice: it is not held to that slice."""
    bots = [Scripted(clock, takes=(500, 500, 500)), Scripted(clock)]
    options = ToyOptions(seats=2)
    match = play_match(GAME, bots, Limits(turn_ns=10, start_ns=0), options, clock=clock)
    assert (match.faults, match.slowest_ns) == ((None, None), (500, 0))


def test_an_illegal_turn_of_ours_is_not_replaced_by_another() -> None:
    class Cheat(Scripted):
        def choose(self, position: Position[Any], seat: int, budget: Budget) -> Card:
            card: Card = position.legal_moves(1 - seat)[0]
            return card

    with pytest.raises(IllegalMoveError, match="not in the hand of seat 0"):
        play_match(GAME, [Cheat(), Scripted(), Scripted()], Limits())


# --- how long a match is -------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_at_the_turn_limit_no_seat_wins(turns: int) -> None:
    match = play_match(GAME, [Scripted() for _ in range(3)], Limits(turns=turns))
    assert match.turns == turns
    assert (match.outcome.scores, match.outcome.reason) == ((0, 0, 0), "turn limit")
    assert match.outcome.winner is None
    assert match.transcript.outcome == match.outcome == verify(match.transcript)


@pytest.mark.parametrize("turns", [3, 4, None])
def test_a_limit_that_is_not_needed_changes_nothing(turns: int | None) -> None:
    match = play_match(GAME, [Scripted() for _ in range(3)], Limits(turns=turns))
    assert (match.turns, match.outcome.reason) == (3, "all cards played")


def test_a_spectator_sees_every_position_once() -> None:
    seen: list[Position[Any]] = []
    seats = [script(0), script(1)]
    with_spectator = Arbiter(
        GAME, ToyOptions(seats=2), seats, Limits(), no_time, on_position=seen.append
    )
    match = with_spectator.play(0)
    found = [ToyPosition.of(position).observe(None) for position in seen]
    assert found == [position.observe(None) for position in played_positions(match.transcript)]


def test_seats_are_told_everything_in_order(clock: Clock, waiting: MakeSeat) -> None:
    seat = waiting(1, 1, 1)
    match = table([seat, script(1)], Limits(), clock).play(0)
    first, second, third = (
        " ".join(event.turns.values())
        for event in match.transcript.events
        if isinstance(event, TurnEvent)
    )
    assert seat.told == [
        "begin",
        *("ask by None", f"tell {first}"),
        *("ask by None", f"tell {second}"),
        *("ask by None", f"tell {third}"),
        "end all cards played",
    ]


def test_a_table_plays_one_match_after_another(clock: Clock, waiting: MakeSeat) -> None:
    """Nothing is left of the match before: no answer, no fault, no spent bank."""
    limits = Limits(turn_ns=10, bank_ns=5, start_ns=0)
    bots = [Scripted(clock, takes=(1,) * 9, places=(0,) * 9) for _ in range(2)]
    seat = waiting(12, 13, None, 15, 1, 1, 1, 1, 1)
    played_at = table([seat, BotSeat("bot", lambda _: bots[0], 0, clock)], limits, clock)
    first, second, third = (played_at.play(seed) for seed in range(3))
    assert (first.faults, first.turns) == ((Fault.TIMEOUT, None), 2)
    assert (second.faults, second.slowest_ns[0]) == ((None, None), 15)
    assert (third.faults, third.thought_ns[0]) == ((None, None), 3)
    assert [match.transcript.seed for match in (first, second, third)] == [0, 1, 2]


# --- scripts -------------------------------------------------------------------------------------


def test_a_script_plays_what_it_says() -> None:
    match = Arbiter(
        HIVE,
        HIVE.options(),
        [ScriptSeat("a", ["wS1", "wQ1|*wS1"]), ScriptSeat("b", ["bG1*|wS1"])],
        Limits(turns=3),
    ).play(0)
    turns = [event.turns for event in match.transcript.events if isinstance(event, TurnEvent)]
    assert turns == [{0: "wS1"}, {1: "bG1*|wS1"}, {0: "wQ1|*wS1"}]
    assert match.transcript.players[0] == {"name": "a", "kind": "script"}


@pytest.mark.parametrize(
    ("moves", "fault", "detail"),
    [
        ([], Fault.CRASH, "the script has ended"),
        (["bS1"], Fault.ILLEGAL, "move 'bS1': it is the other side's turn"),
        (["hello"], Fault.ILLEGAL, "move 'hello': expected a tile"),
    ],
)
def test_faults_decide_by_the_games_rule(moves: list[str], fault: Fault, detail: str) -> None:
    seats = [ScriptSeat("a", moves), ScriptSeat("b", [])]
    match = Arbiter(HIVE, HIVE.options(), seats, Limits()).play(0)
    assert match.faults == (fault, None)
    assert (match.outcome.scores, match.outcome.reason) == ((0, 2), f"white: {fault.value}")
    event = fault_of(match)
    assert (event.player, event.fault) == (0, fault)
    assert event.detail.startswith(detail)
    assert verify(match.transcript) == match.outcome


# --- clocks --------------------------------------------------------------------------------------


def test_a_seat_in_time_is_booked_what_it_took(clock: Clock, waiting: MakeSeat) -> None:
    limits = Limits(turn_ns=100, start_ns=0)
    match = table([waiting(100, 3, 99), script(1)], limits, clock).play(0)
    assert (match.faults, match.thought_ns) == ((None, None), (202, 0))
    assert match.slowest_ns == (100, 0)


def test_who_does_not_answer_loses_on_time(clock: Clock, waiting: MakeSeat) -> None:
    limits = Limits(turn_ns=150_000_000, start_ns=0)
    match = table([waiting(1, None, step=10**6), script(1)], limits, clock).play(0)
    assert (match.faults, match.turns) == ((Fault.TIMEOUT, None), 1)
    assert fault_of(match).detail == "no turn within 0.15 s"
    assert match.outcome.scores == (0, 1)


def test_what_there_was_in_place_of_a_turn_is_told(clock: Clock, waiting: MakeSeat) -> None:
    seat = waiting(None, step=10**6, kind=Hinting)
    match = table([seat, script(1)], Limits(turn_ns=10**9, start_ns=0), clock).play(0)
    assert fault_of(match).detail == "no turn within 1 s: half a card"


def test_a_late_answer_is_none(clock: Clock, waiting: MakeSeat) -> None:
    seat = waiting(160_000_000, step=80_000_000)
    limits = Limits(turn_ns=150_000_000, start_ns=0)
    match = table([seat, script(1)], limits, clock).play(0)
    assert match.faults == (Fault.TIMEOUT, None)
    assert fault_of(match).detail == "turn after 0.16 s, 0.15 s allowed"
    assert match.slowest_ns[0] == 160_000_000


def test_without_a_limit_a_seat_may_take_as_long_as_it_takes(
    clock: Clock, waiting: MakeSeat
) -> None:
    match = table([waiting(10**15, 1, 1, step=10**13), script(1)], Limits(), clock).play(0)
    assert (match.faults, match.slowest_ns[0]) == ((None, None), 10**15)


@pytest.mark.parametrize(
    ("takes", "fault"),
    [
        ((10, 10, 10), None),
        ((30, 10, 10), None),
        ((20, 15, 15), None),
        ((31, 1, 1), Fault.TIMEOUT),
        ((20, 21, 1), Fault.TIMEOUT),
        ((30, 10, 11), Fault.TIMEOUT),
        ((1, 1, 30), None),
    ],
)
def test_the_bank_is_for_the_whole_match(
    clock: Clock, waiting: MakeSeat, takes: tuple[int, ...], fault: Fault | None
) -> None:
    limits = Limits(turn_ns=10, bank_ns=20, start_ns=0)
    match = table([waiting(*takes), script(1)], limits, clock).play(0)
    assert match.faults == (fault, None)


def test_every_seat_has_its_own_bank_and_its_own_deadline(clock: Clock, waiting: MakeSeat) -> None:
    one, two = waiting(25, 10, 10), waiting(10, 25, 10)
    match = table([one, two], Limits(turn_ns=10, bank_ns=30, start_ns=0), clock).play(0)
    assert match.faults == (None, None)
    assert (one.told[1], two.told[1]) == ("ask by 1040", "ask by 1040")


def test_the_first_turn_of_every_seat_has_the_start_allowance(
    clock: Clock, waiting: MakeSeat
) -> None:
    """In Hive black's first turn is the second of the match; the bank is not touched by it."""
    limits = Limits(turn_ns=10, start_ns=50, bank_ns=5, turns=4)
    white, black = waiting(60, 15), waiting(60, 15)
    match = Arbiter(HIVE, HIVE.options(), [white, black], limits, clock).play(0)
    assert (match.faults, match.turns, match.slowest_ns) == ((None, None), 4, (60, 60))
    assert [white.told[1], white.told[4]] == ["ask by 1065", "ask by 1135"]
    late = waiting(60, 16)
    again = Arbiter(HIVE, HIVE.options(), [late, waiting(1, 1)], limits, clock)
    assert again.play(0).faults == (Fault.TIMEOUT, None)


def test_of_seats_asked_at_once_each_has_all_its_time(clock: Clock, waiting: MakeSeat) -> None:
    """The second seat's answer is waited for though the first one's time is over."""
    seats = [waiting(None), waiting(90, 1, 1), waiting(80, 1, 1)]
    match = table(seats, Limits(turn_ns=100, start_ns=0), clock).play(0)
    assert match.faults == (Fault.TIMEOUT, None, None)
    assert 80 <= match.thought_ns[2] <= match.thought_ns[1] <= 100


def test_the_match_goes_on_without_a_seat_that_failed(clock: Clock, waiting: MakeSeat) -> None:
    """Its turns are made by the rules, it is told of nothing more, and it comes last."""
    failing = waiting(1, None)
    seats = [failing, waiting(1, 1, 1), waiting(1, 1, 1)]
    match = table(seats, Limits(turn_ns=100, start_ns=0), clock).play(0)
    assert (match.faults, match.turns) == ((Fault.TIMEOUT, None, None), 3)
    assert failing.told[-1] == "end None"
    assert len(failing.told) == 5  # begin, ask, tell, ask, end
    assert seats[1].told[-1] == "end all cards played"
    assert match.outcome.ranks[0] == 2
    assert match.outcome == verify(match.transcript)
    last = match.transcript.events[-1]
    assert isinstance(last, TurnEvent)
    assert (list(last.turns), list(last.ns)) == ([0, 1, 2], [1, 2])


def test_all_who_fail_at_once_are_named(clock: Clock, waiting: MakeSeat) -> None:
    seats = [waiting(1, None), waiting(1, None), waiting(1, 50)]
    match = table(seats, Limits(turn_ns=100, start_ns=0), clock).play(0)
    assert (match.faults, match.turns) == ((Fault.TIMEOUT, Fault.TIMEOUT, None), 1)
    assert match.outcome == Outcome((0, 0, 1), "seat 0: timeout, seat 1: timeout")
    assert match.outcome == verify(match.transcript)


def test_a_bot_that_thinks_here_does_not_spend_the_others_time(
    clock: Clock, waiting: MakeSeat
) -> None:
    thinker = BotSeat("bot", lambda _: Scripted(clock, takes=(900, 900, 900)), 0, clock)
    limits = Limits(turn_ns=100, start_ns=0)
    match = table([waiting(50, 50, 50), thinker], limits, clock).play(0)
    assert (match.faults, match.thought_ns) == ((None, None), (150, 2700))


def test_times_are_told_in_seconds() -> None:
    assert [format_ns(n) for n in (0, 10**3, 10**9, 10_150_000_000)] == [
        *("0 s", "1e-06 s", "1 s", "10.15 s")
    ]


# --- this machine is late ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("takes", "late", "is_void", "fault"),
    [
        (100, 0, False, None),
        (110, 0, False, Fault.TIMEOUT),
        (110, 9, False, Fault.TIMEOUT),
        (110, 10, True, None),
        (110, 5_000, True, None),
        (None, 500, False, Fault.TIMEOUT),
        (100, 500, False, None),
    ],
)
def test_a_seat_is_not_blamed_for_what_this_machine_was_late(
    clock: Clock,
    waiting: MakeSeat,
    takes: int | None,
    late: int,
    is_void: bool,
    fault: Fault | None,
) -> None:
    asked: list[int] = []

    def late_since(begin: int) -> int:
        asked.append(begin)
        return late

    limits = Limits(turn_ns=100, start_ns=0, turns=1)
    match = table([waiting(takes, step=10), script(1)], limits, clock, late_since).play(0)
    assert (match.is_void, match.faults) == (is_void, (fault, None))
    assert set(asked) <= {1_000}
    if is_void:
        assert match.transcript.outcome is None
        assert (match.outcome.reason, match.late_ns) == ("void", late)
        assert not any(isinstance(event, FaultEvent) for event in match.transcript.events)


def test_as_long_as_this_machine_was_late_an_answer_is_waited_for(
    clock: Clock, waiting: MakeSeat
) -> None:
    seat = waiting(500, step=1)
    match = table([seat, script(1)], Limits(turn_ns=100, start_ns=0), clock, lambda _: 400).play(0)
    assert match.is_void
    assert match.slowest_ns[0] == 500
    assert seat.told[-1] == "end None"


def test_a_failure_is_a_failure_on_a_late_machine_too(clock: Clock, waiting: MakeSeat) -> None:
    seats = [waiting(1), ScriptSeat("b", ["1c"])]
    match = table(seats, Limits(turn_ns=100), clock, lambda _: 10**9).play(0)
    assert match.faults == (None, Fault.ILLEGAL)


# --- a core is missing ---------------------------------------------------------------------------


class Crowded(Waiting):
    """Its thread runs for a part of the time that passes, and waits for a core for another."""

    runs = waits = 0  # in percent
    thread = 0
    """A number that no thread has; or one that has this state."""

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        super().ask(position, deadline)
        self._asked = self._clock.now

    def core_times(self) -> CoreTimes:
        passed = self._clock.now - self._asked
        return {self.thread: ThreadTimes(passed * self.runs // 100, passed * self.waits // 100)}


@pytest.mark.parametrize(
    ("runs", "waits", "late", "fault", "is_void"),
    [
        (10, 90, 0, None, False),  # it took 40 ms of 400
        (10, 50, 0, Fault.TIMEOUT, False),  # it took 200 ms
        (10, 50, 100, None, True),
        (30, 70, 100, Fault.TIMEOUT, False),  # 120 ms of computing are too long on any machine
        (10, 0, 0, Fault.TIMEOUT, False),
    ],
)
@pytest.mark.parametrize("is_runnable", [True, False])
def test_what_a_seat_waits_for_a_core_does_not_count(
    clock: Clock,
    waiting: MakeSeat,
    runs: int,
    waits: int,
    late: int,
    fault: Fault | None,
    is_void: bool,
    is_runnable: bool,
) -> None:
    seat = waiting(400 * MS, 1, step=10 * MS, kind=Crowded)
    assert isinstance(seat, Crowded)
    seat.runs, seat.waits = runs, waits
    seat.thread = threading.get_native_id() if is_runnable else 0
    limits = Limits(turn_ns=100 * MS, start_ns=0, turns=1)
    match = table([seat, script(1)], limits, clock, lambda _: late * MS).play(0)
    assert (match.faults, match.is_void) == ((fault, None), is_void)
    if fault is None and not is_void:
        assert match.slowest_ns[0] == 40 * MS


def test_a_seat_that_gets_no_core_is_waited_for(clock: Clock, waiting: MakeSeat) -> None:
    """The kernel counts a wait when it is over: until then nothing but the state tells of it."""

    class Starved(Crowded):
        thread = threading.get_native_id()

        def core_times(self) -> CoreTimes:
            passed = self._clock.now - self._asked
            waited = passed if passed >= 390 * MS else 0
            return {self.thread: ThreadTimes(0, waited)}

    seat = waiting(400 * MS, 1, step=10 * MS, kind=Starved)
    limits = Limits(turn_ns=100 * MS, start_ns=0, turns=1)
    match = table([seat, script(1)], limits, clock).play(0)
    assert (match.faults, match.is_void) == ((None, None), False)


# --- the start -----------------------------------------------------------------------------------


def test_who_is_not_ready_in_time_could_not_start(clock: Clock) -> None:
    seat = NotReady(clock)
    match = table([seat, script(1)], Limits(start_ns=3 * 10**9), clock).play(0)
    seat.close()
    assert (match.faults, match.turns) == ((Fault.NO_START, None), 0)
    assert fault_of(match).detail == "not ready within 3 s"
    assert match.outcome.reason == "seat 0: could not start"
    assert seat.told == ["begin", "end seat 0: could not start"]


def test_who_fails_before_the_first_turn_could_not_start(clock: Clock) -> None:
    seat = NotReady(clock, Failure(Fault.CRASH, "exit status 1"))
    match = table([script(0), seat], Limits(), clock).play(0)
    seat.close()
    assert match.faults == (None, Fault.NO_START)
    assert fault_of(match) == FaultEvent(1, Fault.NO_START, "exit status 1")


def test_a_start_is_waited_for_as_long_as_this_machine_was_late(clock: Clock) -> None:
    class Slow(NotReady):
        def is_ready(self) -> bool:
            return self._clock.now > 5 * 10**9

        def ask(self, position: Position[Any], deadline: int | None) -> None:
            self.answer = Answer(position.legal_moves(self._seat)[0])

    seat = Slow(clock)
    limits = Limits(turn_ns=10**9, start_ns=10**9)
    match = table([seat, script(1)], limits, clock, lambda _: 6 * 10**9).play(0)
    seat.close()
    assert (match.faults, match.turns) == ((None, None), 3)


def test_a_seat_that_waits_on_nothing_is_not_to_be_called() -> None:
    with pytest.raises(AgonError, match="script waits on nothing, yet 5 is ready"):
        script(0).on_event(5)
    assert script(0).stop_waiting() == ""
