"""What a Hive bot must cope with, and opponents who see to it that it comes about.

None of them plays to win: they end a match only if there is no other move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.check_opponents import Situation
from agon.games.hive.game import HiveOptions
from agon.games.hive.move import PASS
from agon.games.hive.position import HivePosition
from agon.games.hive.tile import Kind
from agon.games.random_bot import Chance, RandomBot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.bot import Budget
    from agon.games.game import Options, Position
    from agon.games.hive.move import Move

LONG = 250  # turns
WIDTH = 40  # moves that an opponent who thinks longer looks at
ENDED = 10**6  # worse than all else


class ScoringOpponent:
    """Takes the move after which its `dislike` is least; chance decides between equals."""

    def __init__(self, seed: int) -> None:
        self.below = Chance(seed).below

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        hive = HivePosition.of(position)
        moves = self.candidates(hive)
        scores = [(self.dislike(hive, move), self.below(1 << 20)) for move in moves]
        return moves[scores.index(min(scores))]

    def candidates(self, hive: HivePosition) -> Sequence[Move]:
        """The moves that it looks at."""
        return hive.moves

    def dislike(self, hive: HivePosition, move: Move) -> int:
        """How far the move leads away from the situation."""
        raise NotImplementedError


class Strangler(ScoringOpponent):
    """Leaves the other side as few moves as it can, until it has to pass."""

    def dislike(self, hive: HivePosition, move: Move) -> int:
        """How many replies there are."""
        after = hive.play_move(move)
        if after.outcome:
            return ENDED
        return 0 if after.moves == (PASS,) else len(after.moves)


class Hermit(ScoringOpponent):
    """Has its queen early, then places nothing more if it can help it, and hides: it will pass."""

    def candidates(self, hive: HivePosition) -> Sequence[Move]:
        """Moves on the board first, and not more than it can think about."""
        walks = [move for move in hive.moves if not is_placement(move)]
        moves = walks if walks and hive.turn >= 4 else list(hive.moves)
        queen = [move for move in moves if is_placement(move) and is_kind(hive, move, Kind.QUEEN)]
        moves = queen or moves
        while len(moves) > WIDTH:
            moves.pop(self.below(len(moves)))
        return moves

    def dislike(self, hive: HivePosition, move: Move) -> int:
        """How many moves it has itself after a reply by chance."""
        after = hive.play_move(move)
        if after.outcome:
            return ENDED
        total = 0
        for _ in range(2):
            later = after.play_move(after.moves[self.below(len(after.moves))])
            total += len(later.moves) if later.outcome is None else ENDED
        return total


class Climber(ScoringOpponent):
    """Brings its queen and its beetles to the board, and climbs onto whatever it reaches."""

    def dislike(self, hive: HivePosition, move: Move) -> int:
        """Climbing onto the other side is best, then climbing, then beetles, then the queen."""
        if move == PASS or hive.play_move(move).outcome:
            return ENDED
        below = hive.stacks.get(hive.target_of(move))
        if below:
            return 0 if below[-1].side != hive.side_to_move else 1
        if is_placement(move) and is_kind(hive, move, Kind.QUEEN):
            return 2
        return 3 if is_kind(hive, move, Kind.BEETLE) else 4


class Thrower(ScoringOpponent):
    """Brings its pillbug beside the other side's tiles, and throws them."""

    def dislike(self, hive: HivePosition, move: Move) -> int:
        """Throwing is best, then the queen and the pillbug."""
        if move == PASS or hive.play_move(move).outcome:
            return ENDED
        if not is_placement(move) and hive.tile_of(move).side != hive.side_to_move:
            return 0
        if is_placement(move) and is_kind(hive, move, Kind.QUEEN, Kind.PILLBUG):
            return 1
        return 2 if is_kind(hive, move, Kind.PILLBUG) else 3


class QueenFirst(ScoringOpponent):
    """Begins with its queen, then plays by chance."""

    def dislike(self, hive: HivePosition, move: Move) -> int:
        """Everything but the queen."""
        return int(not (is_placement(move) and is_kind(hive, move, Kind.QUEEN)))


def is_placement(move: Move) -> bool:
    """Whether the move's tile comes from the hand."""
    return move != PASS and bool(move >> 15)


def is_kind(hive: HivePosition, move: Move, *kinds: Kind) -> bool:
    """Whether the move's tile is of one of these kinds."""
    return move != PASS and hive.tile_of(move).kind in kinds


def must_pass(position: Position[Any], seat: int) -> bool:
    """The bot has no move."""
    hive = HivePosition.of(position)
    return hive.to_act == (seat,) and hive.moves == (PASS,)


def other_must_pass(position: Position[Any], seat: int) -> bool:
    """The other side has no move."""
    return must_pass(position, 1 - seat)


def is_covered(position: Position[Any], seat: int) -> bool:
    """The other side lies on top of a tile of the bot's."""
    stacks = HivePosition.of(position).stacks.values()
    return any(s[-1].side != seat and any(tile.side == seat for tile in s) for s in stacks)


def is_long(position: Position[Any], seat: int) -> bool:
    """The match has gone on for longer than most do."""
    return HivePosition.of(position).turn >= LONG


def is_thrown(position: Position[Any], seat: int) -> bool:
    """A tile of the bot's was thrown on the last turn."""
    hive = HivePosition.of(position)
    last = hive.last_move
    return last is not None and last.tile.side == seat and hive.side_to_move == seat


def other_began_with_queen(position: Position[Any], seat: int) -> bool:
    """The other side's first tile is its queen."""
    hive = HivePosition.of(position)
    return hive.turn == 2 - seat and any(
        tile.side != seat and tile.kind is Kind.QUEEN for tile in hive.places
    )


def has_expansion(letter: str) -> Callable[[Options], bool]:
    """Whether a variant has the tile in it."""
    return lambda options: letter in HiveOptions.of(options).variant.partition("+")[2]


def allows_queen_first(options: Options) -> bool:
    """Whether a match may begin with a queen."""
    return HiveOptions.of(options).queen_first


SITUATIONS = (
    Situation(
        "a forced pass",
        "A side without any legal move answers `pass`; otherwise `pass` is illegal.",
        Strangler,
        must_pass,
        {"repetition": "off"},
    ),
    Situation(
        "an opponent who must pass",
        "The other side's turn may be `pass`: the board stays, and it is your turn.",
        Hermit,
        other_must_pass,
        {"repetition": "off"},
    ),
    Situation(
        "covered tiles",
        "Keep a stack of tiles for each cell. `wB1=*bQ1` puts wB1 on top of bQ1; a covered tile"
        " does not move, and of a stack only the top tile counts for placing.",
        Climber,
        is_covered,
    ),
    Situation(
        "a very long match",
        "Tiles run out and the hive wanders: let no list, board or search grow with the match.",
        RandomBot,
        is_long,
        {"repetition": "off"},
    ),
    Situation(
        "a queen as the first tile",
        "With queen_first=on either side may begin with its queen.",
        QueenFirst,
        other_began_with_queen,
        can_occur=allows_queen_first,
    ),
    Situation(
        "thrown tiles",
        "A move may name a tile of yours: the other side's pillbug threw it. It does not move on"
        " the turn that follows.",
        Thrower,
        is_thrown,
        {"repetition": "off"},
        can_occur=has_expansion("P"),
    ),
)
"""What `agon bot check` tries, in this order."""
