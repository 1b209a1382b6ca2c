"""Scenes as messages: decoded, they are the scenes; and they are small."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.games.registry import game_names
from agon.games.scene import Scene
from agon.games.shapes import Box, Disc, Group, Label, Look, Shape
from agon.match.replay_steps import tell
from agon.website.live.frames import Encoder, changed_numbers, format_message, nodes_of
from tests.website.arena import play

LOOK = Look("test")


@dataclass
class Reader:
    """Reads messages as the page's script does, in as few words as can be."""

    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    bodies: list[Any] = field(default_factory=list)
    ids: dict[int, str] = field(default_factory=dict)
    next: int = 0

    def forget(self) -> None:
        self.bodies, self.ids, self.next = [], {}, 0

    def read(self, line: bytes) -> None:
        message = json.loads(line)
        for body in message.get("shapes", []):
            if "parts" in body:
                body["parts"] = [self.bodies[part] for part in body["parts"]]
            self.bodies.append(body)
        self.ids.update(dict(zip(*[iter(message.get("names", []))] * 2, strict=True)))
        for number in message.get("gone", []):
            del self.nodes[self.ids[number]]
        for id_, body, x, y, words in zip(*[iter(message.get("new", []))] * 5, strict=True):
            while self.next in self.ids:
                self.next += 1
            self.ids[self.next] = id_
            node = {"body": self.bodies[body], "x": x, "y": y, "words": words, "kids": []}
            self.nodes[id_] = node
        self._change(message)
        for number, start, taken, put in message.get("kids", []):
            kids = self.nodes[self.ids[number]]["kids"]
            kids[start : start + taken] = [
                self.ids[kid] if kid >= 0 else self.bodies[-1 - kid] for kid in put
            ]

    def _change(self, message: dict[str, Any]) -> None:
        for number, body in zip(*[iter(message.get("set", []))] * 2, strict=True):
            self.nodes[self.ids[number]]["body"] = self.bodies[body]
        for number, dx, dy in zip(*[iter(message.get("move", []))] * 3, strict=True):
            self.nodes[self.ids[number]]["x"] += dx
            self.nodes[self.ids[number]]["y"] += dy
        for number, words in zip(*[iter(message.get("words", []))] * 2, strict=True):
            self.nodes[self.ids[number]]["words"] = words
        for number, *more in message.get("count", []):
            node = self.nodes[self.ids[number]]
            different = dict.fromkeys(re.findall("[0-9]+", node["words"]))
            became = {old: str(int(old) + by) for old, by in zip(different, more, strict=False)}
            parts = re.split("([0-9]+)", node["words"])
            node["words"] = "".join(became.get(part, part) for part in parts)

    def check(self, scene: Scene) -> None:
        """What was read is the scene."""
        fresh = Reader()
        fresh.read(format_message(Encoder().encode({}, nodes_of(scene))))
        assert self.nodes.keys() == fresh.nodes.keys()
        for id_, node in fresh.nodes.items():
            seen = self.nodes[id_]
            assert seen == node, id_


def scene_of(*shapes: Shape) -> Scene:
    return Scene("a test", 100, 100, LOOK, shapes)


def checked_messages(*scenes: Scene) -> list[dict[str, Any]]:
    """What one encoder says of these scenes; each is decoded and compared with its scene."""
    encoder, reader = Encoder(), Reader()
    before: dict[str, Any] = {}
    found = []
    for scene in scenes:
        after = nodes_of(scene)
        found.append(encoder.encode(before, after))
        reader.read(format_message(found[-1]))
        reader.check(scene)
        before = after
    return found


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("seat", [None, 1])
def test_a_match_is_read_as_it_was_drawn(game: str, seat: int | None) -> None:
    match = play(game, ("random", "random"), turns=8)
    encoder, going, fresh = Encoder(), Reader(), Reader()
    before: dict[str, Any] = {}
    for step in tell(match.transcript, in_stages=True):
        scene = step.position.scene(seat)
        after = nodes_of(scene)
        going.read(format_message(encoder.encode(before, after)))
        going.check(scene)
        fresh.forget()
        fresh.read(format_message(Encoder().encode(before, after)))
        fresh.check(scene)
        before = after


def test_a_scene_that_stays_says_nothing() -> None:
    scene = scene_of(Disc("a", "stone", 10, 20, radius=3))
    assert checked_messages(scene, scene)[1] == {}


def test_a_shape_that_moves_says_how_far_and_what_it_counts() -> None:
    steps = [scene_of(Disc("a", "stone", 10 + 1.5 * i, 20, radius=3, tip=f"{i}")) for i in range(3)]
    first, second, third = checked_messages(*steps)
    number = first["new"].index("a") // 5
    assert second == third == {"move": [number, 150, 0], "count": [[number, 1]]}


def test_what_is_not_seen_is_not_told() -> None:
    xs = [0, 5, 5.004, 5.008, 10]
    _, _, third, _, fifth = checked_messages(
        *(scene_of(Disc("a", "stone", x, radius=3)) for x in xs)
    )
    assert third == {}
    assert fifth["move"][1:] == [499, 0]


def test_what_comes_back_is_new() -> None:
    there, away = scene_of(Disc("a", "stone", radius=3, tip="1")), scene_of()
    messages = checked_messages(there, away, there)
    assert "gone" in messages[1]
    assert messages[2]["new"][0] == "a"


def test_bodies_are_told_once() -> None:
    def tile(id_: str, x: float) -> Shape:
        parts = (Disc("", "dot", radius=1), Label("", "name", text=id_, size=5))
        return Group(id_, "tile", x, parts=parts)

    first, second = checked_messages(scene_of(tile("a", 0)), scene_of(tile("a", 0), tile("b", 9)))
    assert len(first["shapes"]) == 4  # a dot, a name, the tile, and what holds all
    assert "shapes" not in second


def test_the_texts_of_labels_are_words_of_the_node() -> None:
    def fort(count: int) -> Scene:
        flag = Group("", "flag", parts=(Label("", "name", text="ann", size=5),))
        parts = (Disc("", "wall", radius=1), Label("", "count", text=f"{count}", size=5), flag)
        return scene_of(Group("a", "fort", parts=parts, tip=f"a: {count}"))

    first, second = checked_messages(fort(7), fort(9))
    number = first["new"].index("a") // 5
    assert "7\nann\na: 7" in first["new"]
    assert "ann" not in str(first["shapes"])
    assert second == {"count": [[number, 2]]}


def test_nodes_inside_a_group_are_told_one_by_one() -> None:
    def island(*roles: str) -> Scene:
        fields = (Box(f"field-{i}", r, i, width=1, height=1) for i, r in enumerate(roles))
        parts = (Disc("", "shore", radius=9), *fields)
        return scene_of(Group("island", "land", 5, 5, parts=parts, scale=0.5))

    _, second = checked_messages(island("dry", "dry"), island("dry", "wet"))
    assert second.keys() == {"shapes", "set"}
    assert len(second["set"]) == 2


@given(st.lists(st.permutations("abcdef").map(lambda names: names[:4]), min_size=2, max_size=6))
def test_shapes_keep_their_order_as_others_come_and_go(orders: list[list[str]]) -> None:
    plain = Box("", "plain", width=1, height=1)

    def scene(order: list[str]) -> Scene:
        parts = [Disc(name, "stone", radius=1) for name in order]
        return scene_of(Group("g", "holder", parts=(*parts[:2], plain, *parts[2:])))

    checked_messages(*map(scene, orders))


@given(st.text("0123 ab"), st.text("0123 ab"))
def test_numbers_in_words_are_counted_or_the_words_are_told(old: str, new: str) -> None:
    scenes = [scene_of(Disc("a", "stone", radius=1, tip=tip)) for tip in (old, new)]
    checked_messages(*scenes)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ()),
        ("3 left", "2 left", (-1,)),
        ("1 2 3", "1 3 3", (0, 1)),
        ("5\n5 left", "4\n4 left", (-1,)),
        ("5\n5 left", "4\n3 left", None),
        ("3 left", "3 right", None),
        ("07", "08", None),
        ("1", "12345678901", None),
    ],
)
def test_changed_numbers(old: str, new: str, expected: object) -> None:
    assert changed_numbers(old, new) == expected
