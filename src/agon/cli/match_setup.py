"""What `match`, `tournament` and `sprt` share: finding the bots, and what plays their matches."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from agon.cli.console import compile_notice, progress_console
from agon.cli.scope import enter_scope
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agon.arbiter.bot_process import Launch
    from agon.arbiter.entrant import Entrant
    from agon.arena.cluster.ray_fleet import RayFleet
    from agon.arena.fleet.carry_out import PlaysMatches
    from agon.arena.fleet.task_runner import FleetSettings
    from agon.games.game import Game, Options
    from agon.match.match import Match

MOST_TOLD = 20


@contextmanager
def find_bots(game: Game, texts: Sequence[str], data: str | None) -> Iterator[list[Entrant]]:
    """What the command line names: as `find_entrant` has it, or a stored version `NAME@N`.

    A stored version is unpacked into a folder that is removed at the end of the block. The
    datastore is opened only if it is asked for.
    """
    from agon.arbiter.entrant import find_entrant
    from agon.arena.bot_versions import may_be_stored

    with ExitStack() as stack:
        found = []
        for text in texts:
            if may_be_stored(text):
                found.append(_find_stored(stack, game, text, data))
            else:
                found.append(find_entrant(game, text))
        yield found


def _find_stored(stack: ExitStack, game: Game, text: str, data: str | None) -> Entrant:
    """A text that may be a stored version, a plain name, or a command after all."""
    from agon.arbiter.entrant import find_entrant
    from agon.arena.bot_versions import known_versions, unpacked_version
    from agon.datastore.location import find_data
    from agon.datastore.store import Store
    from agon.errors import DatastoreError

    try:
        return find_entrant(game, text)
    except SettingError as error:
        unknown = error
    try:
        store = Store.open(find_data(data, os.environ), create=False)
    except DatastoreError as error:
        if "@" in text:
            raise SettingError(f"{unknown}; stored bots: {error}") from None
        raise unknown from None
    with store:
        stored = stack.enter_context(unpacked_version(store, game, text))
        if stored is None:
            raise SettingError(
                f"{unknown}; stored bots: {_told(known_versions(store, game), text)}"
            )
    return stored


def _told(known: Sequence[str], text: str) -> str:
    """The stored versions that may be meant: those of the same name, else the first of all."""
    name = text.rpartition("@")[0] or text
    close = [version for version in known if version.rpartition("@")[0] == name] or known
    more = [f"and {len(close) - MOST_TOLD} more"] if len(close) > MOST_TOLD else []
    return ", ".join([*close[:MOST_TOLD], *more]) or "none"


def prepare_bots(
    entrants: Sequence[Entrant], unsafe_host: bool, cluster: str | None = None
) -> tuple[Entrant, ...]:
    """The entrants as they play: built if they have something to build, under the same names.

    On a cluster they are built where they play.
    """
    from agon.arbiter.build import prepare

    if cluster is not None:
        return tuple(entrants)
    with progress_console().status("getting the bots ready …"):
        return tuple(prepare(entrant, unsafe_host) for entrant in entrants)


def open_launch(entrants: Sequence[Entrant], unsafe_host: bool, ranked: bool) -> Launch:
    """How the programs among these are started. The one place where the sandbox is chosen."""
    from agon.arbiter.sandboxed import choose_launch, launch_in_sandbox, missing_layers

    if not unsafe_host and any(entrant.program is not None for entrant in entrants):
        enter_scope()
    launch = choose_launch(entrants, unsafe_host, ranked)
    if launch is launch_in_sandbox and missing_layers():
        progress_console().print(
            "agon: no control group here: each process of a bot is limited, not all together"
        )
    return launch


@contextmanager
def open_matches(
    game: Game,
    options: Options,
    entrants: Sequence[Entrant],
    jobs: int,
    *,
    reuse: bool = False,
    unsafe_host: bool = False,
    ranked: bool = False,
    on_change: Callable[[Match], None] | None = None,
    cluster: str | None = None,
) -> Iterator[tuple[PlaysMatches, Callable[[], int]]]:
    """What plays these bots, and for how many matches at a time it has room now.

    All programs end with it. Everything is compiled. Several matches at a time are played by
    processes of their own, or by a cluster's machines; a single one by this process.
    """
    from agon.arbiter.first_use import use_bots, use_rules
    from agon.arbiter.host import HostWatch
    from agon.arbiter.pool import SeatPool
    from agon.arbiter.series import SeriesRunner
    from agon.arena.fleet.carry_out import find_among
    from agon.arena.fleet.fleet import FleetMatches, InProcessFleet
    from agon.arena.fleet.local_fleet import LocalFleet
    from agon.arena.fleet.task_runner import FleetSettings

    settings = FleetSettings(unsafe_host, reuse)
    launch = None if cluster else open_launch(entrants, unsafe_host, ranked)
    with compile_notice(game.title):
        built_in = {entrant.built_in for entrant in entrants if entrant.program is None}
        use_rules(game, [options])
        use_bots(game, options, built_in)
    find_bot = find_among(entrants)
    if launch is None:
        with open_cluster(str(cluster), settings) as machines:
            matches = FleetMatches(machines, find_bot, tells_builds=True)
            yield matches, lambda: jobs or max(1, machines.cores)
        return
    if jobs > 1:
        with LocalFleet(jobs, settings) as fleet:
            yield FleetMatches(fleet, find_bot), lambda: jobs
        return
    with HostWatch() as host, SeatPool(reuse=reuse) as pool:
        runner = SeriesRunner(time.monotonic_ns, launch, host.late_since, pool=pool)
        runner = replace(runner, on_change=on_change) if on_change else runner
        yield FleetMatches(InProcessFleet(runner), find_bot), lambda: 1


def open_cluster(address: str, settings: FleetSettings | None = None) -> RayFleet:
    """The cluster at this address."""
    from agon.arena.cluster.ray_fleet import RayFleet

    with progress_console().status("reaching the cluster …"):
        return RayFleet(address, settings)
