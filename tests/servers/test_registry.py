"""The games' own servers are found by their games, and fit what a website expects of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.live_matches import LiveMatches
from agon.datastore.store import Store
from agon.games.registry import all_games, find_game
from agon.servers.game_server import ServerContext
from agon.servers.open_connections import count_connections
from agon.servers.practice_bots import Fill
from agon.servers.registry import SERVERS, check_fill

if TYPE_CHECKING:
    from pathlib import Path


def test_every_game_with_a_network_protocol_has_a_server() -> None:
    assert {*SERVERS} == {game.name for game in all_games() if game.network_protocol}


@pytest.mark.parametrize("game", SERVERS)
def test_a_server_is_what_its_entry_says(game: str, tmp_path: Path) -> None:
    entry = SERVERS[game]
    with Store.open(tmp_path / "agon.db") as store:
        context = ServerContext(
            store, LiveMatches(), lambda match, begin, end: 1, count_connections(), "127.0.0.1"
        )
        server = entry.make(context, 0)
    assert server.game is find_game(game)
    assert (server.app is not None) == bool(entry.path)
    assert (server.port, [*server.under_way]) == (0, [])


def test_a_fill_is_a_bot_of_every_game_with_a_server() -> None:
    for bot in ("random", "greedy", "search"):
        check_fill(Fill(bot))
