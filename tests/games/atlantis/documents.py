"""Atlantis documents by chance, for tests: boards in every way of writing them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agon.games.atlantis.boards import standard_segment
from agon.games.atlantis.notation import format_coordinate

texts = st.text(max_size=8)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=4,
)
dates = st.datetimes(timezones=st.timezones()).map(lambda date: date.isoformat())
KNOWN = {"format", "version", "segments", "players", "events", "user", "begin", "end"}
KNOWN |= {"rules", "seed", "outcome"}


def extra_keys(*taken: str) -> st.SearchStrategy[dict[str, Any]]:
    """Unknown keys."""
    unknown = texts.filter(lambda key: key not in {*KNOWN, *taken})
    return st.dictionaries(unknown, values, max_size=2)


@st.composite
def boards(draw: st.DrawFn) -> list[Any]:
    """Segments: standard ones in capitals or written out, and odd ones of single fields."""
    far = draw(st.sampled_from([0, 24, 700]))  # where letters get one more
    centres = st.tuples(st.integers(2, 8), st.integers(2, 8))
    free = {(x + far, y) for x in range(1, 10) for y in range(1, 10)}
    segments: list[Any] = []
    for x, y in draw(st.lists(centres, max_size=4, unique=True)):
        fields = standard_segment((x + far, y))
        if free.issuperset(fields):
            free.difference_update(fields)
            in_capitals = draw(st.booleans())
            names = [format_coordinate(field) for field in draw(st.permutations(fields))]
            centre = format_coordinate((x + far, y)).upper()
            segments.append(centre if in_capitals else names)
    for _ in range(draw(st.integers(0 if segments else 1, 4))):
        some = st.lists(st.sampled_from(sorted(free)), min_size=1, max_size=5, unique=True)
        fields = tuple(draw(some))
        free.difference_update(fields)
        segments.append([format_coordinate(field) for field in fields])
    return draw(st.permutations(segments))


@st.composite
def stacks(draw: st.DrawFn, segments: list[Any], players: int) -> list[dict[str, int]]:
    """Stones of each player: whole segments in capitals, and single fields."""
    found: list[dict[str, int]] = [{} for _ in range(players)]
    seats = st.none() | st.integers(0, players - 1)
    stones = st.integers(-3, 5)
    for segment in segments:
        owner = draw(seats)
        if isinstance(segment, str) and owner is not None:
            found[owner][segment] = draw(stones)
            segment = [segment.lower()]  # which that player may have on its own
        elif isinstance(segment, str):
            continue
        for name in segment:
            holder = draw(st.sampled_from([owner, None])) if segment[0] != name else owner
            if holder is not None:
                found[holder][name] = draw(stones)
    return found


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A match before its first turn, with all that a document may have."""
    segments = draw(boards())
    players = draw(st.integers(2, 6))
    found: dict[str, Any] = {
        "format": "Atlantis transcript",
        "version": "1.0",
        "segments": segments,
        "players": [
            {**draw(extra_keys("name", "stacks")), "name": draw(texts), "stacks": own}
            for own in draw(stacks(segments, players))
        ],
        "events": [
            {**draw(extra_keys("type", "user", "time", "message")), "type": "chat"}
            | {"user": draw(texts), "time": draw(dates), "message": draw(texts)}
            for _ in range(draw(st.integers(0, 2)))
        ],
    }
    notes = {"user": texts, "begin": dates, "end": dates, "seed": st.integers(0, 2**64 - 1)}
    for key, strategy in notes.items():
        if draw(st.booleans()):
            found[key] = draw(strategy)
    return {**draw(extra_keys()), **found}
