"""What is counted of a dataset while it is written: for its data card, and for who wrote it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agon.games.game import Game
    from agon.games.learning import Learning
    from agon.learn.dataset.decisions import DecisionFinder
    from agon.learn.dataset.row import Row


class Summary:
    """The matches of a dataset in figures."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.matches = 0
        self.turns = 0
        self.without_outcome = 0
        self.with_faults = 0
        self.first_ns: int | None = None
        """When the earliest match began, of those of which it is known."""
        self.last_ns: int | None = None
        """When the latest one began."""
        self.players: Counter[tuple[str, int | None]] = Counter()
        """How many seats each name with each version had."""
        self.options: Counter[str] = Counter()
        """How many matches were played by each choice of options, as JSON."""
        self.decisions: int | None = None
        """None: they are not part of it."""
        self.undecided = 0
        """Turns that are made of no decisions."""
        self.on_other_maps = 0
        """Matches whose decisions have other numbers than those of the first one."""
        self.learning: Learning | None = None

    def count_decisions(self, finder: DecisionFinder, found: int) -> None:
        """Count those of a match."""
        self.decisions = (self.decisions or 0) + found
        self.undecided, self.learning = finder.left_out, finder.learning
        self.on_other_maps = finder.matches_left_out

    def add(self, row: Row) -> None:
        """Count a match."""
        self.matches += 1
        self.turns += row["turns"]
        self.without_outcome += row["reason"] is None
        self.with_faults += any(player["fault"] is not None for player in row["players"])
        self.options[row["options"]] += 1
        for player in row["players"]:
            self.players[player.get("name") or "", player["version"]] += 1
        began = row["started"]
        if began is not None:
            self.first_ns = began if self.first_ns is None else min(began, self.first_ns)
            self.last_ns = began if self.last_ns is None else max(began, self.last_ns)

    def figures(self) -> dict[str, Any]:
        """For programs."""
        return {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "matches": self.matches,
            "turns": self.turns,
            "without_outcome": self.without_outcome,
            "with_faults": self.with_faults,
            "first_ns": self.first_ns,
            "last_ns": self.last_ns,
            "players": len(self.players),
            "decisions": self.decisions,
            "turns_without_decisions": self.undecided,
            "matches_without_decisions": self.on_other_maps,
        }
