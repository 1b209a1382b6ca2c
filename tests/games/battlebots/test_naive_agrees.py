"""The compiled rules and the naive ones, side by side, through 500 random games.

Generated maps of both kinds and crowded ones, 2 to 8 players, faults, both ways to end at the
limit. After every turn both sides must agree on forts, marches, who is in, the scores, and on what
a player is told. A failure names the game by its number and shows the map.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.move import Order
from tests.games.battlebots.naive import NaiveBattlebots
from tests.games.battlebots.odd_maps import odd_map

if TYPE_CHECKING:
    from agon.games.battlebots.field import Battlefield
    from agon.games.battlebots.position import BattlebotsPosition

GAMES = 500
SHARES = 10


def naive_twin(field: Battlefield, options: BattlebotsOptions) -> NaiveBattlebots:
    return NaiveBattlebots(
        {fort.name: fort[1:] for fort in field.forts},
        field.roads,
        field.marches,
        options.turn_limit,
        options.at_limit == "most-soldiers",
    )


def plan(number: int, rng: Random) -> BattlebotsPosition:
    """Where the game of that number begins."""
    options = BattlebotsOptions(
        seats=rng.choice((2, 2, 3, 4, 5, 6, 8)),
        map=rng.choice(("fair", "random")),
        turn_limit=rng.choice((5, 20, 60)),
        at_limit=rng.choice(("draw", "most-soldiers")),
        sight=rng.choice(("all-roads", "own-roads")),
        origin=rng.choice(("home", "absolute")),
        field=format_map(odd_map(rng, rng.randint(2, 8))) if number % 7 else "",
    )
    return GAME.start(options, seed=number)


def compare(position: BattlebotsPosition, naive: NaiveBattlebots, game: str) -> None:
    """Everything that can be seen of the position is the same."""
    field = position.field
    assert {fort.name: fort.owner for fort in field.forts} == naive.owner, game
    assert {fort.name: fort.soldiers for fort in field.forts} == naive.garrison, game
    assert len(field.marches) == len(naive.armies), game
    assert set(field.marches) == naive.march_list(), game
    assert (position.outcome is not None) == naive.is_over(), game
    if position.outcome is not None:
        assert list(position.outcome.scores) == naive.scores(), game
    else:
        assert [position.players[seat] for seat in position.to_act] == naive.still_in(), game


def compare_message(
    position: BattlebotsPosition, naive: NaiveBattlebots, seat: int, game: str
) -> None:
    options = position.options
    told = naive.message(
        position.players[seat], options.sight == "own-roads", options.origin == "absolute"
    )
    assert position.message(seat) == told, game


def play_side_by_side(number: int) -> int:
    """Play a game to its end, comparing all the way. Returns the turns."""
    rng = Random(f"battlebots {number}")  # noqa: S311
    position = plan(number, rng)
    naive = naive_twin(position.field, position.options)
    game = f"game {number}\n{format_map(position.field)}"
    faults = rng.choice((0, 0, 0.02))
    turns = 0
    compare(position, naive, game)
    while position.to_act and turns < 30:
        if rng.random() < faults:
            seat = rng.choice(position.to_act)
            position = position.drop({seat: "crash"})
            naive.fail(position.players[seat])
            compare(position, naive, game)
            continue
        compare_message(position, naive, rng.randrange(position.seats), game)
        orders = {name: naive.random_orders(name, rng) for name in naive.still_in()}
        seats = {position.players.index(name): sent for name, sent in orders.items()}
        position = position.play(
            {seat: tuple(Order(*order) for order in sent) for seat, sent in seats.items()}
        )
        naive.play(orders)
        compare(position, naive, game)
        turns += 1
    return turns


@pytest.mark.long
@pytest.mark.parametrize("share", range(SHARES))
def test_random_games_agree(share: int) -> None:
    turns = [play_side_by_side(number) for number in range(share, GAMES, SHARES)]
    assert sum(turns) > 5 * len(turns)
