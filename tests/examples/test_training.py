"""The examples of examples/learn: a network is trained, and a bot plays with it by NumPy alone."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agon
from agon.games.mebipenny.move import PASS
from agon.games.mebipenny.protocol import seat_players
from agon.games.mebipenny.wire import format_delta, format_game, format_new_move
from agon.learn.policy import TurnByDecisions
from tests.cli.process import call_agon

pytestmark = [pytest.mark.system, pytest.mark.long]

LEARN = Path(__file__).parent.parent.parent / "examples" / "learn"
GAME = agon.game("mebipenny")


def load(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True, scope="module")
def _one_core() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot's folder, with a network of a few seconds' training on a small board."""
    folder = tmp_path_factory.mktemp("trained") / "bot"
    small = "--device cpu --updates 4 --matches 64 --size 5 --channels 8 --games 20 --points 2"
    command = [sys.executable, str(LEARN / "train.py"), *small.split(), "--out", str(folder)]
    one_core = os.environ | {"OMP_NUM_THREADS": "1"}  # on two it waits, where others compute
    first, again = (
        subprocess.run(command, capture_output=True, text=True, check=False, env=one_core)
        for _ in range(2)
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("against greedy") == 3
    assert again.returncode == 2
    assert "expected a folder without a network.npz" in again.stderr
    return folder


def test_the_curve(trained: Path) -> None:
    with (trained / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["decisions"] for row in rows] == ["0", "8192", "16384"]
    assert all(0 <= float(row["score_against_greedy"]) <= 1 for row in rows)
    assert load(LEARN / "plot.py").draw(rows, 20).count("<path") == 7


@pytest.mark.parametrize(
    ("ended", "reward", "better"),
    [
        (None, 0, (-0.47363, 0.179, -0.7)),
        (1, 1, (-1.076, 0.8, -0.7)),
        (2, -1, (-1.03817, 0.761, -1.3)),
    ],
)
def test_a_result_is_traced_back_through_both_seats(
    ended: int | None, reward: int, better: tuple[float, ...]
) -> None:
    """By hand, of three decisions; 0.97 of what comes later counts, for the other seat."""
    train = load(LEARN / "train.py")
    found = {
        "ending": torch.tensor([[0.1], [0.2], [0.3]]),
        "reward": torch.zeros(3, 1),
        "ends": torch.zeros(3, 1, dtype=torch.bool),
    }
    if ended is not None:
        found["reward"][ended], found["ends"][ended] = reward, True
    assert train.trace_back(found, torch.tensor([0.4]))[:, 0].tolist() == pytest.approx(better)


class Seat:
    """The bot in one seat of a match, as a program hears of it."""

    def __init__(self, bot: Any, seat: int) -> None:
        self.bot, self.seat = bot, seat
        self.known: Any = None
        self.match: Any = None

    def look(self, position: Any) -> Any:
        """What it looks at before its turn."""
        players = seat_players(position.seats)
        if self.known is None:
            news = format_game(position, players, self.seat)
            self.match = self.bot.Match(json.loads(json.dumps(news)))
        else:
            news = format_delta(self.known, position, players, self.seat)
        self.match.hear(json.loads(json.dumps(news)))
        self.known = position
        return self.match.look()

    def play(self, position: Any, turn: Any) -> None:
        self.match.play(format_new_move(position, turn, seat_players(position.seats)))


def compare_with_training(file: Path, options: Any, channels: int, seeds: range) -> set[float]:
    """The bot and the network of train.py, in every seat; whether others were seen to pass."""
    bot, train = load(LEARN / "bot" / "network_bot.py"), load(LEARN / "train.py")
    learning = GAME.learning(options)
    network = train.Network(options.rows, options.cols, channels, learning.seats)
    if not file.exists():
        train.save(network, file)
    arrays = dict(np.load(file))
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    ours, passed = bot.Network(file), set()
    for seed in seeds:
        position: Any = GAME.start(options, seed)
        seats = [Seat(bot, seat) for seat in range(position.seats)]
        rivals = [GAME.bot(("random", "greedy")[seed % 2], one) for one in range(position.seats)]
        while position.outcome is None:
            seat = position.next_seat
            planes = seats[seat].look(position)
            row = torch.from_numpy(TurnByDecisions(learning, position, seat).observe())[None]
            with torch.no_grad():
                looked, values = network.look(row)[0][0].numpy(), network(row)[0][0].numpy()
            assert np.abs(planes - looked).max() < 1e-6
            tiles, passing = ours.judge(planes)
            for place, tile in enumerate(position.hands[seat]):
                judged = tiles[[0, 1, 1, 1], tile.row, tile.col]  # it is the same which other one
                assert np.abs(judged - values[4 * place : 4 * place + 4]).max() < 1e-3
            assert abs(passing - values[train.PASS]) < 1e-3
            passed.add(float(planes[8, 0, 0]))
            turn = rivals[seat].choose(position, seat, agon.Budget())
            seats[seat].play(position, turn)
            position = position.play({seat: turn})
    return passed


@pytest.mark.parametrize(
    ("rows", "cols", "seats", "walls"),
    [(5, 5, 2, "0"), (4, 7, 2, "0.2"), (1, 9, 2, "0"), (5, 6, 3, "0.1"), (6, 4, 4, "0.3")],
)
def test_the_bot_looks_and_judges_as_in_training(
    rows: int, cols: int, seats: int, walls: str, tmp_path: Path
) -> None:
    torch.manual_seed(1)
    options = GAME.options(rows=rows, cols=cols, seats=seats, seed_coverage=walls)
    passed = compare_with_training(tmp_path / "network.npz", options, 8, range(4))
    assert passed == {0, 1} or seats > 2


def test_a_pass_before_the_first_turn_of_all_is_seen() -> None:
    """Which no line tells: but the last seat has no turn before the others had one."""
    bot, train = load(LEARN / "bot" / "network_bot.py"), load(LEARN / "train.py")
    for seats in (2, 3):
        options = GAME.options(rows=4, cols=4, seats=seats, seed_coverage="0.1")
        network = train.Network(4, 4, 8, seats)
        position: Any = GAME.start(options, 1)
        for seat in range(seats):
            row = TurnByDecisions(GAME.learning(options), position, seat).observe()
            planes = Seat(bot, seat).look(position)
            assert (planes == network.look(torch.from_numpy(row)[None])[0][0].numpy()).all()
            assert (planes[8] == (seat == seats - 1)).all()
            position = position.play({seat: PASS})


def test_what_was_learnt_is_judged_as_in_training(trained: Path) -> None:
    options = GAME.options(rows=5, cols=5)
    compare_with_training(trained / "network.npz", options, 8, range(2))
    compare_with_training(LEARN / "bot" / "network.npz", GAME.options(), 32, range(1))


def test_it_plays_in_the_sandbox(trained: Path) -> None:
    options = GAME.options(rows=5, cols=5)
    match = agon.play(GAME, [str(trained), "random"], options=options, seed=1)
    assert match.faults == (None, None), match.transcript.events[-1]


def test_it_is_tested_as_the_page_says() -> None:
    bots = str(LEARN / "bot"), "random"
    small = "--option rows=5 --option cols=5 --pairs 2 --jobs 1 --json --time 1s"
    done = call_agon("sprt", "mebipenny", *bots, *small.split())
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["pairs"] == 2
    assert report["counts"] == [0, 0, 0, 0, 2]  # pairs of which it won both games
