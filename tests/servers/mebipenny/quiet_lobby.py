"""A lobby without sockets: time stands until a test lets it pass, and answers are kept."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.mebipenny.wire import format_new_move
from agon.servers.mebipenny.lobby import Lobby
from agon.servers.mebipenny.settings import MebiPennySettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.live_matches import LiveMatches
    from agon.games.http_exchange import HttpReply, Leave
    from agon.games.mebipenny.move import Move
    from agon.servers.match_store import FinishedMatch
    from agon.servers.mebipenny.game_in_play import GameInPlay
    from agon.servers.mebipenny.game_table import GameTable

SECOND = 10**9
TODAY = 1_700_000_000 * SECOND


class Bell:
    """An alarm of a test's time."""

    def __init__(self, at_ns: int, action: Callable[[], None]) -> None:
        self.at_ns = at_ns
        self.action = action
        self.is_set = True

    def cancel(self) -> None:
        self.is_set = False


class Time:
    """A clock with alarms, which moves when it is told to."""

    def __init__(self) -> None:
        self.now = 0
        self.bells: list[Bell] = []

    def read(self) -> int:
        return self.now

    def set(self, at_ns: int, action: Callable[[], None]) -> Bell:
        bell = Bell(at_ns, action)
        self.bells.append(bell)
        return bell

    def pass_by(self, ns: int) -> None:
        """Let time pass; alarms go off when they are due."""
        end = self.now + ns
        while due := self._due(end):
            self.now = max(self.now, due.at_ns)
            self._ring(due)
        self.now = end

    def jump(self, ns: int) -> None:
        """The machine was busy all that time: alarms go off late, all at its end."""
        self.now += ns
        while due := self._due(self.now):
            self._ring(due)

    def _due(self, end: int) -> Bell | None:
        self.bells = [bell for bell in self.bells if bell.is_set]
        due = [bell for bell in self.bells if bell.at_ns <= end]
        return min(due, key=lambda bell: bell.at_ns, default=None)

    def _ring(self, bell: Bell) -> None:
        bell.is_set = False
        bell.action()


class Visitor:
    """A player without a client: remembers what it was answered."""

    def __init__(self, table: GameTable, name: str) -> None:
        self.table = table
        self.name = name
        self.answers: list[HttpReply] = []
        self.leave: Leave = table.join(name, self.answers.append)
        """Goes away while its last request is held."""

    @property
    def told(self) -> Any:
        """The last answer."""
        return json.loads(self.answers[-1].body)

    @property
    def token(self) -> bytes | None:
        """The token in the last answer."""
        return dict(self.answers[-1].headers).get(b"x-turn-token") if self.answers else None

    @property
    def id(self) -> str:
        return str(json.loads(self.answers[0].body)["player_id"])

    def send(self, data: Any) -> None:
        """Move."""
        self.send_bytes(json.dumps(data).encode())

    def send_bytes(self, body: bytes) -> None:
        self.leave = self.table.move(self.token, body, self.answers.append)


class QuietLobby:
    """A lobby and all that is around it; its own archive."""

    def __init__(
        self, live_matches: LiveMatches | None = None, seed: int = 1, **settings: Any
    ) -> None:
        self.time = Time()
        self.is_behind = False
        self.finished: list[FinishedMatch] = []
        self.lobby = Lobby(
            MebiPennySettings(**settings),
            self.time.read,
            lambda: TODAY + self.time.now,
            self.time,
            self,
            live_matches,
            Random(seed),  # noqa: S311
        )

    def take(self, finished: FinishedMatch) -> None:
        self.finished.append(finished)

    def table(
        self, rows: int = 4, cols: int = 4, seats: int = 2, seed: int | None = 7
    ) -> GameTable:
        return self.lobby.create(MebiPennyOptions(rows, cols, seats), seed)

    def full_table(self, *names: str, seed: int = 7, side: int = 4) -> list[Visitor]:
        """A game in play; the players by seat."""
        table = self.table(side, side, len(names), seed)
        visitors = [Visitor(table, name) for name in names]
        return sorted(visitors, key=seat_of)


def in_play(table: GameTable) -> GameInPlay:
    """The turns of a game that is in play."""
    assert table._play is not None
    return table._play


def seat_of(visitor: Visitor) -> int:
    """Where the visitor sits; visitors have different names."""
    names = [player.name for player in in_play(visitor.table).players]
    return names.index(visitor.name)


def move_for(table: GameTable, choose: Callable[[Sequence[Move]], Move] = max) -> Any:
    """The New Move object of a legal move of the player to move."""
    play = in_play(table)
    return format_new_move(play.position, choose(play.position.moves), play.players)


def play_on(visitors: Sequence[Visitor], turns: int) -> None:
    """So many turns, each a tile if there is one, from a game in which no player has failed."""
    for _ in range(turns):
        visitor = visitors[in_play(visitors[0].table).position.next_seat]
        visitor.send(move_for(visitor.table))
