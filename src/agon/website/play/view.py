"""A match as one of its players sees it: nothing of what others may hide is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.arena.people.context import State
from agon.arena.people.party import BotPlayer
from agon.games.reasons import FAILED
from agon.match.transcript import Fault, FaultEvent, TurnEvent
from agon.match.wording import seat_title
from agon.website.live.frames import Encoder, nodes_of
from agon.website.play.schemas import ChoiceBody, PlayBody, PlayerBody, StepBody, TurnBody

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arena.people.session import PlaySession
    from agon.games.clicks import Step
    from agon.games.game import Position
    from agon.games.scene import Scene
    from agon.match.transcript import Event

MOST_TURNS = 40
LONGEST_TEXT = 120
MILLISECOND = 10**6
GOES_ON = "but the match goes on when it is back."


def scene_body(scene: Scene) -> dict[str, Any]:
    head = {"look": scene.look.name, "width": scene.width, "height": scene.height}
    return {**head, "title": scene.title, "whole": True, **Encoder().encode({}, nodes_of(scene))}


def step_body(step: Step, picks: Sequence[str]) -> StepBody:
    """A turn in the making as data."""
    return StepBody(
        prompt=step.prompt,
        choices=[ChoiceBody(id=one.id, label=one.label) for one in step.choices],
        buttons=[ChoiceBody(id=one.id, label=one.label) for one in step.buttons],
        turn=step.turn,
        pick_words=list(step.pick_words),
        picks=list(picks),
        scene=scene_body(step.scene),
    )


def play_body(session: PlaySession, seat: int) -> PlayBody:
    """The match as it is now, for the person in that seat.

    It may go on meanwhile; then its signal has risen again, and followers ask again.
    """
    moment, position = session.now
    step = session.find_step(seat, moment)
    scene = position.scene(seat, session.party.names) if step is None else step.scene
    stored = None if session.match_id is None else f"/matches/{session.match_id}"
    resigning = tell_resigning(session, position, seat)
    return PlayBody(
        key=session.key,
        game=session.game.name,
        title=session.game.title,
        state=session.state,
        moment=moment,
        seat=seat,
        players=[_player_body(session, number, seat) for number in range(position.seats)],
        may_act=step is not None,
        may_resign=bool(resigning),
        resigning=resigning,
        status=tell_status(session, seat, may_act=step is not None),
        verdict=session.verdict(),
        stored=stored,
        rematch=session.rematch,
        turns=turn_bodies(session, seat),
        step=None if step is None else step_body(step, ()),
        scene=scene_body(scene),
    )


def _player_body(session: PlaySession, number: int, seat: int) -> PlayerBody:
    fault = session.fault_of(number)
    return PlayerBody(
        seat=number,
        title=seat_title(session.game, number),
        name=session.party.names[number],
        is_you=number == seat,
        is_person=not isinstance(session.party.players[number], BotPlayer),
        thinks=number in session.thinking(),
        has_left=fault is Fault.RESIGNED,
        out="" if fault is None else FAILED[fault.value],
        thought_ms=session.thought_ns(number) // MILLISECOND,
    )


def tell_resigning(session: PlaySession, position: Position[Any], seat: int) -> str:
    """What comes of it if the person gives up; empty if there is nothing to give up."""
    if session.state is State.WAITING:
        return "Withdraw the invitation? Its link leads nowhere then."
    if not session.is_under_way or not session.moment or session.fault_of(seat):
        return ""
    others = _others(session, seat)
    if not others:
        return ""
    if len(others) == 1:
        return f"Do you give up? {session.party.names[others[0]]} wins then."
    if _play_on(position, seat, others):
        return "Do you give up? The others play on without you; you do not win."
    return "Do you give up? The match ends then, for the others as well."


def _others(session: PlaySession, seat: int) -> list[int]:
    """Who still plays besides that seat."""
    seats = range(len(session.party.players))
    return [one for one in seats if one != seat and session.fault_of(one) is None]


def _play_on(position: Position[Any], seat: int, others: Sequence[int]) -> bool:
    """Whether the match goes on for the others without that seat."""
    if len(others) <= 1 or position.outcome is not None:
        return False
    return position.drop({seat: Fault.RESIGNED.value}).outcome is None


def tell_status(session: PlaySession, seat: int, *, may_act: bool) -> str:
    names = session.party.names
    if session.state is State.OVER:
        return session.verdict()
    if session.state is State.WAITING:
        return "Waiting for another player to take the free seat."
    if session.is_closed:
        goes_on = "and the match with it." if session.party.has_programs else GOES_ON
        return f"The site is being stopped, {goes_on}"
    if not session.moment:
        return "The bots are getting ready."
    fault = session.fault_of(seat)
    if fault is not None:
        return _tell_out(session, seat, fault)
    if may_act:
        return "It is your turn."
    others = " and ".join(names[one] for one in session.thinking() if one != seat)
    return f"{others or 'A player'} {'think' if ' and ' in others else 'thinks'} …"


def _tell_out(session: PlaySession, seat: int, fault: Fault) -> str:
    """What a player who is out is told; a match that is about to end is not played on."""
    told = f"You {FAILED[fault.value]}."
    if _play_on(session.position, seat, _others(session, seat)):
        return f"{told} The others play on."
    return told


def turn_bodies(session: PlaySession, seat: int) -> list[TurnBody]:
    """What the person may know of the last turns, the latest last."""
    told = []
    number = 0
    for event in session.events:
        number += isinstance(event, TurnEvent)
        lines = _lines(session, event, seat)
        if lines:
            told.append(TurnBody(number=number, told=lines))
    return told[-MOST_TURNS:]


def _lines(session: PlaySession, event: Event, seat: int) -> list[str]:
    names = session.party.names
    if isinstance(event, FaultEvent):
        return [f"{names[event.player]} {FAILED[event.fault.value]}"]
    if not isinstance(event, TurnEvent):
        return []
    is_open = session.state is State.OVER or session.game.are_turns_open
    return [
        f"{names[one]}: {_short(session.game.common_notation(text))}"
        for one, text in event.turns.items()
        if is_open or one == seat
    ]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
