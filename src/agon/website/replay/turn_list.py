"""The list of a match's turns for its page: what was played, and what was noted there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from agon.website.render.filters import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Game
    from agon.match.replay_steps import ReplayStep

LONGEST_TEXT = 120

ROW = Markup('<li data-turn="{turn}">{link}<span>{told}</span></li>\n')
LINK = Markup('<a href="?turn={turn}#board">{turn}</a>')
NUMBER = Markup("<b>{turn}</b>")
PLAYED = Markup("<b>{name}</b> {text}{own}{time}")
OWN = Markup(' <code class="own">{text}</code>')
TIME = Markup(" <i>{seconds}</i>")
NOTE = Markup('<em class="{kind}">{text}</em>')
BREAK = Markup("<br>")


def format_turns(
    game: Game, steps: Sequence[ReplayStep], names: Sequence[str], *, linked: bool
) -> Markup:
    """The turns as items of a list; with links where a turn has an address.

    Where players have a notation of their own, that of bots is there, too, and hidden at first.
    """
    link = LINK if linked else NUMBER
    return Markup("").join(
        ROW.format(turn=step.turn, link=link.format(turn=step.turn), told=_told(game, step, names))
        for step in steps
    )


def _told(game: Game, step: ReplayStep, names: Sequence[str]) -> Markup:
    lines = []
    for seat, text in step.event.turns.items() if step.event else ():
        ns = step.event.ns.get(seat) if step.event else None
        time = "" if ns is None else TIME.format(seconds=seconds(ns))
        shown = _short(game.common_notation(text))
        own = OWN.format(text=_short(text)) if game.has_common_notation else ""
        lines.append(PLAYED.format(name=names[seat], text=shown, own=own, time=time))
    if step.event is None:
        lines.append(Markup("the start"))
    for note in step.notes:
        who = "" if note.seat is None else f"{names[note.seat]}: "
        lines.append(NOTE.format(kind=note.kind, text=_short(who + note.text)))
    return BREAK.join(lines)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
