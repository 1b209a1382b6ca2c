"""Odd values come back as they were, or are refused by both databases in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agon.datastore import NewBot, NewFile, NewVersion, Rating
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, add_versions, make_match, rate

if TYPE_CHECKING:
    from agon.datastore import Store

# One store for all examples of a test: they do not get in each other's way.
several = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
names = texts.filter(lambda text: 1 <= len(text) <= 200)
numbers = st.integers(-(2**63), 2**63 - 1)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@several
@given(name=names, words=texts)
def test_texts(store: Store, name: str, words: str) -> None:
    bot = store.bots.ensure(NewBot("hive", name, NOON))
    assert store.bots.find("hive", name) == bot
    assert bot.name == name
    version = store.versions.add(bot.id, NewVersion(NOON, label=words, run=words))
    assert (version.label, store.versions.get(version.id).run) == (words, words)


@several
@given(
    seed=numbers,
    scores=st.lists(numbers, min_size=1, max_size=6),
    options=st.dictionaries(st.text(), json_values),
    transcript=st.binary(max_size=500),
    mu=st.floats(allow_nan=False, allow_infinity=False),
)
def test_matches(
    store: Store,
    seed: int,
    scores: list[int],
    options: dict[str, Any],
    transcript: bytes,
    mu: float,
) -> None:
    (version,) = add_versions(store, 1)
    match = make_match(
        [version] * len(scores), tuple(scores), seed=seed, options=options, transcript=transcript
    )
    match = rate(match, *[(Rating(mu, 1.0), Rating(1.0, mu))] * len(scores))
    stored = store.matches.get(store.record_match(match))
    assert (stored.seed, stored.options) == (seed, options)
    assert [seat.score for seat in stored.seats] == scores
    assert {(seat.before, seat.after) for seat in stored.seats} == {
        (Rating(mu, 1.0), Rating(1.0, mu))
    }
    assert store.matches.transcript(stored.id) == transcript


@several
@given(files=st.dictionaries(names, st.binary(max_size=300), max_size=4))
def test_files(store: Store, files: dict[str, bytes]) -> None:
    bot = store.bots.ensure(NewBot("hive", "a", NOON))
    new = NewVersion(NOON, files={path: NewFile(content) for path, content in files.items()})
    try:
        version = store.versions.add(bot.id, new)
    except DatastoreError as error:
        assert "expected a path inside the bot's folder" in str(error)  # noqa: PT017
        return
    stored = {file.path: store.blobs.get(file.sha256) for file in store.versions.files(version.id)}
    assert stored == files


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a\0b", r"text 'a\\x00b': expected no NUL character in it"),
        ("a\ud800", r"text 'a\\ud800': expected text that is Unicode"),
        ("", r"name '' of 0 characters: expected 1 to 200"),
        ("x" * 201, r"name 'x{40}' of 201 characters: expected 1 to 200"),
        (7, "7: expected a text"),
    ],
)
def test_names_that_cannot_be(store: Store, name: Any, told: str) -> None:
    with pytest.raises(DatastoreError, match=told):
        store.users.add(name, "", NOON)
    with pytest.raises(DatastoreError, match=told):
        store.users.find(name)
    assert store.users.all() == []


def test_the_longest_name_fits_the_index(store: Store) -> None:
    name = "🐝" * 200
    store.users.add(name, "", NOON)
    assert store.users.find(name)
    bot = store.bots.add(NewBot(name, name, NOON))
    path = "🐝" * 500
    version = store.versions.add(bot.id, NewVersion(NOON, files={path: NewFile(b"")}))
    assert store.versions.files(version.id)[0].path == path


@pytest.mark.parametrize("moment", [2**63, -(2**63) - 1, 1.0, True, "1"])
def test_times_that_cannot_be(store: Store, moment: Any) -> None:
    with pytest.raises(DatastoreError, match="expected"):
        store.users.add("ada", "", moment)


@pytest.mark.parametrize("moment", [2**63 - 1, -(2**63)])
def test_the_first_and_the_last_moment(store: Store, moment: int) -> None:
    assert store.users.get(store.users.add("ada", "", moment).id).created_ns == moment


def test_options_that_are_nested_too_deeply(store: Store) -> None:
    nest: list[Any] = []
    for _ in range(100_000):
        nest = [nest]
    with pytest.raises(DatastoreError, match="nested too deeply"):
        store.record_match(make_match(add_versions(store), options={"deep": nest}))
