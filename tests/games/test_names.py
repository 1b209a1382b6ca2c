"""Players' names on the boards of all games: any text is shown as text."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from agon.games.game import Outcome
from agon.games.players import tidy_name
from agon.games.registry import find_game, game_names
from agon.games.shapes import Label, all_shapes
from agon.games.svg import format_svg

if TYPE_CHECKING:
    from agon.games.game import Position
    from agon.games.scene import Scene

PLAIN = ("starter@1", "search")
HOSTILE = (
    ("<script>alert(1)</script>", "</text></svg><script>"),
    ("W" * 64, "M" * 64),
    ("a-bot-that-has-a-long-name@12", "Ж" * 64),
    ("בוט־ישראלי־ארוך", "روبوت عربي طويل"),
    ("a\u202egnorw\u2066", "\x1b[2J\x00\n\r\t"),
    ("e" + "\u0301" * 60, "漢字" * 32),
    ("", "\U0001202b\ufdfd\u2e3b" * 8),
)
every_game = pytest.mark.parametrize("name", game_names())
every_pair = pytest.mark.parametrize("names", HOSTILE, ids=lambda pair: repr(pair[0][:12]))


@cache
def positions(name: str, turns: int = 24) -> tuple[Position[Any], ...]:
    """The first positions of a match by chance between two."""
    rng = random.Random(7)  # noqa: S311  not a secret
    position = find_game(name).start(seed=7, seats=2)
    found = [position]
    while position.to_act and len(found) <= turns:
        turn = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        position = position.play(turn)
        found.append(position)
    return tuple(found)


def labels(scene: Scene) -> list[Label]:
    return [shape for shape in all_shapes(scene.shapes) if isinstance(shape, Label)]


def headline(scene: Scene) -> str:
    return next(label.text for label in labels(scene) if label.id == "headline")


@every_game
def test_names_stand_on_the_board_beside_the_games_own_words(name: str) -> None:
    game = find_game(name)
    scene = positions(name)[8].scene(None, PLAIN)
    shown = [label.text for label in labels(scene)]
    assert {*PLAIN} <= {*shown}, "each in its row"
    told = positions(name)[8].scene(0, PLAIN).title
    assert re.search(rf"(starter@1|search) \(({game.call_seat(0)}|{game.call_seat(1)})\)", told)
    board = game.terminal_board(positions(name)[8], 80, PLAIN).plain
    assert all(player in board for player in PLAIN)


@every_game
@every_pair
def test_any_name_is_only_text(name: str, names: tuple[str, str]) -> None:
    for seat in (None, 0):
        scene = positions(name)[8].scene(seat, names)
        root = ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture
        assert not [e for e in root.iter() if e.tag.endswith(("script", "foreignObject"))]
        for label in labels(scene):
            assert len(label.text) <= 100
            assert not re.search("[\x00-\x1f\u202a-\u202e]", label.text)
            assert label.text.count("\u2068") >= label.text.count("\u2069")
        for shape in all_shapes(scene.shapes):
            assert len(shape.tip) < 200, "a long name would be sent again with every fort"


@every_game
@every_pair
@pytest.mark.parametrize("width", [24, 80])
def test_any_name_fits_the_terminal(name: str, names: tuple[str, str], width: int) -> None:
    for position in positions(name)[8:12]:
        with_names = find_game(name).terminal_board(position, width, names).plain.splitlines()
        without = find_game(name).terminal_board(position, width).plain.splitlines()
        most = max(width, *map(cell_len, without))
        assert all(cell_len(line) <= most for line in with_names)
        assert all(line.isprintable() for line in with_names)


@every_game
def test_boards_count_turns_as_pages_do(name: str) -> None:
    for played, position in enumerate(positions(name)):
        if position.outcome is not None:
            continue
        counted = re.search("Turn ([0-9]+)", headline(position.scene(None, PLAIN)))
        assert counted is not None
        assert int(counted[1]) == played


@every_game
def test_who_is_dropped_plays_no_turn(name: str) -> None:
    position = positions(name)[8]
    assert position.drop({position.to_act[0]: "crash"}).turn == position.turn


@every_game
def test_a_match_that_was_stopped_waits_for_no_seat(name: str) -> None:
    game, position = find_game(name), positions(name)[8]
    outcome = Outcome((0,) * position.seats, "turn limit")
    stopped = position.stop(outcome)
    assert position.to_act
    assert position.outcome is None
    assert stopped.to_act == ()
    assert not stopped.forced
    assert stopped.outcome == outcome
    assert [list(stopped.legal_moves(seat)) for seat in range(2)] == [[], []]
    for seat in (None, 0, 1):
        scene = stopped.scene(seat, PLAIN)
        assert headline(scene) == "No winner: turn limit"
        assert not [s for s in all_shapes(scene.shapes) if {"active", "turn"} & {*s.role.split()}]
    board = game.terminal_board(stopped, 80, PLAIN).plain
    assert "No winner: turn limit" in board
    assert not [line for line in board.splitlines() if line.startswith("> ")]
    told = stopped.observe(None)
    assert told["outcome"] == {"scores": [0, 0], "reason": "turn limit"}
    assert not told.get("legal_moves")


@every_game
def test_the_winner_is_told_by_name_and_colour(name: str) -> None:
    position = positions(name)[8]
    ended = position.stop(Outcome((0, 1), "by chance"))
    told = f"search ({find_game(name).call_seat(1)}) won: by chance"
    assert headline(ended.scene(None, PLAIN)) == told
    assert told in find_game(name).terminal_board(ended, 80, PLAIN).plain


@every_game
def test_names_say_nothing_that_is_hidden(name: str) -> None:
    """What a seat's picture has more with names is the names."""
    position = positions(name)[8]
    other = ("starter@1", "x" * 6)
    for seat in (0, 1):
        one, two = position.scene(seat, PLAIN), position.scene(seat, other)
        changed = str(one.shapes).replace("search", "xxxxxx")
        assert re.sub("size=[0-9.]+", "", changed) == re.sub("size=[0-9.]+", "", str(two.shapes))


@every_game
def test_emblems_are_of_the_games_look(name: str) -> None:
    game = find_game(name)
    glyphs = {glyph.name for glyph in game.start().scene(None).look.glyphs}
    found = [game.emblem(seat) for seat in range(game.seats[-1])]
    assert len({str(emblem) for emblem in found}) == len(found), "no two look the same"
    used = {getattr(shape, "glyph", None) for emblem in found for shape in emblem}
    assert used - {None} <= glyphs
    titles = [game.call_seat(seat) for seat in range(game.seats[-1])]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize(
    ("name", "tidy"),
    [
        ("  two\n words ", "two words"),
        ("\u202eevil\u2069", "evil"),
        ("a\u0301\u0302\u0303\u0304b", "á\u0302\u0303b"),
        ("\ufdfd\U0001202b!", "\ufffd\ufffd!"),
        ("x" * 1000, "x" * 64),
        ("\x00\x1b", ""),
        ("ada@3", "ada@3"),
    ],
)
def test_names_become_tidy(name: str, tidy: str) -> None:
    assert tidy_name(name) == tidy
