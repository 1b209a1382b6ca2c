"""Matches under way for spectators."""
