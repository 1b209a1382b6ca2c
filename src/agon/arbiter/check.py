"""Take a bot through numbered steps, and say for each what was seen and what to do.

The bot plays real matches; a turn that takes too long fails the step about time,
not the one in which it happened, unless it does not come at all. Once it is certain that this step
will fail, the long ones before it are left out. Nothing here prints.
"""

from __future__ import annotations

import os
import shlex
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.build import run_build
from agon.arbiter.check_rig import (
    CheckedSeat,
    CheckOpponent,
    CheckTimes,
    Recorder,
    Stopwatch,
    close_input,
    listen,
    told_warnings,
)
from agon.arbiter.entrant import (
    Entrant,
    check_time,
    find_entrant,
    load_program,
    new_dialogue,
    start_program,
    with_words,
)
from agon.arbiter.findings import ADVICE, CheckStep, Finding, StepResult
from agon.arbiter.first_use import use_rules
from agon.arbiter.limits import format_ns
from agon.arbiter.seat import BotSeat
from agon.errors import ArbiterError, SettingError
from agon.games.check_opponents import Situation, find_situations
from agon.games.dialogue import Briefing
from agon.games.registry import find_game, game_names
from agon.match.transcript import Fault, FaultEvent, TurnEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from agon.arbiter.bot_process import Launch, Program
    from agon.arbiter.build import Builder
    from agon.arbiter.limits import Limits
    from agon.arbiter.seat import Seat
    from agon.games.game import Game, Options, Position
    from agon.match.match import Match
    from agon.match.result import MatchResult

LONGEST_MATCH = 300  # turns
ATTEMPTS = 4  # matches in which a situation may come up
MOST_VOID = 5
TIME, CLOSING = "9", "10"
LONGER = "a check waits longer, to tell a slow bot from a silent one"
BY_ITSELF = (
    Fault.CRASH,
    Fault.NO_START,
    Fault.RESOURCE,
)  # how a program ends before its input does


def find_checked_game(text: str, name: str | None) -> Game:
    """The game that a bot is checked in: as asked for, or the only one that its settings name."""
    if name is not None:
        return find_game(name)
    games: tuple[str, ...] = ()
    if os.path.isdir(text):  # a long command line is no path at all, and that is no error
        try:
            games = load_program(Path(text)).games
        except SettingError:
            return find_game(game_names()[0])  # the first step tells what is wrong
    if len(games) == 1:
        return find_game(games[0])
    known = ", ".join(games or game_names())
    raise SettingError(f"bot {text[:60]!r}: name the game to check it in: --game {known}")


class Check:
    """One check of one bot."""

    def __init__(
        self,
        game: Game,
        options: Options,
        text: str,
        limits: Limits,
        launch: Launch,
        clock: Callable[[], int],
        late_since: Callable[[int], int] = lambda begin: 0,
        on_turn: Callable[[int], None] = lambda turn: None,
        times: CheckTimes | None = None,
        build: Builder = run_build,
    ) -> None:
        """`text` names the bot as everywhere; the limits are the arena's."""
        self.times = times or CheckTimes()
        self.game = game
        self.options = options
        self.text = text
        self.turn_ns = limits.turn_ns
        spare = None if limits.turn_ns is None else limits.turn_ns + self.times.spare_ns
        self.limits = replace(limits, turn_ns=spare)
        self.launch = launch
        self.build = build
        self.clock = clock
        self.late_since = late_since
        self.on_turn = on_turn
        self.seats = game.start(options).seats
        self._entrant = Entrant("")
        self._recorder = Recorder()
        self._kept: CheckedSeat | None = None
        self._stopwatch = Stopwatch(limits.turn_ns, limits.bank_ns)

    @property
    def program(self) -> Program:
        if self._entrant.program is None:
            raise SettingError(f"bot {self.text!r} is built in: there is nothing to check")
        return self._entrant.program

    def run(
        self, on_step: Callable[[str, str], None] = lambda number, title: None
    ) -> Generator[CheckStep, None, None]:
        """Do all steps; what follows a failure is not tried, but for the last step.

        That is not tried either if the bot ended before it.
        """
        try:
            yield from self._run(on_step)
        finally:
            if self._kept is not None:
                self._kept.close()

    def _run(self, on_step: Callable[[str, str], None]) -> Iterator[CheckStep]:
        failed = ""
        is_final = False
        for number, title, examine in self._plan():
            on_step(number, title)
            self._recorder.clear()
            if failed and (number != CLOSING or is_final):
                finding = Finding(f"because of step {failed}", StepResult.NOT_TRIED)
            elif self._is_too_slow and number not in (TIME, CLOSING):
                finding = Finding(f"its turns take too long, see step {TIME}", StepResult.LEFT_OUT)
            else:
                finding = self._attempt(examine)
            if finding.verdict is StepResult.FAILED:
                failed = failed or number
                is_final = failed in ("1", "2", "3") or finding.fault in BY_ITSELF
                wire, stderr = tuple(self._recorder.lines), self._recorder.stderr()
                yield CheckStep(number, title, finding, wire, stderr)
            else:
                yield CheckStep(number, title, finding)

    def _attempt(self, examine: Callable[[], Finding]) -> Finding:
        try:
            return examine()
        except SettingError as error:
            return Finding(str(error), StepResult.FAILED)

    def _plan(self) -> Iterator[tuple[str, str, Callable[[], Finding]]]:
        last = self.seats - 1
        yield "1", "has settings that can be read", self._read_settings
        yield "2", "builds", self._build
        yield "3", "starts, and waits to be asked", self._start
        yield "4", "makes the first turn of a match", lambda: self._answer(0, turns=1)
        yield "5", "answers when another has begun", lambda: self._answer(last, self.seats + 1)
        yield "6", "plays a whole match", lambda: self._play_on(0)
        yield "7", "plays a second match after the first", lambda: self._play_on(last)
        possible = [s for s in find_situations(self.game) if s.can_occur(self.options)]
        for number, situation in enumerate(possible, 1):
            yield f"8.{number}", f"copes with {situation.name}", self._cope_with(situation)
        yield TIME, "keeps to its time", self._judge_time
        yield CLOSING, "ends when its input ends", self._close

    # --- The steps ---

    def _read_settings(self) -> Finding:
        self._entrant = find_entrant(self.game, self.text)
        check_time(self.game, [self._entrant], self.turn_ns)
        program = self.program
        if program.folder is None:
            return Finding(shlex.join(program.run))
        language = f", {program.language}" if program.language else ""
        return Finding(f"{program.name}{language}: {shlex.join(program.run)}")

    def _build(self) -> Finding:
        if not self.program.build:
            return Finding("nothing to build")
        build = self.build(self.program)
        command = shlex.join(self.program.build)
        if build.failure is None:
            self._entrant = replace(self._entrant, program=build.program)
            how = "built before" if build.was_cached else f"{build.took_ns / 10**9:.1f} s"
            return Finding(f"{command}: {how}")
        self._recorder.add_complaint(build.output)
        advice = "Run the build command in the bot's folder until it works."
        return Finding(f"{command}: {build.failure}", StepResult.FAILED, advice)

    def _start(self) -> Finding:
        with closing(self._new_seat()) as seat:
            start = self.game.start(self.options, seats=self.seats)
            seat.begin(start, self.seats - 1, self.limits, (seat.name,) * self.seats)
            listen(seat, seat.is_ready, self.clock() + self.limits.start_ns, self.clock)
            is_ready = seat.is_ready()
            settled = self.clock() + self.times.settle_ns
            listen(seat, lambda: seat.is_ahead, settled, self.clock)
            failure = seat.answer.failure if seat.answer is not None else None
            failure = failure and seat.explain(failure)
        if failure is not None:
            saw = f"{failure.fault}: {failure.whole}"
            return Finding(saw, StepResult.FAILED, ADVICE[failure.fault])
        if not is_ready:
            saw = "it did not say what its protocol has it say at the start"
            return Finding(saw, StepResult.FAILED, ADVICE[Fault.TIMEOUT])
        if seat.is_ahead:
            return Finding("it runs, and writes before it is asked: that waits for the question")
        return Finding("it runs, and says nothing unasked")

    def _answer(self, place: int, turns: int) -> Finding:
        """The last turn of the bot among the first ones of a match."""
        with closing(self._new_seat()) as seat:
            match = self._play(self.options, seat, place, self._random, turns)
        found = self._failure(match, place)
        if found is not None:
            return found
        events = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
        turn = [event for event in events if place in event.ns][-1]
        return Finding(f"it played {turn.turns[place]} after {turn.ns[place] / 10**6:.0f} ms")

    def _play_on(self, place: int) -> Finding:
        """The first match or, with the same process, the second."""
        seat = self._kept or self._new_seat()
        self._kept = seat
        match = self._play(self.options, seat, place, self._random, LONGEST_MATCH)
        found = self._failure(match, place) or self._broken_off(match)
        if found is not None or place > 0:
            seat.close()
            self._kept = None
        against = f"against {self.game.bot_names[0]}: {match.outcome.reason}"
        warned = told_warnings(match, place)
        return found or Finding(f"{match.turns} turns {against}{warned}")

    def _cope_with(self, situation: Situation) -> Callable[[], Finding]:
        return lambda: self._bring_about(situation)

    def _bring_about(self, situation: Situation) -> Finding:
        options = situation.added_to(self.options)
        if situation.options:  # kernels of their own are not compiled in the bot's time
            use_rules(self.game, [options])
        seats = self.game.start(options).seats
        for attempt in range(ATTEMPTS):
            place = attempt % seats
            opponents: list[CheckOpponent] = []

            def add_opponent(
                seed: int, place: int = place, opponents: list[CheckOpponent] = opponents
            ) -> Seat:
                opponents.append(CheckOpponent(situation, place, seed, self.clock))
                return opponents[-1]

            with closing(self._new_seat()) as seat:
                match = self._play(options, seat, place, add_opponent, LONGEST_MATCH, seed=attempt)
            found = self._failure(match, place)
            if found is not None:
                return replace(found, advice=f"{situation.advice} {found.advice}")
            if opponents[0].seen_at is not None:
                where = f"match {attempt + 1} of this step, at turn {opponents[0].seen_at}"
                return Finding(f"it came up in {where}")
            found = self._broken_off(match)
            if found is not None:
                return found
        return Finding(
            f"it did not come up in the {ATTEMPTS} matches of this step", StepResult.UNSEEN
        )

    def _judge_time(self) -> Finding:
        if self.turn_ns is None:
            return Finding("there is no limit")
        slowest, limit = self._stopwatch.slowest_ns / 10**9, self.turn_ns / 10**9
        bank = self.limits.bank_ns / 10**9
        saw = f"the slowest turn took {slowest:.3f} s of {limit:g} s"
        if not self._is_too_slow:
            spent = (
                f"within the {bank:g} s more that a match has"
                if bank
                else "while this machine itself was late"
            )
            return Finding(saw + (f", {spent}" if slowest > limit else ""))
        advice = "Think for less than turn_ms says: the way to the arena and back takes time, too."
        if bank:
            saw += f", and one match used up the {bank:g} s more that it has"
        return Finding(saw, StepResult.FAILED, advice)

    def _close(self) -> Finding:
        dialogue = self.game.dialogue(self.program.protocol)
        briefing = Briefing(self.turn_ns, names=(self.program.name,) * self.seats)
        lines = dialogue.open(self.game.start(self.options, seats=self.seats), 0, briefing)
        program = with_words(self.program, dialogue.arguments(0, briefing))
        name = dialogue.spell_name(program.name)
        process = start_program(program, name, self.launch, dialogue.http_exchange())
        how, took = close_input(
            process, [*lines, *dialogue.leave()], self.times.closing_ns, self.clock
        )
        if how is not None:
            return Finding(f"{how} after {took / 10**6:.0f} ms")
        advice = "End the program when there is no line left to read, or it has to be killed."
        saw = f"it still ran {took / 10**9:.0f} s later"
        return Finding(saw, StepResult.FAILED, advice)

    # --- Matches ---

    def _new_seat(self) -> CheckedSeat:
        program = self.program
        told_name = self.game.dialogue(program.protocol).spell_name(program.name)
        seat = CheckedSeat(
            program.name,
            lambda *words: start_program(
                with_words(program, words),
                told_name,
                self.launch,
                self.game.dialogue(program.protocol).http_exchange(),
            ),
            lambda: new_dialogue(self.game, program),
            {"command": shlex.join(program.run)},
            self._recorder.hear,
        )
        seat.told_ns = self.turn_ns
        self._recorder.attach(seat)
        return seat

    def _random(self, seed: int) -> Seat:
        name = self.game.bot_names[0]
        return BotSeat(name, self.game.bots()[name], seed, self.clock)

    def _play(
        self,
        options: Options,
        seat: Seat,
        place: int,
        make_other: Callable[[int], Seat],
        turns: int,
        seed: int = 0,
    ) -> MatchResult:
        """One match with the bot at that place and others at all the rest."""
        count_of_seats = self.game.start(options).seats
        seats = [make_other(seed + n) if n != place else seat for n in range(count_of_seats)]
        limits = replace(self.limits, turns=turns)
        count = iter(range(turns + 2))

        def on_position(position: Position[Any]) -> None:
            self.on_turn(next(count, turns))

        def stop_slow(match: Match) -> None:
            """End the match as soon as the bot has become too slow for it."""
            excess = self._stopwatch.measure(match.events, place)
            if excess > 0 and excess > self.late_since(begin) and not match.is_over:
                match.stop()

        arbiter = Arbiter(
            self.game, options, seats, limits, self.clock, self.late_since, on_position, stop_slow
        )
        for _ in range(MOST_VOID):
            begin = self.clock()
            match = arbiter.play(seed)
            if not match.is_void:
                self._stopwatch.note(match, place, self.late_since(begin))
                return match
        raise ArbiterError(f"this machine was late in {MOST_VOID} matches in a row: try again")

    def _failure(self, match: MatchResult, place: int) -> Finding | None:
        """What the bot did wrong in a match, if anything."""
        for event in match.transcript.events:
            if isinstance(event, FaultEvent) and event.player == place:
                saw = f"turn {match.turns + 1}: {event.fault}: {event.whole}"
                if event.fault is Fault.TIMEOUT and self.turn_ns is not None:
                    saw += f" (the limit is {format_ns(self.turn_ns)}; {LONGER})"
                advice = ADVICE[event.fault]
                return Finding(saw, StepResult.FAILED, advice, match.transcript, event.fault)
        return None

    @property
    def _is_too_slow(self) -> bool:
        """Whether it is certain that the step about time will fail."""
        return self._stopwatch.excess_ns > 0

    def _broken_off(self, match: MatchResult) -> Finding | None:
        """What to say of a match that was ended because the bot is too slow, if it was."""
        if not self._is_too_slow:
            return None
        saw = f"broken off after {match.turns} turns: they take too long, see step {TIME}"
        return Finding(saw, StepResult.LEFT_OUT)
