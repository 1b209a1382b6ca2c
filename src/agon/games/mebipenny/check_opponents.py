"""What a MebiPenny bot must cope with, and opponents who see to it that it comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.check_opponents import Idler, Situation
from agon.games.mebipenny.bots import GreedyBot
from agon.games.mebipenny.move import PASS
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.random_bot import RandomBot

if TYPE_CHECKING:
    from agon.games.game import Position

LONG = 150  # turns
SOME_TURNS = 20
FALLEN = 3  # claims


class Passer(Idler):
    """Passes, always."""

    turn = PASS


def other_passed(position: Position[Any], seat: int) -> bool:
    """The turn before the bot's was a pass."""
    return position.to_act == (seat,) and MebiPennyPosition.of(position).move == PASS


def has_empty_hand(position: Position[Any], seat: int) -> bool:
    """R10: the bot is asked, and has nothing to play."""
    return position.to_act == (seat,) and not MebiPennyPosition.of(position).hands[seat]


def can_tie(position: Position[Any], seat: int) -> bool:
    """R8: the bot is asked, and some tile of its hand would make a tie."""
    penny = MebiPennyPosition.of(position)
    return penny.to_act == (seat,) and any(map(penny.tied_seats, penny.hands[seat]))


def has_lost_an_army(position: Position[Any], seat: int) -> bool:
    """R7: the turn before the bot's took several claims from it, which is one of two players."""
    penny = MebiPennyPosition.of(position)
    captured = penny.captured
    if penny.to_act != (seat,) or len(captured) < FALLEN:
        return False
    return bool(penny.owners[captured[0]] != seat)


def is_under_way(position: Position[Any], seat: int) -> bool:
    """Some turns have been played."""
    return MebiPennyPosition.of(position).turn >= SOME_TURNS


def is_long(position: Position[Any], seat: int) -> bool:
    """The match has gone on for longer than most do."""
    return MebiPennyPosition.of(position).turn >= LONG


SITUATIONS = (
    Situation(
        "an opponent who passes",
        "A Delta may hold no claim but your own last one. Go on, or answer the text"
        ' "PASS", in quotes: a pass right after a pass of all others ends the match.',
        Passer,
        other_passed,
    ),
    Situation(
        "a tie",
        "In a tie the move goes to you without `favor`. With it, name the id of a player who is in"
        " the tie.",
        RandomBot,
        can_tie,
    ),
    Situation(
        "the loss of an army",
        "The claims of a Delta may be ones that you know, with another owner: replace them.",
        GreedyBot,
        has_lost_an_army,
    ),
    Situation(
        "an empty hand",
        'When the pile and your hand are empty you are still asked: answer "PASS". Play no tile'
        " that is not in the hand of the last object about you.",
        Passer,
        has_empty_hand,
        {"rows": "3", "cols": "4", "seed_coverage": "0"},
    ),
    Situation(
        "walls",
        "A Claim whose owner is null is a wall: it belongs to no player and joins nothing.",
        GreedyBot,
        is_under_way,
        {"rows": "15", "cols": "15", "seed_coverage": "0.4"},
    ),
    Situation(
        "a board that is not square",
        "Take rows and cols from the Game, and do not mix them up.",
        GreedyBot,
        is_under_way,
        {"rows": "5", "cols": "40", "seed_coverage": "0"},
    ),
    Situation(
        "a very long match",
        "Matches can go on for hundreds of turns: keep the board up to date from Deltas, and let"
        " no list or search grow with them.",
        Passer,
        is_long,
        {"rows": "24", "cols": "24", "seed_coverage": "0"},
    ),
)
"""What `agon bot check` tries, in this order."""
