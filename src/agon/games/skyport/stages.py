"""A turn told step by step: a stage for each action, and for shots their flight and what they hit.

move right-up
mortar 2,-1                the shell is in the air
Blue loses 20 and dies     no robot looks dead yet
Blue is dead
Green is back              the position after the turn
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from agon.games.skyport import board, rules
from agon.games.skyport.notation import format_action
from agon.games.skyport.turn_words import (
    COLOURS,
    describe_deed,
    describe_impact,
    describe_penalties,
    find_returned,
    is_shot,
)
from agon.kernel import new_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agon.games.skyport.move import Turn
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Deed
    from agon.kernel import Record


class Phase(Enum):
    """How far the last deed of a stage has come."""

    FLIGHT = "flight"
    """A shot is under way; no robot is hit yet."""
    HIT = "hit"
    """It hits; who dies of it stands for a moment longer."""
    DONE = "done"
    """All of it has happened."""
    CHARGED = "charged"
    """And the turn is over, with its penalties."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a stage shows of the last of its deeds."""

    phase: Phase
    walked: int = 0
    """The steps that a droid in flight has behind it."""


def turn_stages(
    position: SkyportPosition, setup: Record, turns: Mapping[int, Turn]
) -> Sequence[tuple[str, SkyportPosition]]:
    """The stages of a turn with their captions; the last is the position after it."""
    after = position.play(turns)
    if not position.turn:
        return (("weapons", after),)
    state, work = position.copy_state(), new_record(board.WORK)
    found: list[tuple[str, SkyportPosition]] = []

    def show(caption: str, deeds: tuple[Deed, ...], moment: Moment) -> None:
        found.append((caption, position.stage(state, turns, deeds, moment)))

    rules.begin_turn(work)
    for slot, deed in enumerate(after.deeds):
        told = after.deeds[: slot + 1]
        for caption, moment in _flight(deed):
            show(caption, told, moment)
        work["actions"][slot] = deed.action.code
        rules.take_action(setup, state, work, slot)
        for caption, moment in _effects(after, deed):
            show(caption, told, moment)
    rules.charge_penalties(state, work)
    if told_penalties := describe_penalties(after):
        show(told_penalties, after.deeds, Moment(Phase.CHARGED))
    returned = find_returned(state["health"].tolist(), after)
    return (*found, (_last_caption(after, returned), after))


def _flight(deed: Deed) -> Iterator[tuple[str, Moment]]:
    """A ray or a shell is one stage, a droid has one for each of its steps."""
    if not is_shot(deed):
        return
    yield format_action(deed.action), Moment(Phase.FLIGHT)
    if deed.action.kind == board.DROID:
        for step in range(1, deed.walked + 1):
            yield f"step {step} of the droid", Moment(Phase.FLIGHT, step)


def _effects(position: SkyportPosition, deed: Deed) -> Iterator[tuple[str, Moment]]:
    """What comes of an action."""
    if not is_shot(deed):
        yield describe_deed(position, deed), Moment(Phase.DONE)
        return
    yield describe_impact(position, deed), Moment(Phase.HIT)
    killed = [hit.seat for hit in deed.hits if hit.is_fatal]
    if killed:
        yield _tell(killed, "dead"), Moment(Phase.DONE)


def _tell(seats: Sequence[int], state: str) -> str:
    names = " and ".join(COLOURS.full(seat) for seat in seats)
    return f"{names} {'is' if len(seats) == 1 else 'are'} {state}"


def _last_caption(after: SkyportPosition, returned: Sequence[int]) -> str:
    if returned:
        return _tell(returned, "back")
    return "the match is over" if after.outcome else "the turn is over"
