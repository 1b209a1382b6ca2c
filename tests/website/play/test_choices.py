"""What may be chosen in a game that is not like ours: other bots, other numbers of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.people.party import BotPlayer, Person
from agon.errors import SettingError
from agon.games.registry import find_game
from agon.website.play.choices import Wish, built_in_offers, level_offers, make_party, option_offers
from tests.toy_game import ToyGame

if TYPE_CHECKING:
    from agon.arena.people.party import Party
    from agon.games.game import Game
    from tests.website.people import World

PERSON = Person("secret")


class LonelyGame(ToyGame):
    """A toy with one bot, for three players or more."""

    bot_names = ("random",)
    seats = range(3, 9)


def party_of(world: World, game: Game, wish: Wish) -> Party:
    return make_party(world.store, game, PERSON, wish, lambda _: 1)


@pytest.mark.parametrize(
    ("game", "wish", "bots"),
    [
        (ToyGame(), Wish(), ["highest"]),
        (ToyGame(), Wish("random", players=4), ["random", "highest", "highest"]),
        (ToyGame(), Wish(players=3, others="random"), ["highest", "random"]),
        (LonelyGame(), Wish(), ["random", "random"]),
        (find_game("hive"), Wish(), ["greedy"]),
    ],
)
def test_the_games_usual_opponent_has_each_seat_that_is_left_open(
    world: World, game: Game, wish: Wish, bots: list[str]
) -> None:
    party = party_of(world, game, wish)
    first, *others = [BotPlayer(name, built_in=name) for name in bots]
    assert party.players == (first, PERSON, *others)
    assert party.game.start(party.options, 0, len(party.players)).seats == len(bots) + 1


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (Wish("greedy"), "expected one of random, highest"),
        (Wish(others="greedy"), "expected one of random, highest"),
        (Wish(players=9), "9 seats: Toy is for 2 to 8"),
    ],
)
def test_what_the_game_does_not_have_is_refused(world: World, wish: Wish, told: str) -> None:
    with pytest.raises(SettingError, match=told):
        party_of(world, ToyGame(), wish)


def test_a_bot_that_is_not_well_known_is_offered_by_its_name() -> None:
    assert [one.label for one in built_in_offers(ToyGame())] == [
        "random (weak: any legal turn)",
        "highest",
    ]


def test_levels_are_offered_with_their_ratings() -> None:
    hive = find_game("hive")
    offers = level_offers(hive)
    assert [one.value for one in offers] == [f"search:{number}" for number in range(1, 11)]
    assert offers[0].label == "1 (Elo 0)"
    assert offers[-1].label == f"10 (Elo {hive.level_ratings[-1]})"
    assert level_offers(ToyGame()) == []


def test_a_level_is_an_opponent(world: World) -> None:
    party = party_of(world, find_game("hive"), Wish("search:4", seat=0))
    assert party.players[1] == BotPlayer("search:4", built_in="search:4")


def test_a_game_that_says_nothing_of_its_options_has_plain_ones() -> None:
    offers = option_offers(ToyGame())
    assert [(one.name, one.kind) for one in offers] == [
        ("rounds", "number"),
        ("variant", "choice"),
        ("open_hands", "switch"),
    ]
    assert not any(one.is_main for one in offers)


def test_options_say_themselves_which_are_main_and_which_are_documents() -> None:
    offers = {one.name: one for one in option_offers(find_game("battlebots"))}
    assert [name for name, one in offers.items() if one.is_main] == ["map", "turn_limit"]
    assert [name for name, one in offers.items() if one.kind == "document"] == ["field"]
