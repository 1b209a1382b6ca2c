"""The games' own network servers."""
