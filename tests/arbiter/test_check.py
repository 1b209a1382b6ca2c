"""Bots taken through the numbered steps: good ones, and those that fail at one step each."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.build import Build
from agon.arbiter.check import Check, find_checked_game
from agon.arbiter.check_rig import CheckTimes
from agon.arbiter.entrant import launch_on_host
from agon.arbiter.findings import StepResult
from agon.arbiter.limits import Limits
from agon.arbiter.starter import write_starter
from agon.errors import SettingError
from agon.games.hive.game import GAME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agon.arbiter.bot_process import Program
    from agon.arbiter.findings import CheckStep

SECOND = 10**9
QUICK = CheckTimes(spare_ns=SECOND, settle_ns=SECOND // 5, closing_ns=SECOND)
SLOW = CheckTimes(spare_ns=60 * SECOND, settle_ns=SECOND // 5, closing_ns=60 * SECOND)


def check(
    text: str, times: CheckTimes = SLOW, turn_ns: int = 10 * SECOND, **options: str
) -> list[CheckStep]:
    limits = Limits(turn_ns, start_ns=SECOND if times is QUICK else 60 * SECOND)
    clock = time.monotonic_ns
    examined = Check(
        GAME, GAME.parse_options(options), text, limits, launch_on_host, clock, times=times
    )
    return list(examined.run())


def numbers(steps: Sequence[CheckStep], verdict: StepResult) -> list[str]:
    return [step.number for step in steps if step.finding.verdict is verdict]


def failure(steps: Sequence[CheckStep]) -> CheckStep:
    """The one step that failed."""
    (failed,) = numbers(steps, StepResult.FAILED)
    return next(step for step in steps if step.number == failed)


def script(folder: Path, text: str) -> str:
    """A bot that is a shell script."""
    (folder / "bot.sh").write_text(text)
    (folder / "bot.toml").write_text('name = "bot"\ngames = ["hive"]\nrun = "sh bot.sh"\n')
    return str(folder)


CHOICE = "random.choice(close or moves)"


def changed_starter(folder: Path, *changes: tuple[str, str]) -> str:
    """The Python starter with some of its text replaced, and without chance."""
    write_starter(GAME, "python", "novice", folder / "novice")
    source = folder / "novice" / "hive_bot.py"
    text = source.read_text()
    for old, new in (*changes, (CHOICE, "random.Random(len(moves)).choice(moves)")):
        assert old in text
        text = text.replace(old, new)
    source.write_text(text)
    return str(folder / "novice")


def test_a_good_bot_passes_every_step(tmp_path: Path) -> None:
    seen: list[str] = []
    limits = Limits(60 * SECOND)
    options = GAME.parse_options({"variant": "Base+P", "queen_first": "on"})
    text = changed_starter(tmp_path)
    examined = Check(GAME, options, text, limits, launch_on_host, time.monotonic_ns)
    steps = list(examined.run(lambda number, title: seen.append(number)))
    expected = ["1", "2", "3", "4", "5", "6", "7", *(f"8.{n}" for n in range(1, 7)), "9", "10"]
    assert [step.number for step in steps] == seen == expected
    assert all(step.finding.is_well for step in steps), steps
    (covered,) = [step for step in steps if step.number == "8.3"]
    assert covered.finding.saw.startswith("it came up in match 1 of this step, at turn ")
    for step, saw in zip(
        steps[:7],
        (
            "novice, python: python3 hive_bot.py",
            "nothing to build",
            "it runs, and says nothing unasked",
            r"it played w\S+ after \d+ ms",
            r"it played b\S+ after \d+ ms",
            r"\d+ turns against random: .+",
            r"\d+ turns against random: .+",
        ),
        strict=True,
    ):
        assert re.fullmatch(saw, step.finding.saw), step
    assert re.fullmatch(r"the slowest turn took \d+\.\d{3} s of 60 s", steps[-2].finding.saw)
    assert steps[-1].finding.saw.startswith("exit status 0 after ")


def test_1_settings(tmp_path: Path) -> None:
    steps = check(str(tmp_path))
    assert failure(steps).number == "1"
    assert "there is no bot.toml in it" in failure(steps).finding.saw
    assert numbers(steps, StepResult.OK) == []


def test_1_a_built_in_bot_is_not_examined() -> None:
    assert "'random' is built in" in failure(check("random")).finding.saw


def test_2_build(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "bot"\nrun = "./bot"\nbuild = "sh -c \'echo no such thing; exit 1\'"\n'
    )
    step = failure(check(str(tmp_path)))
    assert (step.number, step.stderr) == ("2", "no such thing\n")
    assert "exit status 1" in step.finding.saw


def test_3_it_ends_at_once(tmp_path: Path) -> None:
    step = failure(check(script(tmp_path, "echo oops >&2; exit 3"), QUICK))
    assert (step.number, step.stderr) == ("3", "oops\n")
    assert "exit status 3" in step.finding.saw
    assert "standard error" in step.finding.advice


def test_3_it_talks_unasked(tmp_path: Path) -> None:
    step = failure(check(script(tmp_path, "echo hello; cat >/dev/null"), QUICK))
    assert step.number == "3"
    assert "protocol error: 'hello'" in step.finding.saw
    assert step.wire[-1] == "< hello"


def test_3_it_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "bot"\nrun = "./missing"\n')
    step = failure(check(str(tmp_path)))
    assert step.number == "3"
    assert "could not start" in step.finding.saw


FIRST_MOVE = 'while read word rest; do [ "$word" = colour ] && echo {}; done'


def test_4_an_illegal_first_turn_is_told_with_the_position(tmp_path: Path) -> None:
    steps = check(script(tmp_path, FIRST_MOVE.format("wQ1")), QUICK)
    step = failure(steps)
    assert step.number == "4"
    assert step.finding.saw.startswith("turn 1: illegal turn: move 'wQ1'")
    assert step.finding.transcript is not None
    assert "< wQ1" in step.wire
    assert numbers(steps, StepResult.OK) == ["1", "2", "3", "10"]


def test_4_no_move_at_all(tmp_path: Path) -> None:
    step = failure(check(script(tmp_path, FIRST_MOVE.format("hello")), QUICK))
    assert (step.number, "protocol error" in step.finding.saw) == ("4", True)


def test_4_silence(tmp_path: Path) -> None:
    step = failure(check(script(tmp_path, "cat >/dev/null"), QUICK, turn_ns=10**6))
    assert (step.number, "timeout" in step.finding.saw) == ("4", True)
    assert "(the limit is 0.001 s; a check waits longer" in step.finding.saw
    assert "flush" in step.finding.advice


def test_5_it_plays_white_only(tmp_path: Path) -> None:
    step = failure(check(script(tmp_path, FIRST_MOVE.format("wS1")), QUICK, turn_ns=10**6))
    assert (step.number, "turn 2: protocol error" in step.finding.saw) == ("5", True)


def test_6_a_rule_is_missing(tmp_path: Path) -> None:
    passes = (
        "    close = [",
        "    TURNS.append(1)\n    if TURNS[1:]:\n        return 'pass'\n    close = [",
    )
    text = changed_starter(tmp_path, passes, ("def choose", "TURNS = []\n\n\ndef choose"))
    step = failure(check(text))
    assert (step.number, "illegal turn" in step.finding.saw) == ("6", True), step


def test_7_one_match_only(tmp_path: Path) -> None:
    ends = (
        'if word == "colour":',
        'if word == "end":\n            sys.exit(7)\n        elif word == "colour":',
    )
    text = changed_starter(tmp_path, ends)
    step = failure(check(text))
    assert (step.number, "exit status 7" in step.finding.saw) == ("7", True)


def test_8_it_does_not_know_of_passes(tmp_path: Path) -> None:
    text = changed_starter(
        tmp_path, ("choose(rest,", 'choose([move for move in rest if move != "pass"],')
    )
    steps = check(text)
    assert failure(steps).number == "8.1"
    assert "IndexError" in failure(steps).stderr
    assert "10" in numbers(steps, StepResult.NOT_TRIED), "it ended before its input did"


def test_8_the_advice_is_about_the_situation(tmp_path: Path) -> None:
    text = changed_starter(
        tmp_path, ('if word == "colour":', 'assert word != "pass"\n        if word == "colour":')
    )
    step = failure(check(text))
    assert (step.number, "AssertionError" in step.stderr) == ("8.2", True)
    assert "The other side's turn may be `pass`" in step.finding.advice


def test_9_too_slow_and_10_it_does_not_end(tmp_path: Path) -> None:
    stays = ("    main()\n", "    main()\n    __import__('time').sleep(99)")
    times = CheckTimes(60 * SECOND, SECOND // 5, closing_ns=2 * SECOND)
    steps = check(changed_starter(tmp_path, stays), times, turn_ns=1000)
    assert numbers(steps, StepResult.FAILED) == ["9", "10"]
    assert numbers(steps, StepResult.LEFT_OUT) == ["6", "7", "8.1", "8.2", "8.3", "8.4"]
    assert steps[5].finding.saw == "broken off after 3 turns: they take too long, see step 9"
    assert "of 1e-06 s" in steps[-2].finding.saw
    assert steps[-1].finding.saw == "it still ran 2 s later"


@pytest.mark.parametrize(
    ("turn_ms", "bank_ms", "slowest_ms", "excess_ms", "saw", "is_well"),
    [
        (None, 0, 9000, 0, "there is no limit", True),
        (500, 0, 500, 0, "the slowest turn took 0.500 s of 0.5 s", True),
        (500, 0, 501, 0, ", while this machine itself was late", True),
        (500, 2000, 501, 0, ", within the 2 s more that a match has", True),
        (500, 0, 700, 1, "the slowest turn took 0.700 s of 0.5 s", False),
        (500, 2000, 700, 1, ", and one match used up the 2 s more that it has", False),
    ],
)
def test_9_what_is_said_of_the_time(
    turn_ms: int | None, bank_ms: int, slowest_ms: int, excess_ms: int, saw: str, is_well: bool
) -> None:
    ms = 10**6
    limits = Limits(None if turn_ms is None else turn_ms * ms, bank_ms * ms)
    clock = time.monotonic_ns
    examined = Check(GAME, GAME.options(), "x", limits, launch_on_host, clock)
    examined._stopwatch.slowest_ns = slowest_ms * ms
    examined._stopwatch.excess_ns = excess_ms * ms
    finding = examined._judge_time()
    assert finding.saw.endswith(saw)
    assert (finding.is_well, bool(finding.advice)) == (is_well, not is_well)


@pytest.mark.parametrize(("was_cached", "how"), [(False, "1.5 s"), (True, "built before")])
def test_2_how_long_a_build_took(tmp_path: Path, was_cached: bool, how: str) -> None:
    (tmp_path / "bot.toml").write_text('name = "bot"\nrun = "./bot"\nbuild = "make all"\n')

    def build(program: Program) -> Build:
        return Build(None, "", 1_500_000_000, replace(program, language="c"), was_cached)

    limits, clock = Limits(SECOND), time.monotonic_ns
    examined = Check(
        GAME, GAME.options(), str(tmp_path), limits, launch_on_host, clock, build=build
    )
    _, step = islice(examined.run(), 2)
    assert (step.number, step.finding.saw) == ("2", f"make all: {how}")
    assert examined.program.language == "c", "what was built is what is run"


def test_the_game_is_asked_for_or_known(tmp_path: Path) -> None:
    assert find_checked_game(script(tmp_path, ""), None) is GAME
    assert find_checked_game("python3 bot.py", "hive") is GAME
    assert find_checked_game("x" * 10_000 + " y", "hive") is GAME
    with pytest.raises(SettingError, match="name the game to check it in: --game atlantis"):
        find_checked_game("python3 bot.py", None)
    with pytest.raises(SettingError, match="game 'chess'"):
        find_checked_game("python3 bot.py", "chess")
