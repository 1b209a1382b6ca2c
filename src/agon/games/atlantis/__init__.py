"""Atlantis: hold land that nobody can sink. The rules and their numbers stand in README.md."""
