"""Matches to look at: what a page shows of one at a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from cachetools import LRUCache

from agon.errors import SettingError
from agon.match.replay_steps import outcome_of, player_names, tell
from agon.match.transcript import FaultEvent
from agon.match.wording import seat_title, tell_outcome, tell_place
from agon.website.render.boards import draw_board, has_views
from agon.website.replay.documents import Replays
from agon.website.replay.turn_list import format_turns

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from markupsafe import Markup

    from agon.games.game import Outcome
    from agon.match.replay_steps import Note, ReplayStep
    from agon.match.transcript import Transcript

MOST_SHOWN = 64
PRIVATE = ("wire", "stderr", "marks")
"""Parts of a stored transcript that are the authors' own."""


@dataclass(frozen=True, slots=True)
class Player:
    """A seat of a match on its page."""

    seat: int
    title: str
    """What the seat is called on the board."""
    name: str
    place: str
    score: int | None
    fault: str
    thought_ns: int
    """Up to the turn that is shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A match at one of its turns, as one seat or everybody sees it."""

    game: str
    title: str
    turn: int
    turns: int
    seat: int | None
    board: Markup
    words: str
    """The picture in words."""
    verdict: str
    players: tuple[Player, ...]
    played: tuple[tuple[str, str, int], ...]
    """Who played what in how long, to come here."""
    notes: tuple[Note, ...]
    rows: Markup
    """The list of all turns."""
    has_views: bool
    """Whether the seats see different things."""


def show_turn(
    transcript: Transcript, turn: int | None, seat: int | None, *, linked: bool = True
) -> Shown:
    """A match at that turn, or at its end; SettingError if it has no such turn or seat.

    Its turns are links where each has an address.
    """
    steps = list(tell(transcript, in_stages=False))
    names = player_names(transcript)
    last = steps[-1].turn
    at = last if turn is None else turn
    if not 0 <= at <= last:
        raise SettingError(f"turn {at}: the match has turns 0 to {last}")
    step = steps[at]
    if seat is not None and not 0 <= seat < step.position.seats:
        raise SettingError(f"seat {seat}: the match has seats 0 to {step.position.seats - 1}")
    scene = step.position.scene(seat, names)
    outcome = outcome_of(transcript, steps[-1])
    turns = step.event.turns if step.event else {}
    ns = step.event.ns if step.event else {}
    return Shown(
        transcript.game.name,
        transcript.game.title,
        at,
        last,
        seat,
        draw_board(scene),
        scene.title,
        tell_outcome(outcome, names),
        tuple(_players(transcript, steps, at, outcome)),
        tuple((names[who], text, ns.get(who, 0)) for who, text in turns.items()),
        tuple(step.notes),
        format_turns(steps, names, linked=linked),
        has_views(transcript.game.name),
    )


def _players(
    transcript: Transcript, steps: Sequence[ReplayStep], at: int, outcome: Outcome | None
) -> list[Player]:
    names = player_names(transcript)
    faults = {note.seat: note.text for s in steps for note in s.notes if note.kind == "fault"}
    events = [step.event for step in steps[: at + 1] if step.event is not None]
    return [
        Player(
            seat,
            seat_title(transcript.game, seat),
            name,
            tell_place(outcome, seat) if outcome else "",
            outcome.scores[seat] if outcome else None,
            faults.get(seat, ""),
            sum(event.ns.get(seat, 0) for event in events),
        )
        for seat, name in enumerate(names)
    ]


def public_part(transcript: Transcript) -> Transcript:
    """The transcript without what only the authors of its bots may see."""
    extra = {key: value for key, value in transcript.extra.items() if key not in PRIVATE}
    events = tuple(
        replace(event, said="") if isinstance(event, FaultEvent) else event
        for event in transcript.events
    )
    return replace(transcript, extra=extra, events=events)


class ReplayCache:
    """Stored matches that were looked at last; they never change. Threads may share it."""

    def __init__(self) -> None:
        self.replays = Replays()
        self._shown: LRUCache[Hashable, Shown] = LRUCache(MOST_SHOWN)
        self._lock = Lock()

    def show(self, key: Hashable, make: Callable[[], Shown]) -> Shown:
        """What a page shows of a match, made if it is not kept."""
        with self._lock:
            shown = self._shown.get(key)
        if shown is None:
            shown = make()
            with self._lock:
                self._shown[key] = shown
        return shown
