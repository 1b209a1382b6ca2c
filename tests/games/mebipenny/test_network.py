"""What the network of `search` sees and thinks, against plain implementations of both."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from agon.games.bot import Budget
from agon.games.mebipenny import network, view
from agon.games.mebipenny.board import FREE, NATURE, NO_OWNER, WORK
from agon.games.mebipenny.bots import GreedyBot, is_known_board
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.network import LAYERS, NETWORK, PLANES, THOUGHT
from agon.kernel import new_record, new_records

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition

BOARDS = [MebiPennyOptions(8, 11, 2, "0.1"), MebiPennyOptions(5, 3, 2), MebiPennyOptions(9, 8, 2)]


def positions(options: MebiPennyOptions) -> list[MebiPennyPosition]:
    """Some of a match of greed, and the one in which one has passed."""
    position, bot, found = GAME.start(options, 3), GreedyBot(1), []
    while position.to_act:
        if position.turn % 7 == 0:
            found.append(position)
        position = position.play_move(bot.choose(position, position.next_seat, Budget()))
    return found


def army_of(owners: Any, cell: tuple[int, int]) -> frozenset[tuple[int, int]]:
    """All claims that are connected with this one."""
    army, todo = {cell}, [cell]
    while todo:
        for beside in around(owners, todo.pop()):
            if owners[beside] >= 0 and beside not in army:
                army.add(beside)
                todo.append(beside)
    return frozenset(army)


def around(owners: Any, cell: tuple[int, int]) -> list[tuple[int, int]]:
    rows, cols = owners.shape
    row, col = cell
    beside = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
    return [(r, c) for r, c in beside if 0 <= r < rows and 0 <= c < cols]


def lead_if_claimed(owners: Any, mover: int, cell: tuple[int, int]) -> tuple[int, int]:
    """How far seat 0 is ahead then, and the size of the army."""
    armies = {army_of(owners, one) for one in around(owners, cell) if owners[one] >= 0}
    counts = Counter(int(owners[one]) for army in armies for one in army)
    counts[mover] += 1
    owner = mover if counts[mover] >= counts[1 - mover] else 1 - mover
    after = owners.copy()
    for one in {cell}.union(*armies):
        after[one] = owner
    return int((after == 0).sum() - (after == 1).sum()), counts.total()


def seen_plainly(position: MebiPennyPosition, seat: int) -> list[int]:
    owners = position.owners
    sign = 1 - 2 * seat
    lead = int((owners == 0).sum() - (owners == 1).sum())
    hand = [int(tile) for tile in position.copy_state()["hands"][seat]]
    hand = hand[: int(position.copy_state()["hand_size"][seat])]
    found: list[int] = []
    for number, (cell, owner) in enumerate(np.ndenumerate(owners)):
        if owner == NATURE:
            found += [view.BLOCKED, 0, 0, 0]
        elif owner == NO_OWNER:
            own, size = lead_if_claimed(owners, seat, cell)
            others, _ = lead_if_claimed(owners, 1 - seat, cell)
            kind = view.HELD if number in hand else view.OPEN
            found += [kind, size, sign * (own - lead), sign * (others - lead)]
        else:
            kind = view.OWN if owner == seat else view.OTHERS
            found += [kind, len(army_of(owners, cell)), 0, 0]
    state = position.copy_state()
    other = int(state["hand_size"][1 - seat])
    free = int((state["cells"][: owners.size] == FREE).sum())
    passes = int(state["passes"])
    return [
        *found,
        sign * lead,
        int(state["draw_size"]),
        len(hand),
        other - len(hand),
        passes,
        free,
    ]


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_what_is_seen(options: MebiPennyOptions) -> None:
    numbers = options.rows * options.cols * view.CELL_NUMBERS + view.NUMBERS
    for position in positions(options):
        for seat in range(2):
            seen = np.zeros(numbers, np.int32)
            setup, state = position.setup.record, position.copy_state()
            view.see(setup, state, new_record(WORK), seat, seen)
            assert seen.tolist() == seen_plainly(position, seat)


def random_network(seed: int) -> Any:
    chance = np.random.default_rng(seed)
    return network.network_of(
        {name: chance.normal(0, 0.07, NETWORK[name].shape) for name in NETWORK.names or ()}
    )[0]


def filtered(x: Any, weights: Any) -> Any:
    """Each cell with its neighbours, nothing beyond the edge."""
    wide = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    rows, cols = x.shape[1:]
    parts = [wide[:, r : r + rows, c : c + cols] for r in range(3) for c in range(3)]
    return np.einsum("ock,kcrd->ord", weights, np.stack(parts))


def thought_plainly(net: Any, seen: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    """How good each tile is to play, for both favours; to pass, and who will win."""
    rows, cols = shape
    cells = rows * cols
    kind, size, gain, loss = seen[: cells * 4].reshape(rows, cols, 4).transpose(2, 0, 1)

    def log(values: Any) -> Any:
        return np.sign(values) * np.log2(np.abs(values) + 1) / 4

    planes = np.zeros((PLANES, rows, cols))
    for number in range(4):
        planes[number] = kind == number
    planes[4] = log(size) * (planes[view.OWN] - planes[view.OTHERS])
    planes[5] = log(size) * (kind < view.OWN)
    planes[6], planes[7] = log(gain), log(loss)
    whole = seen[cells * 4 :].astype(float)
    lead = log(whole[0])
    whole *= [4 / cells, 1 / cells, 1 / 6, 1 / 6, 1, 1 / cells]
    added = net.whole @ np.append(whole, lead) + net.whole_bias
    x = filtered(planes, net.first) + (net.bias[0] + added)[:, None, None]
    x = np.maximum(x, 0)
    for layer in range(1, LAYERS):
        y = filtered(x, net.later[layer - 1]) + net.bias[layer][:, None, None] + x
        if layer in (2, 4):
            pooled = np.append(x.mean((1, 2)), x.max((1, 2)))
            nth = layer // 2 - 1
            y += (net.common[nth] @ pooled + net.common_bias[nth])[:, None, None]
        x = np.maximum(y, 0)
    pooled = np.append(x.mean((1, 2)), x.max((1, 2)))
    hidden = np.maximum(net.ending @ pooled + net.ending_bias, 0)
    to_pass, ending = net.verdict @ hidden + net.verdict_bias
    tiles = np.einsum("oc,crd->ord", net.tiles, x) + net.tiles_bias[:, None, None]
    return tiles.reshape(2, cells), (to_pass, np.tanh(ending))


def test_what_is_thought() -> None:
    """One record for boards of several sizes: nothing of another board is left in it."""
    net, mind = random_network(1), new_records(THOUGHT)[0]
    for options in BOARDS:
        for position in positions(options)[:4]:
            setup, cells = position.setup.record, options.rows * options.cols
            view.see(setup, position.copy_state(), new_record(WORK), 0, mind.seen)
            network.think(setup, net, mind)
            seen = mind.seen[: cells * view.CELL_NUMBERS + view.NUMBERS]
            tiles, verdict = thought_plainly(net, seen, (options.rows, options.cols))
            found = [
                [network.tile_value(setup, net, mind, tile, other) for tile in range(cells)]
                for other in range(2)
            ]
            assert np.ptp(tiles) > 0.1
            np.testing.assert_allclose(found, tiles, atol=1e-3)
            np.testing.assert_allclose(mind.verdict, verdict, atol=1e-3)


def test_weights_of_another_form_are_refused() -> None:
    weights = {name: np.zeros(NETWORK[name].shape) for name in NETWORK.names or ()}
    network.network_of(weights)
    with pytest.raises(ValueError, match=r"tiles of \(2, 3\)"):
        network.network_of(weights | {"tiles": np.zeros((2, 3))})


def test_boards_that_it_knows() -> None:
    known = [MebiPennyOptions(15, 15), MebiPennyOptions(32, 15), MebiPennyOptions(15, 16, 2, "0.3")]
    others = [MebiPennyOptions(15, 15, 3), MebiPennyOptions(33, 20), MebiPennyOptions(14, 20)]
    assert all(is_known_board(GAME.start(options, 1)) for options in known)
    assert not any(is_known_board(GAME.start(options, 1)) for options in others)
