"""The bots at a table with people: built-in ones think in an executor, programs in their threads.

All answers go to the session, which alone knows what the match makes of them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from agon.arbiter.seat import Answer
from agon.arena.people.party import BotPlayer
from agon.arena.people.programs import ProgramPlayer, ProgramStart

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from agon.arena.people.context import PlayContext
    from agon.arena.people.party import Party
    from agon.arena.people.programs import BotReports
    from agon.games.bot import Bot
    from agon.games.game import Outcome, Position
    from agon.match.match import Change
    from agon.match.transcript import Fault

HURRIED_NS = 20 * 10**6
"""How long a built-in bot thinks when no person plays any more."""


class MatchBots:
    """The bots of one match. Methods do not wait, and are called by one thread at a time."""

    def __init__(self, party: Party, seed: int, context: PlayContext, reports: BotReports) -> None:
        """Call `start` first, and `end` or `stop` last."""
        self._context = context
        self._reports = reports
        self._built_in: dict[int, Bot[Any]] = {}
        self._programs: dict[int, ProgramPlayer] = {}
        self._thoughts: dict[int, Future[None]] = {}
        for seat, player in enumerate(party.players):
            if not isinstance(player, BotPlayer):
                continue
            own_seed = seed * len(party.players) + seat
            if player.version_id is None:
                self._built_in[seat] = party.game.bot(player.built_in, own_seed)
            else:
                start = ProgramStart(
                    party.game,
                    seat,
                    party.names,
                    own_seed,
                    partial(context.find_entrant, player.version_id),
                    context.launch,
                    context.settings.limits,
                    context.clock,
                )
                self._programs[seat] = ProgramPlayer(start, reports)

    @property
    def programs(self) -> int:
        """How many there are; each says when it is ready."""
        return len(self._programs)

    def start(self, position: Position[Any]) -> None:
        for program in self._programs.values():
            program.start(position)

    def ask(
        self, seat: int, position: Position[Any], allowed_ns: int | None, *, is_watched: bool
    ) -> None:
        """Ask a bot for a turn. `is_watched`: a person still plays, so that it may take its time.

        `allowed_ns` is how long it may take; for a built-in bot the wait for a thread counts.
        """
        if seat in self._programs:
            self._programs[seat].ask(position, allowed_ns)
        else:
            deadline = None if allowed_ns is None else self._context.clock() + allowed_ns
            think = partial(self._think, seat, position, deadline, is_watched=is_watched)
            self._thoughts[seat] = self._context.executor.submit(think)

    def _think(
        self, seat: int, position: Position[Any], deadline: int | None, *, is_watched: bool
    ) -> None:
        try:
            clock, limits = self._context.clock, self._context.settings.limits
            begin = clock()
            if not is_watched:
                hurried = begin + HURRIED_NS
                deadline = hurried if deadline is None else min(deadline, hurried)
            budget = limits.budget(clock, deadline)
            turn = self._built_in[seat].choose(position, seat, budget)
            self._reports.on_answer(seat, position, Answer(turn), clock() - begin)
        except Exception as error:  # noqa: BLE001  the session logs it
            self._reports.on_error(error)

    def watch(self, position: Position[Any]) -> None:
        """The match begins here."""
        for program in self._programs.values():
            program.watch(position)

    def tell(self, change: Change, faults: Sequence[Fault | None]) -> None:
        """Tell the programs what was played; those that have failed are ended."""
        for seat, program in self._programs.items():
            if faults[seat] is not None:
                program.end(None)
            elif change.turns:
                program.tell(change)

    def end(self, outcome: Outcome | None) -> None:
        for program in self._programs.values():
            program.end(outcome)

    def stop(self) -> None:
        """Kill the programs."""
        for program in self._programs.values():
            program.stop()

    def pending(self) -> list[Future[None]]:
        """What still runs after `end` or `stop`."""
        ends = [program.ended for program in self._programs.values()]
        return [*self._thoughts.values(), *(one for one in ends if one is not None)]
