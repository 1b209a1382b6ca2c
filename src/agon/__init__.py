"""Agon: an arena for game-playing bots."""
