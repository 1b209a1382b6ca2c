"""A slow and obvious Atlantis: the referee that the fast rules are checked against.

Written from the rules alone (R1 to R18 in the game's README), with dicts keyed by coordinates, and
sharing no code with the package. Every question is answered from scratch: nothing is cached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

Coordinate: TypeAlias = tuple[int, int]
NaiveMove: TypeAlias = tuple[Coordinate, Coordinate]  # from, to

STEPS = ((1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1))


@dataclass
class Field:
    """What there is to know of a field; an open field without stones has no owner."""

    kind: str = "open"
    owner: int | None = None
    stones: int = 0


def neighbours(place: Coordinate) -> list[Coordinate]:
    """R1: the six places around one."""
    x, y = place
    return [(x + dx, y + dy) for dx, dy in STEPS]


def way(source: Coordinate, target: Coordinate) -> list[Coordinate] | None:
    """The places after the source up to the target, or None if that is not a straight line."""
    for dx, dy in STEPS:
        steps = max(abs(target[0] - source[0]), abs(target[1] - source[1]))
        places = [(source[0] + i * dx, source[1] + i * dy) for i in range(1, steps + 1)]
        if places and places[-1] == target:
            return places
    return None


class NaiveAtlantis:
    """A match in progress."""

    def __init__(
        self, segments: Sequence[Iterable[Coordinate]], stacks: Sequence[dict[Coordinate, int]]
    ) -> None:
        self.segment = {place: n for n, places in enumerate(segments) for place in places}
        self.fields = {place: Field() for place in self.segment}
        for seat, stack in enumerate(stacks):
            for place, stones in stack.items():
                kind = "open" if stones > 0 else "growing" if stones < 0 else "dead"
                self.fields[place] = Field(kind, seat, abs(stones))
        self.seats = len(stacks)
        self.turn = 0
        self.out: set[int] = set()
        self.idle_turns = 0  # R18: entered turns in a row that changed nothing

    # --- what there is ---

    @property
    def seat(self) -> int:
        """R4: whose turn it is."""
        return self.turn % self.seats

    def is_open(self, place: Coordinate) -> bool:
        return place in self.fields and self.fields[place].kind == "open"

    def is_growing(self, place: Coordinate) -> bool:
        return place in self.fields and self.fields[place].kind == "growing"

    def open_neighbours(self, place: Coordinate) -> list[Coordinate]:
        return [other for other in neighbours(place) if self.is_open(other)]

    # --- movement ---

    def is_legal(self, move: NaiveMove) -> bool:
        """R5."""
        source, target = move
        places = way(source, target)
        if places is None or not all(self.is_open(place) for place in [source, *places]):
            return False
        field = self.fields[source]
        return field.owner == self.seat and field.stones >= len(places)

    def legal_moves(self) -> Iterator[NaiveMove]:
        for place, field in self.fields.items():
            if field.kind == "open" and field.owner == self.seat:
                for dx, dy in STEPS:
                    for n in range(1, field.stones + 1):
                        move = place, (place[0] + n * dx, place[1] + n * dy)
                        if self.is_legal(move):
                            yield move

    def is_legal_turn(self, moves: Sequence[NaiveMove]) -> bool:
        """R6."""
        if not all(self.is_legal(move) for move in moves):
            return False
        used = [self.segment[source] for source, _ in moves]
        return len(used) == len(set(used))

    def random_turn(self, rng: Random) -> list[NaiveMove]:
        """For each segment with a move a coin, then one of its moves."""
        by_segment: dict[int, list[NaiveMove]] = {}
        for move in self.legal_moves():
            by_segment.setdefault(self.segment[move[0]], []).append(move)
        return [rng.choice(moves) for moves in by_segment.values() if rng.random() < 0.5]

    def move(self, move: NaiveMove) -> None:
        """R7."""
        source, target = move
        places = way(source, target)
        assert places is not None
        moving = len(places)
        self.take(source, moving)
        for place in places:
            if self.fields[place].owner not in (None, self.seat):
                fallen = min(moving, self.fields[place].stones)
                self.take(place, fallen)
                moving -= fallen
            if moving == 0:
                return
        self.fields[target].owner = self.seat
        self.fields[target].stones += moving

    def take(self, place: Coordinate, stones: int) -> None:
        """Take stones off an open field."""
        field = self.fields[place]
        field.stones -= stones
        if field.stones == 0:
            field.owner = None

    # --- explosion and growth ---

    def volatile_fields(self) -> list[Coordinate]:
        """R9."""
        return [
            place
            for place, field in self.fields.items()
            if field.kind != "dead"
            and field.owner == self.seat
            and field.stones >= len(self.open_neighbours(place))
        ]

    def explode(self, place: Coordinate) -> None:
        """R10."""
        for other in self.open_neighbours(place):
            field = self.fields[other]
            if field.owner in (None, self.seat):
                field.owner = self.seat
                field.stones += 1
            else:
                self.take(other, 1)
        exploded = self.fields[place]
        exploded.stones = 0
        exploded.kind = "growing" if exploded.kind == "open" else "dead"

    def explosion_phase(self, rng: Random | None = None) -> int:
        """R11: in random order, if a generator is given. How many fields exploded."""
        explosions = 0
        while volatile := self.volatile_fields():
            self.explode(rng.choice(volatile) if rng else volatile[0])
            explosions += 1
        return explosions

    def growth_phase(self) -> int:
        """R12. How many fields grew."""
        growing = [
            field
            for field in self.fields.values()
            if field.kind == "growing" and field.owner == self.seat
        ]
        for field in growing:
            field.stones += 1
        return len(growing)

    def play(self, moves: Sequence[NaiveMove], rng: Random | None = None) -> None:
        """A whole turn, unchecked."""
        asked = self.is_asked()
        for move in moves:
            self.move(move)
        changes = self.explosion_phase(rng) + self.growth_phase()
        self.idle_turns = 0 if asked or changes else self.idle_turns + 1
        self.turn += 1

    # --- areas, the end, the score ---

    def areas(self) -> list[set[Coordinate]]:
        """R13."""
        found: list[set[Coordinate]] = []
        left = {place for place in self.fields if self.is_open(place)}
        while left:
            area: set[Coordinate] = set()
            edge = {left.pop()}
            while edge:
                area |= edge
                edge = {other for place in edge for other in self.open_neighbours(place)} - area
            left -= area
            found.append(area)
        return found

    def owners(self, area: set[Coordinate]) -> set[int]:
        return {owner for p in area if (owner := self.fields[p].owner) is not None}

    def is_stable(self, area: set[Coordinate]) -> bool:
        """R13."""
        touched = any(self.is_growing(other) for place in area for other in neighbours(place))
        return not touched and len(self.owners(area)) <= 1

    def is_over(self) -> bool:
        """R14, R17, R18."""
        if self.seats - len(self.out) <= 1 or self.idle_turns >= self.seats:
            return True
        return all(self.is_stable(area) for area in self.areas())

    def is_asked(self) -> bool:
        """R16, R17: whether the seat to move is asked."""
        if self.seat in self.out or self.is_over():
            return False
        return any(
            self.seat in self.owners(area) for area in self.areas() if not self.is_stable(area)
        )

    def scores(self) -> list[int]:
        """R15."""
        stable = [area for area in self.areas() if self.is_stable(area)]
        return [
            sum(len(area) for area in stable if seat in self.owners(area))
            for seat in range(self.seats)
        ]

    def ranking(self) -> list[int]:
        """R15, R17: the seats, best first."""
        scores = self.scores()
        return sorted(
            range(self.seats),
            key=lambda seat: (seat not in self.out, scores[seat], seat),
            reverse=True,
        )
