"""Each query finds its own rows, and each change touches them alone.

There are three of everything: who asks for the second must get neither the first nor the third.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from agon.datastore import (
    BookingFilter,
    BookingKind,
    BookingState,
    CheckState,
    ContestState,
    JournalKind,
    MatchFilter,
    MatchStatus,
    NewBooking,
    NewBot,
    NewContest,
    NewFile,
    NewTournament,
    NewVersion,
    Page,
    Rating,
    ResultFilter,
    Store,
    TournamentState,
    VersionStatus,
    WhoMayEnter,
    schema,
)
from agon.datastore.blobs import blob_name
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, make_match, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HOUR = 3600 * 10**9
NUMBERS = (1, 2, 3)
RATINGS = (Rating(25.0, 8.0), Rating(26.0, 7.0))


def new_booking(number: int) -> NewBooking:
    game = f"game {number}"
    return NewBooking(BookingKind.CHALLENGE, game, {}, number, (number,), NOON, requested_by=number)


@pytest.fixture
def three(store: Store) -> Store:
    """Users 1, 2 and 3 have a bot, a version, a match and so on each, of the same number."""
    for number in NUMBERS:
        game = f"game {number}"
        store.users.add(f"user {number}", "hash", NOON)
        store.tokens.add(number, "laptop", f"token {number}", NOON)
        store.sessions.add(number, f"session {number}", NOON, NOON + HOUR)
        store.bots.add(NewBot(game, f"bot {number}", NOON, owner_id=number))
        files = {"bot": NewFile(b"bot %d" % number)}
        store.versions.add(number, NewVersion(NOON, run=f"./bot {number}", files=files))
        store.checks.add(number, NOON)
        store.tournaments.add(NewTournament(f"cup {number}", game, "swiss", NOON, {}, (number,)))
        match = make_match([number], (1,), game=game, tournament_id=number, fixture=f"{number}")
        store.record_match(rate(replace(match, rules_version=number), RATINGS))
        store.bookings.add(new_booking(number))
        contest = NewContest(f"contest {number}", game, "swiss", who_may_enter=WhoMayEnter.INVITED)
        store.contests.add(contest, number, NOON)
        store.contests.set_invited(number, [number])
        store.contests.set_state(number, ContestState.OPEN)
        store.contests.enter(number, number, number, NOON)
        store.contests.set_tournament(number, number)
        page = Page(f"key {number}", JournalKind.PEOPLE, game, {}, NOON, 0, [f"line {number}"])
        store.journal.write([page])
    return store


def ids(found: list[Any]) -> list[int]:
    return [one.id for one in found]


def rows(store: Store) -> dict[bool, list[tuple[Any, ...]]]:
    """What belongs to the second ones (True), and all other rows."""
    found: dict[bool, list[tuple[Any, ...]]] = {True: [], False: []}
    with store.database.read() as connection:
        for table in schema.metadata.sorted_tables:
            key = next(iter(table.primary_key))
            for row in connection.execute(select(table).order_by(*table.primary_key)):
                of_second = row._mapping[key] in (2, blob_name(b"bot 2"))
                found[of_second].append((table.name, *row))
    return found


READS: dict[str, Callable[[Store], list[int]]] = {
    "user by id": lambda store: [store.users.get(2).id],
    "user by name": lambda store: ids([store.users.find("user 2")]),
    "a user's tokens": lambda store: ids(store.tokens.of_user(2)),
    "a user's sessions": lambda store: ids(store.sessions.of_user(2)),
    "a session": lambda store: ids([store.sessions.use("session 2", NOON + 1, HOUR)]),
    "bot by id": lambda store: [store.bots.get(2).id],
    "a user's bots": lambda store: ids(store.bots.all(owner_id=2)),
    "a game's bots": lambda store: ids(store.bots.all("game 2")),
    "a game's bots that played": lambda store: ids(store.bots.that_played("game 2")),
    "owners in a match": lambda store: [*store.bots.owners_in(2)],
    "version by id": lambda store: [store.versions.get(2).id],
    "a bot's versions": lambda store: ids(store.versions.of_bot(2)),
    "a game's versions": lambda store: ids(store.versions.of_game("game 2")),
    "a game's named versions": lambda store: ids(store.versions.named("game 2")),
    "a version's files": lambda store: [
        int(one.path == "bot") + 1 for one in store.versions.files(2)
    ],
    "a version's checks": lambda store: ids(store.checks.of_version(2)),
    "a version's latest check": lambda store: ids([store.checks.latest(2)]),
    "check by id": lambda store: [store.checks.get(2).id],
    "tournament by id": lambda store: [store.tournaments.get(2).id],
    "tournament by name": lambda store: ids([store.tournaments.find("cup 2")]),
    "a game's tournaments": lambda store: ids(store.tournaments.all("game 2")),
    "a tournament's entrants": lambda store: store.tournaments.entrants(2),
    "a tournament's fixtures": lambda store: [*store.tournaments.finished_fixtures(2).values()],
    "match by id": lambda store: [store.matches.get(2).id],
    "a game's matches": lambda store: ids(store.matches.find(MatchFilter(game="game 2"))),
    "a tournament's matches": lambda store: ids(store.matches.find(MatchFilter(tournament_id=2))),
    "a bot's matches": lambda store: ids(store.matches.find(MatchFilter(bot_id=2))),
    "a version's matches": lambda store: ids(store.matches.find(MatchFilter(version_id=2))),
    "a game's newest match": lambda store: [store.matches.newest("game 2")],
    "the seats of a match": lambda store: [one.version_id for one in store.matches.get(2).seats],
    "a game's results": lambda store: of_results(store, ResultFilter("game 2")),
    "a game's ratings": lambda store: [*store.ratings.current("game 2")],
    "a rating's history": lambda store: [step[0] for step in store.ratings.history("game 2", 2)],
    "booking by id": lambda store: [store.bookings.get(2).id],
    "a user's bookings": lambda store: ids(store.bookings.of_user(2)),
    "a game's bookings": lambda store: ids(store.bookings.find(BookingFilter(game="game 2"))),
    "a game's next booking": lambda store: ids([store.bookings.take(NOON, game="game 2")]),
    "contest by id": lambda store: [store.contests.get(2).id],
    "a tournament's contest": lambda store: ids([store.contests.of_tournament(2)]),
    "a contest's invited": lambda store: store.contests.invited(2),
    "a contest's entries": lambda store: [one.version_id for one in store.contests.entries(2)],
}


def of_results(store: Store, wanted: ResultFilter) -> list[int]:
    assert store.results.count(wanted) == 1
    return [result.match_id for result in store.results.stream(wanted)]


def test_what_is_found(three: Store) -> None:
    assert {name: read(three) for name, read in READS.items()} == {name: [2] for name in READS}


CHANGES: dict[str, Callable[[Store], Any]] = {
    "password": lambda store: store.users.set_password(2, "other"),
    "token used": lambda store: store.tokens.use("token 2", NOON + 1),
    "token revoked": lambda store: store.tokens.revoke(2, NOON),
    "session used": lambda store: store.sessions.use("session 2", NOON + HOUR - 1, HOUR),
    "session ended": lambda store: store.sessions.end("session 2"),
    "version's status": lambda store: store.versions.set_status(2, VersionStatus.FAILED),
    "tournament's state": lambda store: store.tournaments.set_state(2, TournamentState.PAUSED),
    "tournament entered": lambda store: store.tournaments.enter(2, [1, 2, 3]),
    "contest entered again": lambda store: store.contests.enter(2, 2, 2, NOON + 1),
    "contest left": lambda store: store.contests.leave(2, 2),
    "contest published": lambda store: store.contests.publish(2, True),
    "contest edited": lambda store: store.contests.edit(2, NewContest("new", "game 2", "swiss")),
    "contest's invited": lambda store: store.contests.set_invited(2, [1, 3]),
    "contest's state": lambda store: store.contests.set_state(2, ContestState.CLOSED),
    "contest removed": lambda store: store.contests.remove(2),
    "journal's head": lambda store: store.journal.write([page_of_second(0, "line 2")]),
    "journal's lines": lambda store: store.journal.write([page_of_second(1, "more")]),
    "journal removed": lambda store: store.journal.remove("key 2"),
    "booking taken": lambda store: store.bookings.take_one(2, NOON),
    "booking put back": lambda store: store.bookings.put_back(store.bookings.get(2)),
    "booking cancelled": lambda store: store.bookings.cancel(2, NOON),
    "bot withdrawn": lambda store: store.bots.withdraw(2, NOON),
    "bot removed": lambda store: store.bots.remove(2, NOON),
    "user suspended": lambda store: store.users.suspend(2, "rude", NOON),
    "user removed": lambda store: store.users.remove(2, NOON),
}


def page_of_second(first: int, line: str) -> Page:
    return Page("key 2", JournalKind.PEOPLE, "game 2", {"new": 1}, NOON, first, [line])


def test_what_is_changed(three: Store) -> None:
    before = rows(three)
    for name, change in CHANGES.items():
        change(three)
        after = rows(three)
        assert after[False] == before[False], name
        assert after[True] != before[True], name
        before = after


def test_an_account_that_is_closed_takes_nothing_of_others_with_it(three: Store) -> None:
    before = rows(three)
    three.users.remove(2, NOON)
    after = rows(three)
    assert after[False] == before[False]
    changed = {row[0] for row in before[True] if row not in after[True]}
    assert changed == {"users", "tokens", "sessions", "bot_versions", "checks", "bookings"}


def test_a_running_check_and_its_version(three: Store) -> None:
    for _ in NUMBERS:
        three.checks.take(NOON)
    before = rows(three)[False]
    three.checks.append(2, "output")
    three.checks.end(2, passed=False, now_ns=NOON)
    assert rows(three)[False] == before
    assert three.checks.get(2).state is CheckState.FAILED


def test_a_booked_match_ends_its_own_booking(three: Store) -> None:
    for _ in NUMBERS:
        three.bookings.take(NOON)
    match_id = three.record_booked_match(2, make_match([2], (1,), game="game 2"), NOON)
    states = [three.bookings.get(number).state for number in NUMBERS]
    assert states == [BookingState.RUNNING, BookingState.DONE, BookingState.RUNNING]
    assert ids(three.bookings.find(BookingFilter(match_id=match_id))) == [2]
    again = make_match([1], (1,), game="game 1")
    assert three.record_booked_match(1, again, NOON) != match_id
    assert ids(three.bookings.find(BookingFilter(match_id=match_id))) == [2]


def test_one_user_of_several_is_reinstated(three: Store) -> None:
    for number in NUMBERS:
        three.users.suspend(number, "rude", NOON)
    before = rows(three)[False]
    three.users.reinstate(2)
    assert three.versions.get(2).status is VersionStatus.PENDING
    assert rows(three)[False] == before


def test_a_bot_is_told_from_those_that_have_all_but_one_in_common(store: Store) -> None:
    for number in NUMBERS:
        store.users.add(f"user {number}", "", NOON)
    others = [
        *(NewBot(game, "b", NOON, owner_id=2) for game in "ac"),
        *(NewBot("b", name, NOON, owner_id=2) for name in "ac"),
        *(NewBot("b", "b", NOON, owner_id=owner) for owner in (1, 3, None)),
        NewBot("b", "b", NOON, built_in=True),
    ]
    for other in others:
        store.bots.add(other)
    bot = store.bots.add(NewBot("b", "b", NOON, owner_id=2))
    assert store.bots.find("b", "b", owner_id=2) == bot
    assert store.bots.ensure(NewBot("b", "b", NOON, owner_id=2)) == bot
    for other in others:
        found = store.bots.find(
            other.game, other.name, owner_id=other.owner_id, built_in=other.built_in
        )
        assert found
        assert (found.game, found.name, found.owner_id) == (other.game, other.name, other.owner_id)


def test_a_version_is_told_from_others_by_bot_and_number_and_program(store: Store) -> None:
    programs = [NewVersion(NOON, run=run) for run in ("./a", "./b", "./c")]
    for name in "abc":
        bot = store.bots.add(NewBot("hive", name, NOON))
        for program in programs:
            store.versions.add(bot.id, program)
    for bot_id in NUMBERS:
        for number, program in enumerate(programs, 1):
            found = store.versions.find(bot_id, number)
            assert found
            assert (found.bot_id, found.number, found.run) == (bot_id, number, program.run)
            assert store.versions.ensure(bot_id, program) == found
    assert store.versions.add(2, programs[0]).number == 4


def test_results_by_rules_and_tournament(three: Store) -> None:
    for number in (1, 3):
        other = make_match([2], (1,), game="game 2", rules_version=number)
        three.record_match(replace(other, tournament_id=number, fixture="9"))
    assert of_results(three, ResultFilter("game 2", rules_version=2)) == [2]
    assert of_results(three, ResultFilter("game 2", tournament_id=2)) == [2]


def test_ratings_by_game_and_version(three: Store) -> None:
    for version, game in ((2, "game 1"), (2, "game 3"), (1, "game 2"), (3, "game 2")):
        three.record_match(rate(make_match([version], (1,), game=game), RATINGS))
    assert [step.match_id for step in three.ratings.history("game 2", 2)] == [2]
    bot = three.bots.add(NewBot("game 2", "new", NOON))
    new = three.versions.add(bot.id, NewVersion(NOON)).id
    last: list[Rating | None] = []

    def climb(known: Sequence[Rating | None]) -> list[tuple[Rating, Rating]]:
        last.extend(known)
        return [RATINGS]

    for version, game in ((2, "game 4"), (2, "game 0"), (new, "game 2")):
        three.record_rated_match(make_match([version], (1,), game=game), climb)
    assert last == [None, None, None]


def test_a_fixture_is_told_from_those_of_its_tournament_and_of_others(three: Store) -> None:
    match = make_match([2], (1,), game="game 2", tournament_id=2, fixture="2")
    for number in (1, 3):
        three.record_match(replace(match, fixture=str(number)))
        three.record_match(replace(match, tournament_id=number))
    three.record_match(replace(match, status=MatchStatus.VOID))
    assert three.record_match(match) == 2


def test_an_invited_user_enters_that_contest_alone(three: Store) -> None:
    for number in (1, 3):
        with pytest.raises(DatastoreError, match=f"contest {number}: user 2 is not invited"):
            three.contests.enter(number, 2, 2, NOON)
        with pytest.raises(DatastoreError, match=f"contest 2: user {number} is not invited"):
            three.contests.enter(2, number, number, NOON)
        with pytest.raises(DatastoreError, match=f"bot version {number} is not in it"):
            three.contests.leave(2, number)


def test_all_versions_of_a_bot_have_one_place_in_a_contest(three: Store) -> None:
    three.contests.set_invited(2, NUMBERS)
    for number in NUMBERS:
        three.contests.enter(2, number, number, NOON + number)
        newer = three.versions.add(number, NewVersion(NOON)).id
        three.contests.enter(number, newer, number, NOON)
    entered = {n: [entry.version_id for entry in three.contests.entries(n)] for n in NUMBERS}
    assert entered == {1: [4], 2: [5, 1, 3], 3: [6]}
