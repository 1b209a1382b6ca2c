"""Pictures of Battlebots: forts and armies in their places, and nothing that a seat cannot see."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from math import dist, hypot
from random import Random
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from agon.games.battlebots.field import Battlefield, Fort
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.look import LOOK, PLAYER_THEMES, format_count
from agon.games.battlebots.scene import MAP, battlebots_scene, find_gap, fit_map
from agon.games.shapes import Group, Label, Path, Shape, Stamp, all_shapes
from agon.games.svg import format_svg
from tests.games.battlebots.situation import begin, play, wait, with_field
from tests.games.scene_json import scene_to_json

if TYPE_CHECKING:
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.scene import Scene

#  a - b - c - d     ann has a, bob has d
ROW = "a 0 0 ann 10, b 5 0 neutral 2, c 10 0 neutral 0, d 15 0 bob 7"
ROADS = "a b, b c, c d"


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


def armies(scene: Scene) -> set[str]:
    return {name for name in by_id(scene) if name.startswith("army-")}


def after(turns: int, seats: int, kind: str = "fair") -> BattlebotsPosition:
    """A position of random play."""
    rng = Random(turns)  # noqa: S311
    position = GAME.start(BattlebotsOptions(map=kind, seats=seats), 3)
    for _ in range(turns):
        position = position.play({s: position.random_turn(s, rng) for s in position.to_act})
    return position


SAMPLES = [after(0, 2), after(20, 3, "random"), after(30, 8)]


@pytest.mark.parametrize("position", SAMPLES, ids=lambda p: f"{p.seats} seats")
@pytest.mark.parametrize("seat", [None, 1])
def test_pictures_are_valid_and_know_their_roles(
    position: BattlebotsPosition, seat: int | None
) -> None:
    scene = battlebots_scene(position, seat)
    ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture
    json.dumps(scene_to_json(scene), allow_nan=False)
    styles = [set(style.role.split()) for style in LOOK.styles]
    known = {glyph.name for glyph in LOOK.glyphs}
    for shape in all_shapes(scene.shapes):
        words = set(shape.role.split())
        assert isinstance(shape, Group) or any(style <= words for style in styles), shape
        assert not isinstance(shape, Stamp) or shape.glyph in known


@pytest.mark.parametrize("position", SAMPLES, ids=lambda p: f"{p.seats} seats")
def test_every_fort_is_inside_the_map_and_none_covers_another(position: BattlebotsPosition) -> None:
    found, fit = by_id(battlebots_scene(position)), fit_map(position.field)
    places = []
    for number, fort in enumerate(position.field.forts):
        shape = found[f"fort-{number}"]
        places.append((shape.x, shape.y))
        assert MAP[0] <= shape.x - fit.fort
        assert shape.x + fit.fort <= MAP[2]
        assert MAP[1] <= shape.y - fit.fort
        assert shape.y + fit.fort <= MAP[3]
        assert shape.tip.startswith(f"{fort.name}: ")
    assert min(dist(a, b) for a, b in combinations(places, 2)) > 2 * fit.fort


def test_forts_show_who_holds_them_and_with_how_many() -> None:
    scene = battlebots_scene(begin(ROW, ROADS))
    assert glyphs(parts_of(scene, "fort-0")) == ["shape-red"]
    assert labels(parts_of(scene, "fort-0")) == ["10", "a"]
    assert glyphs(parts_of(scene, "fort-1")) == ["keep"]
    assert labels(parts_of(scene, "fort-1"))[0] == "2"
    assert glyphs(parts_of(scene, "fort-3")) == ["shape-blue"]
    assert by_id(scene)["fort-3"].tip == "d: bob, 7"
    assert by_id(scene)["road-0"].tip == "a - b: 5 steps"


def test_north_is_up() -> None:
    found = by_id(battlebots_scene(begin("a 0 0 ann 1, b 0 9 bob 1", "a b")))
    assert found["fort-1"].y < found["fort-0"].y
    assert found["fort-1"].x == found["fort-0"].x


def test_an_army_keeps_its_name_and_marches_along_its_road() -> None:
    position = play(begin(ROW, ROADS), ann="a b 3")
    places = []
    while (found := by_id(battlebots_scene(position)).get("army-0-0-0")) is not None:
        assert isinstance(found, Group)
        places.append((found.x, found.y))
        assert labels(found.parts)[-1] == "3"
        position = play(position)
    assert len(places) == 4  # R6: a road of 5 steps
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(places)]
    assert all(dx > 0 and dy == 0 for dx, dy in steps)
    assert max(dx for dx, _ in steps) == pytest.approx(min(dx for dx, _ in steps))


def test_armies_of_one_road_have_names_of_their_own() -> None:
    position = play(play(begin(ROW, ROADS), ann="a b 3"), ann="a b 2")
    assert armies(battlebots_scene(position)) == {"army-0-0-0", "army-0-1-0"}
    tips = {shape.tip for shape in by_id(battlebots_scene(position)).values()}
    assert {
        "ann: 3 from a to b, arriving in turn 5",
        "ann: 2 from a to b, arriving in turn 6",
    } <= tips


def test_armies_that_march_close_together_are_one_column_on_all_their_way() -> None:
    position = begin("a 0 0 ann 9, b 40 0 bob 1", "a b")
    for _ in range(2):
        position = play(position, ann="a b 2")
    for _ in range(35):
        (column,) = (s for s in battlebots_scene(position).shapes if s.id.startswith("army-"))
        assert column.id == "army-0-0-0"
        assert column.tip == "ann: 4 in 2 armies from a to b, arriving in turns 40 to 41"
        assert labels(parts_of(battlebots_scene(position), "army-0-0-0"))[-1] == "4"
        position = play(position)


def test_on_crowded_maps_columns_say_who_marches_where() -> None:
    position = play(begin("a 0 0 ann 9, b 40 0 bob 1, c 0 1 bob 1", "a b, b c"), ann="a b 2")
    for _ in range(20):
        (column,) = (s for s in battlebots_scene(position).shapes if s.id.startswith("army-"))
        assert column.tip == "ann: 2 from a to b"
        position = play(position)


def test_armies_of_two_players_are_never_one_column() -> None:
    marches = "a b ann 4 30, a b bob 5 29"
    position = begin("a 0 0 ann 9, b 40 0 bob 1", "a b", marches)
    assert armies(battlebots_scene(position)) == {"army-0--10-0", "army-0--12-1"}


def test_an_army_of_the_map_has_a_name_too() -> None:
    assert armies(battlebots_scene(begin(ROW, ROADS, "b a ann 4 2"))) == {"army-1--3-0"}


def test_an_army_points_where_it_goes() -> None:
    scene = battlebots_scene(play(begin(ROW, ROADS), ann="a b 3", bob="d c 2"))
    for name, sign in (("army-0-0-0", 1), ("army-5-0-1", -1)):
        point = parts_of(scene, name)[0]
        assert isinstance(point, Path)
        assert float(point.d[1:].split()[0]) * sign > 0


def test_forts_lie_above_armies() -> None:
    scene = battlebots_scene(play(begin(ROW, ROADS), ann="a b 3"))
    ids = [shape.id for shape in scene.shapes]
    assert ids.index("road-0") < ids.index("army-0-0-0") < ids.index("fort-0")


def test_own_armies_that_pass_do_not_cover_each_other() -> None:
    ends = "a 0 0 ann 9, b 6 0 ann 9, c 9 9 bob 1"
    position = wait(play(begin(ends, "a b"), ann="a b 3, b a 3"), 2)
    one, other = (by_id(battlebots_scene(position))[name] for name in ("army-0-0-0", "army-1-0-0"))
    assert (one.x, one.y) != (other.x, other.y)
    assert one.x == pytest.approx(other.x)


# --- stages ---


def test_a_turn_in_stages() -> None:
    position = play(begin(ROW, ROADS), ann="a b 3")
    turns = {0: position.parse_turn(0, "a b 2"), 1: ()}
    stages = dict(position.stages(turns))
    assert [*stages] == ["orders", "half a step", "a whole step", "sieges and growth"]
    assert stages["sieges and growth"].observe(None) == position.play(turns).observe(None)
    gone = {
        caption: {army.left_at: army.half_steps for army in stage.armies}
        for caption, stage in stages.items()
    }
    assert gone == {
        "orders": {0: 2, 1: 0},
        "half a step": {0: 3, 1: 1},
        "a whole step": {0: 4, 1: 2},
        "sieges and growth": {0: 4, 1: 2},
    }
    assert len({frozenset(armies(battlebots_scene(stage))) for stage in stages.values()}) == 1
    assert position.armies[0].half_steps == 2, "the position is as it was"


def test_armies_at_the_gates_are_there_before_the_siege() -> None:
    position = wait(play(begin(ROW, ROADS), ann="a b 3"), 3)
    stages = dict(position.stages({0: (), 1: ()}))
    assert [army.to_go for army in stages["a whole step"].armies] == [0]
    assert stages["a whole step"].field.fort["b"].owner == "neutral"
    assert stages["sieges and growth"].field.fort["b"].owner == "ann"
    assert stages["sieges and growth"].armies == ()


def test_a_collision_is_seen_where_it_happens() -> None:
    ends = "a 0 0 ann 9, b 3 0 bob 9"
    stages = dict(play(begin(ends, "a b"), ann="a b 5", bob="b a 3").stages({0: (), 1: ()}))
    assert [army.soldiers for army in stages["orders"].armies] == [5, 3]
    assert [army.soldiers for army in stages["half a step"].armies] == [2]


def test_armies_agree_with_marches() -> None:
    for position in SAMPLES:
        told = {(a.origin, a.target, a.soldiers, a.to_go) for a in position.armies}
        assert told == {(m.origin, m.target, m.soldiers, m.steps) for m in position.field.marches}


# --- what a seat sees ---


def test_what_a_seat_does_not_see_is_grey_and_says_nothing() -> None:
    position = play(begin(ROW, ROADS), bob="d c 2")
    scene = battlebots_scene(position, 0)
    for name in ("fort-2", "fort-3"):
        assert glyphs(parts_of(scene, name)) == ["fog"]
        assert labels(parts_of(scene, name)) == []
        assert by_id(scene)[name].tip == "not in sight"
    assert by_id(scene)["road-2"].role == "unseen"
    assert by_id(scene)["road-2"].tip == ""
    assert armies(scene) == set()
    assert armies(battlebots_scene(position, 1)) == {"army-5-0-1"}
    assert labels(scene.shapes)[0] == "Turn 1, as ann (Red) sees it"


def test_states_that_look_equal_to_a_seat_give_equal_pictures() -> None:
    position = play(begin(ROW, ROADS))
    field = position.field
    hidden = field.forts[3]._replace(soldiers=50)
    other = with_field(position, Battlefield((*field.forts[:3], hidden), field.roads))
    assert battlebots_scene(position) != battlebots_scene(other)
    assert battlebots_scene(position, 0) == battlebots_scene(other, 0)
    assert battlebots_scene(position, 1) != battlebots_scene(other, 1)


def test_no_seat_is_told_who_is_out() -> None:
    three = "a 0 0 ann 10, b 5 0 neutral 2, c 10 0 cid 1, d 13 0 bob 7"
    position = wait(play(begin(three, "a b, b c, c d"), bob="d c 7"), 2)
    assert position.out_since(2) == 3
    assert "out in turn 3" in labels(parts_of(battlebots_scene(position), "player-2"))
    assert "out in turn 3" not in labels(parts_of(battlebots_scene(position, 0), "player-2"))
    dropped = position.drop({1: "crash"})
    assert "failed: crash" in labels(parts_of(battlebots_scene(dropped), "player-1"))


# --- the panel ---


def test_the_panel_counts_forts_and_soldiers() -> None:
    position = play(begin(ROW, ROADS), ann="a b 3")
    assert labels(parts_of(battlebots_scene(position), "player-0")) == [
        *("ann", "11", "1 fort, 3 on roads"),
    ]
    assert labels(parts_of(battlebots_scene(position, 1), "player-0")) == ["ann", "0", "0 forts"]
    assert parts_of(battlebots_scene(position, 1), "player-1")[0].role == "row viewer"


def test_the_winner_is_told() -> None:
    position = wait(play(begin("a 0 0 ann 9, b 3 0 bob 1", "a b"), ann="a b 9"), 2)
    assert position.outcome is not None
    scene = battlebots_scene(position, 1)
    assert labels(scene.shapes)[0] == "ann (Red) won: one player left"
    assert "winner" in labels(parts_of(scene, "player-0"))


def test_names_are_only_text() -> None:
    scene = battlebots_scene(begin(ROW, ROADS), None, ("<b>B</b>", "x" * 200))
    assert "<b>B</b>" in labels(scene.shapes)
    assert not [text for text in labels(scene.shapes) if "x" * 20 in text], "long names are cut"
    ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture


def test_odd_maps_break_nothing() -> None:
    for forts in (
        'a"<&> 0 0 ann 99999999, b 1 0 bob 1',
        "a -999999999 0 ann 1, b 999999999 999999999 bob 1, c 0 0 neutral 0, d 1 0 neutral 0",
    ):
        for seat in (None, 0):
            scene = battlebots_scene(begin(forts), seat)
            root = ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture
            assert len(list(root.iter())) > forts.count(",") + 1
            assert json.dumps(scene_to_json(scene), allow_nan=False)


# --- the look ---


def rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


BLIND = {
    "red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen_without(cone: str, colour: str) -> tuple[float, ...]:
    """About what is left of a colour."""
    return tuple(sum(a * b for a, b in zip(row, rgb(colour), strict=True)) for row in BLIND[cone])


def test_players_differ_in_shape_letter_and_colour() -> None:
    assert len(PLAYER_THEMES) == GAME.seats[-1]
    for one, other in combinations(PLAYER_THEMES, 2):
        assert one.outline != other.outline
        assert one.letter != other.letter
        for a, b in ((one.light, other.light), (one.dark, other.dark)):
            assert dist(rgb(a), rgb(b)) > 60
            for cone in BLIND:
                assert dist(seen_without(cone, a), seen_without(cone, b)) > 40


@pytest.mark.parametrize(
    ("soldiers", "text"), [(0, "0"), (999, "999"), (1000, "1.0k"), (10**5, "100k"), (10**8, "100M")]
)
def test_counts_are_short(soldiers: int, text: str) -> None:
    assert format_count(soldiers) == text


def test_the_closest_pair_is_found() -> None:
    rng = Random(4)  # noqa: S311
    for _ in range(20):
        places = sorted({(rng.randrange(99), rng.randrange(99)) for _ in range(30)})
        closest = min(hypot(a - c, b - d) for (a, b), (c, d) in combinations(places, 2))
        assert find_gap(places) == pytest.approx(closest)


def test_a_map_of_one_column_fits() -> None:
    field = Battlefield((Fort("a", 3, 0, "ann", 1), Fort("b", 3, 50, "bob", 1)))
    assert fit_map(field).scale > 1
