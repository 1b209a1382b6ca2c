"""Atlantis: hold land that no other player can sink. Rules and their numbers: README.md."""
