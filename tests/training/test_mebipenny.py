"""The recipe of MebiPenny's network: what it sees, what it thinks, and the command."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.games.mebipenny.board import SEATS, WALL, WORK
from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.mebipenny.learning import PASS_ACTION
from agon.games.mebipenny.network import THOUGHT, network_of, think, tile_value
from agon.games.mebipenny.view import see
from agon.kernel import new_record
from training.mebipenny import network as twin
from training.mebipenny.__main__ import load, main
from training.mebipenny.matches import Matches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

torch = pytest.importorskip("torch")

WALLED = MebiPennyOptions(rows=5, cols=7, seed_coverage="0.2")


@pytest.fixture
def one_thread() -> Iterator[None]:
    """PyTorch's threads wait long for each other where other tests use the cores."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def some_matches(steps: int) -> Matches:
    """Matches after so many turns."""
    matches = Matches(WALLED, 40, "cpu", seed=3)
    for _ in range(steps):
        matches.env.step_nth(np.zeros(matches.count, np.int64))
    return matches


@pytest.mark.long
@pytest.mark.parametrize("steps", [0, 5, 12])
def test_each_match_is_seen_as_view_sees_it(steps: int) -> None:
    matches = some_matches(steps)
    sight, setup = matches.see(), matches.env.learning.setup[0]
    assert (matches.env.states["cells"] == WALL).any()
    row, work = np.zeros(matches.width, np.int16), new_record(WORK)
    for match, state in enumerate(matches.env.states):
        seat, hand = int(sight.seats[match]), sight.hand[match].tolist()
        see(setup, state, work, seat, row)
        assert sight.seen[match].tolist() == row.tolist()
        held = int(state["hand_size"][seat])
        assert hand[:held] == state["hands"][seat][:held].tolist()
        assert sight.legal[match, PASS_ACTION]


def random_network() -> twin.Network:
    """One in which nothing is nearly 0, as exact as the package has it."""
    torch.manual_seed(1)
    network = twin.Network()
    for layer in (*network.common, network.tiles, network.verdict):
        torch.nn.init.normal_(layer.weight, std=0.1)
    return twin.network_of(twin.weights_of(network))


@pytest.mark.long
def test_the_kernel_thinks_as_the_network_in_pytorch_does() -> None:
    network, matches = random_network(), some_matches(steps=8)
    sight, setup = matches.see(), matches.env.learning.setup[0]
    with torch.no_grad():
        values, ending = network(sight.seen, matches.shape, sight.hand)
    weights, mind = network_of(twin.weights_of(network))[0], new_record(THOUGHT)
    expected, found = [], []
    for match, state in enumerate(matches.env.states):
        seat = int(sight.seats[match])
        see(setup, state, new_record(WORK), seat, mind["seen"])
        think(setup, weights, mind)
        expected += [values[match, PASS_ACTION], ending[match]]
        found += mind["verdict"].tolist()
        for place in range(int(state["hand_size"][seat])):
            for other in range(2):
                expected.append(values[match, place * SEATS + other])
                tile = int(state["hands"][seat, place])
                found.append(tile_value(setup, weights, mind, tile, other))
    assert np.std(found) > 0.1
    assert np.abs(np.array(found) - np.array(expected)).max() < 1e-3


@pytest.mark.long
def test_bots_choose_where_it_is_their_turn() -> None:
    matches = some_matches(steps=5)
    sight = matches.see()
    actions = torch.full((matches.count,), -1)
    matches.choose_greedily(sight, 0, 20, actions)
    matches.search(sight, 20, 36, actions, worlds=4)
    theirs = sight.seats == torch.arange(matches.count) % 2
    theirs[36:] = False
    assert ((actions >= 0) == theirs).all()
    assert sight.legal[theirs].gather(1, actions[theirs][:, None]).all()


@pytest.mark.long
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("worlds", ["0", "2"])
def test_one_command_makes_a_network(
    worlds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "network.npz"
    tiny = ["--matches", "16", "--size", "5", "--games", "8", "--worlds", worlds]
    command = ["", "--small", *tiny, "--device", "cpu", "--out", str(out)]
    monkeypatch.setattr("sys.argv", [*command, "--seconds", "2"])
    main()
    with np.load(out) as weights:
        learnt = network_of(dict(weights))
    with out.with_suffix(".csv").open() as file:
        first, *_, last = csv.DictReader(file)
    assert int(first["updates"]) == 0 < int(last["updates"])
    assert 0 <= float(last["greedy"]) <= 1
    assert bool(last["search"]) == (worlds != "0")
    again = twin.weights_of(load(out))
    assert all((again[name] == learnt[name][0]).all() for name in again)
    monkeypatch.setattr("sys.argv", [*command, "--seconds", "0.1", "--load", str(out)])
    main()
    assert (twin.weights_of(load(out))["first"] != again["first"]).any()
