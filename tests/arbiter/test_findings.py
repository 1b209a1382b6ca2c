"""What a check says of a match: the command that draws its last position, and what is well."""

from __future__ import annotations

import pytest

from agon.arbiter.arbiter import play_match
from agon.arbiter.findings import LONGEST_TEXT, Finding, StepResult, show_command
from agon.arbiter.limits import Limits
from agon.games.hive.game import GAME
from agon.match.transcript import played_positions


def test_a_position_is_drawn_by_a_command_unless_its_match_is_long() -> None:
    seen = set()
    for turns in range(1, 60):
        players = [GAME.bot("random", seed) for seed in (1, 2)]
        transcript = play_match(GAME, players, Limits(turns=turns), seed=1).transcript
        text = GAME.format_match(played_positions(transcript))
        command = show_command(transcript)
        seen.add(command is None)
        if len(text) <= LONGEST_TEXT:
            assert command == f"agon show hive '{text}'"
        else:
            assert command is None
    assert seen == {True, False}


@pytest.mark.parametrize("verdict", StepResult)
def test_what_came_up_well_or_not_at_all_needs_no_work(verdict: StepResult) -> None:
    assert Finding("x", verdict).is_well is (verdict in {StepResult.OK, StepResult.UNSEEN})
