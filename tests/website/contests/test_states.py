"""Where a contest can go from where it stands, by hand and by its dates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.contests.dates import keep_dates
from agon.datastore import ContestState, VersionStatus
from agon.errors import DatastoreError, SettingError, TakenError
from agon.ranker.formats import Format
from agon.website.contests.contest_actions import (
    STATE_BUTTONS,
    add_contest,
    change_state,
    edit_contest,
    publish,
    remove_contest,
)
from agon.website.contests.entering import enter, find_contest
from tests.website.contests.hosting import SECOND, make_proposal
from tests.website.people import NOON

if TYPE_CHECKING:
    from agon.datastore import Contest
    from tests.website.contests.hosting import Hosting

DRAFT, OPEN, CLOSED, RUNNING, PAUSED, FINISHED = ContestState
LATER = NOON + 100 * SECOND
MUCH_LATER = NOON + 200 * SECOND


def bring(hosting: Hosting, state: ContestState, name: str = "Cup") -> Contest:
    """A contest of two bots in that state."""
    contest = hosting.contest(OPEN, name)
    for bot in ("random", "greedy"):
        enter(hosting.site, contest, hosting.user("olga"), hosting.built_in(bot))
    way = {
        DRAFT: (DRAFT,),
        OPEN: (),
        CLOSED: (CLOSED,),
        RUNNING: (CLOSED, RUNNING),
        PAUSED: (CLOSED, RUNNING, PAUSED),
        FINISHED: (CLOSED, RUNNING, FINISHED),
    }
    for step in way[state]:
        contest = change_state(hosting.site, hosting.olga, hosting.now(contest), step)
    return hosting.now(contest)


@pytest.mark.parametrize("state", ContestState)
def test_every_step_by_hand(hosting: Hosting, state: ContestState) -> None:
    for wanted in ContestState:
        contest = bring(hosting, state, name=wanted)
        assert contest.state is state
        if wanted in [step.state for step in STATE_BUTTONS[state]]:
            assert change_state(hosting.site, hosting.olga, contest, wanted).state is wanted
        else:
            with pytest.raises(DatastoreError, match=f"it is {state}; expected"):
                change_state(hosting.site, hosting.olga, contest, wanted)
            assert hosting.state(contest) is state


def test_a_contest_begins_with_those_who_can_play(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN)
    gone = hosting.add_bot("ada")
    enter(hosting.site, contest, hosting.user("ada"), gone)
    for name in ("random", "greedy"):
        enter(hosting.site, contest, hosting.user("olga"), hosting.built_in(name))
    hosting.store.versions.set_status(gone, VersionStatus.WITHDRAWN)
    change_state(hosting.site, hosting.olga, contest, CLOSED)
    change_state(hosting.site, hosting.olga, hosting.now(contest), RUNNING)
    entered = [entry.version_id for entry in hosting.store.contests.entries(contest.id)]
    assert entered == [hosting.built_in("random"), hosting.built_in("greedy")]


@pytest.mark.parametrize(
    ("changes", "bots", "problem"),
    [
        ({}, 1, "needs 2 bots or more to begin: there is 1 that"),
        ({"format": Format.KNOCKOUT}, 0, "needs 2 bots or more to begin: there are 0 that"),
        ({"seats": 3}, 2, "needs 3 bots or more to begin: there are 2 that"),
    ],
)
def test_a_contest_does_not_begin_with_too_few(
    hosting: Hosting, changes: dict[str, Any], bots: int, problem: str
) -> None:
    contest = hosting.contest(OPEN, **changes)
    for name in ("random", "greedy")[:bots]:
        enter(hosting.site, contest, hosting.user("olga"), hosting.built_in(name))
    change_state(hosting.site, hosting.olga, contest, CLOSED)
    with pytest.raises(SettingError, match=problem):
        change_state(hosting.site, hosting.olga, hosting.now(contest), RUNNING)
    assert hosting.state(contest) is CLOSED


def test_dates_open_and_close_by_themselves(hosting: Hosting) -> None:
    contest = hosting.contest(opens_ns=LATER, closes_ns=MUCH_LATER)
    seen = []
    for seconds in (99, 1, 99, 1, 1000):
        hosting.world.clock.pass_s(seconds)
        seen.append(find_contest(hosting.site, None, contest.id).state)
    assert seen == [DRAFT, OPEN, OPEN, CLOSED, CLOSED]
    assert hosting.state(contest) is CLOSED


def test_dates_that_have_passed_while_the_site_was_away(hosting: Hosting) -> None:
    contest = hosting.contest(opens_ns=LATER, closes_ns=MUCH_LATER)
    assert keep_dates(hosting.store, contest, MUCH_LATER).state is CLOSED


def test_two_who_look_at_the_same_time(hosting: Hosting) -> None:
    contest = hosting.contest(opens_ns=LATER)
    assert keep_dates(hosting.store, contest, LATER).state is OPEN
    assert keep_dates(hosting.store, contest, LATER).state is OPEN, "it had seen the draft"


def test_the_scheduler_keeps_dates_without_a_request(playing: Hosting) -> None:
    contest = playing.contest(opens_ns=LATER)
    playing.scheduler.look()
    assert playing.state(contest) is DRAFT
    playing.world.clock.pass_s(100)
    playing.scheduler.look()
    assert playing.state(contest) is OPEN


def test_a_hidden_draft_does_not_open(hosting: Hosting) -> None:
    contest = hosting.contest(opens_ns=LATER)
    publish(hosting.site, hosting.olga, contest, False)
    assert keep_dates(hosting.store, hosting.now(contest), MUCH_LATER).state is DRAFT
    publish(hosting.site, hosting.olga, contest, True)
    assert keep_dates(hosting.store, hosting.now(contest), MUCH_LATER).state is OPEN


def test_what_is_done_by_hand_is_not_undone_by_a_date(hosting: Hosting) -> None:
    contest = hosting.contest(opens_ns=LATER, closes_ns=MUCH_LATER)
    hosting.world.clock.pass_s(150)
    contest = find_contest(hosting.site, None, contest.id)
    change_state(hosting.site, hosting.olga, contest, DRAFT)
    contest = find_contest(hosting.site, None, contest.id)
    assert (contest.state, contest.opens_ns, contest.closes_ns) == (DRAFT, None, MUCH_LATER)
    change_state(hosting.site, hosting.olga, contest, OPEN)
    hosting.world.clock.pass_s(100)
    contest = find_contest(hosting.site, None, contest.id)
    assert contest.state is CLOSED
    change_state(hosting.site, hosting.olga, contest, OPEN)
    contest = find_contest(hosting.site, None, contest.id)
    assert (contest.state, contest.closes_ns) == (OPEN, None)


def test_opened_before_its_time(hosting: Hosting) -> None:
    contest = hosting.contest(OPEN, opens_ns=LATER, closes_ns=MUCH_LATER)
    assert contest.opens_ns == LATER
    assert keep_dates(hosting.store, contest, LATER).state is OPEN


@pytest.mark.parametrize("state", ContestState)
def test_edit_and_delete_before_the_beginning_alone(hosting: Hosting, state: ContestState) -> None:
    contest = bring(hosting, state)
    proposal = make_proposal("Another name", rounds=3)
    if state in (DRAFT, OPEN, CLOSED):
        assert edit_contest(hosting.site, hosting.olga, contest, proposal).name == "Another name"
        assert hosting.now(contest).settings["rounds"] == 3
        remove_contest(hosting.site, hosting.olga, contest)
        assert hosting.store.contests.all() == []
        return
    with pytest.raises(DatastoreError, match=f"it is {state}"):
        edit_contest(hosting.site, hosting.olga, contest, proposal)
    with pytest.raises(DatastoreError, match=f"it is {state}"):
        remove_contest(hosting.site, hosting.olga, contest)
    assert hosting.now(contest).name == "Cup"


def test_entry_does_not_close_before_it_has_opened(hosting: Hosting) -> None:
    """But what was closed by its date can still be edited."""
    past = make_proposal(closes_ns=NOON)
    with pytest.raises(SettingError, match="Closes: this date has passed"):
        add_contest(hosting.site, hosting.user("olga"), past)
    for state in (DRAFT, OPEN):
        with pytest.raises(SettingError, match="Closes: this date has passed"):
            edit_contest(hosting.site, hosting.olga, hosting.contest(state, state), past)
    closed = hosting.contest(CLOSED, CLOSED)
    assert edit_contest(hosting.site, hosting.olga, closed, past).closes_ns == NOON


@pytest.mark.parametrize(
    ("game", "seats", "options", "turns"),
    [
        ("skyport", 2, {}, 400),
        ("skyport", 8, {}, 800),
        ("skyport", 4, {"turns": "150"}, 600),
        ("battlebots", 4, {}, 500),
        ("mebipenny", 4, {}, 400),
    ],
)
def test_the_turn_limit_lets_matches_be_won(
    hosting: Hosting, game: str, seats: int, options: dict[str, str], turns: int
) -> None:
    proposal = make_proposal(game=game, seats=seats, options=options, turns=None)
    contest = add_contest(hosting.site, hosting.user("olga"), proposal)
    assert contest.settings["turns"] == turns


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({}, "Turn limit: expected 500 or more, not 499, as a match of 5 bots takes"),
        ({"turns": "10000"}, "take up to 50000 turns: expected at most 10000"),
    ],
)
def test_a_turn_limit_with_which_no_bot_wins(
    hosting: Hosting, options: dict[str, str], problem: str
) -> None:
    proposal = make_proposal(game="skyport", seats=5, options=options, turns=499)
    with pytest.raises(SettingError, match=problem):
        add_contest(hosting.site, hosting.user("olga"), proposal)


def test_the_game_stays_while_there_are_entries(hosting: Hosting) -> None:
    contest = bring(hosting, DRAFT)
    other = make_proposal("Cup", game="hive", options={})
    with pytest.raises(SettingError, match="have entered play mebipenny"):
        edit_contest(hosting.site, hosting.olga, contest, other)
    for entry in hosting.store.contests.entries(contest.id):
        hosting.store.contests.leave(contest.id, entry.version_id)
    assert edit_contest(hosting.site, hosting.olga, contest, other).game == "hive"


def test_names_are_told_apart(hosting: Hosting) -> None:
    hosting.contest(name="Cup")
    with pytest.raises(TakenError, match="'Cup'"):
        add_contest(hosting.site, hosting.user("oscar"), make_proposal("Cup"))
    other = hosting.contest(name="Other")
    with pytest.raises(TakenError, match="'Cup'"):
        edit_contest(hosting.site, hosting.olga, other, make_proposal("Cup"))
