"""What holds in every match, whatever is played; and interpreted runs are the compiled ones.

Examples are the same in every run (`derandomize`), so that a build never fails by chance.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import AgonError
from agon.games.bot import Budget
from agon.games.skyport import move as acts
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.mapfile import Map
from agon.games.skyport.maps.generator import symmetries
from agon.games.skyport.move import DEFAULT_LOADOUT, Action
from agon.games.skyport.notation import format_action, format_turn, parse_turn
from agon.games.skyport.position import SkyportPosition
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from tests.games.skyport.situation import options_for
from tests.games.skyport.test_naive_agrees import crowded_map, seeded

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=40)

directions = st.integers(0, 5)
actions = st.one_of(
    st.builds(acts.move, directions),
    st.builds(acts.laser, directions),
    st.builds(acts.upgrade, st.integers(0, 2)),
    st.builds(acts.mortar, st.integers(-300, 300), st.integers(-5, 5)),
    st.builds(acts.droid, st.lists(directions, max_size=9)),
    st.sampled_from([acts.MINE, acts.PASS]),
    st.builds(acts.not_understood, st.text(min_size=1, max_size=30)),
)
turns = st.lists(actions, max_size=3).map(tuple)


def matches(seed: int, length: int) -> list[SkyportPosition]:
    """Random turns on a small crowded map."""
    rng = seeded(seed)
    match_map = crowded_map(rng)
    positions = [SkyportPosition.start(options_for(match_map, 20), match_map, seed)]
    while positions[-1].to_act and len(positions) < length:
        last = positions[-1]
        positions.append(last.play({s: last.random_turn(s, rng) for s in last.to_act}))
    return positions


played = st.builds(matches, st.integers(0, 10**6), st.integers(10, 80))


# --- text ---------------------------------------------------------------------------------------


@deterministic
@given(turns)
def test_turns_and_their_texts_invert_each_other(turn: tuple[Action, ...]) -> None:
    text = format_turn(turn)
    assert text.isprintable()
    assert parse_turn(text) == turn
    assert parse_turn(text.replace("; ", " ;  ")) == turn or "?" in text


@deterministic
@given(st.text() | st.text('movelasr up;?"\\,-10droidnp', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        turn = parse_turn(text)
    except AgonError as error:
        check_line(error)
    else:
        assert parse_turn(format_turn(turn)) == turn


def check_line(error: AgonError) -> None:
    assert str(error).isprintable()


@deterministic
@given(played)
def test_matches_and_their_texts_invert_each_other(positions: list[SkyportPosition]) -> None:
    text = GAME.format_match(positions)
    again = GAME.parse_match(text)
    assert [p.observe(None) for p in again] == [p.observe(None) for p in positions]
    assert GAME.format_match(again) == text


# --- invariants ---------------------------------------------------------------------------------


@deterministic
@given(played)
def test_robots_stand_where_robots_can_stand(positions: list[SkyportPosition]) -> None:
    for position in positions:
        places = [robot.place for robot in position.robots]
        assert len({*places}) == len(places)
        for robot in position.robots:
            tile = position.tile(robot.place)
            assert tile in "GREC" or robot.place == position.map.spawns[robot.seat]
            assert 0 <= robot.health <= 100
            assert robot.health or tile != "S"
        if position.turn and position.to_act:
            assert position.robots[position.to_act[0]].health > 0


@deterministic
@given(played)
def test_units_come_from_mines(positions: list[SkyportPosition]) -> None:
    """What is left in the ground, what robots have, and what their levels cost stays the same."""
    costs = (0, 0, 4, 9)

    def total(position: SkyportPosition) -> int:
        mines = sum(row.count(letter) for row in position.rows for letter in "REC")
        held = sum(sum(robot.units) for robot in position.robots)
        spent = sum(costs[level] for robot in position.robots for level in robot.levels)
        return 2 * mines - len(position.half_mined) + held + spent

    assert {total(position) for position in positions} == {total(positions[0])}


@deterministic
@given(played, turns)
def test_legal_actions_are_those_that_are_not_refused(
    positions: list[SkyportPosition], turn: tuple[Action, ...]
) -> None:
    position = positions[-1]
    if not position.to_act or not position.turn:
        return
    (seat,) = position.to_act
    legal = {*position.legal_moves(seat)}
    for action in turn:
        (deed,) = position.play({seat: (action,)}).deeds
        assert (deed.refusal is None) == (action in legal)
    for action in sorted(legal, key=lambda action: action.code)[:: 1 + len(legal) // 20]:
        (deed,) = position.play({seat: (action,)}).deeds
        assert deed.refusal is None


@deterministic
@given(played)
def test_random_turns_are_never_refused(positions: list[SkyportPosition]) -> None:
    assert all(deed.refusal is None for position in positions for deed in position.deeds)


@deterministic
@given(st.integers(0, 10**6))
def test_a_mirrored_match_is_a_match(seed: int) -> None:
    """R1: with j and k swapped nothing changes but names."""
    rng = seeded(seed)
    match_map = crowded_map(rng)
    side = match_map.side
    turned = symmetries(4, side)[2]
    rows = ["".join(match_map.rows[k][j] for k in range(side)) for j in range(side)]
    image_map = Map(tuple(rows))
    seat_of = {seat: image_map.spawns.index(turned(p)) for seat, p in enumerate(match_map.spawns)}
    one = SkyportPosition.start(options_for(match_map, 10), match_map, seed)
    loadouts = dict.fromkeys(range(one.seats), DEFAULT_LOADOUT)
    image = SkyportPosition.start(options_for(image_map, 10), image_map, seed)
    order = [seat_of[seat] for seat in one.order]
    one, image = one.play(loadouts), with_order(image, order).play(loadouts)
    while one.to_act:
        (seat,) = one.to_act
        turn = one.random_turn(seat, rng)
        assert isinstance(turn, tuple)
        one, image = one.play({seat: turn}), image.play({seat_of[seat]: tuple(map(mirrored, turn))})
        for robot in one.robots:
            other = image.robots[seat_of[robot.seat]]
            assert (turned(robot.place), robot.health, robot.score) == (
                other.place,
                other.health,
                other.score,
            )


def with_order(position: SkyportPosition, order: list[int]) -> SkyportPosition:
    state = position.copy_state()
    state["order"][: len(order)] = order
    return SkyportPosition(position.options, position.map, position.seed, state)


def mirrored(action: Action) -> Action:
    """The action seen in the mirror that swaps j and k."""
    swapped = (0, 1, 4, 5, 2, 3)
    name = format_action(action).split()[0]
    if name == "move":
        return acts.move(swapped[action.steps[0]])
    if name == "laser":
        return acts.laser(swapped[action.steps[0]])
    if name == "mortar":
        return acts.mortar(*reversed(action.offset))
    if name == "droid":
        return acts.droid([swapped[step] for step in action.steps])
    return action


# --- compiled and interpreted -------------------------------------------------------------------

MAPS = ("two", "eight")  # of two tiers


def final_records(name: str) -> bytes:
    """The final states of random games, byte for byte."""
    simulation = GAME.simulation(SkyportOptions(map=name, turns=20))
    states, plies = play_batch(simulation, game_seeds(5, 0, 3), 200)
    return bytes(states.tobytes() + plies.tobytes())


@pytest.mark.system
def test_interpreted_games_are_the_compiled_ones() -> None:
    """The same functions, not compiled, in a process of their own."""
    program = (
        "import sys; from tests.games.skyport.test_properties import MAPS, final_records; "
        "sys.stdout.buffer.write(b''.join(map(final_records, MAPS)))"
    )
    interpreted = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"AGON_JIT": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=True,
    ).stdout
    assert interpreted == b"".join(map(final_records, MAPS))


def test_a_random_bot_plays_whole_matches() -> None:
    position = GAME.start(SkyportOptions(turns=5), seed=1)
    bots = [GAME.bot("random", seed) for seed in range(2)]
    while position.to_act:
        turns = {seat: bots[seat].choose(position, seat, Budget()) for seat in position.to_act}
        position = position.play(turns)
    assert position.outcome is not None
