"""How Atlantis bots talk: the transcript and its events, a line of JSON each.

With a bot that has seat 0 (the first line is shortened):

    arena: {"format": "Atlantis transcript", ..., "events": [], "you": 0, "turn_ms": 1000}
    arena: {"type": "your-turn"}
    bot:   {"moves": [["b2", "c3"]]}
    arena: {"type": "turn", "moves": [["b2", "c3"]]}
    arena: {"type": "turn", "moves": []}
    arena: {"type": "your-turn"}
    bot:   {"moves": []}
    arena: ...
    arena: {"type": "end", "scores": [1, 0], "reason": "all areas stable: 31 - 28 fields"}

Every bot is told every turn, its own as well, and those that are entered for a seat which
is not asked (R16): turn i is that of player i mod P. After `end` the next line may be a transcript
again: a new match.

A bot that asked for them is sent the legal moves behind every `your-turn`, those of one segment in
one list, for a turn has at most one of each (R6):

    arena: {"type": "legal", "moves": [[["b2", "c3"], ["b2", "b1"]], [["e5", "e6"]]]}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agon.errors import ProtocolError, TranscriptError
from agon.games.atlantis.board import source_of
from agon.games.atlantis.document import format_segments, format_stacks
from agon.games.atlantis.game import GAME
from agon.games.atlantis.match_text import VERSION
from agon.games.atlantis.notation import format_ends
from agon.games.atlantis.position import AtlantisPosition
from agon.games.atlantis.transcript_form import parse_moves
from agon.games.dialogue import LEGAL, Dialogue
from agon.strict_json import expect, parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.atlantis.position import Turn
    from agon.games.dialogue import Briefing, Dialogues
    from agon.games.game import JsonObject, Outcome, Position

MILLISECOND_NS = 10**6
EXAMPLE = '{"moves": [["a1", "b2"]]}'


class JsonDialogue(Dialogue):
    """Events out, lists of moves in."""

    can_list_moves = True

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """The transcript so far, field by field, with the bot's seat and its time."""
        board = AtlantisPosition.of(start).board
        names = briefing.names or ("",) * start.seats
        told: JsonObject = {
            "format": f"{GAME.title} transcript",
            "version": VERSION,
            "segments": format_segments(board),
            "players": [
                {**({"name": name} if name else {}), "stacks": format_stacks(stacks)}
                for name, stacks in zip(names, board.stacks, strict=False)
            ],
            "events": [],
            "you": seat,
        }
        if briefing.turn_ns is not None:
            told["turn_ms"] = briefing.turn_ns // MILLISECOND_NS
        if briefing.bank_ns:
            told["bank_ms"] = briefing.bank_ns // MILLISECOND_NS
        return [json.dumps(told)]

    def is_ready(self) -> bool:
        """A bot says nothing before its first turn."""
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, Turn], after: Position[Any]
    ) -> list[str]:
        """The turn as the transcript has it."""
        texts = {seat: before.format_turn(seat, turn) for seat, turn in turns.items()}
        return [json.dumps({"type": "turn", **GAME.form.format_turns(texts)})]

    def ask(self, position: Position[Any]) -> list[str]:
        """Nothing but that it is the bot's turn."""
        return ['{"type": "your-turn"}']

    def legal_line(self, position: Position[Any], seat: int) -> str:
        """The single moves, by the segments in which they start."""
        here = AtlantisPosition.of(position)
        by_segment: dict[int, list[tuple[str, str]]] = {}
        for move in here.moves:
            moves = by_segment.setdefault(here.segments[source_of(move)], [])
            moves.append(format_ends(here, move))
        return json.dumps({"type": LEGAL, "moves": list(by_segment.values())})

    def read(self, line: str) -> str | None:
        """An object with the list of moves; other keys of it are the bot's own affair."""
        try:
            answer = expect(parse_json(line), dict, "the answer", f"an object such as {EXAMPLE}")
            if "moves" not in answer:
                raise TranscriptError(f"the answer has no moves: expected such as {EXAMPLE}")
            return parse_moves(answer["moves"], "moves")
        except TranscriptError as error:
            raise ProtocolError(f"line {line[:60]!r}: {error}") from None

    def parse(self, position: Position[Any], seat: int, text: str) -> Turn:
        return AtlantisPosition.of(position).parse_turn(seat, text)

    def close(self, outcome: Outcome | None) -> list[str]:
        """How many seats each has left behind, and why it is over."""
        scores = [] if outcome is None else list(outcome.scores)
        reason = "unfinished" if outcome is None else outcome.reason
        return [json.dumps({"type": "end", "scores": scores, "reason": reason})]

    def leave(self) -> list[str]:
        """The end of its input tells a bot to end."""
        return []


DIALOGUES: Dialogues = {"json": JsonDialogue}
