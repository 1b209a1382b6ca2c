"""The ladder plays on and on, keeps everything, takes newcomers in, and survives a sudden end."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.limits import Limits
from agon.arbiter.series import LateError, SeriesRunner
from agon.arena.bot_builds import BotBuilds
from agon.arena.fleet.fleet import InProcessFleet
from agon.arena.ladder.default_bots import enter_built_in, enter_examples
from agon.arena.ladder.game_ladder import LOOK_NS, GameLadder
from agon.arena.ladder.participants import ladder_versions
from agon.arena.ladder.results import LadderResults
from agon.arena.ladder.service import LadderService
from agon.arena.live_matches import LiveMatches
from agon.arena.match_runner import MatchRunner
from agon.arena.pace import Pace
from agon.arena.settings import WorkerSettings
from agon.arena.worker_thread import Worker
from agon.arena.workers import Workers
from agon.datastore import (
    BookingFilter,
    BookingKind,
    BookingState,
    MatchFilter,
    NewBooking,
    NewBot,
    NewFile,
    NewVersion,
    Store,
    VersionStatus,
)
from agon.games.registry import find_game
from agon.match.transcript import parse_transcript
from tests.website.bots.packing import starter_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.datastore import Booking, BotVersion

GAME = find_game("mebipenny")
LONG_S = 120
ROOM = 4
SECOND = 10**9


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as store:
        yield store


class Ring:
    """A ladder without threads: each call plays one match here and now."""

    def __init__(
        self,
        store: Store,
        game: str = "mebipenny",
        live_matches: LiveMatches | None = None,
        bot_builds: BotBuilds | None = None,
        **limits: int,
    ) -> None:
        self.store = store
        self.game = find_game(game)
        self.live_matches = live_matches or LiveMatches()
        self.bot_builds = bot_builds or BotBuilds(store)
        self.fleet = InProcessFleet(SeriesRunner(self.tick, self.bot_builds.launch))
        self.now = self.stepped = 0
        self.is_wanted = True
        self.stored: list[str] = []
        """The games of the matches that were stored."""
        enter_built_in(store, self.game, 0)
        self.match_runner = MatchRunner(
            store,
            self.live_matches,
            self.bot_builds,
            self.fleet,
            Limits(limits.get("turn_ns"), depth=1, turns=limits.get("turns", 30)),
            self.tick,
            self.tick,
            threading.Event(),
        )
        self.ladder = self.new_ladder()

    def new_ladder(
        self,
        match_runner: MatchRunner | None = None,
        bot_builds: BotBuilds | None = None,
        *games: str,
    ) -> LadderService:
        """A ladder of this game, or of these, whose matches are all wanted."""
        return LadderService(
            self.store,
            [find_game(name) for name in games or (self.game.name,)],
            match_runner or self.match_runner,
            bot_builds or self.bot_builds,
            lambda name: self.is_wanted,
            self.stored.append,
            self.step,
            self.tick,
            lambda: ROOM,
        )

    @property
    def game_ladder(self) -> GameLadder:
        return self.ladder._ladders[self.game.name]

    def tick(self) -> int:
        self.now += 1000
        return self.now

    def step(self) -> int:
        """A clock by which the ladder looks anew each time."""
        self.stepped += LOOK_NS
        return self.stepped

    def bookings(self, state: BookingState | None = None) -> list[Booking]:
        return self.store.bookings.find(BookingFilter(state=state))

    def add_program(self, files: dict[str, bytes], run: str, name: str = "mine") -> BotVersion:
        owner = self.store.users.find("ada") or self.store.users.add("ada", "hash", 1)
        bot = self.store.bots.ensure(NewBot(self.game.name, name, 1, owner.id))
        new = NewVersion(1, run=run, files={p: NewFile(c) for p, c in files.items()})
        return self.store.versions.add(bot.id, new)


@pytest.fixture
def ring(store: Store) -> Iterator[Ring]:
    ring = Ring(store)
    yield ring
    ring.bot_builds.close()


def test_matches_are_stored_rated_and_booked(ring: Ring) -> None:
    for _ in range(4):
        assert ring.ladder.play_next()
    matches = ring.store.matches.find(MatchFilter())
    assert len(matches) == 4
    assert all(match.rated and match.game == "mebipenny" for match in matches)
    assert all(seat.after is not None for match in matches for seat in match.seats)
    done = ring.bookings(BookingState.DONE)
    assert {one.match_id for one in done} == {match.id for match in matches}
    assert {one.kind for one in done} == {BookingKind.LADDER}
    assert ring.stored == ["mebipenny"] * 4
    assert ring.live_matches.signal.value == 0, "it is played headless"


def test_seats_are_swapped_and_seeds_go_on(ring: Ring) -> None:
    for _ in range(6):
        ring.ladder.play_next()
    played = [
        (match.seed, tuple(seat.version_id for seat in match.seats))
        for match in ring.store.matches.in_order(MatchFilter())
    ]
    assert len(set(played)) == 6
    for first, second in zip(played[::2], played[1::2], strict=True):
        assert first[0] == second[0]
        assert first[1] == second[1][::-1]
    assert len({seed for seed, _ in played}) == 3


def test_a_new_ladder_goes_on_where_the_old_one_was(ring: Ring) -> None:
    for _ in range(3):
        ring.ladder.play_next()
    again = ring.new_ladder()
    assert again.play_next()
    third, fourth = ring.store.matches.in_order(MatchFilter())[2:]
    assert third.seed == fourth.seed
    assert third.seats[0].version_id == fourth.seats[1].version_id


def test_what_was_cut_off_is_played_first(ring: Ring) -> None:
    """As after a kill: the booking says that it runs, and no worker plays it."""
    (one, _), *_, (two, _) = ladder_versions(ring.store, ring.game)
    versions = tuple(ring.store.versions.of_bot(bot.id)[0].id for bot in (one, two))
    options = asdict(ring.game.options())
    new = NewBooking(BookingKind.LADDER, ring.game.name, options, 77, versions, 1)
    cut_off = ring.store.bookings.add(new)
    ring.store.bookings.take(1)
    assert ring.store.bookings.mark_interrupted() == 1
    assert ring.ladder.play_next()
    booking = ring.store.bookings.get(cut_off.id)
    assert booking.state is BookingState.DONE
    assert booking.attempts == 2
    assert booking.match_id
    assert ring.store.matches.get(booking.match_id).seed == 77
    assert len(ring.bookings()) == 1


def test_a_ladder_takes_only_its_own_game(ring: Ring) -> None:
    enter_built_in(ring.store, find_game("hive"), 1)
    versions = [version.id for _, version in ladder_versions(ring.store, find_game("hive"))]
    options = asdict(find_game("hive").options())
    new = NewBooking(BookingKind.LADDER, "hive", options, 1, tuple(versions[:2]), 1)
    other = ring.store.bookings.add(new)
    ring.ladder.play_next()
    assert ring.store.bookings.get(other.id).state is BookingState.QUEUED


def test_newcomers_join_and_withdrawn_bots_leave(store: Store, tmp_path: Path) -> None:
    ring = Ring(store, "hive", turns=6)
    try:
        ring.ladder.play_next()
        version = ring.add_program(starter_files(tmp_path / "bot"), "python3 hive_bot.py")
        for _ in range(12):
            ring.ladder.play_next()
        assert store.matches.count(MatchFilter(version_id=version.id)) > 0
        store.versions.set_status(version.id, VersionStatus.WITHDRAWN)
        before = store.matches.count(MatchFilter(version_id=version.id))
        for _ in range(6):
            assert ring.ladder.play_next()
        assert store.matches.count(MatchFilter(version_id=version.id)) == before
    finally:
        ring.bot_builds.close()


def test_a_bot_that_cannot_be_built_sits_out_and_the_others_play_on(ring: Ring) -> None:
    toml = b'name = "mine"\nbuild = "false"\nrun = "./x"\n'
    version = ring.add_program({"bot.toml": toml}, "./x")
    for _ in range(12):
        ring.ladder.play_next()
    assert store_count(ring.store) == 12
    assert ring.store.matches.count(MatchFilter(version_id=version.id)) == 0


def store_count(store: Store) -> int:
    return store.matches.count(MatchFilter())


def test_where_programs_cannot_be_held_only_built_in_bots_play(
    store: Store, tmp_path: Path
) -> None:
    class Thin(BotBuilds):
        def obstacle(self) -> str:
            return "no sandbox here"

    ring = Ring(store, "hive", turns=6)
    version = ring.add_program(starter_files(tmp_path / "bot"), "python3 hive_bot.py")
    ladder = ring.new_ladder(bot_builds=Thin(store))
    for _ in range(6):
        assert ladder.play_next()
    assert store.matches.count(MatchFilter(version_id=version.id)) == 0


def test_two_bots_of_one_name_are_told_apart(store: Store, tmp_path: Path) -> None:
    ring = Ring(store, "hive", turns=4)
    versions = []
    for name in ("ada", "bob"):
        owner = store.users.add(name, "hash", 1)
        bot = store.bots.add(NewBot("hive", "crawler", 1, owner.id))
        files = starter_files(tmp_path / name)
        new = NewVersion(
            1, run="python3 hive_bot.py", files={p: NewFile(c) for p, c in files.items()}
        )
        versions.append(store.versions.add(bot.id, new).id)
    options = asdict(ring.game.options())
    store.bookings.add(NewBooking(BookingKind.LADDER, "hive", options, 1, tuple(versions), 1))
    try:
        assert ring.ladder.play_next()
    finally:
        ring.bot_builds.close()
    transcript = parse_transcript(store.matches.transcript(1).decode())
    assert [player["name"] for player in transcript.players] == ["ada/crawler@1", "bob/crawler@1"]
    assert transcript.extra.keys() >= {"wire", "stderr", "marks"}


def test_too_few_bots(ring: Ring) -> None:
    for bot, version in ladder_versions(ring.store, ring.game):
        if bot.name != "greedy":
            ring.store.versions.set_status(version.id, VersionStatus.WITHDRAWN)
    assert not ring.ladder.play_next()
    assert ring.bookings() == []


def test_who_plays_on_the_ladder(store: Store) -> None:
    """Not network clients, not bots from the command line, not what was removed."""
    hive = find_game("hive")
    enter_built_in(store, hive, 1)
    client = store.bots.add(NewBot("hive", "bob (guest)", 1))
    store.versions.add(client.id, NewVersion(1, protocol="uhp"))
    local = store.bots.add(NewBot("hive", "local", 1))
    store.versions.add(local.id, NewVersion(1, run="python3 x.py", files={"x.py": NewFile(b"")}))
    old = store.bots.add(NewBot("hive", "beginner", 1, built_in=True))
    store.versions.add(old.id, NewVersion(1))
    names = [bot.name for bot, _ in ladder_versions(store, hive)]
    assert names == ["greedy", "random", "search"]


def test_examples_come_once_and_stay_away_when_removed(store: Store) -> None:
    hive = find_game("hive")
    languages = ("python", "javascript", "cobol")
    entered = enter_examples(store, hive, languages, 1)
    assert "python-starter" in entered
    assert "cobol-starter" not in entered
    assert enter_examples(store, hive, languages, 2) == entered
    assert len(store.versions.of_game("hive")) == len(entered)
    bot = store.bots.find("hive", "python-starter")
    assert bot
    store.bots.remove(bot.id, 3)
    assert "python-starter" not in enter_examples(store, hive, languages, 4)


def test_knowledge_takes_in_what_others_have_stored(ring: Ring) -> None:
    knowledge = LadderResults(ring.store, ring.game, ring.game.options())
    assert knowledge.read() == []
    ring.ladder.play_next()
    ring.ladder.play_next()
    results = knowledge.read()
    assert len(results) == 2
    assert results == LadderResults(ring.store, ring.game, ring.game.options()).read()
    assert results == knowledge.read()
    knowledge._last_id += 1  # as if the next match had been stored before the one in between
    ring.ladder.play_next()
    assert len(knowledge.read()) == 3
    few = LadderResults(ring.store, ring.game, ring.game.options(), most=1)
    results = knowledge.read()
    assert few.read() == results[2:]
    assert +few.matches == dict.fromkeys(results[2].bots, 1), "and no longer the others"


def test_a_match_for_which_this_machine_was_late_is_put_back(store: Store) -> None:
    ring = Ring(store)
    ring.ladder.play_next()

    class LateBuilds(BotBuilds):
        def entrants(self, versions: object) -> tuple[object, ...]:  # type: ignore[override]
            raise LateError("this machine was late")

    late = MatchRunner(
        store,
        ring.live_matches,
        LateBuilds(store),
        ring.fleet,
        Limits(),
        ring.tick,
        ring.tick,
        threading.Event(),
    )
    assert not ring.new_ladder(late).play_next()
    (waiting,) = ring.bookings(BookingState.INTERRUPTED)
    assert ring.ladder.play_next()
    assert store.bookings.get(waiting.id).state is BookingState.DONE


def test_a_match_that_never_ends_is_given_up_at_last(ring: Ring) -> None:
    versions = tuple(version.id for _, version in ladder_versions(ring.store, ring.game)[:2])
    options = asdict(ring.game.options())
    booked = ring.store.bookings.add(
        NewBooking(BookingKind.LADDER, ring.game.name, options, 1, versions, 1)
    )
    for _ in range(5):
        ring.store.bookings.take(1)
        ring.store.bookings.mark_interrupted()
    assert not ring.ladder.play_next()
    booking = ring.store.bookings.get(booked.id)
    assert booking.state is BookingState.CANCELLED
    assert "begun 5 times" in booking.reason


def test_a_match_that_cannot_be_played_does_not_come_again(store: Store) -> None:
    """A planned match that brings the game down must not hold up all the others."""
    ring = Ring(store)
    fatal: list[int] = []

    class Fatal(MatchRunner):
        def play(self, booking: Booking, pace_ns: int | None, *, rated: bool) -> int | None:
            fatal[:] = fatal or [booking.seed]
            if booking.seed == fatal[0]:
                store.bookings.cancel(booking.id, 1, "it fails")
                return None
            return ring.match_runner.play(booking, pace_ns, rated=rated)

    match_runner = Fatal(
        store,
        ring.live_matches,
        ring.bot_builds,
        ring.fleet,
        Limits(),
        ring.tick,
        ring.tick,
        threading.Event(),
    )
    ladder = ring.new_ladder(match_runner)
    assert not ladder.play_next()
    for _ in range(20):
        assert ladder.play_next()
    assert store_count(store) == 20


def test_options_that_the_game_has_no_more(ring: Ring) -> None:
    versions = tuple(version.id for _, version in ladder_versions(ring.store, ring.game)[:2])
    new = NewBooking(BookingKind.LADDER, ring.game.name, {"colour": 1}, 1, versions, 1)
    booked = ring.store.bookings.add(new)
    ring.ladder.play_next()
    booking = ring.store.bookings.get(booked.id)
    assert booking.state is BookingState.CANCELLED
    assert "option 'colour'" in booking.reason


def test_a_pace_keeps_positions_apart_until_everything_stops() -> None:
    waited: list[float] = []

    class Stopping(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout or 0)
            return True

    readings = iter([0, SECOND // 4, SECOND, 5 * SECOND, 5 * SECOND])
    pace = Pace(SECOND, lambda: next(readings), Stopping())
    pace.wait()
    pace.wait()
    pace.wait()
    assert waited == [0.75]


def test_a_worker_goes_on_after_a_failure() -> None:
    done = threading.Event()
    deeds: Iterator[bool | Exception] = iter([True, ValueError("bad day"), False])

    def work() -> bool:
        deed = next(deeds, None)
        if deed is None:
            done.set()
            return False
        if isinstance(deed, Exception):
            raise deed
        return deed

    worker = Worker("test", work, idle_seconds=0.01)
    worker.start()
    assert done.wait(LONG_S)
    worker.stop()
    assert worker.join(LONG_S)


def test_the_whole_ladder_in_threads_starts_shows_and_stops(store: Store) -> None:
    live_matches = LiveMatches()
    settings = WorkerSettings(
        turn_ns=5_000_000,
        pace_ns=0,
        turns=6,
        ladder=("mebipenny", "battlebots"),
        ladder_jobs=2,
        examples=(),
    )
    workers = Workers(store, live_matches, settings=settings)
    workers.start()

    async def watch() -> set[str]:
        seen: set[str] = set()
        async with asyncio.timeout(LONG_S):
            while store_count(store) < 4 or len(seen) < 2:
                value = live_matches.signal.value
                seen |= {match.game.name for match in live_matches.running()}
                await live_matches.signal.beyond(value)
        return seen

    try:
        assert asyncio.run(watch()) == {"mebipenny", "battlebots"}
    finally:
        workers.stop()
    assert live_matches.running() == []
    assert store.bookings.find(BookingFilter(state=BookingState.RUNNING)) == []
    names = {thread.name for thread in threading.enumerate()}
    ladder = {"ladder 0", "show mebipenny", "show battlebots"}
    assert not {*ladder, "check 0", "challenge 0"} & names
    again = Workers(store, live_matches, settings=settings)
    again.start()
    again.stop()
    assert store.bookings.find(BookingFilter(state=BookingState.RUNNING)) == []
