"""The rules of MebiPenny by number, legal and illegal; `situation` reads the boards."""

from __future__ import annotations

import pytest

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.match_text import parse_match
from tests.games.mebipenny.situation import assert_board, legal_texts, play, situation

# --- R1, R2: the board ---------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "col"), [(0, 1), (2, 1), (1, 0), (1, 2)])
def test_r01_a_cell_touches_four_others(row: int, col: int) -> None:
    rows = [["."] * 3 for _ in range(3)]
    rows[row][col], rows[1][1] = "1", "x"
    position = situation("\n".join(map(" ".join, rows)))
    assert legal_texts(position) == ["1,1", "1,1 favor 1", "PASS"]


def test_r01_corners_do_not_touch() -> None:
    after = play(situation("1 . 1\n. x .\n1 . 1"), "1,1")
    assert_board(after, "1 . 1\n. 0 .\n1 . 1")


@pytest.mark.parametrize("board", ["x . 1", "x\n.\n1", "1 . .\n. . x", ". 1 1\nx . ."])
def test_r01_the_board_does_not_wrap(board: str) -> None:
    position = situation(board)
    assert len(legal_texts(position)) == 2
    assert play(position, legal_texts(position)[0]).scores[0] == 1


def test_r01_a_row_does_not_run_into_the_next() -> None:
    after = play(situation(". . 1\nx . .\n. . ."), "1,0")
    assert_board(after, ". . 1\n0 . .\n. . .")


def test_r02_walls_separate() -> None:
    after = play(situation("1 # x\n1 # .\n1 1 ."), "0,2")
    assert_board(after, "1 # 0\n1 # .\n1 1 .")


def test_r02_walls_are_not_captured() -> None:
    after = play(situation("0 # 0\n0 x 0\n. # ."), "1,1")
    assert_board(after, "0 # 0\n0 0 0\n. # .")
    assert after.scores == (5, 0, 0)


@pytest.mark.parametrize(
    ("coverage", "walls"), [("0", 0), ("0.1", 2), ("0.14", 3), ("0.99", 24), ("1", 25), ("1.0", 25)]
)
def test_r02_the_number_of_walls_is_rounded_down(coverage: str, walls: int) -> None:
    position = GAME.start(MebiPennyOptions(5, 5, 2, coverage), seed=4)
    assert [claim.owner for claim in position.claims()] == [None] * walls
    assert position.draw_size + sum(map(len, position.hands)) == 25 - walls


def test_r02_the_fraction_is_taken_as_it_is_written() -> None:
    """As binary numbers 0.29 * 100 is less than 29."""
    assert MebiPennyOptions(10, 10, 2, "0.29").walls == 29


def test_r02_tiles_of_walls_are_not_dealt() -> None:
    for seed in range(20):
        position = GAME.start(MebiPennyOptions(4, 4, 2, "0.5"), seed)
        walls = {claim.tile for claim in position.claims()}
        assert not walls & {tile for hand in position.hands for tile in hand}


# --- R3, R4: pile and hands ----------------------------------------------------------------------


def test_r03_the_seed_decides_everything() -> None:
    options = MebiPennyOptions(seats=4, seed_coverage="0.1")
    told = [str(GAME.start(options, seed).observe(None)) for seed in (1, 2, 3, 1)]
    assert len(set(told)) == 3
    assert told[0] == told[3]


def test_r03_every_tile_is_dealt_once() -> None:
    position = GAME.start(MebiPennyOptions(6, 7, 4), seed=9)
    dealt = [tile for hand in position.hands for tile in hand]
    while not position.outcome:
        known = set(position.hands[position.next_seat])
        after = position.play_move(position.moves[0])
        dealt += set(after.hands[position.next_seat]) - known
        position = after
    assert sorted(dealt) == [(row, col) for row in range(6) for col in range(7)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r04_six_tiles_each(seats: int) -> None:
    position = GAME.start(seats=seats)
    assert [len(hand) for hand in position.hands] == [6] * seats
    assert position.draw_size == 225 - 6 * seats


def test_r04_hands_are_dealt_in_rounds() -> None:
    sizes = [len(hand) for hand in GAME.start(MebiPennyOptions(2, 7, 4)).hands]
    assert sizes == [4, 4, 3, 3]
    first = GAME.start(MebiPennyOptions(3, 3, 2), seed=5).hands
    other = GAME.start(MebiPennyOptions(3, 3, 3), seed=5).hands
    assert (first[0][0], first[1][0], first[0][1]) == (other[0][0], other[1][0], other[2][0])


def test_r04_a_hand_is_known_to_its_player_alone() -> None:
    position = GAME.start(MebiPennyOptions(seats=3))
    assert [type(hand) for hand in _list(position.observe(1)["hands"])] == [int, list, int]
    assert [type(hand) for hand in _list(position.observe(None)["hands"])] == [list] * 3


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


# --- R5: turns -----------------------------------------------------------------------------------


def test_r05_seats_take_turns() -> None:
    position = GAME.start(MebiPennyOptions(seats=3))
    for turn in range(7):
        assert position.to_act == (turn % 3,)
        position = position.play_move(position.moves[0])


HANDS = situation("0 x .\n# . .", "|0,2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0,2", "tile 0,2 is not in the hand of seat 0"),
        ("1,2", "tile 1,2 is not in the hand of seat 0"),
        ("0,0", "tile 0,0 is claimed already, by seat 0"),
        ("1,0", "tile 1,0 is a wall"),
        ("2,0", "tile 2,0 is not on the board, which has 2 rows and 3 columns"),
        ("0,3", "tile 0,3 is not on the board"),
    ],
)
def test_r05_only_tiles_of_the_own_hand_are_played(text: str, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=f"turn '{text}': {why}"):
        HANDS.parse_turn(0, text)


def test_r05_a_move_that_is_no_legal_one_is_refused() -> None:
    for move in (-2, 0, 5, 1 << 20, 1 << 40):
        with pytest.raises(IllegalMoveError, match=f"move {move}"):
            HANDS.play({0: move})


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_r05_two_to_four_play(seats: int) -> None:
    with pytest.raises(SettingError):
        GAME.start(seats=seats)


# --- R6 to R8: armies. The first eight are examples of the rules: red is seat 0, blue 1, green 2


def test_r06_a_tile_alone_is_an_army() -> None:
    assert_board(play(situation(". . .\n. x .\n. . ."), "1,1"), ". . .\n. 0 .\n. . .")


def test_r08_beside_one_of_another_seat_it_is_the_players_choice() -> None:
    position = situation("x 1 .")
    assert legal_texts(position) == ["0,0", "0,0 favor 1", "PASS"]
    assert_board(play(position, "0,0"), "0 0 .")
    assert_board(play(position, "0,0 favor 0"), "0 0 .")
    assert_board(play(position, "0,0 favor 1"), "1 1 .")


def test_r06_two_own_armies_become_one() -> None:
    after = play(situation("0 0 x 0 ."), "0,2")
    assert_board(after, "0 0 0 0 .")
    assert after.scores == (4, 0, 0)


def test_r07_two_armies_of_another_seat_become_one_of_that_seat() -> None:
    after = play(situation("1 1 x 1 ."), "0,2")
    assert_board(after, "1 1 1 1 .")
    assert after.scores == (0, 4, 0)


def test_r07_five_against_three_and_one() -> None:
    after = play(situation("1 1 1 1 1 x 0 0 0"), "0,5")
    assert_board(after, "1 1 1 1 1 1 1 1 1")
    assert after.scores == (0, 9, 0)


def test_r07_five_against_five_and_one() -> None:
    after = play(situation("1 1 1 1 1 x 0 0 0 0 0"), "0,5")
    assert after.scores == (11, 0, 0)


def test_r08_five_against_four_and_one() -> None:
    position = situation("1 1 1 1 1 x 0 0 0 0")
    assert legal_texts(position) == ["0,5", "0,5 favor 1", "PASS"]
    assert play(position, "0,5").scores == (10, 0, 0)
    assert play(position, "0,5 favor 1").scores == (0, 10, 0)


def test_r08_one_of_each_of_three() -> None:
    position = situation("1 x 2")
    assert legal_texts(position) == ["0,1", "0,1 favor 1", "0,1 favor 2", "PASS"]
    assert_board(play(position, "0,1"), "0 0 0")
    assert_board(play(position, "0,1 favor 1"), "1 1 1")
    assert_board(play(position, "0,1 favor 2"), "2 2 2")


# --- R6 to R8, further ---------------------------------------------------------------------------


def test_r06_an_army_is_counted_once_at_whatever_sides_it_touches() -> None:
    position = situation("1 1 1\n1 x 1\n. 0 .\n0 0 0")
    assert legal_texts(position) == ["1,1", "1,1 favor 1", "PASS"]  # 5 against 4 + 1
    assert play(position, "1,1").scores == (10, 0, 0)


def test_r06_armies_that_do_not_touch_the_tile_stay() -> None:
    after = play(situation("1 . 2 2\nx . 2 .\n1 . . 0"), "1,0")
    assert_board(after, "1 . 2 2\n1 . 2 .\n1 . . 0")


def test_r06_four_armies_at_once() -> None:
    position = situation(". 1 .\n2 x 3\n. 0 .", seats=4)
    after = play(position, "1,1")
    assert_board(after, ". 0 .\n0 0 0\n. 0 .")
    assert after.scores == (5, 0, 0, 0)


def test_r07_two_small_armies_of_one_seat_beat_a_larger_one() -> None:
    position = situation(". . 1 . . .\n. . 1 . . .\n1 1 x 2 2 2")
    assert legal_texts(position) == ["2,2", "PASS"]
    assert play(position, "2,2").scores == (0, 8, 0)


def test_r07_a_turned_army_is_turned_as_a_whole() -> None:
    position = situation("1 1 1 x 0 0 0\n. . . . . . .", "|1,3|", seat=0)
    after = play(position, "0,3")
    assert_board(after, "0 0 0 0 0 0 0\n. . . . . . .")
    assert_board(play(after, "1,3"), "0 0 0 0 0 0 0\n. . . 0 . . .")


def test_r08_a_tie_without_the_mover() -> None:
    position = situation("1 1 x 2 2")
    assert legal_texts(position) == ["0,2 favor 1", "0,2 favor 2", "PASS"]
    assert_board(play(position, "0,2 favor 2"), "2 2 2 2 2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0,2", "the tie is between seats 1, 2: one of them must be favoured"),
        ("0,2 favor 0", "the tie is between seats 1, 2, the favoured one is not of them"),
        ("0,2 favor 3", "the tie is between seats 1, 2, the favoured one is not of them"),
    ],
)
def test_r08_only_who_is_tied_may_be_favoured(text: str, why: str) -> None:
    position = situation("1 1 x 2 2")
    with pytest.raises(IllegalMoveError, match=f"turn '{text}': {why}"):
        position.parse_turn(0, text)
    assert_board(position, "1 1 . 2 2")


@pytest.mark.parametrize("text", ["0,2", "0,2 favor 0", "0,2 favor 2", "0,2 favor 9"])
def test_r08_without_a_tie_it_does_not_matter_who_is_favoured(text: str) -> None:
    position = situation("1 1 x . 2")
    assert legal_texts(position) == ["0,2", "PASS"]
    assert position.parse_turn(0, text) == position.parse_turn(0, "0,2")
    assert_board(play(position, text), "1 1 1 . 2")


# --- R9, R10: refill and pass --------------------------------------------------------------------


def test_r09_who_plays_draws_at_once() -> None:
    position = situation("x . .\n. . .", "0,1|1,0")
    after = play(position, "0,0")
    assert [len(hand) for hand in after.hands] == [2, 1, 0]
    assert after.draw_size == position.draw_size - 1
    assert after.hands[0][0] == (0, 1)


def test_r09_hands_shrink_when_the_pile_is_empty() -> None:
    after = play(situation("x . .\n. . .", "0,1|1,0", pile=False), "0,0")
    assert after.hands == (((0, 1),), ((1, 0),), ())


def test_r10_one_may_always_pass() -> None:
    position = GAME.start()
    after = play(position, "PASS")
    assert after.hands == position.hands
    assert after.draw_size == position.draw_size
    assert after.to_act == (1,)


def test_r10_with_an_empty_hand_there_is_nothing_else() -> None:
    position = situation("0 . .", "|0,1|0,2", pile=False)
    assert legal_texts(position) == ["PASS"]
    assert play(position, "PASS").to_act == (1,)


# --- R11, R12: the end ---------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r11_the_match_ends_when_all_pass(seats: int) -> None:
    position = play(GAME.start(seats=seats), *["PASS"] * (seats - 1))
    assert position.outcome is None
    position = play(position, "PASS")
    assert position.outcome
    assert position.outcome.reason == "all passed"
    assert position.legal_moves(0) == ()


def test_r11_passes_count_in_succession_only() -> None:
    position = play(GAME.start(seats=2), "PASS")
    position = position.play_move(position.moves[0])
    assert play(position, "PASS").outcome is None
    assert play(position, "PASS", "PASS").outcome


def test_r11_the_match_ends_when_no_hand_has_a_tile() -> None:
    position = situation("1 x 0", "||", pile=False)
    after = play(position, "0,1")
    assert after.outcome
    assert after.outcome.reason == "no tiles left"
    assert after.outcome.scores == (3, 0, 0)


def test_r11_the_match_goes_on_while_a_hand_has_a_tile() -> None:
    assert play(situation("1 x 0 .", "|0,3|", pile=False), "0,1").outcome is None


def test_r11_nothing_but_walls_is_over_at_once() -> None:
    position = GAME.start(MebiPennyOptions(3, 3, 2, "1"))
    assert position.outcome
    assert position.outcome.scores == (0, 0)
    assert position.to_act == ()


def test_r12_equal_scores_share() -> None:
    outcome = play(situation("2 . x . 1 1"), "0,2", "PASS", "PASS", "PASS").outcome
    assert outcome
    assert outcome.scores == (1, 2, 1)
    assert outcome.ranks == (1, 0, 1)
    assert outcome.winner == 1


# --- R13: disqualified ---------------------------------------------------------------------------


def test_r13_who_fails_is_last_and_its_claims_stay() -> None:
    position = situation("0 0 0 . 1 . 2 2 x")
    dropped = position.drop({0: "timeout"})
    assert dropped.outcome
    assert dropped.outcome.scores == (-1, 1, 2)
    assert dropped.outcome.reason == "seat 0 disqualified: timeout"
    assert dropped.to_act == ()
    assert dropped.legal_moves(0) == ()
    assert_board(dropped, "0 0 0 . 1 . 2 2 .")
    assert dropped.scores == (3, 1, 2)
    assert position.outcome is None
    with pytest.raises(SettingError, match="the match is over"):
        dropped.play({0: position.moves[0]})


def test_r13_no_player_wins_if_all_fail() -> None:
    outcome = situation("0 . 1 . 2 x").drop(dict.fromkeys(range(3), "crash")).outcome
    assert outcome
    assert outcome.scores == (-1, -1, -1)
    assert outcome.winner is None


def test_r13_a_seat_without_claims_is_still_ahead() -> None:
    outcome = situation("0 0 . x").drop({0: "illegal"}).outcome
    assert outcome
    assert outcome.ranks == (2, 0, 0)


# --- Notation and options ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "pass", "PASS ", "0", "0,", "0, 1", "0,1 ", "0,1 2", "0,1 favor", "0,1 favor p1", "-1,0"],
)
def test_what_is_no_notation_is_refused_as_such(text: str) -> None:
    with pytest.raises(NotationError, match="expected a tile such as 3,14"):
        HANDS.parse_turn(0, text)


def test_matches_are_read_as_they_are_written() -> None:
    text = "rows=2 cols=3 seats=2 seed_coverage=0.2 seed=3"
    position = parse_match(text)[-1]
    for number in range(9):
        if position.outcome:
            break
        text += ";" + legal_texts(position)[number % len(position.moves)]
        position = parse_match(text)[-1]
    positions = parse_match(text)
    assert GAME.format_match(positions) == text
    assert positions[-1].observe(None) == position.observe(None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected rows=NUMBER"),
        ("rows=0 cols=3 seats=2 seed_coverage=0 seed=3", "rows 0: expected 1 to 256"),
        ("rows=3 cols=3 seats=5 seed_coverage=0 seed=3", "seats 5: expected 2 to 4"),
        ("rows=3 cols=3 seats=2 seed_coverage=1.1 seed=3", "seed_coverage '1.1'"),
        ("rows=3 cols=3 seats=2 seed_coverage=0 seed=3;9,9", "turn 1 of the match: turn '9,9'"),
        ("rows=3 cols=3 seats=2 seed_coverage=0 seed=3;PASS;PASS;PASS", "turn 3 .* it is over"),
    ],
)
def test_a_bad_match_is_refused(text: str, why: str) -> None:
    with pytest.raises((NotationError, IllegalMoveError), match=why):
        parse_match(text)


@pytest.mark.parametrize(
    "given",
    [
        {"rows": 0},
        {"cols": 257},
        {"seats": 1},
        {"seats": 5},
        {"seed_coverage": ""},
        {"seed_coverage": "1.01"},
        {"seed_coverage": "-0.1"},
        {"seed_coverage": "1/2"},
        {"seed_coverage": "1e-1"},
        {"seed_coverage": "0." + "1" * 99},
    ],
)
def test_options_that_cannot_be_played_are_refused(given: dict[str, int | str]) -> None:
    (name,) = given
    with pytest.raises(SettingError, match=name):
        MebiPennyOptions(**given)  # type: ignore[arg-type]


def test_the_number_of_players_is_not_guessed() -> None:
    assert GAME.start(MebiPennyOptions(), seats=3).seats == 3
    assert GAME.start(MebiPennyOptions(seats=4)).seats == 4
    with pytest.raises(SettingError, match="3 seats: the option says 4"):
        GAME.start(MebiPennyOptions(seats=4), seats=3)
