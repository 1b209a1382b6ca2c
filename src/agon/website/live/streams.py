"""Live matches for many spectators: each update is drawn and encoded once for all of them.

A spectator who has seen the update before gets what changed; one who is new, or was too slow, gets
the whole picture and has missed what was in between. All of it runs in the event loop; pictures
are drawn in threads.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from agon.website.live.drawings import Drawing
from agon.website.live.drawings import format_event as format_event  # for streams of other parts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.website.live.drawings import Picture
    from agon.website.live.frames import Message

LEAST_GAP_SECONDS = 0.15
"""The shortest time between two updates: more would not be seen."""
TICK_SECONDS = 0.4
"""How often the boards of the front page are brought up to date."""
HEARTBEAT_SECONDS = 15.0
"""After this time without news a comment says that the connection is still there."""
MOST_SHOWN = 6
REST_TICKS = 8
"""How long a board whose match is over stays on the front page."""
HEARTBEAT = b": still here\n\n"
HIDDEN = format_event("hidden", {})
"""The last event of a match that is not public any more."""


@dataclass(frozen=True)
class Update:
    """What is sent once something has changed: to who has the one before, and to all others."""

    number: int
    change: bytes
    make_whole: Callable[[], bytes]
    is_last: bool = False

    @cached_property
    def whole(self) -> bytes:
        """For clients that have not seen the update before; made when the first one asks."""
        return self.make_whole()


class Broadcast(ABC):
    """Updates for all listeners. It works only while there are any."""

    def __init__(self, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        """After this time without news all listeners get a heartbeat."""
        self._update: Update | None = None
        self._news = asyncio.Event()
        self._listeners = 0
        self._work: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None
        self._heartbeat_seconds = heartbeat_seconds
        self._heart: asyncio.TimerHandle | None = None

    @abstractmethod
    async def run(self) -> None:
        """Publish updates until the last one, or until it is cancelled."""

    def publish(self, change: bytes, make_whole: Callable[[], bytes], *, is_last: bool) -> None:
        number = 0 if self._update is None else self._update.number + 1
        self._update = Update(number, change, make_whole, is_last)
        self._wake()
        self._beat_later()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _beat(self) -> None:
        """There was no news for long: one timer for all who listen."""
        self._wake()
        self._beat_later()

    def _beat_later(self) -> None:
        if self._heart is not None:
            self._heart.cancel()
        loop = asyncio.get_running_loop()
        self._heart = loop.call_later(self._heartbeat_seconds, self._beat)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """For the time of one listener; the first one starts the work, the last one ends it."""
        self._listeners += 1
        if self._work is None or self._work.done():
            self._failure = None
            self._news = asyncio.Event()
            self._work = asyncio.create_task(self.run())
            self._work.add_done_callback(self._on_end)
            self._beat_later()
        try:
            yield
        finally:
            self._listeners -= 1
            if not self._listeners and self._work is not None:
                work, self._work = self._work, None
                self._update = None
                work.cancel()
                if self._heart is not None:
                    self._heart.cancel()

    async def listen(self) -> AsyncGenerator[bytes, None]:
        """What one listener is sent, from now to the end."""
        seen: int | None = None
        async with self.listening():
            while True:
                news, update = self._news, self._update
                if update is None or update.number == seen:
                    await news.wait()
                    if self._failure is not None:
                        raise self._failure
                    if self._update is update:
                        yield HEARTBEAT
                    continue
                is_next = seen is not None and update.number == seen + 1
                yield update.change if is_next else update.whole
                seen = update.number
                if update.is_last:
                    return

    async def look(self) -> bytes:
        """What there is to see at this moment, for clients that poll."""
        async with aclosing(self.listen()) as events:
            return await anext(events)

    def _on_end(self, work: asyncio.Task[None]) -> None:
        """Wake the listeners when the work has failed."""
        if not work.cancelled() and (failure := work.exception()) is not None:
            self._failure = failure
            self._news.set()


async def is_private(match: LiveMatch) -> bool:
    """Whether the match is hidden; where the datastore knows, a thread asks it."""
    if match.hides is None:
        return match.has_person
    return await run_in_threadpool(lambda: match.private)


class MatchBroadcast(Broadcast):
    """One match under way. A public broadcast ends when the match is hidden."""

    def __init__(self, match: LiveMatch, seat: int | None, *, private: bool = False) -> None:
        """As that seat sees it, or all of it; `private`: for users who may watch what is hidden."""
        super().__init__()
        self._drawing = Drawing(match, seat)
        self._private = private

    async def run(self) -> None:
        """Draw after every change, but not too often."""
        drawing = self._drawing
        while True:
            if not await run_in_threadpool(self._advance):
                self.publish(HIDDEN, lambda: HIDDEN, is_last=True)
                return
            self._publish_picture(drawing.picture)
            if drawing.picture.is_over:
                return
            await asyncio.sleep(LEAST_GAP_SECONDS)
            await drawing.match.signal.beyond(drawing.version)

    def _advance(self) -> bool:
        """Draw what there is now; whether it may be shown. It reads the datastore: in a thread."""
        self._drawing.advance()
        return self._private or not self._drawing.match.private

    def _publish_picture(self, picture: Picture) -> None:
        self.publish(self._drawing.change, lambda: picture.whole, is_last=picture.is_over)


@dataclass
class Card:
    """A board on the front page, and for how many ticks more it stays once its match is over."""

    drawing: Drawing
    rest: int = REST_TICKS


class Showcase(Broadcast):
    """The boards of the front page: some of the matches under way, of as many games as can be."""

    def __init__(self, live_matches: LiveMatches, tick_seconds: float = TICK_SECONDS) -> None:
        """The matches are looked at every `tick_seconds`."""
        super().__init__()
        self._live_matches = live_matches
        self._tick_seconds = tick_seconds
        self._cards: list[Card] = []
        self._lock = Lock()

    async def run(self) -> None:
        """Look for what has changed, again and again."""
        while True:
            change = await run_in_threadpool(self._advance)
            if change or self._update is None:
                self._publish_cards(change, self._cards)
            await asyncio.sleep(self._tick_seconds)

    def _publish_cards(self, change: bytes, cards: list[Card]) -> None:
        """Publish these boards; the list may change before a listener asks for all of it."""
        pictures = [card.drawing.picture for card in cards]

        def make_whole() -> bytes:
            return format_cards(cards) + b"".join(picture.whole for picture in pictures)

        self.publish(change, make_whole, is_last=False)

    def _advance(self) -> bytes:
        """Bring all boards up to date: what changed."""
        with self._lock:
            before = [card.drawing.match.key for card in self._cards]
            self._cards = self._choose()
            changes = []
            for card in self._cards:
                if not card.drawing.is_current:
                    card.drawing.advance()
                    changes.append(card.drawing.change)
            if before != [card.drawing.match.key for card in self._cards]:
                changes.insert(0, format_cards(self._cards))
            return b"".join(changes)

    def _choose(self) -> list[Card]:
        """Which boards are shown: those that were, while they last, and new ones after them."""
        running = choose_matches(self._live_matches.running(), MOST_SHOWN)
        kept: list[Card] = []
        for card in self._cards:
            card.rest -= card.drawing.picture.is_over
            if card.rest > 0 and not card.drawing.match.private:
                kept.append(card)
        shown = {card.drawing.match.key for card in kept}
        new = [Card(Drawing(match)) for match in running if match.key not in shown]
        return kept + new[: max(0, MOST_SHOWN - len(kept))]


def choose_matches(matches: Sequence[LiveMatch], most: int) -> list[LiveMatch]:
    """Some of the public matches: first one of each game, then more of them."""
    by_game: dict[str, list[LiveMatch]] = {}
    for match in matches:
        if not match.private and not match.is_decided:
            by_game.setdefault(match.game.name, []).append(match)
    rounds = max(map(len, by_game.values()), default=0)
    chosen = [
        of_game[number]
        for number in range(rounds)
        for of_game in by_game.values()
        if number < len(of_game)
    ]
    return chosen[:most]


def describe(match: LiveMatch) -> Message:
    """A match under way for a card on the front page."""
    return {
        "key": match.key,
        "game": match.game.name,
        "title": match.game.title,
        "players": list(match.players),
    }


def format_cards(cards: Sequence[Card]) -> bytes:
    """The event that says which boards there are, in order."""
    return format_event("cards", [describe(card.drawing.match) for card in cards])


class Broadcasts:
    """The broadcasts that there are; each is for all who watch the same."""

    def __init__(self, live_matches: LiveMatches) -> None:
        self._live_matches = live_matches
        self._matches: dict[tuple[str, int | None, bool], MatchBroadcast] = {}
        self._showcase: Showcase | None = None

    def of_match(self, match: LiveMatch, seat: int | None, *, private: bool) -> MatchBroadcast:
        """The broadcast of a match as a seat sees it, public or while it is hidden."""
        wanted = (match.key, seat, private)
        known = self._matches.get(wanted)
        if known is not None:
            return known
        for old in [*self._matches]:
            if self._live_matches.find(old[0]) is None:
                del self._matches[old]
        new = self._matches[wanted] = MatchBroadcast(match, seat, private=private)
        return new

    def showcase(self) -> Showcase:
        if self._showcase is None:
            self._showcase = Showcase(self._live_matches)
        return self._showcase
