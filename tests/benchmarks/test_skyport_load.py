"""The load on a server of Skyport, small: real processes, real figures."""

from __future__ import annotations

import asyncio
import io
import time
from dataclasses import asdict
from typing import Any

import pytest
from rich.console import Console

from benchmarks.skyport_clients import Client, Tally, encode, two_moves
from benchmarks.skyport_load import Idleness, Load, measure_idle, measure_load
from benchmarks.skyport_report import load_json, print_load

TALLY = Tally(turns=500, lost=2, late=1, slowest_ns=30_000_000)
LOAD = Load(100, 200_000_000, TALLY, 2_000_000_000)
STATE: dict[str, Any] = {
    "message": "gamestate",
    "turn": 1,
    "map": {"data": [list("SO"), list("OS")]},
    "players": [{"name": "ann", "position": "0, 0"}, {"name": "bob", "position": "1, 1"}],
}
IDLENESS = Idleness(1000, 100 << 10, 104 << 10, 100 << 10, 108 << 10)


@pytest.mark.slow
def test_a_few_matches_lose_no_turn() -> None:
    load = measure_load(time.monotonic_ns, matches=3, turns=4, think_ns=60 * 10**9)
    assert asdict(load.tally) | {"slowest_ns": 0} == asdict(Tally(turns=24))
    assert load.tally.slowest_ns > 0
    assert load.turns_per_second > 0


@pytest.mark.slow
def test_idle_connections_cost_little() -> None:
    found = measure_idle(connections=20)
    assert 0 < found.before_unnamed_kib <= found.with_unnamed_kib
    assert found.unnamed_cost_kib < found.at_most_kib
    assert found.named_cost_kib < found.at_most_kib


def test_clients_walk_over_free_hexes_only() -> None:
    state = {
        "map": {"data": [list("SVG"), list("GGO"), list("GGS")]},
        "players": [{"position": "0, 0"}, {"position": "1, 1"}],
    }
    assert [move["direction"] for move in two_moves(state)] == ["left-down", "down"]
    state["players"] = [{"position": "0, 2"}, {"position": "1, 1"}]
    assert two_moves(state) == []


class Mute:
    """A transport that sends nothing."""

    def write(self, data: bytes) -> None:
        pass


def test_a_turn_is_lost_if_an_action_of_it_was_not_carried_out() -> None:
    async def told(*messages: dict[str, Any]) -> Tally:
        tally = Tally()
        client = Client("ann", 10**9, tally)
        client.connection_made(Mute())
        client.data_received(encode([STATE, *messages, STATE]))
        tally.slowest_ns = 0
        return tally

    done = {"message": "action", "type": "pass", "from": "ann"}
    end = {"message": "endturn"}
    assert asyncio.run(told(end, done)) == Tally(turns=1)
    assert asyncio.run(told(end)) == Tally(turns=1, lost=1)
    assert asyncio.run(told(end, done | {"from": "bob"})) == Tally(turns=1, lost=1)


def test_figures_for_people_and_for_programs() -> None:
    written = io.StringIO()
    print_load(Console(file=written, width=200), LOAD, IDLENESS)
    told = written.getvalue()
    assert "500 turns in 2.00 s, 250/s" in told
    assert "turns lost though answered in time: 2, wanted: 0" in told
    assert "without a handshake: 4.0 MiB, wanted: less than 200 MiB; all in all 104 MiB" in told
    data = load_json(LOAD, IDLENESS)
    assert isinstance(data, dict)
    assert (data["lost"], data["turns_per_second"]) == (2, 250)
