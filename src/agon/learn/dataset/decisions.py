"""The decisions of a match, each with what its seat knew and might have done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.errors import IllegalMoveError
from agon.learn.policy import TurnByDecisions
from agon.match.transcript import TurnEvent, replay

if TYPE_CHECKING:
    from agon.games.game import Game, Position
    from agon.games.learning import Learning
    from agon.kernel import IntArray
    from agon.match.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat."""

    event: int
    """The number of the event that it is a part of."""
    seat: int
    observation: IntArray
    legal: IntArray
    action: int


class DecisionFinder:
    """Finds the decisions of matches of one game whose numbers all mean the same."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.learning: Learning | None = None
        """Of the first match."""
        self.left_out = 0
        """Turns that are made of no decisions, such as those with an action that was refused."""
        self.matches_left_out = 0
        """Matches whose numbers mean something else, as on another map."""

    def find(self, transcript: Transcript) -> list[Decision]:
        """The decisions of a match, in order; none if its numbers mean something else.

        Raises TranscriptError if the match does not fit the rules.
        """
        found: list[Decision] = []
        learning: Learning | None = None
        left_out = 0
        before: Position[Any] | None = None
        number = -1
        for event, position in replay(transcript):
            if before is None:
                learning = self._learning_of(position)
            elif learning is not None and isinstance(event, TurnEvent):
                for seat, text in event.turns.items():
                    if seat not in before.forced:
                        turn = before.parse_turn(seat, text)
                        decided = decide(learning, before, seat, turn, number)
                        left_out += not decided
                        found += decided
            before, number = position, number + 1
        self.left_out += left_out
        self.matches_left_out += learning is None
        return found

    def _learning_of(self, start: Position[Any]) -> Learning | None:
        """That of the match, if its numbers mean the same as those of the first one."""
        learning = self._game.learning_of(start)
        if learning.seats != start.seats:
            return None
        self.learning = self.learning or learning
        is_same = learning.setup.tobytes() == self.learning.setup.tobytes()
        return learning if is_same else None


def decide(
    learning: Learning, position: Position[Any], seat: int, turn: Any, event: int
) -> list[Decision]:
    """The decisions that make this turn of that event; none if it cannot be made so."""
    draft = TurnByDecisions(learning, position, seat)
    found = []
    made = None
    for action in learning.actions_of(position, seat, turn) or ():
        seen, legal = draft.observe(), draft.legal_actions()
        try:
            made = draft.decide(action)
        except IllegalMoveError:
            return []
        found.append(Decision(event, seat, seen, legal, action))
    return [] if made is None else found
