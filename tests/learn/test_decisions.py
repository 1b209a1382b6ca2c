"""The decisions of a dataset: they make the turns that were played, and end as batches do."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import agon
from agon.errors import MissingPartError, TranscriptError
from agon.games.game import Outcome
from agon.learn.dataset import read_dataset, write_dataset
from agon.learn.dataset.decisions import DecisionFinder
from agon.learn.dataset.schema import DECISIONS, describe_columns
from agon.learn.policy import reward_of
from agon.match.transcript import TurnEvent, replay
from tests import toy_game
from tests.cli.samples import OPENING, transcript_of
from tests.learn.test_batch import names
from tests.learn.test_page import PAGE

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.game import Game, JsonObject, Position
    from agon.match.transcript import Transcript


def played(game: Game, bot: str, seed: int = 1, turns: int = 40, **options: Any) -> Transcript:
    chosen = game.options(**options)
    seats = game.start(chosen).seats
    limits = agon.Limits(turns=turns)
    match = agon.play(game, [bot] * seats, options=chosen, seed=seed, limits=limits)
    return match.transcript


def shown(position: Position[Any]) -> JsonObject:
    """All there is to know; but not Skyport's report, which tells of a pass at a turn's end."""
    return {key: value for key, value in position.observe(None).items() if key != "deeds"}


@names
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_decisions_make_the_turns(game: Game, bot: str) -> None:
    transcript = played(game, bot)
    finder = DecisionFinder(game)
    decisions = finder.find(transcript)
    learning = finder.learning
    assert learning is not None
    assert finder.left_out == 0
    positions = [position for _, position in replay(transcript)]
    for number, event in enumerate(transcript.events):
        if not isinstance(event, TurnEvent):
            continue
        before, after = positions[number], positions[number + 1]
        made = {}
        for seat in event.turns:
            own = [one for one in decisions if (one.event, one.seat) == (number, seat)]
            assert all(one.action in one.legal for one in own)
            assert all(one.observation.shape == (learning.observation_size,) for one in own)
            made[seat] = game.learning_of(before).turn_of(before, seat, [one.action for one in own])
        assert shown(before.play(made)) == shown(after)
    assert {one.event for one in decisions} == set(range(len(positions) - 1)) - {
        n for n, event in enumerate(transcript.events) if not isinstance(event, TurnEvent)
    }


@names
def test_the_table_of_decisions(game: Game, tmp_path: Path) -> None:
    transcript = played(game, "random", turns=8)
    summary = write_dataset(tmp_path / "set", [transcript] * 2, observations=True)
    assert [one.transcript for one in read_dataset(tmp_path / "set")] == [transcript] * 2
    table = pq.read_table(tmp_path / "set" / "decisions.parquet")
    found = DecisionFinder(game).find(transcript)
    assert summary.decisions == table.num_rows == 2 * len(found)
    assert table.column("match").to_pylist() == [0] * len(found) + [1] * len(found)
    assert table.column("seat").to_pylist() == [one.seat for one in found] * 2
    assert table.column("action").to_pylist() == [one.action for one in found] * 2
    legal = [one.legal.tolist() for one in found]
    assert table.column("legal").to_pylist() == legal * 2
    rows = np.stack([one.observation for one in found])
    numbers = table.column("observation").combine_chunks().flatten().to_numpy()
    assert np.array_equal(numbers.reshape(-1, rows.shape[1]), np.concatenate([rows, rows]))
    parts = json.loads(table.schema.metadata[b"agon.observation"])
    learning = game.learning_of(game.start(transcript.options, transcript.seed))
    assert [part["name"] for part in parts] == [part.name for part in learning.observation]
    assert describe_columns(DECISIONS) in (tmp_path / "set" / "README.md").read_text("utf-8")


def test_rewards(tmp_path: Path) -> None:
    ended = transcript_of(*OPENING, outcome=Outcome((2, 0), "x"))
    write_dataset(tmp_path / "set", [ended, transcript_of(*OPENING)], observations=True)
    table = pq.read_table(tmp_path / "set" / "decisions.parquet")
    assert table.column("reward").to_pylist() == [1.0, -1.0, 1.0, -1.0, *[None] * 4]
    assert reward_of(Outcome((1, 1), "x"), 0) == 0


@pytest.mark.parametrize(
    ("text", "decisions"), [("nothing", 3), ("pass; pass", 3), ("pass; laser up", 0), ("mine", 0)]
)
def test_a_turn_that_no_decisions_make_is_left_out(text: str, decisions: int) -> None:
    game = agon.game("skyport")
    loadouts = TurnEvent(dict.fromkeys((0, 1), "loadout laser droid"))
    transcript = played(game, "random", turns=1)
    ((_, start), (_, ready)) = replay(replace(transcript, events=(loadouts,), outcome=None))
    assert start.to_act == (0, 1)
    turn = TurnEvent({ready.to_act[0]: text})
    finder = DecisionFinder(game)
    found = finder.find(replace(transcript, events=(loadouts, turn), outcome=None))
    assert len(found) == (decisions or 2)
    assert finder.left_out == (decisions == 0)


def test_matches_whose_numbers_mean_something_else_have_no_decisions(tmp_path: Path) -> None:
    hive, battlebots = agon.game("hive"), agon.game("battlebots")
    variants = [played(hive, "random", variant=name) for name in ("Base", "Base+M", "Base")]
    maps = [played(battlebots, "random", seed, 2) for seed in (1, 2, 1)]
    for number, matches in enumerate((variants, maps)):
        folder = tmp_path / str(number)
        summary = write_dataset(folder, matches, observations=True)
        assert (summary.matches, summary.on_other_maps) == (3, 1)
        rows = pq.read_table(folder / "decisions.parquet").column("match").to_pylist()
        assert {*rows} == {0, 2}
        assert [one.transcript for one in read_dataset(folder)] == matches
        assert "1 matches have none, as they were" in (folder / "README.md").read_text("utf-8")


def test_a_match_that_breaks_the_rules_is_refused(tmp_path: Path) -> None:
    wrong = transcript_of("wS1", "bG1*|wS1", "wS1")
    errors: list[TranscriptError] = []
    matches = [wrong, transcript_of(*OPENING)]
    summary = write_dataset(tmp_path / "set", matches, observations=True, on_refused=errors.append)
    assert (summary.matches, summary.decisions, len(errors)) == (1, 4, 1)
    table = pq.read_table(tmp_path / "set" / "decisions.parquet")
    assert table.column("match").to_pylist() == [0] * 4


def test_a_game_without_decisions_says_so() -> None:
    game = toy_game.GAME
    transcript = replace(transcript_of(), game=game, options=game.options(seats=2))
    with pytest.raises(MissingPartError, match=r"has no learning\.py"):
        DecisionFinder(game).find(transcript)


def test_the_page_has_the_columns() -> None:
    assert describe_columns(DECISIONS) in PAGE.read_text("utf-8")
