"""Search: campaigns are tried by playing them out against what the others may do.

1. To begin with, the others go by simple rules, or are greedy: two replies. The own campaign is the
   better of two: go by the rules, or go on with what the last turn planned. It is improved fort by
   fort (`climb.py`) against both replies together.
2. Then each of the others is searched for in the same way, for what it would do best against the
   own campaign, or against the rules. That is one more reply.
3. The own campaign is improved against all replies, and so on from 2. The latest replies count.

`Search.think` yields after each slice of work; `Search.orders` is the turn to play at any time, and
`Search.campaign` what it is a part of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.battlebots.board import MOST_SEATS, NEUTRAL
from agon.games.battlebots.campaign import copy_to, take_over
from agon.games.battlebots.climb import Climb, Records
from agon.games.battlebots.evaluate import order_now
from agon.games.battlebots.options import carry_on, greed_now, march_now
from agon.games.battlebots.rules import play_turn
from agon.kernel import kernel, new_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.battlebots.belief import Belief, Planned
    from agon.kernel import IntArray, Record

BY_RULES, BY_GREED = 0, 1  # the replies that are always there
FIRST_REPLIES = 2
MOST_REPLIES = 6
ALL_SEATS = (1 << MOST_SEATS) - 1
ROUNDS = 2  # of the others


@kernel
def play_believed(
    setups: IntArray,
    states: IntArray,
    works: IntArray,
    campaigns: IntArray,
    replies: IntArray,
    seat: int,
) -> None:
    """Play the seat's orders, and what the others may have ordered."""
    setup, state, work = setups[0], states[0], works[0]
    order_now(setup, state, work.orders, campaigns[0], replies[0], seat)
    play_turn(setup, state, work)


class Search:
    """The search for one turn."""

    def __init__(self, belief: Belief, planned: Planned) -> None:
        """Nothing is searched yet: the best turn is the pass."""
        self._seat = belief.seat
        self._records = Records(belief)
        self._before = new_array(self._records.campaign)
        belief.write_planned(planned, self._before[0])
        self._own = Climb(self._records, belief.seat, MOST_REPLIES)

    @property
    def campaign(self) -> Record:
        """The best one so far."""
        return self._own.best[0]

    @property
    def orders(self) -> IntArray:
        """The best turn so far, by lane."""
        orders: IntArray = self.campaign["orders"]
        return orders

    @property
    def replies(self) -> IntArray:
        """What the others may do."""
        replies: IntArray = self._own.replies[: self._own.count]
        return replies

    def think(self, depth: int) -> Iterator[None]:
        """Search: with so many rounds, and one reply of the others less than that."""
        own, others = self._own, ALL_SEATS & ~(1 << self._seat)
        self._march(own.best, 0, 1 << self._seat)
        self._march(own.replies, BY_RULES, others)
        greed_now(self._records.setup, self._records.state, own.replies, BY_GREED, others)
        own.count = FIRST_REPLIES
        own.compile()  # on the first turn, however little time is left
        yield
        yield from own.begin(self._list_starts())
        yield from own.improve(depth)
        for reply in range(depth - 1):
            slot = FIRST_REPLIES + reply % (MOST_REPLIES - FIRST_REPLIES)
            yield from self._search_reply(slot)
            own.count = max(own.count, slot + 1)
            yield from own.begin_again()
            yield from own.improve(depth)

    def play(self) -> None:
        """Play the turn on the field of the belief."""
        records = self._records
        play_believed(
            *(records.setup, records.state, records.work),
            *(self._own.best, self._own.replies, self._seat),
        )

    def _list_starts(self) -> int:
        """Make the first options; returns how many."""
        setup, options = self._records.setup, self._own.options
        copy_to(setup, self._own.best, 0, options, 0)
        copy_to(setup, self._own.best, 0, options, 1)
        carry_on(setup, self._records.state, self._before, options, 1, self._seat)
        return 2

    def _search_reply(self, slot: int) -> Iterator[None]:
        """What each of the others would do best by itself makes the reply."""
        setup, state = self._records.setup, self._records.state
        replies = self._own.replies
        owners = set(state[0]["owner"][: int(setup[0]["forts"])].tolist())
        campaigns = []
        for seat in sorted(owners - {self._seat, NEUTRAL}):
            other = Climb(self._records, seat, FIRST_REPLIES)
            self._march(other.options, 0, 1 << seat)
            self._march(other.replies, 0, ALL_SEATS)
            self._march(other.replies, 1, ALL_SEATS)
            take_over(setup, state, self._own.best, other.replies, 1, self._seat)
            other.count = FIRST_REPLIES
            yield from other.begin(1)
            yield from other.improve(ROUNDS)
            campaigns.append(other)
        self._march(replies, slot, ALL_SEATS & ~(1 << self._seat))
        for other in campaigns:
            take_over(setup, state, other.best, replies, slot, other.seat)

    def _march(self, campaigns: IntArray, i: int, seats: int) -> None:
        """Let these seats, a bit for each, go by the rules."""
        march_now(self._records.setup, self._records.state, self._records.now, campaigns, i, seats)
