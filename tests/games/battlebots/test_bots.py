"""The built-in bots: legal, the same for the same seed, no wiser than their eyes, and in order."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.battlebots.belief import Belief, merge
from agon.games.battlebots.field import NEUTRAL_NAME, Battlefield, Fort, March
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.bot import Budget, no_time
from tests.games.battlebots.situation import begin, play, with_field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.battlebots.move import Turn
    from agon.games.battlebots.position import BattlebotsPosition

ONCE = Budget(depth=1)
THOUGHTFUL = ("greedy", "search")


def random_positions(seats: int, turns: int, **options: Any) -> list[BattlebotsPosition]:
    """The positions of a match of random bots."""
    rng = Random(seats)  # noqa: S311
    positions = [GAME.start(BattlebotsOptions(**options), seats, seats)]
    while positions[-1].to_act and len(positions) <= turns:
        last = positions[-1]
        positions.append(last.play({s: last.random_turn(s, rng) for s in last.to_act}))
    return [position for position in positions if position.to_act]


def play_match(names: Sequence[str], seed: int) -> BattlebotsPosition:
    """The last position of a match of bots."""
    position = GAME.start(None, seed, len(names))
    bots = [GAME.bot(name, seed + seat) for seat, name in enumerate(names)]
    while position.to_act:
        turns = {seat: bots[seat].choose(position, seat, ONCE) for seat in position.to_act}
        position = position.play(turns)
    return position


# --- legal, and the same --------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("name", GAME.bot_names)
def test_turns_are_legal(name: str, seats: int) -> None:
    bots = [GAME.bot(name, seat) for seat in range(seats)]
    for position in random_positions(seats, 60)[:: 2 if seats < 4 else 12]:
        turns = {seat: bots[seat].choose(position, seat, ONCE) for seat in position.to_act}
        position.play(turns)
        for seat, turn in turns.items():
            assert position.parse_turn(seat, position.format_turn(seat, turn)) == turn


@pytest.mark.parametrize("name", GAME.bot_names)
@pytest.mark.parametrize("options", [{"sight": "own-roads"}, {"origin": "absolute"}])
def test_turns_are_legal_with_other_options(name: str, options: dict[str, str]) -> None:
    bots = [GAME.bot(name, seat) for seat in range(2)]
    for position in random_positions(2, 30, map="random", **options):
        turns = {seat: bots[seat].choose(position, seat, ONCE) for seat in position.to_act}
        assert position.play(turns).turn == position.turn + 1


@pytest.mark.parametrize("name", GAME.bot_names)
def test_the_seed_decides(name: str) -> None:
    positions = random_positions(3, 20)
    turns = [
        [bot.choose(position, 1, Budget(depth=2)) for position in positions]
        for bot in (GAME.bot(name, 2**63 + 5), GAME.bot(name, 2**63 + 5))
    ]
    assert turns[0] == turns[1]


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_a_new_match_is_a_new_match(name: str) -> None:
    bot = GAME.bot(name, 3)
    for position in random_positions(2, 10):
        bot.choose(position, 0, ONCE)
    other = GAME.start(None, 77)
    assert bot.choose(other, 0, ONCE) == GAME.bot(name, 3).choose(other, 0, ONCE)


def test_search_has_a_turn_at_once() -> None:
    position = GAME.start()
    assert GAME.bot("search", 0).choose(position, 1, Budget(no_time, deadline=0))
    assert GAME.bot("search", 0).choose(position, 1, Budget())


@pytest.mark.parametrize("name", GAME.bot_names)
def test_a_player_without_forts_passes(name: str) -> None:
    position = begin("a 0 0 ann 1, b 5 0 bob 0, c 5 5 bob 9", "a b, b c", "a b ann 2 3")
    position = play(position, ann="a b 1", bob="c b 9")
    position = with_field(
        position,
        Battlefield(
            tuple(fort._replace(owner="bob") for fort in position.field.forts),
            position.field.roads,
            (March("a", "b", "ann", 2, 2),),
        ),
    )
    assert 0 in position.to_act
    assert GAME.bot(name, 0).choose(position, 0, ONCE) == ()


# --- the fog --------------------------------------------------------------------------------------


def change_hidden(position: BattlebotsPosition, seat: int, rng: Random) -> BattlebotsPosition:
    """A position that looks the same to the seat, with other things in the fog."""
    seen = position.sight(seat)
    own = position.players[seat]
    others = [NEUTRAL_NAME, *(name for name in position.players if name != own)]

    def change(fort: Fort) -> Fort:
        if fort.name in seen.fort:
            return fort
        return fort._replace(owner=rng.choice(others), soldiers=rng.randint(0, 99))

    roads = {frozenset(road) for road in seen.roads}
    marches = [m for m in position.field.marches if frozenset((m.origin, m.target)) in roads]
    marches += [
        March(*road, rng.choice(others[1:]), rng.randint(1, 99), 1)
        for road in position.field.roads
        if frozenset(road) not in roads and position.field.length[road] > 1
    ]
    forts = tuple(change(fort) for fort in position.field.forts)
    return with_field(position, Battlefield(forts, position.field.roads, tuple(marches)))


@pytest.mark.parametrize("name", THOUGHTFUL)
@pytest.mark.parametrize("seats", [2, 4])
def test_what_looks_the_same_is_answered_the_same(name: str, seats: int) -> None:
    rng = Random(1)  # noqa: S311
    changed = 0
    for seat in range(seats):
        positions = [p for p in random_positions(seats, 16)[1:] if seat in p.to_act]
        altered = [change_hidden(position, seat, rng) for position in positions]
        bot, other = GAME.bot(name, 9), GAME.bot(name, 9)
        for one, two in zip(positions, altered, strict=True):
            assert one.message(seat) == two.message(seat)
            changed += one.field != two.field
            assert bot.choose(one, seat, ONCE) == other.choose(two, seat, ONCE)
    assert changed > 20


def test_a_belief_is_what_is_seen_at_first() -> None:
    position = random_positions(2, 15)[-1]
    seen = position.sight(0)
    believed = Belief(position, 0).field
    assert sorted(believed.forts) == sorted(seen.forts)
    assert sorted(believed.roads) == sorted(seen.roads)
    assert sorted(believed.marches) == sorted(seen.marches)


def test_what_was_seen_is_remembered_until_it_is_seen_again() -> None:
    a, b, c = (Fort(name, x, 0, "ann", 5) for x, name in ((0, "a"), (9, "b"), (18, "c")))
    far = Fort("d", 27, 0, "bob", 7)
    before = Battlefield(
        (a, b, c, far),
        (("a", "b"), ("b", "c"), ("c", "d")),
        (March("a", "b", "bob", 3, 2), March("d", "c", "bob", 4, 5)),
    )
    taken = b._replace(owner="bob", soldiers=1)
    merged = merge(before, Battlefield((a, taken), (("a", "b"),)), "ann")
    assert merged.fort["b"] == taken
    assert merged.fort["c"].owner == NEUTRAL_NAME, "an own fort would be seen"
    assert merged.fort["d"] == far
    assert merged.marches == (March("d", "c", "bob", 4, 5),)
    assert len(merged.roads) == 3


# --- strength -------------------------------------------------------------------------------------


def orders_of(name: str, position: BattlebotsPosition) -> Turn:
    turn: Turn = GAME.bot(name, 0).choose(position, 0, ONCE)
    return turn


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_empty_neighbours_are_taken(name: str) -> None:
    position = begin("a 0 0 ann 100, b 4 0 neutral 0, c 0 4 neutral 0, z 90 0 bob 100", "a b, a c")
    turn = orders_of(name, position)
    assert {order.target for order in turn} == {"b", "c"}


def test_search_takes_the_last_fort_together() -> None:
    position = begin("a 0 0 ann 30, b 10 0 ann 30, c 5 5 bob 40", "a c, b c")
    assert {order.origin for order in orders_of("search", position)} == {"a", "b"}


@pytest.mark.long
@pytest.mark.parametrize(("stronger", "weaker"), [("greedy", "random"), ("search", "greedy")])
def test_the_bots_are_in_order(stronger: str, weaker: str) -> None:
    for seed in range(4):
        seat = seed % 2
        names = [weaker, weaker]
        names[seat] = stronger
        last = play_match(names, seed)
        assert last.outcome is not None
        assert last.outcome.winner == seat
        assert last.turn < 150
