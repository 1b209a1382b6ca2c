"""Moves as numbers, each with its own; and observations, which are what the position says."""

from __future__ import annotations

from typing import Any

import pytest

import agon
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.learning import LONGEST, PASS_ACTION, action_of, move_of
from agon.games.hive.position import HivePosition
from agon.games.hive.rules import PASS, list_moves
from agon.games.hive.tile import ORIGIN, Kind, Tile
from agon.kernel import as_int, new_records
from agon.learn.policy import TurnByDecisions
from agon.match.transcript import replay
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from tests.games.hive.situation import play


@pytest.mark.parametrize("variant", ["Base", "Base+MLP"])
def test_a_number_for_each_move(variant: str) -> None:
    simulation = GAME.simulation(HiveOptions(variant=variant))
    work = new_records(simulation.work)[0]
    seen = 0
    for turns in (0, 1, 2, 9, 30, 75, 150):
        states, _ = play_batch(simulation, game_seeds(turns, 0, 12), turns)
        for state in states:
            if simulation.is_over(simulation.setup[0], state):
                continue
            side = int(state.turn) & 1
            count = list_moves(state, work, as_int(0), as_int(0))
            moves = [int(move) for move in work.moves[:count]]
            actions = [int(action_of(state, as_int(move), as_int(side))) for move in moves]
            assert len(set(actions)) == count
            assert [int(move_of(state, as_int(one), as_int(side))) for one in actions] == moves
            seen += count
    assert seen > 1000


def test_the_pass_is_the_last_number() -> None:
    state = GAME.start().copy_state()
    assert action_of(state, as_int(PASS), as_int(0)) == PASS_ACTION == 28 * 28 * 7
    assert move_of(state, as_int(PASS_ACTION), as_int(0)) == PASS


# --- observations ---------------------------------------------------------------------------------


def told(position: HivePosition, seat: int) -> dict[str, Any]:
    """What the position says, as an observation has it."""
    sides = (seat, 1 - seat)
    tiles = [Tile(s, kind, n + 1) for s in sides for kind in Kind for n in range(kind.per_side)]
    return {
        "tiles": [told_of_tile(position, tile, origin_for(position, seat)) for tile in tiles],
        "seat": [seat],
        "to_move": [int(position.side_to_move == seat)],
        "turn": [min(position.turn, 127)],
        "queen_first": [int(position.options.queen_first)],
    }


def origin_for(position: HivePosition, seat: int) -> tuple[int, int]:
    """The cell from which a seat counts: its queen's, or the other queen's, or the first one."""
    own, other = (Tile(side, Kind.QUEEN, 1) for side in (seat, 1 - seat))
    return position.places.get(own, position.places.get(other, ORIGIN))


def told_of_tile(position: HivePosition, tile: Tile, origin: tuple[int, int]) -> list[int]:
    last = position.last_move
    moved = int(last is not None and last.tile == tile and last.origin is not None)  # not placed
    cell = position.places.get(tile)
    if cell is None:
        return [int(tile.kind.letter in "QSBGA" + position.options.variant[5:]), 0, 0, 0, 0, moved]
    stack = position.stacks[cell]
    q, r = cell[0] - origin[0], cell[1] - origin[1]
    return [2, r, q + r, stack.index(tile), int(stack[-1] != tile), moved]


def observed(position: HivePosition, seat: int) -> dict[str, Any]:
    learning, found, at = GAME.learning_of(position), {}, 0
    row = TurnByDecisions(learning, position, seat).observe()
    for part in learning.observation:
        found[part.name] = row[at : at + part.size].reshape(part.shape).tolist()
        at += part.size
    return found


@pytest.mark.parametrize(
    ("variant", "queen_first"),
    [("Base", False), ("Base", True), ("Base+M", False), ("Base+LP", True), ("Base+MLP", False)],
)
def test_an_observation_is_what_the_position_says(variant: str, queen_first: bool) -> None:
    options = HiveOptions(variant, queen_first)
    fields: set[tuple[int, int]] = set()
    for seed, bot in ((1, "random"), (2, "random"), (3, "greedy")):
        limits = agon.Limits(turns=90)
        match = agon.play(GAME, [bot, "random"], options=options, seed=seed, limits=limits)
        for _, replayed in replay(match.transcript):
            position = HivePosition.of(replayed)
            for seat in range(2):
                seen = observed(position, seat)
                assert seen == told(position, seat)
                fields |= {(n, tile[n]) for tile in seen["tiles"] for n in (0, 3, 4, 5)}
    kinds = {(0, 1), (0, 2)} if variant == "Base+MLP" else {(0, 0), (0, 1), (0, 2)}
    assert fields >= kinds | {(3, 0), (3, 1), (4, 0), (4, 1), (5, 0), (5, 1)}


#    / \
#   |wQ1|
#  /3\ / \
# [wB1]bB1|
#  \ / \ /
#   |bG1|
#  / \ / \
# |bQ1|bB2|
#  \ / \ /
def test_a_stack_of_three() -> None:
    position = play(
        r"wG1 bG1*/wG1 wQ1*\wG1 bB1*|bG1 wB1|*wG1 bB2*/bG1 wB2|*wQ1 bQ1\*bG1 wB2=*wG1 bB1*|wB2 "
        r"wB1=*wB2"
    )
    for seat in range(2):
        seen = observed(position, seat)
        assert seen == told(position, seat)
        own, other = seen["tiles"][:14], seen["tiles"][14:]
        beetles = (own if seat == 0 else other)[3:5]
        assert [tile[3:] for tile in beetles] == [[2, 0, 1], [1, 1, 0]]
        assert beetles[0][1:3] == beetles[1][1:3] == ([1, 0] if seat == 0 else [-2, -1])


def test_turns_are_counted_as_far_as_the_type_goes() -> None:
    position = GAME.start()
    for turn in (126, 127, 128, 500):
        state = position.copy_state()
        state["turn"] = turn
        later = type(position).of_state(position.options, state, {})
        assert observed(later, 0)["turn"] == [min(turn, LONGEST)]
