"""The table at which people sit: who leaves, who is left, and matches that were interrupted."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.limits import Limits
from agon.arbiter.seat import BotSeat, ScriptSeat
from agon.arena.people.person import PersonSeat
from agon.arena.people.table import DepartureError, PlayTable
from agon.games.registry import NAMES, find_game
from agon.match.replay_steps import count_positions
from agon.match.transcript import Fault, FaultEvent, LimitEvent, TurnEvent, verify
from tests.website.play.clicking import QUICK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.seat import Seat
    from agon.games.game import Game, Position
    from agon.match.result import MatchResult
    from agon.match.transcript import Event

MOST_TURNS = 300
LIMITS = Limits(turns=MOST_TURNS)
LONG_NS = 30 * 10**9


def options_of(game: Game, seats: int) -> Any:
    given = dict(QUICK[game.name])
    if "seats" in game.options.__dataclass_fields__:
        given["seats"] = str(seats)
    return game.parse_options(given)


def bots(game: Game, names: Sequence[str]) -> list[Seat]:
    made = game.bots()
    return [
        BotSeat(name, made[name], number, time.monotonic_ns) for number, name in enumerate(names)
    ]


class Bell:
    """What people ring for; the table comes later."""

    table: PlayTable

    def ring(self) -> None:
        self.table.check_departures()


def play(
    name: str, seats: Sequence[Seat], past: Sequence[Event] = (), bell: Bell | None = None
) -> tuple[MatchResult, list[Position[Any]]]:
    """A match, and the positions that were shown."""
    game = find_game(name)
    shown: list[Position[Any]] = []
    table = PlayTable(
        game, options_of(game, len(seats)), seats, LIMITS, time.monotonic_ns, shown.append, past
    )
    if bell is not None:
        bell.table = table
    return table.play(1), shown


def leaver(stack: ExitStack, bell: Bell) -> PersonSeat:
    """Somebody who has given up before the first turn."""
    person = stack.enter_context(closing(PersonSeat("ada", LONG_NS, bell.ring)))
    person.leave()
    return person


@pytest.mark.parametrize("name", NAMES)
def test_between_two_the_other_has_won_at_once(name: str) -> None:
    with ExitStack() as stack:
        bell = Bell()
        seats = [leaver(stack, bell), *bots(find_game(name), ["random"])]
        match, shown = play(name, seats, bell=bell)
    assert match.faults == (Fault.RESIGNED, None)
    assert match.outcome.winner == 1
    assert "resigned" in match.outcome.reason
    assert verify(match.transcript) == match.outcome
    assert match.turns <= 1
    assert shown[-1].outcome == match.outcome
    assert shown[-1].to_act == ()


def test_among_more_the_others_play_on_by_the_rules() -> None:
    game = find_game("skyport")
    with ExitStack() as stack:
        bell = Bell()
        seats = [leaver(stack, bell), *bots(game, ["random", "random"])]
        match, shown = play("skyport", seats, bell=bell)
    assert match.turns > 2
    assert not any(isinstance(event, LimitEvent) for event in match.transcript.events)
    assert match.outcome.winner != 0
    assert len(shown) == count_positions(match.transcript.events)


def test_the_last_of_three_does_not_play_alone() -> None:
    game = find_game("skyport")
    with ExitStack() as stack:
        bell = Bell()
        seats = [leaver(stack, bell), leaver(stack, bell), *bots(game, ["random"])]
        match, _ = play("skyport", seats, bell=bell)
    assert match.outcome.reason == "seat 0: resigned, seat 1: resigned"
    assert match.outcome.winner == 2
    assert verify(match.transcript) == match.outcome


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_match_goes_on_from_what_was_written_down(name: str, share: float) -> None:
    whole, _ = play(name, bots(find_game(name), ["random", "random"]))
    events = whole.transcript.events
    past = events[: int(share * len(events))]
    match, shown = play(name, bots(find_game(name), ["random", "random"]), past)
    assert match.transcript.events[: len(past)] == past
    assert verify(match.transcript) == match.outcome
    is_stopped = isinstance(match.transcript.events[-1], LimitEvent)
    new = count_positions(match.transcript.events) - count_positions(past)
    assert len(shown) == 1 + new + is_stopped
    assert match.turns <= MOST_TURNS
    if share == 1.0:
        assert match.outcome == whole.outcome
        assert match.thought_ns == whole.thought_ns
        assert match.slowest_ns == whole.slowest_ns


def test_who_had_left_before_stays_out() -> None:
    game = find_game("skyport")
    start = game.start(options_of(game, 3), 1, 3)
    loadouts = {seat: start.format_turn(seat, start.legal_moves(seat)[0]) for seat in start.to_act}
    past = (TurnEvent(loadouts), FaultEvent(0, Fault.RESIGNED))
    with closing(PersonSeat("ada", LONG_NS)) as ada:
        match, _ = play("skyport", [ada, *bots(game, ["random", "random"])], past)
    assert match.faults == (Fault.RESIGNED, None, None)
    assert match.transcript.events[:2] == past


class Program(ScriptSeat):
    """Like a program: it is not asked twice while it thinks. Then somebody leaves."""

    person: PersonSeat
    table: PlayTable
    was_interrupted = False

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        """Somebody leaves meanwhile, and the bell rings."""
        self.person.leave()
        try:
            self.table.check_departures()
        except DepartureError:
            self.was_interrupted = True
            raise
        super().ask(position, deadline)


@pytest.mark.parametrize("others", [0, 1])
def test_a_program_is_interrupted_only_if_the_match_ends(others: int) -> None:
    game = find_game("skyport")
    with closing(PersonSeat("ada", LONG_NS)) as ada:
        program = Program("program", ["loadout laser mortar", *["pass"] * 10])
        seats = [program, ada, *bots(game, ["random"] * others)]
        table = PlayTable(game, options_of(game, len(seats)), seats, LIMITS, time.monotonic_ns)
        program.person, program.table = ada, table
        match = table.play(1)
    assert program.was_interrupted == (not others)
    assert match.faults[:2] == (None, Fault.RESIGNED)
    assert verify(match.transcript) == match.outcome
