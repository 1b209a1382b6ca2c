"""Is the new bot better? Pairs of matches, side by side, until the test decides."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from agon.arena.fleet.jobs import PlayedMatch, series_job
from agon.arena.match_threads import MatchThreads
from agon.ranker.result import Result
from agon.ranker.sprt import SprtDecision, Trial, pair_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.series import Series
    from agon.arena.fleet.carry_out import PlaysMatches
    from agon.ranker.sprt import Sprt, SprtReport


def run_trial(
    series: Series,
    runner: PlaysMatches,
    sprt: Sprt,
    room: Callable[[], int],
    most_pairs: int,
    on_report: Callable[[SprtReport], None] = lambda report: None,
    goes_on: Callable[[], bool] = lambda: True,
) -> SprtReport:
    """Let the first bot of the series prove itself against the second; the last report.

    Pairs count in the order of their seeds, not in the order in which they end. The test stops when
    it is decided, or when `goes_on` says no. `room`: how many matches may be under way now.
    """
    new, old = (entrant.name for entrant in series.entrants)
    trial = Trial(sprt)
    waiting: dict[int, Result] = {}
    counted = 0
    upcoming = iter(range(2 * most_pairs))
    with MatchThreads[int, PlayedMatch](room, runner) as workers:
        while trial.report.decision is SprtDecision.CONTINUE and goes_on():
            if workers.is_stopped:
                break
            while workers.free and (number := next(upcoming, None)) is not None:
                workers.start(number, partial(runner.play, series_job(series, number)))
            if not workers.playing:
                break
            for number, match in workers.finished():
                names = series.names(number)
                waiting[number] = Result(names, match.scores, series.seed_of(number))
            seeds = (series.seed_of(2 * pair) for pair in range(counted, most_pairs))
            for one in pair_points(waiting.values(), new, old, seeds):
                trial.add(one)
                del waiting[2 * counted], waiting[2 * counted + 1]
                counted += 1
                on_report(trial.report)
    return trial.report
