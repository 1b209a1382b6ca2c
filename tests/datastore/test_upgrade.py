"""The tables: made by migrations, the same as the schema, and opened only if we know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from agon.datastore import NewBot, Store, upgrade_store
from agon.datastore.check import check_database
from agon.datastore.schema import REVISION, VERSION_TABLE, metadata
from agon.datastore.store import open_database
from agon.datastore.upgrade import MIGRATIONS, read_revision, schema_differences
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from sqlalchemy import Connection


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


def test_a_database_of_somebody_else_is_left_alone(own_store: Store) -> None:
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


FIRST_ROWS = (
    "INSERT INTO users (id, name, password_hash, organiser, created_ns)"
    " VALUES (1, 'Ada', 'hash', {true}, 5), (2, 'ß', '', {false}, 6)",
    "INSERT INTO tokens (id, user_id, name, digest, created_ns) VALUES (1, 1, 'laptop', 'd', 7)",
    "INSERT INTO bots (id, owner_id, built_in, game, name, created_ns)"
    " VALUES (1, 1, {false}, 'hive', 'crawler', 8), (2, NULL, {true}, 'hive', 'random', 9)",
)


def make_first_revision(place: str, *statements: str) -> None:
    """A store as the first version of Agon made it, with rows in it."""
    database = open_database(place)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    true, false = ("1", "0") if database.is_sqlite else ("true", "false")

    def work(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for statement in statements:
            connection.execute(text(statement.format(true=true, false=false)))

    database.write(work)
    database.close()


def test_a_store_of_the_first_revision_keeps_its_rows(empty_place: str) -> None:
    make_first_revision(empty_place, *FIRST_ROWS)
    assert upgrade_store(empty_place) == ("0001", REVISION)
    with Store.open(empty_place) as store:
        assert check_database(store.database) == []
        ada, bob = store.users.find("ada"), store.users.find("SS")
        assert ada
        assert bob
        assert (ada.name, ada.organiser, ada.removed_ns) == ("Ada", True, None)
        assert not ada.password_is_temporary
        assert bob.name == "ß"
        assert [token.name for token in store.tokens.of_user(ada.id)] == ["laptop"]
        assert [bot.name for bot in store.bots.all(owner_id=ada.id)] == ["crawler"]
        with pytest.raises(TakenError):
            store.bots.add(NewBot("hive", "random", 10, built_in=True))


def test_names_that_become_the_same_stop_the_upgrade(empty_place: str) -> None:
    other = "INSERT INTO users (id, name, password_hash, organiser, created_ns)"
    make_first_revision(empty_place, *FIRST_ROWS, other + " VALUES (9, 'aDA', '', {false}, 7)")
    with pytest.raises(DatastoreError, match="users 'Ada' and 'aDA': their names differ in case"):
        upgrade_store(empty_place)
    database = open_database(empty_place)
    assert read_revision(database) == "0001"
    database.close()
