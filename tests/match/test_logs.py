"""A match that was written down as states, without turns: a log of Battlebots."""

from __future__ import annotations

from random import Random

import pytest

from agon.errors import SettingError, TranscriptError
from agon.games.battlebots.game import GAME
from agon.match.replay_steps import tell
from agon.match.transcript import format_transcript, parse_transcript, replay, verify


def played(turns: int) -> str:
    """The log of a random match."""
    chance = Random(1)  # noqa: S311
    positions = [GAME.start(seed=1)]
    for _ in range(turns):
        last = positions[-1]
        positions.append(last.play({seat: last.random_turn(seat, chance) for seat in last.to_act}))
    return GAME.format_match(positions)


def test_a_log_is_read_by_its_content_and_told_state_by_state() -> None:
    text = played(3)
    log = parse_transcript(text)
    assert (log.game, log.seed, len(log.events)) == (GAME, 0, 3)
    assert [player["name"] for player in log.players] == list(GAME.start(seed=1).players)
    assert GAME.format_match([position for _, position in replay(log)]) == text
    assert verify(log) is None
    for in_stages in (False, True):
        assert [step.turn for step in tell(log, in_stages=in_stages)] == [0, 1, 2, 3]


def test_a_log_has_no_turns_to_be_written_as_a_transcript() -> None:
    with pytest.raises(SettingError, match="a log has states and no turns"):
        format_transcript(parse_transcript(played(1)))


def test_a_log_that_is_damaged_says_where() -> None:
    with pytest.raises(TranscriptError, match=r"expected # STEP: 1"):
        parse_transcript(played(2).replace("# STEP: 1", "# STEP: 7"))
