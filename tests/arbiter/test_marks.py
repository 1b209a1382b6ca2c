"""The marks in a transcript say which lines of a program belong to which event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.arbiter.entrant import find_entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.series import Series, SeriesRunner
from agon.games.bot import no_time
from agon.match.transcript import TurnEvent
from tests.arbiter.test_series import card_player
from tests.toy_game import GAME, ToyOptions

if TYPE_CHECKING:
    from pathlib import Path


def test_after_each_turn_a_mark_stands_behind_its_answer(tmp_path: Path) -> None:
    entrants = (card_player(tmp_path), find_entrant(GAME, "random"))
    pair = Series(GAME, ToyOptions(seats=2), entrants, Limits(), 0)
    match = SeriesRunner(no_time, launch_on_host, keeps_logs=True).play(pair, 0)
    extra: Any = match.transcript.extra
    marks, wire = extra["marks"][0], extra["wire"][0]
    assert extra["marks"][1] == [], "a built-in bot says nothing"
    assert marks[0] == [0, 0, 0]
    assert len(marks) == 1 + match.turns
    for number, (event, mark) in enumerate(zip(match.transcript.events, marks[1:], strict=True)):
        assert isinstance(event, TurnEvent)
        assert mark[0] == number + 1
        said = [line[2:] for line in wire[: mark[1]] if line[0] == "<"]
        assert said[-1] == event.turns[0]
        assert len(said) == number + 1
    assert marks[-1][1] < len(wire), "the end is told after the last turn"
