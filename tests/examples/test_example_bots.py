"""The bots of examples/bots keep the board and find the moves themselves: as the rules have it."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.dialogue import Briefing
from agon.games.mebipenny.protocol import seat_players
from agon.games.mebipenny.wire import format_delta, format_game, parse_new_move
from agon.games.registry import find_game
from tests.examples.playing import EXAMPLES, load_example, meet, unknown_warnings
from tests.examples.test_starters import MATCHES, STARTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

TURNS = 70


def moments(name: str, given: dict[str, str]) -> Iterator[tuple[Any, dict[int, Any]]]:
    """The positions of a random match, and the turns that are played in them."""
    game, rng = find_game(name), Random(len(given))  # noqa: S311
    position: Any = game.start(game.parse_options(given), 2)
    for _ in range(TURNS):
        if not position.to_act:
            return
        turns = {s: position.random_turn(s, rng) for s in position.to_act} | dict(position.forced)
        yield position, turns
        position = position.play(turns)


def test_every_game_has_one() -> None:
    assert {folder.name for folder in EXAMPLES.iterdir()} == {*STARTERS}


@pytest.mark.parametrize("name", STARTERS)
def test_it_plays_without_a_fault(name: str) -> None:
    for given in MATCHES[name]:
        match = meet(find_game(name), EXAMPLES / name, given)
        assert match.faults == (None,) * len(match.faults), match.transcript.events[-1]
        assert not unknown_warnings(match)


@pytest.mark.parametrize(
    ("variant", "queen_first"),
    [("Base", "on"), ("Base+M", "off"), ("Base+L", "on"), ("Base+P", "off"), ("Base+MLP", "on")],
)
def test_hive(variant: str, queen_first: str) -> None:
    given = {"variant": variant, "queen_first": queen_first}
    hive = load_example("hive/crowder.py").Hive(given)
    for position, turns in moments("hive", given):
        ((seat, move),) = turns.items()
        texts = [hive.write(move) for move in hive.legal_moves()] or ["pass"]
        found = [position.parse_turn(seat, text) for text in texts]
        assert sorted(found) == sorted(position.legal_moves(seat))
        hive.play(hive.read(position.format_turn(seat, move)))


@pytest.mark.parametrize("given", MATCHES["atlantis"], ids=["triangle", "odd", "idle"])
def test_atlantis(given: dict[str, str]) -> None:
    bot, island = load_example("atlantis/atlantis_bot.py"), None
    for position, turns in moments("atlantis", given):
        if island is None:
            (first,) = find_game("atlantis").dialogue(None).open(position, 0, Briefing())
            island = bot.Island(json.loads(first))
        for seat in range(position.seats):
            stacks = {
                bot.format_place(place): (1, -1, 0)[field.kind] * field.stones
                for place, field in island.fields.items()
                if field.owner == seat
            }
            assert stacks == position.stacks(seat)
        ((seat, turn),) = turns.items()
        if seat not in position.forced:
            moves = [move for some in island.legal_moves().values() for move in some]
            texts = {"-".join(map(bot.format_place, move)) for move in moves}
            assert texts == {position.format_turn(seat, (move,)) for move in position.moves}
        text = position.format_turn(seat, turn)
        pairs = [] if text == "pass" else [move.split("-") for move in text.split(" ")]
        island.play([tuple(map(bot.parse_place, pair)) for pair in pairs])


@pytest.mark.parametrize("given", MATCHES["mebipenny"], ids=["usual", "four"])
def test_mebipenny(given: dict[str, str]) -> None:
    bot, board, before = load_example("mebipenny/mebipenny_bot.py"), None, None
    for position, _ in moments("mebipenny", given):
        players = seat_players(position.seats)
        if board is None or before is None:
            board = bot.Board(json.loads(json.dumps(format_game(position, players, 0))))
        else:
            board.update(json.loads(json.dumps(format_delta(before, position, players, 0))))
        before = position
        owners = {tile: None if o is None else f"p{o}" for tile, o in position.claims()}
        assert (board.owners, board.hand) == (owners, [*position.hands[0]])
        assert board.scores == {f"p{s}": n for s, n in enumerate(position.scores)}
        if position.next_seat == 0:
            texts = [json.loads(bot.format_move(move)) for move in [*board.legal_moves(), None]]
            read = [parse_new_move(position, text, players) for text in texts]
            assert sorted(read) == sorted(position.moves)
