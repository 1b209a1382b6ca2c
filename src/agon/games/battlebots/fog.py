"""R13 for kernels: which forts and roads a seat sees. `sight.py` says the same in names."""

from __future__ import annotations

from agon.kernel import Record, as_int, inlined, kernel

UNSEEN, SEEN, OWN = range(3)
"""What a fort is to the seat that looks."""


@kernel
def look_around(setup: Record, state: Record, work: Record, seat: int) -> None:
    """R13: fill `work.seen`: the own forts, and those that are joined to them by a road."""
    seen = work.seen
    forts = as_int(setup.forts)
    for fort in range(forts):
        seen[fort] = UNSEEN
    for fort in range(forts):
        if as_int(state.owner[fort]) == seat:
            seen[fort] = OWN
            for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
                neighbour = as_int(setup.origin[as_int(setup.exits[i]) ^ 1])
                if as_int(seen[neighbour]) == UNSEEN:
                    seen[neighbour] = SEEN


@inlined
def sees_road(one: int, other: int, own_roads: int) -> bool:
    """R13: whether a road is seen, from what the forts at its ends are."""
    if own_roads == 1:
        return one == OWN or other == OWN
    return one != UNSEEN and other != UNSEEN
