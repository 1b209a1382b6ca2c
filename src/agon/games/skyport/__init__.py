"""Skyport: mine, upgrade and shoot on a rhombus of hexes. README.md has the rules by number."""
