"""Replay documents: a whole match for a browser, a line for each step, as small as may be.

The first line says what the match is; each other line is a message of `frames.py` with these keys
besides: `turn`, `stage` (what has just happened within the turn), `played` ([seat, turn, ns], ...)
and `notes` ([kind, seat, words], ...). The lines are made one after the other, so that a browser
shows the beginning while the rest is being drawn.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, TypeAlias

from starlette.responses import StreamingResponse

from agon.games.scene import all_shapes
from agon.website.frames import Encoder, format_message, nodes_of
from agon.website.kept import Kept
from agon.website.story import count_turns, player_names, tell

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from starlette.requests import Request

    from agon.transcript import Transcript
    from agon.website.frames import Message, Nodes
    from agon.website.story import Step

Pieces: TypeAlias = "Iterator[bytes]"

IN_STAGES_UP_TO = 200
"""Longer matches are told turn by turn, without what happens within a turn."""
SHAPES_IN_STAGES = 100_000
"""So are matches on boards so large that all their turns together have more shapes than this."""
FLUSH_BYTES = 1 << 16
COMPRESSION = 9
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
    encoder = Encoder()
    before: Nodes = {}
    in_stages = turns <= in_stages_up_to and turns * _board_size(transcript) <= most_shapes
    for step in tell(transcript, in_stages=in_stages):
        scene = step.position.scene(seat)
        if not before:
            size = {"width": scene.width, "height": scene.height, "look": scene.look.name}
            yield format_message(
                {"game": transcript.game.name, "turns": turns, "seat": seat, **size}
                | {"players": player_names(transcript)}
            )
        after = nodes_of(scene)
        yield format_message(_told(step, scene.title) | encoder.encode(before, after))
        before = after


def _board_size(transcript: Transcript) -> int:
    """How many shapes the picture of the start has."""
    start = next(tell(transcript, in_stages=False)).position
    return sum(1 for _ in all_shapes(start.scene(None).shapes))


def _told(step: Step, title: str) -> Message:
    """What a step has to say besides its picture."""
    told: Message = {"turn": step.turn, "title": title}
    if step.stage:
        told["stage"] = step.stage
    if step.event is not None:
        turns, ns = step.event.turns, step.event.ns
        told["played"] = [[seat, text, ns.get(seat, 0)] for seat, text in turns.items()]
    if step.notes:
        told["notes"] = [[note.kind, note.seat, note.text] for note in step.notes]
    return told


def compress(pieces: Pieces) -> Pieces:
    """The pieces gzipped; each piece can be read as soon as it has come."""
    packer = zlib.compressobj(COMPRESSION, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    size = 0
    for piece in pieces:
        packed = packer.compress(piece)
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
        self._kept: Kept[bytes] = Kept(most_bytes, len)

    def find(self, key: Hashable) -> bytes | None:
        """The document of that key, if it is still kept."""
        return self._kept.get(key)

    def keep(self, key: Hashable, packed: Pieces) -> Pieces:
        """The pieces of a document as they come; when all have come they are kept."""
        pieces = []
        for piece in packed:
            pieces.append(piece)
            yield piece
        self._kept.put(key, b"".join(pieces))
