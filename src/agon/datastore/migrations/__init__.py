"""Alembic's environment: how the tables came to be what the schema module says."""
