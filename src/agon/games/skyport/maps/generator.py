"""New maps: as fair as the shape allows.

A rhombus of hexes looks the same after a half turn, and in two mirrors. With 2 or 4 seats these
take every spawn to every other, so no seat is better off. With 3 or 6 seats the same is done by
turns of a hexagon, the largest that fits; around it there is void. For other numbers no grid of
hexes has symmetries enough, and the spawns form two orbits or more; of many random maps the one is
taken whose spawns differ least in how far it is from them to the others and to the nearest mines.

All chance comes from the seed, by the generator that the rules have too.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.skyport.board import STEPS, TIERS, state_dtype
from agon.games.skyport.mapfile import SEATS, SIDES, Map
from agon.kernel import new_record, random_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.skyport.mapfile import Place

    Symmetry = Callable[[Place], Place]

SHARES = {"V": 9, "O": 7, "R": 4, "E": 4, "C": 4}  # percent of the hexes
SPAWN_TRIES = 500
EFFORT = 25_000  # hexes to look at, in maps together
MINES_THAT_COUNT = 3
LEAST_SIDE = {2: 5, 3: 7, 4: 7, 5: 9, 6: 11, 7: 11, 8: 11}
UNREACHED = 10**6


class _Chance:
    """Random choices from a seed."""

    def __init__(self, seed: int) -> None:
        self.record = new_record(state_dtype(TIERS[0]))  # a type that kernels know
        self.record["random"] = seed % 2**64

    def below(self, bound: int) -> int:
        return int(random_below(self.record, bound))

    def hex(self, side: int) -> Place:
        return self.below(side), self.below(side)


def island(seats: int, side: int) -> set[Place]:
    """The hexes that are not all void: the rhombus, or for 3 and 6 seats a hexagon in it."""
    everything = {(j, k) for j in range(side) for k in range(side)}
    if seats % 3:
        return everything
    radius = (side - 1) // 2
    return {place for place in everything if distance(place, (radius, radius)) <= radius}


def turns(seats: int, side: int) -> list[Symmetry]:
    """The turns of a hexagon around its middle that take so many spawns to each other."""
    return [partial(turn, (side - 1) // 2, 6 // seats * number) for number in range(seats)]


def turn(middle: int, sixths: int, place: Place) -> Place:
    """Where so many sixths of a turn to the right around (middle, middle) take a hex.

    >>> [turn(3, n, (2, 2)) for n in range(6)]
    [(2, 2), (2, 3), (3, 4), (4, 4), (4, 3), (3, 2)]
    """
    j, k = place[0] - middle, place[1] - middle
    for _ in range(sixths):
        j, k = k, k - j
    return j + middle, k + middle


def symmetries(seats: int, side: int) -> list[Symmetry]:
    """The symmetries that a map for so many has."""
    if seats % 3 == 0:
        return turns(seats, side)
    last = side - 1
    half_turn = lambda p: (last - p[0], last - p[1])  # noqa: E731
    mirror = lambda p: (p[1], p[0])  # noqa: E731
    other_mirror = lambda p: (last - p[1], last - p[0])  # noqa: E731
    if seats == 2:
        return [lambda p: p, half_turn]
    if seats % 2:
        return [lambda p: p, mirror]
    return [lambda p: p, half_turn, mirror, other_mirror]


def distance(one: Place, other: Place) -> int:
    """R1: steps between two hexes."""
    j, k = one[0] - other[0], one[1] - other[1]
    return max(abs(j), abs(k), abs(j - k))


def neighbours(place: Place, side: int) -> list[Place]:
    """The hexes beside one, as far as they are on the map."""
    around = [(place[0] + j, place[1] + k) for j, k in STEPS]
    return [(j, k) for j, k in around if 0 <= j < side and 0 <= k < side]


def generate(players: int, size: int, seed: int) -> Map:
    """A map for so many players, with sides of that size; the same for the same seed."""
    if players not in SEATS:
        raise SettingError(f"players {players}: expected {SEATS[0]} to {SEATS[-1]}")
    if not LEAST_SIDE[players] <= size <= SIDES[-1]:
        expected = f"{LEAST_SIDE[players]} to {SIDES[-1]} for {players} players"
        raise SettingError(f"size {size}: expected {expected}")
    chance = _Chance(seed)
    group = symmetries(players, size)
    land = island(players, size)
    spawns = min(
        (_draw_spawns(chance, group, players, size, land) for _ in range(SPAWN_TRIES)),
        key=_crowding,
    )
    best: dict[Place, str] = {}
    least = UNREACHED
    tries = 0
    while least == UNREACHED or tries < EFFORT // size**2:
        tries += 1
        tiles = _draw_tiles(chance, group, spawns, size, land)
        unfairness = _unfairness(tiles, spawns)
        if unfairness < least:
            best, least = tiles, unfairness
        if least == 0:
            break
    rows = tuple("".join(best[j, k] for k in range(size)) for j in range(size))
    return Map(rows, f"{players} players, {size} by {size}, seed {seed}.")


def _draw_spawns(
    chance: _Chance, group: list[Symmetry], players: int, side: int, land: set[Place]
) -> list[Place]:
    """Whole orbits of random hexes, so many in all; small orbits, on a mirror, only if need be."""
    spawns: set[Place] = set()
    while len(spawns) != players:
        place = chance.hex(side)
        missing = players - len(spawns)
        if missing < len(group):
            place = place[0], place[0]
        orbit = {symmetry(place) for symmetry in group}
        if len(orbit) == min(missing, len(group)) and orbit <= land and not orbit & spawns:
            spawns |= orbit
    return sorted(spawns)


def _crowding(spawns: list[Place]) -> tuple[int, int]:
    """How near the nearest two are (less is better), then how much the spawns differ in that."""
    apart = {frozenset(pair): distance(*pair) for pair in combinations(spawns, 2)}
    nearest = [min(d for pair, d in apart.items() if one in pair) for one in spawns]
    return -min(nearest), max(nearest) - min(nearest)


def _draw_tiles(
    chance: _Chance, group: list[Symmetry], spawns: list[Place], side: int, land: set[Place]
) -> dict[Place, str]:
    """Grass with orbits of everything else on it; around the spawns it stays grass."""
    places = [(j, k) for j in range(side) for k in range(side)]
    tiles = {place: "G" if place in land else "V" for place in places}
    kept = {place for spawn in spawns for place in [spawn, *neighbours(spawn, side)]}
    for letter, percent in SHARES.items():
        placed = 0
        for _ in range(side**2):
            if placed * 100 >= percent * len(land):
                break
            orbit = {symmetry(place) for place in [chance.hex(side)] for symmetry in group}
            if not orbit & kept and all(tiles.get(place) == "G" for place in orbit):
                placed += len(orbit)
                tiles |= dict.fromkeys(orbit, letter)
    tiles |= dict.fromkeys(spawns, "S")
    reached = _walks(tiles, spawns[0])
    apart = [place for place, letter in tiles.items() if letter in "GREC" and place not in reached]
    return tiles | dict.fromkeys(apart, "V")


def _walks(tiles: dict[Place, str], start: Place) -> dict[Place, int]:
    """How many moves it takes to each hex that a robot reaches from a spawn."""
    side = round(len(tiles) ** 0.5)
    moves = {start: 0}
    for place in (queue := [start]):
        for beside in neighbours(place, side):
            if beside not in moves and tiles[beside] in "GREC":
                moves[beside] = moves[place] + 1
                queue.append(beside)
    return moves


def _unfairness(tiles: dict[Place, str], spawns: list[Place]) -> int:
    """How much the spawns differ; UNREACHED if robots cannot meet or a kind of mine is missing."""
    if not {*"REC"} <= {*tiles.values()}:
        return UNREACHED
    walks = {spawn: _walks(tiles, spawn) for spawn in spawns}
    entered = {place for place, letter in tiles.items() if letter in "GREC"}
    side = round(len(tiles) ** 0.5)
    doors = {spawn: entered & {*neighbours(spawn, side)} for spawn in spawns}
    if not all(doors[spawn] and doors[spawn] <= walks[spawns[0]].keys() for spawn in spawns):
        return UNREACHED
    features: list[list[int]] = []
    for reached in walks.values():
        to_others = sorted(min(reached[door] for door in doors[other]) for other in spawns)
        mines = {
            letter: sorted(reached[place] for place in entered if tiles[place] == letter)
            for letter in "REC"
        }
        to_mines = [sum(mines[letter][:MINES_THAT_COUNT]) for letter in "REC"]
        features.append([sum(to_others), to_others[1], *to_mines])
    return sum(max(column) - min(column) for column in zip(*features, strict=True))
