"""Drives the `Match` of a session: whose turn it is, who is late, what the bots answer.

Nothing here waits. A call brings a turn, a resignation, the end of a person's patience or a bot's
answer; it changes the match under the session's lock and carries on as far as that goes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import format_ns
from agon.arena.people.bots import MatchBots
from agon.arena.people.party import Person
from agon.arena.people.programs import BotReports
from agon.errors import AgonError
from agon.games.reasons import format_failure
from agon.match.result import Failure
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from threading import RLock

    from agon.arbiter.seat import Answer
    from agon.arena.people.context import PlayContext
    from agon.arena.people.party import Party
    from agon.games.game import JsonObject, Position
    from agon.match.match import Change, Match

RESIGNED = Failure(Fault.RESIGNED)


@dataclass(frozen=True, slots=True)
class RunnerEvents:
    """What the session is told, with the lock held."""

    on_start: Callable[[], None]
    """All players are ready."""
    on_change: Callable[[], None]
    on_end: Callable[[], None]
    """The match is over."""
    on_error: Callable[[Exception], None]
    """Something failed that is no fault of a player: the match cannot go on."""


class PlayRunner:
    """The match of a session. Call its methods with the lock held."""

    def __init__(
        self, party: Party, match: Match, context: PlayContext, lock: RLock, events: RunnerEvents
    ) -> None:
        """A new match, or one that goes on from its events; `start` it."""
        self.match = match
        self._party = party
        self._context = context
        self._lock = lock
        self._events = events
        self._bots: MatchBots | None = None
        self._ready: dict[int, tuple[Failure | None, JsonObject]] = {}
        self._is_running = False
        self._asked: dict[int, int] = {}
        """When each seat that owes a turn was asked."""
        self._thinking: set[int] = set()
        """The bots that have been asked and have not answered."""

    @property
    def owed(self) -> tuple[int, ...]:
        """The seats whose turns are awaited; none before the start and after the end."""
        return self.match.owed if self._is_running else ()

    def is_person(self, seat: int) -> bool:
        return isinstance(self._party.players[seat], Person)

    # --- what the session tells ---

    def start(self) -> None:
        """Start the bots; when they are ready, the match begins."""
        self._try(self._start_bots)

    def submit(self, seat: int, turn: Any) -> None:
        """A person's turn, which is legal."""
        self.match.submit(seat, turn, self._context.clock() - self._asked[seat])
        self._try(self._advance)

    def resign(self, seat: int) -> None:
        """A person gives up, in turn or out of turn."""
        change = self.match.drop({seat: RESIGNED})
        self._try(lambda: self._advance(change))

    def check_patience(self) -> None:
        """Fail the people who have had all the time that there is for a turn."""
        patience_ns, now = self._context.settings.patience_ns, self._context.clock()
        people = [seat for seat in self.owed if self.is_person(seat)]
        late = [seat for seat in people if now - self._asked[seat] > patience_ns]
        for seat in late:
            failure = Failure(Fault.TIMEOUT, f"no turn within {format_ns(patience_ns)}")
            self.match.fail(seat, failure, now - self._asked[seat])
        if late:
            self._try(self._advance)

    def stop(self) -> None:
        """Give up the match as it stands, and kill the programs."""
        self._is_running = False
        if self._bots is not None:
            self._bots.stop()

    def pending(self) -> list[Future[None]]:
        """What still runs after the end."""
        return [] if self._bots is None else self._bots.pending()

    # --- how it goes on ---

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001  the request that led here is not to blame
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.stop()
        self._events.on_error(error)

    def _start_bots(self) -> None:
        reports = BotReports(self._on_ready, self._on_answer, self._on_error)
        self._bots = MatchBots(self._party, self.match.setup.seed, self._context, reports)
        self._bots.start(self.match.position)
        if not self._bots.programs:
            self._begin({})

    def _begin(self, failures: Mapping[int, Failure]) -> None:
        self._is_running = True
        self._events.on_start()
        change = self.match.drop(failures) if failures else None
        if self._bots is not None:
            self._bots.watch(self.match.position)
        self._advance(change)

    def _advance(self, first: Change | None = None) -> None:
        """After this change, carry the match on until a turn is owed, or to its end."""
        if first is not None:
            self._after(first)
        for change in self.match.changes():
            self._after(change)
        if not self.match.is_over:
            self._ask()
        elif self._is_running:
            self._is_running = False
            if self._bots is not None:
                self._bots.end(self.match.outcome)
            self._events.on_end()

    def _after(self, change: Change) -> None:
        """Tell of a change. A match with one player left is stopped, whatever the game says."""
        match = self.match
        if not match.is_over and len(match.staying) <= 1:
            failed = enumerate(match.faults)
            match.stop(", ".join(format_failure(seat, fault) for seat, fault in failed if fault))
        if change.turns:
            self._asked.clear()
        if self._bots is not None:
            self._bots.tell(change, match.faults)
        self._events.on_change()

    def _ask(self) -> None:
        """Ask the seats that owe a turn; people see it on their pages."""
        match, now = self.match, self._context.clock()
        is_watched = any(map(self.is_person, match.staying))
        for seat in match.owed:
            self._asked.setdefault(seat, now)
            if self._bots is not None and not self.is_person(seat) and seat not in self._thinking:
                self._thinking.add(seat)
                allowed_ns = match.clocks[seat].allowed_ns
                self._bots.ask(seat, match.position, allowed_ns, is_watched=is_watched)

    # --- what bots report, in their threads ---

    def _on_ready(self, seat: int, failure: Failure | None, entry: JsonObject) -> None:
        """A program has started, or failed to; when all have, the match begins."""
        with self._lock:
            self._ready[seat] = failure, entry
            if self._bots is not None and len(self._ready) == self._bots.programs:
                self._try(self._begin_with_programs)

    def _begin_with_programs(self) -> None:
        setup = self.match.setup
        players = [*setup.players]
        for seat, (_, entry) in self._ready.items():
            players[seat] = entry
        self.match = self._context.settings.new_match(replace(setup, players=tuple(players)))
        self._begin({seat: failure for seat, (failure, _) in self._ready.items() if failure})

    def _on_answer(self, seat: int, asked: Position[Any], answer: Answer, took: int) -> None:
        """A bot's answer. If another seat was dropped meanwhile, it counts where it is legal."""
        with self._lock:
            self._thinking.discard(seat)
            if seat not in self.owed:
                return
            if answer.failure is not None:
                self.match.fail(seat, answer.failure, took)
            elif self._still_stands(seat, asked, answer.turn):
                self.match.submit(seat, answer.turn, took, answer.warnings)
            self._try(self._advance)

    def _still_stands(self, seat: int, asked: Position[Any], turn: Any) -> bool:
        position = self.match.position
        if position is asked:
            return True
        try:
            position.parse_turn(seat, asked.format_turn(seat, turn))
        except AgonError:
            return False
        return position.turn == asked.turn

    def _on_error(self, error: Exception) -> None:
        with self._lock:
            self._fail(error)
