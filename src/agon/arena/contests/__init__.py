"""Contests under way: terms, line-up, schedule and standing."""
