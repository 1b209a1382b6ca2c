"""Accounts of people: who somebody is, how they prove it, and what they may do."""
