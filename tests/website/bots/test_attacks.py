"""Every attack as an uploaded bot: while it is built, and in the matches of its check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import CheckState
from tests.arbiter.attack_match import BOT, STARTER
from tests.arbiter.test_attacks import ELSEWHERE, open_folder
from tests.sandbox.attack import Probe
from tests.sandbox.attacks import ATTACKS
from tests.sandbox.host import PRELUDE, SECOND, SECRET, Host
from tests.website.bots.packing import pack
from tests.website.bots.test_checks import upload

if TYPE_CHECKING:
    from pathlib import Path

    from agon.datastore.checks import StoredCheck
    from tests.sandbox.attack import Attack
    from tests.website.people import World

__all__ = ["open_folder"]

SOME = ("datastore", "file-locks", "memfd-bomb")
"""Tried each time; all the others are slow."""

IN_A_BUILD = "own-folder"
"""There its folder is a copy in memory, which it may write to."""

# What an attack reaches ends the bot, so that a bot that passes has reached nothing.
STRICT = "\ndef escaped(*how): say('ESCAPED', *how); os._exit(77)\n"


def check(world: World, files: dict[str, bytes | str]) -> StoredCheck:
    """Upload a bot, build and check it."""
    settings = WorkerSettings(ladder=(), examples=(), turn_ns=5 * SECOND, turns=30)
    workers = Workers(world.store, world.site.live_matches, world.clock, settings)
    try:
        number = upload(world.browser("ada"), pack(files))
        assert workers.check_runner.check_next()
    finally:
        workers.stop()
    return world.store.checks.get(number)


def attacker(host: Host, attack: Attack) -> dict[str, bytes | str]:
    """It attacks on its second turn and, if it tries to reach something, also in its build."""
    source = attack.run.source
    begin = f"import sys; sys.argv[1:] = {[host.token, json.dumps(host.targets)]!r}\n"
    begin += PRELUDE + STRICT
    builds = isinstance(attack.run, Probe) and attack.name != IN_A_BUILD
    build = f'build = "python3 build.py {host.token}"\n' if builds else ""
    settings = f'name = "attacker"\ngames = ["hive"]\nrun = "python3 attack.py {host.token}"\n'
    return {
        "bot.toml": settings + build,
        "hive_bot.py": STARTER.read_text(),
        "attack.py": begin + BOT.format(source=source),
        "build.py": begin + source,
    }


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(attack, id=attack.name, marks=[] if attack.name in SOME else pytest.mark.slow)
        for attack in ATTACKS
        if attack.name != ELSEWHERE
    ],
)
def test_an_uploaded_attack_is_held(attack: Attack, world: World, open_folder: Path) -> None:
    with Host(open_folder) as host:
        seen = check(world, attacker(host, attack))
    assert "ESCAPED" not in seen.output
    if isinstance(attack.run, Probe):
        assert seen.state is CheckState.PASSED, seen.output
    elif None not in attack.verdicts:
        assert seen.state is CheckState.FAILED, seen.output


@pytest.mark.parametrize(
    ("build", "run"),
    [
        ("", "{tool}"),
        ("ln -s {tool} tool", "./tool"),
        ("ln -s {tool} python3", "python3 -V"),
        ("{tool}", "./tool"),
        ("sh -c 'cat {secret} && exit 1'", "./tool"),
    ],
)
def test_a_program_of_the_host_is_not_to_be_had(
    build: str, run: str, world: World, open_folder: Path
) -> None:
    with Host(open_folder) as host:
        names = {"tool": host.tool, "secret": host.targets["installation"]}
        settings = {"build": build.format(**names), "run": run.format(**names)}
        lines = ['name = "thief"', 'games = ["hive"]']
        lines += [f"{key} = {json.dumps(value)}" for key, value in settings.items() if value]
        seen = check(world, {"bot.toml": "\n".join(lines) + "\n"})
    assert seen.state is CheckState.FAILED
    assert SECRET not in seen.output
    assert any(
        words in seen.output
        for words in ("it is not in the sandbox", "cannot be executed", "No such file")
    ), seen.output
