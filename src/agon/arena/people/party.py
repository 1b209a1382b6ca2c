"""The people and bots of a match by seat, and what they play."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from agon.match.transcript import Transcript

if TYPE_CHECKING:
    from agon.games.game import Game, JsonObject, Options

GUEST = "guest"


@dataclass(frozen=True, slots=True)
class Person:
    """A person at a browser, or a program that plays through the API.

    A user is known by the account, a guest by a secret that the browser keeps.
    """

    secret: str = field(default="", repr=False)
    user_id: int | None = None
    name: str = GUEST
    mark: str = ""
    """The hash of the secret, which is stored in its place."""

    def __post_init__(self) -> None:
        if self.secret and not self.mark:
            object.__setattr__(self, "mark", sha256(self.secret.encode()).hexdigest())

    def is_same(self, other: Person) -> bool:
        if self.user_id is not None:
            return self.user_id == other.user_id
        if not self.mark or not other.mark:
            return False
        return hmac.compare_digest(self.mark, other.mark)


@dataclass(frozen=True, slots=True)
class BotPlayer:
    """A built-in bot by its name, or a stored version."""

    name: str
    built_in: str = ""
    version_id: int | None = None


Player: TypeAlias = Person | BotPlayer | None
"""None: the seat is free for a person who has the link."""


@dataclass(frozen=True, slots=True)
class Party:
    """A match that is about to be played."""

    game: Game
    options: Options
    players: tuple[Player, ...]

    def seat_of(self, person: Person) -> int | None:
        for seat, player in enumerate(self.players):
            if isinstance(player, Person) and player.is_same(person):
                return seat
        return None

    @property
    def has_programs(self) -> bool:
        """Whether a program plays, which remembers the match by itself."""
        bots = (one for one in self.players if isinstance(one, BotPlayer))
        return any(bot.version_id is not None for bot in bots)

    @property
    def free(self) -> int | None:
        """The first free seat."""
        return self.players.index(None) if None in self.players else None

    def with_player(self, seat: int, player: Player) -> Party:
        players = list(self.players)
        players[seat] = player
        return replace(self, players=tuple(players))

    def turned(self, asker: Person) -> Party:
        """Every player a seat further, for a rematch that this person wants.

        The seats of other people are free until they come.
        """
        kept = [
            None if isinstance(player, Person) and not player.is_same(asker) else player
            for player in self.players
        ]
        return replace(self, players=(*kept[1:], kept[0]))

    def setup(self, seed: int) -> Transcript:
        """A match of this party of which nothing is played."""
        players: list[JsonObject] = [
            {"name": name, "kind": _kind(player)}
            for name, player in zip(self.names, self.players, strict=True)
        ]
        return Transcript(self.game, self.options, seed, tuple(players))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players; no two alike.

        >>> from agon.games.registry import find_game
        >>> hive = find_game("hive")
        >>> Party(hive, hive.options(), (Person(), Person("x"))).names
        ('guest', 'guest 2')
        """
        names: list[str] = []
        for player in self.players:
            name = "free seat" if player is None else player.name
            wanted = (name if times == 1 else f"{name} {times}" for times in count(1))
            names.append(next(one for one in wanted if one not in names))
        return tuple(names)


def _kind(player: Player) -> str:
    if not isinstance(player, BotPlayer):
        return "person"
    return "built-in" if player.version_id is None else "program"
