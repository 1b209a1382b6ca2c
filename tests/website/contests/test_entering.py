"""Who may enter a contest, with what, and who may leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.exceptions import HTTPException

from agon.datastore import ContestState, VersionStatus, WhoMayEnter
from agon.errors import SettingError
from agon.website.contests.contest_actions import change_state
from agon.website.contests.entering import enter, find_contest, remove_entry, versions_to_enter
from tests.website.contests.hosting import SECOND
from tests.website.people import NOON

if TYPE_CHECKING:
    from agon.datastore import Contest
    from tests.website.contests.hosting import Hosting

OPEN = ContestState.OPEN


def entered(hosting: Hosting, contest: Contest) -> list[tuple[int, str]]:
    """The versions that have entered, and by whom."""
    entries = hosting.store.contests.entries(contest.id)
    return [(one.version_id, hosting.store.users.get(one.user_id).name) for one in entries]


def test_a_bot_enters_and_leaves(hosting: Hosting) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada")
    enter(hosting.site, contest, hosting.user("ada"), mine)
    assert entered(hosting, contest) == [(mine, "ada")]
    remove_entry(hosting.site, contest, hosting.user("ada"), mine)
    assert entered(hosting, contest) == []


def test_a_newer_version_takes_the_place_of_the_older(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN)
    for version_id in (hosting.add_bot("ada"), second := hosting.add_bot("ada", run="true")):
        enter(hosting.site, contest, hosting.user("ada"), version_id)
    assert entered(hosting, contest) == [(second, "ada")]


def test_a_version_that_is_entered_stays_where_it_is(hosting: Hosting) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada")
    enter(hosting.site, contest, hosting.user("ada"), mine)
    before = hosting.store.contests.entries(contest.id)
    hosting.world.clock.pass_s(1)
    with pytest.raises(SettingError, match="'crawler', version 1: it is entered already"):
        enter(hosting.site, contest, hosting.user("ada"), mine)
    assert hosting.store.contests.entries(contest.id) == before


def test_a_user_enters_so_many_bots_and_no_more(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN, bots_each=2)
    one, two, three = (hosting.add_bot("ada", name) for name in ("a", "b", "c"))
    for version_id in (one, two):
        enter(hosting.site, contest, hosting.user("ada"), version_id)
    with pytest.raises(SettingError, match="may enter 2 bots"):
        enter(hosting.site, contest, hosting.user("ada"), three)
    assert entered(hosting, contest) == [(one, "ada"), (two, "ada")]
    enter(hosting.site, contest, hosting.user("bob"), hosting.add_bot("bob"))
    newer = hosting.add_bot("ada", "a", run="true")
    enter(hosting.site, contest, hosting.user("ada"), newer)
    assert (newer, "ada") in entered(hosting, contest)
    assert len(entered(hosting, contest)) == 3


def test_only_active_versions_enter(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN)
    for status in (VersionStatus.PENDING, VersionStatus.FAILED, VersionStatus.WITHDRAWN):
        mine = hosting.add_bot("ada", status=status)
        with pytest.raises(SettingError, match=f"it is {status}; expected one that is active"):
            enter(hosting.site, contest, hosting.user("ada"), mine)
    assert versions_to_enter(hosting.site, contest, hosting.user("ada")) == []
    assert entered(hosting, contest) == []


def test_a_bot_of_another_game_does_not_enter(hosting: Hosting) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada", game="hive")
    with pytest.raises(SettingError, match="plays hive, not mebipenny"):
        enter(hosting.site, contest, hosting.user("ada"), mine)


def test_a_version_that_does_not_exist(hosting: Hosting) -> None:
    with pytest.raises(SettingError, match="bot version 4711: there is none"):
        enter(hosting.site, hosting.contest(OPEN), hosting.user("ada"), 4711)


@pytest.mark.parametrize("name", ["bob", "olga"])
def test_no_user_enters_the_bot_of_another(hosting: Hosting, name: str) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada")
    with pytest.raises(HTTPException, match="not your bot"):
        enter(hosting.site, contest, hosting.user(name), mine)


def test_organisers_alone_enter_built_in_bots(hosting: Hosting) -> None:
    contest, greedy = hosting.contest(OPEN), hosting.built_in("greedy")
    with pytest.raises(HTTPException, match="not your bot"):
        enter(hosting.site, contest, hosting.user("ada"), greedy)
    enter(hosting.site, contest, hosting.user("olga"), greedy)
    assert entered(hosting, contest) == [(greedy, "olga")]


@pytest.mark.parametrize("state", [ContestState.DRAFT, ContestState.CLOSED])
def test_no_user_enters_when_entry_is_not_open(hosting: Hosting, state: ContestState) -> None:
    contest, mine = hosting.contest(state), hosting.add_bot("ada")
    with pytest.raises(SettingError, match=f"the contest is {state}"):
        enter(hosting.site, contest, hosting.user("ada"), mine)


def test_no_user_enters_after_the_closing_date(hosting: Hosting) -> None:
    """To the second, whether the contest scheduler has looked or not."""
    contest, mine = hosting.contest(OPEN, closes_ns=NOON + 60 * SECOND), hosting.add_bot("ada")
    ada = hosting.world.browser("ada")
    path = f"/contests/{contest.id}/entries"
    hosting.world.clock.pass_s(59)
    assert ada.post(path, version=str(mine)).status_code == 303
    assert ada.post(f"{path}/{mine}/remove").status_code == 303
    hosting.world.clock.pass_s(1)
    answer = ada.post(path, version=str(mine))
    assert answer.status_code == 422
    assert "entry is not open: the contest is closed" in answer.text
    assert entered(hosting, contest) == []


def test_a_contest_for_invited_users(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN, who_may_enter=WhoMayEnter.INVITED, invited=("ada",))
    enter(hosting.site, contest, hosting.user("ada"), hosting.add_bot("ada"))
    with pytest.raises(SettingError, match="invited"):
        enter(hosting.site, contest, hosting.user("bob"), hosting.add_bot("bob"))
    hosting.world.clock.pass_s(1)
    enter(hosting.site, contest, hosting.user("oscar"), hosting.built_in("random"))
    assert [name for _, name in entered(hosting, contest)] == ["ada", "oscar"]
    page = hosting.world.browser("bob").get(f"/contests/{contest.id}").text
    assert "Only users invited by the organiser" in page
    assert 'name="version"' not in page


def test_who_may_take_a_bot_out(hosting: Hosting) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada")
    enter(hosting.site, contest, hosting.user("ada"), mine)
    with pytest.raises(HTTPException, match="not your bot"):
        remove_entry(hosting.site, contest, hosting.user("bob"), mine)
    remove_entry(hosting.site, contest, hosting.user("oscar"), mine)
    assert entered(hosting, contest) == []
    with pytest.raises(HTTPException, match="not in this contest"):
        remove_entry(hosting.site, contest, hosting.user("oscar"), mine)


def test_once_entry_is_closed_organisers_alone_take_bots_out(hosting: Hosting) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada")
    enter(hosting.site, contest, hosting.user("ada"), mine)
    contest = change_state(hosting.site, hosting.olga, contest, ContestState.CLOSED)
    with pytest.raises(SettingError, match="the contest is closed; ask an organiser"):
        remove_entry(hosting.site, contest, hosting.user("ada"), mine)
    path = f"/contests/{contest.id}"
    assert "Remove" not in hosting.world.browser("ada").get(path).text
    assert "Remove" in hosting.world.browser("oscar").get(path).text
    remove_entry(hosting.site, contest, hosting.user("oscar"), mine)
    assert entered(hosting, contest) == []


def test_a_disqualified_bot_does_not_come_back(hosting: Hosting) -> None:
    """Whatever its author does, until the contest is over."""
    mine = hosting.add_bot("ada")
    contest = hosting.begin([mine, hosting.built_in("random")])
    remove_entry(hosting.site, contest, hosting.user("olga"), mine)
    ada, version = hosting.world.browser("ada"), hosting.store.versions.get(mine)
    for state in (ContestState.RUNNING, ContestState.PAUSED):
        if hosting.state(contest) is not state:
            change_state(hosting.site, hosting.olga, contest, state)
        for path in (f"/bots/{version.bot_id}", f"/api/v1/bots/{version.bot_id}"):
            answer = ada.post(f"{path}/versions/1/activate")
            assert answer.status_code == 409, answer.text
            assert "can play again when that is over" in answer.text
        assert hosting.store.versions.get(mine).status is VersionStatus.WITHDRAWN
    change_state(hosting.site, hosting.olga, hosting.now(contest), ContestState.FINISHED)
    assert ada.post(f"/bots/{version.bot_id}/versions/1/activate").status_code == 303


def test_no_bot_leaves_once_it_is_played(hosting: Hosting) -> None:
    mine, other = hosting.add_bot("ada"), hosting.built_in("random")
    contest = hosting.begin([mine, other])
    for user, version_id in (("ada", mine), ("olga", other)):
        with pytest.raises(SettingError, match="cannot leave any more: the contest is running"):
            remove_entry(hosting.site, contest, hosting.user(user), version_id)
    assert hosting.store.versions.get(mine).status is VersionStatus.ACTIVE


def test_a_user_who_is_removed_does_not_play(hosting: Hosting) -> None:
    contest, mine = hosting.contest(OPEN), hosting.add_bot("ada")
    enter(hosting.site, contest, hosting.user("ada"), mine)
    for name in ("random", "greedy"):
        enter(hosting.site, contest, hosting.user("olga"), hosting.built_in(name))
    olga, path = hosting.world.browser("olga"), f"/contests/{contest.id}"
    assert olga.post("/users/ada/remove").status_code == 303
    assert "<small>withdrawn</small>" in olga.get(path).text
    for state in ("closed", "running"):
        assert olga.post(f"{path}/state", state=state).status_code == 303
    assert [name for _, name in entered(hosting, contest)] == ["olga", "olga"]


def test_what_is_not_published_is_for_organisers(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN)
    hosting.store.contests.publish(contest.id, False)
    for user in (None, hosting.user("ada")):
        with pytest.raises(HTTPException, match="There is no contest"):
            find_contest(hosting.site, user, contest.id)
    assert find_contest(hosting.site, hosting.user("oscar"), contest.id).id == contest.id
    with pytest.raises(HTTPException, match="There is no contest 99"):
        find_contest(hosting.site, hosting.user("olga"), 99)
