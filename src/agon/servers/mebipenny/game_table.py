"""One game on the server, from when it is made until it can no longer be viewed.

    initiating ── the last seat is taken ──► in play ── the end, or a fault ──► completed
        │         (and programs have started)
        │
        └── no request is held in it for an hour: given up

While seats are free nothing is dealt, and no position is kept: it follows from the seed. When the
game is over only its last view is kept.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from agon.arena.people.party import Party, Person
from agon.arena.people.programs import BotReports
from agon.errors import SettingError
from agon.games.http_exchange import RefusedError, encode
from agon.games.mebipenny.game import GAME
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.mebipenny.wire import GameState, WirePlayer, format_delta, format_game
from agon.match.match import Match
from agon.servers.match_store import FinishedMatch
from agon.servers.mebipenny.game_in_play import GameInPlay, SeatedPlayer
from agon.servers.mebipenny.observers import Observer
from agon.servers.mebipenny.public_position import public_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.seat import Answer
    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.arena.people.bots import MatchBots
    from agon.arena.people.party import BotPlayer
    from agon.games.game import JsonObject, Position
    from agon.games.http_exchange import HttpReply, Leave, Respond
    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.match.match import Change
    from agon.match.result import Failure
    from agon.servers.deadlines import Deadlines
    from agon.servers.mebipenny.observers import Wrapper
    from agon.servers.mebipenny.settings import MebiPennySettings
    from agon.servers.practice_bots import PracticeBots


@dataclass(frozen=True, slots=True)
class TableContext:
    """What a table needs from outside."""

    settings: MebiPennySettings
    clock: Callable[[], int]
    """Nanoseconds that only rise."""
    calendar: Callable[[], int]
    """Nanoseconds since 1970."""
    deadlines: Deadlines
    live_matches: LiveMatches | None = None
    """Shows live matches to spectators; None: there is no website."""
    practice_bots: PracticeBots | None = None
    """The bots that clients can play against; None: there are none."""


class GameTable:
    """A game, its players and its observers."""

    def __init__(
        self,
        options: MebiPennyOptions,
        seed: int,
        context: TableContext,
        on_end: Callable[[GameTable, FinishedMatch], None],
        on_trouble: Callable[[GameTable, Exception], None],
        delay_ns: int = 0,
    ) -> None:
        """All seats are free; `on_end` is called when the game is completed.

        `on_trouble` is called when a practice bot cannot play, through no fault of a player.
        """
        self.id = secrets.token_hex(8)
        self.options = options
        self.seats = options.seats_for(None)
        self.seed = seed
        self.state = GameState.INITIATING
        self.live: LiveMatch | None = None
        self.observers: set[Observer] = set()
        self.bots: list[str] = []
        """The names of the practice bots in it."""
        self._context = context
        self._on_end = on_end
        self._on_trouble = on_trouble
        self._delay_ns = delay_ns
        self._joined: list[SeatedPlayer] = []
        self._play: GameInPlay | None = None
        self._bots: MatchBots | None = None
        self._ready: dict[int, Failure | None] = {}
        """The seats whose programs have started, or failed to."""
        self._view: bytes | None = None

    @property
    def cells(self) -> int:
        """The size of the board."""
        return self.options.rows * self.options.cols

    @property
    def is_empty(self) -> bool:
        """Whether no client has joined."""
        return all(player.bot is not None for player in self._joined)

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
        if self.state is not GameState.INITIATING or len(self._joined) == self.seats:
            told = "full" if self.state is GameState.INITIATING else self.state.value
            raise RefusedError(410, f"game {self.id} is {told}: expected one with free seats")
        joined = SeatedPlayer(WirePlayer(secrets.token_hex(8), name))
        leave = joined.hold(respond)
        self._seat(joined)
        return leave

    def join_bot(self, bot: BotPlayer) -> None:
        """A practice bot takes a seat."""
        self.bots.append(bot.name)
        self._seat(SeatedPlayer(WirePlayer(secrets.token_hex(8), bot.name), bot))

    def _seat(self, joined: SeatedPlayer) -> None:
        self._joined.append(joined)
        self._view = None
        if len(self._joined) == self.seats:
            self._fill_up()
        elif self.observers:
            self._tell(_arrivals(format_game(self._start(), [joined.player], None)))

    def _fill_up(self) -> None:
        """R4: draw who sits where; then begin, when the programs among the players are ready."""
        self._joined = [self._joined[number] for number in draw_order(self.seed, self.seats)]
        if self._context.practice_bots is not None and any(one.bot for one in self._joined):
            players = tuple(one.bot or Person(name=one.player.name) for one in self._joined)
            party = Party(GAME, self.options, players)
            reports = BotReports(self._bot_is_ready, self._hear_bot, self._bot_has_trouble)
            try:
                self._bots = self._context.practice_bots.play(party, self.seed, reports)
            except SettingError as error:
                self._on_trouble(self, error)
                return
            self._bots.start(self._start())
        if self._bots is None or not self._bots.programs:
            self._begin()

    def _bot_is_ready(self, seat: int, failure: Failure | None, entry: JsonObject) -> None:
        """A program has started, or failed to."""
        if self._bots is None:
            return  # the game was given up
        self._ready[seat] = failure
        if len(self._ready) == self._bots.programs:
            self._begin()

    def _hear_bot(self, seat: int, asked: Position[Any], answer: Answer, took: int) -> None:
        if self._play is not None:
            self._play.hear_bot(seat, asked, answer, took)

    def _bot_has_trouble(self, error: Exception) -> None:
        if self._bots is not None:
            self._on_trouble(self, error)

    def _begin(self) -> None:
        """R5: deal, and ask the first."""
        names = tuple(one.player.name for one in self._joined)
        begin_ns = self._context.calendar()
        players = [one.describe() for one in self._joined]
        match = Match.start(GAME, players, self.options, self.seed)
        self.state = GameState.IN_PLAY
        if self._context.live_matches is not None:
            shown = public_view(MebiPennyPosition.of(match.position))
            self.live = self._context.live_matches.begin(GAME, names, shown, begin_ns)
        self._play = GameInPlay(
            match,
            self._joined,
            begin_ns,
            self._context.settings.turn_ns,
            self._context.clock,
            self._context.deadlines,
            self._changed,
            self._ended,
            self._delay_ns,
            self._bots,
        )
        if self.observers:
            self._tell(_arrivals(self._play.game(None)))
        failures = {seat: failure for seat, failure in self._ready.items() if failure}
        if failures:
            self._play.drop(failures)
            return
        if self._bots is not None:
            self._bots.watch(match.position)
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
        observer = Observer(wrapper, self.view(), self._context.settings.observer_bytes)
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
        finished = FinishedMatch(match.result(), begin_ns, self._context.calendar(), self.live)
        self._dismiss()
        self._on_end(self, finished)

    def give_up(self, reply: HttpReply) -> None:
        """End the game without a result; requests that are held get this reply."""
        if self._play is not None:
            self._play.give_up()
            if self.live is not None:
                self.live.end(None)
        elif self._bots is not None:
            self._bots.stop()
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
        self._bots = None


def draw_order(seed: int, seats: int) -> list[int]:
    """The seats: for each, the number of the player in order of joining. Follows from the seed."""
    order = [*range(seats)]
    Random(f"seats of {seed}").shuffle(order)  # noqa: S311  wanted to be the same again
    return order


def _arrivals(game: JsonObject) -> JsonObject:
    """The Delta about new players, for observers who know the board of this Game."""
    return {key: game[key] for key in ("draw_size", "players", "state")} | {"claims": []}
