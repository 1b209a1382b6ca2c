"""Nodes as moulds and numbers: what stays when a thing is drawn again, and what does not.

A mould is a node with holes where its numbers were. The numbers of its id and its words, its place
and all sizes are numbers of a node, so that an army that marches, loses soldiers and comes nearer
to its goal comes from the same mould all its life:

    Group("army-6-12", "army", 31.5, 40, tip="ann: 30 from dule to nori, 4 to go", parts=...)
    mould    army-[]-[], army, [], [], ann: [] from dule to nori, [] to go, ...
    numbers  6, 12, 315000, 400000, 30, 4, ...

A number in words within the node that its tip or its id has, too, is told once: the number beside
an army is that of its soldiers, and changes with it.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from functools import cache, lru_cache
from itertools import accumulate, count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from agon.games.scene import Group

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.scene import Shape

Words: TypeAlias = "str | tuple[str, ...]"
"""A text; or, if there are numbers in it, what stands before, between and after them."""
Form: TypeAlias = "tuple[tuple[str, Any], ...]"
"""The fields of a shape with None for numbers, `Words` for texts and forms for parts."""

NUMBER = re.compile("[0-9]+")
MOST_DIGITS = 9
PLACE_UNITS = 10_000
"""Places of nodes are counted in such parts of one."""
UNITS = {"scale": 1_000_000}
USUAL_UNITS = 100
"""Other numbers are counted in such parts, as `agon.games.svg` rounds them."""
WITH_NUMBERS = ("text", "tip", "id")
"""The texts of a shape in which numbers are holes."""
MANY = 1 << 15


class Skeleton(NamedTuple):
    """What nodes have in common that differ in numbers alone."""

    id: Words
    tip: Words
    form: Form


class Body(NamedTuple):
    """How a node looks."""

    form: Form
    numbers: tuple[int, ...]
    in_words: tuple[int, ...]
    """Which of the numbers are in words."""


class Drawn(NamedTuple):
    """A node taken apart."""

    shape: Shape
    body: Body
    skeleton: Skeleton
    numbers: tuple[int, ...]


class Mould:
    """A skeleton, and which of its holes show the same number."""

    def __init__(self, number: int, drawn: Drawn) -> None:
        """The mould of this node."""
        self.number = number
        self.skeleton = drawn.skeleton
        self.twins = tuple(_twins(drawn))
        """Pairs of holes; the second one shows the number of the first one."""
        second = {late for _, late in self.twins}
        self.own = tuple(hole for hole in range(len(drawn.numbers)) if hole not in second)
        """The holes that have a number of their own."""
        x = holes_of(drawn.skeleton.id)
        self.place = (x, x + 1)
        """Which of its numbers say where a node is."""

    def fits(self, drawn: Drawn) -> bool:
        """Whether a node of this skeleton can be cast in it."""
        numbers = drawn.numbers
        return all(numbers[early] == numbers[late] for early, late in self.twins)

    def numbers_of(self, drawn: Drawn) -> list[int]:
        """What has to be told of such a node."""
        return [drawn.numbers[hole] for hole in self.own]


class Moulds:
    """All moulds that were needed so far, and the forms in them; both are told once."""

    def __init__(self) -> None:
        """None yet."""
        self._by_skeleton: dict[Skeleton, list[Mould]] = {}
        self._numbers = count()
        self._forms: dict[Form, int] = {}
        self.new_moulds: list[list[Any]] = []
        self.new_forms: list[dict[str, Any]] = []

    def find(self, drawn: Drawn, last: Mould | None) -> Mould:
        """The mould of a node: the last one, if it fits, or any other one, or a new one."""
        if last is not None and last.skeleton == drawn.skeleton and last.fits(drawn):
            return last
        known = self._by_skeleton.setdefault(drawn.skeleton, [])
        for mould in known:
            if mould.fits(drawn):
                return mould
        made = Mould(next(self._numbers), drawn)
        known.append(made)
        id_, tip, form = drawn.skeleton
        twins = [hole for pair in made.twins for hole in pair]
        self.new_moulds.append([id_, tip, self._tell_form(form), *twins])
        return made

    def _tell_form(self, form: Form) -> int:
        if form not in self._forms:
            told = dict(form)
            if "parts" in told:
                told["parts"] = [self._tell_form(part) for part in told["parts"]]
            self._forms[form] = len(self._forms)
            self.new_forms.append(told)
        return self._forms[form]


def take_apart(shape: Shape, last: Drawn | None) -> Drawn:
    """A node's skeleton and numbers; quicker if it looks almost like the last one of its id."""
    if last is not None and shape is last.shape:
        return last
    body = _body(shape) if last is None or not _is_alike(shape, last.shape) else last.body
    id_, id_numbers = split_words(shape.id)
    tip, tip_numbers = split_words(shape.tip)
    place = round(shape.x * PLACE_UNITS), round(shape.y * PLACE_UNITS)
    numbers = id_numbers + place + tip_numbers + body.numbers
    return Drawn(shape, body, Skeleton(id_, tip, body.form), numbers)


@lru_cache(MANY)
def split_words(text: str) -> tuple[Words, tuple[int, ...]]:
    """The words around the numbers of a text, and the numbers.

    >>> split_words("ann: 30 of 40")
    (('ann: ', ' of ', ''), (30, 40))
    >>> split_words("agent 007")
    ('agent 007', ())
    """
    found = NUMBER.findall(text)
    if not found or any(len(one) > MOST_DIGITS or one != str(int(one)) for one in found):
        return text, ()
    return tuple(NUMBER.split(text)), tuple(map(int, found))


def holes_of(words: Words) -> int:
    """How many numbers belong between the words."""
    return 0 if isinstance(words, str) else len(words) - 1


def _is_alike(one: Shape, other: Shape) -> bool:
    """Whether two groups have the same parts; other shapes are quickly taken apart."""
    return (
        isinstance(one, Group)
        and isinstance(other, Group)
        and (one.role, one.scale, one.parts) == (other.role, other.scale, other.parts)
    )


def _body(shape: Shape, left_out: tuple[str, ...] = ("id", "x", "y", "tip")) -> Body:
    """How a shape looks, without these of its fields."""
    kind: Any = type(shape)
    form: list[tuple[str, Any]] = [("kind", kind.__name__.lower())]
    numbers: list[int] = []
    in_words: list[int] = []
    for name, usual in _fields(kind):
        value = getattr(shape, name)
        if name in left_out or value == usual:
            continue
        value, found, worded = _empty(name, value)
        in_words += (len(numbers) + hole for hole in worded)
        numbers += found
        form.append((name, value))
    return Body(tuple(form), tuple(numbers), tuple(in_words))


@lru_cache(MANY)
def _part(shape: Shape) -> Body:
    """How a part of a node looks; many are alike."""
    return _body(shape, ())


def _empty(name: str, value: Any) -> tuple[Any, Sequence[int], Sequence[int]]:
    """A field without its numbers; the numbers; which of them are in words."""
    if name == "parts":
        parts = [_part(part) for part in value]
        starts = accumulate((len(part.numbers) for part in parts), initial=0)
        in_words = [
            start + hole
            for start, part in zip(starts, parts, strict=False)
            for hole in part.in_words
        ]
        numbers = [number for part in parts for number in part.numbers]
        return tuple(part.form for part in parts), numbers, in_words
    if name in WITH_NUMBERS:
        words, found = split_words(value)
        return words, found, range(len(found))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return None, (to_units(name, value),), ()
    return value, (), ()


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The names of a shape's fields, and what they usually are."""
    return tuple(
        (part.name, part.default if part.default is not MISSING else "") for part in fields(kind)
    )


def to_units(name: str, value: float) -> int:
    """A number of a shape as a whole one.

    >>> to_units("width", 31.459), to_units("scale", 0.1234567)
    (3146, 123500)
    """
    if name in UNITS:
        return round(float(f"{value:.4g}") * UNITS[name])
    return round(round(value, 2) * USUAL_UNITS)


def _twins(drawn: Drawn) -> Iterator[tuple[int, int]]:
    """Pairs of holes that seem to show the same number, and not by chance.

    Those of the tip may be those of the id, those in words within the node any of both.
    """
    ids, tips = holes_of(drawn.skeleton.id), holes_of(drawn.skeleton.tip)
    body = ids + 2 + tips
    of_id, of_tip = range(ids), range(ids + 2, body)
    yield from _pairs(drawn.numbers, of_id, of_tip)
    in_words = [body + hole for hole in drawn.body.in_words]
    yield from _pairs(drawn.numbers, (*of_id, *of_tip), in_words)


def _pairs(
    numbers: Sequence[int], early: Sequence[int], late: Sequence[int]
) -> Iterator[tuple[int, int]]:
    for hole in late:
        same = [one for one in early if numbers[one] == numbers[hole]]
        if same:
            yield same[-1], hole
