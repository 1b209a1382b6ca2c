"""The results of a game for its ladder: read once, and then only the new ones."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.arena.rate_match import result_name
from agon.datastore.enums import MatchStatus
from agon.datastore.matches import MatchFilter
from agon.datastore.results import ResultFilter
from agon.ranker.result import Result

if TYPE_CHECKING:
    from agon.datastore.store import Store
    from agon.games.game import Game, Options

MOST_RESULTS = 20_000
"""Of a longer history the latest matches are enough to choose the next ones."""
PAGE = 200
OVERLAP = 50
"""So many matches are read once more: one with a lower number may have been stored later."""


class LadderResults:
    """The results of all rated matches of a game with these options."""

    def __init__(
        self, store: Store, game: Game, options: Options, most: int = MOST_RESULTS
    ) -> None:
        self._store = store
        self._game = game
        self._options = asdict(options)
        self._results: deque[Result] = deque(maxlen=most)
        self._keys: set[tuple[int, tuple[str, ...]]] = set()
        self._last_id = 0
        self._has_begun = False
        self.matches: Counter[str] = Counter()
        """How many of the results each bot has."""

    def read(self) -> list[Result]:
        """All results, with those stored since the last call."""
        if self._has_begun:
            self._read_on()
        else:
            self._read_all()
            self._has_begun = True
        return list(self._results)

    def _read_all(self) -> None:
        wanted = ResultFilter(self._game.name, self._game.rules_version, self._options)
        for row in self._store.results.stream(wanted):
            self._last_id = row.match_id
            self._take(row.versions, row.scores, row.seed)

    def _read_on(self) -> None:
        wanted = MatchFilter(game=self._game.name, status=MatchStatus.FINISHED)
        last_id = max(0, self._last_id - OVERLAP)
        while page := self._store.matches.in_order(wanted, PAGE, last_id):
            for match in page:
                last_id = match.id
                self._last_id = max(self._last_id, last_id)
                if (
                    match.rated
                    and match.rules_version == self._game.rules_version
                    and match.options == self._options
                ):
                    versions = tuple(seat.version_id for seat in match.seats)
                    scores = tuple(seat.score for seat in match.seats)
                    self._take(versions, scores, match.seed)

    def _take(self, versions: tuple[int, ...], scores: tuple[int, ...], seed: int) -> None:
        """Keep a result; one that was played twice with the same seed counts once."""
        names = tuple(result_name(version_id) for version_id in versions)
        if (seed, names) in self._keys:
            return
        if len(self._results) == self._results.maxlen:
            oldest = self._results[0]
            self._keys.discard((oldest.seed, oldest.bots))
            self.matches.subtract({*oldest.bots})
        self._keys.add((seed, names))
        self._results.append(Result(names, scores, seed))
        self.matches.update({*names})
