"""The line with the legal moves: what it lists can be sent as it is, and nothing is missing."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.errors import ProtocolError
from agon.games.dialogue import Briefing
from agon.games.registry import find_game
from agon.games.skyport import wire
from agon.games.skyport.board import DROID
from tests.games.skyport.situation import begin, change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.dialogue import Dialogue
    from agon.games.game import Game, Position
    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.move import Action


def asked(game: Game, seed: int = 5, **options: str) -> Iterator[tuple[Dialogue, Any, int]]:
    """A random match, one turn of one seat after the other: dialogue, position, seat asked."""
    rng, position = Random(seed), game.start(game.parse_options(options), seed)  # noqa: S311
    talks = [game.dialogue(None) for _ in range(position.seats)]
    for seat, dialogue in enumerate(talks):
        dialogue.open(position, seat, Briefing(names=("ann", "bob", "cid", "dan")[: len(talks)]))
    for _ in range(40):
        for seat in position.to_act:
            if seat not in position.forced:
                talks[seat].ask(position)
                yield talks[seat], position, seat
        if not position.to_act:
            return
        turns = {s: position.random_turn(s, rng) for s in position.to_act} | dict(position.forced)
        after = position.play(turns)
        for dialogue in talks:
            dialogue.tell(position, turns, after)
        position = after


def answer(dialogue: Dialogue, position: Position[Any], seat: int, *lines: str) -> Any:
    """The turn that these lines are, without a warning."""
    texts = [dialogue.read(line) for line in lines]
    assert texts[-1] is not None
    turn = dialogue.parse(position, seat, texts[-1])
    assert dialogue.warnings == ()
    return turn


def test_hive() -> None:
    for dialogue, position, seat in asked(find_game("hive"), variant="Base+MLP"):
        word, *moves = dialogue.legal_line(position, seat).split(" ")
        turns = [answer(dialogue, position, seat, move) for move in moves]
        assert (word, sorted(turns)) == ("legal", sorted(position.legal_moves(seat)))


def test_mebipenny() -> None:
    for dialogue, position, seat in asked(find_game("mebipenny"), seats="3"):
        moves = json.loads(dialogue.legal_line(position, seat))["legal"]
        turns = [answer(dialogue, position, seat, json.dumps(move)) for move in moves]
        assert sorted(turns) == sorted(position.legal_moves(seat))


def test_atlantis_has_the_moves_of_a_segment_together() -> None:
    for dialogue, position, seat in asked(find_game("atlantis")):
        told = json.loads(dialogue.legal_line(position, seat))
        assert told["type"] == "legal"
        turns = [
            answer(dialogue, position, seat, json.dumps({"moves": [move]}))
            for moves in told["moves"]
            for move in moves
        ]
        assert sorted(turns) == sorted((move,) for move in position.moves)
        firsts, lasts = ([moves[end] for moves in told["moves"]] for end in (0, -1))
        for one_of_each in (firsts, lasts):
            answer(dialogue, position, seat, json.dumps({"moves": one_of_each}))


def test_battlebots_has_the_most_that_each_road_can_take() -> None:
    for dialogue, position, seat in asked(find_game("battlebots")):
        word, *words = dialogue.legal_line(position, seat).split(" ")
        orders = [*zip(words[::3], words[1::3], words[2::3], strict=True)]
        assert word == "legal"
        for order in orders:
            (played,) = answer(dialogue, position, seat, "1 marches:", " ".join(order))
            assert played in position.legal_moves(seat)
        roads = {(order.origin, order.target) for order in position.legal_moves(seat)} - {("", "")}
        assert {order[:2] for order in orders} == roads


def test_skyport_lists_after_each_action() -> None:
    dialogue: Any
    rng, droids = Random(3), 0  # noqa: S311
    for dialogue, position, seat in asked(find_game("skyport")):
        if not dialogue.is_ready():
            dialogue.read('{"message": "connect", "revision": 1, "name": "walker"}')
        dialogue.list_moves()
        dialogue.replies()
        line, text, sent = dialogue.legal_line(position, seat), None, 0
        while text is None:
            told = json.loads(line)
            assert told["message"] == "legal"
            text = dialogue.read(json.dumps(rng.choice(told["legal"])))
            sent += 1
            replies = dialogue.replies()
            assert len(replies) == (text is None)
            line = "".join(replies)
        dialogue.parse(position, seat, text)
        assert {*dialogue.warnings} <= {"mine: nothing to mine on a G tile"}
        droids += "droid" in text
    assert droids


def test_skyport_lists_every_action_and_a_walk_to_every_hex() -> None:
    ground = begin("SGRGGG/GEGVGG/GGOGCG/GGGGRG/GVGEGG/GGCGGS", "laser droid, mortar laser")
    position = change(ground, places={0: (3, 1), 1: (1, 2)})
    dialogue = find_game("skyport").dialogue(None)
    dialogue.open(position, 0, Briefing())
    dialogue.ask(position)
    told = json.loads(dialogue.legal_line(position, 0))["legal"]
    listed, legal = [wire.parse_action(message) for message in told], position.legal_moves(0)
    plain = [action for action in legal if action.kind != DROID]
    assert [action for action in listed if action.kind != DROID] == plain

    def ends(actions: Sequence[Action]) -> list[Place | None]:
        shots = [action for action in actions if action.kind == DROID]
        return [position.play({0: (shot,)}).deeds[0].target for shot in shots]

    assert len({*ends(listed)}) == len(ends(listed))
    assert {*ends(listed)} == {*ends(legal)}


@pytest.mark.parametrize(("name", "protocol"), [("hive", "uhp"), ("mebipenny", "http")])
def test_what_has_no_list_says_so(name: str, protocol: str) -> None:
    with pytest.raises(ProtocolError, match="this protocol has no list of legal moves"):
        find_game(name).dialogue(protocol).list_moves()
