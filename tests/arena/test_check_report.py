"""How a check is told to the bot's author."""

from __future__ import annotations

import shlex
from dataclasses import replace

from agon.arbiter.arbiter import play_match
from agon.arbiter.findings import LONGEST_TEXT, CheckStep, Finding, StepResult
from agon.arbiter.limits import Limits
from agon.arena.check_report import check_command, format_end, format_verdict
from agon.games.registry import find_game

HIVE = find_game("hive")
COMMAND = check_command(Limits(1_500_000_000), "hive")


def failed_after(turns: int) -> CheckStep:
    """A step that failed in a match, after so many turns."""
    bots = [HIVE.bot("random", seed) for seed in (1, 2)]
    match = play_match(HIVE, bots, Limits(turns=turns), seed=1)
    finding = Finding("illegal turn", StepResult.FAILED, "Compare.", match.transcript)
    return CheckStep("6", "plays a whole match", finding)


def test_the_position_is_drawn_by_a_command() -> None:
    told = format_end(failed_after(6)).splitlines()
    command = shlex.split(told[told.index("      the position:") + 1])
    assert command[:3] == ["agon", "show", "hive"]
    assert len(HIVE.parse_match(command[3])) == 7


def test_a_long_match_is_to_be_saved() -> None:
    told = format_end(failed_after(60))
    assert "with --save match.json, then `agon replay match.json`" in told
    assert max(len(line) for line in told.splitlines()) < LONGEST_TEXT


def test_the_last_lines_say_which_steps_were_left_out_and_how_to_check_again() -> None:
    slow = CheckStep("9", "keeps to its time", Finding("slow", StepResult.FAILED))
    left_out = replace(slow, number="7", finding=Finding("slow", StepResult.LEFT_OUT))
    assert "left out: slow" in format_end(left_out)
    told = format_verdict([left_out, left_out, slow], COMMAND)
    assert "Failed at step 9; 2 steps before it were left out." in told
    assert "\n    agon bot check FOLDER --game hive --time 1500ms\n" in told
