"""The table of Hive's search, and threads that share one."""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.games.bot import Budget
from agon.games.hive.board import WORK
from agon.games.hive.bots import SearchBot
from agon.games.hive.game import GAME
from agon.games.hive.network import load_network
from agon.games.hive.search import DONE, INFINITE, SEARCH, TABLE, advance, begin
from agon.kernel import new_records

WORK_SPACE = new_records(WORK)[0]


def nodes_with(table: Any, depth: int) -> int:
    """How many positions a search of the start looks at with this table."""
    search = new_records(SEARCH)[0]
    search.net = load_network()[0]
    begin(search, depth, -INFINITE, INFINITE)
    state = GAME.start().copy_state()
    assert advance(state, WORK_SPACE, search, table, 10**6) == DONE
    return int(search.nodes)


def test_an_entry_of_two_halves_is_of_no_position() -> None:
    """Of two searches that write to one place at a time, each may have written a half of it."""
    table = new_records(TABLE, 1 << 12)
    first = nodes_with(table, 3)
    assert nodes_with(table, 3) < first
    table.told[table.told != 0] ^= np.uint64(1 << 20)
    assert nodes_with(table, 3) == first


def test_threads_share_what_they_find() -> None:
    """They see one table, stop together, and choose what is legal."""
    position = GAME.start()
    bot = SearchBot(1)
    for _ in range(8):
        move = bot.choose(position, position.side_to_move, Budget(depth=2, threads=3))
        assert move in position.legal_moves(position.side_to_move)
        position = position.play({position.side_to_move: move})
    helpers = bot._helpers
    assert len(helpers) == 2
    assert all(helper._table is bot._table and helper.nodes > 0 for helper in helpers)
