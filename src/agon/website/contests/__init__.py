"""Organisers' contests: drafted, opened for bots, closed, played as a tournament, published."""
