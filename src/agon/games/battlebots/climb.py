"""Hill climbing: the campaign of one seat is improved fort by fort, against some replies.

For one fort after the other the campaigns of `options.py` are played out, and the best one is kept
if it is better than what there was. After the last fort it begins again, until nothing gets better.

All that takes time is a generator, which yields after each slice of work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.battlebots.campaign import campaign_dtype, copy_to
from agon.games.battlebots.evaluate import HORIZON, NO_BAR, WORSE_THAN_ALL, rate_campaigns
from agon.games.battlebots.marching import plan_dtype
from agon.games.battlebots.options import list_options
from agon.kernel import JIT, new_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.battlebots.belief import Belief

MOST_OPTIONS = 64  # of one fort
SLICE = 120_000 if JIT else 600  # places to look at between two looks at the clock: about 2 ms


class Records:
    """The position, and what play-outs need."""

    def __init__(self, belief: Belief) -> None:
        self.setup, self.state = belief.setup, belief.state
        self.trial = new_array(belief.state.dtype)
        self.work = new_array(belief.work_dtype)
        self.now = new_array(plan_dtype(belief.tier))
        self.later = new_array(plan_dtype(belief.tier))
        self.campaign = campaign_dtype(belief.tier)
        self.play_outs = SLICE // (HORIZON * (1 + int(belief.setup[0]["places"])))  # in a slice


class Climb:
    """The search of one seat for its best campaign."""

    def __init__(self, records: Records, seat: int, replies: int) -> None:
        """The campaign is the pass, and there is room for so many replies."""
        self.seat, self.count = seat, 0  # of replies
        self.best = new_array(records.campaign)
        self.replies = new_array(records.campaign, replies)
        self.options = new_array(records.campaign, MOST_OPTIONS)
        self._records = records
        self._value = WORSE_THAN_ALL
        self._values = np.zeros(MOST_OPTIONS, np.int64)
        self._scores = np.zeros((MOST_OPTIONS, replies), np.int64)
        self._bars = np.full(replies, NO_BAR, np.int64)

    def compile(self) -> None:
        """Do nothing, with all kernels of the search."""
        self._list(0)
        self._rate(0, 0)

    def begin(self, count: int) -> Iterator[None]:
        """Take the best of the first options, whatever there was before."""
        self._value = WORSE_THAN_ALL
        self._bars[:] = NO_BAR
        yield from self._choose_of(count)

    def begin_again(self) -> Iterator[None]:
        """Rate the best again: the replies are others now."""
        copy_to(self._records.setup, self.best, 0, self.options, 0)
        yield from self.begin(1)

    def improve(self, rounds: int) -> Iterator[None]:
        """Improve the campaign, so many times round all forts at most."""
        forts = self._order_of_forts()
        for _ in range(rounds):
            before = self._value
            for fort in forts:
                yield from self._choose_of(self._list(fort))
            if self._value == before:
                break

    def _order_of_forts(self) -> list[int]:
        """Foreign forts, then the own ones; those with the most soldiers first."""
        state, forts = self._records.state[0], range(int(self._records.setup[0]["forts"]))
        own = (state["owner"][: len(forts)] == self.seat).tolist()
        soldiers = state["garrison"][: len(forts)].tolist()
        return sorted(
            (fort for fort in forts if soldiers[fort] or not own[fort]),
            key=lambda fort: (own[fort], -soldiers[fort]),
        )

    def _list(self, fort: int) -> int:
        """Make options that differ at a fort; returns how many."""
        records = self._records
        return int(
            list_options(
                records.setup,
                records.state,
                records.now,
                self.best,
                self.options,
                fort,
                self.seat,
            )
        )

    def _choose_of(self, count: int) -> Iterator[None]:
        """Rate the options, and take the best if it is better than what there is."""
        size = 1 + self._records.play_outs // max(self.count, 1)
        for first in range(0, count, size):
            last = min(first + size, count)
            self._rate(first, last)
            best = first + int(self._values[first:last].argmax())
            if self._values[best] > self._value:
                self._value = int(self._values[best])
                self._bars[:] = self._scores[best]
                copy_to(self._records.setup, self.options, best, self.best, 0)
            yield

    def _rate(self, first: int, last: int) -> None:
        """Rate these of the options."""
        records = self._records
        rate_campaigns(
            *(records.setup, records.state, records.trial, records.work, records.later),
            *(self.best, self.options, self.replies, self._bars, self._scores, self._values),
            *(self.seat, first, last, self.count),
        )
