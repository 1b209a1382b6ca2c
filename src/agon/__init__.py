"""Agon: an arena for game-playing bots.

What people write in programs and notebooks: see docs/python.md.

    agon.game("hive")            one game; agon.games() has all of them
    agon.play("hive", [...])     one match between bots, with its transcript
    agon.load(path)              a transcript from a file; agon.replay(it) gives every position
    agon.Match, agon.Position    one match without input and output; one moment of it
    agon.simulate("hive", 1000)  many random games at once, compiled

Importing this loads none of it: each part is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agon.arbiter.limits import Limits
    from agon.arbiter.play import play
    from agon.games.bot import Bot, Budget
    from agon.games.game import Game, Options, Outcome, Position
    from agon.games.registry import all_games as games
    from agon.games.registry import find_game as game
    from agon.match.match import Match
    from agon.match.result import MatchResult
    from agon.match.transcript import Transcript, replay, verify
    from agon.match.transcript import load_transcript as load
    from agon.match.transcript import save_transcript as save
    from agon.simulate.run import simulate

__all__ = [
    "Bot",
    "Budget",
    "Game",
    "Limits",
    "Match",
    "MatchResult",
    "Options",
    "Outcome",
    "Position",
    "Transcript",
    "game",
    "games",
    "load",
    "play",
    "replay",
    "save",
    "simulate",
    "verify",
]

_PLACES = {
    "Bot": "agon.games.bot:Bot",
    "Budget": "agon.games.bot:Budget",
    "Game": "agon.games.game:Game",
    "Limits": "agon.arbiter.limits:Limits",
    "Match": "agon.match.match:Match",
    "MatchResult": "agon.match.result:MatchResult",
    "Options": "agon.games.game:Options",
    "Outcome": "agon.games.game:Outcome",
    "Position": "agon.games.game:Position",
    "Transcript": "agon.match.transcript:Transcript",
    "game": "agon.games.registry:find_game",
    "games": "agon.games:",  # packages that can be called
    "load": "agon.match.transcript:load_transcript",
    "play": "agon.arbiter.play:play",
    "replay": "agon.match.transcript:replay",
    "save": "agon.match.transcript:save_transcript",
    "simulate": "agon.simulate:",
    "verify": "agon.match.transcript:verify",
}


if not TYPE_CHECKING:  # a checker knows the names above, and that there are no others

    def __getattr__(name: str) -> Any:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _PLACES[name].partition(":")
        found = import_module(module)
        return getattr(found, attribute) if attribute else found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
