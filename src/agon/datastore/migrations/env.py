"""Alembic runs this module to migrate; the connection, in its transaction, is passed in."""

from __future__ import annotations

from alembic import context

from agon.datastore.schema import VERSION_TABLE


def run() -> None:
    """Run the migrations inside the transaction that the caller has begun."""
    context.configure(
        connection=context.config.attributes["connection"],
        version_table=VERSION_TABLE,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name that Alembic gives it; a plain import does nothing
    run()
