"""The learnt part of the evaluation, and the search that uses it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from agon.games.bot import Budget
from agon.games.hive import network
from agon.games.hive.board import NOWHERE, STATE, WORK, put_tile, slot_in
from agon.games.hive.bots import SearchBot
from agon.games.hive.game import GAME
from agon.games.hive.network import NETWORK, WIDTH, judge, sum_up, update_sums
from agon.games.hive.rules import FROM_HAND, PASS, make, start
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.hive.move import Move
    from agon.games.hive.position import HivePosition

VARIANTS = ("Base", "Base+MLP")
LISTED = np.zeros(64, np.int16)


def random_network() -> Any:
    """Weights by chance, small enough that the sums of 28 rows fit."""
    rng = np.random.default_rng(1)
    weights = {
        name: rng.integers(-300, 300, NETWORK[name].shape).astype(np.int16)
        for name in network.LEARNT
    }
    return network.network_of(weights)[0]


def all_sums(state: Any, net: Any) -> Any:
    """Both sides' sums, made from all their rows; 0 while the queen is in hand."""
    sums = np.zeros((2, WIDTH), np.int16)
    for side in range(2):
        if state.queen[side] != NOWHERE:
            sum_up(state, net, side, LISTED, sums[side])
    return sums


def random_match(variant: str, seed: int) -> list[HivePosition]:
    """Positions of a match of chance."""
    found = [start_of(variant)]
    for move in random_moves(variant, seed):
        found.append(found[-1].play({found[-1].to_act[0]: move}))
    return found


def random_moves(variant: str, seed: int) -> list[Move]:
    rng, position = Random(seed), start_of(variant)  # noqa: S311
    moves: list[Move] = []
    while position.outcome is None and len(moves) < 600:
        side = position.to_act[0]
        moves.append(position.random_turn(side, rng))
        position = position.play({side: moves[-1]})
    return moves


def start_of(variant: str) -> HivePosition:
    return GAME.start(GAME.parse_options({"variant": variant}))


@pytest.mark.parametrize("variant", VARIANTS)
def test_sums_follow_the_moves(variant: str) -> None:
    net, climbed, queens_moved = random_network(), 0, 0
    for seed in range(6):
        state = start_of(variant).copy_state()
        before, after = all_sums(state, net), np.zeros((2, WIDTH), np.int16)
        for turn in random_moves(variant, seed):
            move = int(turn)
            undo = int(make(state, move))
            if move != PASS:
                origin = -1 if move & FROM_HAND else undo & 1023
                update_sums(state, net, LISTED, before, after, slot_in(move), origin)
                climbed += state.under[slot_in(move)] != 255
                queens_moved += slot_in(move) & 15 == 0 and origin >= 0
                for side in range(2):
                    if state.queen[side] != NOWHERE:
                        assert (after[side] == all_sums(state, net)[side]).all()
                before[:] = after
    assert climbed > 5
    assert queens_moved > 5


def with_colours_swapped(state: Any) -> Any:
    """The same position with white's tiles black and black's white."""
    swapped = new_records(STATE)[0]
    start(swapped, int(state.tiles) >> 11, 0, 0)
    slots = [side * 16 + i for side in range(2) for i in range(14) if state.placed[side] >> i & 1]

    def level(slot: int) -> int:
        under = int(state.under[slot])
        return 0 if under == 255 else 1 + level(under)

    for slot in sorted(slots, key=level):
        put_tile(swapped, slot ^ 16, int(state.cell_of[slot]))
        swapped.placed[side_after_swap(slot)] |= 1 << (slot & 15)
    swapped.turn = state.turn + 1
    return swapped


def side_after_swap(slot: int) -> int:
    return 1 - (slot >> 4)


def judged(state: Any, net: Any) -> int:
    work = new_records(WORK)[0]
    return int(judge(state, work, net, all_sums(state, net), LISTED))


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_colours_are_judged_alike(variant: str) -> None:
    values = set()
    for net in (network.load_network()[0], random_network()):
        for position in random_match(variant, 3)[12::9]:
            state = position.copy_state()
            if NOWHERE not in (state.queen[0], state.queen[1]):
                values.add(judged(state, net))
                assert judged(state, net) == judged(with_colours_swapped(state), net)
    assert len(values) > 5


def test_weights_of_another_form_are_refused() -> None:
    weights = {name: np.zeros(NETWORK[name].shape, np.int16) for name in network.LEARNT}
    network.network_of(weights)
    with pytest.raises(ValueError, match="output of int16"):
        network.network_of(weights | {"output": np.zeros((2, 3), np.int16)})
    with pytest.raises(ValueError, match="bias of float64"):
        network.network_of(weights | {"bias": np.zeros(WIDTH)})


def test_no_sum_of_28_tiles_overflows() -> None:
    net = network.load_network()[0]
    most = np.abs(net.rows.astype(np.int64)).max() * 28 + np.abs(net.bias).max()
    assert most < 2**15


def can_win(position: HivePosition) -> bool:
    """Whether the side to move can surround the other queen now."""
    side = position.to_act[0]
    ends = (position.play({side: move}).outcome for move in position.legal_moves(side))
    return any(end is not None and end.winner == side for end in ends)


@pytest.mark.long
def test_the_search_surrounds_a_queen_at_once() -> None:
    """Wherever a move wins, the bot finds one, even if it looks no farther than its own turn."""
    bot, wins = SearchBot(1), 0
    for seed in range(90):
        position = random_match("Base", seed)[-2]
        if can_win(position):
            wins += 1
            side = position.to_act[0]
            outcome = position.play({side: bot.choose(position, side, Budget(depth=1))}).outcome
            assert outcome is not None
            assert outcome.winner == side
            assert bot.value > 20_000
    assert wins > 7


@pytest.mark.long
def test_a_leaf_is_lost_where_the_queen_can_be_surrounded() -> None:
    """So a bot that looks no farther than its own turn lets no win in one, if it can help it."""
    bot, seen = SearchBot(1), 0
    for seed in range(25):
        before = random_match("Base", seed)[-3]
        side = before.to_act[0]
        after = [before.play({side: move}) for move in before.legal_moves(side)]
        loses = [position.outcome is None and can_win(position) for position in after]
        if any(loses) and not all(loses):
            seen += 1
            chosen = before.play({side: bot.choose(before, side, Budget(depth=1))})
            assert chosen.outcome is not None or not can_win(chosen)
    assert seen > 3


@pytest.mark.gpu
def test_a_gpu_judges_as_cores_do() -> None:
    from agon.simulate.cuda import load_cuda

    cuda = load_cuda()
    net = network.load_network()
    states = np.concatenate(
        [
            np.asarray(position.copy_state()).reshape(1)
            for seed in range(8)
            for position in random_match("Base+MLP", seed)[14::7]
            if NOWHERE not in position.copy_state().queen
        ]
    )
    works, found = np.zeros(len(states), WORK), np.zeros(len(states), np.int64)

    @cuda.jit  # type: ignore[untyped-decorator]
    def judge_all(states: Any, works: Any, net: Any, sums: Any, listed: Any, found: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            for side in range(2):
                sum_up(states[i], net[0], side, listed[i], sums[i, side])
            found[i] = judge(states[i], works[i], net[0], sums[i], listed[i])

    sums = np.zeros((len(states), 2, WIDTH), np.int16)
    listed = np.zeros((len(states), 64), np.int16)
    judge_all[len(states) // 32 + 1, 32](states, works, np.asarray(net), sums, listed, found)
    expected = [judged(state, net[0]) for state in states.view(np.recarray)]
    assert found.tolist() == expected
