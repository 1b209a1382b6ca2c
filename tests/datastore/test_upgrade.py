"""The tables: made by migrations, the same as the schema, and opened only if we know them."""

from __future__ import annotations

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from agon.datastore import Store, upgrade_store
from agon.datastore.schema import REVISION, VERSION_TABLE, metadata
from agon.datastore.upgrade import MIGRATIONS, read_revision, schema_differences
from agon.errors import DatastoreError


def run_sql(store: Store, *statements: str) -> None:
    store.database.write(lambda c: [c.execute(text(statement)) for statement in statements])


def set_revision(store: Store, revision: str) -> None:
    run_sql(store, f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'")  # noqa: S608


def test_the_migrated_tables_are_those_of_the_schema(empty_place: str) -> None:
    with Store.open(empty_place) as store:
        with store.database.read() as connection:
            assert schema_differences(connection) == []
        assert read_revision(store.database) == REVISION


@pytest.mark.parametrize(
    "change",
    [
        "DROP INDEX uq_matches_finished_fixture",
        "ALTER TABLE users ADD COLUMN shoe_size INTEGER",
        "DROP TABLE ratings",
    ],
)
def test_a_difference_would_be_seen(own_store: Store, change: str) -> None:
    run_sql(own_store, change)
    with own_store.database.read() as connection:
        assert len(schema_differences(connection)) >= 1


def test_revisions_are_numbered_in_a_line_up_to_the_one_that_the_code_names() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    revisions = [revision.revision for revision in script.walk_revisions()][::-1]
    assert revisions == [f"{n:04}" for n in range(1, len(revisions) + 1)]
    assert script.get_heads() == [REVISION]


def test_the_upgrade_says_what_it_did(empty_place: str) -> None:
    assert upgrade_store(empty_place) == (None, REVISION)
    assert upgrade_store(empty_place) == (REVISION, REVISION)


def test_a_store_that_is_not_upgraded_says_how(own_store: Store) -> None:
    set_revision(own_store, "0000")
    place = own_store.database.url.render_as_string(hide_password=False)
    with pytest.raises(DatastoreError, match=r"revision 0000.* run `agon db upgrade`"):
        Store.open(place)


@pytest.mark.parametrize("revision", ["9999", "f00d"])
def test_a_newer_store_says_so(own_store: Store, revision: str) -> None:
    set_revision(own_store, revision)
    place = own_store.database.url.render_as_string(hide_password=False)
    for action in (Store.open, upgrade_store):
        with pytest.raises(DatastoreError, match=f"revision {revision}.* a newer Agon wrote it"):
            action(place)


def test_a_database_of_another_program_is_left_alone(own_store: Store) -> None:
    for table in (VERSION_TABLE, *[table.name for table in reversed(metadata.sorted_tables)]):
        run_sql(own_store, f"DROP TABLE {table}")
    run_sql(own_store, "CREATE TABLE recipes (id INTEGER)")
    place = own_store.database.url.render_as_string(hide_password=False)
    for action in (Store.open, upgrade_store):
        with pytest.raises(DatastoreError, match="tables such as 'recipes' and no revision"):
            action(place)


def test_nothing_is_made_unless_asked_for(empty_place: str) -> None:
    with pytest.raises(DatastoreError, match="there is none; `agon db upgrade` makes one"):
        Store.open(empty_place, create=False)
