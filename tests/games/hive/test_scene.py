"""Pictures of Hive, drawn and in the terminal: every tile is there once, in its place."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.games.game import Outcome
from agon.games.hive.look import BUGS, LOOK
from agon.games.hive.scene import BOARD, FACE, HEIGHT, WIDTH, hive_scene
from agon.games.hive.terminal import board_text, format_board
from agon.games.hive.tile import (
    KIND_LETTERS,
    SIDE_LETTERS,
    STEPS,
    Cell,
    Direction,
    Kind,
    LastMove,
    Tile,
    neighbour,
)
from agon.games.shapes import Box, Group, Hex, Label, Stamp, all_shapes
from agon.games.svg import format_svg
from tests.games.scene_json import scene_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.scene import Scene
    from agon.games.shapes import Glyph

ALL_TILES = [
    Tile(side, kind, number)
    for kind in Kind
    for number in range(1, kind.per_side + 1)
    for side in (0, 1)
]


@dataclass(frozen=True)
class Sample:
    """A position that was never played."""

    stacks: Mapping[Cell, tuple[Tile, ...]]
    hands: tuple[Mapping[Kind, int], Mapping[Kind, int]]
    last_move: LastMove | None = None
    to_act: tuple[int, ...] = (0,)
    turn: int = 12
    outcome: Outcome | None = None


def tile(name: str) -> Tile:
    return Tile(SIDE_LETTERS.index(name[0]), Kind(KIND_LETTERS.index(name[1])), int(name[2]))


def sample(
    board: str = "",
    last: LastMove | None = None,
    *,
    to_act: tuple[int, ...] = (0,),
    in_play: str = KIND_LETTERS,
) -> Sample:
    """A position from text like `0,0:wG1 1,0:bS1wB1`; all other tiles are in hand."""
    stacks: dict[Cell, tuple[Tile, ...]] = {}
    for word in board.split():
        place, names = word.split(":")
        q, r = place.split(",")
        stacks[int(q), int(r)] = tuple(map(tile, re.findall("...", names)))
    used = {t for stack in stacks.values() for t in stack}
    left = [t for t in ALL_TILES if t not in used and t.kind.letter in in_play]
    white, black = (
        {kind: sum(t.kind == kind and t.side == side for t in left) for kind in Kind}
        for side in (0, 1)
    )
    outcome = None if to_act else Outcome((2, 0), "black queen surrounded")
    return Sample(stacks, (white, black), last, to_act, outcome=outcome)


FEW = sample(
    "0,0:wG1 1,0:bS1 -1,0:wQ1 2,-1:bQ1 -1,1:wA1 2,0:bA1",
    LastMove(tile("wA1"), None, (-1, 1)),
)
STACKED = sample(
    "0,0:wG1 1,0:bS1bB1wB1bB2wB2 -1,0:wQ1 2,-1:bQ1 -1,1:wA1 2,-2:bA2wM1",
    LastMove(tile("wB2"), (0, 1), (1, 0)),
    to_act=(1,),
)
LINES = {
    step: sample(" ".join(f"{i * step[0]},{i * step[1]}:{t}" for i, t in enumerate(ALL_TILES)))
    for step in STEPS[:3]
}
SAMPLES = [sample(), sample("0,0:wG1"), FEW, STACKED, *LINES.values()]


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314  (our own output)


def groups(scene: Scene) -> dict[str, Group]:
    return {shape.id: shape for shape in scene.shapes if isinstance(shape, Group)}


@st.composite
def positions(draw: st.DrawFn) -> Sample:
    """Any number of tiles, grown around the origin, some on top of others."""
    count = draw(st.integers(0, len(ALL_TILES)))
    cells: list[Cell] = [(0, 0)]
    stacks: dict[Cell, tuple[Tile, ...]] = {}
    for t in ALL_TILES[:count]:
        cell = draw(st.sampled_from(cells))
        stacks[cell] = (*stacks.get(cell, ()), t)
        cells += [neighbour(cell, direction) for direction in Direction]
    names = " ".join(f"{q},{r}:{''.join(map(str, s))}" for (q, r), s in stacks.items())
    return sample(names)


@given(positions())
def test_every_tile_is_in_the_picture_once(position: Sample) -> None:
    scene = hive_scene(position)
    ids = [shape.id for shape in all_shapes(scene.shapes) if shape.id.startswith("tile-")]
    assert sorted(ids) == sorted(f"tile-{t}" for t in ALL_TILES)
    root = parse(format_svg(scene))
    named = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(named) == len(set(named))


@given(positions())
def test_the_hive_fits_its_place(position: Sample) -> None:
    left, top, right, bottom = BOARD
    pictures = groups(hive_scene(position))
    for stack in position.stacks.values():
        for t in stack:
            picture = pictures[f"tile-{t}"]
            reach = FACE * picture.scale
            assert left <= picture.x - reach
            assert picture.x + reach <= right
            assert top <= picture.y - reach
            assert picture.y + reach <= bottom


@pytest.mark.parametrize("position", SAMPLES)
def test_pictures_are_valid_and_serialisable(position: Sample) -> None:
    scene = hive_scene(position)
    root = parse(format_svg(scene))
    assert root.attrib["viewBox"] == f"0 0 {WIDTH} {HEIGHT}"
    data = scene_to_json(scene)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("position", SAMPLES)
def test_the_look_knows_every_role_and_glyph(position: Sample) -> None:
    styles = [set(style.role.split()) for style in LOOK.styles]
    glyphs = {glyph.name for glyph in LOOK.glyphs}
    for shape in all_shapes(hive_scene(position).shapes):
        words = set(shape.role.split())
        assert isinstance(shape, Group) or any(style <= words for style in styles), shape
        assert not isinstance(shape, Stamp) or shape.glyph in glyphs


def test_there_is_a_bug_for_every_kind() -> None:
    assert [glyph.name for glyph in BUGS] == [kind.name.lower() for kind in Kind]
    roles = {style.role for style in LOOK.styles}
    assert all(stroke.role in roles for glyph in BUGS for stroke in glyph.strokes)


@pytest.mark.parametrize("glyph", BUGS, ids=lambda glyph: glyph.name)
def test_bugs_stay_in_their_square(glyph: Glyph) -> None:
    for stroke in glyph.strokes:
        assert all(abs(float(n)) <= 50 for n in re.findall(r"-?[\d.]+", stroke.d))


def test_neighbours_touch_and_rows_go_down() -> None:
    pictures = groups(hive_scene(FEW))
    queen, grasshopper, ant = (pictures[f"tile-{name}"] for name in ("wQ1", "wG1", "wA1"))
    assert queen.y == grasshopper.y
    assert queen.x < ant.x < grasshopper.x, "the ant is south-east of the queen"
    assert ant.y > queen.y
    assert ant.x - queen.x == pytest.approx((grasshopper.x - queen.x) / 2)


def test_a_stack_shows_all_its_tiles() -> None:
    scene = hive_scene(STACKED)
    pictures = groups(scene)
    stack = [pictures[f"tile-{t}"] for t in STACKED.stacks[1, 0]]
    order = [scene.shapes.index(picture) for picture in stack]
    assert order == sorted(order), "upper tiles are drawn later"
    steps = [below.y - above.y for below, above in pairwise(stack)]
    assert all(step > 4 * stack[0].scale for step in steps), "each one's edge is seen"
    badge = pictures["stack-bS1"]
    letters = [part.text for part in badge.parts if isinstance(part, Label)]
    assert letters == ["5", "B", "B", "B", "S"]
    assert badge.tip == "bottom to top: bS1 bB1 wB1 bB2 wB2"
    assert "stack-wG1" not in pictures, "one tile is no stack"


def test_a_placement_has_a_ring_only() -> None:
    pictures = groups(hive_scene(FEW))
    ring, ant = pictures["last-target"], pictures["tile-wA1"]
    assert (ring.x, ring.y) == (ant.x, ant.y)
    assert "last-origin" not in pictures


def test_a_move_shows_where_it_came_from() -> None:
    pictures = groups(hive_scene(STACKED))
    assert (pictures["last-target"].x, pictures["last-target"].y) == (
        pictures["tile-wB2"].x,
        pictures["tile-wB2"].y,
    )
    roles = [part.role for part in pictures["last-origin"].parts]
    assert roles == ["last-origin", "last-trace", "last-head"]


def test_hands_show_counts_and_empty_slots() -> None:
    scene = hive_scene(FEW)
    counts = {s.id: s.text for s in scene.shapes if isinstance(s, Label)}
    assert counts["count-white-grasshopper"] == "\N{MULTIPLICATION SIGN}2"
    assert "count-white-queen" not in counts
    assert "slot-white-queen" in groups(scene)


def test_kinds_that_are_not_in_play_have_no_slot() -> None:
    pictures = groups(hive_scene(sample("0,0:wG1", in_play="QSBGAP")))
    slots = [name for name in pictures if name.startswith("slot-black")]
    kinds = ("queen", "spider", "beetle", "grasshopper", "ant", "pillbug")
    assert slots == [f"slot-black-{kind}" for kind in kinds]
    xs = [pictures[name].x for name in slots]
    gaps = {round(b - a, 6) for a, b in pairwise(xs)}
    assert len(gaps) == 1, "slots stand in one row without holes"


@pytest.mark.parametrize(("to_act", "active"), [((0,), "white"), ((1,), "black"), ((), None)])
def test_the_tray_of_the_side_to_move_is_lit(to_act: tuple[int, ...], active: str | None) -> None:
    scene = hive_scene(sample("0,0:wG1", to_act=to_act))
    lit = [s.id for s in scene.shapes if isinstance(s, Box) and "active" in s.role.split()]
    assert lit == ([f"tray-{active}"] if active else [])


def test_a_surrounded_queen_is_ringed_and_counted() -> None:
    around = " ".join(
        f"{q},{r}:{t}"
        for (q, r), t in zip(STEPS, ("wG1", "wG2", "wG3", "wA1", "wA2", "wA3"), strict=True)
    )
    pictures = groups(hive_scene(sample(f"0,0:bQ1 {around} 2,0:wQ1", to_act=())))
    assert "closed-black" in pictures
    assert "closed-white" not in pictures
    taken = {
        side: sum(part.role == "pip taken" for part in pictures[f"danger-{side}"].parts)
        for side in ("white", "black")
    }
    assert taken == {"white": 1, "black": 6}


def test_names_and_headline_are_only_text() -> None:
    scene = hive_scene(sample("0,0:wG1"), names=("<script>x</script>", "x" * 200))
    root = parse(format_svg(scene))
    texts = [element.text for element in root.iter() if element.text]
    assert "Hive: Turn 12: <script>x</script> (White) to move" in texts
    assert "<script>x</script>" in [element.tail for element in root.iter()]
    assert not [e.text for e in root.iter() if e.tag.endswith("text") and "x" * 30 in str(e.text)]
    assert not [element for element in root.iter() if element.tag.endswith("script")]


def test_tiles_say_their_names() -> None:
    pictures = groups(hive_scene(FEW))
    assert pictures["tile-wG1"].tip == "white grasshopper 1 (wG1)"
    assert pictures["tile-bQ1"].tip == "black queen (bQ1)"
    numbers = [part.text for part in pictures["tile-wG1"].parts if isinstance(part, Label)]
    assert numbers == ["1"]
    assert isinstance(pictures["tile-wG1"].parts[0], Hex)


def board_lines(position: Sample, width: int = 80) -> list[str]:
    """The lines of the board, without the notes below it."""
    text = format_board(position, width)
    return text[: text.rindex("\n\n")].split("\n") if position.stacks else []


@given(positions())
def test_every_top_is_on_the_terminal_board_once(position: Sample) -> None:
    names = re.findall(r"[wb][A-Z]\d", "\n".join(board_lines(position)))
    assert sorted(names) == sorted(str(stack[-1]) for stack in position.stacks.values())


@given(positions())
def test_terminal_columns_line_up(position: Sample) -> None:
    places = {
        match[0]: (match.start(), row)
        for row, line in enumerate(board_lines(position))
        for match in re.finditer(r"[wb][A-Z]\d", line)
    }
    for cell, stack in position.stacks.items():
        column, row = places[str(stack[-1])]
        for direction, (across, down) in {
            Direction.E: (4, 0),
            Direction.SE: (2, 2),
            Direction.SW: (-2, 2),
        }.items():
            other = position.stacks.get(neighbour(cell, direction))
            if other:
                assert places[str(other[-1])] == (column + across, row + down)


@pytest.mark.parametrize("position", SAMPLES)
def test_terminal_board_fits_eighty_columns(position: Sample) -> None:
    assert max(map(len, format_board(position).split("\n"))) <= 80


def test_terminal_board_as_in_the_seed() -> None:
    position = sample("0,0:wQ1 1,0:bS1 0,1:wG1bB1 1,1:wA1", LastMove(tile("wA1"), (-1, 2), (1, 1)))
    assert board_lines(position) == [
        r" / \ / \ ".rstrip(),
        r"|wQ1|bS1|",
        r" \ /2\ / \ ".rstrip(),
        r"  |bB1[wA1]",
        r"   \ / \ /",
        r"  *",
    ]


def test_terminal_notes() -> None:
    notes = format_board(STACKED).split("\n\n")[-1].split("\n")
    assert "stack: wB2 on bB2 on wB1 on bB1 on bS1" in notes
    times = "\N{MULTIPLICATION SIGN}"
    hand = " ".join(
        f"{letter}{times}{n}" for letter, n in zip("SGALP", (2, 2, 2, 1, 1), strict=True)
    )
    assert f"  White  {hand}" in notes
    assert [note[:7] for note in notes if note.startswith(">")] == ["> Black"]
    assert notes[-2:] == ["Turn 12: Black to move", ""]


def test_colour_changes_no_character() -> None:
    for position in SAMPLES:
        assert board_text(position).plain == format_board(position)
    styles = {str(span.style) for span in board_text(FEW).spans}
    assert "#1d1917 on #f3ead3" in styles, "white tiles are dark on ivory"
    assert any(style.startswith("#f3ead3 on") for style in styles), "black ones the reverse"
