"""A player's `color` of a document: on the board, in the terminal and in words; told apart."""

from __future__ import annotations

import json
import pickle
import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import SettingError
from agon.games.atlantis.colours import APART, SVG_COLOURS, distance, read_colour
from agon.games.atlantis.game import GAME
from agon.games.atlantis.look import LOOK, PLAYER_THEMES, choose_themes, find_look, look_for
from agon.games.atlantis.position import AtlantisPosition
from agon.games.atlantis.terminal import board_text, format_board
from agon.games.shapes import Theme
from agon.games.svg import format_svg
from agon.match.transcript import format_transcript, parse_transcript, played_positions
from tests.games.atlantis.first_site import HEAD, PLAYERS

said_colours = st.lists(
    st.sampled_from(["", "nonsense", "#123", "#fe0000", *SVG_COLOURS]), min_size=2, max_size=6
).map(tuple)


def document(*colours: object) -> str:
    """The seed's board, with a turn of each player and these colours."""
    players = [{**player, "color": colour} for player, colour in zip(PLAYERS, colours, strict=True)]
    turns = [{"type": "turn", "moves": moves} for moves in ([["a1", "b2"]], [["d4", "c4"]])]
    return json.dumps(HEAD | {"players": players, "events": turns})


def positions(*colours: object) -> list[AtlantisPosition]:
    read = played_positions(parse_transcript(document(*colours)))
    return [AtlantisPosition.of(position) for position in read]


def test_the_names_are_those_of_svg() -> None:
    assert len(SVG_COLOURS) == 147
    assert [read_colour(text) for text in (" DarkSlateGrey ", "#F80", "#aBcDeF")] == [
        "#2f4f4f",
        "#ff8800",
        "#abcdef",
    ]
    assert [read_colour(text) for text in ("reddish", "#12345", "", 5, None)] == [None] * 5


def test_the_colour_is_on_the_board_in_light_and_dark() -> None:
    for position in positions("teal", "Orange"):
        scene = position.scene(None, ["John", "Mary"])
        for theme in (Theme.LIGHT, Theme.DARK):
            picture = format_svg(scene, theme)
            inks = dict(re.findall(r" \.(\w+){color:(#\w+)}", picture))
            assert (inks["red"], inks["blue"]) == ("#008080", "#ffa500")  # roles are the seats'
            assert PLAYER_THEMES[0].light not in picture
        assert 'class="stack red"' in picture


def test_the_colour_is_in_words() -> None:
    start, _, last = positions("teal", "Orange")
    assert start.scene(None, ["John", "Mary"]).title == "Atlantis: Turn 0: John (Teal) to move"
    tips = [shape.tip for shape in _parts(last.scene(None)) if "open," in shape.tip]
    assert any(", Orange " in tip for tip in tips)
    assert [GAME.call_seat(seat, last) for seat in (0, 1)] == ["Teal", "Orange"]
    assert GAME.call_seat(0) == "Red"


def _parts(scene: Any) -> list[Any]:
    (island,) = [shape for shape in scene.shapes if shape.id == "island"]
    return list(island.parts)


def test_the_colour_and_its_letter_are_in_the_terminal() -> None:
    last = positions("teal", "tan")[-1]
    text = format_board(last, names=["John", "Mary"])
    assert re.search(r"^> t  John ", text, re.MULTILINE)
    assert re.search(r"^  a  Mary ", text, re.MULTILINE)  # t is taken
    assert "Mary (Tan) played: d4-c4" in text
    styles = {str(span.style) for span in board_text(last).spans}
    assert {"bold #ffffff on #008080", "bold #17150f on #d2b48c"} <= styles


def test_shapes_stay_with_the_seats() -> None:
    themes = choose_themes(("teal", "orange"))
    assert [theme.outline for theme in themes] == [theme.outline for theme in PLAYER_THEMES[:2]]
    assert [theme.role for theme in themes] == ["red", "blue"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (("red", "red"), ("Red", "Firebrick")),
        (("crimson", "#dd143d"), ("Crimson", "Brown")),
        (("blue", ""), ("Blue", "Darkslateblue")),
        (("", "#b3211c"), ("Maroon", "Firebrick")),
    ],
)
def test_colours_that_cannot_be_told_apart_are_moved(
    said: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    themes = choose_themes(said)
    assert distance(themes[0].light, [themes[1].light]) >= APART
    assert tuple(theme.name for theme in themes) == shown


@settings(derandomize=True, deadline=None, max_examples=200)
@given(said_colours)
def test_any_players_can_be_told_apart(said: tuple[str, ...]) -> None:
    themes = choose_themes(said)[: len(said)]
    for one, other in combinations(themes, 2):
        assert distance(one.light, [other.light]) >= APART
        assert distance(one.dark, [other.dark]) >= APART
    assert len({theme.name for theme in themes}) == len(themes)
    assert len({theme.letter for theme in themes}) == len(themes)
    look = look_for(said)
    assert find_look(look.name).styles == look.styles


def test_the_document_keeps_what_it_said_and_notes_what_is_shown() -> None:
    text = document("red", "Red")
    transcript = parse_transcript(text)
    assert json.loads(format_transcript(transcript)) == json.loads(text)
    assert transcript.notes == ('players[1].color "Red": too like another; shown as Firebrick',)
    again = json.loads(GAME.format_match(played_positions(transcript)))
    assert [player["color"] for player in again["players"]] == ["red", "Red"]
    odd = parse_transcript(document("reddish", 5))
    assert odd.notes == (
        'players[0].color "reddish": not a colour of SVG; shown as Red',
        "players[1].color 5: not a colour of SVG; shown as Blue",
    )
    assert played_positions(odd)[-1].scene(None).look is LOOK


def test_colours_stay_through_a_match() -> None:
    start, first, last = positions("teal", "orange")
    assert first.ground.colours == last.ground.colours == ("teal", "orange")
    turn = start.parse_turn(0, "a1-b2")
    assert all(stage.ground.colours for _, stage in start.stages({0: turn}))
    assert pickle.loads(pickle.dumps(last)).ground.colours == ("teal", "orange")  # noqa: S301
    assert last.drop({0: "timeout"}).ground.colours


@pytest.mark.parametrize("name", ["atlantis-", "atlantis-x-x", "atlantis-FF0000", "hive-ff0000"])
def test_other_looks_do_not_exist(name: str) -> None:
    with pytest.raises(SettingError, match="there is none of that name"):
        find_look(name)
