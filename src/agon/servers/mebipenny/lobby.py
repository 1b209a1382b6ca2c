"""All games of a server: find one, create one, match two clients, or a client and a practice bot.

Games, their cells and observers are bounded. A game that lacks players is given up when no client
waits in it any more; a game that is over can be viewed for a while.
"""

from __future__ import annotations

from collections import deque
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.http_exchange import RefusedError, no_leave
from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.mebipenny.wire import GameState
from agon.servers.mebipenny.game_table import GameTable, TableContext
from agon.servers.practice_bots import log_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from agon.arena.live_matches import LiveMatches
    from agon.arena.people.party import BotPlayer
    from agon.games.http_exchange import Leave, Respond
    from agon.games.mebipenny.http_api import HttpGame
    from agon.servers.deadlines import Deadline, Deadlines
    from agon.servers.match_store import Archive, FinishedMatch
    from agon.servers.mebipenny.observers import Observer, Wrapper
    from agon.servers.mebipenny.settings import MebiPennySettings
    from agon.servers.practice_bots import PracticeBots

    Asking: TypeAlias = tuple[Callable[[HttpGame], None], Respond]
    """A request for a match: what is told the game, and what answers otherwise."""

MATCH_SIDES = (15, 24)
MATCH_WALLS = (0, 20)  # per cent
SEED_BITS = 62
LATER = ((b"retry-after", b"30"),)


class Lobby:
    """The games by their ids, and the queue of clients that want a match."""

    def __init__(
        self,
        settings: MebiPennySettings,
        clock: Callable[[], int],
        calendar: Callable[[], int],
        deadlines: Deadlines,
        archive: Archive,
        live_matches: LiveMatches | None = None,
        chance: Random | None = None,
        practice_bots: PracticeBots | None = None,
    ) -> None:
        """The archive is given every game that was played to its end.

        `chance` draws the seeds of games and the boards of matches; ids and tokens are secret.
        Without `practice_bots` clients play against each other only.
        """
        self.settings = settings
        self._context = TableContext(
            settings, clock, calendar, deadlines, live_matches, practice_bots
        )
        self._archive = archive
        self._chance = chance or SystemRandom()
        self._tables: dict[str, GameTable] = {}
        self._open = self._cells = 0
        self._over: deque[str] = deque()
        self._alarms: dict[str, Deadline] = {}
        self._over_bytes = 0
        self._observers = 0
        self._queue: deque[Asking] = deque()
        self._is_closed = False

    def __iter__(self) -> Iterator[GameTable]:
        """All games that can be viewed, in the order in which they were made."""
        return iter(self._tables.values())

    def find(self, ident: str) -> GameTable:
        table = self._tables.get(ident)
        if table is None:
            raise RefusedError(404, f"game {ident[:60]!r}: there is none")
        return table

    # --- Making games ---------------------------------------------------------------------------

    def create(
        self, options: MebiPennyOptions, seed: int | None = None, delay_ns: int = 0
    ) -> GameTable:
        """A new game; all its chance follows from the seed, which is drawn if it is not given."""
        self._make_room(options.rows * options.cols)
        if seed is None:
            seed = self._chance.getrandbits(SEED_BITS)
        table = GameTable(
            options, seed, self._context, self._ended, self._bot_has_trouble, delay_ns
        )
        self._tables[table.id] = table
        self._open += 1
        self._cells += table.cells
        self._set_alarm(table.id, self.settings.empty_ns, self._look_at)
        return table

    def _set_alarm(self, ident: str, in_ns: int, action: Callable[[str], None]) -> None:
        """Do this later, in place of the alarm that the game has."""
        self._drop_alarm(ident)
        at_ns = self._context.clock() + in_ns
        self._alarms[ident] = self._context.deadlines.set(at_ns, lambda: action(ident))

    def _drop_alarm(self, ident: str) -> None:
        alarm = self._alarms.pop(ident, None)
        if alarm is not None:
            alarm.cancel()

    def _make_room(self, cells: int) -> None:
        """Give up empty games until there is room; refuse if that is not enough."""
        if self._is_closed:
            raise ending()
        if self._archive.is_behind:
            raise RefusedError(503, "many games wait to be stored: expected fewer of them", LATER)
        while not self._has_room(cells):
            empty = (t for t in self if t.state is GameState.INITIATING and t.is_empty)
            oldest = next(empty, None)
            if oldest is None:
                raise RefusedError(
                    503, "there are too many games: expected that some end first", LATER
                )
            self._give_up(oldest, lacked_players(oldest))

    def _has_room(self, cells: int) -> bool:
        limits = self.settings
        return self._open < limits.most_games and self._cells + cells <= limits.most_cells

    def _look_at(self, ident: str) -> None:
        """Give the game up, if it still lacks players and none waits in it."""
        table = self._tables.get(ident)
        if table is None or table.state is not GameState.INITIATING:
            return
        if table.is_awaited:
            self._set_alarm(ident, self.settings.empty_ns, self._look_at)
        else:
            self._give_up(table, lacked_players(table))

    def _bot_has_trouble(self, table: GameTable, error: Exception) -> None:
        """A practice bot cannot play: that is no fault of a player, and the game is given up."""
        if table.id not in self._tables:
            return
        told = "the bot cannot play now: something went wrong on our side"
        if isinstance(error, SettingError):
            told = str(error)
        else:
            log_error(error)
        self._give_up(table, RefusedError(503, f"game {table.id} was given up: {told}", LATER))

    def _give_up(self, table: GameTable, refusal: RefusedError) -> None:
        del self._tables[table.id]
        self._drop_alarm(table.id)
        self._close(table)
        table.give_up(refusal.reply)

    def _close(self, table: GameTable) -> None:
        """The game no longer counts as open."""
        self._open -= 1
        self._cells -= table.cells

    # --- Games that are over --------------------------------------------------------------------

    def _ended(self, table: GameTable, finished: FinishedMatch) -> None:
        """Keep its last view for a while, and have it stored."""
        self._close(table)
        self._over.append(table.id)
        self._over_bytes += len(table.view())
        self._set_alarm(table.id, self.settings.kept_ns, self._forget)
        while self._has_too_many_over():
            self._forget(self._over[0])
        self._archive.take(finished)

    def _has_too_many_over(self) -> bool:
        limits = self.settings
        return len(self._over) > limits.kept_games or self._over_bytes > limits.kept_bytes

    def _forget(self, ident: str) -> None:
        self._drop_alarm(ident)
        self._over.remove(ident)  # games are forgotten in order: it is the first
        self._over_bytes -= len(self._tables.pop(ident).view())

    # --- Observers and matchmaking --------------------------------------------------------------

    def observe(self, table: GameTable, wrapper: Wrapper) -> Observer:
        """A new observer of a game, until `leave`."""
        if self._observers >= self.settings.most_observers:
            raise RefusedError(503, "there are too many observers", LATER)
        self._observers += 1
        return table.observe(wrapper)

    def leave(self, table: GameTable, observer: Observer) -> None:
        self._observers -= 1
        table.leave(observer)

    @property
    def bots(self) -> Sequence[str]:
        """The names of the built-in bots that `match` takes."""
        return () if self._context.practice_bots is None else self._context.practice_bots.names

    def match(
        self, found: Callable[[HttpGame], None], respond: Respond, bot: str | None = None
    ) -> Leave:
        """A game against the bot, or the next client that wants a match: both are told the same."""
        if self._is_closed:
            raise ending()
        asking = (found, respond)
        if bot is not None:
            self._match_bot(asking, bot)
            return no_leave
        if not self._queue:
            self._queue.append(asking)
            self._fill_later(asking)
            return lambda: self._leave_queue(asking)
        table = self.create(self._match_options())
        other_found, _ = self._queue.popleft()
        for tell in (other_found, found):
            tell(table)
        return no_leave

    def _match_bot(self, asking: Asking, name: str) -> None:
        """A game with the bot of that name in it; the client is told where it is."""
        found, respond = asking

        def make(bot: BotPlayer) -> None:
            try:
                table = self.create(self._match_options())
            except RefusedError as refusal:
                respond(refusal.reply)
                return
            table.join_bot(bot)
            found(table)

        def refuse(reason: str) -> None:
            respond(RefusedError(404, reason).reply)

        if self._context.practice_bots is None:
            refuse(f"bot {name[:60]!r}: expected none, there are no bots here")
        else:
            self._context.practice_bots.find(name, make, refuse)

    def _fill_later(self, asking: Asking) -> None:
        """If the settings say so, a client that is alone gets a bot after a while."""
        fill = self.settings.fill
        if fill is not None:
            at_ns = self._context.clock() + fill.after_ns
            self._context.deadlines.set(at_ns, lambda: self._fill(asking, fill.bot))

    def _fill(self, asking: Asking, bot: str) -> None:
        if asking in self._queue:
            self._queue.remove(asking)
            self._match_bot(asking, bot)

    def _leave_queue(self, asking: Asking) -> None:
        if asking in self._queue:
            self._queue.remove(asking)

    def _match_options(self) -> MebiPennyOptions:
        draw = self._chance.randint
        walls = f"{draw(*MATCH_WALLS) / 100:.2f}"
        return MebiPennyOptions(draw(*MATCH_SIDES), draw(*MATCH_SIDES), 2, walls)

    # --- The end --------------------------------------------------------------------------------

    def close(self) -> int:
        """Answer every request that is held, and give up every game.

        Returns how many games were in play.
        """
        self._is_closed = True
        tables, self._tables = self._tables, {}
        in_play = sum(table.state is GameState.IN_PLAY for table in tables.values())
        for ident, table in tables.items():
            self._drop_alarm(ident)
            table.give_up(ending().reply)
        while self._queue:
            _, respond = self._queue.popleft()
            respond(ending().reply)
        return in_play


def lacked_players(table: GameTable) -> RefusedError:
    return RefusedError(410, f"game {table.id} was given up: it lacked players")


def ending() -> RefusedError:
    return RefusedError(503, "the server is ending")
