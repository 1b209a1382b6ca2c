"""`agon tournament`: bots meet by a schedule, and results are stored."""

from __future__ import annotations

import os
import time
from itertools import count
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.allow import Allow, allow_installations
from agon.cli.arguments import (
    MOST_SEED,
    MOST_TURNS,
    Bots,
    Cap,
    Cluster,
    Data,
    GameName,
    Jobs,
    JsonFlag,
    OptionPairs,
    Oversubscribe,
    Reuse,
    TurnTime,
    UnsafeHost,
    Variant,
    check_amount,
    chosen_options,
    parse_jobs,
)
from agon.cli.console import progress_console
from agon.cli.duration import parse_duration
from agon.cli.live import LiveTable
from agon.cli.match_setup import find_bots, open_matches, prepare_bots
from agon.cli.stopping import INTERRUPTED, stopping_in_order
from agon.cli.table import show_table
from agon.errors import SettingError
from agon.ranker.formats import Format

if TYPE_CHECKING:
    from agon.arbiter.entrant import Entrant
    from agon.arena.tournament import Plan, TournamentRun
    from agon.datastore.retry import Retry
    from agon.datastore.store import Store
    from agon.games.game import Game
    from agon.ranker.pairing import Schedule

FORMATS = [kind.value for kind in Format]
SHOWN_FAULTS = 5

FormatName = Annotated[
    str, typer.Option("--format", metavar="NAME", help=f"One of {', '.join(FORMATS)}.")
]
Rounds = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Number of rounds; each format has a default, a ladder none: it is endless.",
    ),
]
Seats = Annotated[
    int | None,
    typer.Option(metavar="N", help="Bots in a match; default: the fewest that the game allows."),
]
Resume = Annotated[
    bool, typer.Option("--resume", metavar="", help="Go on with the tournament of that name.")
]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="What to call it; needed to resume it.")
]
Seed = Annotated[int, typer.Option(metavar="S", help="The random seed of the schedule.")]


def tournament(
    game: GameName,
    bots: Bots,
    format_name: FormatName = "round-robin",
    rounds: Rounds = None,
    seats: Seats = None,
    jobs: Jobs = 0,
    oversubscribe: Oversubscribe = False,
    turn_time: TurnTime = "1s",
    seed: Seed = 0,
    cap: Cap = 1000,
    variant: Variant = None,
    option: OptionPairs = None,
    name: Name = None,
    resume: Resume = False,
    reuse: Reuse = False,
    unsafe_host: UnsafeHost = False,
    allow: Allow = None,
    data: Data = None,
    cluster: Cluster = None,
    as_json: JsonFlag = False,
) -> None:
    """Play a tournament: bots meet by a schedule, and every match is stored as it ends.

    A tournament that was stopped goes on with --resume and the same arguments. A folder's files are
    stored, too: a bot that has changed is its next version, and any version can play again as
    NAME@N.

    \b
    Examples:
      agon tournament hive random greedy search --time 100ms
      agon tournament hive ./mybot greedy search --format gauntlet --rounds 10
      agon tournament hive mybot@1 mybot@2 greedy --name friday
      agon tournament hive greedy search --rounds 50 --name friday --resume
      agon tournament hive ./one ./two greedy --format ladder --name ladder
    """
    from agon.arbiter.limits import Limits
    from agon.arena.tournament import Plan
    from agon.datastore.location import find_data
    from agon.datastore.retry import Retry
    from agon.datastore.store import Store
    from agon.games.registry import find_game

    chosen = find_game(game)
    check_use(chosen, format_name, seats, seed, cap, name if resume else "")
    workers, turn_ns = parse_jobs(jobs, oversubscribe, cluster), parse_duration(turn_time)
    options = chosen_options(chosen, variant, option)
    allow_installations(allow, cluster)
    with (
        find_bots(chosen, bots, data) as found,
        Store.open(find_data(data, os.environ)) as store,
    ):
        retry = Retry(say)
        title = find_title(store, chosen, name, resume)
        plan = Plan(
            title,
            chosen,
            options,
            tuple(found),
            Limits(turn_ns, turns=cap),
            format_name,
            rounds,
            seed,
            seats or chosen.seats[0],
        )
        running = begin(store.retrying(retry), plan, unsafe_host, cluster)
        is_whole = play(running, workers, reuse, unsafe_host, retry, cluster)
        report(running, as_json)
    if not is_whole:
        told = "stopped; all finished matches are stored; to go on: agon tournament …"
        progress_console().print(f"{told} --name {title!r} --resume", markup=False, soft_wrap=True)
        raise typer.Exit(INTERRUPTED)


def find_title(store: Store, game: Game, name: str | None, resume: bool) -> str:
    """The tournament's name; without one, game and time: two may begin in the same second."""
    if name:
        if store.tournaments.find(name) is not None and not resume:
            raise SettingError(f"tournament {name!r} exists: add --resume, or choose another name")
        return name
    base = f"{game.name} {time.strftime('%Y-%m-%d %H:%M:%S')}"
    numbered = (base if number == 1 else f"{base} ({number})" for number in count(1))
    return next(title for title in numbered if store.tournaments.find(title) is None)


def check_use(
    game: Game, format_name: str, seats: int | None, seed: int, cap: int, name: str | None
) -> None:
    """Refuse what makes no sense; `name` is None if one is missing."""
    if format_name not in FORMATS:
        raise SettingError(f"--format {format_name!r}: expected one of {', '.join(FORMATS)}")
    if seats is not None and seats not in game.seats:
        most = f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 1 else game.seats[0]
        raise SettingError(f"--seats {seats}: {game.title} is for {most} bots")
    check_amount("--cap", cap, 1, MOST_TURNS)
    check_amount("--seed", seed, 0, MOST_SEED)
    if name is None:
        raise SettingError("--resume: expected --name with the name of the tournament")


def begin(store: Store, plan: Plan, unsafe_host: bool, cluster: str | None = None) -> TournamentRun:
    """Enter the bots into the store, under the names of their versions, and get them ready."""
    from dataclasses import replace

    from agon.arbiter.entrant import check_time
    from agon.arena.bot_versions import enter_bots
    from agon.arena.tournament import TournamentRun

    schedule_of(plan)  # refuses what cannot be played before anything is stored
    check_time(plan.game, plan.entrants, plan.limits.turn_ns)
    entrants, versions = enter_bots(store, plan.game, plan.entrants, time.time_ns())
    ready: tuple[Entrant, ...] = prepare_bots(entrants, unsafe_host, cluster)
    return TournamentRun(store, replace(plan, entrants=ready), time.time_ns, versions)


def schedule_of(plan: Plan) -> Schedule:
    from agon.arena.tournament import distinct_names
    from agon.ranker.formats import new_schedule

    names = [entrant.name for entrant in distinct_names(plan.entrants)]
    return new_schedule(Format(plan.format), names, plan.seed, plan.seats, plan.rounds)


def say(told: str) -> None:
    progress_console().print(f"agon: {told}", markup=False, soft_wrap=True)


def play(
    running: TournamentRun,
    jobs: int,
    reuse: bool,
    unsafe_host: bool,
    retry: Retry,
    cluster: str | None = None,
) -> bool:
    """Play until the schedule ends or is stopped; whether it is complete."""
    from agon.ranker.table import make_table

    plan = running.plan
    schedule = schedule_of(plan)
    with (
        open_matches(
            plan.game,
            plan.options,
            plan.entrants,
            jobs,
            reuse=reuse,
            unsafe_host=unsafe_host,
            ranked=True,
            cluster=cluster,
        ) as (runner, room),
        LiveTable(
            progress_console(),
            plan.name,
            schedule.total,
            running.results,
            lambda: make_table(running.results, schedule.bots),
        ) as live,
        stopping_in_order() as stopping,
    ):
        retry.goes_on = stopping.goes_on
        running.run(
            schedule, runner, room, lambda result, match: live.on_result(), stopping.goes_on
        )
    return stopping.goes_on()


def report(running: TournamentRun, as_json: bool) -> None:
    """The table, and where to look at what went wrong."""
    from agon.ranker.table import make_table

    plan = running.plan
    table = make_table(running.results, [entrant.name for entrant in plan.entrants])
    faults = running.faults(SHOWN_FAULTS)
    extra = {
        "tournament": plan.name,
        "faults": [{"match": match, "bot": bot, "fault": fault} for match, bot, fault in faults],
    }
    show_table(plan.game.title, table, as_json, extra)
    if not as_json:
        for match, bot, fault in faults:
            print(f"{bot}: {fault} in match {match}: agon replay --match {match}")
