"""Users download all that is stored about them, and nothing of others."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING
from zipfile import ZipFile

from agon.arena.people.store import PERSON_SUFFIX
from agon.arena.rate_limit import RateLimit
from agon.datastore import (
    BookingKind,
    ContestState,
    NewBooking,
    NewBot,
    NewContest,
    NewFile,
    NewVersion,
)
from agon.website.accounts.policy import AccountPolicy
from tests.datastore.samples import make_match
from tests.website.people import CHEAP, PASSWORD

if TYPE_CHECKING:
    from tests.website.accounts.conftest import Make
    from tests.website.people import World


def add_bot(world: World, owner: str, content: bytes) -> int:
    """A bot that is called like a folder above; its version."""
    user = world.store.users.find(owner)
    assert user
    bot = world.store.bots.add(NewBot("hive", "..", world.clock(), owner_id=user.id))
    files = {"bot.py": NewFile(content), "data/book.bin": NewFile(b"\x00\xff")}
    new = NewVersion(world.clock(), language="python", run="python3 bot.py", files=files)
    version = world.store.versions.add(bot.id, new)
    check = world.store.checks.add(version.id, world.clock())
    assert world.store.checks.take(world.clock())
    world.store.checks.append(check.id, "built")
    world.store.checks.end(check.id, passed=True, now_ns=world.clock())
    return version.id


def test_all_of_it_is_there(world: World) -> None:
    mine, others = add_bot(world, "ada", b"print(1)"), add_bot(world, "olga", b"print(2)")
    played = world.store.record_match(make_match([mine, others]))
    again = world.store.record_match(make_match([others, mine]))
    world.store.record_match(make_match([others, others]))
    contest = world.store.contests.add(NewContest("Cup", "hive", "swiss"), 2, world.clock())
    world.store.contests.set_state(contest.id, ContestState.OPEN)
    for version, user_id in ((mine, 1), (others, 2)):
        world.store.contests.enter(contest.id, version, user_id, world.clock())
        asked = NewBooking(BookingKind.CHALLENGE, "hive", {}, 1, (version,), 1, {}, user_id)
        world.store.bookings.add(asked)
    person = world.store.bots.add(NewBot("hive", f"ada{PERSON_SUFFIX}", world.clock()))
    at_the_board = world.store.versions.add(person.id, NewVersion(world.clock())).id
    by_hand = world.store.record_match(make_match([at_the_board, others]))

    browser = world.browser("ada")
    assert 'href="/account/data.zip"' in browser.get("/account").text
    answer = browser.get("/account/data.zip")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="agon-ada.zip"'
    assert answer.headers["cache-control"] == "no-store"
    with ZipFile(io.BytesIO(answer.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files.keys() == {
        "account.json",
        "matches.jsonl",
        "bots/hive-1/1/bot.py",
        "bots/hive-1/1/data/book.bin",
    }
    assert files["bots/hive-1/1/bot.py"] == b"print(1)"
    account = json.loads(files["account.json"])
    assert (account["name"], account["created"]) == ("ada", "2025-10-09T08:53:20Z")
    assert len(account["sessions"]) == 1
    (bot,) = account["bots"]
    (version,) = bot["versions"]
    assert (bot["name"], version["run"]) == ("..", "python3 bot.py")
    assert version["checks"][0]["output"] == "built"
    matches = [json.loads(line) for line in files["matches.jsonl"].splitlines()]
    assert [match["id"] for match in matches] == [again, played, by_hand]
    (contest_entry,) = account["contests"]
    assert (contest_entry["name"], contest_entry["version_id"]) == ("Cup", mine)
    assert contest_entry["entered"] == account["created"]
    assert [one["state"] for one in account["challenges"]] == ["queued"]
    assert [seat["bot"] for seat in matches[0]["seats"]] == ["..@1", "..@1"]
    assert CHEAP.hash(PASSWORD)[:10] not in files["account.json"].decode(), "no hash is in it"


def test_it_is_work_and_has_a_limit(make: Make) -> None:
    world = make(guard=AccountPolicy(CHEAP, own_data=RateLimit(2, 3600)))
    world.add_user("ada")
    browser = world.browser("ada")
    answers = [browser.get("/account/data.zip").status_code for _ in range(3)]
    assert answers == [200, 200, 429]
