"""`agon rank`: the official table of a game."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agon.cli.arguments import (
    MOST_JOBS,
    Cluster,
    Data,
    GameName,
    JsonFlag,
    Variant,
    check_amount,
    chosen_options,
)
from agon.cli.console import progress_bar, progress_console
from agon.cli.match_setup import open_cluster
from agon.cli.stored import open_stored
from agon.cli.table import show_table
from agon.simulate.threads import available_cores

if TYPE_CHECKING:
    from agon.arena.cluster.ray_fleet import RayFleet
    from agon.ranker.result import Counted

LEAST_SAMPLES = 100
MOST_SAMPLES = 10**6

Bootstrap = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Also print the intervals of N tables from matches that are drawn anew.",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(metavar="S", help="The random seed of the bootstrap.")]
Jobs = Annotated[
    int, typer.Option(metavar="N", help="Processes for the bootstrap; 0: one for each core.")
]


def rank(
    game: GameName,
    data: Data = None,
    variant: Variant = None,
    bootstrap: Bootstrap = None,
    seed: Seed = 0,
    jobs: Jobs = 0,
    cluster: Cluster = None,
    as_json: JsonFlag = False,
) -> None:
    """Print the official table of a game, which follows from the stored matches alone.

    \b
    Examples:
      agon rank hive
      agon rank hive --variant Base+MLP --json
      agon rank hive --bootstrap 1000
    """
    from dataclasses import asdict

    from agon.arena.tournament import stored_counts
    from agon.arena.version_names import name_versions
    from agon.games.registry import find_game
    from agon.ranker.table import table_of

    chosen = find_game(game)
    if bootstrap is not None:
        check_amount("--bootstrap", bootstrap, LEAST_SAMPLES, MOST_SAMPLES)
    check_amount("--seed", seed, 0, 2**64 - 1)
    check_amount("--jobs", jobs, 0, MOST_JOBS)
    wanted = None if variant is None else asdict(chosen_options(chosen, variant, None))
    with open_stored(data) as store:
        counted = stored_counts(store, chosen, wanted)
        named = name_versions(store, chosen.name)
    table = table_of(counted)
    extra: dict[str, Any] = {"bots": {row.bot: asdict(named[row.bot]) for row in table.rows}}
    resampled = None
    if bootstrap is not None:
        extra["bootstrap"] = {"samples": bootstrap, "seed": seed}
        resampled = resample_table(counted, bootstrap, seed, jobs, cluster)
    show_table(chosen.title, table, as_json, extra, resampled)


def resample_table(
    counted: Counted, samples: int, seed: int, jobs: int, cluster: str | None
) -> dict[str, tuple[float, float]]:
    """The bootstrap's interval of each bot, made by processes here or by a cluster."""
    from agon.arena.fleet.bootstrap import bootstrap_on_fleet
    from agon.arena.fleet.local_fleet import LocalFleet

    with ExitStack() as stack:
        fleet: LocalFleet | RayFleet
        if cluster is None:
            fleet = stack.enter_context(LocalFleet(jobs or available_cores()))
        else:
            fleet = stack.enter_context(open_cluster(cluster))
        bar = stack.enter_context(progress_bar(progress_console()))
        task = bar.add_task("resampling", total=samples)
        return bootstrap_on_fleet(
            fleet,
            counted,
            samples,
            seed,
            jobs or max(1, fleet.cores),
            lambda done: bar.update(task, advance=done),
        )
