r"""What engines of the Universal Hive Protocol have to agree on: moves as `validmoves` lists them.

Each case is a game that is loaded and a tile whose moves are all listed. The drawings are those of
`agon show`: brackets mark the tile that moved last, and `*` where it came from.
"""

from __future__ import annotations

from random import Random

import pytest

from agon.errors import IllegalMoveError, NotationError
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.move import PASS
from agon.games.hive.notation import parse_move
from agon.games.hive.tile import Direction, neighbour
from agon.games.hive.uhp_notation import (
    AFTER_TEXTS,
    BEFORE_TEXTS,
    format_uhp_move,
    format_uhp_tile,
    parse_uhp_move,
)
from tests.games.hive.situation import play
from tests.games.hive.test_uhp_engine import STUCK_WHITE, EngineSession


@pytest.fixture
def session() -> EngineSession:
    return EngineSession()


def load(session: EngineSession, game: str) -> None:
    """A game of which only the type and the moves are given."""
    variant, *moves = game.split(";")
    session.line(f"newgame {variant}")
    for move in moves:
        assert session.line(f"play {move}").startswith(f"{variant};"), move


def listed(session: EngineSession, tile: str = "") -> set[str]:
    return {m for m in session.line("validmoves").split(";") if m.startswith(tile)}


#  / \ / \ / \ / \ / \ / \
# |wG1|wQ1|wS1|bS1|bQ1[bA1]
#  \ / \ / \ / \ / \ / \ /
LINE = "Base;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wG1 -wQ;bA1 bQ-"

#        / \ / \
#       |wA1|bB1|
#  / \ / \ / \ / \
# |wG1|wQ1|   |bQ1|
#  \ / \ / \ / \ /
#       |wA2|     *
#        \ / \
#         [bA1]
#          \ /
POCKET = r"Base;wA1;bB1 wA1-;wQ /wA1;bQ bB1\;wA2 wQ\;bA1 bQ\;wG1 -wQ;bA1 wA2\ ".rstrip()

#    / \
#   |wB1|
#  / \ / \ / \ / \ / \
# |wQ1|wS1|bS1|bQ1[bA1]
#  \ / \ / \ / \ / \ /
BEETLE = r"Base;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 \wS1;bA1 bQ-"

#                / \ / \
#               |bG1[bG2]
#  / \ / \ /2\ / \ / \ /
# |wQ1|wS1|wB1|bQ1|bA1|      wB1 stands on bS1
#  \ / \ / \ / \ / \ /
CLIMBED = rf"{BEETLE};wB1 wS1;bG1 bQ/;wB1 bS1;bG2 bG1-"

#    / \ / \
#   |wQ1[bQ1] *
#  / \ / \ / \
# |wG1|wP1|bG1|
#  \ / \ / \ /
PILLBUG = r"Base+P;wP;bG1 wP-;wQ \wP;bQ bG1/;wG1 /wQ;bQ \bG1"

#  / \ / \ / \
# |wQ1[wA1]bQ1|
#  \ / \ / \ /
# * |wP1|bP1|
#    \ / \ /
THROWN = r"Base+P;wP;bP wP-;wA1 -wP;bQ bP\;wQ \wP;bQ bP/;wA1 wQ-"

#  / \ / \ / \
# |wM1|bP1[bQ1]
#  \ / \ / \ /
#   |wQ1| *
#    \ /
MOSQUITO = r"Base+MP;wM;bP wM-;wQ \wM;bQ bP\;wQ wM\;bQ bP-"

CASES = [
    # grasshoppers
    (LINE, "wG1", "wG1 bA1-"),  # over five tiles at once; it does not slide
    (POCKET, "wG1", "wG1 wQ-"),  # into a pocket behind a gate
    (PILLBUG, "wG1", r"wG1 \bQ;wG1 bG1-;wG1 wP\;wG1 /wP"),  # two jumps, two throws
    (LINE, "wQ", ""),  # pinned
    # beetles
    (BEETLE, "wB1", r"wB1 wS1;wB1 wQ;wB1 \bS1;wB1 \wQ"),
    (CLIMBED, "wB1", r"wB1 \bS1;wB1 -bG1;wB1 bQ;wB1 bS1\;wB1 wS1\;wB1 wS1"),  # not pinned on top
    (CLIMBED, "wG1", r"wG1 \wQ;wG1 wQ\;wG1 /wQ;wG1 -wQ;wG1 \wS1;wG1 wS1\;wG1 \wB1"),  # its colour
    # pillbugs
    (PILLBUG, "bQ", ""),  # it moved last
    (PILLBUG, "bG1", r"bG1 wP\;bG1 wG1\ ".rstrip()),  # the other side's tile
    (PILLBUG, "wQ", r"wQ \bQ;wQ \wG1;wQ wP\;wQ wG1\ ".rstrip()),  # on foot and thrown
    (PILLBUG, "wP", r"wP /bG1;wP wG1\ ".rstrip()),
    (MOSQUITO, "wQ", r"wQ bP\;wQ /wM;wQ \wM;wQ \bP;wQ -wM"),  # thrown by a mosquito
    (MOSQUITO, "bP", ""),  # pinned
    # throws after throws
    (THROWN, "wA1", ""),  # thrown: it is not thrown on by the other side
    (THROWN, "wP", r"wP bP-;wP bP\;wP /bP"),  # but its thrower is
    (f"{THROWN};wP bP-", "wP", ""),  # a pillbug that was thrown does not move,
    (f"{THROWN};wP bP-", "bQ", ""),  # nor throw
    (f"{THROWN};wP bP-;wG1 -wQ;bG1 bQ/", "bP", r"bP bQ-;bP wP-;bP wP\;bP /wP"),  # a turn later
    (rf"{PILLBUG};wG1 wP\;bA1 bQ-", "wG1", r"wG1 \wQ;wG1 bA1/;wG1 /wP;wG1 /wQ"),
    (rf"{PILLBUG};wG1 wP\;bA1 bQ-", "bQ", "bQ /wP;bQ /wQ"),  # the next throw
]


@pytest.mark.parametrize(("game", "tile", "moves"), CASES)
def test_the_moves_of_a_tile(session: EngineSession, game: str, tile: str, moves: str) -> None:
    load(session, game)
    assert listed(session, tile) == {move for move in moves.split(";") if move}


@pytest.mark.parametrize("game", sorted({game for game, _, _ in CASES}))
def test_every_listed_move_can_be_played_and_taken_back(session: EngineSession, game: str) -> None:
    load(session, game)
    session.line("undo")
    before = session.line(f"play {game.rpartition(';')[2]}")
    for move in listed(session):
        assert session.line(f"play {move}").endswith(f";{move}")
        assert session.line("undo") == before


# --- The first placements, and passes -------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "first", "second"), [("Base", 4, 24), ("Base+MLP", 7, 42), ("Base+P", 5, 30)]
)
def test_the_first_placements(
    session: EngineSession, variant: str, first: int, second: int
) -> None:
    load(session, variant)
    assert len(listed(session)) == first
    assert not listed(session, "wQ")
    session.line("play wS1")
    assert len(listed(session)) == second  # on each side of the first tile
    assert not listed(session, "bQ")
    session.line("play bS1 wS1-")
    assert listed(session, "wQ") == {r"wQ \wS1", "wQ -wS1", "wQ /wS1"}  # beside white's alone
    assert not listed(session, "wS1")  # nothing moves before the queen


def test_the_fourth_placement_is_the_queen(session: EngineSession) -> None:
    load(session, "Base;wS1;bS1 wS1-;wG1 -wS1;bG1 bS1-;wA1 -wG1;bA1 bG1-")
    assert listed(session) == listed(session, "wQ") != set()
    assert session.line("play wB1 -wA1").startswith("invalidmove")


def test_a_pass_is_forced_or_refused(session: EngineSession) -> None:
    load(session, LINE)
    assert session.line("pass").startswith("invalidmove pass: only legal when")
    assert session.line("play pass").startswith("invalidmove pass")
    session.line(f"newgame {STUCK_WHITE}")
    assert listed(session) == {"pass"}
    passed = session.line("pass")
    assert passed.endswith(";pass")
    assert session.line("undo") == STUCK_WHITE
    assert session.line("play pass") == passed
    assert session.line(f"newgame {passed}") == passed


# --- A move by the tile's own cell ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "own", "usual"),
    [
        (BEETLE, "wB1 /wB1", "wB1 wQ"),
        (BEETLE, "wB1 wB1-", r"wB1 \bS1"),
        (CLIMBED, r"wB1 wB1\ ".rstrip(), r"wB1 bS1\ ".rstrip()),
        (PILLBUG, r"wQ wQ/", r"wQ \bQ"),
    ],
)
def test_a_move_may_refer_to_the_cell_that_it_leaves(
    session: EngineSession, game: str, own: str, usual: str
) -> None:
    load(session, game)
    played = session.line(f"play {own}")
    assert played.endswith(f";{usual}")  # written as ever
    session.line("undo")
    assert session.line(f"play {usual}") == played
    head, moves = played.split(";")[:3], played.split(";")[3:]
    assert session.line("newgame " + ";".join([*head, *moves[:-1], own])) == played


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("wB1 wB1", "cannot get there"),  # it stays
        ("wB1 -wB1", "cannot get there"),  # nothing is beside that cell
        ("wB2 /wB2", "is not on the board"),
        ("wB3 /wB3", "expected a tile"),
        ("wQ wQ-", "wQ1 cannot move now"),  # another cell of its own, but it is pinned
    ],
)
def test_its_own_cell_changes_no_rule(session: EngineSession, move: str, reason: str) -> None:
    load(session, BEETLE.replace(r"wB1 \wS1", r"wB1 \wQ"))
    answer = session.line(f"play {move}")
    assert answer.startswith("invalidmove")
    assert reason in answer


def test_agons_own_notation_has_no_such_reference() -> None:
    position = play(r"wB1 bS1*|wB1 wQ1|*wB1 bQ1*|bS1 wQ1\*wB1 bQ1*\bS1 wQ1|*wB1 bQ1*|bS1")
    with pytest.raises(IllegalMoveError, match="a tile cannot refer to itself"):
        parse_move(position, r"wQ1*\wQ1")


def test_every_step_to_the_next_cell_has_that_spelling() -> None:
    """And every other spelling of that kind is refused: it never means another move."""
    rng, position, found = Random(5), GAME.start(HiveOptions("Base+MLP")), 0  # noqa: S311
    while position.to_act and position.turn < 60:
        steps = {
            (position.tile_of(move), position.target_of(move)): move
            for move in position.moves
            if move != PASS
        }
        for tile, cell in position.places.items():
            for direction in Direction:
                name = format_uhp_tile(tile)
                before, after = BEFORE_TEXTS.get(direction, ""), AFTER_TEXTS.get(direction, "")
                text = f"{name} {before}{name}{after}"
                expected = steps.get((tile, neighbour(cell, direction)))
                if expected is None:
                    with pytest.raises((IllegalMoveError, NotationError)):
                        parse_uhp_move(position, text)
                else:
                    assert parse_uhp_move(position, text) == expected
                    assert format_uhp_move(position, expected) != text
                    found += 1
        position = position.play_move(position.random_turn(position.side_to_move, rng))
    assert found > 50
