"""Tables tell bots of two users apart that have the same name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from agon.arena.tournament import stored_counts, stored_results
from agon.arena.verify_stored import verify_stored
from agon.arena.version_names import Named, name_versions, version_titles
from agon.datastore import NewBot, NewVersion
from agon.datastore.store import Store
from agon.datastore.transfer import export_lines, import_lines
from agon.games.hive.game import GAME
from agon.ranker.table import make_table, table_of
from tests.cli.process import call_agon
from tests.website.ranked import store_result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        yield opened


def add(store: Store, name: str, owner: str | None, *, built_in: bool = False) -> int:
    """The next version of a bot, of a user who may be new."""
    user = None if owner is None else store.users.find(owner) or store.users.add(owner, "hash", 1)
    new = NewBot("hive", name, 1, None if user is None else user.id, built_in=built_in)
    return store.versions.add(store.bots.ensure(new).id, NewVersion(1)).id


def test_names_that_are_not_shared_are_short(store: Store) -> None:
    add(store, "greedy", None, built_in=True)
    add(store, "crawler", "ada")
    add(store, "crawler", "ada")
    assert list(version_titles(store, "hive").values()) == ["greedy", "crawler@1", "crawler@2"]


def test_a_name_that_two_have_says_whose_it_is(store: Store) -> None:
    ids = [add(store, "crawler", owner) for owner in ("ada", "bob", None)]
    second = add(store, "crawler", "bob")
    assert version_titles(store, "hive") == {
        ids[0]: "ada/crawler@1",
        ids[1]: "bob/crawler@1",
        ids[2]: "crawler@1",
        second: "crawler@2",
    }
    assert name_versions(store, "hive")["bob/crawler@1"] == Named(ids[1], "crawler", 1, "bob")


def test_a_name_that_looks_like_an_owners(store: Store) -> None:
    add(store, "crawler", "ada")
    add(store, "crawler", "bob")
    add(store, "ada/crawler", None)
    titles = list(version_titles(store, "hive").values())
    assert len(set(titles)) == 3, titles


def test_tables_and_head_to_head_keep_them_apart(store: Store) -> None:
    ada, bob = add(store, "crawler", "ada"), add(store, "crawler", "bob")
    for _ in range(3):
        store_result(store, (ada, bob), (2, 0))
    table = make_table(stored_results(store, GAME))
    for options in (None, asdict(GAME.options())):
        assert table_of(stored_counts(store, GAME, options)) == table
    assert table.matches == 3, "no version has played against itself"
    assert [(row.bot, row.wins) for row in table.rows] == [
        ("ada/crawler@1", 3),
        ("bob/crawler@1", 0),
    ]
    assert table.to_json()["head_to_head"]["bob/crawler@1"]["ada/crawler@1"]["losses"] == 3


def test_the_command_line_and_a_copy_of_the_store_show_the_same(
    store: Store, tmp_path: Path
) -> None:
    ada, bob = add(store, "crawler", "ada"), add(store, "crawler", "bob")
    store_result(store, (ada, bob), (2, 0))
    with Store.open(tmp_path / "copy" / "agon.db") as copy:
        import_lines(copy.database, export_lines(store.database))
        assert stored_results(copy, GAME) == stored_results(store, GAME)
    shown = call_agon("rank", "hive", "--data", str(tmp_path / "copy"))
    assert shown.returncode == 0, shown.stderr
    assert "ada/crawler@1" in shown.stdout
    assert "bob/crawler@1" in shown.stdout
    as_json = call_agon("rank", "hive", "--json", "--data", str(tmp_path / "copy"))
    assert f'"version_id": {bob}' in as_json.stdout
    assert '"owner": "bob"' in as_json.stdout


def test_an_audit_says_whose_rating_is_wrong(store: Store) -> None:
    ada, bob = add(store, "crawler", "ada"), add(store, "crawler", "bob")
    store_result(store, (ada, bob), (2, 0))
    found = verify_stored(store, "hive")
    assert found.titles == {ada: "ada/crawler@1", bob: "bob/crawler@1"}
