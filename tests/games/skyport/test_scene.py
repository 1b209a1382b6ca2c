"""Pictures of Skyport: everything in its place, shots on their way, and no secrets."""

from __future__ import annotations

import json
from itertools import combinations
from math import dist
from random import Random
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from agon.games.shapes import Box, Group, Hex, Label, Path, Shape, Stamp, all_shapes
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.look import HEX, LOOK, PLAYER_THEMES, middle
from agon.games.skyport.mapfile import format_map
from agon.games.skyport.maps import generate
from agon.games.skyport.scene import ISLAND, MANY, fit_map, skyport_scene
from agon.games.svg import format_svg
from tests.games.scene_json import scene_to_json
from tests.games.skyport.situation import begin, change, play

if TYPE_CHECKING:
    from agon.games.scene import Scene
    from agon.games.skyport.position import SkyportPosition

FIELD = "SGRGO/GGGEG/GCVGG/GGGGG/GGGGS"


def by_id(scene: Scene) -> dict[str, Shape]:
    return {shape.id: shape for shape in all_shapes(scene.shapes) if shape.id}


def parts_of(scene: Scene, name: str) -> tuple[Shape, ...]:
    group = by_id(scene)[name]
    assert isinstance(group, Group)
    return group.parts


def labels(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape in all_shapes(shapes) if isinstance(shape, Label)]


def glyphs(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.glyph for shape in all_shapes(shapes) if isinstance(shape, Stamp)]


def stage_scenes(position: SkyportPosition, text: str) -> list[Scene]:
    (seat,) = position.to_act
    turns = {seat: position.parse_turn(seat, text)}
    return [skyport_scene(stage) for _, stage in position.stages(turns)]


def after(turns: int, options: SkyportOptions, seats: int | None = None) -> SkyportPosition:
    """A position of random play."""
    rng = Random(turns)  # noqa: S311
    position = GAME.start(options, 3, seats)
    for _ in range(turns):
        position = position.play({s: position.random_turn(s, rng) for s in position.to_act})
    return position


LARGEST = SkyportOptions(map_text=format_map(generate(4, 64, 1)))
SAMPLES = [
    after(0, SkyportOptions()),
    after(40, SkyportOptions(), 3),
    after(120, SkyportOptions(), 8),
    after(30, LARGEST),
    begin("SG/GS"),
]


@pytest.mark.parametrize("position", SAMPLES, ids=lambda p: f"{p.seats} on {p.map.side}")
@pytest.mark.parametrize("seat", [None, 1])
def test_pictures_are_valid_and_know_their_roles(
    position: SkyportPosition, seat: int | None
) -> None:
    check_picture(skyport_scene(position, seat))


def check_picture(scene: Scene) -> None:
    ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture
    json.dumps(scene_to_json(scene), allow_nan=False)
    styles = [set(style.role.split()) for style in LOOK.styles]
    known = {glyph.name for glyph in LOOK.glyphs}
    for shape in all_shapes(scene.shapes):
        words = set(shape.role.split())
        is_known = any(style <= words for style in styles)
        assert isinstance(shape, Group | Stamp) or is_known, shape
        assert not isinstance(shape, Stamp) or shape.glyph in known


def test_strokes_of_glyphs_have_styles() -> None:
    styles = {style.role for style in LOOK.styles}
    for glyph in LOOK.glyphs:
        for stroke in glyph.strokes:
            assert stroke.role in styles


@pytest.mark.parametrize("side", [2, 5, 11, 22, 64])
def test_the_whole_island_fits(side: int) -> None:
    fit = fit_map(side)
    for place in ((0, 0), (0, side - 1), (side - 1, 0), (side - 1, side - 1)):
        x, y = middle(place)
        size = HEX * fit.scale
        assert ISLAND[0] <= fit.x + fit.scale * x - size
        assert fit.x + fit.scale * x + size <= ISLAND[2]
        assert ISLAND[1] <= fit.y + fit.scale * y - size
        assert fit.y + fit.scale * y + size <= ISLAND[3]


def test_r01_the_rhombus_stands_on_its_tip() -> None:
    found = by_id(skyport_scene(begin(FIELD)))
    top, left, right, below = (found[f"hex-{name}"] for name in ("0-0", "1-0", "0-1", "1-1"))
    assert left.x < top.x == below.x < right.x
    assert top.y < left.y == right.y < below.y


def test_tiles_differ_in_more_than_colour() -> None:
    scene = skyport_scene(begin(FIELD))
    shown = {
        name: (glyphs(parts_of(scene, f"hex-{name}")), labels(parts_of(scene, f"hex-{name}")))
        for name in ("0-1", "0-2", "1-3", "2-1", "2-2", "0-4", "4-4")
    }
    assert shown == {
        "0-1": ([], []),
        "0-2": (["rubidium-2"], []),
        "1-3": (["explodium-2"], []),
        "2-1": (["scrap-2"], []),
        "2-2": (["void"], []),
        "0-4": (["rock"], []),
        "4-4": ([], ["1"]),
    }
    assert by_id(scene)["hex-4-4"].tip == "4, 4: spawn of Blue"
    assert by_id(scene)["hex-0-2"].tip == "0, 2: rubidium, 2 units left"


def test_half_mines_are_seen_by_those_who_see_all() -> None:
    position = play(begin(FIELD), "move right-down; move right-down; mine")
    scene = skyport_scene(position)
    assert glyphs(parts_of(scene, "hex-0-2")) == ["rubidium-1"]
    assert by_id(scene)["hex-0-2"].tip == "0, 2: rubidium, 1 unit left"
    for seat in (0, 1):
        seen = skyport_scene(position, seat)
        assert glyphs(parts_of(seen, "hex-0-2")) == ["rubidium-2"]
        assert by_id(seen)["hex-0-2"].tip == "0, 2: rubidium"


def test_no_seat_sees_units() -> None:
    poor = begin(FIELD)
    rich = change(poor, units={(0, "laser"): 3})
    for seat in (0, 1):
        assert skyport_scene(poor, seat) == skyport_scene(rich, seat)
    assert skyport_scene(poor) != skyport_scene(rich)


@pytest.mark.parametrize("side", [MANY, MANY + 1])
def test_large_maps_are_drawn_by_kinds_of_tiles(side: int) -> None:
    options = SkyportOptions(map_text=format_map(generate(2, side, 1)))
    position = GAME.start(options)
    found = by_id(skyport_scene(position))
    if side == MANY:
        assert sum(name.startswith("hex-") for name in found) == side**2
        return
    for letter, tile in (("G", "grass"), ("V", "void"), ("R", "rubidium")):
        path = found[f"tiles-{tile}"]
        assert isinstance(path, Path)
        assert path.d.count("M") == "".join(position.rows).count(letter)
    assert sum(name.startswith("hex-") for name in found) < side**2 / 3


@pytest.mark.parametrize("position", SAMPLES, ids=lambda p: f"{p.seats} on {p.map.side}")
def test_robots_stand_on_their_hexes_and_can_be_seen(position: SkyportPosition) -> None:
    scene, fit = skyport_scene(position), fit_map(position.map.side)
    for robot in position.robots:
        group = by_id(scene)[f"robot-{robot.seat}"]
        assert isinstance(group, Group)
        assert (group.x, group.y) == middle(robot.place)
        assert group.scale * fit.scale * 17 > 7.5
        if robot.health:
            assert glyphs(group.parts) == [f"robot-{PLAYER_THEMES[robot.seat].role}"]
            assert labels(group.parts) == [str(robot.seat)]
        else:
            assert glyphs(group.parts) == [f"body-{PLAYER_THEMES[robot.seat].role}", "cross"]


def test_health_bars_shrink() -> None:
    position = change(begin(FIELD), {0: (1, 0)}, {0: 50, 1: 20})
    half, low = (parts_of(skyport_scene(position), f"robot-{seat}")[-1] for seat in (0, 1))
    assert (half.role, low.role) == ("health", "health low")
    assert isinstance(half, Box)
    assert isinstance(low, Box)
    assert half.width == pytest.approx(2.5 * low.width)


def test_the_seat_to_act_is_marked() -> None:
    scene = skyport_scene(begin(FIELD, first=1))
    assert [parts_of(scene, f"player-{seat}")[0].role for seat in (0, 1)] == ["row", "row active"]
    assert "turn" in [part.role for part in parts_of(scene, "robot-1")]
    assert "turn" not in [part.role for part in parts_of(scene, "robot-0")]


# --- turns ---


def test_a_robot_moves_under_its_name() -> None:
    scenes = stage_scenes(begin(FIELD), "move right-down; move left-down; move down")
    walked = [(shape.x, shape.y) for shape in (by_id(scene)["robot-0"] for scene in scenes)]
    assert walked == [middle((0, 1)), middle((1, 1)), middle((1, 1)), middle((1, 1))]
    assert "trail" in by_id(scenes[-1])
    assert labels((by_id(scenes[2])["pop-0"],)) == ["refused"]


def test_a_mine_and_an_upgrade_are_told_above_the_robot() -> None:
    rich = change(begin(FIELD), {0: (0, 2)}, units={(0, "laser"): 4})
    mine, upgrade, *_ = stage_scenes(rich, "mine; upgrade laser")
    assert labels((by_id(mine)["pop-0"],)) == ["+1"]
    assert labels((by_id(upgrade)["pop-0"],)) == ["laser 2"]


def test_a_laser_is_bold_and_then_pale() -> None:
    position = change(begin(FIELD), {0: (3, 0), 1: (3, 2)})
    shining, hitting, past = stage_scenes(position, "laser right-down")
    roles = [by_id(scene)["shot"].role for scene in (shining, hitting, past)]
    assert roles == ["now", "now", "past"]
    assert "spark-1" not in by_id(shining)
    assert by_id(hitting)["spark-1"].x == middle((3, 2))[0]
    assert labels((by_id(hitting)["pop-1"],)) == ["-22"]
    beam = by_id(shining)["beam"]
    assert isinstance(beam, Path)
    x, y = middle((3, 0))
    dx, dy = (b - a for a, b in zip(middle((3, 0)), middle((3, 4)), strict=True))
    assert beam.d == f"M{x:.1f} {y:.1f}l{dx:.1f} {dy:.1f}"


def test_a_laser_that_is_blocked_at_once_is_seen() -> None:
    position = change(begin(FIELD), {0: (0, 3)})
    (shining, *_) = stage_scenes(position, "laser right-down")
    beam = by_id(shining)["beam"]
    assert isinstance(beam, Path)
    assert not beam.d.endswith("l0.0 0.0")


def test_a_shell_flies_over_everything_and_explodes() -> None:
    position = change(begin(FIELD), {0: (3, 0)})
    flying, exploding, past = stage_scenes(position, "mortar 0,2")
    assert by_id(flying)["shell"].y < middle((3, 1))[1]
    assert flying.shapes[2].id == "island"
    assert parts_of(flying, "island")[-1].id == "shell"
    assert "blast" not in by_id(flying)
    for scene in (exploding, past):
        found = by_id(scene)
        assert (found["blast"].x, found["blast"].y) == middle((3, 2))
        assert sum(name.startswith("area-") for name in found) == 6
        assert "shell" not in found


def test_a_shell_that_is_lost_leaves_a_cross() -> None:
    position = change(begin(FIELD), {0: (3, 0)}, level={(0, "mortar"): 3})
    for target in ("-1,2", "4,0"):
        flying, lost, _ = stage_scenes(position, f"mortar {target}")
        assert "lost" not in by_id(flying)
        assert "lost" in by_id(lost)
        assert "blast" not in by_id(lost)
        across = middle((0, 4))[0]
        assert abs(by_id(lost)["lost"].x) <= across + 2 * HEX, "far off the map is drawn nearer"


def test_a_droid_walks_under_its_name() -> None:
    position = change(begin(FIELD, "droid laser"), {0: (3, 0)})
    scenes = stage_scenes(position, "droid right-down,right-down")
    walked = [by_id(scene).get("droid") for scene in scenes]
    assert [shape and (shape.x, shape.y) for shape in walked] == [
        middle((3, 0)), middle((3, 1)), middle((3, 2)), None, None
    ]  # fmt: skip
    assert by_id(scenes[3])["blast"].x == middle((3, 2))[0]


def test_an_explosion_at_the_edge_stays_on_the_map() -> None:
    position = change(begin(FIELD, "droid laser"), {0: (1, 0)})
    *_, past = stage_scenes(position, "droid")
    areas = [shape for name, shape in by_id(past).items() if name.startswith("area-")]
    assert len(areas) == 4
    assert all(isinstance(shape, Hex) for shape in areas)


def test_who_dies_falls_after_the_hit() -> None:
    position = change(begin(FIELD), {0: (3, 0), 1: (3, 2)}, {1: 9})
    shown = [
        glyphs(parts_of(scene, "robot-1"))[0]
        for scene in stage_scenes(position, "laser right-down")
    ]
    assert shown == ["robot-blue", "robot-blue", "body-blue", "body-blue"]


@pytest.mark.long
def test_all_stages_are_pictures() -> None:
    rng = Random(2)  # noqa: S311
    position = GAME.start(SkyportOptions(turns=6), 5, 4)
    while position.to_act:
        turns = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        for _, stage in position.stages(turns):
            check_picture(skyport_scene(stage))
        position = position.play(turns)


# --- what stands around the island ---


def test_the_panel_tells_how_robots_are() -> None:
    position = change(begin(FIELD, "laser droid"), health={0: 64}, level={(0, "droid"): 2})
    position = change(position, units={(0, "laser"): 3, (0, "droid"): 1})
    scene = skyport_scene(position)
    assert labels(parts_of(scene, "player-0")) == [
        *("0", "Red", "0", "64", "laser", "droid", "3", "0", "1"),
    ]
    pips = [part.role for part in parts_of(scene, "player-0") if part.role.startswith("pip")]
    assert pips == ["pip", "pip-off", "pip-off", "pip", "pip", "pip-off"]
    assert by_id(scene)["player-0"].tip == "Red: 64 health, laser 1 and droid 2, 0 points"


def test_the_words_about_a_turn_grow_with_it() -> None:
    position = change(begin(FIELD), {0: (3, 0), 1: (3, 2)})
    moved, refused, flying, hit, past = stage_scenes(
        position, "move right-up; mine; laser left-down"
    )
    told = [labels(parts_of(s, "last-turn"))[1:] for s in (moved, refused, flying, hit, past)]
    first, second = "move right-up", "refused: mine: nothing to mine on a G tile"
    assert told[:3] == [[first], [first, second], [first, second, "laser left-down"]]
    assert told[3] == told[4] == [first, second, "laser left-down: no robot is hit"]


def test_penalties_are_in_the_story() -> None:
    scene = skyport_scene(play(begin(FIELD), "nothing"))
    (told,) = labels(parts_of(scene, "last-turn"))[1:]
    assert told == "lost: 10 points for doing nothing and 10 for staying on the spawn"


def test_the_winner_and_who_failed_are_told() -> None:
    position = begin(FIELD, turns=1).drop({1: "crash"})
    assert "failed: crash" in labels(parts_of(skyport_scene(position), "player-1"))
    position = play(position, "move right-down", "nothing")
    scene = skyport_scene(position)
    assert labels(scene.shapes)[0] == "Red won: all turns are played"
    assert "winner" in labels(parts_of(scene, "player-0"))


def test_names_are_only_text() -> None:
    position = play(begin(FIELD), "move right-down")
    scene = skyport_scene(position, None, ("<b>Bobby</b>", "x" * 200))
    assert "<b>Bobby</b>" in labels(scene.shapes)
    row = labels(parts_of(scene, "player-1"))
    assert not [text for text in row if "x" * 20 in text], "long names are cut"
    check_picture(scene)


# --- the look ---


def rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def test_players_differ_in_shape_and_colour() -> None:
    assert len(PLAYER_THEMES) == GAME.seats[-1]
    for one, other in combinations(PLAYER_THEMES, 2):
        assert one.outline != other.outline
        for a, b in ((one.light, other.light), (one.dark, other.dark)):
            assert dist(rgb(a), rgb(b)) > 60
