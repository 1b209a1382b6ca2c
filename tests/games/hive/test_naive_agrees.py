"""The compiled rules and the naive ones, side by side, through random games.

Every variant class (no expansion, one, two, three) plays 75 games; the slow tier plays longer ones.
After every ply both sides must agree on the legal moves, the stacks, the hands, the result, and on
which positions are the same for R14. A failure names the game in UHP notation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.hive.game import VARIANTS, HiveOptions
from agon.games.hive.match_text import format_match, parse_match
from agon.games.hive.move import PASS, Move
from agon.games.hive.position import HivePosition
from agon.games.hive.tile import SIDE_LETTERS
from tests.games.hive.test_perft import MID_GAMES, naive_twin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.games.hive.naive import NaiveHive, NaiveMove, PositionKey

NO_REPETITION = HiveOptions(repetition=False)
RESULTS: dict[tuple[int, ...], str] = {(2, 0): "white", (0, 2): "black", (1, 1): "draw"}
GAMES = {1: 75, 3: 25}  # per variant, by how many variants its class has
CLASS_SIZE = {0: 1, 1: 3, 2: 3, 3: 1}  # by number of expansions


@dataclass
class Plan:
    """One random game: where it begins, how long it lasts, and how fond of walking it is."""

    positions: list[HivePosition]
    plies: int
    walks: float  # chance that a walk or throw is chosen before any placement is considered
    rng: Random


@dataclass
class SameKeys:
    """R14: two positions have one key in the rules if and only if they have one in the referee."""

    naive_by_key: dict[int, PositionKey] = field(default_factory=dict)
    key_by_naive: dict[PositionKey, int] = field(default_factory=dict)

    def check(self, key: int, naive_key: PositionKey) -> bool:
        known = self.naive_by_key.setdefault(key, naive_key)
        return known == naive_key and self.key_by_naive.setdefault(naive_key, key) == key


def seeded(seed: str) -> Random:
    return Random(seed)  # noqa: S311 - chance, not secrets


def plan_games(variant: str) -> Iterator[Plan]:
    """Endless plans: two games of three from the start, some of them long; else from mid-game."""
    middles = [m.game for m in MID_GAMES if m.game.startswith(variant + ";")]
    number = 0
    while True:
        rng = seeded(f"{variant} {number}")
        if number % 3 < 2:
            start = [HivePosition.start(HiveOptions(variant, repetition=False))]
            plies = 200 if number % 15 == 0 else rng.randint(12, 60)
            yield Plan(start, plies, rng.choice([0, 0.5, 0.9]), rng)
        else:
            middle = parse_match(rng.choice(middles), NO_REPETITION)
            yield Plan(middle, rng.randint(5, 12), 0.5, rng)
        number += 1


def choose(position: HivePosition, plan: Plan) -> Move:
    walks = [move for move in position.moves if not move >> 15]
    if walks and plan.rng.random() < plan.walks:
        return plan.rng.choice(walks)
    return plan.rng.choice(position.moves)


def as_naive(position: HivePosition, move: Move) -> NaiveMove:
    return None if move == PASS else (str(position.tile_of(move)), position.target_of(move))


def compare(positions: list[HivePosition], naive: NaiveHive, keys: SameKeys) -> None:
    """Everything that can be seen of the last position is the same."""
    position = positions[-1]
    moves = [as_naive(position, move) for move in position.moves]
    expected = naive.legal_moves()
    assert set(moves) == expected, f"{format_match(positions)}: {set(moves) ^ expected}"
    assert len(moves) == len(expected), f"{format_match(positions)}: a move is listed twice"
    stacks = {cell: [str(tile) for tile in stack] for cell, stack in position.stacks.items()}
    assert stacks == naive.stacks, format_match(positions)
    for letter, hand in zip(SIDE_LETTERS, position.hands, strict=True):
        held = {kind: count for kind, count in naive.hands[letter].items() if count}
        assert {kind.letter: count for kind, count in hand.items()} == held, format_match(positions)
    result = RESULTS[position.outcome.scores] if position.outcome else None
    assert result == naive.result(), format_match(positions)
    assert keys.check(position.keys[-1], naive.position_key()), f"{format_match(positions)}: R14"


def play_side_by_side(plan: Plan, keys: SameKeys) -> int:
    """Play the game to its end or its last ply, comparing all the way. Returns the plies."""
    positions = list(plan.positions)
    naive = naive_twin(positions)
    compare(positions, naive, keys)
    for ply in range(plan.plies):
        position = positions[-1]
        if position.outcome:
            return ply
        move = choose(position, plan)
        naive.play_unchecked(as_naive(position, move))
        positions.append(position.play_move(move))
        compare(positions, naive, keys)
    return plan.plies


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_agree(variant: str) -> None:
    expansions = len(variant.partition("+")[2])
    keys = SameKeys()
    games = GAMES[CLASS_SIZE[expansions]]
    plies = sum(play_side_by_side(plan, keys) for plan in islice(plan_games(variant), games))
    assert plies > 15 * games
    assert len(keys.naive_by_key) < plies  # some positions did occur again


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_long_random_games_agree(variant: str) -> None:
    """Further games, all of them to the end or for 250 plies."""
    keys = SameKeys()
    plies = 0
    for number in range(40):
        rng = seeded(f"long {variant} {number}")
        start = [HivePosition.start(HiveOptions(variant, repetition=False))]
        plies += play_side_by_side(Plan(start, 250, rng.choice([0.2, 0.6]), rng), keys)
    assert plies > 40 * 20
