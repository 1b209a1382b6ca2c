"""Hive: surround the other side's queen. The rules and their numbers stand in README.md."""
