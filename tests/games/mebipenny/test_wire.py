"""The JSON objects of the first server's protocol, and the lines on pipes made of them."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.dialogue import Briefing
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS
from agon.games.mebipenny.protocol import JsonDialogue, parse_json, seat_players
from agon.games.mebipenny.wire import (
    GameOrder,
    WirePlayer,
    format_delta,
    format_game,
    format_new_move,
    parse_new_game,
    parse_new_move,
    parse_new_player,
)
from tests.games.mebipenny.situation import play, situation
from tests.games.mebipenny.test_properties import check_line, deterministic, games

if TYPE_CHECKING:
    from agon.games.game import JsonObject
    from agon.games.mebipenny.position import MebiPennyPosition

RED, BLUE, GREEN = PLAYERS = [
    WirePlayer("aa", "red"),
    WirePlayer("bb", "blue"),
    WirePlayer("cc", "green"),
]
TIE = situation("1 1 x 2 2\n. . . # .", "1,0|1,1", pile=False)


# --- Game ----------------------------------------------------------------------------------------


def test_a_game_for_a_seat() -> None:
    position = situation("1 . x\n. # 2", "|1,0 0,1", seat=0)
    assert format_game(position, PLAYERS, 1) == {
        "rows": 2,
        "cols": 3,
        "draw_size": 0,
        "claims": [
            {"tile": {"row": 0, "col": 0}, "owner": "bb"},
            {"tile": {"row": 1, "col": 1}, "owner": None},
            {"tile": {"row": 1, "col": 2}, "owner": "cc"},
        ],
        "players": [
            {"id": "aa", "name": "red", "score": 0, "hand": 1},
            {
                "id": "bb",
                "name": "blue",
                "score": 1,
                "hand": [{"row": 1, "col": 0}, {"row": 0, "col": 1}],
            },
            {"id": "cc", "name": "green", "score": 1, "hand": 0},
        ],
        "player_id": "bb",
        "state": "in play",
    }


def test_a_game_for_an_observer() -> None:
    told = format_game(situation("1 . x\n. # 2", "|1,0 0,1"), PLAYERS, None)
    assert told["player_id"] is None
    assert [player["hand"] for player in objects(told, "players")] == [1, 2, 0]


def test_players_are_in_turn_order_the_next_first() -> None:
    position = play(situation("x . . ."), "0,0")
    for seat in (None, 0, 1, 2):
        told = format_game(position, PLAYERS, seat)
        assert [player["id"] for player in objects(told, "players")] == ["bb", "cc", "aa"]


@pytest.mark.parametrize("joined", [0, 1, 2])
def test_nothing_is_dealt_while_seats_are_free(joined: int) -> None:
    position = GAME.start(MebiPennyOptions(5, 5, 3, "0.2"))
    told = format_game(position, PLAYERS[:joined], None)
    assert told["state"] == "initiating"
    assert told["draw_size"] == 20
    assert len(objects(told, "claims")) == 5
    assert [(p["id"], p["score"], p["hand"]) for p in objects(told, "players")] == [
        (player.id, 0, 0) for player in PLAYERS[:joined]
    ]


def test_who_is_disqualified_has_no_score() -> None:
    told = format_game(situation("0 0 . 1 x").drop({0: "timeout"}), PLAYERS, 1)
    assert [player["score"] for player in objects(told, "players")] == ["disqualified", 1, 0]
    assert told["state"] == "completed"
    assert len(objects(told, "claims")) == 3


# --- Delta ---------------------------------------------------------------------------------------


def test_a_delta_covers_all_since_a_move() -> None:
    before = situation("1 1 x 0 0 .\n. . . . . .", "1,0|1,1|0,5", pile=False)
    after = play(before, "0,2", "PASS", "0,5")
    told = format_delta(before, after, PLAYERS, 0)
    assert told["draw_size"] == 0
    assert objects(told, "claims") == [
        {"tile": {"row": 0, "col": col}, "owner": "aa"} for col in (0, 1, 2, 5)
    ]
    assert objects(told, "players") == [
        {"id": "aa", "name": "red", "score": 6, "hand": [{"row": 1, "col": 0}]},
        {"id": "bb", "name": "blue", "score": 0, "hand": 1},
        {"id": "cc", "name": "green", "score": 0, "hand": 0},
    ]
    assert told["state"] == "in play"


def test_a_delta_has_nothing_that_is_as_it_was() -> None:
    before = situation("x . . 1", "0,1|0,2")
    told = format_delta(before, play(before, "PASS"), PLAYERS, None)
    assert told == {"draw_size": 0, "claims": [], "players": [], "state": "in play"}


def test_a_hand_that_was_refilled_has_changed_for_its_player_only() -> None:
    before = GAME.start(MebiPennyOptions(4, 4, 3), seed=5)
    after = before.play_move(before.moves[0]).play_move(PASS)
    own = objects(format_delta(before, after, PLAYERS, 0), "players")
    assert [player["id"] for player in own] == ["aa"]
    middle = before.play_move(before.moves[0])
    after = middle.play_move(middle.moves[0])
    mine = {p["id"]: p for p in objects(format_delta(middle, after, PLAYERS, 1), "players")}
    assert isinstance(mine["bb"]["hand"], list)


@deterministic
@given(games)
def test_a_client_that_applies_deltas_knows_the_game(game: list[MebiPennyPosition]) -> None:
    players = seat_players(game[0].seats)
    for viewer in (None, *range(game[0].seats)):
        known = format_game(game[0], players, viewer)
        for before, after in zip(game[::3], game[3::3], strict=False):
            apply_delta(known, format_delta(before, after, players, viewer))
            assert in_order(known) == in_order(format_game(after, players, viewer))


def apply_delta(known: JsonObject, delta: JsonObject) -> None:
    """What a contestant's bot would do."""
    claims = {str(claim["tile"]): claim for claim in objects(known, "claims")}
    claims |= {str(claim["tile"]): claim for claim in objects(delta, "claims")}
    players = {player["id"]: player for player in objects(known, "players")}
    players |= {player["id"]: player for player in objects(delta, "players")}
    known |= {"claims": [*claims.values()], "players": [*players.values()]}
    known |= {"draw_size": delta["draw_size"], "state": delta["state"]}


def in_order(told: JsonObject) -> JsonObject:
    """Without the order of claims and players."""
    return told | {key: sorted(objects(told, key), key=str) for key in ("claims", "players")}


def objects(told: JsonObject, key: str) -> list[Any]:
    found = told[key]
    assert isinstance(found, list)
    return found


# --- Moves ---------------------------------------------------------------------------------------


@deterministic
@given(games)
def test_moves_invert(game: list[MebiPennyPosition]) -> None:
    players = seat_players(game[0].seats)
    for position in game:
        for move in position.moves:
            data = json.loads(json.dumps(format_new_move(position, move, players)))
            assert parse_new_move(position, data, players) == move


TILE: JsonObject = {"row": 0, "col": 2}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("pass", '"pass": expected an object with a tile, or "PASS"'),
        (None, "null: expected an object"),
        ([], r"\[\]: expected an object"),
        (True, "true: expected an object"),
        ({}, "{}: the tile is missing"),
        ({"favor": "aa"}, "the tile is missing"),
        ({"tile": [0, 2]}, r"tile \[0, 2\]: expected an object with row and col"),
        ({"tile": None}, "tile null: expected an object with row and col"),
        ({"tile": {"col": 2}}, "row is missing"),
        ({"tile": {"row": 0}}, "col is missing"),
        ({"tile": {"row": "0", "col": 2}}, 'row "0": expected a whole number'),
        ({"tile": {"row": 0, "col": 2.0}}, "col 2.0: expected a whole number"),
        ({"tile": {"row": False, "col": 2}}, "row false: expected a whole number"),
    ],
)
def test_a_malformed_move_is_refused(data: Any, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        parse_new_move(TIE, data, PLAYERS)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"tile": {"row": 2, "col": 0}}, "tile 2,0 is not on the board"),
        ({"tile": {"row": -1, "col": 0}}, "tile -1,0 is not on the board"),
        ({"tile": {"row": 0, "col": 10**30}}, "is not on the board"),
        ({"tile": {"row": 1, "col": 3}}, "tile 1,3 is a wall"),
        ({"tile": {"row": 0, "col": 0}}, "tile 0,0 is claimed already"),
        ({"tile": {"row": 1, "col": 1}}, "tile 1,1 is not in the hand"),
        ({"tile": {"row": 1, "col": 2}}, "tile 1,2 is not in the hand"),
        ({"tile": TILE}, 'favor is missing: the tie is between "bb", "cc"'),
        ({"tile": TILE, "favor": None}, "favor is missing"),
        ({"tile": TILE, "favor": "aa"}, 'favor "aa": the tie is between "bb", "cc"'),
        ({"tile": TILE, "favor": "dd"}, 'favor "dd": the tie'),
        ({"tile": TILE, "favor": 1}, "favor 1: the tie"),
        ({"tile": TILE, "favor": ["bb"]}, r'favor \["bb"\]: the tie'),
    ],
)
def test_an_illegal_move_is_refused(data: Any, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        parse_new_move(TIE, data, PLAYERS)


def test_a_tie_is_decided_by_id() -> None:
    for seat in (1, 2):
        move = parse_new_move(TIE, {"tile": TILE, "favor": PLAYERS[seat].id}, PLAYERS)
        assert TIE.play_move(move).scores[seat] == 5


@pytest.mark.parametrize("data", [{"tile": TILE}, {"tile": TILE, "favor": None}])
def test_a_tie_that_names_no_player_names_the_mover(data: Any) -> None:
    position = situation(". 1 x 2 .")
    assert position.favoured_by(parse_new_move(position, data, PLAYERS)) == 0


@pytest.mark.parametrize("favor", [None, 7, "dd", ["bb"], {}, "bb"])
def test_without_a_tie_favor_is_ignored_whatever_it_is(favor: Any) -> None:
    tile: JsonObject = {"row": 1, "col": 0}
    position = situation("1 1 . . .\nx . . . .")
    move = parse_new_move(position, {"tile": tile, "favor": favor, "note": "hello"}, PLAYERS)
    assert move == parse_new_move(position, {"tile": tile}, PLAYERS)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tile", "row", "col", "favor", "name"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@deterministic
@given(json_values)
def test_any_object_is_read_or_refused(data: Any) -> None:
    for parse in (
        lambda: parse_new_move(TIE, data, PLAYERS),
        lambda: parse_new_game(data),
        lambda: parse_new_player(data),
        lambda: parse_new_game({"rows": data, "cols": 3, "seats": data, "seed_coverage": data}),
        lambda: parse_new_game({"rows": 3, "cols": 3, "seed_coverage": data, "seed": data}),
        lambda: parse_new_game({"rows": 3, "cols": 3, "delay_time": data}),
    ):
        try:
            parse()
        except (NotationError, IllegalMoveError, SettingError) as error:
            check_line(error)


# --- New games and players -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected", "seed"),
    [
        ({"rows": 3, "cols": 4}, MebiPennyOptions(3, 4, 2, "0"), None),
        ({"rows": 3, "cols": 4, "seats": 4, "seed": 5}, MebiPennyOptions(3, 4, 4, "0"), 5),
        ({"rows": 3, "cols": 4, "seed_coverage": 0.15}, MebiPennyOptions(3, 4, 2, "0.15"), None),
        ({"rows": 3, "cols": 4, "seed_coverage": 1}, MebiPennyOptions(3, 4, 2, "1"), None),
        ({"rows": 3, "cols": 4, "seed_coverage": 1e-5}, MebiPennyOptions(3, 4, 2, "0.00001"), None),
        ({"rows": 3, "cols": 4, "seats": None, "seed": None}, MebiPennyOptions(3, 4, 2), None),
    ],
)
def test_a_new_game_is_read(data: Any, expected: MebiPennyOptions, seed: int | None) -> None:
    assert parse_new_game(data) == GameOrder(expected, seed)


@pytest.mark.parametrize(
    ("seconds", "delay_ns"), [(0, 0), (None, 0), (2, 2 * 10**9), (0.3, 3 * 10**8), (30, 30 * 10**9)]
)
def test_a_new_game_may_have_a_delay(seconds: Any, delay_ns: int) -> None:
    order = parse_new_game({"rows": 3, "cols": 4, "delay_time": seconds})
    assert order == GameOrder(MebiPennyOptions(3, 4, 2, "0"), None, delay_ns)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "expected an object"),
        ({"rows": 3}, "cols is missing"),
        ({"rows": "3", "cols": 3}, 'rows "3": expected a whole number'),
        ({"rows": 0, "cols": 3}, "rows 0: expected 1 to 256"),
        ({"rows": 3, "cols": 257}, "cols 257: expected 1 to 256"),
        ({"rows": 3, "cols": 3, "seats": 0}, "seats 0: expected 2 to 4"),
        ({"rows": 3, "cols": 3, "seats": 5}, "seats 5: expected 2 to 4"),
        ({"rows": 3, "cols": 3, "seed_coverage": 1.5}, "seed_coverage 1.5: expected a number"),
        ({"rows": 3, "cols": 3, "seed_coverage": "0"}, 'seed_coverage "0": expected a number'),
        ({"rows": 3, "cols": 3, "seed": "x"}, 'seed "x": expected a whole number'),
        ({"rows": 3, "cols": 3, "delay_time": 31}, "delay_time 31: expected a number from 0 to 30"),
        ({"rows": 3, "cols": 3, "delay_time": -0.1}, "delay_time -0.1: expected a number"),
        ({"rows": 3, "cols": 3, "delay_time": True}, "delay_time true: expected a number"),
    ],
)
def test_a_bad_new_game_is_refused(data: Any, why: str) -> None:
    with pytest.raises((NotationError, SettingError), match=why):
        parse_new_game(data)


def test_a_new_player_has_a_name() -> None:
    assert parse_new_player({"name": "Ada"}) == "Ada"
    for data in ({}, {"name": 3}, "Ada", {"name": "a" * 1000}):
        with pytest.raises(NotationError):
            parse_new_player(data)  # type: ignore[arg-type]


# --- The protocol on pipes -----------------------------------------------------------------------


def test_a_whole_match_as_lines() -> None:
    rng = Random(3)  # noqa: S311
    position = GAME.start(MebiPennyOptions(5, 5, 3, "0.1"), seed=8)
    talks = [JsonDialogue() for _ in range(3)]
    known: dict[int, JsonObject] = {}
    for seat, talk in enumerate(talks):
        assert talk.open(position, seat, Briefing(names=("Ann", "Bob"))) == []
        assert talk.is_ready()
    while position.to_act:
        (seat,) = position.to_act
        (line,) = talks[seat].ask(position)
        learn(known, seat, line)
        assert in_order(known[seat]) == in_order(
            format_game(position, seat_players(3, ("Ann", "Bob")), seat)
        )
        move = position.random_turn(seat, rng)
        text = json.dumps(format_new_move(position, move, seat_players(3)))
        assert talks[seat].read(text) == text
        assert talks[seat].parse(position, seat, text) == move
        after = position.play({seat: move})
        for talk in talks:
            assert talk.tell(position, {seat: move}, after) == []
        position = after
    for seat, talk in enumerate(talks):
        (line,) = talk.close(position.outcome)
        learn(known, seat, line)
        assert known[seat]["state"] == "completed"
        assert talk.leave() == []
        scores = {player["id"]: player["score"] for player in objects(known[seat], "players")}
        assert scores == {f"p{i}": score for i, score in enumerate(position.scores)}


def learn(known: dict[int, JsonObject], seat: int, line: str) -> None:
    told = json.loads(line)
    if seat in known:
        apply_delta(known[seat], told)
    else:
        known[seat] = told
        assert told["player_id"] == f"p{seat}"


def test_the_end_by_a_fault_is_told() -> None:
    start = GAME.start(MebiPennyOptions(5, 5, 3), seed=8)
    after = start.play_move(start.moves[0])
    for seat in (0, 2):
        talk = JsonDialogue()
        talk.open(start, seat, Briefing())
        talk.tell(start, {0: start.moves[0]}, after)
        told = json.loads(talk.close(after.drop({1: "timeout"}).outcome)[0])
        scores = {player["id"]: player["score"] for player in objects(told, "players")}
        assert scores["p1"] == "disqualified"
        assert scores["p0"] == 1
        assert told["state"] == "completed"
    assert json.loads(talk.close(None)[0])["state"] == "completed"


@pytest.mark.parametrize("text", ["", "{", "PASS", "'PASS'", "[" * 100_000, "9" * 5000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"expected JSON|nested too deeply"):
        parse_json(text)
