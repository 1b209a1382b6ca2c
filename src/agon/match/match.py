"""One match: which seats owe a turn, what has happened, how it ended. No I/O and no clock.

Everything that plays drives this object, and it alone makes events. A driver owns pipes, sockets,
pages and clocks:

    while not match.is_over:
        for seat in match.owed:                     # ask, wait
            match.submit(seat, turn, elapsed_ns)    # or match.fail(seat, failure, elapsed_ns)
        for change in match.changes():
            ...                                     # tell seats and spectators

1. Each seat in `owed` answers once: with a turn or with a failure. When all have answered,
   `advance` drops those that failed, all at once; after that other seats may owe a turn. If none
   does, it plays the turns. A turn that was submitted stays valid when another seat is dropped.
2. `drop` takes seats out at once, in turn or out of turn: a person resigns, a client disconnects.
   A turn that such a seat had submitted and that was not played yet is discarded.
3. Turns in `Position.forced` are played by `advance`; those seats are not asked.
4. After `turn_limit` turns, or by `stop`, a match ends without a winner. `void` ends it without an
   outcome, because the arena failed and not a seat.
5. `Match(transcript)` stands where the transcript ends and goes on from there.
6. A call that is not allowed raises SettingError and changes nothing. If the rules refuse a
   submitted turn, `advance` raises IllegalMoveError, records nothing, and the seats owe their turns
   again: turns from outside go through `Position.parse_turn` before they are submitted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agon.errors import AgonError, SettingError
from agon.games.game import Outcome
from agon.match.clock import SeatClock, TimeControl
from agon.match.result import MatchResult
from agon.match.transcript import (
    FaultEvent,
    LimitEvent,
    Transcript,
    TurnEvent,
    outcome_of_limit,
    replay,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from agon.games.game import Game, JsonObject, Options, Position
    from agon.match.result import Failure
    from agon.match.transcript import Event, Fault


class Change(NamedTuple):
    """One step of a match; `turns` is empty if seats were dropped or the match was stopped."""

    before: Position[Any]
    turns: Mapping[int, Any]
    after: Position[Any]


class _Submitted(NamedTuple):
    turn: Any
    elapsed_ns: int
    warnings: Sequence[str]


class Match:
    """A match under way, or over. Not for several threads at once."""

    position: Position[Any]
    owed: tuple[int, ...]
    """The seats whose answers are awaited. Empty: call `advance`, unless the match is over."""
    is_over: bool
    """Whether nothing can happen any more."""

    def __init__(
        self, setup: Transcript, time: TimeControl | None = None, turn_limit: int | None = None
    ) -> None:
        """Begin, or go on after the events of this transcript."""
        self.setup = replace(setup, events=(), outcome=None)
        self.turn_limit = turn_limit
        self.events: list[Event] = []
        """All that has happened. It only grows."""
        self.faults: list[Fault | None] = [None for _ in setup.players]
        self.clocks = [SeatClock.full(time or TimeControl()) for _ in setup.players]
        self.turns_played = 0
        self.void_reason: str | None = None
        self._turns: dict[int, _Submitted] = {}
        self._failures: dict[int, Failure] = {}
        for event, position in replay(setup):
            self.position = position
            if event is not None:
                self._remember(event)
        self.is_over = not self.position.to_act
        self.owed = self._find_owed()

    @classmethod
    def start(
        cls,
        game: Game,
        players: Sequence[str | JsonObject],
        options: Options | None = None,
        seed: int = 0,
        time: TimeControl | None = None,
        turn_limit: int | None = None,
    ) -> Self:
        """A new match of these players by seat: their names, or what the transcript says of each.

        >>> from agon.games.registry import find_game
        >>> match = Match.start(find_game("hive"), ["ada", "bob"])
        >>> match.submit(0, match.position.parse_turn(0, "wS1"))
        >>> [list(change.turns) for change in match.changes()], match.owed, match.turns_played
        ([[0]], (1,), 1)
        """
        entries: tuple[JsonObject, ...] = tuple(
            {"name": player} if isinstance(player, str) else player for player in players
        )
        setup = Transcript(game, options or game.options(), seed, entries)
        return cls(setup, time, turn_limit)

    # --- what a driver asks ---

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None: it goes on, or is void."""
        return self.position.outcome if self.void_reason is None else None

    @property
    def staying(self) -> list[int]:
        """The seats that have not failed."""
        return [seat for seat, fault in enumerate(self.faults) if fault is None]

    def transcript(self) -> Transcript:
        """The match so far."""
        return replace(self.setup, events=tuple(self.events), outcome=self.outcome)

    def result(self, late_ns: int = 0) -> MatchResult:
        """What is kept of a match that is over."""
        if not self.is_over:
            raise SettingError("the match goes on: it has no result yet")
        return MatchResult(
            self.transcript(),
            self.outcome or Outcome((0,) * len(self.faults), self.void_reason or "void"),
            tuple(self.faults),
            tuple(clock.thought for clock in self.clocks),
            tuple(clock.slowest for clock in self.clocks),
            late_ns,
            self.void_reason is not None,
        )

    # --- what a driver tells ---

    def submit(
        self, seat: int, turn: Any, elapsed_ns: int = 0, warnings: Sequence[str] = ()
    ) -> None:
        """The seat's turn, legal and of the game's own type, as `Position.parse_turn` gives it."""
        self._answer(seat, elapsed_ns)
        self._turns[seat] = _Submitted(turn, elapsed_ns, warnings)

    def fail(self, seat: int, failure: Failure, elapsed_ns: int = 0) -> None:
        """The seat has no turn. It is dropped when all seats that were asked have answered."""
        self._answer(seat, elapsed_ns)
        self._failures[seat] = failure

    def changes(self) -> Iterator[Change]:
        """Advance until a seat owes a turn or the match is over: each change as it is made."""
        while not self.owed and not self.is_over:
            yield self.advance()

    def advance(self) -> Change:
        """Make one change that needs no more answers: drop, play, or stop at the turn limit."""
        if self.owed or self.is_over:
            raise SettingError("nothing to do: a turn is owed, or the match is over")
        if self._failures:
            return self.drop(self._failures)
        if self.turns_played == self.turn_limit:
            return self.stop()
        return self._play()

    def drop(self, failures: Mapping[int, Failure]) -> Change:
        """Take these seats out now; in the record they stand in the order of seats."""
        self._check_running()
        dropped = dict(sorted(failures.items()))
        wrong = [seat for seat in dropped if seat not in self.staying]
        if wrong or not dropped:
            raise SettingError(f"seats {wrong}: expected some of {self.staying}, which still play")
        before = self.position
        after = before.drop({seat: failure.fault.value for seat, failure in dropped.items()})
        for seat, failure in dropped.items():
            self.faults[seat] = failure.fault
            self._turns.pop(seat, None)
            self.events.append(FaultEvent(seat, failure.fault, failure.detail, said=failure.said))
        self._failures = {s: f for s, f in self._failures.items() if s not in dropped}
        return self._change(before, {}, after)

    def stop(self, reason: str | None = None) -> Change:
        """End it here without a winner; None: because all its turns are played."""
        self._check_running()
        before = self.position
        self.events.append(LimitEvent({} if reason is None else {"reason": reason}))
        after = before.stop(outcome_of_limit(before.seats, self.events))
        return self._change(before, {}, after)

    def void(self, reason: str = "void", seat: int | None = None, elapsed_ns: int = 0) -> None:
        """The arena failed: there is no outcome, and no seat has lost.

        If that came out when a seat had taken its turn, the seat is charged for its time.
        """
        self._check_running()
        if seat is not None:
            self._answer(seat, elapsed_ns)
        self.void_reason = reason
        self.is_over = True
        self.owed = ()

    def change_options(self, options: Options) -> None:
        """From now on this is, from its start, a match with these options.

        Only options that the position can change: see `Position.with_options`.
        """
        self._check_running()
        after = self.position.with_options(options)
        self.setup = replace(self.setup, options=options)
        self._change(self.position, {}, after)

    # --- inside ---

    def _remember(self, event: Event) -> None:
        """Count an event of the transcript that the match goes on from."""
        self.events.append(event)
        if isinstance(event, TurnEvent):
            self.turns_played += 1
            for seat, taken in event.ns.items():
                self.clocks[seat].charge(taken)
        elif isinstance(event, FaultEvent):
            self.faults[event.player] = event.fault

    def _check_running(self) -> None:
        if self.is_over:
            raise SettingError("the match is over")

    def _answer(self, seat: int, elapsed_ns: int) -> None:
        if seat not in self.owed:
            owing = ", ".join(map(str, self.owed)) or "none"
            raise SettingError(f"seat {seat} owes no turn: the seats that do are {owing}")
        if elapsed_ns < 0:
            raise SettingError(f"elapsed {elapsed_ns} ns: expected 0 or more")
        self.clocks[seat].charge(elapsed_ns)
        self.owed = () if len(self.owed) == 1 else tuple(s for s in self.owed if s != seat)

    def _find_owed(self) -> tuple[int, ...]:
        if self.turns_played == self.turn_limit:
            return ()
        to_act, forced = self.position.to_act, self.position.forced
        if not (forced or self._turns or self._failures):
            return to_act
        return tuple(
            seat
            for seat in to_act
            if seat not in forced and seat not in self._turns and seat not in self._failures
        )

    def _play(self) -> Change:
        """Play the turns of all seats that owe one."""
        before, submitted = self.position, self._turns
        forced = before.forced
        turns: dict[int, Any] = {}
        texts, ns = {}, {}
        warned: JsonObject = {}
        try:
            for seat in before.to_act:
                if seat in forced:
                    turns[seat] = forced[seat]
                else:
                    turns[seat], ns[seat], warnings = submitted[seat]
                    if warnings:
                        warned[str(seat)] = [*warnings]
                texts[seat] = before.format_turn(seat, turns[seat])
            after = before.play(turns)
        except AgonError:
            self._turns = {}
            self.owed = self._find_owed()
            raise
        self._turns = {}
        self.events.append(TurnEvent(texts, ns, {"warnings": warned} if warned else {}))
        self.turns_played += 1
        return self._change(before, turns, after)

    def _change(
        self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]
    ) -> Change:
        self.position = after
        self.is_over = not after.to_act
        self.owed = self._find_owed()
        return Change(before, turns, after)
