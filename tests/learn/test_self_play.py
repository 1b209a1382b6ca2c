"""Matches of a batch as transcripts: they replay to the ends that the batch has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import agon
from agon.errors import SettingError
from agon.learn import BatchEnv
from agon.learn.dataset import read_dataset, write_dataset
from agon.learn.policy import reward_of
from agon.learn.self_play import MatchRecorder
from agon.learn.stepping import CUT_OFF, GOES_ON, OVER
from agon.match.transcript import LimitEvent
from tests.learn.test_batch import choose

if TYPE_CHECKING:
    from pathlib import Path

    from agon.match.result import MatchResult

SETTINGS: dict[str, tuple[dict[str, Any], int, int]] = {
    "atlantis": ({}, 200, 500),
    "battlebots": ({"turn_limit": 12}, 40, 120),
    "hive": ({}, 150, 450),
    "mebipenny": ({"rows": 7, "cols": 7}, 40, 80),
    "skyport": ({"turns": 4}, 16, 80),
}
"""Options, the limit of decisions, and how many steps until matches have ended in both ways."""


def chosen(env: BatchEnv, rng: np.random.Generator) -> Any:
    """An action by chance for each seat."""
    return np.take_along_axis(env.actions, choose(env, rng)[..., None], axis=-1)[..., 0]


def play(env: BatchEnv, steps: int) -> list[tuple[int, Any, MatchResult]]:
    """How each match ended, its rewards, and its result."""
    recorder, rng = MatchRecorder(env), np.random.default_rng(1)
    found = []
    for _ in range(steps):
        results = recorder.step(chosen(env, rng))
        numbers = np.flatnonzero(env.ends != GOES_ON)
        for i, result in zip(numbers, results, strict=True):
            found.append((int(env.ends[i]), env.rewards[i].tolist(), result))
    return found


@pytest.mark.parametrize("name", SETTINGS)
def test_transcripts_are_the_matches_of_the_batch(name: str) -> None:
    options, limit, steps = SETTINGS[name]
    game = agon.game(name)
    env = BatchEnv(game, 6, options=game.options(**options), seed=2**64 - 5, limit=limit)
    ended = play(env, steps)
    assert {ending for ending, _, _ in ended} == {OVER, CUT_OFF}
    assert len({result.transcript.seed for _, _, result in ended}) == len(ended)
    for ending, rewards, result in ended:
        assert agon.verify(result.transcript) == result.outcome
        assert isinstance(result.transcript.events[-1], LimitEvent) == (ending == CUT_OFF)
        found = [reward_of(result.outcome, seat) for seat in range(env.learning.seats)]
        assert found == pytest.approx(rewards)


def test_they_are_written_as_a_dataset(tmp_path: Path) -> None:
    options, limit, steps = SETTINGS["mebipenny"]
    game = agon.game("mebipenny")
    env = BatchEnv(game, 6, options=game.options(**options), limit=limit)
    results = [result for _, _, result in play(env, steps)]
    assert any(result.transcript.seed < 0 for result in results)
    write_dataset(tmp_path / "set", results, observations=True)
    read = [record.transcript for record in read_dataset(tmp_path / "set")]
    assert read == [result.transcript for result in results]
    assert read[0].players == ({"name": "self-play"}, {"name": "self-play"})


def test_names_are_one_for_each_seat() -> None:
    with pytest.raises(SettingError, match="1 names: expected one for each of 2 seats"):
        MatchRecorder(BatchEnv("hive", 1), ["mine"])
