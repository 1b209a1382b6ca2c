"""Authors look after their bots: withdraw, let play again, check again, delete."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.ladder.participants import ladder_versions, playable_versions
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import (
    AuditAction,
    CheckState,
    ContestState,
    NewBot,
    NewContest,
    NewFile,
    NewVersion,
    VersionStatus,
)
from agon.games.registry import find_game
from tests.website.bots.packing import tiny_files

if TYPE_CHECKING:
    from agon.datastore import BotVersion, StoredBot
    from tests.website.people import World


def add_version(
    world: World, name: str = "crawler", *, passed: bool = True
) -> tuple[StoredBot, BotVersion]:
    """A version of ada's bot that has gone through its check."""
    ada = world.store.users.find("ada")
    assert ada
    number = len(world.store.versions.of_game("hive"))
    files = tiny_files(name, f"print({number})\n")
    new = NewVersion(
        world.clock(),
        run="python3 bot.py",
        files={path: NewFile(content) for path, content in files.items()},
        status=VersionStatus.PENDING,
    )
    bot, version, check = world.store.submit_version(
        NewBot("hive", name, world.clock(), ada.id), new, world.clock()
    )
    assert world.store.checks.take(world.clock()) is not None
    world.store.checks.end(check.id, passed=passed, now_ns=world.clock())
    return bot, world.store.versions.get(version.id)


def status_of(world: World, version: BotVersion) -> VersionStatus:
    return world.store.versions.get(version.id).status


def test_the_newest_version_plays_and_the_old_one_can_be_challenged(world: World) -> None:
    bot, first = add_version(world)
    _, second = add_version(world)
    hive = find_game("hive")
    assert ladder_versions(world.store, hive) == [(bot, second)]
    assert playable_versions(world.store, hive) == [(bot, second), (bot, first)]
    browser = world.browser("ada")
    for path in (f"/bots/{bot.id}/edit", f"/bots/{bot.id}"):
        page = browser.get(path).text
        assert page.index("<td>plays on the ladder</td>") < page.index("<td>can be challenged</td>")
    assert "<dd>plays on the ladder</dd>" in browser.get(f"/bots/{bot.id}/versions/2").text
    assert "<dd>can be challenged</dd>" in browser.get(f"/bots/{bot.id}/versions/1").text
    assert "crawler@2 <small>plays on the ladder</small>" in browser.get("/users/ada").text


def test_a_withdrawn_version_gives_its_place_to_the_one_before(world: World) -> None:
    bot, first = add_version(world)
    _, second = add_version(world)
    browser = world.browser("ada")
    answer = browser.post(f"/bots/{bot.id}/versions/2/withdraw")
    assert answer.headers["location"] == f"/bots/{bot.id}/edit"
    assert status_of(world, second) is VersionStatus.WITHDRAWN
    assert ladder_versions(world.store, find_game("hive")) == [(bot, first)]
    assert "crawler@1 <small>plays on the ladder</small>" in browser.get("/users/ada").text
    assert f'version={first.id}">Challenge</a>' in browser.get(f"/bots/{bot.id}").text
    browser.post(f"/bots/{bot.id}/versions/2/activate")
    assert status_of(world, second) is VersionStatus.ACTIVE
    assert len(world.store.checks.of_version(second.id)) == 1, "it has passed once: no new check"


def test_no_visitor_is_led_to_challenge_a_bot_that_does_not_play(world: World) -> None:
    bot, version = add_version(world, passed=False)
    for name in ("ada", "bob"):
        page = world.browser(name).get(f"/bots/{bot.id}").text
        assert "did not pass its check" in page
        assert ">Challenge</a>" not in page
    form = world.browser("bob").get(f"/challenge?game=hive&version={version.id}").text
    assert "version 1: it does not play" in form
    assert "Play now" in form


def test_a_network_client_cannot_be_challenged(world: World) -> None:
    client = world.store.bots.add(NewBot("hive", "eve (guest)", world.clock()))
    world.store.versions.add(client.id, NewVersion(world.clock()))
    page = world.browser().get(f"/bots/{client.id}").text
    assert "<td>cannot be challenged</td>" in page
    assert ">Challenge</a>" not in page


def test_a_version_that_never_passed_is_checked_before_it_plays_again(world: World) -> None:
    bot, version = add_version(world, passed=False)
    world.store.versions.set_status(version.id, VersionStatus.WITHDRAWN)
    answer = world.browser("ada").post(f"/bots/{bot.id}/versions/1/activate")
    check = world.store.checks.latest(version.id)
    assert check
    assert check.state is CheckState.QUEUED
    assert answer.headers["location"] == f"/checks/{check.id}"
    assert status_of(world, version) is VersionStatus.PENDING


class Bells(Workers):
    """Tells which workers were called."""

    def __init__(self, world: World) -> None:
        super().__init__(world.store, world.site.live_matches, world.clock, WorkerSettings())
        self.rung: list[str] = []

    def ring_checkers(self) -> None:
        self.rung.append("check")

    def ring_ladder(self, game: str) -> None:
        self.rung.append(game)


@pytest.mark.parametrize(
    ("passed", "deed", "rung"), [(True, "activate", "hive"), (False, "check", "check")]
)
def test_the_worker_is_called_at_once(world: World, passed: bool, deed: str, rung: str) -> None:
    bot, _ = add_version(world, passed=passed)
    bells = Bells(world)
    world.app.state.site = replace(world.site, workers=bells)
    browser = world.browser("ada")
    if deed == "activate":
        browser.post(f"/bots/{bot.id}/versions/1/withdraw")
    assert browser.post(f"/bots/{bot.id}/versions/1/{deed}").status_code == 303
    assert bells.rung == [rung]
    bells.stop()


def test_a_version_in_a_contest_stays_withdrawn(world: World) -> None:
    bot, version = add_version(world)
    contest = world.store.contests.add(NewContest("Cup", "hive", "swiss"), 3, world.clock())
    world.store.contests.set_state(contest.id, ContestState.OPEN)
    world.store.contests.enter(contest.id, version.id, 1, world.clock())
    for state in (ContestState.CLOSED, ContestState.RUNNING):
        world.store.contests.set_state(contest.id, state)
    browser = world.browser("ada")
    browser.post(f"/bots/{bot.id}/versions/1/withdraw")
    refused = browser.post(f"/bots/{bot.id}/versions/1/activate")
    assert (refused.status_code, "is out of a contest" in refused.text) == (409, True)
    assert status_of(world, version) is VersionStatus.WITHDRAWN


@pytest.mark.parametrize(
    ("status", "can"),
    [
        (VersionStatus.ACTIVE, True),
        (VersionStatus.PENDING, True),
        (VersionStatus.WITHDRAWN, False),
        (VersionStatus.FAILED, False),
    ],
)
def test_what_can_be_withdrawn(world: World, status: VersionStatus, can: bool) -> None:
    bot, version = add_version(world)
    world.store.versions.set_status(version.id, status)
    page = world.browser("ada").get(f"/bots/{bot.id}/edit").text
    assert ("/versions/1/withdraw" in page) is can


def test_what_organisers_do_to_others_bots_is_noted(world: World) -> None:
    bot, _ = add_version(world)
    ada, olga = world.browser("ada"), world.browser("olga")
    ada.post(f"/bots/{bot.id}/versions/1/withdraw")
    assert world.store.audit_log.find() == []
    ada.post(f"/bots/{bot.id}/versions/1/activate")
    olga.post(f"/bots/{bot.id}/versions/1/withdraw")
    olga.post(f"/bots/{bot.id}/delete")
    noted = [(one.action, one.target_id, one.detail) for one in world.store.audit_log.find()]
    assert noted == [
        (AuditAction.DELETE_BOT, bot.id, "hive"),
        (AuditAction.WITHDRAW_VERSION, bot.id, "hive, version 1"),
    ]


def test_a_failed_version_is_checked_again_if_its_author_asks(world: World) -> None:
    bot, version = add_version(world, passed=False)
    browser = world.browser("ada")
    assert "Check again" in browser.get(f"/bots/{bot.id}/edit").text
    browser.post(f"/bots/{bot.id}/versions/1/check")
    assert [one.state for one in world.store.checks.of_version(version.id)] == [
        CheckState.QUEUED,
        CheckState.FAILED,
    ]
    assert status_of(world, version) is VersionStatus.PENDING


@pytest.mark.parametrize(
    ("passed", "deed"), [(True, "activate"), (True, "check"), (False, "withdraw")]
)
def test_what_does_not_fit_the_state_is_refused(world: World, passed: bool, deed: str) -> None:
    bot, version = add_version(world, passed=passed)
    before = status_of(world, version)
    assert world.browser("ada").post(f"/bots/{bot.id}/versions/1/{deed}").status_code == 409
    assert status_of(world, version) is before


def test_a_bot_is_deleted_after_a_question(world: World) -> None:
    bot, version = add_version(world)
    browser = world.browser("ada")
    assert "You cannot undo this" in browser.get(f"/bots/{bot.id}/delete").text
    assert world.store.bots.get(bot.id).removed_ns is None
    assert browser.post(f"/bots/{bot.id}/delete").status_code == 303
    assert world.store.bots.get(bot.id).removed_ns is not None
    assert world.store.versions.files(version.id) == []
    assert ladder_versions(world.store, find_game("hive")) == []
    assert browser.get(f"/bots/{bot.id}/edit").status_code == 404
    assert browser.post(f"/bots/{bot.id}/delete").status_code == 404


def test_organisers_may_stop_a_bot_and_do_nothing_else_to_it(world: World) -> None:
    bot, version = add_version(world)
    organiser = world.browser("olga")
    page = organiser.get(f"/bots/{bot.id}/edit").text
    assert "Withdraw" in page
    assert "Upload the next version" not in page
    assert organiser.post(f"/bots/{bot.id}/versions/1/withdraw").status_code == 303
    assert organiser.post(f"/bots/{bot.id}/versions/1/activate").status_code == 403
    assert organiser.post(f"/bots/{bot.id}/versions/1/check").status_code == 403
    assert organiser.post(f"/bots/{bot.id}/delete").status_code == 303
    assert status_of(world, version) is VersionStatus.WITHDRAWN


def test_no_other_user_changes_it(world: World) -> None:
    bot, version = add_version(world)
    other = world.browser("bob")
    for path in ("edit", "delete"):
        assert other.get(f"/bots/{bot.id}/{path}").status_code == 403
    for path in ("versions/1/withdraw", "versions/1/activate", "versions/1/check", "delete"):
        assert other.post(f"/bots/{bot.id}/{path}").status_code == 403
    assert status_of(world, version) is VersionStatus.ACTIVE
    assert world.store.bots.get(bot.id).removed_ns is None
    assert world.browser("ada").post(f"/bots/{bot.id}/versions/7/withdraw").status_code == 404
