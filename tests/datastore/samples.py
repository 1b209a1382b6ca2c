"""Things to store, made up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agon.datastore import (
    AuditAction,
    BookingKind,
    ContestState,
    JournalKind,
    NewBooking,
    NewBot,
    NewContest,
    NewFile,
    NewMatch,
    NewSeat,
    NewTournament,
    NewVersion,
    Page,
    Rating,
    WhoMayEnter,
    new_secret,
)

if TYPE_CHECKING:
    from agon.datastore import Store

NOON = 1_760_000_000_000_000_000
TRANSCRIPT = b'{"game":"hive","events":[' + b",".join([b'"wS1 bS1-"'] * 60) + b"]}"


def add_versions(store: Store, count: int = 2, game: str = "hive") -> list[int]:
    """Bots a, b, … with a version each: the versions' ids."""
    ids = []
    for number in range(count):
        bot = store.bots.ensure(NewBot(game, chr(ord("a") + number), NOON))
        ids.append(store.versions.ensure(bot.id, NewVersion(NOON, run="./bot")).id)
    return ids


def make_match(versions: list[int], scores: tuple[int, ...] = (1, 0), **changes: Any) -> NewMatch:
    """A finished match of these bot versions."""
    seats = tuple(
        NewSeat(version, None, score, sum(other > score for other in scores), 5_000_000)
        for version, score in zip(versions, scores, strict=True)
    )
    match = NewMatch(
        game="hive",
        rules_version=1,
        options={"variant": "Base+MLP"},
        seed=7,
        seats=seats,
        transcript=TRANSCRIPT,
        started_ns=NOON,
        ended_ns=NOON + 10**9,
        turns=42,
        reason="queen surrounded",
    )
    return replace(match, **changes)


def rate(match: NewMatch, *ratings: tuple[Rating, Rating]) -> NewMatch:
    """The match with ratings before and after, by seat."""
    seats = [
        replace(seat, before=before, after=after)
        for seat, (before, after) in zip(match.seats, ratings, strict=True)
    ]
    return replace(match, seats=tuple(seats))


def fill(store: Store) -> None:
    """Something in every table, odd characters and bytes included."""
    ada = store.users.add("Ada 🐝", "$argon2id$…", NOON, organiser=True)
    bob = store.users.add("bob", "$argon2id$…", NOON + 1, password_is_temporary=True)
    token = store.tokens.add(ada.id, "laptop\n", new_secret(), NOON)
    store.tokens.revoke(token.id, NOON + 5)
    store.sessions.add(ada.id, new_secret(), NOON, NOON + 10**15)
    store.bots.add(NewBot("hive", "search", NOON, built_in=True))
    own = store.bots.add(NewBot("hive", "<script>", NOON, owner_id=ada.id))
    files = {
        "bot.py": NewFile("print('naïve')\n".encode() * 50, executable=True),
        "weights/net.bin": NewFile(bytes(range(256)) * 3),
        "empty": NewFile(b""),
    }
    store.versions.add(own.id, NewVersion(NOON, "v1", "python", "", "python3 bot.py", "", files))
    versions = add_versions(store, 3)
    tournament = store.tournaments.add(
        NewTournament("friday", "hive", "round-robin", NOON, {"rounds": 2}, tuple(versions))
    )
    before, after = Rating(25.0, 25 / 3), Rating(26.1, 0.1 + 0.2)
    rated = rate(make_match(versions[:2], seed=2**63 - 1), (before, after), (after, before))
    store.record_matches(
        [
            replace(rated, tournament_id=tournament.id, fixture="r1:a-b"),
            make_match(versions[1:], (0, 0), options={"odd": ["\ud800", 2**70, 0.1, None]}),
            make_match(versions, (2, -5, 2), transcript=b"\xff\x00" * 100),
        ]
    )
    fill_plans(store, ada.id, versions, tournament.id)
    head = {"seats": [None, "naïve"]}
    store.journal.write([Page("kx3", JournalKind.PEOPLE, "hive", head, NOON, 0, ["wS1", "🐝"])])
    store.users.remove(bob.id, NOON + 9)
    store.audit_log.add(ada.id, AuditAction.REMOVE_USER, "bob", bob.id, NOON + 9, "naïve 🐝")


def fill_plans(store: Store, user_id: int, versions: list[int], tournament_id: int) -> None:
    """Something that is to come: checks, bookings, contests."""
    store.checks.add(versions[0], NOON)
    running = store.checks.take(NOON + 1)
    assert running
    store.checks.append(running.id, "cc -o bot bot.c\nbot.c:1: naïve\n")
    asked = NewBooking(
        BookingKind.CHALLENGE,
        "hive",
        {"variant": "Base"},
        5,
        (versions[0], versions[1]),
        NOON,
        {"move_ms": 100},
        user_id,
    )
    booking = store.bookings.add(asked)
    store.bookings.add(replace(asked, versions=(None, versions[2])))
    store.record_booked_match(booking.id, make_match(versions[:2]), NOON + 3)
    contest = store.contests.add(
        NewContest("cup", "hive", "swiss", description="🏆", who_may_enter=WhoMayEnter.INVITED),
        user_id,
        NOON,
    )
    store.contests.set_invited(contest.id, [user_id])
    store.contests.set_state(contest.id, ContestState.OPEN)
    store.contests.enter(contest.id, versions[0], user_id, NOON + 1)
    store.contests.set_tournament(contest.id, tournament_id)
