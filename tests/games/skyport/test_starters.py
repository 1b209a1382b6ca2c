"""The starter bots play whole matches over TCP, as real processes, and do sensible things."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.check import Check
from agon.arbiter.check_rig import Patience
from agon.arbiter.entrant import find_entrant, launch_on_host, make_seat
from agon.arbiter.limits import Limits
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.arbiter.seat import BotSeat
from agon.arbiter.starter import starter_languages, write_starter
from agon.games.bot import no_time
from agon.games.skyport import wire
from agon.games.skyport.board import MOVE
from agon.games.skyport.bots import RandomBot
from agon.games.skyport.check_opponents import CELL, LARGEST, MEADOW
from agon.games.skyport.game import GAME, SkyportOptions
from agon.match.transcript import TurnEvent, verify
from tests.examples.toolchain import present
from tests.games.skyport.situation import begin, change, options_for, play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arbiter.entrant import Launch
    from agon.arbiter.findings import Finding
    from agon.games.skyport.position import SkyportPosition
    from agon.match.result import MatchResult

TOOLS = {"javascript": "node", "python": "python3"}
SECOND = 10**9
LIMITS = Limits(turn_ns=120 * SECOND, start_ns=60 * SECOND)
MATCHES = [
    SkyportOptions(turns=20),
    SkyportOptions("four", turns=8),
    options_for(CELL, 3),
    options_for(MEADOW, 15),
    options_for(LARGEST, 3),
]
NAMES = ["ann", "bob", "cid", "dora"]

every_language = pytest.mark.parametrize("language", present(TOOLS))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that a bot in the sandbox, who is nobody, may look into."""
    with tempfile.TemporaryDirectory(prefix="agon-bot-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def meet(text: str, options: SkyportOptions, launch: Launch = launch_on_host) -> MatchResult:
    """A match of this bot, as the command line names it, against others who play by chance."""
    bot = make_seat(GAME, find_entrant(GAME, text), 0, time.monotonic_ns, launch)
    count = GAME.start(options).seats
    others = [BotSeat(f"other {n}", RandomBot, n, no_time) for n in range(1, count)]
    try:
        match = Arbiter(GAME, options, [bot, *others], LIMITS, time.monotonic_ns).play(3)
    finally:
        bot.close()
    assert verify(match.transcript) == match.transcript.outcome
    return match


def warnings_in(match: MatchResult) -> set[str]:
    events = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    warned: list[Any] = [event.extra.get("warnings", {}) for event in events]
    return {text for by_seat in warned for texts in by_seat.values() for text in texts}


KNOWN_WARNINGS = {"mine: nothing to mine on a G tile"}  # somebody else was there before


def test_every_starter_is_tested() -> None:
    assert starter_languages(GAME) == tuple(TOOLS)


@every_language
@pytest.mark.parametrize("options", MATCHES, ids=["usual", "four", "cell", "meadow", "largest"])
def test_it_plays_matches_without_a_bad_action(
    tmp_path: Path, language: str, options: SkyportOptions
) -> None:
    write_starter(GAME, language, "novice", tmp_path / "novice")
    match = meet(str(tmp_path / "novice"), options)
    assert set(match.faults) == {None}
    assert warnings_in(match) <= KNOWN_WARNINGS
    if options == MATCHES[0]:
        assert match.outcome.winner == 0


@every_language
def test_it_plays_in_the_sandbox(open_folder: Path, language: str) -> None:
    folder = open_folder / "novice"
    folder.mkdir(0o755)
    write_starter(GAME, language, "novice", folder)
    match = meet(str(folder), SkyportOptions(turns=12), launch_in_sandbox)
    assert match.faults == (None, None)
    assert warnings_in(match) <= KNOWN_WARNINGS


@every_language
@pytest.mark.parametrize("launch", [launch_in_sandbox, launch_on_host])
def test_a_command_line_that_dials_in_plays(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, language: str, launch: Launch
) -> None:
    """Its name on the command line is one that it can connect with, though the command is none."""
    program = write_starter(GAME, language, "novice", open_folder / "bot").program
    (open_folder / "bot").chmod(0o755)
    monkeypatch.chdir(open_folder / "bot")
    match = meet(" ".join(program.run), SkyportOptions(turns=2), launch)
    assert match.faults == (None, None)
    assert warnings_in(match) == set()


@pytest.mark.parametrize(("language", "players"), [("python", "three"), ("javascript", "auto")])
def test_it_passes_the_check(tmp_path: Path, language: str, players: str) -> None:
    write_starter(GAME, language, "novice", tmp_path / "novice")
    options = SkyportOptions(players, turns=5)
    clock = time.monotonic_ns
    examined = Check(
        GAME, options, str(tmp_path / "novice"), Limits(10 * SECOND), launch_on_host, clock
    )
    steps = list(examined.run())
    assert all(step.finding.is_well for step in steps), steps
    assert len(steps) == 16
    assert steps[3].finding.saw.startswith("it played loadout laser mortar after ")
    assert steps[4].finding.saw.startswith("it played move ")
    assert steps[-1].finding.saw.startswith("exit status 0 after ")


def check_changed(folder: Path, old: str, new: str, upto: str) -> dict[str, Finding]:
    """What the check finds in the Python starter with some of its text replaced, up to a step."""
    write_starter(GAME, "python", "novice", folder)
    source = folder / "skyport_bot.py"
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    patience = Patience(spare_ns=SECOND, settle_ns=SECOND // 5)
    options, limits = SkyportOptions(turns=5), Limits(SECOND, start_ns=20 * SECOND)
    examined = Check(
        GAME, options, str(folder), limits, launch_on_host, time.monotonic_ns, patience=patience
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


@every_language
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(["novice"], "usage: "), (["novice", "127.0.0.1", "1"], "nobody listens at 127.0.0.1:1")],
)
def test_it_says_what_is_wrong_with_its_arguments(
    tmp_path: Path, language: str, arguments: list[str], complaint: str
) -> None:
    program = write_starter(GAME, language, "novice", tmp_path / "novice").program
    command = [*program.run[:2], *arguments]
    done = subprocess.run(
        command, cwd=program.folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(complaint)


# --- what the Python starter knows ---------------------------------------------------------------


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[Any]:
    write_starter(GAME, "python", "novice", tmp_path / "novice")
    path = tmp_path / "novice" / "skyport_bot.py"
    spec = importlib.util.spec_from_file_location("skyport_novice", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def board_of(starter: Any, position: SkyportPosition) -> Any:
    """The board of the seat to act, who has counted right."""
    seat = position.to_act[0]
    purse = starter.Purse()
    purse.units = dict(zip("REC", position.robots[seat].units, strict=True))
    purse.dug = dict.fromkeys(position.half_mined, 1)
    told = json.loads(wire.format_message(wire.gamestate(position, NAMES)))
    return starter.Board(told, NAMES[seat], purse)


def read(actions: list[dict[str, Any]]) -> tuple[Any, ...]:
    return tuple(wire.parse_action(action) for action in actions)


@pytest.mark.parametrize("seed", range(4))
def test_it_knows_what_it_can_do(starter: Any, seed: int) -> None:
    """In random matches: where it can go, that its shots hit, that nothing it wants is refused."""
    rng = Random(seed)  # noqa: S311
    position = begin("SGRGGG/GEGVGG/GGOGCG/GGGGRG/GVGEGG/GGCGGS", turns=40)
    shots = 0
    while position.to_act:
        (seat,) = position.to_act
        board = board_of(starter, position)
        moves = {action for action in position.legal_moves(seat) if action.kind == MOVE}
        free = [d for d in starter.STEPS if board.is_free(starter.beside(board.here, d))]
        assert {*read([*map(starter.move, free)])} == moves
        shot = board.shot(board.here)
        if shot is not None:
            shots += 1
            robot, after = position.robots[seat], position.play({seat: read([shot])}).robots[seat]
            assert after.health == robot.health
            assert after.score > robot.score
        deeds = position.play({seat: read(starter.choose(board))}).deeds
        assert [deed.refusal for deed in deeds] == [None] * len(deeds)
        position = position.play({seat: position.random_turn(seat, rng)})
    assert shots


def test_it_leaves_its_spawn_mines_and_upgrades(starter: Any) -> None:
    position = begin("SGRGGO/GGGGGO/OOOOOO/GGGGGG/GGGGGG/GGGGGS")
    seen = []
    bot = starter.Bot("ann")
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
    board = board_of(starter, rich)
    assert starter.choose(board)[0] == {"type": "upgrade", "weapon": "laser"}


def test_its_files_are_plain(tmp_path: Path) -> None:
    for language in TOOLS:
        starter = write_starter(GAME, language, "novice", tmp_path / language)
        assert {path.suffix for path in starter.written} <= {".toml", ".py", ".js"}
        assert starter.program.run[-3:] == ("{name}", "{host}", "{port}")
        assert not any(os.access(path, os.X_OK) for path in starter.written)
