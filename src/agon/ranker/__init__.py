"""The ranker: who plays whom, and how strong each bot is, with error bars.

Everything here is a function of plain results (`result.Result`); nothing prints, stores, starts a
process or looks at a clock. Tables: `table` over `bradley_terry` (two seats) and `plackett_luce`
(more); a second opinion on their intervals: `bootstrap`. Ratings after each match: `live_ratings`.
Is the new version better: `sprt`. Schedules: `formats` over `pairing`, `swiss`, `knockout`,
`ladder`.
"""
