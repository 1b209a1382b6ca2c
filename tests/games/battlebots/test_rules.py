"""The rules by number, on small maps; R1 is in `test_mapfile.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.errors import IllegalMoveError, SettingError
from agon.games.battlebots.field import count_steps
from agon.games.battlebots.game import GAME, BattlebotsOptions
from tests.games.battlebots.situation import begin, forts, marches, play, scores, wait

if TYPE_CHECKING:
    from agon.games.battlebots.position import BattlebotsPosition

LENGTHS = range(1, 8)


def duel(length: int, ann: int = 10, bob: int = 10) -> BattlebotsPosition:
    """Two forts of two players, so many steps apart."""
    return begin(f"a 0 0 ann {ann}, b {length} 0 bob {bob}", "a b")


# --- R2, R3: the field ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "steps"), [((3, 4), 5), ((1, 1), 2), ((0, -1), 1), ((-2, 2), 3), ((8, -6), 10)]
)
def test_r2_lengths_are_rounded_up(place: tuple[int, int], steps: int) -> None:
    assert count_steps((0, 0), place) == count_steps(place, (0, 0)) == steps


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("kind", ["fair", "random"])
def test_r3_each_player_begins_with_a_fort_of_100(seats: int, kind: str) -> None:
    start = GAME.start(BattlebotsOptions(map=kind), seed=3, seats=seats)
    owned = [fort for fort in start.field.forts if fort.owner != "neutral"]
    assert sorted(fort.owner for fort in owned) == [f"player{n}" for n in range(1, seats + 1)]
    assert {fort.soldiers for fort in owned} == {100}
    assert {fort.soldiers for fort in start.field.forts if fort not in owned} == {0}
    assert start.to_act == tuple(range(seats))


def test_r3_players_sit_in_the_order_of_their_names() -> None:
    assert begin("a 0 0 zoe 1, b 5 5 bob 1, c 9 9 ann 2").players == ("ann", "bob", "zoe")


@pytest.mark.parametrize(
    ("map_forts", "map_marches", "message"),
    [
        ("a 0 0 ann 1, b 3 0 neutral 0", "", "1 players: expected 2 to 8"),
        ("a 0 0 ann 1, b 3 0 neutral 0", "a b bob 5 1", "bob has no fort"),
        ("a 0 0 ann 99999999, b 3 0 bob 2", "", "100000001 soldiers"),
        (", ".join(f"f{n} {n} 0 p{n} 1" for n in range(9)), "", "9 players"),
    ],
)
def test_r3_fields_that_no_match_begins_with(
    map_forts: str, map_marches: str, message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        begin(map_forts, "a b" if map_marches else "", map_marches)


# --- R4, R5: turns and orders ---------------------------------------------------------------------


def test_r4_all_seats_order_at_once() -> None:
    start = begin("a 0 0 ann 5, b 4 0 bob 5, c 0 4 cid 5", "a b, b c, c a")
    assert start.to_act == (0, 1, 2)
    after = play(start, ann="a b 2", bob="b c 3", cid="c a 4")
    assert marches(after) == ["a b ann 2 3", "b c bob 3 5", "c a cid 4 3"]
    assert (after.turn, after.to_act) == (1, (0, 1, 2))


def test_r5_soldiers_leave_at_once_in_several_directions() -> None:
    start = begin("a 0 0 ann 10, b 4 0 bob 5, c 0 4 neutral 0", "a b, a c")
    after = play(start, ann="a b 3, a c 7")
    assert forts(after) == {"a": "ann 1", "b": "bob 6", "c": "neutral 0"}
    assert marches(after) == ["a b ann 3 3", "a c ann 7 3"]


def test_r5_orders_by_the_same_road_are_one_march() -> None:
    after = play(duel(4), ann="a b 3, a b 2, a b 1")
    assert marches(after) == ["a b ann 6 3"]
    later = play(after, ann="a b 1")
    assert marches(later) == ["a b ann 1 3", "a b ann 6 2"]


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ("b a 1", "ann has no fort of that name"),
        ("c a 1", "ann has no fort of that name"),
        ("x a 1", "ann has no fort of that name"),
        ("a x 1", "no such road"),
        ("a c 1", "no such road"),
        ("a a 1", "no such road"),
        ("a b 0", "at least 1 soldier"),
        ("a b 11", "10 soldiers are there in all"),
        ("a b 6, a b 5", "10 soldiers are there in all"),
    ],
)
def test_r5_orders_that_are_refused(orders: str, message: str) -> None:
    start = begin("a 0 0 ann 10, b 4 0 bob 5, c 0 4 neutral 3", "a b, b c")
    with pytest.raises(IllegalMoveError, match=message):
        play(start, ann=orders)


def test_r5_soldiers_that_march_cannot_be_ordered() -> None:
    under_way = play(duel(3), ann="a b 10")
    with pytest.raises(IllegalMoveError, match="1 soldiers are there"):
        play(under_way, ann="a b 2")


def test_r5_soldiers_that_arrive_can_be_ordered_in_the_next_turn() -> None:
    start = begin("a 0 0 ann 10, b 1 0 neutral 0, c 2 0 bob 1", "a b, b c")
    assert forts(play(play(start, ann="a b 9"), ann="b c 10"))["c"] == "ann 9"


# --- R6: marching ---------------------------------------------------------------------------------


@pytest.mark.parametrize("length", LENGTHS)
def test_r6_an_army_arrives_in_as_many_turns_as_steps(length: int) -> None:
    position = play(duel(length, bob=1), ann="a b 5")
    for left in range(length - 1, 0, -1):
        assert marches(position) == [f"a b ann 5 {left}"]
        position = play(position)
    assert marches(position) == []
    # bob had 1 and grew by one a turn but the last: what ann's 5 find is `length`
    assert forts(position)["b"].startswith("ann" if length < 5 else "bob")


def test_r6_columns_keep_their_distance() -> None:
    position = play(play(play(duel(3), ann="a b 1"), ann="a b 2"), ann="a b 3")
    assert marches(position) == ["a b ann 2 1", "a b ann 3 2"]


@pytest.mark.parametrize("turns", range(508, 516))
def test_r6_armies_march_late_in_a_match_as_they_do_early(turns: int) -> None:
    """The records of this map hold 512 places: after as many turns their rings begin again."""
    position = wait(begin("a 0 0 ann 0, b 6 0 bob 0", "a b", turn_limit=1000), turns)
    position = play(position, ann="a b 50", bob="b a 40")
    assert marches(position) == ["a b ann 50 5", "b a bob 40 5"]
    position = wait(position, 2)
    assert marches(position) == ["a b ann 10 3"]
    assert forts(wait(position, 3))["b"] == f"bob {turns - 40 - 10 + 6}"


# --- R7: collisions -------------------------------------------------------------------------------


@pytest.mark.parametrize("delay", range(7))
@pytest.mark.parametrize("length", LENGTHS)
def test_r7_hostile_armies_never_pass_each_other(length: int, delay: int) -> None:
    """Ann sends 50, bob 20 some turns later: while she is under way they meet on the road."""
    if delay >= length:
        return
    position = play(duel(length, 50, 20), ann="a b 50", **({} if delay else {"bob": "b a 20"}))
    for turn in range(1, delay + 1):
        position = play(position, **({"bob": "b a 20"} if turn == delay else {}))
    # both together have the length between them: they meet after (length - delay) / 2 turns more
    met = delay + (length - delay + 1) // 2
    position = wait(position, met - position.turn)
    left = [f"a b ann 30 {length - met}"] if met < length else []
    assert marches(position) == left
    if not left:
        assert forts(position)["b"].startswith("ann")


@pytest.mark.parametrize("length", LENGTHS)
def test_r7_before_they_meet_nothing_happens(length: int) -> None:
    position = play(duel(length, 50, 20), ann="a b 50", bob="b a 20")
    for turn in range(1, length):
        if 2 * turn < length:
            expected = [f"a b ann 50 {length - turn}", f"b a bob 20 {length - turn}"]
            assert marches(position) == expected
        position = play(position)


@pytest.mark.parametrize("length", LENGTHS)
def test_r7_equal_armies_leave_nothing(length: int) -> None:
    position = wait(play(duel(length), ann="a b 10", bob="b a 10"), (length - 1) // 2)
    assert marches(position) == []
    turns = (length + 1) // 2
    assert forts(position) == {"a": f"ann {turns}", "b": f"bob {turns}"}


@pytest.mark.parametrize("length", [61, 62, 63, 64, 65, 66])
def test_r7_armies_meet_at_any_point_of_a_long_road(length: int) -> None:
    position = play(duel(length, 50, 20), ann="a b 50", bob="b a 20")
    met = (length + 1) // 2
    assert len(marches(wait(position, met - 2))) == 2
    assert marches(wait(position, met - 1)) == [f"a b ann 30 {length - met}"]


@pytest.mark.parametrize("length", LENGTHS)
def test_r7_the_larger_marches_on_of_either_side(length: int) -> None:
    position = wait(play(duel(length), ann="a b 4", bob="b a 10"), length - 1)
    # 6 are left of bob's 10; ann has 6 at home and grew by one a turn but the last
    ann = 6 + length - 1 - 6
    assert forts(position)["a"] == f"ann {ann + 1}"


@pytest.mark.parametrize("length", LENGTHS)
def test_r7_armies_of_one_player_pass(length: int) -> None:
    start = begin(f"a 0 0 ann 10, b {length} 0 ann 10, c 0 9 bob 1", "a b")
    position = wait(play(start, ann="a b 7, b a 5"), length - 1)
    assert forts(position)["a"] == f"ann {3 + length + 5}"
    assert forts(position)["b"] == f"ann {5 + length + 7}"


def test_r7_armies_in_the_same_direction_never_meet() -> None:
    start = begin("a 0 0 bob 9, b 6 0 bob 9, c 0 9 ann 1", "a b", "a b ann 3 4, a b bob 5 3")
    position = play(start, bob="a b 2")
    assert marches(position) == ["a b ann 3 3", "a b bob 2 5", "a b bob 5 2"]
    position = wait(position, 2)
    assert marches(position) == ["a b ann 3 1", "a b bob 2 3"]


@pytest.mark.parametrize("length", [6, 7])
def test_r7_an_army_may_fight_several_times(length: int) -> None:
    start = duel(length, 20, 20)
    position = play(play(play(start, ann="a b 10", bob="b a 3"), bob="b a 3"), bob="b a 3")
    position = wait(position, length - 4)
    assert marches(position) == ["a b ann 1 1"]


def test_r7_two_fights_in_one_turn() -> None:
    """Halfway with one, a half step later with the next."""
    start = begin("a 0 0 ann 1, b 9 0 bob 1", "a b", "a b ann 10 5, b a bob 3 5, b a bob 4 6")
    # ann's army is at 4, bob's at 5 and 6: they meet at 4.5 and at 5
    assert marches(play(start)) == ["a b ann 3 4"]


def test_r7_at_the_gates_there_is_a_siege_instead() -> None:
    """Bob's army leaves b in the turn after ann's has come there: it was a matter of garrisons."""
    position = wait(play(duel(2, 50, 20), ann="a b 50"), 1)
    assert forts(position)["b"] == "ann 30"  # 50 less 21, and growth


# --- R8: sieges -----------------------------------------------------------------------------------

STAR = "a -1 0 ann 20, b 1 0 bob 20, c 0 1 cid 20"


def besiege(fort: str, ann: int, bob: int, cid: int, size: str = "20") -> str:
    """The centre m after one turn of a siege by as many of each."""
    start = begin(f"{STAR.replace('20', size)}, m 0 0 {fort}", "a m, b m, c m")
    orders = {"ann": f"a m {ann}", "bob": f"b m {bob}", "cid": f"c m {cid}"}
    sent = {name: text for name, text in orders.items() if not text.endswith(" 0")}
    return forts(play(start, **sent))["m"]


@pytest.mark.parametrize(
    ("fort", "ann", "bob", "cid", "after"),
    [
        ("neutral 0", 5, 0, 0, "ann 6"),  # captured, and grows at once
        ("neutral 3", 5, 0, 0, "ann 3"),
        ("neutral 5", 5, 0, 0, "neutral 0"),  # a tie: it stays neutral and does not grow
        ("neutral 9", 5, 0, 0, "neutral 4"),
        ("neutral 3", 5, 9, 7, "bob 3"),
        ("neutral 9", 5, 9, 7, "neutral 0"),
        ("neutral 2", 9, 9, 4, "neutral 0"),
        ("neutral 12", 9, 9, 4, "neutral 3"),
        ("ann 4", 0, 7, 0, "bob 4"),
        ("ann 4", 0, 4, 0, "ann 1"),  # a tie: the owner keeps it, and it grows
        ("ann 4", 0, 4, 4, "ann 1"),
        ("ann 0", 0, 6, 6, "ann 1"),  # a tie of others: the owner need not be there
        ("ann 2", 0, 6, 6, "ann 1"),
        ("ann 2", 0, 6, 5, "bob 2"),
        ("ann 2", 5, 6, 0, "ann 2"),  # garrison and arrivals of a player are added up
        ("ann 2", 5, 7, 0, "ann 1"),
        ("ann 2", 5, 7, 7, "ann 1"),
        ("ann 2", 5, 8, 7, "bob 2"),
        ("ann 5", 3, 0, 0, "ann 9"),
        ("ann 5", 0, 0, 0, "ann 6"),
        ("ann 0", 0, 1, 0, "bob 2"),
    ],
)
def test_r8_sieges(fort: str, ann: int, bob: int, cid: int, after: str) -> None:
    assert besiege(fort, ann, bob, cid) == after


def test_r8_armies_of_one_player_from_several_roads_are_one_side() -> None:
    start = begin("a -1 0 ann 5, d 0 -1 ann 5, b 1 0 bob 8, m 0 0 neutral 0", "a m, b m, d m")
    assert forts(play(start, ann="a m 5, d m 5", bob="b m 8"))["m"] == "ann 3"


def test_r8_who_leaves_a_fort_does_not_defend_it() -> None:
    start = begin("a 0 0 ann 10, b 1 0 bob 3, c -2 0 neutral 0", "a b, a c")
    assert forts(play(start, ann="a c 10", bob="b a 3"))["a"] == "bob 4"


# --- R9, R10: growth, out -------------------------------------------------------------------------


def test_r9_forts_of_players_grow_and_neutral_ones_do_not() -> None:
    position = wait(begin("a 0 0 ann 0, b 9 0 bob 3, c 0 9 neutral 5"), 4)
    assert forts(position) == {"a": "ann 4", "b": "bob 7", "c": "neutral 5"}


def test_r9_an_emptied_fort_grows() -> None:
    assert forts(play(duel(5), ann="a b 10"))["a"] == "ann 1"


def test_r10_a_player_with_armies_only_is_still_in() -> None:
    start = begin("a 0 0 ann 1, b 1 0 bob 9, c 9 0 cid 9", "a b, b c", "c b ann 2 4")
    position = play(start, bob="b a 9")
    assert forts(position)["a"] == "bob 9"
    assert 0 in position.to_act
    assert position.message(0) == "0 forts:\n0 roads:\n0 marches:\n"
    assert len(position.legal_moves(0)) == 1
    position = wait(position, 3)
    assert forts(position)["b"] == "bob 2"  # 1, 2, 3 and growth against ann's 2
    assert position.to_act == (1, 2)


def test_r10_who_has_nothing_owes_no_turn() -> None:
    start = begin("a 0 0 ann 1, b 1 0 bob 9, c 9 0 cid 9", "a b, b c")
    position = play(start, bob="b a 9")
    assert position.to_act == (1, 2)
    assert position.legal_moves(0) == ()
    with pytest.raises(SettingError, match="the seats to act are 1, 2"):
        position.play({0: (), 1: (), 2: ()})


# --- R11: the end ---------------------------------------------------------------------------------


def test_r11_the_last_one_wins_whatever_is_neutral() -> None:
    start = begin("a 0 0 ann 1, b 1 0 bob 9, c 9 0 neutral 99", "a b, b c")
    position = play(start, bob="b a 9")
    assert (scores(position), position.to_act) == ((0, 1), ())
    assert position.outcome
    assert position.outcome.winner == 1
    with pytest.raises(SettingError, match="the match is over"):
        position.play({})


def test_r11_later_out_is_better() -> None:
    row = "a 0 0 ann 1, b 1 0 bob 5, c 2 0 cid 99"
    position = play(begin(row, "a b, b c"), bob="b a 5")
    assert scores(position) is None
    assert scores(play(position, cid="c b 99")) is None
    assert scores(play(play(position, cid="c b 99"), cid="b a 90")) == (0, 1, 2)


def test_r11_no_player_wins_if_the_last_go_out_together() -> None:
    """Ann fails while her armies are on their way to the last fort of each of the others."""
    start = begin("a 0 0 ann 9, b 2 0 bob 1, c 0 2 cid 1", "a b, a c")
    position = play(start, ann="a b 4, a c 5").drop({0: "crash"})
    assert scores(position) is None
    position = play(position)
    assert (scores(position), position.to_act) == ((-1, 1, 1), ())
    assert position.outcome
    assert position.outcome.winner is None
    assert position.outcome.reason == "no player left; ann: crash"


def test_r11_those_who_go_out_together_share_their_place() -> None:
    start = begin("a 0 0 ann 9, b 1 0 bob 1, c 0 1 cid 1, d 9 9 dan 1", "a b, a c")
    position = play(start, ann="a b 4, a c 5")
    assert position.to_act == (0, 3)
    assert scores(position.drop({3: "crash"})) == (3, 1, 1, -1)


def test_r11_the_limit_is_a_draw_of_those_left() -> None:
    row = "a 0 0 ann 1, b 1 0 bob 9, c 9 0 cid 3"
    position = play(begin(row, "a b, b c", turn_limit=3), bob="b a 9")
    position = play(position)
    assert position.outcome is None
    position = play(position)
    assert scores(position) == (0, 1, 1)
    assert position.outcome
    assert position.outcome.reason == "turn limit"


def test_r11_most_soldiers_win_at_the_limit() -> None:
    row = "a 0 0 ann 5, b 9 0 bob 9, c 0 9 cid 3, d 9 9 cid 3"
    position = begin(row, "c d", turn_limit=2, at_limit="most-soldiers")
    assert scores(wait(position, 2)) == (0, 2, 1)  # 7, 11 and 10
    assert scores(play(play(position, cid="c d 3"))) == (0, 2, 1)  # those on roads count
    level = begin(row.replace("bob 9", "bob 8"), turn_limit=2, at_limit="most-soldiers")
    assert scores(wait(level, 2)) == (0, 1, 1)


def test_r11_another_limit_in_the_middle_of_a_match() -> None:
    position = wait(begin("a 0 0 ann 5, b 9 0 bob 9", turn_limit=9), 2)
    assert position.outcome is None
    options = replace(position.options, turn_limit=2, at_limit="most-soldiers")
    assert scores(position.with_options(options)) == (0, 1)
    assert scores(wait(position.with_options(replace(options, turn_limit=3)), 1)) == (0, 1)


def test_r11_a_limit_out_of_range_is_refused() -> None:
    for limit in (0, -1, 100_001):
        with pytest.raises(SettingError, match="turn_limit"):
            BattlebotsOptions(turn_limit=limit)


# --- R12: faults ----------------------------------------------------------------------------------


def test_r12_a_fault_of_one_of_two_ends_the_match() -> None:
    position = duel(3).drop({0: "timeout"})
    assert (scores(position), position.to_act) == ((-1, 1), ())
    assert position.outcome
    assert position.outcome.reason == "one player left; ann: timeout"


def test_r12_forts_of_who_failed_grow_and_defend() -> None:
    row = "a 0 0 ann 5, b 1 0 bob 9, c 9 0 cid 9"
    position = begin(row, "a b, b c").drop({0: "crash"})
    assert position.to_act == (1, 2)
    position = play(position, bob="b a 5")
    assert forts(position)["a"] == "ann 1"
    assert forts(play(position))["a"] == "ann 2"


def test_r12_armies_of_who_failed_march_on_and_capture() -> None:
    start = begin("a 0 0 ann 5, b 3 0 bob 1, c 9 9 cid 9, d 9 0 bob 1", "a b")
    position = play(start, ann="a b 5").drop({0: "crash"})
    assert forts(wait(position, 2))["b"] == "ann 3"


def test_r12_who_failed_does_not_keep_a_match_from_ending() -> None:
    start = begin("a 0 0 ann 5, b 1 0 bob 9, c 2 0 cid 1", "a b, b c")
    position = play(start.drop({0: "crash"}), bob="b c 9")
    assert scores(position) == (-1, 2, 1)


def test_r12_who_failed_is_behind_those_who_went_out() -> None:
    start = begin("a 0 0 ann 5, b 1 0 bob 9, c 2 0 cid 1, d 9 0 dan 9", "a b, b c, c d")
    position = play(start, bob="b c 9")
    assert position.to_act == (0, 1, 3)
    position = position.drop({0: "crash"})
    assert scores(position.drop({3: "crash"})) == (-1, 2 + 1, 2, -1)


def test_r12_dropping_leaves_the_old_position_as_it_is() -> None:
    start = duel(3)
    start.drop({0: "crash"})
    assert (start.outcome, start.to_act) == (None, (0, 1))


# --- R13: sight -----------------------------------------------------------------------------------

#  a - b - c - d - e      ann has a and c, bob e
#       \ /
#        f
SIGHT = "a 0 0 ann 5, b 4 0 neutral 2, c 8 0 ann 3, d 12 0 neutral 0, e 16 0 bob 7, f 6 4 bob 1"
SIGHT_ROADS = "a b, b c, c d, d e, b f, c f"
SIGHT_MARCHES = "b f bob 4 1, e d bob 6 2, d c bob 2 3, a b ann 1 2"


def test_r13_own_forts_their_neighbours_and_all_between() -> None:
    position = begin(SIGHT, SIGHT_ROADS, SIGHT_MARCHES)
    assert position.message(0) == (
        "5 forts:\na 0 0 ann 5\nb 4 0 neutral 2\nc 8 0 ann 3\nd 12 0 neutral 0\nf 6 4 bob 1\n"
        "5 roads:\na b\nb c\nb f\nc d\nc f\n"
        "3 marches:\na b ann 1 2\nb f bob 4 1\nd c bob 2 3\n"
    )


def test_r13_with_own_roads_only_those_that_end_at_an_own_fort() -> None:
    position = begin(SIGHT, SIGHT_ROADS, SIGHT_MARCHES, sight="own-roads")
    assert "5 forts:" in position.message(0)
    assert "4 roads:\na b\nb c\nc d\nc f\n" in position.message(0)
    assert position.message(0).endswith("2 marches:\na b ann 1 2\nd c bob 2 3\n")


def test_r13_coordinates_count_from_the_home_base() -> None:
    position = begin(SIGHT, SIGHT_ROADS, SIGHT_MARCHES)
    assert position.layout.homes[1].name == "e"
    told = position.message(1).splitlines()
    assert told[:3] == ["5 forts:", "b -12 0 neutral 2", "c -8 0 ann 3"]
    absolute = begin(SIGHT, SIGHT_ROADS, SIGHT_MARCHES, origin="absolute").message(1)
    assert absolute.splitlines()[1] == "b 4 0 neutral 2"


def test_r13_the_home_base_stays_the_origin_when_it_is_lost() -> None:
    row = "a 5 5 ann 1, b 6 5 bob 9, c 4 5 ann 0"
    position = play(begin(row, "a b, a c"), bob="b a 9")
    assert forts(position) == {"a": "bob 9", "b": "bob 1", "c": "ann 1"}
    assert position.message(0).splitlines()[1:3] == ["a 0 0 bob 9", "c -1 0 ann 1"]


def test_r13_own_armies_out_of_sight_are_not_told() -> None:
    start = begin(
        "a 0 0 ann 5, b 3 0 neutral 0, c 9 0 neutral 0, d 9 9 bob 1", "a b, b c", "b c ann 4 3"
    )
    assert start.message(0).endswith("0 marches:\n")


def test_r13_observe_tells_a_seat_no_more_than_its_message() -> None:
    position = begin(SIGHT, SIGHT_ROADS, SIGHT_MARCHES)
    told = position.observe(1)
    assert set(told) == {"seat", "turn", "turn_limit", "forts", "roads", "marches", "outcome"}
    assert [fort["name"] for fort in told["forts"]] == ["b", "c", "d", "e", "f"]  # type: ignore[index, call-overload, union-attr]
    assert position.observe(None)["to_act"] == [0, 1]
