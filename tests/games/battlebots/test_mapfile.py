"""Maps and logs as text; R1: what a field must hold to, with line and names in the error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import NotationError, SettingError
from agon.games.battlebots.field import Battlefield, Fort, find_touching, lines_touch
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.mapfile import format_log, format_map, parse_map, parse_states
from agon.games.battlebots.match_text import parse_match
from tests.games.battlebots.contest_log import CONTEST_LOG, CROSSING_MAP
from tests.games.battlebots.situation import map_text

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=300)

SEED_MAP = """\
3 forts:
# fort xcoord ycoord owner armysize
boyard 10 20 felix 100
helsingor 20 10 ilion 200
nox 30 30 neutral 0

2 roads:
boyard helsingor
helsingor nox
# under way
2 marches:
boyard helsingor felix 100 2
helsingor boyard ilion 10 3
"""


def test_the_map_of_the_seed_is_read() -> None:
    field = parse_map(SEED_MAP)
    assert field.fort["boyard"] == Fort("boyard", 10, 20, "felix", 100)
    assert field.players == ("felix", "ilion")
    assert field.length["nox", "helsingor"] == 23
    assert [march.steps for march in field.marches] == [2, 3]


def test_a_map_is_written_sorted_and_plural() -> None:
    text = map_text(
        "b 0 0 zoe 7, a -3 4 neutral 0, B 9 9 ann 10", "b a", "b a zoe 9 3, b a zoe 10 2"
    )
    assert format_map(parse_map(text)) == (
        "3 forts:\nB 9 9 ann 10\na -3 4 neutral 0\nb 0 0 zoe 7\n"
        "1 roads:\na b\n"
        "2 marches:\nb a zoe 10 2\nb a zoe 9 3\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "1 fort:\na 0 0 ann 1\n0 roads:\n0 marches:\n",
        "1 forts\n  a\t0  0 ann 1\n0 roads\n",
        "# a map\n\n1 forts:\r\na 0 0 ann 1\r\n\n0 road\n0 march:",
    ],
)
def test_spellings_that_are_read(text: str) -> None:
    assert parse_map(text) == Battlefield((Fort("a", 0, 0, "ann", 1),))


def test_marches_of_one_player_at_one_point_are_one() -> None:
    text = map_text("a 0 0 ann 1, b 5 0 bob 1", "a b", "a b ann 3 2, a b ann 4 2, b a ann 1 3")
    assert sorted(m.soldiers for m in parse_map(text).marches) == [1, 7]


TWO = "a 0 0 ann 1, b 5 0 bob 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the end of the text: expected N forts:"),
        ("0 roads:", "line 1: '0 roads:': expected N forts:"),
        ("x forts:", "line 1: 'x forts:': expected N forts:"),
        ("-1 forts:", "line 1: '-1 forts:': expected N forts:"),
        ("0 forts: now", "expected N forts:"),
        ("0 forts:", "the end of the text: expected N roads:"),
        ("2 forts:\na 0 0 ann 1", "line 1: '2 forts:': only 1 lines follow"),
        ("1 forts:\na 0 0 ann", "line 2: 'a 0 0 ann': expected fort x y owner soldiers"),
        ("1 forts:\na 0 zero ann 1\n0 roads:", "line 2: 'zero': expected a whole number"),
        ("1 forts:\na 0 1.5 ann 1\n0 roads:", "line 2: '1.5': expected a whole number"),
        ("1 forts:\na 0 0 ann -1\n0 roads:", "line 2: '-1': expected a number, 0 or more"),
        (f"1 forts:\na 0 0 ann {'9' * 5000}\n0 roads:", "line 2: '999"),
        ("0 forts:\n0 roads:\n0 marches:\n\nmore", "line 5: 'more': expected nothing after"),
        (map_text("neutral 0 0 ann 1"), "line 2: name 'neutral'"),
        (map_text("a 0 0 #ann 1"), "line 2: name '#ann'"),
        (map_text("a 0 0 ann 1, a 1 0 bob 1"), "line 3: fort a: there is another one"),
        (map_text("a 0 0 ann 1, b 0 0 bob 1"), "line 3: fort b at 0 0: a is there"),
        (map_text(TWO, "a c"), "line 5: there is no fort 'c'"),
        (map_text(TWO, "a a"), "line 5: road a a: expected two different forts"),
        (map_text(TWO, "a b, b a"), "line 6: road b a: there is another road between them"),
        (map_text(TWO, "a"), "line 5: 'a': expected fort fort"),
        (
            map_text("a 0 0 x 1, b 4 4 y 1, c 0 4 x 1, d 4 0 y 1", "a b, c d"),
            "line 8: road c d: it crosses the road a b",
        ),
        (
            map_text("a 0 0 x 1, b 4 0 y 1, c 2 0 x 1, d 2 3 y 1", "a b, c d"),
            "line 8: road c d: it crosses the road a b",
        ),
        (
            map_text("a 0 0 x 1, b 4 0 y 1, c 8 0 x 1", "a b, a c"),
            "line 7: road a c: it crosses the road a b",
        ),
        (map_text("a 0 0 x 1, b 4 0 y 1, c 2 0 x 1", "a b"), "road a b: it runs through c"),
        (map_text(TWO, "a b", "a c ann 1 1"), "line 7: there is no road from 'a' to 'c'"),
        (map_text(TWO, "a b", "a b ann 0 1"), "march a b: 0 soldiers: expected at least 1"),
        (map_text(TWO, "a b", "a b neutral 3 1"), "owner 'neutral': expected a player"),
        (map_text(TWO, "a b", "a b ann 3 0"), "0 steps to go: expected 1 to 4"),
        (map_text(TWO, "a b", "a b ann 3 5"), "5 steps to go: expected 1 to 4"),
        (
            map_text(TWO, "a b", "a b ann 3 2, a b bob 1 2"),
            "line 8: march a b: ann has an army at the same point",
        ),
        (
            map_text(TWO, "a b", "a b ann 3 2, b a bob 1 3"),
            "line 8: march b a: ann has an army at the same point",
        ),
    ],
)
def test_r1_every_defect_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_map(text)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("lines", "touch"),
    [
        (((0, 0), (4, 0), (2, -1), (2, 1)), True),  # cross
        (((0, 0), (4, 0), (2, 0), (2, 1)), True),  # a T
        (((0, 0), (4, 0), (4, 0), (6, 1)), False),  # from end to end
        (((0, 0), (4, 0), (4, 0), (8, 0)), False),  # in one line
        (((0, 0), (4, 0), (0, 0), (2, 0)), True),  # one on top of the other
        (((0, 0), (4, 0), (4, 0), (2, 0)), True),
        (((0, 0), (4, 0), (1, 0), (3, 0)), True),
        (((0, 0), (4, 0), (5, 0), (6, 0)), False),
        (((0, 0), (4, 0), (0, 1), (4, 1)), False),
        (((0, 0), (4, 2), (2, 1), (2, 1)), True),  # a point on it
        (((0, 0), (4, 2), (4, 2), (4, 2)), False),  # its end
        (((0, 0), (4, 2), (2, 2), (2, 2)), False),
        (((0, 0), (4, 0), (4, 0), (0, 0)), True),  # the same road
        (((1, 1), (1, 1), (2, 2), (2, 2)), False),
    ],
)
def test_r1_roads_touch_whichever_way_they_are_written(
    lines: tuple[tuple[int, int], ...], touch: bool
) -> None:
    a, b, c, d = lines
    for one in ((a, b), (b, a)):
        for other in ((c, d), (d, c)):
            assert lines_touch(*one, *other) == lines_touch(*other, *one) == touch


places = st.tuples(st.integers(0, 6), st.integers(0, 6))


@deterministic
@given(st.lists(st.tuples(places, places), max_size=12))
def test_r1_all_pairs_that_touch_are_found(
    lines: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    expected = {
        (i, j) for j in range(len(lines)) for i in range(j) if lines_touch(*lines[i], *lines[j])
    }
    assert set(find_touching(lines)) == expected


@pytest.mark.parametrize("piece", ["", "#", "7", "x", " ", "\n", "neutral", "a b 1", "\0", "é"])
def test_a_damaged_map_is_read_or_refused_with_one_line(piece: str) -> None:
    for cut in range(len(SEED_MAP)):
        text = SEED_MAP[:cut] + piece + SEED_MAP[cut + len(piece) :]
        try:
            field = parse_map(text)
        except NotationError as error:
            check_line(error)
        else:
            assert parse_map(format_map(field)).fort == field.fort


def check_line(error: NotationError) -> None:
    assert str(error).isprintable()


# --- logs -----------------------------------------------------------------------------------------


def test_a_log_is_every_state_under_its_step() -> None:
    field = parse_map(SEED_MAP)
    text = format_log([field, field])
    assert text.startswith("# STEP: 0\n3 forts:\nboyard 10 20 felix 100\n")
    assert "\nhelsingor boyard ilion 10 3\n\n# STEP: 1\n3 forts:\n" in text
    assert text.endswith("10 3\n\n")
    fields, notes = parse_states(text)
    assert [format_map(read) for read in fields] == [format_map(field)] * 2
    assert notes == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty log"),
        (f"# STEP: 1\n{SEED_MAP}", "line 1: '# STEP: 1': expected # STEP: 0"),
        (f"# STEP: 0\n{SEED_MAP}\n# STEP: 2\n{SEED_MAP}", "expected # STEP: 1"),
        ("# STEP: 0\n", "the end of the text: expected N forts:"),
        ("".join(f"# STEP: {n}\n" for n in range(10_002)), "expected at most 10000 steps"),
        (f"# STEP: 0\n{SEED_MAP}\n# STEP: 1\n0 forts:\n0 roads:", "step 1: expected the forts"),
        (
            f"# STEP: 0\n{SEED_MAP}\n# STEP: 1\n{SEED_MAP.replace('30 30', '31 31')}",
            "step 1: expected the forts and roads of step 0",
        ),
        (
            f"# STEP: 0\n{SEED_MAP}\n# STEP: 1\n{SEED_MAP.replace('neutral 0', 'zoe 1')}",
            "step 1: 'zoe' is not a player of step 0",
        ),
        (f"# STEP: 0\n{map_text(TWO.replace('bob', 'ann'))}", "step 0: a map for 1 players"),
    ],
)
def test_a_bad_log_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_match(text)
    assert message in str(caught.value)


def test_a_log_of_another_program_may_be_in_another_order() -> None:
    turned = map_text(
        "nox 30 30 neutral 0, helsingor 20 10 ilion 1, boyard 10 20 felix 1",
        "nox helsingor, helsingor boyard",
    )
    positions = parse_match(f"# STEP: 0\n{SEED_MAP}\n# STEP: 1\n{turned}")
    assert format_map(positions[1].field) == format_map(parse_map(turned))


def test_marches_of_no_soldiers_are_noted_and_left_out() -> None:
    fields, notes = parse_states(CONTEST_LOG)
    assert [len(field.marches) for field in fields] == [0, 1, 1, 1, 0]
    told = "a march of 0 soldiers of felix from boyard to helsingor: it does nothing"
    assert notes == [f"line 26: {told}", f"line 41: {told}"]


def test_a_log_may_have_roads_that_cross_and_a_new_map_may_not() -> None:
    log = GAME.parse_log(CROSSING_MAP)
    assert log is not None
    assert log.names == ("felix", "ilion")
    assert log.notes == ("road nox oz: it crosses the road boyard helsingor",)
    with pytest.raises(NotationError, match="line 9: road nox oz: it crosses the road"):
        parse_map(CROSSING_MAP)
    with pytest.raises(NotationError, match="expected at least 1"):
        parse_map(SEED_MAP.replace("felix 100 2", "felix 0 2"))


def test_a_long_log_has_a_few_notes() -> None:
    marches = "".join("boyard nox felix 0 1\n" for _ in range(50))
    log = GAME.parse_log(f"{CROSSING_MAP}50 marches:\n{marches}")
    assert log is not None
    assert len(log.notes) == 10
    assert log.notes[-1] == "and 42 more of this kind"


def test_a_log_longer_than_a_usual_match_is_not_over() -> None:
    text = format_log([parse_map(SEED_MAP)] * 502)
    assert parse_match(text)[-1].outcome is None


@pytest.mark.parametrize("text", ["", "# a comment\n", "{}", "3 pawns:\n", "Base;NotStarted"])
def test_other_texts_are_no_logs(text: str) -> None:
    assert GAME.parse_log(text) is None


# --- sizes ----------------------------------------------------------------------------------------


def lattice(columns: int, rows: int, step: int = 1) -> Battlefield:
    forts = [
        Fort(f"f{x}.{y}", step * x, step * y, "ann" if x else "bob", 5)
        for x in range(columns)
        for y in range(rows)
    ]
    roads = [(f"f{x}.{y}", f"f{x + 1}.{y}") for x in range(columns - 1) for y in range(rows)]
    roads += [(f"f{x}.{y}", f"f{x}.{y + 1}") for x in range(columns) for y in range(rows - 1)]
    return Battlefield(tuple(forts), tuple(roads))


def test_the_largest_map_is_read_and_played() -> None:
    text = format_map(lattice(32, 16, step=30))
    position = GAME.start(BattlebotsOptions(field=text))
    assert len(position.field.forts) == 512
    seat = position.players.index("bob")
    order = position.legal_moves(seat)[1]
    assert len(position.play({seat: (order,), 1 - seat: ()}).field.marches) == 1


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (lattice(19, 27), "a map of 513 forts, 980 roads and 1960 places on them"),
        (lattice(2, 2, step=20_000), "a map of 4 forts, 4 roads and 80004 places on them"),
    ],
)
def test_larger_maps_are_refused(field: Battlefield, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Layout(field)


def test_a_bad_map_in_the_options_is_refused() -> None:
    with pytest.raises(SettingError, match="option field: line 1: 'rubbish': expected N forts:"):
        GAME.start(BattlebotsOptions(field="rubbish"))
    with pytest.raises(SettingError, match="3 seats: the map is for 2"):
        GAME.start(BattlebotsOptions(field=map_text(TWO)), seats=3)
