r"""Maps by chance: forts that keep their distance, and the shortest roads that do not cross.

A fair map is made of a fort in the middle and rings of P forts, one for each player:

             b                     Rings a, b and c of a map for three. A road and its images under
          a     a                  a third of a turn are built together, or not at all.
       b     o     b   (...)

Whole coordinates cannot be turned by a third. So the images of a fort are whole points near the
exact places, chosen such that their roads have as many steps as those of the first one. All is done
in whole numbers, so that a seed gives the same map on every machine.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import cos, isqrt, pi, sin
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import SettingError
from agon.games.battlebots.field import (
    NEUTRAL_NAME,
    Battlefield,
    Fort,
    Place,
    count_steps,
    lines_touch,
    square_of_distance,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KINDS = ("fair", "random")
SOLDIERS = 100
CLEARANCE = 9  # the square of the least distance of two forts
ROOM = 36  # the area that a fort has on average
LINKS = 3  # roads that the forts of a new ring of a fair map should have
PATIENCE = 50  # tries, before one road less will do
UNIT = 1_000_000  # of sines; so coarse that all machines agree on the digits
NEARBY = sorted(
    ((x, y) for x in range(-2, 3) for y in range(-2, 3)), key=lambda p: p[0] ** 2 + p[1] ** 2
)
CONSONANTS, VOWELS = "bdfghklmnprstvz", "aeiou"

RoadEnds: TypeAlias = tuple[int, int]
"""A road by the numbers of its forts."""


class SplitMix64:
    """SplitMix64 in plain Python: maps are made without the compiler."""

    def __init__(self, seed: int) -> None:
        self._state = seed % 2**64

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % 2**64
        x = self._state
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        return (x ^ (x >> 31)) * bound >> 64

    def name(self) -> str:
        """Two or three syllables."""
        pairs = range(2 + self.below(2))
        letters = ((CONSONANTS[self.below(15)], VOWELS[self.below(5)]) for _ in pairs)
        return "".join(a + b for a, b in letters)


class MapDraft:
    """Places of forts and the roads between them, while a map is being made."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.roads: list[RoadEnds] = []

    def has_room(self, place: Place) -> bool:
        """Whether a fort could stand there: not close to another one, and on no road."""
        return self.is_lonely(place) and not any(
            lines_touch(place, place, *self.ends(road)) for road in self.roads
        )

    def is_lonely(self, place: Place) -> bool:
        """Whether no fort is too close."""
        return all(square_of_distance(place, other) >= CLEARANCE for other in self.places)

    def ends(self, road: RoadEnds) -> tuple[Place, Place]:
        """Where a road begins and ends."""
        return self.places[road[0]], self.places[road[1]]

    def steps(self, road: RoadEnds) -> int:
        """R2: how long a road is or would be."""
        return count_steps(*self.ends(road))

    def is_free(self, road: RoadEnds, besides: Iterable[RoadEnds] = ()) -> bool:
        """R1: whether a road would touch no fort and no other road."""
        ends = self.ends(road)
        return not any(
            lines_touch(*ends, *self.ends(other)) for other in (*self.roads, *besides)
        ) and not any(lines_touch(*ends, place, place) for place in self.places)

    def by_length(self, roads: Iterable[RoadEnds]) -> list[RoadEnds]:
        """The shortest first."""
        return sorted(roads, key=lambda road: (square_of_distance(*self.ends(road)), road))

    def to_field(self, chance: SplitMix64, homes: Sequence[int]) -> Battlefield:
        """The map, with names for the forts."""
        names: dict[str, None] = {}
        while len(names) < len(self.places):
            names[chance.name()] = None
        called = list(names)
        owners = {home: f"player{seat}" for seat, home in enumerate(homes, 1)}
        forts = (
            Fort(called[i], x, y, owners.get(i, NEUTRAL_NAME), SOLDIERS if i in owners else 0)
            for i, (x, y) in enumerate(self.places)
        )
        return Battlefield(tuple(forts), tuple((called[i], called[j]) for i, j in self.roads))


@lru_cache(maxsize=32)  # all matches of a tournament's round, and every look at a replay
def make_map(kind: str, players: int, seed: int, forts: int | None = None) -> Battlefield:
    """The map of that kind for so many players; the same for the same seed.

    It has as many forts as the README says, or another number of them.
    """
    if kind not in KINDS:
        raise SettingError(f"map {kind!r}: expected {' or '.join(KINDS)}")
    if kind == "random":
        return make_random_map(players, seed, forts)
    rings, rest = (9 + players**2) // players, 0
    if forts is not None:
        rings, rest = divmod(forts - 1, players)
    if rest:
        below = 1 + rings * players
        raise SettingError(
            f"{forts} forts: a fair map for {players} has one in the middle and as many for each"
            f" player, such as {below} or {below + players}"
        )
    return make_fair_map(players, seed, rings)


# --- random ---------------------------------------------------------------------------------------


def make_random_map(players: int, seed: int, wanted: int | None = None) -> Battlefield:
    """10 + players² forts, or as many as wanted, and all roads that fit, the shortest first."""
    chance, draft = SplitMix64(seed), MapDraft()
    forts = 10 + players**2 if wanted is None else wanted
    side = isqrt(ROOM * forts)
    while len(draft.places) < forts:
        place = chance.below(side), chance.below(side)
        if draft.has_room(place):
            draft.places.append(place)
    for road in draft.by_length(combinations(range(forts), 2)):
        if draft.is_free(road):
            draft.roads.append(road)
    return draft.to_field(chance, spread_homes(draft.places, players, chance.below(forts)))


def spread_homes(places: Sequence[Place], players: int, first: int) -> list[int]:
    """Homes: each the one farthest from those before it; of those, the first only sets it off."""
    homes = [first]
    for _ in range(players):
        gaps = [min(square_of_distance(p, places[home]) for home in homes) for p in places]
        homes.append(gaps.index(max(gaps)))
    return homes[1:]


# --- fair -----------------------------------------------------------------------------------------


def make_fair_map(players: int, seed: int, rings: int) -> Battlefield:
    """A map that looks the same to every player, each of whom has a fort in every ring."""
    chance = SplitMix64(seed)
    draft = FairDraft(players)
    radius = isqrt(ROOM * (1 + rings * players) * 113 // 355)
    while len(draft.places) < 1 + rings * players:
        place = chance.below(2 * radius + 1) - radius, chance.below(2 * radius + 1) - radius
        draft.try_ring(place, radius)
    for road in draft.by_length(combinations(range(len(draft.places)), 2)):
        draft.try_roads(road)
    outermost = max(
        range(1, len(draft.places), players),
        key=lambda fort: square_of_distance(draft.places[fort], (0, 0)),
    )
    return draft.to_field(chance, range(outermost, outermost + players))


class FairDraft(MapDraft):
    """Fort 0 is in the middle; then come the rings, each with its image of every turn in order."""

    def __init__(self, players: int) -> None:
        super().__init__()
        self.players = players
        self.places = [(0, 0)]
        self.tries = 0
        """Of the next ring, in vain."""

    def image(self, fort: int, turn: int) -> int:
        """The fort that takes this one's place after so many turns."""
        if fort == 0:
            return 0
        ring, number = divmod(fort - 1, self.players)
        return 1 + ring * self.players + (number + turn) % self.players

    def images(self, road: RoadEnds) -> list[RoadEnds]:
        """The road and its images, each once."""
        turned = (
            tuple(sorted(self.image(end, turn) for end in road)) for turn in range(self.players)
        )
        return [(one, other) for one, other in dict.fromkeys(turned)]

    def try_roads(self, road: RoadEnds) -> bool:
        """Build a road and its images, if they are free and have as many steps each."""
        images = self.images(road)
        alike = len({self.steps(image) for image in images}) == 1
        fits = alike and all(self.is_free(r, images[:i]) for i, r in enumerate(images))
        if fits and images[0] not in self.roads:
            self.roads += images
        return fits

    def try_ring(self, first: Place, radius: int) -> None:
        """Put a fort there and its images near their places, with roads to forts nearby.

        The more often that has been tried in vain, the fewer roads will do.
        """
        if square_of_distance(first, (0, 0)) > radius**2 or not self.has_room(first):
            return
        wanted = max(1, LINKS - self.tries // PATIENCE)
        self.tries += 1
        number, roads = len(self.places), len(self.roads)
        self.places.append(first)
        near = self.by_length((other, number) for other in range(number))[: 2 * LINKS]
        links = [link for link in near if self.is_free(link)][:LINKS]
        while len(links) >= wanted:
            built = self._try_images(number, links) and sum(map(self.try_roads, links))
            if built >= wanted:
                self.tries = 0
                return
            del self.places[number + 1 :]
            del self.roads[roads:]
            links.pop()
        del self.places[number:]

    def _try_images(self, number: int, links: Sequence[RoadEnds]) -> bool:
        """Put the images of the last fort where their roads are as long as the links of it."""
        for turn in range(1, self.players):
            wanted = [
                (self.places[self.image(other, turn)], self.steps((other, number)))
                for other, _ in links
            ]
            x, y = turn_place(self.places[number], turn, self.players)
            for place in ((x + dx, y + dy) for dx, dy in NEARBY):
                if (
                    self.is_lonely(place)
                    and all(count_steps(place, other) == steps for other, steps in wanted)
                    and self.has_room(place)
                ):
                    self.places.append(place)
                    break
            else:
                return False
        return True


def turn_place(place: Place, turn: int, players: int) -> Place:
    """The whole point nearest to where a place gets by so many turns of the map.

    >>> turn_place((5, 2), 1, 4), turn_place((10, 0), 1, 3)
    ((-2, 5), (-5, 9))
    """
    angle = 2 * pi * turn / players
    along, across = round(cos(angle) * UNIT), round(sin(angle) * UNIT)
    x, y = place[0] * along - place[1] * across, place[0] * across + place[1] * along
    return (2 * x + UNIT) // (2 * UNIT), (2 * y + UNIT) // (2 * UNIT)
