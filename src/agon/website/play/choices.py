"""What a player may choose before a match: the opponent, the seat, the game's options."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from agon.arena.people.opponents import can_run, list_opponents
from agon.arena.people.party import BotPlayer, Party
from agon.datastore.enums import VersionStatus
from agon.errors import DatastoreError, SettingError
from agon.games.game import SEATS
from agon.match.wording import seat_title

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arena.people.party import Person, Player
    from agon.datastore.store import Store
    from agon.games.game import Game

PERSON = "person"
VERSION = re.compile(r"version:([0-9]{1,18})", re.ASCII)
STRENGTHS = {
    "random": "weak: any legal turn",
    "greedy": "fair: takes what looks best at once",
    "search": "strong: thinks ahead",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player wants to play, as a form or a program says it."""

    opponent: str | None = None
    """A built-in bot's name, `version:12`, or `person` for an opponent who gets a link.

    None: the game's usual opponent.
    """
    seat: int | None = None
    """None: by chance."""
    players: int | None = None
    """None: as few as the game is for."""
    others: str | None = None
    """The built-in bot that fills the other seats; None: the game's usual opponent."""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpponentOffer:
    """An opponent in the list."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class OptionOffer:
    """An option in the form."""

    name: str
    kind: str
    """`choice`, `switch`, `number`, `text` or `document`."""
    default: str
    help: str
    choices: tuple[str, ...]
    is_main: bool
    """Whether it stands in front of those that few people need."""


def built_in_offers(game: Game) -> list[OpponentOffer]:
    """The game's own bots, the weakest first."""
    return [
        OpponentOffer(name, f"{name} ({STRENGTHS[name]})" if name in STRENGTHS else name)
        for name in game.bot_names
    ]


def level_offers(game: Game) -> list[OpponentOffer]:
    """Levels of strength: `3 (Elo 420)`."""
    names, ratings = game.level_names, game.level_ratings
    return [
        OpponentOffer(name, f"{number} (Elo {rating})" if ratings else str(number))
        for number, (name, rating) in enumerate(zip(names, ratings or names, strict=True), 1)
    ]


def ladder_offers(store: Store, game: Game) -> list[OpponentOffer]:
    """The bots that are programs: of each the newest version that plays."""
    return [
        OpponentOffer(
            f"version:{one.version_id}", f"{one.title} by {one.owner}" if one.owner else one.title
        )
        for one in list_opponents(store, game)
    ]


def option_offers(game: Game) -> list[OptionOffer]:
    """What can be set, but for the number of players."""
    return [_option_offer(one) for one in fields(game.options) if one.name != SEATS]


def _option_offer(one: Any) -> OptionOffer:
    told = one.metadata
    if isinstance(one.default, bool):
        kind, default = "switch", "on" if one.default else "off"
    elif isinstance(one.default, int):
        kind, default = "number", str(one.default)
    else:
        text = "document" if told["document"] else "text"
        kind, default = "choice" if told["choices"] else text, one.default
    return OptionOffer(one.name, kind, default, told["help"], told["choices"], told["main"])


def seat_offers(game: Game) -> list[tuple[int, str]]:
    """The seats by number, and what they are called."""
    return [(seat, seat_title(game, seat)) for seat in range(game.seats[-1])]


def make_party(
    store: Store, game: Game, person: Person, wish: Wish, draw: Callable[[int], int]
) -> Party:
    """The party that a player wants; `draw` gives a number below another by chance.

    SettingError if something of it does not exist.
    """
    seats = game.check_seats(game.seats[0] if wish.players is None else wish.players)
    seat = draw(seats) if wish.seat is None else wish.seat
    if not 0 <= seat < seats:
        raise SettingError(f"seat {seat}: expected 0 to {seats - 1}")
    options = game.parse_options(wish.options, seats)
    usual = game.usual_opponent
    others: list[Player] = [
        _opponent(store, game, usual if wish.opponent is None else wish.opponent)
    ]
    others += [_built_in(game, usual if wish.others is None else wish.others)] * (seats - 2)
    return Party(game, options, _seated(person, seat, others))


def _seated(person: Person, seat: int, others: Sequence[Player]) -> tuple[Player, ...]:
    return (*others[:seat], person, *others[seat:])


def _opponent(store: Store, game: Game, value: str) -> Player:
    if value == PERSON:
        return None
    found = VERSION.fullmatch(value)
    return _stored(store, game, int(found[1])) if found else _built_in(game, value)


def _built_in(game: Game, name: str) -> BotPlayer:
    if not game.has_bot(name):
        raise SettingError(
            f"opponent {name[:40]!r}: expected one of {game.known_bots}, {PERSON}, "
            "or version: and a number"
        )
    return BotPlayer(name, built_in=name)


def _stored(store: Store, game: Game, version_id: int) -> BotPlayer:
    """Any version that may play, also one that a newer one has taken the place of."""
    try:
        version = store.versions.get(version_id)
        bot = store.bots.get(version.bot_id)
    except DatastoreError:
        raise SettingError(f"version {version_id}: there is none of that number") from None
    if bot.game != game.name:
        raise SettingError(f"version {version_id} of {bot.name!r} plays {bot.game}")
    if bot.built_in:
        return _built_in(game, bot.name)
    is_active = version.status is VersionStatus.ACTIVE and bot.removed_ns is None
    if not is_active or not can_run(store, version_id):
        raise SettingError(f"version {version_id} of {bot.name!r} does not play any more")
    return BotPlayer(f"{bot.name}@{version.number}", version_id=version_id)
