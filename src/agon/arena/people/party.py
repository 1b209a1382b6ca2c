"""Who sits down together, and to what: the people and bots of a match by seat."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from agon.games.game import Game, Options

GUEST = "guest"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a browser, or a program that plays through the API.

    Who has an account is known by it; everybody else by a secret that their browser keeps.
    """

    secret: str = field(default="", repr=False)
    user_id: int | None = None
    name: str = GUEST
    mark: str = ""
    """What is written down of the secret: it can be told again by it, but not found out."""

    def __post_init__(self) -> None:
        """The mark follows from the secret."""
        if self.secret and not self.mark:
            object.__setattr__(self, "mark", sha256(self.secret.encode()).hexdigest())

    def is_same(self, other: Person) -> bool:
        """Whether the other is this person, too."""
        if self.user_id is not None:
            return self.user_id == other.user_id
        if not self.mark or not other.mark:
            return False
        return hmac.compare_digest(self.mark, other.mark)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot: one of the game's own by its name, or a version that is stored."""

    name: str
    built_in: str = ""
    version_id: int | None = None


Player: TypeAlias = Person | Opponent | None
"""None: the seat is free for somebody who gets the link."""


@dataclass(frozen=True, slots=True)
class Party:
    """A match that is about to be played."""

    game: Game
    options: Options
    players: tuple[Player, ...]

    def seat_of(self, person: Person) -> int | None:
        """Where somebody sits."""
        for seat, player in enumerate(self.players):
            if isinstance(player, Person) and player.is_same(person):
                return seat
        return None

    @property
    def has_programs(self) -> bool:
        """Whether a bot plays that is a program, and so has a memory of its own of the match."""
        return any(isinstance(one, Opponent) and one.version_id is not None for one in self.players)

    @property
    def free(self) -> int | None:
        """The first free seat."""
        return self.players.index(None) if None in self.players else None

    def with_player(self, seat: int, player: Player) -> Party:
        """The same with somebody in that seat."""
        players = list(self.players)
        players[seat] = player
        return replace(self, players=tuple(players))

    def turned(self, asker: Person) -> Party:
        """Everybody a seat further, for a rematch that this person wants.

        Other people have their seats only when they come to take them.
        """
        kept = [
            None if isinstance(player, Person) and not player.is_same(asker) else player
            for player in self.players
        ]
        return replace(self, players=(*kept[1:], kept[0]))

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called; no two alike.

        >>> from agon.games.registry import find_game
        >>> hive = find_game("hive")
        >>> Party(hive, hive.options(), (Person(), Person("x"))).names
        ('guest', 'guest 2')
        """
        names: list[str] = []
        for player in self.players:
            name = "somebody" if player is None else player.name
            wanted = (name if times == 1 else f"{name} {times}" for times in count(1))
            names.append(next(one for one in wanted if one not in names))
        return tuple(names)
