"""Where the matches of an export come from: the datastore, or files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.cli.stored import stored_transcript
from agon.errors import DatastoreError, SettingError, TranscriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from agon.datastore.matches import MatchFilter, StoredMatch
    from agon.datastore.store import Store
    from agon.games.game import Game, Options
    from agon.learn.dataset import MatchRecord

PAGE = 500
MOST_TOLD = 10


class Refusals:
    """Matches that are left out; the first few are told one by one when the rest is written."""

    def __init__(self) -> None:
        self.count = 0
        self._told: list[str] = []

    def add(self, error: Exception) -> None:
        self.count += 1
        if self.count <= MOST_TOLD:
            self._told.append(f"left out: {error}")

    def tell(self, console: Console) -> None:
        for line in self._told:
            console.print(line, markup=False, soft_wrap=True)
        if self.count:
            noun = "match was" if self.count == 1 else "matches were"
            console.print(f"{self.count:,} {noun} left out", soft_wrap=True)


def make_filter(
    store: Store, game: Game, since_ns: int | None, bot: str | None, unpublished: bool
) -> MatchFilter:
    """Which stored matches are wanted."""
    from agon.datastore.matches import MatchFilter
    from agon.website.visibility import hidden_tournaments

    bots: frozenset[int] = frozenset()
    if bot is not None:
        bots = frozenset(one.id for one in store.bots.all(game.name) if one.name == bot)
        if not bots:
            raise SettingError(f"--bot {bot[:40]!r}: no bot of that name is stored for {game.name}")
    hidden = frozenset() if unpublished else hidden_tournaments(store)
    return MatchFilter(game.name, but_tournaments=hidden, bots=bots, since_ns=since_ns)


def read_stored(store: Store, wanted: MatchFilter, refused: Refusals) -> Iterator[MatchRecord]:
    """The matches that are stored now, in the order in which they were stored."""
    last = store.matches.newest(wanted.game or "")
    after = 0
    while page := store.matches.in_order(wanted, PAGE, after):
        for match in page:
            if match.id > last:
                return
            try:
                yield record_stored(store, match)
            except (DatastoreError, TranscriptError) as error:
                refused.add(error)
        after = page[-1].id


def record_stored(store: Store, match: StoredMatch) -> MatchRecord:
    from agon.learn.dataset import MatchRecord, SeatRecord

    seats = tuple(
        SeatRecord(seat.number)
        if seat.before is None
        else SeatRecord(seat.number, seat.before.mu, seat.before.sigma)
        for seat in match.seats
    )
    transcript = stored_transcript(store, match.id)
    times = match.started_ns, match.ended_ns
    return MatchRecord(transcript, seats, *times, match.id, f"match {match.id}")


def read_files(game: Game, files: Sequence[Path], refused: Refusals) -> Iterator[MatchRecord]:
    from agon.learn.dataset import MatchRecord
    from agon.match.transcript import load_transcript

    for file in files:
        try:
            yield MatchRecord(load_transcript(file, [game]), name=str(file))
        except TranscriptError as error:
            refused.add(error)


def choose(
    matches: Iterator[MatchRecord],
    options: Options | None,
    limit: int | None,
    on_match: Callable[[], None],
) -> Iterator[MatchRecord]:
    """Those with these options, up to so many."""
    chosen = 0
    for match in matches:
        on_match()
        if options is None or match.transcript.options == options:
            yield match
            chosen += 1
        if chosen == limit:
            return
