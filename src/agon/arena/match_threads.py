"""Threads that play matches side by side, and how they all stop."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from agon.arbiter.pool import StoppedError
from agon.arena.settings import MOST_THREADS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

    from agon.arena.fleet.carry_out import Stoppable

MOMENT_SECONDS = 0.5  # between two checks whether to stop
GRACE_SECONDS = 3.0  # for matches to notice that they are given up

Key = TypeVar("Key")
Played = TypeVar("Played")


class MatchThreads(Generic[Key, Played]):
    """Use it in a `with` statement: at its end, matches that are still under way are given up."""

    def __init__(self, room: Callable[[], int], player: Stoppable) -> None:
        """`room`: how many matches may be under way now, which `player` can stop."""
        self._room = room
        self._player = player
        # It starts a thread when no other one is idle.
        self._threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="match")
        self._playing: dict[Future[Played], Key] = {}
        self._has_given_up = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is under way, and do not wait for long."""
        if self._playing and not self._has_given_up:
            self._stop()
        self._threads.shutdown(wait=not self._is_busy(), cancel_futures=True)

    def _is_busy(self) -> bool:
        return any(not future.done() for future in self._playing)

    @property
    def is_stopped(self) -> bool:
        return self._player.is_stopped

    @property
    def playing(self) -> list[Key]:
        return list(self._playing.values())

    @property
    def free(self) -> int:
        """How many more matches could begin now."""
        return max(0, min(self._room(), MOST_THREADS) - len(self._playing))

    def start(self, key: Key, play: Callable[[], Played]) -> None:
        self._playing[self._threads.submit(play)] = key

    def finished(self) -> Iterator[tuple[Key, Played]]:
        """The matches that have ended; waits a moment for one. Raises what a match raised."""
        done, _ = wait(self._playing, MOMENT_SECONDS, FIRST_COMPLETED)
        yield from self._collect(done)

    def give_up(self) -> Iterator[tuple[Key, Played]]:
        """Stop everything that is under way; the matches that had ended by then."""
        if self._playing:
            yield from self._collect(self._stop())

    def _stop(self) -> set[Future[Played]]:
        """Stop the matches under way, and wait for them, but not for long; those that ended."""
        self._has_given_up = True
        self._player.stop()
        done, _ = wait(self._playing, GRACE_SECONDS)
        return done

    def _collect(self, done: Iterable[Future[Played]]) -> Iterator[tuple[Key, Played]]:
        for future in done:
            key = self._playing.pop(future)
            with suppress(StoppedError):
                yield key, future.result()


def play_all(
    workers: MatchThreads[Key, Played],
    keys: Iterable[Key],
    play: Callable[[Key], Played],
    goes_on: Callable[[], bool] = lambda: True,
) -> Iterator[tuple[Key, Played]]:
    """Play a match for each key, side by side, until `goes_on` says no; each as it ends."""
    upcoming = iter(keys)
    while goes_on() and not workers.is_stopped:
        while workers.free and (key := next(upcoming, None)) is not None:
            workers.start(key, lambda key=key: play(key))  # type: ignore[misc]
        if not workers.playing:
            return
        yield from workers.finished()
