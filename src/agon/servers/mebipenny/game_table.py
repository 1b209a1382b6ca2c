"""One game on the server, from when it is made until it can no longer be viewed.

    initiating ── the last seat is taken ──► in play ── the end, or a fault ──► completed
        │
        └── no request is held in it for an hour: given up

While seats are free nothing is dealt, and no position is kept: it follows from the seed. When the
game is over only its last view is kept.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from agon.games.http_exchange import RefusedError, encode
from agon.games.mebipenny.game import GAME
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.mebipenny.wire import GameState, WirePlayer, format_delta, format_game
from agon.match.match import Match
from agon.servers.mebipenny.game_in_play import GameInPlay, SeatedPlayer
from agon.servers.mebipenny.match_store import FinishedGame
from agon.servers.mebipenny.observers import Observer
from agon.servers.mebipenny.public_position import public_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.live_matches import LiveMatch, Stage
    from agon.games.game import JsonObject
    from agon.games.http_exchange import HttpReply, Leave, Respond
    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.match.match import Change
    from agon.servers.mebipenny.deadlines import Deadlines
    from agon.servers.mebipenny.observers import Wrapper
    from agon.servers.mebipenny.settings import MebiPennySettings


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a table needs from outside."""

    settings: MebiPennySettings
    clock: Callable[[], int]
    """Nanoseconds that only rise."""
    calendar: Callable[[], int]
    """Nanoseconds since 1970."""
    deadlines: Deadlines
    stage: Stage | None = None
    """Shows live matches to spectators; None: there is no website."""


class GameTable:
    """A game, its players and its observers."""

    def __init__(
        self,
        options: MebiPennyOptions,
        seed: int,
        around: Surroundings,
        on_end: Callable[[GameTable, FinishedGame], None],
        delay_ns: int = 0,
    ) -> None:
        """All seats are free; `on_end` is called when the game is completed."""
        self.id = secrets.token_hex(8)
        self.options = options
        self.seats = options.seats_for(None)
        self.seed = seed
        self.state = GameState.INITIATING
        self.live: LiveMatch | None = None
        self.observers: set[Observer] = set()
        self._around = around
        self._on_end = on_end
        self._delay_ns = delay_ns
        self._joined: list[SeatedPlayer] = []
        self._play: GameInPlay | None = None
        self._view: bytes | None = None

    @property
    def cells(self) -> int:
        """The size of the board."""
        return self.options.rows * self.options.cols

    @property
    def is_empty(self) -> bool:
        return not self._joined

    @property
    def is_awaited(self) -> bool:
        """Whether a player's request is held here until the game begins."""
        return any(player.is_held for player in self._joined)

    @property
    def in_play(self) -> GameInPlay | None:
        """The turns, while the game is in play."""
        return self._play

    def view(self) -> bytes:
        """The Game object as observers see it."""
        if self._view is None:
            self._view = encode(self._game())
        return self._view

    def _game(self) -> JsonObject:
        if self._play is not None:
            return self._play.game(None)
        return format_game(self._start(), [one.player for one in self._joined], None)

    def _start(self) -> MebiPennyPosition:
        return GAME.start(self.options, self.seed)

    def join(self, name: str, respond: Respond) -> Leave:
        """Take a seat; the answer comes at the player's first turn."""
        if self.state is not GameState.INITIATING:
            raise RefusedError(
                410, f"game {self.id} is {self.state.value}: expected one with free seats"
            )
        joined = SeatedPlayer(WirePlayer(secrets.token_hex(8), name))
        leave = joined.hold(respond)
        self._joined.append(joined)
        self._view = None
        if len(self._joined) == self.seats:
            self._begin()
        elif self.observers:
            self._tell(_arrivals(format_game(self._start(), [joined.player], None)))
        return leave

    def _begin(self) -> None:
        """R4, R5: draw who sits where, deal, and ask the first."""
        self._joined = [self._joined[number] for number in draw_order(self.seed, self.seats)]
        names = tuple(one.player.name for one in self._joined)
        begin_ns = self._around.calendar()
        match = Match.start(
            GAME, [{"name": name, "kind": "guest"} for name in names], self.options, self.seed
        )
        self.state = GameState.IN_PLAY
        if self._around.stage is not None:
            shown = public_view(MebiPennyPosition.of(match.position))
            self.live = self._around.stage.begin(GAME, names, shown, begin_ns)
        self._play = GameInPlay(
            match,
            self._joined,
            begin_ns,
            self._around.settings.turn_ns,
            self._around.clock,
            self._around.deadlines,
            self._changed,
            self._ended,
            self._delay_ns,
        )
        if self.observers:
            self._tell(_arrivals(self._play.game(None)))
        self._play.begin()

    def move(self, token: bytes | None, body: bytes, respond: Respond) -> Leave:
        """The player with this token moves; see `GameInPlay.move`."""
        if self.state is GameState.INITIATING:
            raise RefusedError(403, f"game {self.id} has not begun: no move is expected yet")
        if self._play is None:
            raise RefusedError(410, f"game {self.id} is completed: no move is expected any more")
        return self._play.move(token, body, respond)

    def observe(self, wrapper: Wrapper) -> Observer:
        """A new observer."""
        observer = Observer(wrapper, self.view(), self._around.settings.observer_bytes)
        if self.state is GameState.COMPLETED:
            observer.end()
        else:
            self.observers.add(observer)
        return observer

    def leave(self, observer: Observer) -> None:
        self.observers.discard(observer)

    def _tell(self, document: JsonObject) -> None:
        encoded = encode(document)
        for observer in self.observers:
            observer.tell(encoded)

    def _changed(self, change: Change) -> None:
        """A turn was played, or a player disqualified."""
        before, after = MebiPennyPosition.of(change.before), MebiPennyPosition.of(change.after)
        self._view = None
        if self.live is not None:
            self.live.show(public_view(after))
        if self.observers and self._play is not None:
            self._tell(format_delta(before, after, self._play.players, None))

    def _ended(self) -> None:
        """Keep the last view, and forget the rest."""
        if self._play is None:
            return
        self._view = None
        self.view()
        match, begin_ns = self._play.match, self._play.begin_ns
        finished = FinishedGame(match.result(), begin_ns, self._around.calendar(), self.live)
        self._dismiss()
        self._on_end(self, finished)

    def give_up(self, reply: HttpReply) -> None:
        """End the game without a result; requests that are held get this reply."""
        if self._play is not None:
            self._play.stop()
            if self.live is not None:
                self.live.end(None)
        for player in self._joined:
            player.answer(reply)
        self._dismiss()

    def _dismiss(self) -> None:
        self.state = GameState.COMPLETED
        observers, self.observers = self.observers, set()
        for observer in observers:
            observer.end()
        self._joined = []
        self._play = None


def draw_order(seed: int, seats: int) -> list[int]:
    """The seats: for each, the number of the player in order of joining. Follows from the seed."""
    order = [*range(seats)]
    Random(f"seats of {seed}").shuffle(order)  # noqa: S311  wanted to be the same again
    return order


def _arrivals(game: JsonObject) -> JsonObject:
    """The Delta about new players, for observers who know the board of this Game."""
    return {key: game[key] for key in ("draw_size", "players", "state")} | {"claims": []}
