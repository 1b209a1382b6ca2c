"""The Skyport bot of examples/bots: what it knows, and what the check finds in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.check import Check
from agon.arbiter.check_rig import CheckTimes
from agon.arbiter.entrant import launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.games.skyport import wire
from agon.games.skyport.board import MOVE
from agon.games.skyport.game import GAME, SkyportOptions
from tests.examples.playing import EXAMPLES, load_example, meet, unknown_warnings
from tests.games.skyport.situation import begin, change, play

if TYPE_CHECKING:
    from agon.arbiter.bot_process import Launch
    from agon.arbiter.findings import Finding
    from agon.games.skyport.position import SkyportPosition

EXAMPLE = EXAMPLES / "skyport"
SECOND = 10**9
NAMES = ["ann", "bob", "cid", "dora"]


@pytest.mark.parametrize("launch", [launch_in_sandbox, launch_on_host])
def test_a_command_line_that_dials_in_plays(launch: Launch) -> None:
    """Its name on the command line is one that it can connect with, though the command is none."""
    with tempfile.TemporaryDirectory(prefix="agon-bot-") as folder:
        Path(folder).chmod(0o755)  # in the sandbox the bot is another user
        source = shutil.copy(EXAMPLE / "skyport_bot.py", folder)
        match = meet(GAME, f"python3 {source} {{name}} {{host}} {{port}}", {"turns": "2"}, launch)
    assert match.faults == (None, None)
    assert unknown_warnings(match) == set()


def test_it_passes_the_check() -> None:
    options, clock = SkyportOptions("three", turns=5), time.monotonic_ns
    examined = Check(GAME, options, str(EXAMPLE), Limits(10 * SECOND), launch_on_host, clock)
    steps = list(examined.run())
    assert all(step.finding.is_well for step in steps), steps
    assert len(steps) == 16
    assert steps[3].finding.saw.startswith("it played loadout laser mortar after ")
    assert steps[4].finding.saw.startswith("it played move ")
    assert steps[-1].finding.saw.startswith("exit status 0 after ")


def check_changed(folder: Path, old: str, new: str, upto: str) -> dict[str, Finding]:
    """What the check finds in the example with some of its text replaced, up to a step."""
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    source = folder / "skyport_bot.py"
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    times = CheckTimes(spare_ns=SECOND, settle_ns=SECOND // 5)
    options, limits = SkyportOptions(turns=5), Limits(SECOND, start_ns=20 * SECOND)
    examined = Check(
        GAME, options, str(folder), limits, launch_on_host, time.monotonic_ns, times=times
    )
    findings: dict[str, Finding] = {}
    with closing(examined.run()) as steps:
        while upto not in findings:
            step = next(steps)
            findings[step.number] = step.finding
    return findings


def test_the_check_counts_refused_actions(tmp_path: Path) -> None:
    findings = check_changed(tmp_path, "actions: list[Action] = []", "actions = [MINE]", upto="6")
    told = findings["6"].saw
    assert findings["6"].is_well
    assert re.search(r"; warned \d+ times, first at turn [23]: mine: nothing to mine", told), told


def test_the_check_finds_a_bot_that_says_nothing(tmp_path: Path) -> None:
    """Though silence is no fault in a match."""
    findings = check_changed(tmp_path, "return [{", "return [][:0] and [{", upto="5")
    assert [number for number in findings if not findings[number].is_well] == ["5"]
    assert "timeout: no turn within 2 s" in findings["5"].saw


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(["novice"], "usage: "), (["novice", "127.0.0.1", "1"], "no server listens at 127.0.0.1:1")],
)
def test_it_says_what_is_wrong_with_its_arguments(arguments: list[str], complaint: str) -> None:
    command = [sys.executable, str(EXAMPLE / "skyport_bot.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(complaint)


# --- what it knows -------------------------------------------------------------------------------


@pytest.fixture
def example() -> Any:
    return load_example("skyport/skyport_bot.py")


def board_of(example: Any, position: SkyportPosition) -> Any:
    """The board of the seat to act, who has counted right."""
    seat = position.to_act[0]
    purse = example.Purse()
    purse.units = dict(zip("REC", position.robots[seat].units, strict=True))
    purse.dug = dict.fromkeys(position.half_mined, 1)
    told = json.loads(wire.format_message(wire.gamestate(position, NAMES)))
    return example.Board(told, NAMES[seat], purse)


def read(actions: list[dict[str, Any]]) -> tuple[Any, ...]:
    return tuple(wire.parse_action(action) for action in actions)


@pytest.mark.parametrize("seed", range(4))
def test_it_knows_what_it_can_do(example: Any, seed: int) -> None:
    """In random matches: where it can go, that its shots hit, that nothing it wants is refused."""
    rng = Random(seed)  # noqa: S311
    position = begin("SGRGGG/GEGVGG/GGOGCG/GGGGRG/GVGEGG/GGCGGS", turns=40)
    shots = 0
    while position.to_act:
        (seat,) = position.to_act
        board = board_of(example, position)
        moves = {action for action in position.legal_moves(seat) if action.kind == MOVE}
        free = [d for d in example.STEPS if board.is_free(example.beside(board.here, d))]
        assert {*read([*map(example.move, free)])} == moves
        shot = board.shot(board.here)
        if shot is not None:
            shots += 1
            robot, after = position.robots[seat], position.play({seat: read([shot])}).robots[seat]
            assert after.health == robot.health
            assert after.score > robot.score
        deeds = position.play({seat: read(example.choose(board))}).deeds
        assert [deed.refusal for deed in deeds] == [None] * len(deeds)
        position = position.play({seat: position.random_turn(seat, rng)})
    assert shots


def test_it_leaves_its_spawn_mines_and_upgrades(example: Any) -> None:
    position = begin("SGRGGO/GGGGGO/OOOOOO/GGGGGG/GGGGGG/GGGGGS")
    seen = []
    bot = example.Bot("ann")
    for _ in range(3):
        (seat,) = position.to_act
        told = json.loads(wire.format_message(wire.gamestate(position, NAMES)))
        actions = [wire.parse_action(message) for message in bot.answer(told)]
        after = position.play({seat: tuple(actions)})
        for message in wire.end_of_turn(after.deeds, "ann", own=True):
            assert bot.answer(json.loads(json.dumps(message))) == []
        seen.append(position.format_turn(seat, tuple(actions)))
        position = play(after, "pass")
        assert bot.purse.units["R"] == position.robots[0].units[0]
    assert seen[0] == "move right-down; move right-down; mine"
    assert seen[1].startswith("mine; move ")
    rich = change(position, units={(0, "laser"): 4})
    board = board_of(example, rich)
    assert example.choose(board)[0] == {"type": "upgrade", "weapon": "laser"}
