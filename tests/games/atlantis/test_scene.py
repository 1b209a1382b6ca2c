"""Pictures of Atlantis: every field is there once, in its place, and shows what it is."""

from __future__ import annotations

import json
from itertools import combinations
from math import dist, hypot, sqrt
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from agon.games.atlantis.geometry import STEPS, Board
from agon.games.atlantis.look import HEX, LOOK, PLAYER_THEMES, format_count
from agon.games.atlantis.scene import ISLAND, atlantis_scene, holders, last_mover, middle
from agon.games.shapes import Group, Hex, Label, Path, Shape, Stamp, all_shapes
from agon.games.svg import format_svg
from tests.games.atlantis.drawn import SEGMENT, after, drawn, on_board, usual
from tests.games.scene_json import scene_to_json

if TYPE_CHECKING:
    from agon.games.atlantis.position import AtlantisPosition
    from agon.games.scene import Scene

BOARDS = [("triangle", 2, 2), ("triangle", 6, 3), ("hexagon", 5, 6), ("rhombus", 24, 4)]
HELD = ".   r1  .   .   #   b3  #   ."


def by_id(scene: Scene) -> dict[str, Shape]:
    return {shape.id: shape for shape in all_shapes(scene.shapes) if shape.id}


def parts_of(scene: Scene, name: str) -> tuple[Shape, ...]:
    group = by_id(scene)[name]
    assert isinstance(group, Group)
    return group.parts


def labels(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape in all_shapes(shapes) if isinstance(shape, Label)]


def samples() -> list[AtlantisPosition]:
    return [
        drawn(SEGMENT),
        drawn(HELD),
        after(usual("triangle", 6, 3), 40),
        after(usual("hexagon", 3, 6), 60),
        after(usual("rhombus", 2, 4), 400),
    ]


def stages() -> list[tuple[str, AtlantisPosition]]:
    """A turn with two waves: a move onto a field of the edge, then what that tears along."""
    start = drawn("b1  .   .   .   r1  r1  r1")
    turn = start.parse_turn(0, "f1-g1")
    return list(start.stages({0: turn}))


@pytest.mark.parametrize(("shape", "size", "players"), BOARDS)
def test_every_field_is_in_the_picture_once_and_inside_its_place(
    shape: str, size: int, players: int
) -> None:
    position = usual(shape, size, players)
    scene = atlantis_scene(position)
    found = by_id(scene)
    assert {f"field-{f.name}" for f in position.fields} == {i for i in found if "field-" in i}
    island = found["island"]
    assert isinstance(island, Group)
    left, top, right, bottom = ISLAND
    for f in position.fields:
        place = found[f"field-{f.name}"]
        assert left <= island.x + island.scale * (place.x - HEX)
        assert island.x + island.scale * (place.x + HEX) <= right
        assert top <= island.y + island.scale * (place.y - HEX)
        assert island.y + island.scale * (place.y + HEX) <= bottom


def test_the_grid_is_that_of_the_rules() -> None:
    x, y = middle(5, 5)
    places = [middle(5 + dx, 5 + dy) for dx, dy in STEPS]
    assert all(hypot(px - x, py - y) == pytest.approx(HEX * sqrt(3)) for px, py in places)
    sides = [(round(px - x), round(py - y)) for px, py in places]
    assert sides == [(0, -52), (45, -26), (45, 26), (0, 52), (-45, 26), (-45, -26)]


@pytest.mark.parametrize("position", samples(), ids=range(5))
def test_pictures_are_valid_and_serialisable(position: AtlantisPosition) -> None:
    scene = atlantis_scene(position)
    root = ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture
    named = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(named) == len(set(named))
    data = scene_to_json(scene)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize(
    "position", [*samples(), *(stage for _, stage in stages())], ids=lambda p: f"turn {p.turn}"
)
def test_the_look_knows_every_role_and_glyph(position: AtlantisPosition) -> None:
    styles = [set(style.role.split()) for style in LOOK.styles]
    glyphs = {glyph.name for glyph in LOOK.glyphs}
    for shape in all_shapes(atlantis_scene(position).shapes):
        words = set(shape.role.split())
        assert isinstance(shape, Group) or any(style <= words for style in styles), shape
        assert not isinstance(shape, Stamp) or shape.glyph in glyphs


def test_players_differ_in_shape_letter_and_colour() -> None:
    for one, other in combinations(PLAYER_THEMES, 2):
        assert one.outline != other.outline
        assert one.letter != other.letter
        for a, b in ((one.light, other.light), (one.dark, other.dark)):
            assert dist(rgb(a), rgb(b)) > 60


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def test_open_growing_and_dead_fields_look_different() -> None:
    scene = atlantis_scene(drawn(SEGMENT))
    for field, glyph, count in (("b2", "stones-red", "2"), ("c2", "hollow-red", "1")):
        token = parts_of(scene, f"stack-{field}")
        assert isinstance(token[0], Stamp)
        assert (token[0].glyph, labels(token)) == (glyph, [count])
    roles = {f: [part.role for part in parts_of(scene, f"field-{f}")] for f in ("a1", "b2", "c2")}
    assert roles == {"a1": ["dead", "waves"], "b2": ["land", "name"], "c2": ["growing", "ring red"]}
    assert "stack-a1" not in by_id(scene)
    assert "stack-a2" not in by_id(scene)


def test_land_that_counts_is_tinted() -> None:
    position = drawn(HELD)
    found = [(f.name, holders(position)[f.number]) for f in position.fields]
    counted = {name for name, seat in found if seat is not None}
    scene = atlantis_scene(position)
    tinted = {
        name for name, _ in found if "held" in parts_of(scene, f"field-{name}")[0].role.split()
    }
    assert tinted == counted
    assert sum(seat == 0 for _, seat in found) == position.scores[0] == 4
    assert sum(seat == 1 for _, seat in found) == position.scores[1] == 1


def test_borders_run_around_segments_and_along_the_coast() -> None:
    def edges(position: AtlantisPosition) -> int:
        path = by_id(atlantis_scene(position))["borders"]
        assert isinstance(path, Path)
        return path.d.count("M")

    assert edges(drawn(".   .", segments="a   a")) == 10
    assert edges(drawn(".   .", segments="a   b")) == 11
    assert edges(drawn(".   #", segments="a   a")) == 6
    assert "borders" not in by_id(atlantis_scene(drawn("#   #")))


def test_a_field_says_what_it_is() -> None:
    tips = {shape.tip for shape in by_id(atlantis_scene(drawn(SEGMENT))).values()}
    assert {"a1: sunk", "a2: open", "c2: growing, Red 1, explodes at 3"} <= tips


def test_moves_of_the_last_turn_are_arrows_in_the_movers_colour() -> None:
    start = usual("triangle", 2, 2)
    position = start.play_turn(start.parse_turn(0, "c3-d3"))
    found = by_id(atlantis_scene(position))
    arrow = found["move-c3"]
    assert isinstance(arrow, Group)
    assert [part.role for part in arrow.parts] == ["case", "shaft red", "point red"]
    assert arrow.tip == "c3-d3"
    assert not [name for name in by_id(atlantis_scene(start)) if name.startswith("move-")]


def test_stages_show_what_happened_in_them() -> None:
    shown = {}
    for caption, position in stages():
        names = by_id(atlantis_scene(position))
        shown[caption] = {n for n in names if n.startswith(("mark-", "burst-"))}
        assert last_mover(position) == 0, "the turn is red's to the end"
        assert "move-f1" in names
    assert shown["moves"] == {"mark-g1"}
    assert "burst-g1" in shown["wave 1"]
    assert not any(name.startswith("mark-") for name in shown["wave 1"])
    assert shown["growth"]
    assert not any(name.startswith("burst-") for name in shown["growth"])


def test_the_panel_tells_points_stones_and_whose_turn_it_is() -> None:
    position = usual("hexagon", 3, 6)
    scene = atlantis_scene(position)
    for seat, theme in enumerate(PLAYER_THEMES):
        row = parts_of(scene, f"player-{seat}")
        assert labels(row) == [theme.name, "0", "7 stones, 0 growing"]
        assert row[0].role == ("row active" if seat == 0 else "row")
    assert "Turn 0: Red to move" in labels(scene.shapes)


def test_the_panel_tells_who_won_and_who_is_out() -> None:
    ended = drawn(HELD)
    assert ended.outcome is not None
    assert "winner" in labels(parts_of(atlantis_scene(ended), "player-0"))
    assert labels(atlantis_scene(ended).shapes)[0].startswith("Red won: all areas stable: 4 - 1")
    dropped = usual("triangle", 6, 3).drop({1: "timeout"})
    assert "out: timeout" in labels(parts_of(atlantis_scene(dropped), "player-1"))


def test_names_are_only_text() -> None:
    scene = atlantis_scene(usual("triangle", 2, 2), ("<b>Bobby</b>", "x" * 200))
    texts = labels(scene.shapes)
    assert "Turn 0: <b>Bobby</b> (Red) to move" in texts
    assert not [text for text in texts if "x" * 20 in text], "long names are cut"
    ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture


def test_what_is_too_small_to_read_is_left_out() -> None:
    small, large = atlantis_scene(usual("triangle", 2, 2)), atlantis_scene(usual("rhombus", 24, 2))
    assert "axis-a" in by_id(small)
    assert labels(parts_of(small, "field-c3")) == ["c3"]
    assert "axis-a" not in by_id(large)
    stacks = [shape for name, shape in by_id(large).items() if name.startswith("stack-")]
    assert len(stacks) == 14
    assert not labels(tuple(stacks))


def test_letters_and_numbers_stand_at_the_lower_ends_of_their_lines() -> None:
    found = by_id(atlantis_scene(usual("triangle", 2, 2)))
    a1, letter, number = found["field-a1"], found["axis-a"], found["axis-1"]
    assert number.x < a1.x < letter.x
    assert letter.y == number.y > a1.y


def test_islands_far_from_each_other_break_nothing() -> None:
    far = on_board(Board((((1, 1), (10**30, 10**90)),), ({(1, 1): 100_000}, {})))
    root = ElementTree.fromstring(format_svg(atlantis_scene(far)))  # noqa: S314  our own picture
    drawn = {element.get("id") for element in root.iter()}
    assert "field-a1" in drawn
    assert json.dumps(scene_to_json(atlantis_scene(far)), allow_nan=False)


@pytest.mark.parametrize(("stones", "text"), [(1, "1"), (999, "999"), (1000, "1k"), (99999, "99k")])
def test_counts_are_short(stones: int, text: str) -> None:
    assert format_count(stones) == text


def test_hexes_have_a_flat_side_up() -> None:
    ground = parts_of(atlantis_scene(usual("triangle", 2, 2)), "field-a1")[0]
    assert isinstance(ground, Hex)
    assert ground.flat
