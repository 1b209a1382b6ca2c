"""The rules by number, on small drawn boards; `situation.py` says how to read the drawings."""

from __future__ import annotations

import pytest

from agon.games.atlantis import movement
from agon.games.atlantis.geometry import STEPS
from tests.games.atlantis.situation import Situation, draw, parse_moves, places

SEVEN = """
      .   .
    .   r1  .
      .   .
"""

# --- R1 to R4 -----------------------------------------------------------------------------------


def test_r01_six_neighbours_and_no_others() -> None:
    situation = draw(SEVEN)
    targets = {target for _, target in situation.moves()}
    assert targets == places("a1 b1 a2 c2 b3 c3")
    assert targets == {(2 + dx, 2 + dy) for dx, dy in STEPS}


def test_r02_an_emptied_field_has_no_owner() -> None:
    situation = draw("r1  .   .   .   b1")
    situation.carry_out("a1-b1")
    assert situation.shows(".   r1  .   .   b1")


def test_r03_a_segment_need_not_hang_together() -> None:
    situation = draw("r1  .   r1  .   b1", segments="A   B   A   B   C")
    assert situation.check(parse_moves("a1-b1 c1-d1")) == 8 + movement.SEGMENT_USED
    assert situation.check(parse_moves("a1-b1")) == movement.LEGAL


def test_r04_turn_i_belongs_to_seat_i_mod_p() -> None:
    situation = draw("r1  .   .   b1  .   .   g1", players=3)
    seats = []
    for _ in range(7):
        seats.append(situation.seat)
        situation.play()
    assert seats == [0, 1, 2, 0, 1, 2, 0]


# --- R5, R6: which moves there are --------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "verdict"),
    [
        ("a1-b1", movement.LEGAL),  # part of the stones
        ("a1-c1", movement.LEGAL),
        ("a1-d1", movement.TOO_FEW_STONES),
        ("b1-c1", movement.NOT_OWN_STONES),  # empty
        ("e1-d1", movement.NOT_OWN_STONES),
        ("f1-e1", movement.SOURCE_NOT_OPEN),  # growing
        ("g1-f1", movement.SOURCE_NOT_OPEN),  # dead
        ("h1-i1", movement.WAY_NOT_OPEN),  # into the sea
        ("h1-g1", movement.WAY_NOT_OPEN),  # onto a dead field
        ("i1-h1", movement.NOT_A_MOVE),  # from the sea
        ("a1-b1 f1-e1", 8 + movement.SOURCE_NOT_OPEN),
        ("a1-b1 a1-c1", 8 + movement.SEGMENT_USED),
    ],
)
def test_r05_what_a_move_may_be(moves: str, verdict: int) -> None:
    situation = draw("r2  .   .   .   b1  R1  #   r1")
    assert situation.check(parse_moves(moves)) == verdict


@pytest.mark.parametrize("blocked", ["#", "R1", "B1"])
def test_r05_the_way_and_the_destination_are_open(blocked: str) -> None:
    situation = draw(f"r3  .   {blocked:<2}  .   b1")
    assert situation.check(parse_moves("a1-b1")) == movement.LEGAL
    assert situation.check(parse_moves("a1-c1")) == movement.WAY_NOT_OPEN
    assert situation.check(parse_moves("a1-d1")) == movement.WAY_NOT_OPEN
    assert situation.moves() == parse_moves("a1-b1")


def test_r05_all_moves_of_a_stack() -> None:
    situation = draw("""
          .   .
        r2  .   .   b1
    """)
    assert set(situation.moves()) == set(parse_moves("a1-b1 a1-c1 a1-b2"))


def test_r06_all_moves_are_checked_against_the_beginning_of_the_turn() -> None:
    situation = draw("r1  .   .   .   .   b1")
    assert situation.check(parse_moves("a1-b1 b1-c1")) == 8 + movement.NOT_OWN_STONES
    situation = draw("r1  r1  .   .   .   b1")
    assert situation.check(parse_moves("a1-b1 b1-d1")) == 8 + movement.TOO_FEW_STONES


def test_r06_stones_that_arrive_first_stay_behind() -> None:
    situation = draw("r1  r1  .   .   b1")
    situation.carry_out("a1-b1 b1-c1")
    assert situation.shows(".   r1  r1  .   b1")


def test_r06_many_moves_may_end_in_a_segment() -> None:
    situation = draw("r1  .   r1  .   b1", segments="A   B   C   D   E")
    situation.carry_out("a1-b1 c1-b1")
    assert situation.shows(".   r2  .   .   b1")


def test_r06_a_move_counts_for_its_segment_even_if_nothing_arrives() -> None:
    situation = draw("r1  b1  .   r1  .", segments="A   B   B   A   B")
    assert situation.check(parse_moves("a1-b1 d1-e1")) == 8 + movement.SEGMENT_USED


def test_r06_a_refused_turn_changes_nothing() -> None:
    situation = draw("r1  .   .   b1")
    before = situation.state.tobytes()
    assert situation.check(parse_moves("a1-b1 d1-c1")) != movement.LEGAL
    assert situation.state.tobytes() == before


# --- R7, R8: carrying out -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r3  b1  b1  .   b1", ".   .   .   r1  b1"),
        ("r3  b1  b1  b1  b1", ".   .   .   .   b1"),  # the last one dies at the destination
        ("r3  b2  b2  .   b1", ".   .   b1  .   b1"),  # all dead on the way
        ("r3  b4  b2  .   b1", ".   b1  b2  .   b1"),  # later fields are untouched
        ("r3  r2  .   r1  b1", ".   r2  .   r4  b1"),  # own stones are passed over
        ("r3  .   .   b2  b1", ".   .   .   r1  b1"),  # the destination changes hands
        ("r5  .   .   b4  b1", "r2  .   .   b1  b1"),
    ],
)
def test_r07_stones_fight_on_the_way(before: str, after: str) -> None:
    situation = draw(before)
    situation.carry_out("a1-d1")
    assert situation.shows(after)


def test_r07_moves_are_carried_out_in_order() -> None:
    before = "r1  b1  r2  .   b1"
    cleared, late = draw(before), draw(before)
    cleared.carry_out("a1-b1 c1-a1")
    assert cleared.shows("r2  .   .   .   b1")
    late.carry_out("c1-a1 a1-b1")
    assert late.shows("r1  r1  .   .   b1")


def test_r08_the_empty_turn_explodes_and_grows() -> None:
    situation = draw("""
          .   .   .   b1
        r2  .   .   .
    """)
    situation.play()
    assert situation.shows("""
          r1  .   .   b1
        R1  r1  .   .
    """)


# --- R9 to R12: explosion and growth ------------------------------------------------------------


def volatile(drawing: str) -> set[tuple[int, int]]:
    waves = draw(drawing).waves()
    return waves[0] if waves else set()


def test_r09_as_many_stones_as_open_neighbours() -> None:
    assert volatile("r1  .   .   r2  .   b1") == places("a1 d1")
    assert volatile(".   r1  .   .   b1") == set()


def test_r09_open_neighbours_count_no_matter_who_holds_them() -> None:
    assert volatile("b1  r1  r1  .   .") == set()
    assert volatile("#   r1  .   B1  .") == places("b1")


def test_r09_opponents_fields_wait_for_their_turn() -> None:
    situation = draw("""
          .   .   .   b9
        r1  .   .   .
    """)
    situation.play()
    assert situation.sign((5, 2)) == "b9"
    situation.play()
    assert situation.shows("""
          .   .   b1  B1
        r1  .   .   b1
    """)


def test_r09_an_empty_open_field_never_explodes() -> None:
    assert volatile(".       r1  .   .   b1") == places("c1")


def test_r10_each_open_neighbour_gets_a_stone() -> None:
    situation = draw("""
            .   .   .
          .   b1  b2  .
        .   .   r9  r1  .
          .   B1  #   .
            .   .   .
    """)
    assert situation.waves() == [{(3, 3)}]
    assert situation.shows("""
            .   .   .
          .   .   b1  .
        .   r1  R0  r2  .
          .   B1  #   .
            .   .   .
    """)


def test_r10_open_becomes_growing_and_growing_dead() -> None:
    situation = draw("""
          .   .   .   b1
        R2  .   .   r3
    """)
    assert situation.waves() == [places("a1 d1")]
    assert situation.shows("""
          r1  .   r1  .
        #   r1  r1  R0
    """)


def test_r11_a_chain_reaction_in_waves() -> None:
    """A line of fields burns like a fuse: each explosion leaves the next field no way out."""
    situation = draw("r1  r1  r1  .   .   b1")
    assert situation.waves() == [
        places(wave) for wave in ("a1", "b1", "a1 c1", "b1 d1", "c1 e1", "d1")
    ]
    assert situation.shows("#   #   #   #   R0  .")


def test_r11_a_lone_field_explodes_twice() -> None:
    situation = draw("r1      r1  .   .   b1")
    situation.play()
    assert situation.sign((1, 1)) == "#"


def test_r11_growing_without_stones_or_open_neighbours_dies() -> None:
    situation = draw("r1  .")
    situation.play()
    # a1 explodes, b1 explodes, then neither has an open neighbour
    assert situation.shows("#   #")


def test_r12_growing_fields_gain_a_stone_and_do_not_explode_yet() -> None:
    situation = draw("""
          .   .   .   B1
        R1  .   .   .
    """)
    assert (situation.waves(), situation.grow()) == ([], 1)
    assert situation.shows("""
          .   .   .   B1
        R2  .   .   .
    """)  # as many as its open neighbours


# --- R13 to R15: areas, the end, the score -----------------------------------------------------


def test_r13_an_area_with_one_owner_and_no_growing_field_is_stable() -> None:
    assert draw("r1  .   .       .   b1  .").over
    assert not draw("r1  .   .   .   b1  .").over


def test_r13_growing_fields_of_any_seat_unsettle_an_area() -> None:
    situation = draw("r1  .   .   B1  #   b1  .   .")
    assert not situation.over
    assert situation.asked


def test_r13_an_empty_area_is_unsettled_by_growing_fields_too() -> None:
    situation = draw(".   .   B1  #   b1  .   .   #   r1  .   .")
    assert not situation.over


def test_r14_no_open_field_is_an_end() -> None:
    situation = draw("#   R1  #")
    assert situation.over
    assert situation.ranking() == [1, 0]


def test_r14_the_end_is_found_after_a_turn() -> None:
    situation = draw("r1  b1  .")
    assert not situation.over
    situation.play(parse_moves("a1-b1"))
    assert situation.over
    assert situation.scores() == [0, 0]


def test_r15_all_fields_of_a_held_area_count() -> None:
    situation = draw("r1  .   .   .       b1  .   b1      .   .   .   .   .")
    assert situation.scores() == [4, 3]
    assert situation.ranking() == [0, 1]


def test_r15_of_equal_scores_the_later_mover_ranks_first() -> None:
    situation = draw("r1  .       b1  .       g1", players=3)
    assert situation.scores() == [2, 2, 1]
    assert situation.ranking() == [1, 0, 2]


# --- R16 to R18: who is asked -------------------------------------------------------------------


def three_players() -> Situation:
    """Red is safe on its own land; blue and green are not."""
    return draw(".   r1  .       .   b1  .   .   g1  .", players=3)


def test_r16_without_stones_in_an_unstable_area_no_seat_is_asked() -> None:
    situation = three_players()
    assert (situation.seat, situation.asked, situation.over) == (0, False, False)
    situation.play()
    assert (situation.seat, situation.asked) == (1, True)


def test_r16_stones_on_growing_fields_do_not_ask() -> None:
    situation = draw("""
          .   .   .   b1
        R1  .   .   .
    """)
    assert not situation.asked
    situation.play()
    assert situation.asked


def test_r16_an_entered_turn_explodes_and_grows() -> None:
    situation = draw("""
          .   .
        R1  .   .   b1
    """)
    situation.play()
    assert situation.sign((1, 1)) == "R2"


def test_r17_a_seat_that_is_out_is_not_asked_and_ranks_last() -> None:
    situation = three_players()
    situation.drop(2)
    situation.play()
    situation.play(parse_moves("f1-g1"))
    assert (situation.seat, situation.asked, situation.over) == (2, False, False)
    situation.play()
    situation.play()
    situation.drop(1)
    assert situation.over
    assert situation.ranking() == [0, 2, 1]


def test_r17_fields_of_a_seat_that_is_out_explode_and_grow() -> None:
    situation = draw(
        """
          .   .   .   .   b9
        r1  .   .   .   .   g1
        """,
        players=3,
    )
    situation.drop(1)
    situation.play()
    assert not situation.asked
    situation.play()
    assert situation.shows("""
          .   .   .   b1  B1
        r1  .   .   .   b1  .
    """)


def test_r17_the_last_who_is_not_out_wins() -> None:
    situation = draw("r1  .   b1  .   .")
    situation.drop(1)
    assert situation.over
    assert situation.ranking() == [0, 1]
    behind = draw("r1  .   .   .   #   b1      b1  .   r1")
    behind.drop(0)
    assert behind.scores() == [4, 1]
    assert behind.ranking() == [1, 0]


def test_r18_a_round_of_entered_turns_without_change_is_the_end() -> None:
    #          two who are out face each other; the others are safe
    situation = draw(".   r1  .   b1  .       .   g1  .       .   y1  .", players=4)
    situation.drop(0)
    situation.drop(1)
    for _ in range(4):
        assert (situation.over, situation.asked) == (False, False)
        situation.play()
    assert situation.over
    assert situation.scores() == [0, 0, 3, 3]
    assert situation.ranking() == [3, 2, 1, 0]


def test_r18_passing_is_not_a_standstill() -> None:
    situation = draw(".   r1  .   b1  .")
    for _ in range(20):
        situation.play()
    assert not situation.over
