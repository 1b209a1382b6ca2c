"""Is the new bot better? Pairs of matches, side by side, until the test decides."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from agon.ranker.result import Result
from agon.ranker.sprt import Decision, Trial, pair_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.match import Match
    from agon.arbiter.series import Arena, Series
    from agon.ranker.sprt import Report, Sprt


def run_trial(
    series: Series,
    arena: Arena,
    sprt: Sprt,
    jobs: int,
    most_pairs: int,
    on_report: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Let the first bot of the series prove itself against the second; the last report.

    Pairs count in the order of their seeds, not in the order in which they end.
    """
    new, old = (entrant.name for entrant in series.entrants)
    seeds = [series.seed_of(2 * pair) for pair in range(most_pairs)]
    trial = Trial(sprt)
    results: list[Result] = []
    counted = 0
    upcoming = iter(range(2 * most_pairs))
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="match")
    playing: dict[Future[Match], int] = {}
    try:
        while trial.report.decision is Decision.CONTINUE:
            while len(playing) < jobs and (number := next(upcoming, None)) is not None:
                playing[pool.submit(arena.play, series, number)] = number
            if not playing:
                break
            done, _ = wait(playing, return_when=FIRST_COMPLETED)
            for future in done:
                number = playing.pop(future)
                scores = future.result().outcome.scores
                results.append(Result(series.names(number), scores, series.seed_of(number)))
            points = pair_points(results, new, old, seeds)
            for one in points[counted:]:
                trial.add(one)
            if len(points) > counted:
                counted = len(points)
                on_report(trial.report)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return trial.report
