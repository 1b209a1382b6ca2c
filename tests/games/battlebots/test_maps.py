"""Generated maps: what they promise."""

from __future__ import annotations

import pytest

from agon.errors import NotationError, SettingError
from agon.games.battlebots.board import TIERS
from agon.games.battlebots.field import Battlefield, check_field, square_of_distance
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.maps import KINDS, make_map, turn_place

SEATS = range(2, 9)
SEEDS = (0, 1, 2**64 - 1)
MAPS = [(kind, players, seed) for kind in KINDS for players in SEATS for seed in SEEDS]

every_map = pytest.mark.parametrize(("kind", "players", "seed"), MAPS)


def reachable(field: Battlefield) -> set[str]:
    """The forts that hang together with the first one."""
    found, waiting = {field.forts[0].name}, [field.forts[0].name]
    while waiting:
        new = set(field.neighbours[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


@pytest.mark.long
@every_map
def test_maps_are_planar_connected_and_airy(kind: str, players: int, seed: int) -> None:
    field = make_map(kind, players, seed)
    check_field(field)
    assert reachable(field) == set(field.fort)
    for i, fort in enumerate(field.forts):
        for other in field.forts[:i]:
            assert square_of_distance(fort.place, other.place) >= 9
    layout = Layout(field)
    assert layout.players == tuple(f"player{n}" for n in range(1, players + 1))
    assert layout.tier in TIERS[:3]


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_makes_one_map(kind: str, players: int) -> None:
    field = make_map(kind, players, 7)
    assert make_map.__wrapped__(kind, players, 7) == field
    assert make_map.__wrapped__(kind, players, 7 + 2**64) == field
    assert make_map(kind, players, 6) != field


@pytest.mark.parametrize("players", SEATS)
def test_random_maps_have_10_and_the_square_of_the_players_forts(players: int) -> None:
    field = make_map("random", players, 5)
    assert len(field.forts) == 10 + players**2


@pytest.mark.parametrize("players", SEATS)
def test_random_maps_have_every_road_that_fits(players: int) -> None:
    """As many as a triangulation has: one more, and it would cross another."""
    field = make_map("random", players, 6)
    assert 2 * len(field.forts) - 3 <= len(field.roads) <= 3 * len(field.forts) - 6
    if players <= 3:
        missing = [
            (one.name, other.name)
            for i, one in enumerate(field.forts)
            for other in field.forts[:i]
            if (one.name, other.name) not in field.length
        ]
        for road in missing:
            with pytest.raises(NotationError, match=r"crosses|runs through"):
                check_field(Battlefield(field.forts, (*field.roads, road)))


@pytest.mark.long
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("seed", range(4))
def test_fair_maps_look_the_same_to_every_player(players: int, seed: int) -> None:
    """A turn takes roads to roads of as many steps, and homes to homes."""
    field = make_map("fair", players, seed)
    names = [fort.name for fort in field.forts]
    assert len(names) == 1 + (9 + players**2) // players * players
    turned = {names[0]: names[0]}
    for first in range(1, len(names), players):
        ring = names[first : first + players]
        turned |= dict(zip(ring, ring[1:] + ring[:1], strict=True))
    for one, other in field.roads:
        assert field.length[turned[one], turned[other]] == field.length[one, other]
    homes = [fort.name for fort in field.forts if fort.owner != "neutral"]
    assert [turned[home] for home in homes] == homes[1:] + homes[:1]
    for fort in field.forts:
        assert field.fort[turned[fort.name]].soldiers == fort.soldiers


@pytest.mark.parametrize("players", SEATS)
def test_fair_maps_look_fair(players: int) -> None:
    """Images are close to where an exact turn would have put them: there, for 2 and 4 players."""
    field = make_map("fair", players, 9)
    for first in range(1, len(field.forts), players):
        for turn in range(players):
            exact = turn_place(field.forts[first].place, turn, players)
            off = square_of_distance(exact, field.forts[first + turn].place)
            assert off <= (0 if players in (2, 4) else 8)


def test_fair_maps_have_roads_enough() -> None:
    for players in SEATS:
        field = make_map("fair", players, 11)
        assert len(field.roads) >= 1.8 * len(field.forts)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(SettingError, match="map 'flat': expected fair or random"):
        make_map("flat", 2, 0)
