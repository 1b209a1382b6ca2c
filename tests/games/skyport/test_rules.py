"""The rules by number: legal and refused actions, in notation.

Maps are rows of letters (see `situation.py`): one letter to the right is `right-down`, one row down
is `left-down`, both at once `down`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.move import DEFAULT_LOADOUT, LOADOUTS
from agon.games.skyport.notation import format_turn
from agon.games.skyport.position import SkyportPosition
from tests.games.skyport.situation import (
    begin,
    change,
    drawn_map,
    health,
    options_for,
    places,
    play,
    refusals,
    scores,
)

WIDE = "/".join(["SGGGGGGGG", *["GGGGGGGGG"] * 7, "GGGGGGGGS"])
MIDDLE = (4, 4)


def duel(
    one: tuple[int, int] = MIDDLE,
    other: tuple[int, int] = (0, 8),
    loadouts: str = "",
    drawing: str = WIDE,
) -> SkyportPosition:
    """Two robots in the open; seat 0 is to act."""
    return change(begin(drawing, loadouts), places={0: one, 1: other})


# --- R1 to R4: the map --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("direction", "step"),
    [
        ("up", (-1, -1)),
        ("down", (1, 1)),
        ("right-up", (-1, 0)),
        ("rightUp", (-1, 0)),
        ("right-down", (0, 1)),
        ("rightDown", (0, 1)),
        ("left-up", (0, -1)),
        ("leftUp", (0, -1)),
        ("left-down", (1, 0)),
        ("leftDown", (1, 0)),
    ],
)
def test_r01_directions_have_two_spellings(direction: str, step: tuple[int, int]) -> None:
    position = play(duel(), f"move {direction}")
    assert places(position)[0] == (4 + step[0], 4 + step[1])
    assert refusals(position) == [None]


def test_r03_seats_have_the_spawns_in_reading_order() -> None:
    drawn = drawn_map("GGSG/GSGG/SGGG/GGGS")
    assert drawn.spawns == ((2, 0), (1, 1), (0, 2), (3, 3))
    start = SkyportPosition.start(options_for(drawn), drawn, 7)
    assert places(start) == [*drawn.spawns]
    assert health(start) == [100] * 4
    assert scores(start) == [0] * 4


# --- R5, R6: loadouts and order -----------------------------------------------------------------


def test_r05_all_seats_choose_before_turn_one() -> None:
    start = GAME.start(seats=3)
    assert start.turn == 0
    assert start.to_act == (0, 1, 2)
    assert len(start.legal_moves(1)) == 6
    after = start.play({0: LOADOUTS[3], 1: DEFAULT_LOADOUT, 2: LOADOUTS[4]})
    assert [robot.weapons for robot in after.robots] == [(1, 2), (0, 1), (2, 0)]
    assert [robot.levels for robot in after.robots] == [(0, 1, 1), (1, 1, 0), (1, 0, 1)]
    assert after.turn == 1


def test_r05_two_different_weapons() -> None:
    start = GAME.start()
    assert format_turn(start.parse_turn(0, "loadout droid laser")) == "loadout droid laser"
    with pytest.raises(IllegalMoveError, match="laser laser: expected two different"):
        start.parse_turn(0, "loadout laser laser")
    with pytest.raises(NotationError, match="bow"):
        start.parse_turn(0, "loadout laser bow")
    with pytest.raises(IllegalMoveError, match="'pass': a loadout is due"):
        start.parse_turn(0, "pass")
    with pytest.raises(IllegalMoveError, match="a loadout is due"):
        start.play({0: (), 1: DEFAULT_LOADOUT})
    with pytest.raises(IllegalMoveError, match="actions are due"):
        begin().parse_turn(0, "loadout laser mortar")
    with pytest.raises(IllegalMoveError, match="chosen before"):
        begin().play({0: DEFAULT_LOADOUT})


def test_r06_the_order_is_shuffled_from_the_seed_and_goes_round() -> None:
    orders = {GAME.start(seed=seed, seats=4).order for seed in range(200)}
    assert len(orders) == 24
    assert GAME.start(seed=5, seats=4).order == GAME.start(seed=5, seats=4).order
    position = GAME.start(seed=3, seats=4)
    order = position.order
    position = position.play(dict.fromkeys(range(4), DEFAULT_LOADOUT))
    for number in range(1, 10):
        assert position.turn == number
        assert position.to_act == (order[(number - 1) % 4],)
        assert position.order[0] == position.to_act[0]
        position = play(position, "pass")


# --- R7: turns ----------------------------------------------------------------------------------


def test_r07_up_to_three_actions() -> None:
    assert places(play(duel(), "move up; move up; move down"))[0] == (3, 3)
    assert places(play(duel(), "nothing"))[0] == MIDDLE
    with pytest.raises(IllegalMoveError, match="turn of 4 actions: expected 3 at most"):
        play(duel(), "move up; move up; move up; move up")


def test_r07_a_refused_action_uses_up_its_slot() -> None:
    position = play(duel(other=(4, 6)), "mine; move up; laser right-down")
    assert refusals(position) == ["mine: nothing to mine on a G tile", None, None]
    position = play(duel(other=(4, 6)), "mine; mine; laser right-down")
    assert health(position)[1] == 84


@pytest.mark.parametrize("last", ["pass", "laser up", "mortar 2,0"])
def test_r07_a_shot_and_a_pass_end_the_turn(last: str) -> None:
    position = play(duel(), f"{last}; move up; pass")
    over = "your turn is over"
    assert refusals(position) == [None, f"move up: {over}", f"pass: {over}"]
    assert places(position)[0] == MIDDLE


def test_r07_a_refused_shot_does_not_end_the_turn() -> None:
    position = play(duel(), "mortar 3,0; move up")
    assert refusals(position) == ["mortar 3,0: out of range, level 1 reaches 2", None]


def test_r07_what_is_not_understood_is_refused_with_its_complaint() -> None:
    position = play(duel(), '? "direction \\"; \\": expected up"; move up')
    assert refusals(position) == ['direction "; ": expected up', None]


# --- R8 to R10: move, mine, upgrade -------------------------------------------------------------


def test_r08_moves_that_are_refused() -> None:
    position = begin("SVG/OGG/GGS")
    assert refusals(play(position, "move up; move left-up; move right-up")) == [
        "move up: off the map",
        "move left-up: off the map",
        "move right-up: off the map",
    ]
    assert refusals(play(position, "move right-down; move left-down; move down")) == [
        "move right-down: a V tile is not accessible",
        "move left-down: an O tile is not accessible",
        None,
    ]
    moved = play(position, "move down")
    assert refusals(play(moved, "move up")) == ["move up: 1, 1 is occupied"]
    back = play(moved, "pass", "move up; move down")
    assert refusals(back)[0] == "move up: an S tile is not accessible"
    assert refusals(back)[1] == "move down: an S tile is not accessible"


def test_r08_a_body_blocks_its_tile() -> None:
    position = change(duel(other=(4, 5)), health={1: 10})
    position = play(position, "laser right-down")
    assert health(position)[1] == 0
    assert position.to_act == (0,)
    assert refusals(play(position, "move right-down")) == ["move right-down: 4, 5 is occupied"]


def test_r09_a_mine_has_two_units_and_becomes_grass() -> None:
    position = begin("SREC/GGGG/GGGG/GGGS")
    position = play(position, "move right-down; mine; mine", "pass")
    assert position.rows[0] == "SGEC"
    assert position.robots[0].units == (2, 0, 0)
    position = play(position, "mine; move right-down; mine", "pass")
    assert refusals(play(position, "pass"))[0] is None
    assert position.robots[0].units == (2, 1, 0)
    assert position.rows[0] == "SGEC"
    assert position.half_mined == ((0, 2),)
    position = play(position, "mine; move right-down; mine")
    assert position.robots[0].units == (2, 2, 1)


def test_r09_nothing_to_mine() -> None:
    assert refusals(play(begin("SG/GS"), "mine")) == ["mine: nothing to mine on an S tile"]
    position = begin("SR/GS")
    position = play(position, "move right-down; mine; mine", "pass", "mine")
    assert refusals(position) == ["mine: nothing to mine on a G tile"]


def test_r10_upgrades_cost_four_and_five_of_the_weapons_resource() -> None:
    position = change(begin(), units={(0, "laser"): 9, (0, "mortar"): 3, (0, "droid"): 9})
    position = play(position, "upgrade laser; upgrade laser; upgrade laser")
    assert refusals(position) == [None, None, "upgrade laser: level 3 is the highest"]
    assert position.robots[0].levels == (3, 1, 0)
    assert position.robots[0].units == (0, 3, 9)
    position = play(position, "pass", "upgrade mortar; upgrade droid")
    assert refusals(position) == [
        "upgrade mortar: not enough explodium",
        "upgrade droid: you carry laser and mortar",
    ]


@pytest.mark.parametrize(("level", "units"), [(1, 3), (2, 4)])
def test_r10_one_unit_too_few(level: int, units: int) -> None:
    position = change(begin(), level={(0, "laser"): level}, units={(0, "laser"): units})
    assert refusals(play(position, "upgrade laser")) == ["upgrade laser: not enough rubidium"]
    richer = change(position, units={(0, "laser"): units + 1})
    after = play(richer, "upgrade laser")
    assert refusals(after) == [None]
    assert after.robots[0].units[0] == 0


def test_r10_units_are_told_to_no_player() -> None:
    poor = begin()
    rich = change(poor, units={(0, "laser"): 9})
    for seat in (0, 1):
        assert poor.observe(seat) == rich.observe(seat)
    assert poor.observe(None) != rich.observe(None)


# --- R11: damage --------------------------------------------------------------------------------

WAITS = ["mine; mine; ", "mine; ", ""]  # 0, 1, 2 slots are unused after the shot
DIRECT = [
    ("laser", 1, (16, 19, 22)),
    ("laser", 2, (18, 22, 25)),
    ("laser", 3, (22, 26, 31)),
    ("mortar", 1, (20, 24, 28)),
    ("mortar", 2, (20, 24, 28)),
    ("mortar", 3, (25, 30, 35)),
    ("droid", 1, (22, 26, 31)),
    ("droid", 2, (24, 29, 34)),
    ("droid", 3, (26, 31, 36)),
]
SHOTS = {
    "laser": "laser right-down",
    "mortar": "mortar 0,2",
    "droid": "droid right-down,right-down",
}
CARRIED = {"laser": "laser mortar", "mortar": "laser mortar", "droid": "laser droid"}


@pytest.mark.parametrize(("weapon", "level", "damages"), DIRECT)
def test_r11_damage_by_weapon_level_and_unused_slots(
    weapon: str, level: int, damages: tuple[int, ...]
) -> None:
    position = change(duel((4, 2), (4, 4), CARRIED[weapon]), level={(0, weapon): level})
    for wait, damage in zip(WAITS, damages, strict=True):
        after = play(position, wait + SHOTS[weapon])
        assert health(after) == [100, 100 - damage]
        assert scores(after) == [damage, 0]


@pytest.mark.parametrize(("weapon", "damages"), [("mortar", (18, 22, 25)), ("droid", (10, 12, 14))])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_r11_damage_around_an_explosion(weapon: str, damages: tuple[int, ...], level: int) -> None:
    for beside in ((3, 3), (5, 5), (3, 4), (4, 5), (4, 3), (5, 4)):
        position = change(duel((4, 2), beside, CARRIED[weapon]), level={(0, weapon): level})
        for wait, damage in zip(WAITS, damages, strict=True):
            after = play(position, wait + SHOTS[weapon])
            assert health(after) == [100, 100 - damage]


def test_r11_no_damage_two_steps_away() -> None:
    position = duel((4, 2), (4, 6))
    assert health(play(position, "mortar 0,2")) == [100, 100]


@pytest.mark.parametrize("shot", ["laser down", "mortar 1,1", "droid down"])
def test_r11_no_shots_from_a_spawn(shot: str) -> None:
    position = begin(WIDE, "laser mortar" if "droid" not in shot else "laser droid")
    assert refusals(play(position, shot)) == [f"{shot}: no shots from a spawn tile"]


def test_r11_only_carried_weapons_shoot() -> None:
    position = duel(loadouts="mortar droid")
    assert refusals(play(position, "laser up; droid; pass"))[:2] == [
        "laser up: you carry mortar and droid",
        None,
    ]
    assert refusals(play(duel(), "droid")) == ["droid: you carry laser and mortar"]


# --- R12: laser ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "reach"), [(1, 5), (2, 6), (3, 7)])
def test_r12_range(level: int, reach: int) -> None:
    for steps in (reach, reach + 1):
        position = change(duel((4, 0), (4, steps)), level={(0, "laser"): level})
        after = play(position, "laser right-down")
        assert (health(after)[1] < 100) == (steps == reach)
        assert after.deeds[0].origin == (4, 0)
        assert after.deeds[0].target == (4, reach)


def test_r12_hits_everyone_on_the_line() -> None:
    position = begin("SSSG/GGGG/GGGG/GGGG", first=0)
    position = change(position, places={0: (3, 0), 1: (3, 1), 2: (3, 3)})
    after = play(position, "laser right-down")
    assert health(after) == [100, 78, 78]
    assert scores(after) == [44, 0, 0]


@pytest.mark.parametrize(("tile", "passes"), [*((t, True) for t in "GRECVS"), ("O", False)])
def test_r12_stops_before_rock_only(tile: str, passes: bool) -> None:
    drawing = f"GGGGG/GG{tile}GG/GGGGG/" + ("SGGGG/GGGGS" if tile != "S" else "SGGGG/GGGGG")
    position = begin(drawing)
    position = change(position, places={0: (1, 0), 1: (1, 3)})
    after = play(position, "laser right-down")
    assert (health(after)[1] == 78) == passes
    assert after.deeds[0].target == ((1, 4) if passes else (1, 1))


def test_r12_stops_at_the_edge() -> None:
    after = play(duel((1, 3)), "laser up")
    assert after.deeds[0].target == (0, 2)
    after = play(duel((0, 3)), "laser up")
    assert after.deeds[0].target == (0, 3)
    assert after.deeds[0].walked == 0


def test_r12_does_not_hurt_on_a_spawn() -> None:
    position = change(begin(WIDE), places={0: (8, 5)})
    after = play(position, "laser right-down")
    assert health(after) == [100, 100]
    assert scores(after) == [0, 0]


# --- R13: mortar --------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "reach"), [(1, 2), (2, 3), (3, 4)])
def test_r13_range(level: int, reach: int) -> None:
    position = change(duel(), level={(0, "mortar"): level})
    for j in range(-5, 6):
        for k in range(-5, 6):
            refused = refusals(play(position, f"mortar {j},{k}"))[0]
            if max(abs(j), abs(k), abs(j - k)) <= reach:
                assert refused is None
            else:
                expected = f"out of range, level {level} reaches {reach}"
                assert refused == f"mortar {j},{k}: {expected}"


def test_r13_onto_oneself() -> None:
    after = play(duel(), "mortar 0,0")
    assert health(after) == [72, 100]
    assert scores(after) == [0, 0]


def test_r13_off_the_map_nothing_happens() -> None:
    after = play(duel((0, 3), (0, 4)), "mortar -1,-1; move down")
    assert refusals(after) == [None, "move down: your turn is over"]
    assert health(after) == [100, 100]
    assert scores(after) == [0, 0]
    assert after.deeds[0].target is None


@pytest.mark.parametrize("tile", "VOS")
def test_r13_is_lost_on_void_rock_and_spawn(tile: str) -> None:
    drawing = f"GGGGG/GG{tile}GG/GGGGG/" + ("SGGGG/GGGGS" if tile != "S" else "SGGGG/GGGGG")
    position = change(begin(drawing), places={0: (1, 0), 1: (1, 3)})
    after = play(position, "mortar 0,2")
    assert refusals(after) == [None]
    assert health(after) == [100, 100]


def test_r13_flies_over_rock() -> None:
    position = change(begin("GGGGG/GOGGG/SGGGS/GGGGG/GGGGG"), places={0: (1, 0), 1: (1, 2)})
    assert health(play(position, "mortar 0,2")) == [100, 72]


# --- R14: droid ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "reach"), [(1, 3), (2, 4), (3, 5)])
def test_r14_length(level: int, reach: int) -> None:
    position = change(duel((4, 0), (4, reach), "droid laser"), level={(0, "droid"): level})
    walk = ",".join(["right-down"] * reach)
    after = play(position, f"droid {walk}")
    assert health(after)[1] < 80
    assert after.deeds[0].walked == reach
    after = play(position, f"droid {walk},right-down")
    expected = f"too long, level {level} walks {reach}"
    assert refusals(after) == [f"droid {walk},right-down: {expected}"]


def test_r14_an_empty_list_explodes_at_once() -> None:
    after = play(duel((4, 4), (4, 5), "droid laser"), "droid")
    assert health(after) == [69, 86]
    assert scores(after) == [14, 0]


@pytest.mark.parametrize("tile", "VOS#")
def test_r14_is_blocked_by_void_rock_spawn_and_edge(tile: str) -> None:
    rest = "SGGGG/GGGGS" if tile != "S" else "SGGGG/GGGGG"
    drawing = f"GGGGG/GG{tile.replace('#', 'G')}GG/GGGGG/{rest}"
    position = begin(drawing, "droid laser")
    position = change(position, places={0: (1, 0), 1: (0, 0)})
    if tile == "#":
        after = play(position, "droid left-up,down")
        assert (after.deeds[0].walked, after.deeds[0].target) == (0, (1, 0))
        assert health(after) == [69, 86]
    else:
        after = play(position, "droid right-down,right-down,right-down")
        assert (after.deeds[0].walked, after.deeds[0].target) == (1, (1, 1))
        assert health(after) == [86, 86]


def test_r14_walks_through_robots() -> None:
    position = begin("SSSG/GGGG/GGGG/GGGG", "droid laser")
    position = change(position, places={0: (3, 0), 1: (3, 1), 2: (3, 3)})
    after = play(position, "droid right-down,right-down,right-down")
    assert health(after) == [100, 100, 69]


def test_r14_an_unknown_direction_refuses_the_shot() -> None:
    with pytest.raises(NotationError, match="sideways"):
        play(duel(loadouts="droid laser"), "droid up,sideways")


# --- R15, R16: hits and death -------------------------------------------------------------------


def test_r15_bodies_are_not_hit_again() -> None:
    position = change(duel(other=(4, 6)), health={1: 5})
    position = play(position, "laser right-down")
    assert scores(position) == [22 + 20, -40]
    position = play(position, "laser right-down")
    assert scores(position) == [22 + 20, -40]


def test_r16_a_skipped_turn_then_the_spawn() -> None:
    position = change(
        duel(other=(4, 6)), health={1: 1}, level={(1, "laser"): 2}, units={(1, "mortar"): 3}
    )
    position = play(position, "laser right-down")
    assert (position.turn, position.to_act) == (2, (0,))  # seat 1 was skipped
    assert places(position)[1] == (4, 6)
    assert health(position)[1] == 0
    position = play(position, "move up")
    assert (position.turn, position.to_act) == (3, (1,))
    assert places(position)[1] == (8, 8)
    assert health(position)[1] == 100
    assert position.robots[1].levels == (2, 1, 0)
    assert position.robots[1].units == (0, 3, 0)
    assert scores(position)[1] == -40  # no penalty for the turn that was skipped
    assert position.rows[4] == "GGGGGGGGG"
    assert refusals(play(position, "pass", "move down; move right-down; move right-down")) == [
        None,
        None,
        None,
    ]


def test_r16_who_kills_itself_skips_its_next_turn() -> None:
    position = change(duel(), health={0: 10})
    position = play(position, "mortar 0,0")
    assert health(position)[0] == 0
    assert scores(position) == [-40, 0]
    position = play(position, "move up")
    assert (position.turn, position.to_act) == (3, (1,))
    position = play(position, "move up")
    assert (position.turn, position.to_act) == (4, (0,))
    assert places(position)[0] == (0, 0)


def test_r16_all_may_be_dead() -> None:
    position = change(duel(other=(4, 5)), health={0: 10, 1: 10})
    position = play(position, "mortar 0,0")
    assert health(position) == [0, 100]  # both were skipped, and seat 1 is back
    assert (position.turn, position.to_act) == (2, (1,))
    assert scores(position) == [-40 + 25 + 20, -40]


# --- R17: score ---------------------------------------------------------------------------------


def test_r17_overkill_counts() -> None:
    after = play(change(duel(other=(4, 6)), health={1: 1}), "laser right-down")
    assert scores(after) == [22 + 20, -40]


@pytest.mark.parametrize("turn", ["nothing", "pass", "mine", "mine; mine; mine", "mine; pass"])
def test_r17_a_turn_without_a_valid_action_costs_ten(turn: str) -> None:
    assert scores(play(duel(), turn))[0] == -10
    assert scores(play(begin(), turn))[0] == -20  # and ten for the spawn


@pytest.mark.parametrize("turn", ["move up", "mine; move up; pass", "laser up", "mortar 2,2"])
def test_r17_one_valid_action_is_enough(turn: str) -> None:
    assert scores(play(duel(), turn))[0] == 0


def test_r17_the_spawn_costs_ten() -> None:
    position = change(begin(), units={(0, "laser"): 4})
    assert scores(play(position, "upgrade laser")) == [-10, 0]
    assert scores(play(position, "upgrade laser; move down")) == [0, 0]


# --- R18, R19: the end and faults ---------------------------------------------------------------


def test_r18_so_many_turns_for_each_seat() -> None:
    position = begin(turns=2)
    position = play(position, "move down; move down", "pass", "pass")
    assert position.outcome is None
    position = play(position, "pass")
    assert position.outcome is not None
    assert position.outcome.scores == (-10, -40)
    assert position.outcome.winner == 0
    assert position.to_act == ()
    with pytest.raises(SettingError, match="the match is over"):
        position.play({0: ()})


def test_r18_another_number_of_turns_in_the_middle_of_a_match() -> None:
    position = play(begin(turns=2), "pass", "pass")
    assert position.outcome is None
    shorter = position.with_options(replace(position.options, turns=1))
    assert shorter.outcome is not None
    assert shorter.outcome.scores == (-20, -20)
    assert play(begin(turns=2), "pass").in_last_round().options.turns == 1


def test_r18_a_seat_that_is_skipped_has_had_no_turn() -> None:
    position = change(begin(turns=2), places={0: (3, 3), 1: (3, 5)}, health={1: 1})
    position = play(position, "laser right-down")
    seen = []
    while position.outcome is None:
        seen.append((position.turn, position.to_act[0]))
        position = play(position, "pass")
    assert seen == [(2, 0), (3, 1), (4, 0)]  # turn 4 of 4 is the last, whose ever it is
    assert position.outcome.scores == (42 - 10 - 10, -40 - 20)


def test_r18_equal_scores_are_a_draw() -> None:
    position = play(begin(turns=1), "pass", "pass")
    assert position.outcome is not None
    assert position.outcome.scores == (-20, -20)
    assert position.outcome.winner is None


def test_r19_who_fails_stays_and_takes_the_penalties() -> None:
    position = begin(turns=3).drop({1: "crash"})
    assert position.to_act == (0,)
    assert position.forced == {}
    position = play(position, "move down")
    assert position.to_act == (1,)
    assert position.forced == {1: ()}
    position = position.play({1: ()})
    assert scores(position) == [0, -20]


def test_r19_who_fails_does_not_win() -> None:
    position = change(begin(turns=1), places={0: (3, 3), 1: (3, 5)})
    position = play(position, "laser right-down").drop({0: "crash"})
    position = position.play({1: ()})
    assert position.outcome is not None
    assert position.outcome.scores == (-11, -10)


def test_r19_who_fails_before_turn_one_has_the_usual_weapons() -> None:
    position = GAME.start().drop({0: "crash"})
    assert position.forced == {0: DEFAULT_LOADOUT}
    assert position.to_act == (0, 1)


def test_r19_no_player_wins_if_all_fail() -> None:
    position = begin().drop({0: "crash"}).drop({1: "timeout"})
    assert position.outcome is not None
    assert position.outcome.scores == (0, 0)
    assert position.outcome.reason == "seat 0: crash, seat 1: timeout"


# --- options ------------------------------------------------------------------------------------


def test_options_name_a_map_or_hold_one() -> None:
    assert GAME.start(SkyportOptions(map="six")).seats == 6
    assert GAME.start(seats=5).seats == 5
    text = options_for(drawn_map("SG/GS")).map_text
    assert GAME.start(SkyportOptions(map_text=text)).map.side == 2
    with pytest.raises(SettingError, match="3 seats: the map is for 2"):
        GAME.start(SkyportOptions(map_text=text), seats=3)
    with pytest.raises(SettingError, match="map 'six': expected auto beside a map_text"):
        SkyportOptions(map="six", map_text=text)
    with pytest.raises(SettingError, match="map 'nine': expected"):
        SkyportOptions(map="nine")
    with pytest.raises(SettingError, match="map_text: map, line 1: 'rubbish'"):
        SkyportOptions(map_text="rubbish")
    with pytest.raises(SettingError, match="turns 0: expected"):
        SkyportOptions(turns=0)
