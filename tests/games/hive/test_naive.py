"""The referee itself is checked: perft from the published tables, then rules no opening shows."""

from __future__ import annotations

import pytest

from tests.games.hive.naive import Cell, NaiveHive

# Nodes at depths 1, 2, ...; Mzinga's published tables, as in games/hive.md.
PERFT = {
    "": (4, 96, 1440, 21600),
    "M": (5, 150, 2610),
    "L": (5, 150, 2610),
    "P": (5, 150, 2610),
    "ML": (6, 216, 4320),
    "MP": (6, 216, 4320),
    "LP": (6, 216, 4320),
    "MLP": (7, 294, 6678),
}


def perft(game: NaiveHive, depth: int) -> int:
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        child = game.copy()
        child.play_unchecked(move)
        nodes += perft(child, depth - 1)
    return nodes


@pytest.mark.parametrize("expansions", PERFT)
def test_perft(expansions: str) -> None:
    for depth, nodes in enumerate(PERFT[expansions], start=1):
        assert perft(NaiveHive(expansions), depth) == nodes, f"depth {depth}"


@pytest.mark.slow
def test_perft_counts_throws() -> None:
    """R10: throws show at depth 5 first."""
    assert perft(NaiveHive("P"), 5) == 1255932


def setup(stacks: dict[Cell, str], side: str = "w", stunned: str | None = None) -> NaiveHive:
    """A mid-game position; a stack is written bottom to top, "wQ1 bB1"."""
    game = NaiveHive("MLP")
    game.stacks = {cell: tiles.split() for cell, tiles in stacks.items()}
    for stack in game.stacks.values():
        for tile in stack:
            game.hands[tile[0]][tile[1]] -= 1
    game.plies = 20 if side == "w" else 21
    game.side = side
    game.stunned = stunned
    return game


def targets(game: NaiveHive, tile: str) -> set[Cell]:
    return {move[1] for move in game.legal_moves() if move is not None and move[0] == tile}


def test_queen_by_the_fourth_turn() -> None:
    """R2, with `queen_first` off and on."""
    game = NaiveHive()
    for _ in range(6):
        game.play(min(m for m in game.legal_moves() if m is not None and m[0][1] != "Q"))
    assert {move[0] for move in game.legal_moves() if move is not None} == {"wQ1"}
    assert ("wQ1", (0, 0)) not in NaiveHive().legal_moves()
    assert ("wQ1", (0, 0)) in NaiveHive(queen_first=True).legal_moves()


def test_climbing_gate_looks_at_heights() -> None:
    """R5: both side stacks higher than origin and target block; one does not."""
    walls = {(1, -1): "bA1 bB1", (0, 1): "bA2 bB2", (2, 0): "bQ1"}
    assert (1, 0) not in targets(setup({(0, 0): "wB1", (1, 0): "wQ1", **walls}), "wB1")
    walls[(0, 1)] = "bA2"
    assert (1, 0) in targets(setup({(0, 0): "wB1", (1, 0): "wQ1", **walls}), "wB1")


def test_spider_counts_paths_not_distance() -> None:
    """R6: in a closed room of four cells three slides end one step away."""
    ring = [(0, -1), (1, -1), (2, -1), (2, 0), (2, 1), (1, 2), (0, 2), (-1, 2), (-1, 1), (-1, 0)]
    tiles = ["wQ1", "wA1", "wA2", "wA3", "bQ1", "bA1", "bA2", "bA3", "bG1", "bG2"]
    game = setup({(0, 0): "wS1", **dict(zip(ring, tiles, strict=True))})
    assert targets(game, "wS1") == {(1, 0), (0, 1)}


def test_who_enters_a_hole() -> None:
    """R6, R7: the grasshopper and the beetle do, the ant does not."""
    hole = {(0, -1): "wQ1", (1, -1): "bG1", (1, 0): "bG2 wB1", (0, 1): "bQ1", (-1, 1): "bG3"}
    game = setup({**hole, (-1, 0): "bS1", (2, 0): "wG1", (2, -1): "wA1"})
    assert (0, 0) in targets(game, "wG1")
    assert (0, 0) in targets(game, "wB1")
    assert (0, 0) not in targets(game, "wA1")


def test_mosquito() -> None:
    """R8: nothing beside a mosquito only; a beetle and no thrower on top."""
    line = {(0, 0): "wQ1", (1, 0): "bM1", (2, 0): "wM1", (0, 1): "bQ1"}
    assert targets(setup(line), "wM1") == set()
    hive = {(0, 0): "wP1", (-1, 0): "wQ1", (2, 0): "bQ1", (2, -1): "bA1"}
    on_top = setup({**hive, (1, 0): "bS1 wM1"}, stunned="wP1")
    assert targets(on_top, "wM1") == {(1, -1), (2, -1), (2, 0), (1, 1), (0, 1), (0, 0)}
    assert targets(on_top, "bA1") == set()
    beside_a_stunned_pillbug = setup({**hive, (1, 0): "wM1"}, stunned="wP1")
    assert targets(beside_a_stunned_pillbug, "bA1") == {(1, -1), (1, 1), (0, 1)}


def test_ladybug() -> None:
    """R9: two on top, one down, from the end of a line of three."""
    game = setup({(0, 0): "wL1", (1, 0): "wQ1", (2, 0): "bQ1"})
    assert targets(game, "wL1") == {(2, -1), (3, -1), (3, 0), (2, 1), (1, 1)}


def test_pillbug_throws() -> None:
    """R10: also while pinned; not when stunned, and no stunned, stacked or pinned tile."""
    hive = {(0, 0): "wP1", (-1, 0): "wQ1", (1, 0): "bQ1", (1, -1): "bA1"}
    free = {(0, -1), (0, 1), (-1, 1)}
    assert targets(setup(hive), "wP1") == set()
    assert targets(setup(hive), "wQ1") == free  # two of them by walking as well
    assert targets(setup(hive), "bA1") == free
    assert targets(setup(hive, stunned="bA1"), "bA1") == set()
    assert targets(setup(hive, stunned="wP1"), "bA1") == set()
    assert targets(setup({**hive, (1, -1): "bA1 bB1"}), "bB1") == set()
    assert targets(setup({**hive, (2, 0): "bA2"}), "bQ1") == set()


def test_throws_obey_the_climbing_gate() -> None:
    """R5, R10: neither in nor out between two stacks higher than the pillbug."""
    hive = {(0, 0): "wP1", (-1, 0): "wQ1", (1, -1): "bA1 bB1", (0, 1): "bQ1 bB2"}
    assert targets(setup(hive), "wQ1") == {(0, -1), (-1, 1)}
    assert targets(setup({**hive, (1, 0): "bS1"}), "bS1") == set()
    assert targets(setup({**hive, (1, 0): "bS1", (0, 1): "bQ1"}), "bS1") == {(0, -1), (-1, 1)}


def test_pass() -> None:
    """R11: only when nothing else is legal; a ply of its own; it clears the stun."""
    hive = {(0, 0): "wQ1", (1, 0): "bQ1", (2, 0): "wA1"}
    with pytest.raises(ValueError, match="not a legal move"):
        setup(hive, side="w").play(None)
    game = setup(hive, side="b", stunned="wA1")  # pinned, and every cell beside it touches white
    assert game.legal_moves() == {None}
    game.play(None)
    assert (game.side, game.stunned, game.plies) == ("w", None, 22)


def test_both_queens_surrounded_at_once() -> None:
    """R12: a draw, and no move after it."""
    ring = [(0, -1), (2, -1), (2, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
    tiles = ["bA1", "bA2", "bA3", "bG1", "bG2", "bG3", "bS1"]
    stacks = {(0, 0): "wQ1", (1, 0): "bQ1", (1, -2): "wA1"}
    game = setup({**stacks, **dict(zip(ring, tiles, strict=True))})
    assert game.result() is None
    game.play(("wA1", (1, -1)))
    assert game.result() == "draw"
    assert game.legal_moves() == set()


def test_position_key() -> None:
    """Tiles of a kind are interchangeable; the stunned cell tells positions apart."""
    one = setup({(0, 0): "wQ1", (1, 0): "wG1", (2, 0): "wG2", (0, 1): "bQ1"}, stunned="wG1")
    two = setup({(0, 0): "wQ1", (1, 0): "wG2", (2, 0): "wG1", (0, 1): "bQ1"}, stunned="wG2")
    assert one.position_key() == two.position_key()
    two.stunned = "wG1"
    assert one.position_key() != two.position_key()
    two.stunned, two.side = "wG2", "b"
    assert one.position_key() != two.position_key()


def test_only_games_with_a_pillbug_stun() -> None:
    """R10: a walk stuns; a placement, or any move without P in the game, does not."""
    opening = [("wS1", (0, 0)), ("bS1", (1, 0)), ("wQ1", (-1, 0)), ("bQ1", (2, 0))]
    for expansions, stunned in [("P", "wQ1"), ("ML", None)]:
        game = NaiveHive(expansions)
        for move in opening:
            game.play(move)
            assert game.stunned is None
        game.play(("wQ1", (-1, 1)))
        assert game.stunned == stunned
