"""Stored matches for spectators."""
