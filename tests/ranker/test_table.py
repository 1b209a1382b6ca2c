"""The official table: the same for every order of play, ready for JSON."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.ranker.result import Result
from agon.ranker.table import HeadToHead, make_table
from tests.ranker.players import Players, chance, names

RESULTS = [
    Result(("a", "b"), (1, 0), 1),
    Result(("b", "a"), (1, 1), 1),
    Result(("a", "c"), (5, 2), 2),
    Result(("c", "a"), (0, 3), 2),
    Result(("b", "c"), (1, 0), 3),
    Result(("c", "b"), (2, 1), 3),
]


def test_a_small_table_by_hand() -> None:
    table = make_table(RESULTS)
    assert table.matches == 6
    assert [(row.rank, row.bot) for row in table.rows] == [(1, "a"), (2, "b"), (3, "c")]
    a, b, c = table.rows
    assert (a.games, a.points, a.wins, a.draws, a.losses) == (4, 3.5, 3, 1, 0)
    assert (b.games, b.points, b.wins, b.draws, b.losses) == (4, 1.5, 1, 1, 2)
    assert (c.games, c.points, c.wins, c.draws, c.losses) == (4, 1.0, 1, 0, 3)
    assert a.score == 0.875
    assert table.meetings[0] == (HeadToHead(0, 0, 0), HeadToHead(1, 1, 0), HeadToHead(2, 0, 0))
    assert table.meetings[2] == (HeadToHead(0, 0, 2), HeadToHead(1, 0, 1), HeadToHead(0, 0, 0))
    assert all(row.low < row.rating < row.high for row in table.rows)
    assert a.superiority is not None
    assert 0.5 < a.superiority < 1
    assert c.superiority is None
    assert sum(row.rating for row in table.rows) == pytest.approx(0, abs=0.01)
    assert table.groups == (("a", "b", "c"),)


def test_without_matches_there_are_two_seats_and_no_difference() -> None:
    table = make_table([], ["a", "b"])
    assert [seat.rating for seat in table.seats] == [0, 0]
    assert [(row.rank, row.rating, row.score) for row in table.rows] == [(1, 0, None)] * 2


def test_more_than_two_seats() -> None:
    results = [
        Result(("a", "b", "c"), (9, 5, 5)),
        Result(("b", "c", "a"), (7, 0, 7)),
        Result(("c", "a", "b"), (1, 2, 3)),
    ]
    table = make_table(results)
    by_bot = {row.bot: row for row in table.rows}
    a, b, c = by_bot["a"], by_bot["b"], by_bot["c"]
    assert (a.wins, a.draws, a.losses, a.points) == (1, 1, 1, 1 + 0.75 + 0.5)
    assert (b.wins, b.draws, b.losses, b.points) == (1, 1, 1, 0.25 + 0.75 + 1)
    assert (c.wins, c.draws, c.losses, c.points) == (0, 0, 3, 0.25)
    assert len(table.seats) == 3
    order = [row.bot for row in table.rows]
    assert table.meetings[order.index("a")][order.index("b")] == HeadToHead(1, 1, 1)


def test_json_says_everything() -> None:
    table = make_table(RESULTS, ["d"])
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert [row["bot"] for row in data["rows"]] == [row.bot for row in table.rows]
    row = next(row for row in data["rows"] if row["bot"] == "a")
    assert row["score"] == 0.875
    assert data["head_to_head"]["a"]["b"] == {"wins": 1, "draws": 1, "losses": 0}
    assert data["head_to_head"]["d"] == {}
    assert data["groups"] == [["a", "b", "c"], ["d"]]
    assert len(data["seats"]) == 2


def test_bots_without_games_share_a_rank() -> None:
    table = make_table([], ["z", "y", "x"])
    assert [(row.rank, row.bot, row.rating) for row in table.rows] == [
        (1, "x", 0.0),
        (1, "y", 0.0),
        (1, "z", 0.0),
    ]
    assert [row.superiority for row in table.rows] == [0.5, 0.5, None]
    assert table.rows[0].score is None


def test_no_bots_and_no_results() -> None:
    table = make_table([])
    assert table.rows == ()
    assert table.to_json()["rows"] == []


def test_one_bot() -> None:
    (row,) = make_table([Result(("a", "a"), (1, 0))]).rows
    assert (row.rating, row.low, row.high, row.games) == (0, 0, 0, 0)


def test_a_table_of_strong_and_weak_is_in_their_order() -> None:
    bots = names(10)
    players = Players({bot: -place * 0.7 for place, bot in enumerate(bots)}, chance(1), ties=(0.2,))
    results = [players.play(pair) for pair in permutations(bots, 2) for _ in range(10)]
    assert [row.bot for row in make_table(results).rows] == bots


def some_results(seats: int) -> st.SearchStrategy[list[Result]]:
    bots = st.permutations(names(5)).map(lambda order: tuple(order[:seats]))
    scores = st.tuples(*[st.integers(0, 3)] * seats)
    return st.lists(st.builds(Result, bots, scores, st.integers(0, 9)), max_size=30)


@given(
    some_results(2)
    | some_results(3)
    | st.tuples(some_results(2), some_results(4)).map(lambda both: both[0] + both[1]),
    st.randoms(use_true_random=False),
)
def test_the_order_of_play_does_not_matter(results: list[Result], rng: object) -> None:
    shuffled = results[:]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert make_table(shuffled) == make_table(results)


@given(some_results(2))
def test_at_the_other_seats_everything_is_the_same_but_the_seats(results: list[Result]) -> None:
    swapped = [Result(result.bots[::-1], result.scores[::-1]) for result in results]
    table, other = make_table(results), make_table(swapped)
    ratings = {row.bot: row.rating for row in table.rows}
    for row in other.rows:
        assert row.rating == pytest.approx(ratings[row.bot], abs=0.01)
    assert [seat.rating for seat in table.seats] == pytest.approx(
        [seat.rating for seat in other.seats][::-1], abs=0.01
    )


@given(some_results(2))
def test_points_and_meetings_add_up(results: list[Result]) -> None:
    table = make_table(results)
    assert sum(row.points for row in table.rows) == table.matches
    assert sum(row.games for row in table.rows) == 2 * table.matches
    for place, row in enumerate(table.rows):
        assert row.wins + row.draws + row.losses == row.games
        assert sum(sum(meeting) for meeting in table.meetings[place]) == row.games
        assert row.points == row.wins + row.draws / 2
