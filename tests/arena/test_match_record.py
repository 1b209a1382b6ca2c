"""What is stored of a match: everything that the record says, and clients apart from bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.limits import Limits
from agon.arena.match_record import CLIENT_SUFFIX, store_network_match
from agon.datastore.results import ResultFilter
from agon.datastore.store import Store
from agon.match.transcript import Fault, parse_transcript, verify
from tests.arbiter.script_seat import ScriptSeat
from tests.toy_game import GAME, ToyOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.match.result import MatchResult


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        yield opened


def play(*names: str) -> MatchResult:
    """A match in which the second player has no turn to give."""
    first = GAME.start(ToyOptions(seats=2), 3)
    card = first.format_turn(0, first.legal_moves(0)[0])
    seats = [ScriptSeat(names[0], [card]), ScriptSeat(names[1], [])]
    return Arbiter(GAME, ToyOptions(seats=2), seats, Limits()).play(3)


def test_a_match_of_network_clients_is_stored_whole(store: Store) -> None:
    match = play("ann", "bob")
    stored = store.matches.get(store_network_match(store, match, 100, 900))
    assert (stored.game, stored.seed, stored.turns) == (GAME.name, 3, match.turns)
    assert (stored.started_ns, stored.ended_ns) == (100, 900)
    assert [seat.bot for seat in stored.seats] == [f"ann{CLIENT_SUFFIX}", f"bob{CLIENT_SUFFIX}"]
    assert [seat.score for seat in stored.seats] == list(match.outcome.scores)
    assert [seat.fault for seat in stored.seats] == [None, Fault.CRASH]
    text = store.matches.transcript(stored.id).decode()
    assert verify(parse_transcript(text, [GAME])) == match.outcome


def test_network_clients_count_for_no_table(store: Store) -> None:
    store_network_match(store, play("ann", "bob"), 100, 900)
    assert store.results.count(ResultFilter(GAME.name)) == 0


def test_a_client_who_comes_again_is_the_same(store: Store) -> None:
    ids = [store_network_match(store, play("ann", name), 1, 2) for name in ("bob", "cid")]
    first, second = (store.matches.get(one).seats[0] for one in ids)
    assert first.version_id == second.version_id


def test_a_long_name_is_cut_and_an_empty_one_replaced(store: Store) -> None:
    stored = store.matches.get(store_network_match(store, play("x" * 500, ""), 1, 2))
    assert [seat.bot[-9:] for seat in stored.seats] == [f"x{CLIENT_SUFFIX}", f"1{CLIENT_SUFFIX}"]
