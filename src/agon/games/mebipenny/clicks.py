"""A turn of MebiPenny by clicks: a cell whose tile is in the hand, and who is favoured in a tie.

Nothing of what is drawn after the turn is shown: the preview has claims only, which follow from
what all players see. Picks are `play-3,14`, `favor-2` and `pass`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.games.clicks import Choice, Draft, Step, check_seat, overlay, take_step
from agon.games.mebipenny.board import NATURE, NO_OWNER
from agon.games.mebipenny.look import CELL, CORNER, PLAYER_THEMES, SEAT_NAMES
from agon.games.mebipenny.move import PASS, Move, Tile
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.mebipenny.scene import claim_shapes, fit_board, mebipenny_scene, middle
from agon.games.players import Players
from agon.games.shapes import Box, Group, Shape, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.game import Position
    from agon.games.scene import Scene

PASS_ID = "pass"  # noqa: S105 - a pick
SMALLEST = 14.0  # of what is clicked, on boards with very many cells


def step(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    return take_step(MebiPennyDraft(MebiPennyPosition.of(position), names), picks)


@dataclass(frozen=True, slots=True)
class MebiPennyDraft(Draft):
    """Nothing, a tile whose tie is not decided, or a whole move."""

    position: MebiPennyPosition
    names: Sequence[str] = ()
    tile: Tile | None = None
    move: Move | None = None

    @property
    def prompt(self) -> str:
        """What to click, or what the move does."""
        if self._must_pass:
            return "Your hand is empty: you can only pass"
        if self.move == PASS:
            return "Send the pass, or take it back"
        if self.move is not None:
            return f"{self._effect(self.move)}: send the turn, or take it back"
        if self.tile is not None:
            return f"The armies around {_name(self.tile)} tie: choose who gets all of them"
        return "Choose one of the lit cells, whose tiles are in your hand, or pass"

    def choices(self) -> Sequence[Choice]:
        """The cells of the hand."""
        return [Choice(_tile_id(tile), _tile_words(tile)) for tile in self._tiles()]

    def buttons(self) -> Sequence[Choice]:
        """The pass; or the seats of the tie."""
        if self.move is not None or self._must_pass:
            return ()
        if self.tile is None:
            return [Choice(PASS_ID, "Pass")]
        seats = map(self.position.favoured_by, self._moves(self.tile))
        return [Choice(_favour_id(seat), self._favour_words(seat)) for seat in seats]

    def pick(self, choice: str) -> tuple[Draft, str]:
        """Decide on a tile, a seat of the tie, or the pass."""
        if choice == PASS_ID:
            return replace(self, tile=None, move=PASS), "pass"
        if self.tile is None:
            tile = next(tile for tile in self._tiles() if _tile_id(tile) == choice)
            moves = self._moves(tile)
            move = moves[0] if len(moves) == 1 else None
            return replace(self, tile=tile, move=move), _tile_words(tile)
        move = next(
            move
            for move in self._moves(self.tile)
            if _favour_id(self.position.favoured_by(move)) == choice
        )
        words = self._favour_words(self.position.favoured_by(move))
        return replace(self, move=move), words

    def turn(self) -> str | None:
        """The move; the only one that there is needs no click."""
        move = PASS if self._must_pass else self.move
        return None if move is None else self.position.format_turn(self.position.next_seat, move)

    def scene(self) -> Scene:
        """The board with the lit cells, or with the claims that the move makes."""
        scene = mebipenny_scene(self.position, self.position.next_seat, self.names)
        shapes: list[Shape] = [self._frame(tile, "choice") for tile in self._tiles()]
        if self.move not in (None, PASS):
            shapes += self._claims(self.move)
        if self.tile is not None:
            shapes.append(self._frame(self.tile, "picked"))
        return overlay(scene, shapes)

    @property
    def _must_pass(self) -> bool:
        return self.position.moves == (PASS,)

    def _tiles(self) -> Sequence[Tile]:
        """The tiles that can be clicked now."""
        if self.tile is not None or self.move is not None:
            return ()
        played = [self.position.tile_of(move) for move in self.position.moves if move != PASS]
        return sorted(set(played))

    def _moves(self, tile: Tile) -> list[Move]:
        moves = [move for move in self.position.moves if move != PASS]
        return [move for move in moves if self.position.tile_of(move) == tile]

    def _favour_words(self, seat: int) -> str:
        own = " (you)" if seat == self.position.next_seat else ""
        return f"favour {Players(SEAT_NAMES, self.names).full(seat)}{own}"

    def _effect(self, move: Move) -> str:
        """What the move does to all players' claims."""
        before, after = self.position.scores, self.position.play_move(move).scores
        changes = enumerate(new - old for old, new in zip(before, after, strict=True))
        players = Players(SEAT_NAMES, self.names)
        return ", ".join(f"{players.full(seat)} {more:+d}" for seat, more in changes if more)

    def _claims(self, move: Move) -> Iterator[Shape]:
        """The claims that are new or have a new owner after the move, joined to all beside them."""
        scale, after = fit_board(self.position).scale, self.position.play_move(move)
        changed = [claim.tile for claim in after.claims(since=self.position)]
        # A claim's bridges lead to the right and down: those to a changed one come from before it.
        joined = [Tile(row - up, col - 1 + up) for row, col in changed for up in (0, 1)]
        for tile in sorted({*changed, *joined}):
            owner = int(after.owners[tile]) if after.is_on_board(tile) else NO_OWNER
            if owner in (NO_OWNER, NATURE):
                continue
            role = PLAYER_THEMES[owner].role
            sign = Stamp("", role, glyph=f"sign-{role}")
            parts = (*claim_shapes(after, tile, f"claim {role}"), sign)
            yield Group(
                f"preview-{_name(tile)}", "cell", *self._place(tile), scale=scale, parts=parts
            )

    def _frame(self, tile: Tile, role: str) -> Shape:
        x, y = self._place(tile)
        scale = fit_board(self.position).scale
        side = max(SMALLEST, (CELL - 4) * scale)
        corner = min(CORNER * scale, side / 3)
        tip = _tile_words(tile)
        return Box(_tile_id(tile), role, x, y, width=side, height=side, corner=corner, tip=tip)

    def _place(self, tile: Tile) -> tuple[float, float]:
        return fit_board(self.position).place(*middle(tile))


def _name(tile: Tile) -> str:
    return f"{tile.row},{tile.col}"


def _tile_id(tile: Tile) -> str:
    return f"play-{_name(tile)}"


def _tile_words(tile: Tile) -> str:
    return f"play {_name(tile)}"


def _favour_id(seat: int) -> str:
    return f"favor-{seat}"
