"""Whole contests, played by real bots: round-robin, knock-out and the others."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from agon.arena.contests.lineup import load_lineup
from agon.arena.contests.terms import Seeding
from agon.arena.fleet.jobs import FailedJob, JobFailure
from agon.datastore import ContestState, Rating, TournamentState
from agon.match.transcript import Fault
from agon.ranker.formats import Format
from tests.waiting import wait_for
from tests.website.ranked import store_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.fleet import Fleet, OnPart
    from agon.arena.fleet.jobs import Job, JobResult
    from tests.website.contests.hosting import Hosting

NAMES = ("random", "greedy", "search")


def built_in(hosting: Hosting) -> list[int]:
    return [hosting.built_in(name) for name in NAMES]


def test_a_round_robin_is_played_to_its_end(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing))
    done = playing.wait_for(contest)
    assert done.tournament_id is not None
    assert playing.store.tournaments.get(done.tournament_id).state is TournamentState.FINISHED
    matches = playing.played(done)
    pairs = {tuple(seat.version_id for seat in match.seats) for match in matches}
    assert len(matches) == len(pairs) == 6, "every bot meets every other, from both seats"
    assert all(match.options["rows"] == 5 and match.turns <= 8 for match in matches)
    standing = playing.standing(done)
    assert (standing.played, standing.total, standing.rounds) == (6, 6, ())
    assert sorted(one.bot for _, one in standing.rows) == sorted(NAMES)
    points = [row.points for row, _ in standing.rows]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 6
    assert standing.winners[0] == standing.rows[0][1]


def test_matches_are_on_the_stage_until_they_are_stored(playing: Hosting) -> None:
    playing.paced_matches.drop()
    contest = playing.begin(built_in(playing))
    playing.hold_after(contest, 1)
    (first,) = playing.played(contest)
    shown = playing.paced_matches.find("mebipenny-1")
    assert shown is not None
    assert (shown.is_over, shown.match_id) == (True, first.id)
    assert [seat.bot for seat in first.seats] == list(shown.players)
    assert shown.turns >= first.turns
    (second,) = playing.paced_matches.running()
    assert not second.is_over
    playing.paced_matches.lift()
    playing.wait_for(contest)
    assert playing.scheduler.live(contest.id) == []
    assert playing.paced_matches.running() == []


def test_a_knock_out_has_a_bracket_and_a_winner(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing), Format.KNOCKOUT)
    playing.wait_for(contest)
    standing = playing.standing(contest)
    assert standing.rows == ()
    assert [one.name for one in standing.rounds] == ["Semi-finals", "Final"]
    first, second = standing.rounds[0].meetings
    assert (first.is_bye, second.is_bye) == (True, False)
    assert first.sides[0].contender
    assert first.sides[0].contender.bot == "random", "the first to enter is the first seed"
    assert first.sides[1].contender is None
    final = standing.rounds[1].meetings[0]
    assert not final.is_on
    assert {side.contender for side in final.sides} == {
        first.sides[0].contender,
        next(side.contender for side in second.sides if side.is_winner),
    }
    assert standing.winners == tuple(side.contender for side in final.sides if side.is_winner)
    points = sum(side.half_points for side in (*second.sides, *final.sides))
    assert points == 2 * len(playing.played(contest)), "every match is in one tie"
    assert standing.played == standing.total == len(playing.played(contest))


def test_a_bracket_before_its_end(playing: Hosting) -> None:
    playing.paced_matches.drop()
    contest = playing.begin(built_in(playing), Format.KNOCKOUT)
    playing.hold_after(contest, 1)
    standing = playing.standing(contest)
    assert (standing.played, standing.total, standing.winners) == (1, 4, ())
    tie, final = standing.rounds[0].meetings[1], standing.rounds[1].meetings[0]
    assert (tie.is_on, final.is_on) == (True, False)
    assert sum(side.half_points for side in tie.sides) == 2
    assert final.sides[1].contender is None
    playing.paced_matches.lift()


@pytest.mark.parametrize("kind", [Format.SWISS, Format.GAUNTLET, Format.LADDER])
def test_the_other_formats_are_played_too(playing: Hosting, kind: Format) -> None:
    contest = playing.begin(built_in(playing), kind, rounds=1)
    playing.wait_for(contest)
    standing = playing.standing(contest)
    assert standing.played == standing.total == len(playing.played(contest)) > 0
    assert standing.winners


def test_more_than_two_sit_at_a_table(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing), seats=3)
    playing.wait_for(contest)
    matches = playing.played(contest)
    assert [len(match.seats) for match in matches] == [3, 3, 3]
    assert {match.options["seats"] for match in matches} == {3}


def test_matches_are_played_side_by_side(playing: Hosting) -> None:
    playing.paced_matches.drop()
    contest = playing.begin(built_in(playing), jobs=3, rounds=2)
    playing.wait_for_live(3)
    playing.paced_matches.lift()
    playing.wait_for(contest)
    matches = playing.played(contest)
    assert len({match.fixture for match in matches}) == len(matches) == 12


def test_two_contests_are_played_at_once(playing: Hosting) -> None:
    playing.paced_matches.drop()
    one = playing.begin(built_in(playing), name="One")
    two = playing.begin(built_in(playing), Format.KNOCKOUT, name="Two")
    playing.wait_for_live(2)
    playing.paced_matches.lift()
    for contest in (one, two):
        playing.wait_for(contest)
        assert len(playing.played(contest)) == playing.standing(contest).played > 0


def test_a_program_plays_and_its_words_are_kept_for_its_author(playing: Hosting) -> None:
    """It ends at once: what matters is that it is started in the sandbox, and what is kept."""
    mine = playing.add_bot("ada", run="sh -c 'echo oops >&2; exit 3'")
    contest = playing.begin([mine, playing.built_in("random")])
    playing.wait_for(contest)
    matches = playing.played(contest)
    assert len(matches) == 2
    for match in matches:
        (seat,) = (seat for seat in match.seats if seat.version_id == mine)
        assert seat.fault is Fault.CRASH
        assert b"oops" in playing.store.matches.transcript(match.id)


def test_two_bots_of_one_name_are_told_apart(playing: Hosting) -> None:
    contest = playing.begin([playing.add_bot("ada"), playing.add_bot("bob")])
    names = [place.name for place in load_lineup(playing.store, contest)]
    assert names == ["ada/crawler@1", "bob/crawler@1"]
    playing.wait_for(contest)
    assert {one.owner for _, one in playing.standing(contest).rows} == {"ada", "bob"}
    assert playing.standing(contest).played == 2


def test_seeding_in_the_order_of_entry_and_by_lot(hosting: Hosting) -> None:
    entered = built_in(hosting)
    lots = set()
    for seed in range(12):
        contest = hosting.begin(entered, name=f"Lot {seed}", seed=seed, seeding=Seeding.LOT)
        order = [place.version_id for place in load_lineup(hosting.store, contest)]
        assert sorted(order) == sorted(entered)
        assert order == [place.version_id for place in load_lineup(hosting.store, contest)]
        lots.add(tuple(order))
    assert len(lots) > 1
    contest = hosting.begin(entered, name="Entry", seeding=Seeding.ENTRY)
    assert [place.version_id for place in load_lineup(hosting.store, contest)] == entered


def test_seeding_by_rating(hosting: Hosting) -> None:
    weak, strong, unknown = (hosting.add_bot("ada", name, game="hive") for name in "abc")
    for _ in range(3):
        store_result(hosting.store, (weak, strong), (0, 2))
    assert isinstance(hosting.store.ratings.current("hive")[strong], Rating)
    contest = hosting.begin(
        [unknown, weak, strong], game="hive", options={}, seeding=Seeding.RATING, bots_each=3
    )
    order = [place.version_id for place in load_lineup(hosting.store, contest)]
    assert order == [strong, weak, unknown]
    assert hosting.state(contest) is ContestState.RUNNING


class Away:
    """A cluster whose machines are away until they are back."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self.are_back = Event()

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        if self.are_back.is_set():
            return self._fleet.carry_out(job, bots, on_part)
        return FailedJob(job.key, "the cluster has no machine", JobFailure.NO_MACHINE)

    def cancel(self, key: str) -> None:
        self._fleet.cancel(key)


def test_a_contest_waits_until_machines_are_back(playing: Hosting) -> None:
    assert playing.site.workers
    counted = playing.site.workers.fleet
    away = counted._fleet = Away(counted._fleet)
    contest = playing.begin(built_in(playing))
    told = "It waits: the cluster has no machine."
    wait_for(lambda: playing.scheduler.trouble(contest.id) == told)
    assert playing.state(contest) is ContestState.RUNNING
    away.are_back.set()
    playing.wait_for(contest)
    assert len(playing.played(contest)) == 6
    assert playing.scheduler.trouble(contest.id) == ""
