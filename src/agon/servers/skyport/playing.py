"""One match from its first gamestate to its last: lines in, lines out, and no I/O.

What clients are told, in this order:

1. When all seats are taken: gamestate 0, to all. Loadouts count until turn 1, also those that came
   earlier; turn 1 comes when all are there, or after the start delay.
2. Each turn: the gamestate, to all. The turn ends with its third action, a valid shot or a pass,
   or when the time is over.
3. Then, at once: endturn and every action that was carried out, to all; after that, to the one who
   acted, an error for each of its actions that was refused; and the next gamestate.
4. What is no action of a turn (no JSON, another message, an action of somebody whose turn it is
   not, or too late) is answered by an error at once, when it is read.
5. After the last turn the last gamestate, to all; then the connections are closed. When the time
   of the match is over, the last turn is the one with which all have had as many.

Who hangs up is out (R19): nobody waits for it, it stays on the board and pays. What it had sent of
its turn until then counts. There is no clock here: `patience_ns` says how long to wait for what is
due, and `time_is_over` that this time has passed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agon.errors import ProtocolError
from agon.games.skyport import wire
from agon.games.skyport.game import GAME
from agon.match.result import MatchResult
from agon.match.transcript import Fault, FaultEvent, Transcript, TurnEvent
from agon.servers.skyport.client import format_news

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.game import Json, JsonObject
    from agon.games.skyport.position import SkyportPosition
    from agon.match.transcript import Event
    from agon.servers.skyport.client import Client, ClientNews
    from agon.servers.skyport.settings import SkyportSettings

HUNG_UP = "it hung up"


class Playing:
    """A match under way."""

    def __init__(
        self,
        guests: Sequence[Client],
        settings: SkyportSettings,
        seed: int,
        clock: Callable[[], int],
    ) -> None:
        """These guests by seat; the clock, in nanoseconds, only measures how long they thought."""
        self.guests = tuple(guests)
        self.names = tuple(guest.name for guest in guests)
        self.seed = seed
        self.position: SkyportPosition = GAME.start(settings.options, seed, len(guests))
        self.step = 0
        """Rises whenever something new is due; time that was over for another step is not meant."""
        self.on_position: Callable[[SkyportPosition], None] = _nobody_watches
        self._settings = settings
        self._clock = clock
        self._events: list[Event] = []
        self._faults: list[Fault | None] = [None] * len(guests)
        self._thought = [0] * len(guests)
        self._slowest = [0] * len(guests)
        self._took: dict[int, int] = {}
        self._asked_at = 0
        self._is_shown = False
        for seat, guest in enumerate(guests):
            guest.playing, guest.seat = self, seat

    @property
    def is_over(self) -> bool:
        """Whether the last gamestate has been sent."""
        return self.position.outcome is not None and self._is_shown

    @property
    def patience_ns(self) -> int:
        """How long to wait for what is due in this step, from when the gamestate was sent."""
        return self._settings.think_ns if self.position.turn else self._settings.start_delay_ns

    def begin(self) -> None:
        """Send the first gamestate."""
        self._go_on()

    def hear(self, guest: Client, line: str) -> None:
        """A client said something."""
        if guest.take(line):
            self._stop_clock(guest.seat)
            self._go_on()

    def time_is_over(self, step: int) -> None:
        """The time for this step is over: what is there counts."""
        if step != self.step or self.is_over:
            return
        for seat in self._owing():
            self.guests[seat].session.is_asked = False
            self._stop_clock(seat)
        self._go_on()

    def match_time_is_over(self) -> None:
        """R18: the round that is under way is the last.

        The record is that of a match with so many turns: by it nothing else is different.
        """
        if self.position.outcome is None:
            self.position = self.position.in_last_round()

    def leave(self, guest: Client, fault: Fault = Fault.CRASH, detail: str = HUNG_UP) -> None:
        """A client cannot say anything any more, because of this."""
        if self._faults[guest.seat] is not None or self.position.outcome is not None:
            return
        if guest.seat in self._owing() and self.position.turn and guest.session.has_begun_turn:
            guest.session.is_asked = False
            self._stop_clock(guest.seat)
            self._play()
        if self.position.outcome is None:
            self._drop(guest.seat, fault, detail)
        self._go_on()

    def setup(self) -> Transcript:
        """The match without its events."""
        players: tuple[JsonObject, ...] = tuple(
            {"name": name, "kind": "guest"} for name in self.names
        )
        return Transcript(GAME, self.position.options, self.seed, players)

    def events(self, first: int = 0) -> list[Event]:
        """What has happened, from the event of that number on."""
        return self._events[first:]

    def match(self) -> MatchResult:
        """The record of the match, with the lines that were exchanged."""
        if self.position.outcome is None:
            raise ProtocolError("the match is not over")
        logs: list[Json] = [[*guest.log] for guest in self.guests]
        transcript = replace(
            self.setup(),
            events=tuple(self._events),
            outcome=self.position.outcome,
            extra={"wire": logs},
        )
        return MatchResult(
            transcript,
            self.position.outcome,
            tuple(self._faults),
            tuple(self._thought),
            tuple(self._slowest),
        )

    def _go_on(self) -> None:
        """Play for as long as nobody has to be waited for."""
        while True:
            if not self._is_shown:
                self._show()
            if self.position.outcome is not None:
                break
            if self._owing():
                return
            self._play()
        for guest in self.guests:
            guest.link.finish()

    def _owing(self) -> list[int]:
        """The seats that are waited for."""
        due = [seat for seat in self.position.to_act if seat not in self.position.forced]
        return [seat for seat in due if self.guests[seat].session.is_asked]

    def _show(self) -> None:
        """The gamestate to all; whoever has to act, and has not yet, is asked with it."""
        position, self._is_shown = self.position, True
        self.step += 1
        self._took = {}
        self._tell_all(format_news([wire.gamestate(position, self.names)]))
        for seat, guest in enumerate(self.guests):
            is_due = seat in position.to_act and seat not in position.forced
            guest.session.show(position, is_due)
        self._asked_at = self._clock()

    def _play(self) -> None:
        """Carry out what all seats have sent that were to act, and tell what came of it."""
        before = self.position
        turns = {
            seat: before.forced[seat] if seat in before.forced else self.guests[seat].session.turn
            for seat in before.to_act
        }
        texts = {seat: before.format_turn(seat, turn) for seat, turn in turns.items()}
        ns = {seat: self._took.get(seat, 0) for seat in turns if seat not in before.forced}
        self._events.append(TurnEvent(texts, ns))
        self.position = before.play(turns)
        self._is_shown = False
        self.on_position(self.position)
        if before.turn:
            self._tell_end_of_turn(before.to_act[0])

    def _tell_end_of_turn(self, actor: int) -> None:
        deeds, name = self.position.deeds, self.names[actor]
        others = format_news(wire.end_of_turn(deeds, name, own=False))
        self._tell_all(others, but=actor)
        is_same = all(deed.refusal is None for deed in deeds)
        own = others if is_same else format_news(wire.end_of_turn(deeds, name, own=True))
        self.guests[actor].tell(own)

    def _tell_all(self, news: ClientNews, but: int | None = None) -> None:
        for seat, guest in enumerate(self.guests):
            if seat != but:
                guest.tell(news)

    def _stop_clock(self, seat: int) -> None:
        took = max(0, self._clock() - self._asked_at)
        self._took[seat] = took
        self._thought[seat] += took
        self._slowest[seat] = max(self._slowest[seat], took)

    def _drop(self, seat: int, fault: Fault, detail: str) -> None:
        """R19: the seat is out; if all are, the match is over, and its end has yet to be shown."""
        self._faults[seat] = fault
        self._events.append(FaultEvent(seat, fault, detail))
        self.position = self.position.drop({seat: fault.value})
        self.on_position(self.position)
        if self.position.outcome is not None:
            self._is_shown = False


def _nobody_watches(position: SkyportPosition) -> None:
    """For matches without a spectator."""
