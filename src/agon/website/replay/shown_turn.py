"""What the page of a match shows of it at a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.match.wording import seat_title, tell_outcome, tell_place
from agon.website.render.boards import draw_board, has_views
from agon.website.replay.turn_list import format_turns

if TYPE_CHECKING:
    from markupsafe import Markup

    from agon.games.game import Outcome
    from agon.match.replay_steps import Note
    from agon.website.replay.pieces import LoadedMatch


@dataclass(frozen=True, slots=True)
class ShownPlayer:
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
class ShownTurn:
    """A match at one of its turns, as one seat or a spectator sees it."""

    game: str
    look: str
    """The name of the board's look."""
    title: str
    turn: int
    turns: int
    seat: int | None
    board: Markup
    words: str
    """The picture in words."""
    verdict: str
    players: tuple[ShownPlayer, ...]
    played: tuple[tuple[str, str, int], ...]
    """Who played what in how long, to come here."""
    notes: tuple[Note, ...]
    rows: Markup
    """The list of all turns."""
    has_two_notations: bool
    """Whether the list has the notation of bots beside that of players."""
    has_views: bool
    """Whether the seats see different things."""


def show_turn(
    match: LoadedMatch, turn: int | None, seat: int | None, *, linked: bool = True
) -> ShownTurn:
    """A match at that turn, or at its end; SettingError if it has no such turn or seat.

    Its turns are links where each has an address.
    """
    at = match.last_turn if turn is None else turn
    match.check(at, seat)
    transcript, names, step = match.transcript, match.names, match.steps[at]
    game = transcript.game
    scene = match.scene(at, seat)
    outcome = match.steps[-1].position.outcome
    turns = step.event.turns if step.event else {}
    ns = step.event.ns if step.event else {}
    return ShownTurn(
        game.name,
        scene.look.name,
        game.title,
        at,
        match.last_turn,
        seat,
        draw_board(scene),
        scene.title,
        tell_outcome(outcome, names),
        tuple(_players(match, at, outcome)),
        tuple(
            (names[who], game.common_notation(text), ns.get(who, 0)) for who, text in turns.items()
        ),
        tuple(step.notes),
        match.rows if linked else format_turns(game, match.steps, names, linked=False),
        game.has_common_notation,
        has_views(game.name),
    )


def _players(match: LoadedMatch, at: int, outcome: Outcome | None) -> list[ShownPlayer]:
    notes = (note for step in match.steps for note in step.notes)
    faults = {note.seat: note.text for note in notes if note.kind == "fault"}
    events = [step.event for step in match.steps[: at + 1] if step.event is not None]
    return [
        ShownPlayer(
            seat,
            seat_title(match.transcript.game, seat, match.steps[at].position),
            name,
            tell_place(outcome, seat) if outcome else "",
            outcome.scores[seat] if outcome else None,
            faults.get(seat, ""),
            sum(event.ns.get(seat, 0) for event in events),
        )
        for seat, name in enumerate(match.names)
    ]
