"""Replays in pieces: about 50 turns of a match, as one JSON document for the page's script.

A piece begins with a whole scene, so that any turn can be opened without those before it. Where
scenes are large, a turn is opened with a short piece, and long ones are fetched ahead:

    look, width, height   of the picture
    first, last           the turns of the piece
    players               their names, by seat
    spent                 how long each seat has thought before this piece, in nanoseconds
    steps                 what is shown, one after the other

A step has `turn`, `title`, `stage` (what has just happened within the turn), `played` ([seat, turn,
ns], ...), `notes` ([kind, seat, text], ...), and the keys of `live/frames.py`: what makes the scene
before it this one.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.shapes import all_shapes
from agon.match.replay_steps import player_names, tell, tell_turn
from agon.website.live.frames import Encoder, format_message, nodes_of
from agon.website.replay.turn_list import format_turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markupsafe import Markup

    from agon.games.scene import Scene
    from agon.match.replay_steps import ReplayStep
    from agon.match.transcript import Transcript
    from agon.website.live.frames import Message, Nodes

MOST_TURNS = 50
MOST_PIECES_IN_STAGES = 40
"""Where a replay would have more pieces than this, what happens within a turn is left out."""
SHAPES = 30_000
"""About how many a short piece draws: where scenes have many shapes it has fewer turns."""
LONGER = 5
"""How many times the turns of a short piece a long one has, within the bounds."""
LOOKS = 8
"""How many of its turns are looked at to find the length of a match's pieces."""
ROOM_FOR_TURNS = 960
"""Letters for what all seats played in a turn. Longer turns are cut off."""


@dataclass(frozen=True)
class PieceSize:
    """How much of a match stands in a piece of its replay."""

    turns: int
    steps: int
    """At most, stages of turns among them."""

    @property
    def longer(self) -> PieceSize:
        """The size of long pieces where this is that of short ones."""
        turns = min(LONGER * self.turns, MOST_TURNS)
        return PieceSize(turns, self.steps * turns // self.turns)


def choose_piece_size(last_turn: int, shapes: int, stages: float) -> PieceSize:
    """For a match with this number of shapes in a scene and stages in a turn, on average.

    >>> choose_piece_size(80, 250, 1), choose_piece_size(80, 1000, 5)
    (PieceSize(turns=50, steps=180), PieceSize(turns=6, steps=45))
    >>> choose_piece_size(500, 1000, 5)
    PieceSize(turns=30, steps=30)
    """
    steps = max(1, SHAPES // shapes)
    turns = min(int(steps / stages), MOST_TURNS)
    if last_turn <= turns * MOST_PIECES_IN_STAGES:
        return PieceSize(max(turns, 1), 3 * steps // 2)
    turns = min(steps, MOST_TURNS)
    return PieceSize(turns, turns)


@dataclass(frozen=True)
class LoadedMatch:
    """A match that has been replayed: a step for each turn, from which any turn can be drawn."""

    transcript: Transcript
    steps: tuple[ReplayStep, ...]
    names: tuple[str, ...]

    @property
    def last_turn(self) -> int:
        return self.steps[-1].turn

    @cached_property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.steps) * len(pickle.dumps(self.steps[-1].position))

    @cached_property
    def rows(self) -> Markup:
        """The list of its turns for its page."""
        return format_turns(self.transcript.game, self.steps, self.names, linked=True)

    def check(self, turn: int, seat: int | None) -> None:
        """Raise SettingError if the match has no such turn or seat."""
        if not 0 <= turn <= self.last_turn:
            raise SettingError(f"turn {turn}: the match has turns 0 to {self.last_turn}")
        if seat is not None and not 0 <= seat < len(self.names):
            raise SettingError(f"seat {seat}: the match has seats 0 to {len(self.names) - 1}")

    def scene(self, turn: int, seat: int | None) -> Scene:
        return self.steps[turn].position.scene(seat, self.names)

    @cached_property
    def piece_size(self) -> PieceSize:
        """Of short pieces. Found from a few turns: the shapes of their scenes, and their stages."""
        looks = range(0, self.last_turn + 1, max(1, self.last_turn // LOOKS))
        scenes = (self.scene(turn, None) for turn in {0, looks[len(looks) // 2], self.last_turn})
        shapes = max(sum(1 for _ in all_shapes(scene.shapes)) for scene in scenes)
        stages = sum(len(list(self.tell_turn(turn))) for turn in looks)
        return choose_piece_size(self.last_turn, shapes, stages / len(looks))

    def tell_turn(self, turn: int) -> Iterator[ReplayStep]:
        """A turn in stages."""
        if turn == 0:
            return iter(self.steps[:1])
        return tell_turn(self.steps[turn - 1], self.steps[turn])


def load_match(transcript: Transcript) -> LoadedMatch:
    steps = tuple(tell(transcript, in_stages=False))
    return LoadedMatch(transcript, steps, tuple(player_names(transcript)))


def make_piece(match: LoadedMatch, turn: int, seat: int | None, size: PieceSize) -> bytes:
    """The piece of that size that holds a turn, as that seat or a spectator saw it."""
    first = turn - turn % size.turns
    last = min(first + size.turns - 1, match.last_turn)
    scene = match.scene(first, seat)
    events = [step.event for step in match.steps[:first] if step.event is not None]
    piece: Message = {
        "look": scene.look.name,
        "width": scene.width,
        "height": scene.height,
        "first": first,
        "last": last,
        "players": match.names,
        "spent": [sum(event.ns.get(who, 0) for event in events) for who in range(len(match.names))],
        "steps": list(_steps(match, _choose_steps(match, first, last, size), seat)),
    }
    return format_message(piece)


def _steps(match: LoadedMatch, steps: Iterable[ReplayStep], seat: int | None) -> Iterator[Message]:
    encoder = Encoder()
    before: Nodes = {}
    for step in steps:
        scene = step.position.scene(seat, match.names)
        after = nodes_of(scene)
        yield _told(match, step, scene.title) | encoder.encode(before, after)
        before = after


def _choose_steps(
    match: LoadedMatch, first: int, last: int, size: PieceSize
) -> Iterator[ReplayStep]:
    """All turns, in stages as long as there is room for them."""
    room = size.steps - size.turns
    for turn in range(first, last + 1):
        steps = list(match.tell_turn(turn)) if room else []
        if 0 < len(steps) <= room + 1:
            room -= len(steps) - 1
            yield from steps
        else:
            yield match.steps[turn]


def _told(match: LoadedMatch, step: ReplayStep, title: str) -> Message:
    """What a step has to say besides its picture."""
    told: Message = {"turn": step.turn, "title": title}
    if step.stage:
        told["stage"] = step.stage
    if step.event is not None:
        turns, ns = step.event.turns, step.event.ns
        room = ROOM_FOR_TURNS // len(match.names)
        shown = match.transcript.game.common_notation
        told["played"] = [
            [seat, shorten(shown(text), room), ns.get(seat, 0)] for seat, text in turns.items()
        ]
    if step.notes:
        told["notes"] = [[note.kind, note.seat, note.text] for note in step.notes]
    return told


def shorten(text: str, longest: int) -> str:
    """A turn, or its beginning.

    >>> shorten("b1 h2, b2 h3", 9)
    'b1 h2, b…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"
