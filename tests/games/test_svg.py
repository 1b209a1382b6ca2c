"""Scenes of no game in particular: what becomes of every kind of shape, and of hostile text."""

from __future__ import annotations

import json
import re
from math import hypot
from xml.etree import ElementTree

import pytest

from agon.games.scene import Scene
from agon.games.shapes import (
    INK,
    Anchor,
    Box,
    Disc,
    Glyph,
    Group,
    Hex,
    Label,
    Line,
    Look,
    Path,
    Shape,
    Stamp,
    Stroke,
    Style,
    Theme,
)
from agon.games.svg import format_css, format_svg, hex_path
from tests.games.scene_json import scene_to_json

SVG = "{http://www.w3.org/2000/svg}"

LOOK = Look(
    "toy",
    (
        Style("ground", fill=("#fffffe", "#000001")),
        Style("ground deep", line="#123456", width=2.5, dash="2 3", opacity=0.5),
        Style("bug red", ink="#ff0000"),
        Style("leg", line=INK, width=1),
        Style("word", fill="#222222", bold=True),
        Style("sign", fill="#333333", halo=("#eeeeee", "#111111")),
    ),
    (Glyph("ant", (Stroke("leg", "M0 0L5 5"),)),),
)

EVERY_KIND: tuple[Shape, ...] = (
    Box("box", "ground", 50, 40, width=100, height=80, corner=4),
    Hex("hex", "ground deep", 1.23456, -2, size=10, corner=2),
    Disc("disc", "ground", 7, 8, radius=9),
    Line("line", "leg", 1, 2, dx=3, dy=4),
    Path("path", "leg", d="M0 0L1 1"),
    Label("label", "word", 5, 5, text="17", size=10, anchor=Anchor.END),
    Group("group", "army", 30, 30, scale=2, tip="an army", parts=(Disc("", "ground", radius=3),)),
    Stamp("stamp", "bug red", glyph="ant", scale=0.5),
)


def scene(*shapes: Shape, title: str = "a toy") -> Scene:
    return Scene(title, 100, 80, LOOK, shapes)


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314  (our own output)


def by_id(svg: str) -> dict[str, ElementTree.Element]:
    root = parse(svg)
    return {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}


def test_every_kind_becomes_its_element() -> None:
    elements = by_id(format_svg(scene(*EVERY_KIND)))
    tags = {name: element.tag.removeprefix(SVG) for name, element in elements.items()}
    assert tags == {
        "toy-glyph-ant": "g",
        "box": "rect",
        "hex": "path",
        "disc": "circle",
        "line": "line",
        "path": "path",
        "label": "text",
        "group": "g",
        "stamp": "use",
    }
    assert elements["hex"].attrib["class"] == "ground deep"
    assert elements["hex"].attrib["transform"] == "translate(1.23 -2)"
    assert elements["box"].attrib["x"] == "-50", "a box lies around its point"
    assert elements["label"].text == "17"
    assert elements["label"].attrib["text-anchor"] == "end"
    assert elements["group"].attrib["transform"] == "translate(30 30) scale(2)"
    assert elements["group"][0].text == "an army"
    assert elements["stamp"].attrib["href"] == "#toy-glyph-ant"


def test_a_new_kind_must_be_taught() -> None:
    with pytest.raises(TypeError, match="no way to draw a Shape"):
        format_svg(scene(Shape("what", "ever")))


def test_the_file_is_a_picture_with_a_title() -> None:
    root = parse(format_svg(scene(*EVERY_KIND)))
    assert root.tag == SVG + "svg"
    assert root.attrib["viewBox"] == "0 0 100 80"
    assert root.attrib["role"] == "img"
    assert root[0].tag == SVG + "title", "screen readers want the title first"
    assert root[0].text == "a toy"


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", '"><g onload="x">', "a & b ]]> c", "</style></svg>", "naïve ♜"],
)
def test_text_stays_text(text: str) -> None:
    label = Label("label", "word", text=text, size=9, tip=text)
    svg = format_svg(scene(label, title=text))
    root = parse(svg)
    assert root[0].text == text
    element = by_id(svg)["label"]
    assert element[0].text == text
    assert element[0].tail == text
    assert {e.tag for e in root.iter()}.isdisjoint({SVG + "script"})
    assert all(not name.startswith("on") for e in root.iter() for name in e.attrib)


def test_roles_and_ids_stay_in_their_quotes() -> None:
    name = 'x" onload="alert(1)'
    assert by_id(format_svg(scene(Disc(name, name, radius=1))))[name].attrib["class"] == name


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\ud800", "\uffff"])
def test_what_xml_cannot_hold_is_replaced(character: str) -> None:
    root = parse(format_svg(scene(title=f"a{character}b")))
    assert root[0].text == "a\ufffdb"


def test_nothing_is_fetched_and_nothing_runs() -> None:
    svg = format_svg(scene(*EVERY_KIND))
    assert set(re.findall(r'href="([^"]*)"', svg)) == {"#toy-glyph-ant"}
    assert not re.search(r"script|@import|url\(|javascript:", svg)
    assert svg.count("http") == 1, "the name space only"


def test_css_has_both_themes() -> None:
    light, dark = format_css(LOOK).split("@media (prefers-color-scheme: dark)")
    assert ".scene-toy .ground{fill:#fffffe}" in light
    assert ".scene-toy .ground{fill:#000001}" in dark
    assert "stroke:#123456;stroke-width:2.5" in light
    assert "#123456" not in dark, "what is the same in both themes is said once"
    assert format_css(LOOK, Theme.LIGHT) in light


def test_a_halo_lies_below_its_text() -> None:
    words = "fill:#333333;stroke:#eeeeee;stroke-width:4;stroke-linejoin:round;paint-order:stroke"
    assert f".scene-toy .sign{{{words}}}" in format_css(LOOK, Theme.LIGHT)
    assert "stroke:#111111" in format_css(LOOK, Theme.DARK)


def test_the_pointer_goes_through_a_shape_whose_style_says_so() -> None:
    look = Look("toy", (Style("veil", through=True), Style("stone")))
    assert ".scene-toy .veil{pointer-events:none}" in format_css(look)
    assert format_css(look).count("pointer-events") == 1


def test_a_bare_picture_brings_no_styles_and_no_glyphs() -> None:
    whole, bare = format_svg(scene(*EVERY_KIND)), format_svg(scene(*EVERY_KIND), bare=True)
    assert "<style>" not in bare
    assert "<defs>" not in bare
    head, _, rest = whole.partition("<style>")
    assert bare == head + rest.partition("</defs>\n")[2]


def test_css_of_one_theme_has_no_media_query() -> None:
    css = format_css(LOOK, Theme.DARK)
    assert ".scene-toy .ground{fill:#000001}" in css
    assert "@media" not in css
    assert "#fffffe" not in css


def test_all_css_rules_stay_inside_the_game() -> None:
    selectors = re.findall(r"^(.*?)\{(?=.)", format_css(LOOK, Theme.LIGHT), re.MULTILINE)
    assert len(selectors) == len(LOOK.styles) + 1
    assert all(selector.startswith(".scene-toy ") for selector in selectors)


def test_glyphs_carry_the_scope_that_their_styles_need() -> None:
    assert by_id(format_svg(scene()))["toy-glyph-ant"].attrib["class"] == "scene-toy"


@pytest.mark.parametrize(("flat", "first"), [(False, (8.66, 5.0)), (True, (10.0, 0.0))])
def test_sharp_hexes_have_six_corners_at_their_size(flat: bool, first: tuple[float, float]) -> None:
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", hex_path(10, flat))]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    assert len(points) == 6
    assert points[0] == first
    assert all(hypot(*point) == pytest.approx(10, abs=0.01) for point in points)


def test_two_shapes_cannot_share_an_id() -> None:
    twin = Disc("twin", "ground", radius=1)
    with pytest.raises(ValueError, match="two shapes have the id 'twin'"):
        scene(twin, Group("army", "army", parts=(twin,)))


def test_parts_may_go_without_an_id() -> None:
    nameless = Disc("", "ground", radius=1)
    svg = format_svg(scene(Group("army", "army", parts=(nameless, nameless))))
    assert 'id=""' not in svg


def test_json_says_all() -> None:
    data = scene_to_json(scene(*EVERY_KIND))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    shapes = data["shapes"]
    assert isinstance(shapes, list)
    kinds = [shape["kind"] for shape in shapes if isinstance(shape, dict)]
    assert kinds == ["box", "hex", "disc", "line", "path", "label", "group", "stamp"]
    assert shapes[1] == {
        "kind": "hex",
        "id": "hex",
        "role": "ground deep",
        "x": 1.23,
        "y": -2,
        "tip": "",
        "size": 10,
        "flat": False,
        "corner": 2,
    }
    look = data["look"]
    assert isinstance(look, dict)
    assert look["glyphs"] == [{"name": "ant", "strokes": [{"role": "leg", "d": "M0 0L5 5"}]}]
