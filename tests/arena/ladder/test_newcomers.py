"""A bot that has just passed its check plays before all others."""

from __future__ import annotations

import threading
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.pool import StoppedError
from agon.arena.booking_queue import take_booking
from agon.arena.bot_builds import BotBuilds
from agon.arena.ladder.fitness import Fitness, Unfitness
from agon.arena.ladder.game_ladder import NEW, Need
from agon.arena.ladder.participants import ladder_versions
from agon.arena.match_runner import MatchRunner
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import (
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
from agon.errors import ArbiterError, SettingError
from agon.games.registry import find_game
from agon.website.bots.outlook import find_outlook
from tests.arena.ladder.test_service import Ring
from tests.website.bots.packing import UNBUILT, starter_files, tiny_files
from tests.website.people import World, make_world
from tests.website.ranked import store_result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from agon.arbiter.bot_process import Program
    from agon.arbiter.entrant import Entrant
    from agon.datastore import Booking, BotVersion

LONG_S = 120


class Welcome(Ring):
    """A ladder of Hive, to which users bring programs."""

    def __init__(
        self, store: Store, starter: dict[str, bytes], bot_builds: BotBuilds | None = None
    ) -> None:
        super().__init__(store, "hive", bot_builds=bot_builds, turns=6)
        self.starter = starter

    def add(self, name: str = "mine") -> BotVersion:
        return self.add_program(self.starter, "python3 hive_bot.py", name)

    def add_unbuilt(self, name: str = "broken") -> BotVersion:
        return self.add_program({"bot.toml": UNBUILT}, "./bot", name)

    def book(self, *versions: int) -> Booking:
        """A match of the ladder that was not begun when the site ended."""
        kind, options = BookingKind.LADDER, asdict(self.game.options())
        new = NewBooking(kind, self.game.name, options, 1, versions, self.tick())
        return self.store.bookings.add(new)

    def count(self, version: BotVersion) -> int:
        return self.store.matches.count(MatchFilter(version_id=version.id))


@pytest.fixture
def welcome(blank: Path, tmp_path: Path) -> Iterator[Welcome]:
    with Store.open(blank) as store:
        welcome = Welcome(store, starter_files(tmp_path / "starter"))
        yield welcome
        welcome.bot_builds.close()


def test_a_newcomer_plays_while_the_ladder_is_in_the_midst_of_a_match(welcome: Welcome) -> None:
    """Another match stands still until the test lets it go on."""
    begun, may_end = threading.Event(), threading.Event()

    class Slow(MatchRunner):
        def play(self, booking: Booking, pace_ns: int | None, *, rated: bool) -> int | None:
            if not begun.is_set():
                begun.set()
                assert may_end.wait(LONG_S)
            return welcome.match_runner.play(booking, pace_ns, rated=rated)

    ladder = welcome.new_ladder(Slow.__new__(Slow))
    thread = threading.Thread(target=ladder.play_next)
    thread.start()
    try:
        assert begun.wait(LONG_S)
        version = welcome.add()
        before = welcome.now
        assert ladder.play_next(), "the other match of the set that has begun"
        assert ladder.play_next()
        assert welcome.count(version) == 1
        (match,) = welcome.store.matches.find(MatchFilter(version_id=version.id))
        assert match.rated
        assert before < match.started_ns < match.ended_ns <= welcome.now
        assert thread.is_alive(), "the other match is still under way"
    finally:
        may_end.set()
        thread.join(LONG_S)


def test_the_first_matches_are_of_the_new_version_with_swapped_seats(welcome: Welcome) -> None:
    for _ in range(3):
        assert welcome.ladder.play_next()
    version = welcome.add()
    for _ in range(7):
        assert welcome.ladder.play_next()
    completed, *matches = welcome.store.matches.in_order(MatchFilter(), after_id=3)
    assert completed.seed == welcome.store.matches.get(3).seed, "a set that has begun is completed"
    for first, second in zip(matches[::2], matches[1::2], strict=True):
        assert first.seed == second.seed
        assert [seat.bot for seat in first.seats] == [seat.bot for seat in second.seats][::-1]
        assert version.id in {seat.version_id for seat in first.seats}
    assert len({match.seed for match in matches}) == 3


def test_after_some_matches_a_version_is_not_new_any_more(welcome: Welcome) -> None:
    version = welcome.add()
    greedy = next(v.id for bot, v in ladder_versions(welcome.store, welcome.game))
    for seed in range(NEW):
        assert welcome.game_ladder.need() is Need.NEW_BOTS
        store_result(welcome.store, (version.id, greedy), (2, 0), seed=seed)
    assert welcome.game_ladder.need() is Need.LEARNING


def test_only_what_users_bring_is_new(welcome: Welcome) -> None:
    """Not the arena's own bots, nor older versions, nor what was withdrawn."""
    assert welcome.ladder.waiting() == []
    assert welcome.game_ladder.need() is Need.LEARNING
    old, new = welcome.add(), welcome.add_program({"x.py": b"2"}, "python3 x.py")
    assert [one.id for one in welcome.ladder.waiting()] == [new.id]
    welcome.store.versions.set_status(new.id, VersionStatus.WITHDRAWN)
    assert [one.id for one in welcome.ladder.waiting()] == [old.id]


def test_who_waits_longest_is_named_first(welcome: Welcome) -> None:
    versions = [welcome.add(name) for name in ("one", "two")]
    assert [one.id for one in welcome.ladder.waiting()] == [one.id for one in versions]
    store_result(welcome.store, (versions[0].id, 1), (2, 0))
    assert [one.id for one in welcome.ladder.waiting()] == [versions[1].id]


def test_what_cannot_be_built_sits_out_and_says_why(welcome: Welcome) -> None:
    broken, good = welcome.add_unbuilt(), welcome.add("good")
    for _ in range(8):
        assert welcome.ladder.play_next()
    assert (welcome.count(good), welcome.count(broken)) == (8, 0)
    unfit = welcome.ladder.unfit[broken.id]
    assert unfit.reason == "bot 'broken@1': it could not be built here"
    assert "exit status 1: zebra" in unfit.whole
    assert welcome.ladder.waiting() == []


def test_a_failure_of_the_machine_holds_up_no_other_bot(welcome: Welcome) -> None:
    class Full(BotBuilds):
        is_full = True

        def entrant(self, version_id: int) -> Entrant:
            if self.is_full and version_id == unlucky.id:
                raise ArbiterError("no space left on this machine")
            return super().entrant(version_id)

    unlucky, lucky = welcome.add("one"), welcome.add("two")
    bot_builds = Full(welcome.store)
    full = Welcome(welcome.store, welcome.starter, bot_builds=bot_builds)
    assert full.ladder.play_next()
    assert [welcome.count(one) for one in (unlucky, lucky)] == [0, 1]
    assert full.ladder.unfit == {}
    bot_builds.is_full = False
    while not welcome.count(unlucky):
        assert full.ladder.play_next()
    bot_builds.close()


def test_a_match_that_was_put_back_is_not_booked_twice(welcome: Welcome) -> None:
    class Stopped(BotBuilds):
        def entrants(self, versions: Sequence[int]) -> tuple[Entrant, ...]:
            raise StoppedError("the site ends")

    version = welcome.add()
    stopped = Welcome(welcome.store, welcome.starter, bot_builds=Stopped(welcome.store))
    assert not stopped.ladder.play_next()
    stopped.bot_builds.close()
    assert [one.state for one in welcome.bookings()] == [BookingState.INTERRUPTED]
    assert welcome.ladder.play_next()
    assert [one.state for one in welcome.bookings()] == [BookingState.DONE]
    assert welcome.count(version) == 1


def test_a_match_that_cannot_be_played_does_not_come_again_and_again(welcome: Welcome) -> None:
    class Odd(BotBuilds):
        def entrants(self, versions: Sequence[int]) -> tuple[Entrant, ...]:
            if version.id in versions:
                raise SettingError("its files are gone")
            return super().entrants(versions)

    version = welcome.add()
    odd = Welcome(welcome.store, welcome.starter, bot_builds=Odd(welcome.store))
    assert not odd.ladder.play_next()
    assert odd.ladder.unfit == {version.id: Unfitness("its files are gone")}
    assert odd.ladder.play_next()
    odd.bot_builds.close()
    booked = [version.id in one.versions for one in welcome.bookings()]
    assert booked == [False, True], "the others play on"


@pytest.mark.parametrize("is_withdrawn", [True, False])
def test_the_one_that_cannot_play_is_to_blame_and_not_the_newcomer(
    welcome: Welcome, is_withdrawn: bool
) -> None:
    version = welcome.add("good")
    other = welcome.add("gone") if is_withdrawn else welcome.add_unbuilt()
    left = welcome.book(version.id, other.id)
    if is_withdrawn:
        welcome.store.versions.set_status(other.id, VersionStatus.WITHDRAWN)
    assert not welcome.ladder.play_next()
    assert welcome.store.bookings.get(left.id).state is BookingState.CANCELLED
    assert welcome.ladder.unfit.keys() == (set() if is_withdrawn else {other.id})
    assert welcome.ladder.play_next()
    assert welcome.count(version) == 1


class Waiting:
    """Bots of ada on a site behind which threads could work, but do not."""

    def __init__(self, world: World, **settings: Any) -> None:
        self.world = world
        self.game = find_game("hive")
        chosen = WorkerSettings(examples=(), unsafe_host=True, **settings)
        self.workers = Workers(world.store, world.site.live_matches, world.clock, chosen)
        world.site = replace(world.site, workers=self.workers)
        world.app.state.site = world.site

    def submit(self, name: str, **changed: bytes) -> BotVersion:
        """Ada's bot of that name, which waits for its check; its bot.toml may be another one."""
        owner = self.world.store.users.find("ada") or self.world.add_user("ada")
        files = {path: NewFile(content) for path, content in tiny_files(name).items()}
        files |= {f"{stem}.toml": NewFile(content) for stem, content in changed.items()}
        new = NewVersion(
            1, run="python3 bot.py", files=files, status=VersionStatus.PENDING
        )  # fmt: skip
        bot = NewBot("hive", name, 1, owner_id=owner.id)
        return self.world.store.submit_version(bot, new, 1)[1]

    def words(self, version: BotVersion) -> str | None:
        store = self.world.store
        now = store.versions.get(version.id)
        matches = len(store.ratings.history(self.game.name, now.id))
        bot = store.bots.get(now.bot_id)
        outlook = find_outlook(self.world.site, self.game, bot, now, matches)
        return None if outlook is None else outlook.words


@pytest.fixture
def waiting(blank: Path) -> Iterator[Waiting]:
    waiting = Waiting(make_world(blank))
    yield waiting
    waiting.world.close()


def test_a_page_says_what_a_version_waits_for(waiting: Waiting) -> None:
    store = waiting.world.store
    one, two = waiting.submit("one"), waiting.submit("two")
    assert waiting.words(one) == "It waits for its check, and is the next."
    assert waiting.words(two) == "It waits for its check, after 1 other."
    check = store.checks.take(2)
    assert check is not None
    assert waiting.words(one) == "It is being built and checked now."
    store.checks.end(check.id, passed=True, now_ns=3)
    begins = ": that begins in a moment."
    assert waiting.words(one) == f"It waits for its first match, and is the next{begins}"
    store.versions.set_status(two.id, VersionStatus.ACTIVE)
    assert waiting.words(two) == f"It waits for its first match, after 1 other{begins}"
    store_result(store, (one.id, two.id), (2, 0))
    assert waiting.words(one) is None
    page = waiting.world.browser().get(f"/bots/{two.bot_id}").text
    assert "data-wait" not in page


def test_the_bots_page_leads_to_its_check_and_only_its_author(waiting: Waiting) -> None:
    version = waiting.submit("one")
    path = f"/bots/{version.bot_id}"
    assert "/checks/1" in waiting.world.browser("ada").get(path).text
    page = waiting.world.browser().get(path).text
    assert "It waits for its check, and is the next." in page
    assert "/checks/" not in page


def test_a_version_that_never_will_play_says_so(waiting: Waiting) -> None:
    store = waiting.world.store
    version = waiting.submit("one")
    store.versions.set_status(version.id, VersionStatus.ACTIVE)
    waiting.workers.ladder.unfit[version.id] = Unfitness("the build went wrong")
    assert waiting.words(version) == "It cannot play: the build went wrong."
    newer = waiting.submit("one")
    store.versions.set_status(newer.id, VersionStatus.ACTIVE)
    assert "newer version" in str(waiting.words(version))
    store.versions.set_status(newer.id, VersionStatus.FAILED)
    assert "did not pass" in str(waiting.words(newer))


def test_what_a_build_says_is_for_the_author(waiting: Waiting) -> None:
    world = waiting.world
    version = waiting.submit("one", bot=UNBUILT)
    world.store.versions.set_status(version.id, VersionStatus.ACTIVE)
    fitness = Fitness(world.store, waiting.workers.bot_builds)
    assert not fitness.is_ready(version.id)
    waiting.workers.ladder.unfit.update(fitness.unfit)
    waiting.workers.bot_builds.close()
    world.add_user("eve")
    for path in (f"/bots/{version.bot_id}", f"/bots/{version.bot_id}/versions/1"):
        assert "exit status 1: zebra" in world.browser("ada").get(path).text
        for name in (None, "eve"):
            page = world.browser(name).get(path).text
            assert "it could not be built here." in page
            assert "zebra" not in page


def test_where_the_game_is_not_played_on_and_on(blank: Path) -> None:
    waiting = Waiting(make_world(blank), ladder=("mebipenny",))
    try:
        version = waiting.submit("one")
        waiting.world.store.versions.set_status(version.id, VersionStatus.ACTIVE)
        assert "No matches are played" in str(waiting.words(version))
    finally:
        waiting.world.close()


SHELL = {"bot.toml": b'name = "x"\nrun = "sh x.sh"\n', "x.sh": b"exit"}
LACK = "no machine of the cluster has agon-has-sh=yes"


class Elsewhere:
    """Machines of a cluster, of which none has `lacking`, and none has both of `apart`."""

    def __init__(self) -> None:
        self.lacking = {"sh"}
        self.apart: set[str] = set()

    def tell_lack(self, programs: Sequence[Program]) -> str:
        commands = {program.run[0] for program in programs}
        is_apart = bool(self.apart) and self.apart <= commands
        return LACK if commands & self.lacking or is_apart else ""

    def builds(self, store: Store) -> BotBuilds:
        return BotBuilds(store, elsewhere=lambda: "", tell_lack=self.tell_lack)


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


@pytest.fixture
def clustered(welcome: Welcome, elsewhere: Elsewhere) -> Iterator[Welcome]:
    """The ladder of a site whose programs play on a cluster."""
    bot_builds = elsewhere.builds(welcome.store)
    yield Welcome(welcome.store, welcome.starter, bot_builds=bot_builds)
    bot_builds.close()


def test_a_bot_that_no_machine_can_run_is_passed_over_until_one_can(
    clustered: Welcome, elsewhere: Elsewhere
) -> None:
    foreign, good = clustered.add_program(SHELL, "sh x.sh", "foreign"), clustered.add()
    left = clustered.book(foreign.id, good.id)
    for _ in range(6):
        assert clustered.ladder.play_next()
    assert clustered.count(good) > 0
    assert clustered.store.bookings.get(left.id).state is BookingState.QUEUED
    assert [foreign.id in one.versions for one in clustered.bookings()] == [False] * 6 + [True]
    assert [one.id for one in clustered.ladder.waiting()] == []
    elsewhere.lacking = set()
    assert clustered.ladder.play_next()
    assert clustered.store.bookings.get(left.id).state is BookingState.DONE
    for _ in range(12):
        assert clustered.ladder.play_next()
    assert clustered.count(foreign) > 1


def test_where_no_machine_is_there_nothing_is_begun(clustered: Welcome) -> None:
    class Away(BotBuilds):
        def match_obstacle(self, versions: Sequence[BotVersion]) -> str:
            return "the cluster has no machine that does jobs now"

    away = Welcome(clustered.store, clustered.starter, bot_builds=Away(clustered.store))
    assert not away.ladder.play_next()
    assert away.bookings() == []
    assert clustered.ladder.play_next()


def test_bots_that_no_machine_has_both_commands_for_play_others(
    clustered: Welcome, elsewhere: Elsewhere
) -> None:
    elsewhere.lacking, elsewhere.apart = set(), {"python3", "sh"}
    one, two = clustered.add(), clustered.add_program(SHELL, "sh x.sh", "two")
    played = sum(clustered.ladder.play_next() for _ in range(40))
    assert played >= 20
    assert clustered.count(one)
    assert clustered.count(two)
    assert not any({one.id, two.id} <= {*found.versions} for found in clustered.bookings())


def test_a_challenge_that_no_machine_can_play_holds_no_other_up(
    clustered: Welcome, elsewhere: Elsewhere
) -> None:
    store, builds = clustered.store, clustered.bot_builds
    foreign, good = clustered.add_program(SHELL, "sh x.sh", "foreign"), clustered.add()
    kind, options = BookingKind.CHALLENGE, asdict(clustered.game.options())
    first, second = (
        store.bookings.add(NewBooking(kind, "hive", options, 1, versions, 1))
        for versions in ((foreign.id, good.id), (good.id, None))
    )
    taken = take_booking(store, builds, 2, kind)
    assert taken is not None
    assert taken.id == second.id
    assert take_booking(store, builds, 3, kind) is None
    elsewhere.lacking = set()
    taken = take_booking(store, builds, 4, kind)
    assert taken is not None
    assert taken.id == first.id
