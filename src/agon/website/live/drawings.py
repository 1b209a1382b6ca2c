"""Pictures of matches under way, and what changes from one to the next, as server-sent events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from agon.match.wording import tell_outcome
from agon.website.live.frames import Encoder, nodes_of

if TYPE_CHECKING:
    from agon.arena.live_matches import LiveMatch
    from agon.website.live.frames import Message, Nodes


def format_event(name: str, data: Any) -> bytes:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f"event: {name}\ndata: {text}\n\n".encode()


@dataclass(frozen=True)
class Picture:
    """A match at one moment: what there is to say, and the picture."""

    told: Message
    nodes: Nodes
    is_over: bool

    @cached_property
    def whole(self) -> bytes:
        """All of it, for clients that have none or an older one; made when the first asks."""
        return format_event("scene", self.told | {"whole": True} | Encoder().encode({}, self.nodes))


class Drawing:
    """The picture of a match under way, as one seat or a spectator sees it, and its last change."""

    def __init__(self, match: LiveMatch, seat: int | None = None) -> None:
        self.match = match
        self.seat = seat
        self.version = -1
        self.picture = Picture({}, {}, is_over=False)
        self.change = b""
        """What made the picture before the one that there is now."""
        self._lock = Lock()

    @property
    def is_current(self) -> bool:
        """Whether nothing has happened since it was drawn."""
        return self.version == self.match.signal.value

    def advance(self) -> None:
        """Draw what there is now. In any thread."""
        with self._lock:
            version = self.match.signal.value
            picture = draw_match(self.match, self.seat)
            if self.picture.nodes:
                change = Encoder().encode(self.picture.nodes, picture.nodes)
                self.change = format_event("scene", picture.told | change)
            else:
                self.change = picture.whole
            self.picture, self.version = picture, version


def draw_match(match: LiveMatch, seat: int | None) -> Picture:
    is_over, position = match.is_over, match.position
    scene = position.scene(seat, match.players)
    size = {"width": scene.width, "height": scene.height, "look": scene.look.name}
    told: Message = {"key": match.key, "turns": match.turns, "title": scene.title, **size}
    if is_over or position.outcome is not None:
        told["verdict"] = tell_outcome(position.outcome, match.players)
    if is_over:
        told["stored"] = None if match.match_id is None else f"/matches/{match.match_id}"
    return Picture(told, nodes_of(scene), is_over)
