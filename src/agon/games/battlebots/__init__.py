"""Battlebots: forts, roads and armies in the fog. The rules and their numbers are in README.md."""
