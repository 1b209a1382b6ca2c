"""MebiPenny: claim cells, join armies, turn them over. The rules and their numbers: README.md."""
