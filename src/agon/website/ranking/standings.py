"""The official tables for pages: made from the counts of results, and kept until there are more.

Matches of contests that are not published do not count before they are.

A table of a game with two seats is made at once, however many matches there are. With more seats,
few results occur twice, and a table of very many matches takes a while. So a page shows the one
that there is, another is made in the background, and after it there is a pause: a busy arena is not
busy with its tables.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from agon.arena.official_table import faults_by_version, table_from_counts
from agon.website.ranking.rating_history import load_history
from agon.website.visibility import hidden_tournaments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.datastore.store import Store
    from agon.games.game import Game
    from agon.match.transcript import Fault
    from agon.ranker.table import HeadToHead, RankingRow, RankingTable
    from agon.website.ranking.rating_history import RatingHistory
    from agon.website.site import Site

LOG = logging.getLogger("agon.website")

PATIENCE_S = 2.0
"""How long a page waits for the first table of a game, and for one that is made quickly."""
QUICK_NS = 300_000_000
RESTS = 10
LONGEST_REST_NS = 600 * 10**9
"""Pause before the next table, as a multiple of the time that the last one took."""
LINES = 6
"""How many bots, from the top, are in the plot of a game."""


@dataclass(frozen=True)
class GameStanding:
    """The table of a game as of one moment; its rows are versions of bots."""

    table: RankingTable
    versions: tuple[int, ...]
    """The version of each row."""
    faults: Mapping[int, Mapping[Fault, int]]
    """How often each version ended in which way."""
    histories: tuple[RatingHistory, ...]
    """The histories of the first ones."""
    newest: int
    """The game's newest match when it was made; 0 if there was none."""
    latest: int
    """How many matches there were up to the newest one: see `Matches.count_latest`."""
    hidden: frozenset[int]
    """The tournaments that did not count."""
    made_ns: int

    @cached_property
    def places(self) -> dict[int, int]:
        """Which row a version has."""
        return {version: place for place, version in enumerate(self.versions)}

    def is_of(self, store: Store, game: Game) -> bool:
        """Whether it is made of all that is to count now."""
        return (
            self.newest == store.matches.newest(game.name)
            and self.latest == store.matches.count_latest(game.name)
            and self.hidden == hidden_tournaments(store)
        )

    def row(self, version_id: int) -> RankingRow | None:
        """The row of a version; None if no match of it counts."""
        place = self.places.get(version_id)
        return None if place is None else self.table.rows[place]

    def meetings(self, version_id: int) -> dict[int, HeadToHead]:
        """How a version did against all those that it met."""
        place = self.places.get(version_id)
        if place is None:
            return {}
        against = zip(self.versions, self.table.meetings[place], strict=True)
        return {other: meeting for other, meeting in against if sum(meeting)}


class Standings:
    """The tables of all games. Threads may share it."""

    def __init__(
        self,
        store: Store,
        now_ns: Callable[[], int],
        start: Callable[[Callable[[], None]], None] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """From this store; `start` runs a job in the background, in a thread if nothing is said."""
        self._store = store
        self._now_ns = now_ns
        self._start = start_thread if start is None else start
        self._patience_s = patience_s
        self._states: dict[str, _TableState] = {}
        self._lock = Lock()

    def find(self, game: Game) -> GameStanding | None:
        """The game's table, as new as can be had at once; None if the first is still being made."""
        state = self._state(game)
        if state.standing is not None and state.standing.is_of(self._store, game):
            return state.standing
        done = self._begin(state)
        if done is not None and state.is_quick:
            done.wait(self._patience_s)
        return state.standing

    def _state(self, game: Game) -> _TableState:
        with self._lock:
            return self._states.setdefault(game.name, _TableState(game))

    def _begin(self, state: _TableState) -> Event | None:
        """Have a new table made; the event of its being done, or None while there is a rest."""
        with state.lock:
            if state.done is not None:
                return state.done
            if state.rested_ns <= self._now_ns() < state.rest_until_ns:
                return None
            done = state.done = Event()
        self._start(lambda: self._work(state, done))
        return done

    def _work(self, state: _TableState, done: Event) -> None:
        began_ns = self._now_ns()
        try:
            state.standing = make_standing(self._store, state.game, began_ns)
        except Exception:
            LOG.exception("the table of %s could not be made", state.game.name)
        finally:
            ended_ns = self._now_ns()
            took_ns = max(0, ended_ns - began_ns)
            state.is_quick = took_ns <= QUICK_NS
            with state.lock:
                state.done = None
                rest_ns = min(RESTS * took_ns, LONGEST_REST_NS)
                state.rested_ns, state.rest_until_ns = ended_ns, ended_ns + rest_ns
            done.set()


@dataclass(eq=False)
class _TableState:
    """Where the table of one game is made."""

    game: Game
    standing: GameStanding | None = None
    lock: Lock = field(default_factory=Lock)
    done: Event | None = None
    """Set once the table that is being made is there; None if none is."""
    rested_ns: int = 0
    """When the last one was done: an earlier time is that of a clock that was set back."""
    rest_until_ns: int = 0
    is_quick: bool = True


def make_standing(store: Store, game: Game, now_ns: int) -> GameStanding:
    """The table of all that is stored now."""
    hidden = hidden_tournaments(store)
    newest = store.matches.newest(game.name)
    latest = store.matches.count_latest(game.name)
    counts = store.result_counts.find(game.name, hidden)
    table = table_from_counts(counts, game.rules_version)
    rows = tuple(int(row.bot) for row in table.rows)
    histories = tuple(load_history(store, game.name, one, hidden) for one in rows[:LINES])
    faults = faults_by_version(counts)
    return GameStanding(table, rows, faults, histories, newest, latest, hidden, now_ns)


def start_thread(job: Callable[[], None]) -> None:
    """Run a job in a thread of its own; it does not keep the program from ending."""
    Thread(target=job, name="standings", daemon=True).start()


def standings_of(site: Site) -> Standings:
    """The official tables of a site."""
    return site.part(Standings, lambda: Standings(site.store, site.now_ns))
