"""Replay documents: a whole match for a browser, as small as may be.

The first line says what the match is; each other line tells some steps: their pictures, as
`reels.py` describes, and as `steps` what else there is to say of each: `turn`, `title`, `stage`
(what has just happened within the turn), `played` ([seat, turn, ns], ...) and `notes` ([kind, seat,
words], ...). The lines are made one after the other, so that a browser shows the beginning while
the rest is being drawn.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from cachetools import LRUCache
from starlette.responses import StreamingResponse

from agon.games.scene import all_shapes
from agon.match.replay_steps import count_turns, player_names, tell
from agon.website.live.frames import format_message
from agon.website.replay.reels import Reel, format_steps, make_frame

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from starlette.requests import Request

    from agon.games.scene import Scene
    from agon.match.replay_steps import ReplayStep
    from agon.match.transcript import Transcript
    from agon.website.live.frames import Message
    from agon.website.replay.reels import Columns, Frame

Pieces: TypeAlias = "Iterator[bytes]"

IN_STAGES_UP_TO = 200
"""Longer matches are told turn by turn, without what happens within a turn."""
SHAPES_IN_STAGES = 100_000
"""So are matches on boards so large that all their turns together have more shapes than this."""
LOOK_AHEAD = 8
"""So many steps are drawn before the first one is told."""
STEPS_IN_LINE = 256
"""Lines have 1, 2, 4 and at most so many steps: together they are smaller."""
ROOM_FOR_TURNS = 960
"""Letters for what all seats played in a turn. What is longer is in the transcript."""
FLUSH_BYTES = 1 << 16
COMPRESSION = 9
BEFORE_COLUMN = re.compile(rb'(?<=")(?=,"[a-z_]+":")')
OWN_CODES_BYTES = 400
"""Columns of this size are packed in codes of their own: they have little in common."""
MEDIA_TYPE = "application/jsonl"
MOST_KEPT_BYTES = 64 << 20


def replay_lines(
    transcript: Transcript,
    seat: int | None,
    in_stages_up_to: int = IN_STAGES_UP_TO,
    most_shapes: int = SHAPES_IN_STAGES,
) -> Pieces:
    """The document of a match as that seat saw it, or everybody; a line at a time."""
    turns = count_turns(transcript)
    names = player_names(transcript)
    in_stages = turns <= in_stages_up_to and turns * _board_size(transcript) <= most_shapes
    lines = Lines(ROOM_FOR_TURNS // len(names))
    for step in tell(transcript, in_stages=in_stages):
        scene = step.position.scene(seat, names)
        if lines.is_new:
            size = {"width": scene.width, "height": scene.height, "look": scene.look.name}
            yield format_message(
                {"game": transcript.game.name, "turns": turns, "seat": seat, **size}
                | {"players": names}
            )
        yield from lines.add(step, scene)
    yield from lines.end()


class Lines:
    """Makes the lines of a document from pictures that come one after the other."""

    def __init__(self, longest_turn: int) -> None:
        """Of turns so many letters are told."""
        self._longest_turn = longest_turn
        self._reel = Reel()
        self._last: Frame | None = None
        self._ahead: deque[tuple[Message, Frame]] = deque()
        self._told: list[Message] = []
        self._columns: list[Columns] = []
        self._wanted = 1

    @property
    def is_new(self) -> bool:
        """Whether no picture has come yet."""
        return self._last is None

    def add(self, step: ReplayStep, scene: Scene) -> Pieces:
        """The next picture; the lines that can be made now."""
        self._last = make_frame(scene, step.turn, step.stage, self._last)
        self._ahead.append((_told(step, scene.title, self._longest_turn), self._last))
        if len(self._ahead) > LOOK_AHEAD:
            yield from self._tell()

    def end(self) -> Pieces:
        """The lines that are left."""
        while self._ahead:
            yield from self._tell()
        if self._told:
            yield self._line()

    def _tell(self) -> Pieces:
        told, frame = self._ahead.popleft()
        self._told.append(told)
        self._columns.append(self._reel.tell(frame, [later for _, later in self._ahead]))
        if len(self._told) == self._wanted:
            yield self._line()
            self._wanted = min(STEPS_IN_LINE, 2 * self._wanted)

    def _line(self) -> bytes:
        told, columns = self._told, self._columns
        self._told, self._columns = [], []
        return format_message(self._reel.take_new() | format_steps(columns) | {"steps": told})


def _board_size(transcript: Transcript) -> int:
    """How many shapes the picture of the start has."""
    start = next(tell(transcript, in_stages=False)).position
    return sum(1 for _ in all_shapes(start.scene(None).shapes))


def _told(step: ReplayStep, title: str, longest: int) -> Message:
    """What a step has to say besides its picture."""
    told: Message = {"turn": step.turn, "title": title}
    if step.stage:
        told["stage"] = step.stage
    if step.event is not None:
        turns, ns = step.event.turns, step.event.ns
        told["played"] = [
            [seat, shorten(text, longest), _coarse(ns.get(seat, 0))] for seat, text in turns.items()
        ]
    if step.notes:
        told["notes"] = [[note.kind, note.seat, note.text] for note in step.notes]
    return told


def _coarse(ns: int) -> int:
    """A time with as many digits as are shown, and one more."""
    return int(float(f"{ns:.4g}"))


def shorten(text: str, longest: int) -> str:
    """A turn, or its beginning.

    >>> shorten("b1 h2, b2 h3", 9)
    'b1 h2, b…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def compress(pieces: Pieces) -> Pieces:
    """The pieces gzipped; each piece can be read as soon as it has come."""
    packer = zlib.compressobj(COMPRESSION, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    size = 0
    for piece in pieces:
        packed = b""
        for column in BEFORE_COLUMN.split(piece):
            packed += packer.compress(column)
            if len(column) >= OWN_CODES_BYTES:
                packed += packer.flush(zlib.Z_BLOCK)
        size += len(piece)
        if size >= FLUSH_BYTES:
            packed += packer.flush(zlib.Z_SYNC_FLUSH)
            size = 0
        if packed:
            yield packed
    yield packer.flush()


def uncompress(pieces: Pieces) -> Pieces:
    """The pieces as they were before, for those who cannot unpack them."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    for piece in pieces:
        yield unpacker.decompress(piece)


def answer_replay(request: Request, packed: Pieces, keep: str) -> StreamingResponse:
    """A gzipped document as the answer to a request; `keep` says who may keep it, how long."""
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return StreamingResponse(uncompress(packed), media_type=MEDIA_TYPE, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return StreamingResponse(packed, media_type=MEDIA_TYPE, headers=headers)


class Replays:
    """The documents that were asked for last, gzipped. Threads may share it."""

    def __init__(self, most_bytes: int = MOST_KEPT_BYTES) -> None:
        """Nothing is kept yet; never more than so many bytes are."""
        self._kept: LRUCache[Hashable, bytes] = LRUCache(most_bytes, len)
        self._lock = Lock()

    def find(self, key: Hashable) -> bytes | None:
        """The document of that key, if it is still kept."""
        with self._lock:
            return self._kept.get(key)

    def keep(self, key: Hashable, packed: Pieces) -> Pieces:
        """The pieces of a document as they come; when all have come they are kept."""
        pieces = []
        for piece in packed:
            pieces.append(piece)
            yield piece
        document = b"".join(pieces)
        if len(document) <= self._kept.maxsize:
            with self._lock:
                self._kept[key] = document
