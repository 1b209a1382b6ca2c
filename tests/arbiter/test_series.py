"""Several matches: seats take turns, seeds last for a way round the table, bots have scores."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, find_entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.series import MOST_VOID, Score, Series, SeriesRunner
from agon.errors import ArbiterError
from agon.games.bot import no_time
from agon.games.game import Outcome, Position
from agon.games.hive.game import GAME as HIVE
from agon.match.result import MatchResult
from agon.match.transcript import Fault, TurnEvent, played_positions, verify
from tests.arbiter.programs import children, write_program
from tests.toy_game import GAME, ToyOptions, ToyPosition

if TYPE_CHECKING:
    from pathlib import Path

    from agon.arbiter.bot_process import Process
    from agon.match.match import Match

SECOND = 10**9


def no_programs(program: Program) -> Process:
    raise AssertionError(program.name)


ARENA = SeriesRunner(no_time, no_programs)


def series(*bots: str, seed: int = 10, limits: Limits | None = None) -> Series:
    entrants = tuple(find_entrant(GAME, bot) for bot in bots)
    return Series(GAME, ToyOptions(seats=len(bots)), entrants, limits or Limits(), seed)


def test_seats_take_turns() -> None:
    trio = series("random", "highest", "random")
    assert [trio.seating(n) for n in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert trio.names(1) == ("highest", "random", "random")
    assert [series("random", "highest").seating(n) for n in range(3)] == [(0, 1), (1, 0), (0, 1)]


def test_every_way_round_the_table_has_the_same_seed() -> None:
    pair, trio = series("random", "highest"), series("random", "highest", "random")
    assert [pair.seed_of(n) for n in range(5)] == [10, 10, 11, 11, 12]
    assert [trio.seed_of(n) for n in range(7)] == [10, 10, 10, 11, 11, 11, 12]


def test_the_same_cards_are_dealt_once_for_every_way_round() -> None:
    trio = series("highest", "random", "highest")
    starts = [
        played_positions(ARENA.play(trio, number).transcript)[0].observe(None)
        for number in range(4)
    ]
    assert starts[0] == starts[1] == starts[2] != starts[3]


def test_a_bot_has_its_own_chance_whatever_its_seat() -> None:
    """Two copies of a bot choose apart; one copy chooses the same places from either seat."""

    def chosen(number: int) -> list[list[int]]:
        positions = played_positions(ARENA.play(pair, number).transcript)
        toys = [ToyPosition.of(position) for position in positions]
        return [
            [b.legal_moves(seat).index(a.table[seat]) for b, a in pairwise(toys)]
            for seat in range(2)
        ]

    entrants = (find_entrant(GAME, "random"), find_entrant(GAME, "random"))
    pair = Series(GAME, ToyOptions(seats=2, rounds=12), entrants, Limits(), 3)
    first, second = chosen(0)
    assert first != second
    assert chosen(1) == [second, first]
    assert chosen(2) != [first, second]


@pytest.mark.parametrize("number", [0, 1, 5])
def test_a_match_can_be_played_again(number: int) -> None:
    trio = series("random", "highest", "random")
    first, again = (ARENA.play(trio, number).transcript for _ in range(2))
    assert first == again
    assert first.seed == 10 + number // 3
    assert [player["name"] for player in first.players] == list(trio.names(number))
    assert verify(first) == first.outcome


def test_limits_clock_and_spectator_are_passed_on() -> None:
    seen: list[Position[Any]] = []
    readings = count()
    arena = SeriesRunner(
        lambda: next(readings), no_programs, on_change=lambda match: seen.append(match.position)
    )
    match = arena.play(series("random", "highest", limits=Limits(turns=2)), 0)
    assert match.turns == 2
    assert len(seen) == 4, "the start, after each turn, and when the limit ends it"
    assert [position.outcome for position in seen[:3]] == [None] * 3
    assert seen[3].outcome == match.outcome
    assert match.thought_ns == (2, 2)


def test_hive_takes_turns_too() -> None:
    entrants = (find_entrant(HIVE, "random"), find_entrant(HIVE, "greedy"))
    pair = Series(HIVE, HIVE.options(), entrants, Limits(turns=6), 1)
    assert [ARENA.play(pair, n).turns for n in range(2)] == [6, 6]


# --- programs ------------------------------------------------------------------------------------

CARD_PLAYER = """
import sys
for line in sys.stdin:
    word, *cards = line.split()
    if word == "hand":
        hand = cards
    elif word == "play":
        print(hand.pop(), flush=True)
"""


@dataclass
class JumpingClock:
    """Every reading is a nanosecond later than the one before; on a bad day, a second."""

    step: int = 1
    now: int = 0

    def __call__(self) -> int:
        self.now += self.step
        return self.now


@dataclass
class BadDays:
    """Starts programs; as long as bad days last, the clock jumps and the machine is late."""

    clock: JumpingClock
    left: int
    late_ns: int = 10**6 * SECOND
    started: int = 0

    def launch(self, program: Program) -> Process:
        self.started += 1
        self.clock.step = SECOND if self.started <= self.left else 1
        return launch_on_host(program)

    def late_since(self, begin: int) -> int:
        return self.late_ns if self.clock.step == SECOND else 0


def card_player(tmp_path: Path) -> Entrant:
    command = write_program(tmp_path / "cards.py", CARD_PLAYER, "")
    return Entrant("cards", Program("cards", tuple(command)))


def with_a_program(tmp_path: Path) -> Series:
    limits = Limits(turn_ns=SECOND // 2, start_ns=SECOND // 2)
    entrants = (card_player(tmp_path), find_entrant(GAME, "random"))
    return Series(GAME, ToyOptions(seats=2), entrants, limits, 0)


def test_a_program_is_ended_after_its_match(tmp_path: Path) -> None:
    before = children()
    pair = with_a_program(tmp_path)
    clock = JumpingClock()
    match = SeriesRunner(clock, launch_on_host).play(pair, 0)
    assert (match.faults, match.turns) == ((None, None), 3)
    assert match.transcript.extra == {}
    assert "cards.py" in str(match.transcript.players[0]["command"])
    assert children() <= before


def test_a_program_is_ended_after_a_failure_of_ours(tmp_path: Path) -> None:
    before = children()

    def fail(match: Match) -> None:
        if match.turns_played == 1:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        SeriesRunner(JumpingClock(), launch_on_host, on_change=fail).play(
            with_a_program(tmp_path), 0
        )
    assert children() <= before


@pytest.mark.parametrize("bad_days", [1, MOST_VOID - 1])
def test_a_void_match_is_played_again_and_the_record_says_so(tmp_path: Path, bad_days: int) -> None:
    clock = JumpingClock()
    days = BadDays(clock, bad_days)
    before = children()
    match = SeriesRunner(clock, days.launch, days.late_since).play(with_a_program(tmp_path), 0)
    assert (match.faults, match.is_void, match.turns) == ((None, None), False, 3)
    assert match.transcript.extra == {"void": bad_days}
    assert days.started == bad_days + 1
    assert verify(match.transcript) == match.outcome
    assert children() <= before


def test_a_machine_that_is_always_late_is_told_so(tmp_path: Path) -> None:
    clock = JumpingClock()
    days = BadDays(clock, 10**6)
    before = children()
    with pytest.raises(ArbiterError, match="late in 5 matches in a row: run fewer at once"):
        SeriesRunner(clock, days.launch, days.late_since).play(with_a_program(tmp_path), 0)
    assert days.started == MOST_VOID
    assert children() <= before


def test_a_program_that_is_late_by_itself_loses(tmp_path: Path) -> None:
    clock = JumpingClock()
    days = BadDays(clock, 10**6, late_ns=0)
    match = SeriesRunner(clock, days.launch, days.late_since).play(with_a_program(tmp_path), 0)
    assert match.faults == (Fault.TIMEOUT, None)
    assert match.transcript.extra == {}
    assert days.started == 1


def test_each_seat_has_its_own_wire(tmp_path: Path) -> None:
    entrant = card_player(tmp_path)
    pair = Series(GAME, ToyOptions(seats=2), (entrant, entrant), Limits(), 0)
    match = SeriesRunner(no_time, launch_on_host, keeps_logs=True).play(pair, 1)
    turns = [event.turns for event in match.transcript.events if isinstance(event, TurnEvent)]
    wire: Any = match.transcript.extra["wire"]
    for seat in range(2):
        assert wire[seat][0] == f"> seat {seat} of 2"
        assert [line[2:] for line in wire[seat] if line[0] == "<"] == [t[seat] for t in turns]
        assert wire[seat][-1] == "> end all cards played"
    assert match.transcript.extra["stderr"] == ["", ""]


def test_matches_of_built_in_bots_leave_no_logs() -> None:
    match = SeriesRunner(no_time, no_programs, keeps_logs=True).play(series("random", "highest"), 0)
    assert match.transcript.extra == {}


# --- scores --------------------------------------------------------------------------------------


def ended(
    *scores: int,
    thought: tuple[int, ...] = (0, 0),
    slowest: tuple[int, ...] = (0, 0),
    faults: tuple[Fault | None, ...] = (),
) -> MatchResult:
    transcript = ARENA.play(series("random", "highest"), 0).transcript
    outcome = Outcome(scores, "by decree")
    return MatchResult(transcript, outcome, faults or (None,) * len(scores), thought, slowest)


def test_wins_and_times_go_to_the_bot_in_the_seat() -> None:
    trio = series("random", "highest", "random")
    score = Score.zero(3)
    score.add(ended(3, 0, 0, thought=(10, 20, 30), slowest=(1, 2, 3)), trio.seating(0))
    score.add(ended(3, 0, 0, thought=(100, 200, 300), slowest=(9, 1, 1)), trio.seating(1))
    assert score.wins == [1, 1, 0]
    assert score.thought_ns == [310, 120, 230]
    assert score.slowest_ns == [1, 9, 3]
    assert (score.shared, score.faults) == (0, [0, 0, 0])
    assert len(score.matches) == 2


def test_faults_are_counted_for_the_bot_not_for_the_seat() -> None:
    score = Score.zero(2)
    score.add(ended(0, 1, faults=(Fault.CRASH, None)), (0, 1))
    score.add(ended(1, 0, faults=(None, Fault.TIMEOUT)), (1, 0))
    score.add(ended(1, 0), (0, 1))
    assert (score.faults, score.wins) == ([2, 0], [1, 2])


def test_a_shared_top_and_a_turn_limit_are_no_bots_win() -> None:
    score = Score.zero(2)
    score.add(ended(1, 1), (0, 1))
    score.add(ended(0, 0), (1, 0))
    assert (score.wins, score.shared) == ([0, 0], 2)


def test_every_match_is_a_win_of_one_bot_or_of_none() -> None:
    trio = series("highest", "random", "random")
    score = Score.zero(3)
    for number in range(30):
        score.add(ARENA.play(trio, number), trio.seating(number))
    assert sum(score.wins) + score.shared == 30
