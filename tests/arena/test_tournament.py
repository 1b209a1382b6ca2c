"""Tournaments: every fixture once, stored as it ends, and resumed to the same table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, find_entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.series import LateError, Series, SeriesRunner
from agon.arena.bot_versions import enter_bots
from agon.arena.fleet.carry_out import find_among
from agon.arena.fleet.fleet import FleetMatches, InProcessFleet
from agon.arena.tournament import MOST_LATE, Plan, TournamentRun, distinct_names, stored_results
from agon.arena.verify_stored import verify_stored
from agon.datastore.enums import TournamentState
from agon.datastore.matches import MatchFilter
from agon.datastore.store import Store
from agon.errors import NoMachineError, SettingError
from agon.games.bot import no_time
from agon.games.hive.game import GAME, HiveOptions
from agon.match.transcript import parse_transcript, verify
from agon.ranker.formats import Format, new_schedule
from agon.ranker.table import make_table
from tests.arbiter.programs import write_program
from tests.toy_game import GAME as TOY
from tests.toy_game import ToyOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.arena.fleet.jobs import PlayedMatch, PlayMatch
    from agon.match.result import MatchResult

BOTS = ("random", "greedy", "random")
ARENA = SeriesRunner(no_time, launch_on_host)


def runner_of(of: Plan, series: SeriesRunner = ARENA) -> FleetMatches:
    return FleetMatches(InProcessFleet(series, lambda name: of.game), find_among(of.entrants))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        yield opened


def plan(name: str = "friday", rounds: int = 2) -> Plan:
    entrants = distinct_names([find_entrant(GAME, bot) for bot in BOTS])
    limits = Limits(depth=1, turns=60)
    return Plan(name, GAME, HiveOptions(), entrants, limits, "round-robin", rounds, 5)


def begin(store: Store, of: Plan) -> TournamentRun:
    ticks = iter(range(1, 10**6))
    return TournamentRun(store, of, lambda: next(ticks))


def run(tournament: TournamentRun, jobs: int = 1, most: int | None = None) -> None:
    of = tournament.plan
    names = [entrant.name for entrant in of.entrants]
    schedule = new_schedule(Format(of.format), names, of.seed, 2, of.rounds)
    already = len(tournament.results)
    tournament.run(
        schedule,
        runner_of(of, SeriesRunner(no_time, launch_on_host)),
        lambda: jobs,
        goes_on=lambda: most is None or len(tournament.results) - already < most,
    )


def test_the_same_bot_may_enter_twice_under_two_names() -> None:
    assert [entrant.name for entrant in plan().entrants] == ["random", "greedy", "random 2"]


def test_every_fixture_is_played_once_and_stored(store: Store) -> None:
    tournament = begin(store, plan())
    run(tournament)
    assert len(tournament.results) == 12
    assert len({(result.seed, result.bots) for result in tournament.results}) == 12
    stored = store.matches.find(MatchFilter(), limit=50)
    assert len(stored) == 12
    for match in stored:
        verify(parse_transcript(store.matches.transcript(match.id).decode()))


@pytest.mark.parametrize("stop_after", [1, 5, 11])
def test_a_tournament_that_was_stopped_goes_on_to_the_same_table(
    store: Store, tmp_path: Path, stop_after: int
) -> None:
    whole = begin(store, plan())
    run(whole)
    with Store.open(tmp_path / "other.db") as other:
        run(begin(other, plan()), most=stop_after)
        resumed = begin(other, plan())
        assert len(resumed.results) == stop_after
        run(resumed, jobs=3)
        assert make_table(resumed.results) == make_table(whole.results)
        assert stored_results(other, GAME) != []
        run(begin(other, plan()))
        assert len(other.matches.find(MatchFilter(), limit=50)) == 12


def test_other_settings_under_the_same_name_are_refused(store: Store) -> None:
    run(begin(store, plan()), most=1)
    with pytest.raises(SettingError, match="'friday' was begun with rounds 2, not 3"):
        begin(store, plan(rounds=3))
    other_game = replace(plan(), options=HiveOptions(variant="Base+P"))
    with pytest.raises(SettingError, match="was begun with options"):
        begin(store, other_game)


def test_a_bots_rating_goes_on_from_match_to_match(store: Store) -> None:
    run(begin(store, plan()))
    ratings = store.ratings.current("hive")
    assert len(ratings) == 3
    assert max(rating.sigma for rating in ratings.values()) < 25 / 3


# --- more seats ----------------------------------------------------------------------------------


def test_every_way_round_the_table_has_the_same_cards(store: Store) -> None:
    """Four bots at tables of three: each of the four choices three times, with one seed."""
    bots = distinct_names([find_entrant(TOY, bot) for bot in ("random", "highest") * 2])
    names = [bot.name for bot in bots]
    of = Plan("toy", TOY, ToyOptions(seats=3), bots, Limits(), "round-robin", 1, 5, 3)
    tournament = begin(store, of)
    schedule = new_schedule(Format.ROUND_ROBIN, names, of.seed, of.seats, of.rounds)
    tournament.run(schedule, runner_of(of), lambda: 2)
    by_seed: dict[int, list[tuple[str, ...]]] = {}
    for result in tournament.results:
        by_seed.setdefault(result.seed, []).append(result.bots)
    assert len(by_seed) == 4
    for tables in by_seed.values():
        assert len(tables) == 3
        for seat in range(3):
            assert {table[seat] for table in tables} == set(tables[0])
    for match in store.matches.find(MatchFilter(), limit=50):
        transcript = parse_transcript(store.matches.transcript(match.id).decode(), [TOY])
        assert verify(transcript) == transcript.outcome
        dealt = TOY.start(transcript.options, transcript.seed, 3).observe(None)
        assert dealt == TOY.start(transcript.options, match.seed, 3).observe(None)
    assert verify_stored(store, "toy").difference is None


# --- programs, stopping, ladders -----------------------------------------------------------------


def test_what_programs_said_is_stored_with_the_match(store: Store, tmp_path: Path) -> None:
    command = write_program(tmp_path / "bot.py", "print('hi', file=sys.stderr, flush=True); play()")
    program = Entrant("known", Program("known", tuple(command)))
    entrants, versions = enter_bots(store, GAME, [program, find_entrant(GAME, "random")], 1)
    limits = Limits(120 * 10**9, turns=2)
    of = Plan("logs", GAME, HiveOptions(), entrants, limits, "round-robin", 1, 5)
    names = [entrant.name for entrant in entrants]
    assert names == ["known@1", "random"]
    tournament = TournamentRun(store, of, lambda: 1, versions)
    tournament.run(new_schedule(Format.ROUND_ROBIN, names, 5), runner_of(of), lambda: 1)
    for match in store.matches.find(MatchFilter()):
        transcript = parse_transcript(store.matches.transcript(match.id).decode())
        seat = [player["name"] for player in transcript.players].index("known@1")
        wire: Any = transcript.extra["wire"]
        stderr: Any = transcript.extra["stderr"]
        assert (stderr[seat], stderr[1 - seat]) == ("hi\n", "")
        assert wire[seat][1] == f"> colour {('white', 'black')[seat]}"
        assert wire[1 - seat] == []


def test_a_bot_that_has_changed_cannot_go_on_with_the_old_tournament(store: Store) -> None:
    bots = [find_entrant(GAME, "random"), find_entrant(GAME, "greedy")]
    limits = Limits(depth=1, turns=4)
    for number, expected in ((1, None), (2, "was begun with bots")):
        program = Entrant("mine", Program("mine", ("python3", "-c", f"{number}")))
        entrants, versions = enter_bots(store, GAME, [*bots, program], 1)
        of = Plan("old", GAME, HiveOptions(), entrants, limits, "round-robin", 1, 5)
        if expected is None:
            TournamentRun(store, of, lambda: 1, versions)
            continue
        with pytest.raises(SettingError, match=expected):
            TournamentRun(store, of, lambda: 1, versions)


def test_a_ladder_runs_until_it_is_stopped_and_then_goes_on(store: Store, tmp_path: Path) -> None:
    of = replace(plan("ladder"), format="ladder", rounds=None)
    first = begin(store, of)
    run(first, jobs=2, most=20)
    found = store.tournaments.find("ladder")
    assert found is not None
    assert found.state is TournamentState.PAUSED
    resumed = begin(store, of)
    assert len(resumed.results) >= 20
    run(resumed, jobs=2, most=20)
    assert len(resumed.results) >= 40
    assert len({(result.seed, result.bots) for result in resumed.results}) == len(resumed.results)
    with Store.open(tmp_path / "other.db") as other:
        whole = begin(other, of)
        run(whole, most=len(resumed.results))
        in_order = [(result.seed, result.bots) for result in whole.results]
    common = {(result.seed, result.bots) for result in resumed.results}
    assert len(common & set(in_order)) >= len(in_order) - 16  # what a batch is ahead


def test_a_ladder_with_rounds_ends_with_them(store: Store) -> None:
    of = replace(plan("ladder"), format="ladder", rounds=2)
    tournament = begin(store, of)
    run(tournament, jobs=2)
    assert len(tournament.results) == 2 * 8 * 2
    found = store.tournaments.find("ladder")
    assert found is not None
    assert found.state is TournamentState.FINISHED


class TooLate(SeriesRunner):
    """An arena on a machine that is too late for the first matches."""

    def play(self, series: Series, number: int) -> MatchResult:
        self.late_since(0)
        return super().play(series, number)


@pytest.mark.parametrize("bad_days", [1, MOST_LATE - 1, MOST_LATE])
def test_a_match_for_which_the_machine_is_too_late_comes_again(store: Store, bad_days: int) -> None:
    left = [LateError("too late")] * bad_days

    def late(begin: int) -> int:
        if left:
            raise left.pop()
        return 0

    tournament = begin(store, plan())
    names = [entrant.name for entrant in tournament.plan.entrants]
    schedule = new_schedule(Format.ROUND_ROBIN, names, 5, 2, 2)
    arena = TooLate(no_time, launch_on_host, late)
    if bad_days == MOST_LATE:
        with pytest.raises(LateError, match="too late"):
            tournament.run(schedule, runner_of(tournament.plan, arena), lambda: 1)
        return
    tournament.run(schedule, runner_of(tournament.plan, arena), lambda: 1)
    assert len(tournament.results) == 12
    assert not left


class Away(FleetMatches):
    """Matches on a cluster whose machines are away at first."""

    left = MOST_LATE

    def play(self, job: PlayMatch, on_record: object = None) -> PlayedMatch:
        if self.left:
            self.left -= 1
            raise NoMachineError("the cluster has no machine")
        return super().play(job)


def test_a_tournament_waits_while_no_machine_is_there(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = begin(store, plan())
    names = [entrant.name for entrant in tournament.plan.entrants]
    schedule = new_schedule(Format.ROUND_ROBIN, names, 5, 2, 2)
    runner = Away(InProcessFleet(ARENA), find_among(tournament.plan.entrants))
    waited_for = set()

    def goes_on() -> bool:
        waited_for.add(tournament.waits_for)
        return True

    tournament.run(schedule, runner, lambda: 1, goes_on=goes_on)
    assert len(tournament.results) == 12
    assert waited_for == {"", "the cluster has no machine"}
    assert tournament.waits_for == ""
    assert caplog.messages == ["friday waits: the cluster has no machine"], "it is told once"
