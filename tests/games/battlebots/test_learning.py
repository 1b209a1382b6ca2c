"""Battlebots for `learn`: orders as numbers, what a seat knows, and what it may believe."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from agon.games.battlebots import rules
from agon.games.battlebots.board import BACK, NEUTRAL, THERE, owner_of, put_army, soldiers_of
from agon.games.battlebots.fog import OWN, UNSEEN, look_around, sees_road
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.move import Order
from agon.games.battlebots.reach import NEVER, find_reach
from agon.kernel import as_int, new_records
from tests.games.battlebots.odd_maps import odd_map
from tests.games.battlebots.situation import map_text

if TYPE_CHECKING:
    from agon.games.battlebots.layout import Layout
    from agon.games.battlebots.move import Turn
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.learning import Learning

both_sights = pytest.mark.parametrize("sight", ["all-roads", "own-roads"])


def rng_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311


class Match:
    """A match in the records of `learn`, and the same one as positions."""

    def __init__(self, options: BattlebotsOptions, seed: int = 0) -> None:
        self.learning: Learning = GAME.learning(options)
        options = BattlebotsOptions.of(self.learning.options)  # with the map
        self.layout: Layout = GAME.layout(options, 0)
        self.setup = self.learning.setup[0]
        self.state = new_records(self.learning.state)[0]
        self.work = new_records(self.learning.work)[0]
        self.position: BattlebotsPosition = GAME.start(options)
        self.orders: dict[int, list[Order]] = {}
        self.turns: dict[int, Turn] = {}
        self.learning.start(self.setup, self.state, np.uint64(seed))

    @property
    def end(self) -> int:
        return self.learning.action_count - 1

    def actions(self, seat: int) -> list[int]:
        row = np.zeros(self.learning.most_actions, np.int32)
        count = self.learning.list_actions(self.setup, self.state, self.work, as_int(seat), row)
        return [int(action) for action in row[:count]]

    def act(self, seat: int, action: int) -> None:
        """Do this, and note the order as a player would give it."""
        lanes = self.layout.lanes
        before = self.state["orders"].copy()
        self.learning.play_action(self.setup, self.state, self.work, as_int(seat), as_int(action))
        changed = (self.state["orders"] - before)[: len(lanes)]
        given = self.orders.setdefault(seat, [])
        given += [Order(*way, int(changed[lane])) for way, lane in lanes.items() if changed[lane]]

    def settle(self) -> bool:
        """Whether a turn was played; then the position follows."""
        turn = int(self.state["match"]["turn"])
        self.learning.settle(self.setup, self.state, self.work)
        if int(self.state["match"]["turn"]) == turn:
            return False
        self.turns = {seat: tuple(self.orders[seat]) for seat in self.position.to_act}
        self.position = self.position.play(self.turns)
        self.orders = {}
        return True

    def step(self, rng: Random) -> bool:
        """A decision by chance of every seat; they end their turns sooner than chance would."""
        for seat in range(self.learning.seats):
            if actions := self.actions(seat):
                self.act(seat, self.end if rng.random() < 0.3 else rng.choice(actions))
        return self.settle()

    @property
    def is_over(self) -> bool:
        return bool(self.learning.is_over(self.setup, self.state))

    def observed(self, seat: int, state: Any = None) -> Any:
        row = np.full(self.learning.observation_size, 77, self.learning.observed)
        of = self.state if state is None else state
        self.learning.encode(self.setup, of, self.work, as_int(seat), row)
        return row

    def copy(self) -> Any:
        copies = new_records(self.learning.state)
        copies[0] = self.state
        return copies[0]

    def redealt(self, seat: int, seed: int, state: Any = None) -> Any:
        copies = new_records(self.learning.state)
        copies[0] = self.state if state is None else state
        of = copies[0]
        self.learning.redeal(self.setup, of, self.work, as_int(seat), np.uint64(seed))
        return of


def odd_match(seed: int, **options: Any) -> Match:
    rng = rng_of(seed)
    field = format_map(odd_map(rng, rng.randint(2, 5)))
    return Match(BattlebotsOptions(field=field, turn_limit=60, **options), seed)


def begin(forts: str, roads: str, marches: str = "", **options: Any) -> Match:
    return Match(BattlebotsOptions(field=map_text(forts, roads, marches), **options))


# --- actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "amounts"),
    [
        (0, {}),
        (1, {3: 1}),
        (2, {2: 1, 3: 2}),
        (3, {1: 1, 2: 2, 3: 3}),
        (4, {1: 1, 2: 2, 3: 4}),
        (5, {0: 1, 1: 2, 2: 3, 3: 5}),
        (10, {0: 1, 1: 3, 2: 5, 3: 10}),
        (100, {0: 1, 1: 25, 2: 50, 3: 100}),
    ],
)
def test_each_number_of_soldiers_has_one_action(left: int, amounts: dict[int, int]) -> None:
    forts = f"a 0 0 ann {left}, b 5 0 bob 7, c 0 5 neutral 3"
    match = begin(forts, "a b, c a")  # a leaves by the lanes 0 and 3
    expected = {lane * 4 + amount: n for lane in (0, 3) for amount, n in amounts.items()}
    assert match.actions(0) == [*expected, match.end]
    assert match.end == 4 * 4
    for action, soldiers in expected.items():
        again = begin(forts, "a b, c a")
        again.act(0, action)
        assert again.orders[0] == [Order("a", "b" if action < 4 else "c", soldiers)]


def test_orders_on_one_lane_add_up() -> None:
    match = begin("a 0 0 ann 10, b 5 0 bob 7, c 0 5 neutral 3", "a b, a c")
    for action in (2, 1, 9, 2):  # 5 of 10, 2 of 5; 1 of 3 by the other lane; 1 of 2
        match.act(0, action)
    assert list(match.state["orders"][:4]) == [8, 0, 1, 0]
    assert match.actions(0) == [3, 11, match.end]
    match.act(0, 3)
    assert match.actions(0) == [match.end]


@pytest.mark.parametrize("wanted", [(0, 0), (1, 0), (3, 4), (7, 2), (9, 0), (4, 5)])
def test_every_turn_can_be_composed(wanted: tuple[int, int]) -> None:
    match = begin("a 0 0 ann 9, b 5 0 bob 7, c 0 5 neutral 3", "a b, a c")
    for lane, soldiers in zip((0, 2), wanted, strict=True):
        for _ in range(soldiers):
            match.act(0, next(action for action in match.actions(0) if action // 4 == lane))
    assert list(match.state["orders"][:4:2]) == list(wanted)


def test_who_has_ended_the_turn_waits_for_the_others() -> None:
    match = begin("a 0 0 ann 9, b 5 0 bob 7", "a b")
    match.act(1, match.end)
    assert not match.settle()
    assert match.actions(1) == []
    assert match.observed(1)[-1] == 1
    assert match.observed(0)[-1] == 0
    match.act(0, 3)
    assert not match.settle()
    match.act(0, match.end)
    assert match.settle()
    assert match.actions(0) == [3, match.end]  # R9: one soldier has grown
    assert match.actions(1) == [4, 5, 6, 7, match.end]
    assert not match.state["orders"].any()
    assert not match.work["turn"]["orders"].any()


def test_who_is_out_waits_and_who_has_an_army_only_may_end_the_turn() -> None:
    match = begin("a 0 0 ann 20, b 1 0 bob 5, c 0 1 cid 0, d 9 0 neutral 0", "a b, a c, b d")
    for seat, action in ((0, 2), (0, 2 * 4 + 2), (1, 4 * 4 + 3)):  # a b 10, a c 5; b d 5
        match.act(seat, action)
    for seat in range(3):
        match.act(seat, match.end)
    assert match.settle()
    assert match.position.to_act == (0, 1)
    assert len(match.actions(0)) > 1
    assert match.actions(1) == [match.end]
    assert match.actions(2) == []


@both_sights
@pytest.mark.parametrize("seed", range(12))
def test_a_match_of_actions_is_the_same_match_of_turns(seed: int, sight: str) -> None:
    match = odd_match(seed, sight=sight, at_limit="most-soldiers")
    setup, lanes = match.setup["match"], match.layout.lanes
    other = new_records(match.layout.state_dtype)[0]
    work = new_records(match.layout.work_dtype)[0]
    first: Any = np.uint64(seed)
    rules.start(setup, other, first)
    rng = rng_of(seed)
    while not match.is_over:
        if match.step(rng):
            for turn in match.turns.values():
                for origin, target, soldiers in turn:
                    work["orders"][lanes[origin, target]] += soldiers
            rules.play_turn(setup, other, work)
            assert match.state["match"].tobytes() == other.tobytes()
            assert match.layout.read_field(match.state["match"]) == match.position.field
            deciding = tuple(s for s in range(match.learning.seats) if match.actions(s))
            assert deciding == match.position.to_act
    assert match.position.outcome
    scores = [
        match.learning.score(match.setup, match.state, as_int(seat))
        for seat in range(match.learning.seats)
    ]
    assert tuple(scores) == match.position.outcome.scores


# --- observations ---------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a seat is told of a match, and what it has ordered itself."""

    observed: Any
    orders: list[Order]
    ended: bool


def row_of(told: Told, match: Match) -> list[int]:
    """The observation, from what the seat is told, its own orders, and the map's numbers."""
    layout, seats = match.layout, match.learning.seats
    seat = told.observed["seat"]
    forts = {fort["name"]: fort for fort in told.observed["forts"]}
    roads = {frozenset(road) for road in told.observed["roads"]}
    names = list(layout.fort_numbers)

    def seen_as(owner: int | None) -> int:
        return -1 if owner is None else (owner - seat) % seats

    row = [int(name in forts) for name in names]
    row += [seen_as(forts[name]["owner"]) if name in forts else -1 for name in names]
    row += [forts[name]["soldiers"] if name in forts else 0 for name in names]
    orders = dict.fromkeys(layout.lanes, 0)
    for origin, target, soldiers in told.orders:
        orders[origin, target] += soldiers
    row += [orders[way] for way in layout.lanes]
    row += [int(frozenset(road) in roads) for road in layout.field.roads]
    there, back, marchers = {}, {}, {}
    for one, other in layout.field.roads:
        for gone in range(1, layout.field.length[one, other]):
            point = one, other, gone
            there[point], back[point], marchers[point] = 0, 0, -1
    for march in told.observed["marches"]:
        one, other, steps = march["origin"], march["target"], march["steps"]
        if (one, other) in layout.field.roads:
            point = one, other, layout.field.length[one, other] - steps
            there[point] = march["soldiers"]
        else:
            point = other, one, steps
            back[point] = march["soldiers"]
        marchers[point] = seen_as(march["owner"])
    row += [*there.values(), *back.values(), *marchers.values()]
    return [*row, seat, told.observed["turn"], told.observed["turn_limit"], int(told.ended)]


@both_sights
@pytest.mark.parametrize("seed", range(12))
def test_an_observation_holds_what_a_seat_is_told(seed: int, sight: str) -> None:
    match = odd_match(seed, sight=sight)
    rng = rng_of(seed)
    while not match.is_over:
        for seat in range(match.learning.seats):  # those that are out see nothing any more
            ended = seat in match.position.to_act and not match.actions(seat)
            told = Told(match.position.observe(seat), match.orders.get(seat, []), ended)
            assert match.observed(seat).tolist() == row_of(told, match)
        match.step(rng)


@both_sights
@pytest.mark.parametrize("seed", range(20))
def test_forts_and_roads_in_sight_are_those_of_the_position(seed: int, sight: str) -> None:
    match = odd_match(seed, sight=sight)
    rng = rng_of(seed)
    own_roads = as_int(sight == "own-roads")
    while not match.is_over:
        for seat in range(match.learning.seats):
            look_around(match.setup["match"], match.state["match"], match.work, as_int(seat))
            marks = dict(zip(match.layout.fort_numbers, match.work["seen"].tolist(), strict=False))
            seen = match.position.sight(seat)
            own = {fort.name for fort in seen.forts if fort.owner == match.position.players[seat]}
            assert {name for name, mark in marks.items() if mark != UNSEEN} == set(seen.fort)
            assert {name for name, mark in marks.items() if mark == OWN} == own
            found = {
                (one, other)
                for one, other in match.layout.field.roads
                if sees_road(as_int(marks[one]), as_int(marks[other]), own_roads)
            }
            assert found == set(seen.roads)
        while not match.step(rng):
            pass


@both_sights
@pytest.mark.parametrize("seed", range(12))
def test_what_is_hidden_changes_nothing_in_an_observation(seed: int, sight: str) -> None:
    match = odd_match(seed, sight=sight)
    rng = rng_of(seed)
    changes = 0
    for _ in range(40):
        match.step(rng)
        for seat in match.position.to_act:
            other = change_hidden(match, seat, rng)
            changes += other.tobytes() != match.state.tobytes()
            assert match.observed(seat, other).tobytes() == match.observed(seat).tobytes()
            kept, match.state = match.state, other
            hidden = match.actions(seat)
            match.state = kept
            assert hidden == match.actions(seat)
        if match.is_over:
            break
    assert changes > 5


def change_hidden(match: Match, seat: int, rng: Random) -> Any:
    """The match with other forts, armies, orders and seats out, as far as the seat is not told."""
    state, layout = match.copy(), match.layout
    seen, player = match.position.sight(seat), match.position.players[seat]
    inner = state["match"]
    others = [one for one in range(match.learning.seats) if one != seat]
    for name, number in layout.fort_numbers.items():
        if name not in seen.fort:
            inner["owner"][number] = rng.choice([*others, NEUTRAL])
            inner["garrison"][number] = rng.randint(0, 50)
    known = {frozenset(road) for road in seen.roads}
    for (one, other), lane in layout.lanes.items():
        if lane & 1 == 0 and frozenset((one, other)) not in known:
            for place in range(layout.departures[lane] + 1, layout.departures[lane + 1]):
                for way in (THERE, BACK):
                    put_army(inner, way, place, rng.choice([0, rng.randint(8, 90)]))
        if one not in seen.fort or seen.fort[one].owner != player:
            state["orders"][lane] = rng.randint(0, 9)
    state["ended"] = int(state["ended"]) ^ (1 << rng.choice(others))
    inner["still_in"] = int(inner["still_in"]) ^ (1 << rng.choice(others))
    inner["standing"][rng.choice(others)] = rng.randint(0, 99)
    inner["random"] = np.uint64(rng.getrandbits(64))
    return state


# --- redeals --------------------------------------------------------------------------------------


@both_sights
@pytest.mark.parametrize("seed", range(12))
def test_a_redealt_match_is_one_that_can_be_played(seed: int, sight: str) -> None:
    match = odd_match(seed, sight=sight)
    rng = rng_of(seed)
    while not match.is_over:
        for seat in range(match.learning.seats):
            state = match.redealt(seat, rng.getrandbits(60))
            assert match.observed(seat, state).tobytes() == match.observed(seat).tobytes()
            check_redealt(match, state, seat)
        match.step(rng)


def check_redealt(match: Match, state: Any, seat: int) -> None:
    inner, layout, setup = state["match"], match.layout, match.setup["match"]
    before = match.state["match"]
    for name in ("turn", "failed", "over"):
        assert np.array_equal(inner[name], before[name])
    assert (int(inner["still_in"]) ^ int(before["still_in"])) >> seat & 1 == 0
    assert int(inner["still_in"]).bit_count() > 1  # R11
    ended = int(state["ended"])
    assert ended == int(match.state["ended"]) & (1 << seat)
    for (origin, _), lane in layout.lanes.items():
        own = int(inner["owner"][layout.fort_numbers[origin]]) == seat
        assert state["orders"][lane] == (match.state["orders"][lane] if own else 0)
    marches = layout.read_field(inner).marches
    assert len(marches) == np.count_nonzero(inner["armies"])  # R6: none rests at a road's end
    assert len(marches) == int(np.bitwise_count(inner["occupied"]).sum())
    for one, other in zip(*layout.read_armies(inner), strict=True):
        assert not one or not other or owner_of(one) == owner_of(other)  # R7
        assert (soldiers_of(one) > 0) == (one != 0)
        assert (soldiers_of(other) > 0) == (other != 0)
    held = {int(owner) for owner in inner["owner"][: len(layout.field.forts)]}
    held |= {layout.players.index(march.owner) for march in marches}
    still_in = {s for s in range(match.learning.seats) if int(inner["still_in"]) >> s & 1}
    assert still_in <= held <= still_in | {NEUTRAL}  # R10
    soldiers = layout.read_field(inner).soldiers
    assert soldiers <= layout.field.soldiers + len(layout.field.forts) * int(inner["turn"])  # R9
    for number in range(len(layout.field.forts)):  # R8
        owner = int(inner["owner"][number])
        assert owner != NEUTRAL or int(setup["owner"][number]) == NEUTRAL
    after = new_records(layout.state_dtype)
    after[:] = inner
    rules.put_out_seats(setup, after[0])
    assert after.tobytes() == inner.tobytes()


@both_sights
@pytest.mark.parametrize("seed", range(8))
def test_a_redeal_does_not_look_at_what_is_hidden(seed: int, sight: str) -> None:
    """Matches that are alike to the seat become the same match, whoever is out (R13)."""
    match = odd_match(seed, sight=sight)
    rng = rng_of(seed)
    checked = 0
    for _ in range(60):
        match.step(rng)
        if match.is_over:
            break
        if match.position.turn > 0:
            for seat in match.position.to_act:
                other = change_hidden(match, seat, rng)
                dealt = int(rng.getrandbits(60))
                same = match.redealt(seat, dealt), match.redealt(seat, dealt, other)
                assert same[0].tobytes() == same[1].tobytes()
                checked += 1
    assert checked > 10


def test_who_is_out_is_not_told() -> None:
    """R13: of those that are out some are dealt as in, and the other way round."""
    found: Counter[tuple[bool, bool]] = Counter()
    for game in range(8):
        match, rng = odd_match(game), rng_of(game)
        while not match.is_over:
            match.step(rng)
            for seat in match.position.to_act:
                dealt = match.redealt(seat, rng.getrandbits(60))
                told = [int(state["match"]["still_in"]) for state in (match.state, dealt)]
                for other in range(match.learning.seats):
                    found[bool(told[0] >> other & 1), bool(told[1] >> other & 1)] += 1
    assert min(found[False, True], found[False, False], found[True, False]) > 10, found


def test_redeals_of_other_seeds_are_others() -> None:
    match = Match(BattlebotsOptions(seats=4))
    rng = rng_of(4)
    for _ in range(60):
        match.step(rng)
    for part in ("owner", "garrison", "armies", "occupied"):
        found = {match.redealt(0, seed)["match"][part].tobytes() for seed in range(20)}
        assert len(found) > 15, part


def test_before_the_first_turn_only_orders_are_dealt_anew() -> None:
    match = Match(BattlebotsOptions())
    for seat in (0, 1):
        match.act(seat, match.actions(seat)[0])
    state = match.redealt(0, 9)
    assert np.count_nonzero(match.state["orders"]) == 2
    assert np.count_nonzero(state["orders"]) == 1
    assert match.layout.read_field(state["match"]) == match.layout.field


def test_how_soon_a_seat_can_be_at_a_fort() -> None:
    match = begin(
        "a 0 0 ann 9, b 3 0 bob 7, c 3 5 neutral 3, d 20 20 neutral 0", "a b, b c", "b a bob 4 1"
    )
    assert find_reach(match.layout.field) == [[0, 1], [3, 0], [8, 5], [NEVER, NEVER]]
    assert match.setup["reach"][:4, :2].tolist() == find_reach(match.layout.field)
