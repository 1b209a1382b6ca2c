"""One match without input and output: what is owed, what has happened, how it ended.

`match.Match` is driven by everything that plays: the arbiter, people's boards, the games' servers.
`transcript` has the events, their text and their replay.
"""
