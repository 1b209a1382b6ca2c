"""Scenes as small data: only what changed since the scene before.

Live boards and replays are sent like this. A reader needs the scene before, or a message that tells
all of a scene.

A shape with an id is a node of its own: how it looks (its body), where it is, what words it has
(the texts of its labels, in their order, and its tip, on a line each), and, if it is a group that
holds other nodes, which. Nodes and bodies are told once and called by their numbers afterwards, so
a message has these keys, each only if there is something to say:

    names    number, id, ...: nodes that the reader knows, but not by these numbers
    shapes   bodies, which get the next numbers; those of nodes without the texts of their labels
    new      id, body, x, y, words, ...: nodes, which get the next numbers; places in hundredths
    set      node, body, ...: nodes that look different
    move     node, dx, dy, ...: how far nodes have moved, in hundredths
    words    node, words, ...: nodes that have other words than before
    count    [node, more, ...]: nodes in whose words only numbers have changed; the first number,
             wherever it stands there, is so much more, then the next different one, and so on
    gone     nodes that are no more; one that comes again is a new one
    kids     [node, from, taken out, [put in, ...]]: what a group holds from back to front:
             the number of a node, or -1 - the number of a body that is no node
    title    the scene in words

The node with the id "" holds all others. `static/scene.js` reads these messages.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache, lru_cache
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.games.shapes import Group, Label, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.scene import Scene

Message: TypeAlias = dict[str, Any]
Nodes: TypeAlias = "dict[str, Node]"

ROOT = ""
KEYS = ("names", "new", "set", "move", "words", "count", "gone", "kids", "shapes")
NOT_BODY = ("id", "x", "y", "tip")
NUMBER = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class Node:
    """A shape that has an id, without the nodes that it holds; those are its kids, by their ids."""

    shape: Shape
    kids: tuple[str | Shape, ...] = ()


def nodes_of(scene: Scene) -> Nodes:
    found: Nodes = {}
    root = Group(ROOT, "", parts=scene.shapes)
    found[ROOT] = Node(replace(root, parts=()), _kids(root, found))
    return found


def _kids(group: Group, found: Nodes) -> tuple[str | Shape, ...]:
    """What a group holds; the nodes among it are added to those found."""
    for part in group.parts:
        if not part.id:
            continue
        if isinstance(part, Group) and any(inner.id for inner in part.parts):
            found[part.id] = Node(replace(part, parts=()), _kids(part, found))
        else:
            found[part.id] = Node(part)
    return tuple(part.id or part for part in group.parts)


class Encoder:
    """Makes messages that follow each other: what one has told, the next ones take as known.

    A new encoder may begin in the middle of a match: it calls the nodes that it needs by their ids.
    """

    def __init__(self) -> None:
        self._looks: dict[object, int] = {}
        self._bodies: dict[Shape, int] = {}
        self._new_shapes: list[Message] = []
        self._new_names: list[int | str] = []
        self._numbers = count()
        self._body_numbers = count()
        self._known: dict[str, int] = {}

    def encode(self, before: Nodes, after: Nodes) -> Message:
        """What makes the first scene the second; an empty scene has no nodes."""
        message: Message = {key: [] for key in KEYS}
        for name in before:
            if name not in after:
                message["gone"].append(self._number(name))
                del self._known[name]
        for name, node in after.items():
            if name not in before:
                self._tell_new(message, node.shape)
            elif (old := before[name].shape) is not node.shape and old != node.shape:
                self._tell_change(message, old, node.shape)
        for name, node in after.items():
            old_kids = before[name].kids if name in before else ()
            if old_kids != node.kids:
                splice = self._splice(old_kids, node.kids)
                message["kids"].append([self._number(name), *splice])
        message["names"], self._new_names = self._new_names, []
        message["shapes"], self._new_shapes = self._new_shapes, []
        return {key: value for key, value in message.items() if value}

    def _number(self, name: str) -> int:
        """The number of a node that there was before."""
        if name not in self._known:
            self._known[name] = next(self._numbers)
            self._new_names += [self._known[name], name]
        return self._known[name]

    def _tell_new(self, message: Message, shape: Shape) -> None:
        self._known[shape.id] = next(self._numbers)
        place = hundredths(shape.x), hundredths(shape.y)
        message["new"] += [shape.id, self._look(shape), *place, words_of(shape)]

    def _tell_change(self, message: Message, old: Shape, new: Shape) -> None:
        number = self._number(old.id)
        if not _same_body(old, new):
            message["set"] += [number, self._look(new)]
        if old.x != new.x or old.y != new.y:
            dx, dy = hundredths(new.x) - hundredths(old.x), hundredths(new.y) - hundredths(old.y)
            if dx or dy:
                message["move"] += [number, dx, dy]
        words = words_of(new)
        counts = changed_numbers(words_of(old), words)
        if counts is None:
            message["words"] += [number, words]
        elif counts:
            message["count"].append([number, *counts])

    def _splice(
        self, old: tuple[str | Shape, ...], new: tuple[str | Shape, ...]
    ) -> tuple[int, int, list[int]]:
        """The one stretch in which the two differ: where, how long it was, what it is."""
        shorter = min(len(old), len(new))
        first = next((i for i in range(shorter) if old[i] != new[i]), shorter)
        last = next((i for i in range(shorter - first) if old[-1 - i] != new[-1 - i]), None)
        same = shorter - first if last is None else last
        put_in = [self._reference(kid) for kid in new[first : len(new) - same]]
        return first, len(old) - same - first, put_in

    def _reference(self, kid: str | Shape) -> int:
        return self._number(kid) if isinstance(kid, str) else -1 - self._body(kid)

    def _look(self, shape: Shape) -> int:
        """The number of a node's body; many nodes have the same."""
        body = without_texts(shape)
        kind: Any = type(body)
        key = kind, _body_fields(kind)(body)
        if key not in self._looks:
            self._looks[key] = self._tell_body(body, NOT_BODY)
        return self._looks[key]

    def _body(self, shape: Shape) -> int:
        """The number of a shape that is no node: all of it is body."""
        if shape not in self._bodies:
            self._bodies[shape] = self._tell_body(shape, ("id",))
        return self._bodies[shape]

    def _tell_body(self, shape: Shape, left_out: Iterable[str]) -> int:
        record = _record(shape, left_out)
        if isinstance(shape, Group):
            record["parts"] = [self._body(part) for part in shape.parts]
        self._new_shapes.append(record)
        return next(self._body_numbers)


def _same_body(old: Shape, new: Shape) -> bool:
    kind: Any = type(new)
    body = _body_fields(kind)
    return type(old) is kind and bool(body(without_texts(old)) == body(without_texts(new)))


@cache
def _body_fields(kind: Any) -> attrgetter[Any]:
    """Reads the fields of a shape that make its body."""
    return attrgetter(*(part.name for part in fields(kind) if part.name not in NOT_BODY))


def words_of(shape: Shape) -> str:
    """The texts of its labels, and its tip.

    >>> words_of(Label("a", "name", text="ann", size=9, tip="the first player"))
    'ann\\nthe first player'
    """
    return "\n".join((*_texts(shape), shape.tip))


def _texts(shape: Shape) -> tuple[str, ...]:
    if isinstance(shape, Label):
        return (shape.text,)
    return _texts_in(shape.parts) if isinstance(shape, Group) else ()


@lru_cache(1 << 14)
def _texts_in(parts: tuple[Shape, ...]) -> tuple[str, ...]:
    return tuple(text for part in parts for text in _texts(part))


def without_texts(shape: Shape) -> Shape:
    """The shape with labels that say nothing."""
    if isinstance(shape, Label):
        return replace(shape, text="")
    if isinstance(shape, Group) and _texts_in(shape.parts):
        return replace(shape, parts=_without_texts(shape.parts))
    return shape


@lru_cache(1 << 14)
def _without_texts(parts: tuple[Shape, ...]) -> tuple[Shape, ...]:
    return tuple(map(without_texts, parts))


def changed_numbers(old: str, new: str) -> tuple[int, ...] | None:
    """How much more each different number of a text is in another; None: more than that differs.

    >>> changed_numbers("3 of 9, 3 left", "4 of 9, 4 left"), changed_numbers("3 of 3", "2 of 3")
    ((1,), None)
    """
    if old == new:
        return ()
    (words, before), (new_words, after) = _split(old), _split(new)
    if words != new_words:
        return None
    became: dict[int, int] = {}
    if any(became.setdefault(a, b) != b for a, b in zip(before, after, strict=True)):
        return None
    more = [b - a for a, b in became.items()]
    while not more[-1]:
        more.pop()
    return tuple(more)


@lru_cache(1 << 14)
def _split(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The words around the numbers of a text, and the numbers; 007 is none that can be counted."""
    found = NUMBER.findall(text)
    if any(len(one) > 9 or one != str(int(one)) for one in found):
        return (text,), ()
    return tuple(NUMBER.split(text)), tuple(map(int, found))


def _record(shape: Shape, left_out: Iterable[str]) -> Message:
    """A shape's own fields that are not what they usually are, without parts."""
    record: Message = {"kind": type(shape).__name__.lower()}
    for part in fields(shape):
        value = getattr(shape, part.name)
        if part.name not in left_out and part.name != "parts" and not _is_usual(part, value):
            record[part.name] = _rounded(part.name, value)
    return record


def _is_usual(part: Any, value: object) -> bool:
    return value == (part.default if part.default is not MISSING else "")


def _rounded(name: str, value: Any) -> Any:
    """As `agon.games.svg` rounds."""
    if name == "scale":
        return float(f"{value:.4g}")
    return round(value, 2) if isinstance(value, float) else value


def hundredths(value: float) -> int:
    """A place in whole hundredths.

    >>> hundredths(671.259)
    67126
    """
    return round(value * 100)


def format_message(message: Message) -> bytes:
    """A message as one line of JSON."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
