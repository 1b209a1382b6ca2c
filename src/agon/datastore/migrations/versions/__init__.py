"""The migrations, one module a revision, numbered; a revision that is released never changes."""
