"""Matches with people at the board."""
