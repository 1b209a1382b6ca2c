"""The match object: any sequence of calls leaves a transcript that verifies, or raises and changes
nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import AgonError, IllegalMoveError, SettingError
from agon.games.game import Outcome
from agon.games.registry import find_game, game_names
from agon.games.skyport.game import SkyportOptions
from agon.match.clock import TimeControl
from agon.match.match import Match
from agon.match.result import Failure, result_of
from agon.match.transcript import (
    Fault,
    FaultEvent,
    LimitEvent,
    OtherEvent,
    TurnEvent,
    format_transcript,
    parse_transcript,
    verify,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.match.match import Change

CRASH = Failure(Fault.CRASH, "exit status 1", "boom")
RESIGNED = Failure(Fault.RESIGNED)
SECOND = 10**9
FAULTS = [Failure(fault, "why") for fault in Fault]


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311


def begin(name: str, seed: int = 0, seats: int | None = None, **settings: Any) -> Match:
    game = find_game(name)
    count = seats or game.start(seed=seed).seats
    return Match.start(game, [f"p{n}" for n in range(count)], seed=seed, **settings)


def play_turn(match: Match, rng: Random, elapsed: int = 0) -> list[Change]:
    for seat in match.owed:
        match.submit(seat, match.position.random_turn(seat, rng), elapsed)
    return list(match.changes())


def snapshot(match: Match) -> tuple[Any, ...]:
    clocks = [(c.bank, c.thought, c.slowest, c.is_first) for c in match.clocks]
    answers = dict(match._turns), dict(match._failures)
    return (
        *(list(match.events), match.owed, match.position, list(match.faults), clocks),
        *(match.turns_played, match.void_reason, match.setup, answers),
    )


def calls(match: Match, rng: Random) -> dict[str, Callable[[], object]]:
    """One call of every kind, sensible or not."""
    seat = rng.randrange(-1, match.position.seats + 1)
    owing = rng.choice(match.owed) if match.owed else seat
    failure = rng.choice(FAULTS)

    def submit(who: int = owing) -> None:
        turn = match.position.random_turn(who, rng) if who in match.owed else None
        match.submit(who, turn, rng.randrange(2 * SECOND))

    return {
        "submit": submit,
        "submit again": submit,
        "submit more": submit,
        "submit for anyone": lambda: submit(seat),
        "negative time": lambda: match.submit(owing, None, -1),
        "fail": lambda: match.fail(seat, failure, rng.randrange(SECOND)),
        "advance": lambda: match.advance(),
        "advance all": lambda: list(match.changes()),
        "drop": lambda: match.drop({seat: failure}),
        "drop two": lambda: match.drop({seat: failure, 0: CRASH}),
        "drop none": lambda: match.drop({}),
        "stop": lambda: match.stop("enough"),
        "void": lambda: match.void("host"),
        "void late": lambda: match.void("late", seat, rng.randrange(SECOND)),
        "result": lambda: match.result(),
    }


LIKELY = ("submit", "submit again", "submit more", "advance", "advance all", "fail")


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), limit=st.sampled_from((None, 3, 8)))
def test_any_sequence_of_calls_verifies_or_changes_nothing(
    name: str, seed: int, limit: int | None
) -> None:
    rng = chance(seed)
    match = begin(name, seed % 100, time=TimeControl(SECOND, SECOND, SECOND), turn_limit=limit)
    for _ in range(40):
        options = calls(match, rng)
        kind = rng.choice(LIKELY if rng.random() < 0.85 else list(options))
        before = snapshot(match)
        try:
            options[kind]()
        except AgonError:
            assert snapshot(match) == before, kind
    text = format_transcript(match.transcript())
    again = parse_transcript(text)
    verify(again)
    resumed = Match(again, TimeControl(SECOND, SECOND, SECOND), limit)
    assert resumed.events == match.events
    assert resumed.faults == match.faults
    assert resumed.outcome == match.position.outcome
    assert resumed.position.observe(None) == match.position.observe(None)
    assert format_transcript(resumed.transcript()) == text or match.void_reason is not None
    if match.is_over:
        result = match.result()
        found = result_of(result.transcript, result.outcome.reason)
        assert (found.outcome, found.faults) == (result.outcome, result.faults)
        assert found.turns == result.turns == match.turns_played


def test_an_answer_is_due_once() -> None:
    match = begin("hive")
    match.submit(0, match.position.random_turn(0, chance(1)))
    with pytest.raises(SettingError, match="seat 0 owes no turn: the seats that do are none"):
        match.submit(0, None)
    assert match.clocks[0].thought == 0


def test_seats_that_fail_together_are_dropped_together() -> None:
    match = begin("battlebots", seats=2)
    match.fail(1, CRASH)
    assert match.owed == (0,)
    match.fail(0, CRASH)
    (change,) = match.changes()
    assert not change.turns
    assert match.faults == [Fault.CRASH, Fault.CRASH]
    assert match.result().thought_ns == (0, 0)
    assert [event.player for event in match.events if isinstance(event, FaultEvent)] == [0, 1]
    assert match.outcome is not None
    assert match.outcome.winner is None


def test_a_submitted_turn_survives_another_seats_drop() -> None:
    rng = chance(2)
    match = begin("battlebots", seats=3)
    turn = match.position.random_turn(0, rng)
    match.submit(0, turn, 7)
    match.drop({2: RESIGNED})
    assert match.owed == (1,)
    match.submit(1, match.position.random_turn(1, rng), 8)
    (change, *_) = match.changes()
    assert change.turns[0] == turn
    (event,) = [event for event in match.events if isinstance(event, TurnEvent)]
    assert event.ns == {0: 7, 1: 8}


def test_warnings_stand_beside_the_turn_that_they_are_about() -> None:
    match = begin("battlebots", seats=2)
    rng = chance(6)
    match.submit(0, match.position.random_turn(0, rng), warnings=("late", "odd"))
    match.submit(1, match.position.random_turn(1, rng))
    list(match.changes())
    play_turn(match, rng)
    warned, plain = [event for event in match.events if isinstance(event, TurnEvent)]
    assert warned.extra == {"warnings": {"0": ["late", "odd"]}}
    assert plain.extra == {}


def test_a_failure_is_told_with_the_programs_last_line_if_there_is_one() -> None:
    assert CRASH.whole == "exit status 1: boom"
    assert Failure(Fault.CRASH, "exit status 1").whole == "exit status 1"


def test_a_drop_discards_the_seats_own_turn_and_counts_no_turn() -> None:
    match = begin("battlebots", seats=3, turn_limit=4)
    match.submit(2, match.position.random_turn(2, chance(0)))
    match.drop({2: RESIGNED})
    assert match.turns_played == 0
    rng = chance(3)
    while not match.is_over:
        play_turn(match, rng)
    assert sum(isinstance(event, TurnEvent) for event in match.events) == 4
    assert isinstance(match.events[-1], LimitEvent)


def test_a_turn_that_the_rules_refuse_is_owed_again() -> None:
    match = begin("hive")
    legal = match.position.random_turn(0, chance(0))
    play_turn(match, chance(0))
    match.submit(1, legal)
    with pytest.raises(IllegalMoveError):
        match.advance()
    assert match.owed == (1,)
    assert match.turns_played == 1


def test_the_bank_is_used_beyond_the_free_time_and_survives_a_restart() -> None:
    time = TimeControl(turn_ns=100, bank_ns=50, first_ns=30)
    match = begin("hive", time=time)
    rng = chance(4)
    play_turn(match, rng, 140)  # 130 are free in the first turn
    play_turn(match, rng, 130)
    play_turn(match, rng, 115)
    assert [clock.bank for clock in match.clocks] == [25, 50]
    assert [clock.allowed_ns for clock in match.clocks] == [125, 150]
    again = Match(parse_transcript(format_transcript(match.transcript())), time)
    assert again.clocks == match.clocks


def test_chat_is_kept_over_a_restart() -> None:
    match = begin("hive")
    play_turn(match, chance(5))
    chat = OtherEvent({"type": "chat", "user": "ada", "message": "good luck"})
    match = Match(replace(match.transcript(), events=(chat, *match.events)))
    play_turn(match, chance(5))
    again = Match(parse_transcript(format_transcript(match.transcript())))
    assert again.events == match.events
    assert again.events[0] == chat


def test_options_that_the_position_can_change() -> None:
    match = begin("hive")
    with pytest.raises(SettingError, match="variant"):
        match.change_options(type(match.setup.options)(variant="Base+MLP"))
    assert match.transcript().options == match.setup.options


def test_a_match_with_fewer_turns_ends_earlier_and_is_recorded_so() -> None:
    match = begin("skyport", seats=2)
    rng = chance(7)
    play_turn(match, rng)
    options = match.setup.options
    assert isinstance(options, SkyportOptions)
    match.change_options(replace(options, turns=2))
    while not match.is_over:
        play_turn(match, rng)
    assert match.turns_played == 1 + 2 * 2  # the loadouts of all, then two turns of each
    assert verify(match.transcript()) == match.outcome
    with pytest.raises(SettingError, match="the match is over"):
        match.change_options(match.setup.options)


def test_the_result_of_a_record_has_the_times_in_it() -> None:
    match = begin("hive", turn_limit=4)
    rng = chance(8)
    for elapsed in (5, 7, 3, 2):
        play_turn(match, rng, elapsed)
    for result in (match.result(late_ns=9), result_of(match.transcript())):
        assert (result.thought_ns, result.slowest_ns) == ((8, 9), (5, 7))
        assert not result.is_void
    assert (match.result(late_ns=9).late_ns, match.result().late_ns) == (9, 0)


def test_a_record_without_an_outcome_is_void() -> None:
    match = begin("hive")
    play_turn(match, chance(9))
    with pytest.raises(SettingError, match="the match goes on"):
        match.result()
    result = result_of(match.transcript(), "cut off")
    assert (result.is_void, result.outcome) == (True, Outcome((0, 0), "cut off"))


def test_who_failed_is_behind_the_others_when_a_match_is_stopped() -> None:
    match = begin("battlebots", seats=3, turn_limit=1)
    match.drop({1: RESIGNED})
    play_turn(match, chance(10))
    assert match.outcome == Outcome((0, -1, 0), "turn limit")
    other = begin("hive")
    other.stop("enough")
    assert other.outcome == Outcome((0, 0), "enough")


def test_a_seat_is_charged_for_the_turn_after_which_the_match_is_void() -> None:
    match = begin("hive")
    with pytest.raises(SettingError, match="seat 1 owes no turn"):
        match.void(seat=1, elapsed_ns=7)
    assert not match.is_over
    match.void(seat=0, elapsed_ns=7)
    assert match.is_over
    assert match.result().thought_ns == (7, 0)


def test_a_void_match_has_no_outcome() -> None:
    match = begin("hive")
    match.void("the machine was late")
    result = match.result()
    assert result.is_void
    assert result.transcript.outcome is None
    assert result.outcome.reason == "the machine was late"
    with pytest.raises(SettingError, match="the match is over"):
        match.drop({0: CRASH})
