"""How a match stands in a transcript: its setup, and the turns of an event.

All games share one form; a game whose own transcripts came first has its own, by a subclass.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from agon.errors import SettingError, TranscriptError
from agon.strict_json import expect, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.game import Game, JsonObject, Options

SEATS = {str(seat): seat for seat in range(8)}


class TranscriptForm:
    """The common form: options by name and a seed; turns as texts by seat."""

    def amend(self, game: Game, top: dict[str, Any]) -> list[str]:
        """Bring a document of an earlier program into this form.

        Returns notes for its reader: what was read otherwise than it stands there, or not at all.
        A document of another game is left alone.
        """
        return []

    def format_setup(
        self, game: Game, options: Options, seed: int, players: Sequence[JsonObject]
    ) -> JsonObject:
        """The keys of the document that say how the match was set up, the players among them."""
        return {
            "rules": game.rules_version,
            "options": asdict(options),
            "seed": seed,
            "players": list(players),
        }

    def parse_setup(
        self, game: Game, top: dict[str, Any]
    ) -> tuple[Options, int, tuple[JsonObject, ...]]:
        """Take those keys out of a document: the options, the seed, the players."""
        rules = expect(top.pop("rules", game.rules_version), int, "rules", "a whole number")
        if rules != game.rules_version:
            raise TranscriptError(f"rules {rules}: this program plays by {game.rules_version}")
        seed = expect(top.pop("seed", 0), int, "seed", "a whole number")
        options = parse_json_options(game, top.pop("options", {}))
        return options, seed, parse_players(top.pop("players", None))

    def format_turns(self, turns: Mapping[int, str]) -> JsonObject:
        """The keys of a turn event that say what was played."""
        return {"turns": {str(seat): text for seat, text in turns.items()}}

    def parse_turns(
        self, event: dict[str, Any], place: str, number: int, seats: int
    ) -> Mapping[int, str]:
        """Take those keys out of the event of that number: what each seat played."""
        return parse_by_seat(event.pop("turns", None), f"{place}.turns", str, "a text")


COMMON = TranscriptForm()


def parse_json_options(game: Game, data: Any) -> Options:
    """A game's options from an object of a document."""
    given = expect(data, dict, "options", "an object")
    defaults = {f.name: f.default for f in fields(game.options)}
    texts = {}
    for name, value in given.items():
        if not isinstance(value, bool | int | str):
            raise TranscriptError(f"options.{name} {quote(value)}: expected one value")
        if name in defaults and type(value) is not type(defaults[name]):
            example = quote(defaults[name])
            raise TranscriptError(f"options.{name} {quote(value)}: expected such as {example}")
        texts[name] = ("off", "on")[value] if isinstance(value, bool) else str(value)
    try:
        return game.parse_options(texts)
    except SettingError as error:
        raise TranscriptError(f"options: {error}") from None


def parse_players(data: Any) -> tuple[JsonObject, ...]:
    """The players of a document, each an object that may have a name."""
    players = expect(data, list, "players", "a list")
    for number, player in enumerate(players):
        expect(player, dict, f"players[{number}]", "an object")
        expect(player.get("name", ""), str, f"players[{number}].name", "a text")
    return tuple(players)


def parse_by_seat(data: Any, place: str, kind: type, expected: str) -> dict[int, Any]:
    """An object with a value for each of some seats."""
    found = expect(data, dict, place, "an object")
    for seat, value in found.items():
        if seat not in SEATS:
            raise TranscriptError(f"{place} {quote(seat)}: expected a seat from 0 to 7")
        expect(value, kind, f"{place}.{seat}", expected)
    return {SEATS[seat]: value for seat, value in found.items()}
