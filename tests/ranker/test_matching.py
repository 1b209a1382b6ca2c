"""Perfect matchings, compared with trying everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agon.ranker.matching import match_in_order


def try_everything(
    partners: list[list[int]], rest: tuple[int, ...]
) -> list[tuple[int, int]] | None:
    if not rest:
        return []
    for two in partners[rest[0]]:
        if two in rest:
            left = tuple(one for one in rest if one not in (rest[0], two))
            others = try_everything(partners, left)
            if others is not None:
                return [(rest[0], two), *others]
    return None


@st.composite
def wishes(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(0, 5)) * 2
    bots = range(size)
    allowed = {(one, two): draw(st.booleans()) for one in bots for two in bots if one < two}
    return [
        draw(st.permutations([two for two in bots if allowed.get((min(one, two), max(one, two)))]))
        for one in bots
    ]


@given(wishes())
def test_it_is_the_first_of_all_matchings(partners: list[list[int]]) -> None:
    assert match_in_order(partners) == try_everything(partners, tuple(range(len(partners))))


def test_an_odd_number_cannot_be_paired() -> None:
    assert match_in_order([[1, 2], [0, 2], [0, 1]]) is None


def test_two_triangles_joined_by_an_edge() -> None:
    """The case for which blossoms were invented: 0-1-2 and 3-4-5, joined by 2-3."""
    partners = [[1, 2], [0, 2], [0, 1, 3], [4, 5, 2], [3, 5], [3, 4]]
    assert match_in_order(partners) == [(0, 1), (2, 3), (4, 5)]
