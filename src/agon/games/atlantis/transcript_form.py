"""The Atlantis transcript, version 1.0: how its matches stand in documents.

    {"format": "Atlantis transcript", "version": "1.0",
     "segments": [["a1", "a2", "b1", "b2", "b3", "c2", "c3"], ...],
     "players": [{"name": "search", "stacks": {"a1": 1, ...}}, ...],
     "events": [
       {"type": "turn", "moves": [["a1", "b2"], ["c3", "c4"]]},
       {"type": "chat", "user": "ada", "time": "2025-11-02T20:15:00+01:00", "message": "Hi"}
     ]}

Turn i is that of player i mod P (R4). The board stands in the document itself, so the options are
found from it: those of a usual board, else `custom` with its segments and stacks as they are.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from agon.errors import AgonError, TranscriptError
from agon.games.atlantis.colours import read_colour
from agon.games.transcript_form import TranscriptForm, parse_players
from agon.strict_json import expect, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agon.games.atlantis.document import BoardText
    from agon.games.atlantis.game import AtlantisOptions
    from agon.games.game import Game, JsonObject, Options


LONGEST_NAME = 40  # and longest key in a note
NAMES_ALIKE = 0.9
"""As alike as a name of the format with two or three wrong letters is to the right one."""
TOP_KEYS = {"format", "version", "segments", "players", "events", "user", "begin", "end"}
TOP_KEYS |= {"rules", "seed", "outcome", "wire", "stderr", "marks", "void"}  # the arena's own
PLAYER_KEYS = {"name", "color", "stacks", "kind", "command", "bot"}
TURN_KEYS = {"type", "moves", "user", "time", "ns", "warnings"}


class AtlantisForm(TranscriptForm):
    """Boards as segments and stacks, turns as lists of moves.

    A seed stands there only if it is not 0: it changes nothing. Keys that are not needed stay in
    the document, which keeps them.
    """

    def amend(self, game: Game, top: dict[str, Any]) -> list[str]:
        """The first site's own files: a misspelt format, and `turns` in place of `events`."""
        name, title = top.get("format"), f"{game.title} transcript"
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            return []
        notes = []
        if name != title:
            if SequenceMatcher(None, name.lower(), title.lower()).ratio() < NAMES_ALIKE:
                return []
            notes.append(f"format {quote(name)}: read as {quote(title)}")
            top["format"] = title
        if "turns" in top and "events" not in top:
            notes.append('turns: read as the moves of "events"')
            turns = expect(top.pop("turns"), list, "turns", "a list of turns")
            top["events"] = [
                {"type": "turn", "moves": turn} if isinstance(turn, list) else turn
                for turn in turns
            ]
        return notes + list(find_unknown(top)) + list(note_colours(top.get("players")))

    def format_setup(
        self, game: Game, options: Options, seed: int, players: Sequence[JsonObject]
    ) -> JsonObject:
        """Segments, and players with their stacks."""
        text = describe_board(game, options, len(players))
        found: JsonObject = {"seed": seed} if seed else {}
        found["segments"] = text.segments
        if players:
            pairs = zip(players, text.stacks, strict=True)
            found["players"] = [{**player, "stacks": stacks} for player, stacks in pairs]
        return found

    def parse_setup(
        self, game: Game, top: dict[str, Any]
    ) -> tuple[Options, int, tuple[JsonObject, ...]]:
        """Take segments, players and a seed out of a document."""
        from agon.games.atlantis.document import read_board, take_stacks

        rules = expect(top.get("rules", game.rules_version), int, "rules", "a whole number")
        if rules != game.rules_version:
            raise TranscriptError(f"rules {rules}: this program plays by {game.rules_version}")
        seed = expect(top.get("seed", 0), int, "seed", "a whole number")
        if seed:
            del top["seed"]
        check_notes(top)
        players = parse_players(top.get("players", []))
        if players:
            del top["players"]
        text = read_board(top.pop("segments", None), take_stacks(players))
        return find_options(game, text), seed, players

    def format_turns(self, turns: Mapping[int, str]) -> JsonObject:
        """The moves of the one seat whose turn it is."""
        from agon.games.atlantis.notation import split_turn

        (text,) = turns.values()
        return {"moves": [list(pair) for pair in split_turn(text)]}

    def parse_turns(
        self, event: dict[str, Any], place: str, number: int, seats: int
    ) -> Mapping[int, str]:
        """Turn i is that of seat i mod P."""
        if not seats:
            raise TranscriptError(f"{place}: a turn, but the document has no players")
        return {number % seats: parse_moves(event.pop("moves", None), f"{place}.moves")}


def find_unknown(top: dict[str, Any]) -> Iterator[str]:
    """Notes about keys of a document that change nothing, in the order of the document."""
    parts: list[tuple[str, Any, set[str]]] = [("", top, TOP_KEYS)]
    for list_key, known in (("players", PLAYER_KEYS), ("events", TURN_KEYS)):
        found = top.get(list_key)
        for number, part in enumerate(found if isinstance(found, list) else ()):
            if list_key == "players" or (isinstance(part, dict) and part.get("type") == "turn"):
                parts.append((f"{list_key}[{number}].", part, known))
    for place, part, known in parts:
        for key in part if isinstance(part, dict) else ():
            if key not in known:
                told = f"{place}{key[:LONGEST_NAME]}"
                yield f"{told}: not a key of this format; it is kept, and has no effect"


def note_colours(players: Any) -> Iterator[str]:
    """Notes about colours that are none, or that are not shown as the document says."""
    from agon.games.atlantis.look import PLAYER_THEMES, choose_themes, say_colours

    if not _is_list(players) or len(players) > len(PLAYER_THEMES):
        return
    said = say_colours(players)
    for seat, (text, theme) in enumerate(zip(said, choose_themes(said), strict=False)):
        colour = read_colour(text)
        if isinstance(players[seat], dict) and "color" in players[seat] and colour is None:
            given = quote(players[seat]["color"])
            yield f"players[{seat}].color {given}: not a colour of SVG; shown as {theme.name}"
        elif colour and colour != theme.light:
            yield f"players[{seat}].color {quote(text)}: too like another; shown as {theme.name}"


def parse_moves(data: Any, place: str) -> str:
    """The text of a turn from the list of its moves."""
    from agon.games.atlantis.document import read_field
    from agon.games.atlantis.notation import join_turn

    moves = expect(data, list, place, "a list of moves")
    for number, move in enumerate(moves):
        here = f"{place}[{number}]"
        if not isinstance(move, list) or len(move) != 2:
            raise TranscriptError(f"{here} {quote(move)}: expected two fields")
        for i, field in enumerate(move):
            read_field(field, f"{here}[{i}]")
    return join_turn(moves)


def describe_board(game: Game, options: Options, players: int) -> BoardText:
    """The board of these options as documents have it."""
    from agon.games.atlantis.document import BoardText, format_segments, format_stacks, parse_custom

    chosen = cast("AtlantisOptions", game.options.of(options))
    if chosen.custom:
        return parse_custom(chosen.custom)
    board = chosen.find_board(players or None)
    return BoardText(format_segments(board), [format_stacks(s) for s in board.stacks], board)


def find_options(game: Game, text: BoardText) -> Options:
    """The options by which this board, written in this way, is played on."""
    from agon.games.atlantis.boards import SHAPES
    from agon.games.atlantis.document import format_custom

    fields = len(text.segments) * 7
    for shape in SHAPES if text.stacks else ():
        size = next(size for size in count(2) if board_fields(shape, size) >= fields)
        if board_fields(shape, size) == fields and _is_that_board(game, text, shape, size):
            return game.options(board=shape, size=size)
    return game.options(custom=format_custom(text))


def board_fields(shape: str, size: int) -> int:
    """How many fields a usual board has.

    >>> [board_fields("triangle", 6), board_fields("hexagon", 3), board_fields("rhombus", 5)]
    [147, 133, 175]
    """
    segments = {
        "triangle": size * (size + 1) // 2,
        "hexagon": 3 * size * (size - 1) + 1,
        "rhombus": size * size,
    }
    return 7 * segments[shape]


def _is_that_board(game: Game, text: BoardText, shape: str, size: int) -> bool:
    try:
        usual = describe_board(game, game.options(board=shape, size=size), len(text.stacks))
    except AgonError:  # larger than can be set, or fewer corners than there are players
        return False
    return (text.segments, text.stacks) == (usual.segments, usual.stacks)


def check_notes(top: dict[str, Any]) -> None:
    """Refuse a document whose names and dates are none: the user, begin and end, and the chat."""
    from agon.games.atlantis.document import check_date

    events = top.get("events", [])
    notes = [(event, f"events[{n}].") for n, event in enumerate(events)] if _is_list(events) else []
    for data, prefix in [(top, ""), *notes]:
        if not isinstance(data, dict):
            continue
        if "user" in data:
            expect(data["user"], str, f"{prefix}user", "a text")
        for key in ("time",) if prefix else ("begin", "end"):
            if key in data:
                check_date(data[key], f"{prefix}{key}")
        if prefix and data.get("type") == "chat":
            expect(data.get("message"), str, f"{prefix}message", "a text")


def _is_list(data: Any) -> bool:
    return isinstance(data, list)
