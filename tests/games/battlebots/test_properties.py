"""What holds in every game of Battlebots: Hypothesis plays, and searches for one where it does not.

Examples are the same in every run (`derandomize`), so that a build never fails by chance.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import AgonError
from agon.games.battlebots import rules
from agon.games.battlebots.board import TIERS, setup_dtype, state_dtype, work_dtype
from agon.games.battlebots.field import Battlefield, Fort, March
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.mapfile import format_map, parse_map
from agon.games.battlebots.move import Order, Turn
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.battlebots.protocol import SectionsDialogue, read_orders
from agon.games.battlebots.setup import build_setup
from agon.games.dialogue import Briefing
from agon.kernel import new_records
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from tests.games.battlebots.odd_maps import PLAYERS, odd_map
from tests.games.battlebots.situation import with_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=60)
seeds = st.integers(0, 10**9)


def rng_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311


def start_odd(seed: int, players: int | None = None, **options: Any) -> BattlebotsPosition:
    rng = rng_of(seed)
    field = odd_map(rng, players or rng.randint(2, 5))
    return BattlebotsPosition.start(BattlebotsOptions(**options), Layout(field))


def play_on(position: BattlebotsPosition, seed: int, turns: int) -> list[BattlebotsPosition]:
    rng = rng_of(seed)
    positions = [position]
    while position.to_act and len(positions) <= turns:
        chosen = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        positions.append(position := position.play(chosen))
    return positions


# --- soldiers -------------------------------------------------------------------------------------


def soldiers(field: Battlefield, player: str) -> int:
    here = sum(fort.soldiers for fort in field.forts if fort.owner == player)
    return here + sum(march.soldiers for march in field.marches if march.owner == player)


def owned(field: Battlefield, player: str) -> int:
    return sum(fort.owner == player for fort in field.forts)


@deterministic
@given(seeds)
def test_fights_of_two_cost_both_the_same(seed: int) -> None:
    """Of two players, with empty neutral forts: start + growth - twice the fights."""
    start = start_odd(seed, 2)
    empty = tuple(f._replace(soldiers=0) if f.owner == "neutral" else f for f in start.field.forts)
    field = Battlefield(empty, start.field.roads, start.field.marches)
    positions = play_on(BattlebotsPosition.start(start.options, Layout(field)), seed, 40)
    for before, after in pairwise(positions):
        ann, bob = (
            soldiers(before.field, name) + owned(after.field, name) - soldiers(after.field, name)
            for name in before.players
        )
        assert ann == bob >= 0
        assert after.field.soldiers == before.field.soldiers + (
            owned(after.field, "ann") + owned(after.field, "bob") - 2 * ann
        )


@deterministic
@given(seeds)
def test_soldiers_come_from_growth_alone(seed: int) -> None:
    positions = play_on(start_odd(seed), seed, 30)
    for before, after in pairwise(positions):
        for name in (*before.players, "neutral"):
            growth = owned(after.field, name) if name != "neutral" else 0
            assert 0 <= soldiers(after.field, name) <= soldiers(before.field, name) + growth


@deterministic
@given(seeds)
def test_a_field_in_play_is_a_field(seed: int) -> None:
    """A map that is written and read at any moment is the same, and holds."""
    for position in play_on(start_odd(seed), seed, 20)[::5]:
        text = format_map(position.field)
        assert format_map(parse_map(text)) == text


@deterministic
@given(seeds)
def test_a_field_that_is_written_has_the_records_of_one_in_play(seed: int) -> None:
    for position in play_on(start_odd(seed), seed, 20)[1:]:
        played = position.copy_state()
        written = with_field(position, position.field).copy_state()
        for part in ("armies", "occupied", "garrison", "owner"):
            assert written[part].tobytes() == played[part].tobytes()
        assert np.bitwise_count(played["occupied"]).sum() == len(position.field.marches)


# --- what changes nothing -------------------------------------------------------------------------


def changed_field(field: Battlefield, names: Mapping[str, str], turn_roads: bool) -> Battlefield:
    """With other players' names, and with forts and roads in another order and direction."""
    forts = [fort._replace(owner=names.get(fort.owner, "neutral")) for fort in field.forts]
    roads = list(field.roads)
    if turn_roads:
        forts.reverse()
        roads = [(other, one) for one, other in reversed(roads)]
    marches = [march._replace(owner=names[march.owner]) for march in field.marches]
    return Battlefield(tuple(forts), tuple(roads), tuple(marches))


@pytest.mark.long
@deterministic
@given(seeds, st.permutations(PLAYERS), st.booleans())
def test_names_and_directions_do_not_matter(seed: int, names: list[str], turn_roads: bool) -> None:
    first = start_odd(seed, turn_limit=25, at_limit="most-soldiers")
    called = dict(zip(PLAYERS, names, strict=True))
    layout = Layout(changed_field(first.field, called, turn_roads))
    second = BattlebotsPosition.start(first.options, layout)
    seat_of = [second.players.index(called[name]) for name in first.players]
    rng = rng_of(seed)
    while first.to_act:
        turns = {seat: first.random_turn(seat, rng) for seat in first.to_act}
        first = first.play(turns)
        second = second.play({seat_of[seat]: turn for seat, turn in turns.items()})
        expected = changed_field(first.field, called, turn_roads)
        assert format_map(second.field) == format_map(expected)
    assert first.outcome
    assert second.outcome
    assert [second.outcome.scores[seat] for seat in seat_of] == list(first.outcome.scores)


@deterministic
@given(seeds)
def test_the_order_of_orders_does_not_matter(seed: int) -> None:
    position = play_on(start_odd(seed), seed, 6)[-1]
    if position.to_act:
        rng = rng_of(seed)
        turns = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        split = {seat: split_orders(turn) for seat, turn in reversed(turns.items())}
        assert format_map(position.play(split).field) == format_map(position.play(turns).field)


def split_orders(turn: Turn) -> Turn:
    """The same soldiers one by one, the last fort first."""
    return tuple(Order(origin, target, 1) for origin, target, n in reversed(turn) for _ in range(n))


@pytest.mark.long
def test_the_size_of_the_records_does_not_matter() -> None:
    """The same match in records of every tier."""
    layout = Layout(odd_map(rng_of(5), 4))
    small = build_setup(layout, 60, soldiers_decide=True)[0]
    finals = []
    for tier in TIERS:
        setup, work = new_records(setup_dtype(tier))[0], new_records(work_dtype(tier))[0]
        for name in setup.dtype.names:
            value = np.asarray(small[name])
            if value.ndim:
                setup[name][tuple(map(slice, value.shape))] = value
            else:
                setup[name] = value
        state: Any = new_records(state_dtype(tier))[0]
        finals.append(play_by_chance(setup, state, work, layout))
    assert all(final == finals[0] for final in finals)


def play_by_chance(setup: Any, state: Any, work: Any, layout: Layout) -> list[Any]:
    from agon.games.battlebots import playout

    seed: Any = np.uint64(8)
    rules.start(setup, state, seed)
    while not playout.is_over(setup, state):
        playout.play_random_turn(setup, state, work)
    assert not work["orders"].any()
    assert not work["strength"].any()
    assert not work["arrived"].any()
    kept = [state[name].tolist() for name in ("random", "turn", "standing", "still_in", "over")]
    return [*kept, format_map(layout.read_field(state))]


# --- nothing leaks --------------------------------------------------------------------------------


def change_unseen(position: BattlebotsPosition, seat: int, rng: Random) -> BattlebotsPosition:
    """Another position that looks the same to the seat: what it does not see is shuffled."""
    field, seen = position.field, position.sight(seat)
    others = [name for name in position.players if name != position.players[seat]]

    def change(fort: Fort) -> Fort:
        if fort.name in seen.fort:
            return fort
        owner = rng.choice([*others, "neutral"])
        return fort._replace(owner=owner, soldiers=rng.randint(0, 50))

    known = {frozenset(road) for road in seen.roads}
    marches = [m for m in field.marches if frozenset((m.origin, m.target)) in known]
    for one, other in field.roads:
        length = field.length[one, other]
        if frozenset((one, other)) not in known and length > 1 and rng.random() < 0.7:
            owner = rng.choice(position.players)
            marches.append(March(one, other, owner, rng.randint(1, 9), rng.randint(1, length - 1)))
    return with_field(
        position, Battlefield(tuple(map(change, field.forts)), field.roads, tuple(marches))
    )


@pytest.mark.long
@pytest.mark.parametrize("sight", ["all-roads", "own-roads"])
@pytest.mark.parametrize("origin", ["home", "absolute"])
def test_what_is_not_seen_changes_nothing_for_a_seat(sight: str, origin: str) -> None:
    changes = 0

    @deterministic
    @given(seeds)
    def check(seed: int) -> None:
        nonlocal changes
        rng = rng_of(seed)
        start = start_odd(seed, 4, sight=sight, origin=origin)
        position = play_on(start, seed, rng.randint(2, 8))[-1]
        for seat in range(position.seats):
            other = change_unseen(position, seat, rng)
            changes += other.observe(None) != position.observe(None)
            if seat not in position.to_act or seat not in other.to_act:
                continue
            assert other.message(seat) == position.message(seat)
            assert asked(other, seat) == asked(position, seat)
            assert other.legal_moves(seat) == position.legal_moves(seat)
            assert other.observe(seat) == position.observe(seat)
            lines = rng_lines(rng, position)
            player = position.players[seat]
            answers = (read_orders(p.sight(seat), player, lines) for p in (position, other))
            assert next(answers) == next(answers)

    check()
    assert changes > 60


def asked(position: BattlebotsPosition, seat: int) -> list[str]:
    dialogue = SectionsDialogue()
    dialogue.open(position, seat, Briefing(names=("a", "b", "c", "d")))
    return dialogue.ask(position)


def rng_lines(rng: Random, position: BattlebotsPosition) -> list[str]:
    names = [fort.name for fort in position.field.forts]
    return [f"{rng.choice(names)} {rng.choice(names)} {rng.randint(-1, 40)}" for _ in range(20)]


# --- texts ----------------------------------------------------------------------------------------

order_texts = st.builds(
    "{} {} {}".format, st.sampled_from("abcx"), st.sampled_from("abc"), st.integers(0, 40)
)
turn_texts = st.one_of(
    st.text(max_size=12),
    st.just("pass"),
    st.lists(order_texts, min_size=1, max_size=3).map(", ".join),
    st.lists(order_texts, min_size=1, max_size=3).map(" ".join),
)


def check_line(error: AgonError) -> None:
    assert str(error).isprintable()


@deterministic
@given(seeds, st.lists(turn_texts, min_size=5, max_size=20))
def test_any_text_is_read_or_refused(seed: int, texts: list[str]) -> None:
    position = start_odd(seed)
    for text in texts:
        try:
            turn = position.parse_turn(0, text)
        except AgonError as error:
            check_line(error)
            continue
        assert position.format_turn(0, turn) == text
        position.play(dict.fromkeys(position.to_act, ()) | {0: turn})


@deterministic
@given(seeds)
def test_turns_and_logs_invert(seed: int) -> None:
    rng = rng_of(seed)
    positions = play_on(start_odd(seed), seed, 12)
    for position in positions:
        for seat in position.to_act:
            turn = position.random_turn(seat, rng)
            assert position.parse_turn(seat, position.format_turn(seat, turn)) == turn
    text = GAME.format_match(positions)
    read = GAME.parse_match(text)
    assert GAME.format_match(read) == text
    assert [p.observe(None) for p in read] == [p.observe(None) for p in positions]


# --- every way of running -------------------------------------------------------------------------

PRINT_RECORDS = """
import sys
sys.path.insert(0, "")
from tests.games.battlebots.test_properties import final_records
sys.stdout.write(final_records())
"""


def final_records() -> str:
    """The bytes of a few simulated matches, as this process runs kernels."""
    found = []
    for options in (
        BattlebotsOptions(),
        BattlebotsOptions(seats=3, map="random", turn_limit=20, at_limit="most-soldiers"),
        BattlebotsOptions(seats=6, turn_limit=9),
        BattlebotsOptions(field=format_map(odd_map(rng_of(3), 8))),
    ):
        simulation = GAME.simulation(options)
        states, plies = play_batch(simulation, game_seeds(4, 0, 3), 25)
        found.append(f"{states.tobytes().hex()} {plies} {simulation.score_games(states)}")
    return "\n".join(found)


@pytest.mark.system
def test_interpreted_and_compiled_matches_are_equal_byte_by_byte() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PRINT_RECORDS],
        env=os.environ | {"AGON_JIT": "0"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == final_records()


@pytest.mark.parametrize("make", [setup_dtype, state_dtype, work_dtype])
@pytest.mark.parametrize("tier", TIERS)
def test_records_have_no_gaps(make: Callable[..., np.dtype[Any]], tier: Any) -> None:
    dtype = make(tier)
    fields = [dtype.fields[name] for name in dtype.names or ()] if dtype.fields else []
    if make is state_dtype:
        assert sum(field[0].itemsize for field in fields) == dtype.itemsize
    taken = {*dir(np.record), *dir(np.recarray)} & {*(dtype.names or ())}
    assert not taken
