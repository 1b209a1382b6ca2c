"""The figures of a series of matches, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.cli.console import JsonValue, format_seconds, result_console

if TYPE_CHECKING:
    from agon.arbiter.series import Score, Series
    from agon.games.game import Game
    from agon.match.result import MatchResult

LONGEST_TEXT = 4000
MOST_LINES = 12
"""A match in more characters than that is for a file, not for a screen."""


def format_points(score: Score) -> str:
    """Wins so far, and draws."""
    return " : ".join(map(str, score.wins)) + f", {score.shared} drawn"


def score_json(series: Series, score: Score) -> dict[str, JsonValue]:
    """The figures for programs; times in nanoseconds."""
    return {
        "game": series.game.name,
        "options": asdict(series.options),
        "bots": [entrant.name for entrant in series.entrants],
        "wins": score.wins,
        "draws": score.shared,
        "thought_ns": score.thought_ns,
        "slowest_turn_ns": score.slowest_ns,
        "faults": score.faults,
        "games": [
            {
                "seats": list(series.names(number)),
                "seed": series.seed_of(number),
                "turns": match.turns,
                "winner": match.outcome.winner,
                "reason": match.outcome.reason,
                "faults": [None if fault is None else fault.value for fault in match.faults],
                "match": match_text(series.game, match),
            }
            for number, match in enumerate(score.matches)
        ],
    }


def match_text(game: Game, match: MatchResult) -> str:
    """The match in the game's own text format."""
    from agon.match.transcript import played_positions

    return game.format_match(played_positions(match.transcript))


def print_score(series: Series, score: Score) -> None:
    from rich.markup import escape
    from rich.table import Table

    from agon.match.transcript import FaultEvent

    console = result_console()
    if len(score.matches) == 1:
        match = score.matches[0]
        winner = match.outcome.winner
        ending = "draw" if winner is None else f"{series.names(0)[winner]} wins"
        console.print(
            f"[bold]{escape(ending)}[/] after {match.turns} turns: {match.outcome.reason}"
        )
        for event in match.transcript.events:
            if isinstance(event, FaultEvent):
                name = series.names(0)[event.player]
                console.print(f"{name}: {event.fault.value}: {event.whole}", markup=False)
        text = match_text(series.game, match)
        if len(text) <= LONGEST_TEXT and text.count("\n") < MOST_LINES:
            print(text)
        return
    total = len(score.matches)
    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    for heading in ("bot", "wins", "draws", "losses", "score", "faults", "slowest turn"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for bot, entrant in enumerate(series.entrants):
        wins, drawn = score.wins[bot], score.shared
        table.add_row(
            escape(entrant.name),
            str(wins),
            str(drawn),
            str(total - wins - drawn),
            f"{100 * (wins + drawn / len(series.entrants)) / total:.1f} %",
            str(score.faults[bot]),
            format_seconds(score.slowest_ns[bot]),
        )
    console.print(table)
    turns = sum(match.turns for match in score.matches)
    console.print(f"{total} games, {turns / total:.1f} turns on average", style="dim")
