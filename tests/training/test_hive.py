"""The recipe of Hive's network: the same matches from the same seeds, and the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.games.hive.board import NOWHERE, STATE, WORK
from agon.games.hive.network import PLACES, WIDTH, judge, load_network, network_of, sum_up
from agon.games.hive.rules import make, start
from agon.kernel import new_records
from training.hive.__main__ import digest, load_games, main, save_games
from training.hive.learn import NOTHING, POINTS, Network, first_weights, rounded, symmetries, turned
from training.hive.samples import find_samples
from training.hive.selfplay import NO_VALUE, join, pack, play_game

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

torch = pytest.importorskip("torch")


def some_games() -> dict[str, Any]:
    network = network_of(first_weights())
    return pack([play_game(seed, 300, network) for seed in range(4)])


@pytest.mark.long
def test_matches_are_kept_and_the_same_from_the_same_seeds(tmp_path: Path) -> None:
    games = some_games()
    assert digest(games) == digest(some_games())
    assert {0, 7} <= {*games["expansions"].tolist()}
    chosen = games["values"] != NO_VALUE
    assert 0 < chosen.sum() < len(chosen)
    save_games(tmp_path / "matches.parquet", games)
    assert digest(load_games(tmp_path / "matches.parquet")) == digest(games)
    assert len(join([games, games])["moves"]) == 2 * len(games["moves"])


def judged(games: dict[str, Any], network: Any) -> list[int]:
    """What the kernel says of the positions that `find_samples` finds."""
    found, begin = [], 0
    sums, listed = np.zeros((2, WIDTH), np.int16), np.zeros(64, np.int16)
    for game, turns in enumerate(games["turns"]):
        state, work = new_records(STATE)[0], new_records(WORK)[0]
        start(state, int(games["expansions"][game]), 0, 0)
        for turn in range(begin, begin + turns):
            if games["values"][turn] != NO_VALUE and NOWHERE not in state.queen:
                for side in range(2):
                    sum_up(state, network, side, listed, sums[side])
                found.append(int(judge(state, work, network, sums, listed)))
            make(state, int(games["moves"][turn]))
        begin += turns
    return found


@pytest.mark.long
def test_the_search_judges_as_the_network_in_pytorch_does() -> None:
    """But for the rounding."""
    torch.manual_seed(1)
    network, games = Network(), some_games()
    samples = find_samples(games)
    rows = torch.as_tensor(np.where(samples.rows < 0, NOTHING, samples.rows).astype(np.int64))
    others = map(torch.as_tensor, (samples.freedom, samples.danger, samples.held))
    expected = network(rows, *others).detach().numpy() * POINTS
    found = np.array(judged(games, network_of(rounded(network))[0]))
    assert len(found) > 100
    assert found.std() > 50
    assert np.abs(found - expected).max() < 12


@pytest.mark.long
def test_one_command_makes_a_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "network.npz"
    games = ["--games", "3", "--nodes", "200", "--rounds", "1"]
    monkeypatch.setattr("sys.argv", ["", *games, "--epochs", "2", "--out", str(out)])
    main()
    assert "epoch 2" in capsys.readouterr().out
    with np.load(out) as weights:
        learnt = network_of(dict(weights))
    assert (learnt != network_of(first_weights())).all()
    assert (tmp_path / "matches-1.parquet").exists()
    assert (load_network() != learnt).all()


def test_there_are_twelve_symmetries() -> None:
    maps = symmetries()
    assert len({tuple(one) for one in maps.tolist()}) == 12
    for one in maps.tolist():
        assert sorted(one) == list(range(PLACES))
    assert (maps[0] == np.arange(PLACES)).all()


def test_rows_are_turned_together() -> None:
    maps = torch.as_tensor(symmetries())
    rows = torch.tensor([[[5, PLACES + 5, -1]], [[7, 3 * PLACES + 7, -1]]] * 50)
    found = turned(rows, maps)
    assert (found[..., 2] == NOTHING).all()
    assert (found[..., 0] % PLACES == found[..., 1] % PLACES).all()
    assert (found[..., 1] // PLACES == rows[..., 1] // PLACES).all()
    assert len({*found[..., 0].flatten().tolist()}) > 6
