"""Contests that do not go straight to their end: pauses, restarts, crashes, troubles."""

from __future__ import annotations

import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.arena.contests.lineup import load_lineup, tournament_name
from agon.arena.contests.terms import BOUNDS
from agon.datastore import ContestState, NewTournament, Store, TournamentState, VersionStatus
from agon.match.transcript import Fault
from agon.website.contests.contest_actions import change_state
from agon.website.contests.entering import remove_entry
from tests.waiting import wait_for
from tests.website.contests.test_playing import built_in

if TYPE_CHECKING:
    from agon.datastore import Contest
    from tests.website.contests.hosting import Hosting

ALL = 6
"""Matches of three bots who meet once."""
VICTIM = Path(__file__).with_name("victim.py")


@pytest.fixture
def held(playing: Hosting) -> Contest:
    """A contest of which two matches are stored, and the third is under way."""
    playing.paced_matches.drop()
    contest = playing.begin(built_in(playing))
    playing.hold_after(contest, 2)
    return contest


def check_whole(hosting: Hosting, contest: Contest) -> None:
    """Every match was played once, and kept."""
    matches = hosting.played(contest)
    assert len(matches) == len({match.fixture for match in matches}) == ALL
    assert hosting.standing(contest).winners


def test_pause_and_go_on(playing: Hosting, held: Contest) -> None:
    paused = playing.stop_there(held, ContestState.PAUSED)
    assert len(playing.played(held)) == 2, "the match under way was given up"
    assert paused.state is ContestState.PAUSED
    assert paused.tournament_id is not None
    assert playing.store.tournaments.get(paused.tournament_id).state is TournamentState.PAUSED
    assert playing.paced_matches.running() == []
    assert not playing.scheduler.look()
    assert not playing.scheduler.is_playing(held.id)
    change_state(playing.site, playing.olga, paused, ContestState.RUNNING)
    playing.wait_for(held)
    check_whole(playing, held)


def test_told_to_go_on_before_it_has_stopped(playing: Hosting, held: Contest) -> None:
    change_state(playing.site, playing.olga, playing.now(held), ContestState.PAUSED)
    playing.scheduler.look()
    change_state(playing.site, playing.olga, playing.now(held), ContestState.RUNNING)
    playing.scheduler.look()
    playing.paced_matches.lift()
    playing.wait_for(held)
    check_whole(playing, held)


def test_the_end_before_the_end(playing: Hosting, held: Contest) -> None:
    playing.stop_there(held, ContestState.FINISHED)
    assert playing.state(held) is ContestState.FINISHED
    assert len(playing.played(held)) == 2
    standing = playing.standing(held)
    assert (standing.played, standing.total) == (2, ALL)
    assert standing.winners, "what was played counts"


def test_the_site_ends_in_the_middle_of_a_match(playing: Hosting) -> None:
    """It is too slow to wait for the next position."""
    contest = playing.begin(built_in(playing), pace_ns=BOUNDS["pace_ns"][1])
    playing.wait_for_live(1)
    live_matches = playing.paced_matches
    playing.stop()
    assert live_matches.running() == []
    assert playing.state(contest) is ContestState.RUNNING, "it was not paused"
    playing.restart()
    playing.wait_for_live(1)
    assert playing.scheduler.is_playing(contest.id)
    assert playing.played(contest) == []


def test_a_site_that_drains_plays_the_match_under_way_to_its_end(
    playing: Hosting, held: Contest
) -> None:
    playing.scheduler.drain()
    assert not playing.scheduler.is_idle
    playing.paced_matches.lift()
    playing.wait_until(playing.scheduler.signal, lambda: not playing.scheduler.is_playing(held.id))
    assert len(playing.played(held)) == 3, "that one, and no more"
    assert playing.state(held) is ContestState.RUNNING
    wait_for(lambda: playing.scheduler.is_idle)
    playing.stop()
    playing.restart()
    playing.wait_for(held)
    check_whole(playing, held)


def test_a_site_that_is_killed_loses_no_match(hosting: Hosting, tmp_path: Path) -> None:
    contest = hosting.begin(built_in(hosting))
    file = tmp_path / "agon.db"
    victim = subprocess.run(
        [sys.executable, "-m", "tests.website.contests.victim", str(file), "2"],
        check=False,
        capture_output=True,
        cwd=VICTIM.parents[3],
    )
    assert victim.returncode == -9, victim.stderr.decode()
    before = hosting.played(contest)
    assert len(before) == 2
    assert hosting.state(contest) is ContestState.RUNNING
    hosting.restart()
    try:
        hosting.wait_for(contest)
    finally:
        hosting.stop()
    check_whole(hosting, contest)
    assert hosting.played(contest)[:2] == before


def test_who_is_disqualified_loses_what_is_left(playing: Hosting) -> None:
    mine = playing.add_bot("ada", run="sleep 1000")
    playing.paced_matches.drop()
    contest = playing.begin([playing.built_in("random"), playing.built_in("greedy"), mine])
    playing.hold_after(contest, 0)
    remove_entry(playing.site, playing.now(contest), playing.user("olga"), mine)
    assert playing.store.versions.get(mine).status is VersionStatus.WITHDRAWN
    playing.stop_there(contest, ContestState.PAUSED)  # the match under way began before
    change_state(playing.site, playing.olga, playing.now(contest), ContestState.RUNNING)
    playing.wait_for(contest)
    check_whole(playing, contest)
    seats = [
        seat for match in playing.played(contest) for seat in match.seats if seat.version_id == mine
    ]
    assert [seat.fault for seat in seats] == [Fault.NO_START] * 4
    assert {seat.rank for seat in seats} == {1}


def test_a_match_under_way_is_played_again_without_a_bot_that_leaves(playing: Hosting) -> None:
    mine = playing.add_bot("ada", run="sleep 1000")
    contest = playing.begin([playing.built_in("random"), mine])
    playing.wait_for_live(1)
    playing.store.users.suspend(playing.user("ada").id, "", playing.world.clock())
    playing.scheduler.look()
    playing.wait_for(contest)
    seats = [seat for match in playing.played(contest) for seat in match.seats]
    assert [seat.fault for seat in seats if seat.version_id == mine] == [Fault.NO_START] * 2
    assert playing.paced_matches.running() == []


def test_a_server_that_was_taken_for_gone_leaves_a_contest_to_another(
    playing: Hosting, held: Contest, tmp_path: Path
) -> None:
    servers, clock = playing.store.servers, playing.world.clock
    first = servers.join("one", "", "", clock())
    playing.scheduler.look()
    assert playing.now(held).server_id == first.id
    servers.remove([first.id])
    with Store.open(tmp_path / "agon.db") as other:
        other.servers.join("two", "", "", clock())
        assert other.contests.claim(held.id)
    servers.join("one", "", "", clock())
    playing.scheduler.look()
    playing.paced_matches.lift()
    playing.wait_until(playing.scheduler.signal, lambda: not playing.scheduler.is_playing(held.id))
    playing.scheduler.look()
    assert not playing.scheduler.is_playing(held.id)
    assert len(playing.played(held)) == 2


def test_whose_bot_is_deleted_loses_what_is_left(playing: Hosting) -> None:
    mine = playing.add_bot("ada")
    playing.paced_matches.drop()
    contest = playing.begin([mine, playing.built_in("random")])
    playing.hold_after(contest, 0)
    playing.stop_there(contest, ContestState.PAUSED)
    playing.store.users.remove(playing.user("ada").id, playing.world.clock())
    playing.store.bots.remove(playing.store.versions.get(mine).bot_id, playing.world.clock())
    lineup = load_lineup(playing.store, playing.now(contest))
    assert lineup[0].version_id == mine, "its place stays its own"
    change_state(playing.site, playing.olga, playing.now(contest), ContestState.RUNNING)
    playing.wait_for(contest)
    assert playing.standing(contest).winners[0].bot == "random"


def test_a_bot_that_cannot_be_built_pauses_the_contest(playing: Hosting) -> None:
    mine = playing.add_bot("ada", build="false")
    contest = playing.begin([mine, playing.built_in("random")])
    playing.wait_for(contest, ContestState.PAUSED)
    trouble = playing.scheduler.trouble(contest.id)
    assert trouble == "bot 'crawler@1': build 'false': exit status 1"
    path = f"/contests/{contest.id}"
    assert trouble in unescape(playing.world.browser("olga").get(path).text)
    assert trouble not in unescape(playing.world.browser("ada").get(path).text)
    remove_entry(playing.site, playing.now(contest), playing.user("olga"), mine)
    change_state(playing.site, playing.olga, playing.now(contest), ContestState.RUNNING)
    playing.wait_for(contest)
    assert playing.scheduler.trouble(contest.id) == ""
    assert playing.standing(contest).winners[0].bot == "random"


def test_a_tournament_of_another_kind_is_not_taken_up(hosting: Hosting) -> None:
    """Its name was used on the command line, or an old site had other limits."""
    contest = hosting.begin(built_in(hosting))
    name = tournament_name(contest)
    hosting.store.tournaments.add(NewTournament(name, "mebipenny", "swiss", 1, {}, (1, 2)))
    hosting.restart()
    try:
        hosting.wait_for(contest, ContestState.PAUSED)
    finally:
        hosting.stop()
    assert "was begun with" in hosting.scheduler.trouble(contest.id)
    assert hosting.played(contest) == []
