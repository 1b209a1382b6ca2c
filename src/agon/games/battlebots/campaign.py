"""A campaign: the orders of this turn, and what single forts are to do in the next few.

A fort that waits gives no orders until its turn has come; then it sends all that it has by one
lane. So armies from several forts, near and far, reach one target in the same turn. All other
forts go by the rules of the play-out from the next turn on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.battlebots.greedy import NO_LANE
from agon.kernel import IntArray, Record, as_int, kernel

if TYPE_CHECKING:
    from agon.games.battlebots.board import Tier

GREEDY, MARCHING = 0, 1  # by which rules forts go on


def campaign_dtype(tier: Tier) -> np.dtype[Any]:
    """The record of a campaign: of one seat, or of all the others together."""
    return np.dtype(
        [
            ("orders", np.int32, (2 * tier.roads,)),  # per lane, the soldiers that leave now
            ("wait", np.int32, (tier.forts,)),  # turns until the fort sends all; 0: it goes on
            ("lane", np.int32, (tier.forts,)),  # by which it sends them then; or NO_LANE
            ("rules", np.int32),  # GREEDY or MARCHING
        ],
        align=True,
    )


@kernel
def copy_campaign(setup: Record, campaign: Record, copy: Record) -> None:
    """Copy what the map needs."""
    for lane in range(2 * as_int(setup.roads)):
        copy.orders[lane] = campaign.orders[lane]
    for fort in range(as_int(setup.forts)):
        copy.wait[fort] = campaign.wait[fort]
        copy.lane[fort] = campaign.lane[fort]
    copy.rules = campaign.rules


@kernel
def is_same(setup: Record, campaign: Record, other: Record) -> bool:
    """Whether two campaigns of a seat are the same."""
    for lane in range(2 * as_int(setup.roads)):
        if as_int(campaign.orders[lane]) != as_int(other.orders[lane]):
            return False
    for fort in range(as_int(setup.forts)):
        if as_int(campaign.wait[fort]) != as_int(other.wait[fort]):
            return False
        if as_int(campaign.lane[fort]) != as_int(other.lane[fort]):
            return False
    return True


@kernel
def clear_campaign(setup: Record, campaign: Record) -> None:
    """No orders, and nothing planned."""
    for lane in range(2 * as_int(setup.roads)):
        campaign.orders[lane] = 0
    for fort in range(as_int(setup.forts)):
        campaign.wait[fort] = 0
        campaign.lane[fort] = NO_LANE
    campaign.rules = MARCHING


@kernel
def recall(setup: Record, campaign: Record, fort: int) -> None:
    """No soldiers leave the fort, and nothing is planned for it."""
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        campaign.orders[as_int(setup.exits[i])] = 0
    campaign.wait[fort] = 0
    campaign.lane[fort] = NO_LANE


@kernel
def send_all(setup: Record, state: Record, campaign: Record, lane: int, wait: int) -> None:
    """All soldiers of a fort leave by this lane, now or after so many turns."""
    fort = as_int(setup.origin[lane])
    recall(setup, campaign, fort)
    if wait == 0:
        campaign.orders[lane] = state.garrison[fort]
    else:
        campaign.wait[fort] = wait
        campaign.lane[fort] = lane


@kernel
def copy_to(setups: IntArray, campaigns: IntArray, i: int, others: IntArray, j: int) -> None:
    """Copy a campaign into another array."""
    copy_campaign(setups[0], campaigns[i], others[j])


@kernel
def take_over(
    setups: IntArray, states: IntArray, best: IntArray, replies: IntArray, i: int, seat: int
) -> None:
    """Put what a seat does in its best campaign into a reply."""
    setup, owner, campaign, reply = setups[0], states[0].owner, best[0], replies[i]
    for lane in range(2 * as_int(setup.roads)):
        if as_int(owner[as_int(setup.origin[lane])]) == seat:
            reply.orders[lane] = campaign.orders[lane]
    for fort in range(as_int(setup.forts)):
        if as_int(owner[fort]) == seat:
            reply.wait[fort] = campaign.wait[fort]
            reply.lane[fort] = campaign.lane[fort]
