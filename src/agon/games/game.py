"""What every game is to the rest of the system.

Sequential and simultaneous games have one shape: some seats owe a turn (`to_act`), and `play` takes
the turns of all of them at once. Positions are values: `play` returns the next one and leaves the
old one as it is, so a replay, an undo or a search simply keeps the positions that it needs. Hidden
information lives in `observe`: what one seat may know. Chance comes from the seed given to `start`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from agon.errors import MissingPartError, SettingError
from agon.games.levels import level_names
from agon.games.transcript_form import COMMON, TranscriptForm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable
    from random import Random
    from typing import Self

    from rich.text import Text

    from agon.games.bot import Bot, BotMakers
    from agon.games.clicks import Clicks
    from agon.games.dialogue import Dialogue, Dialogues
    from agon.games.learning import Learning
    from agon.games.match_log import MatchLog
    from agon.games.perft import PerftJob
    from agon.games.scene import Scene
    from agon.games.shapes import Look, Shape
    from agon.games.simulation import Simulation

TurnT = TypeVar("TurnT")
NOTHING_FORCED: MappingProxyType[int, Any] = MappingProxyType({})
NO_GUIDES: MappingProxyType[str, str] = MappingProxyType({})

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: each seat's points in the game's own terms (more is better), and why."""

    scores: tuple[int, ...]
    reason: str
    points: tuple[int, ...] = field(default=(), compare=False)
    """What was counted, by seat, in a game whose scores are ranks: Atlantis' fields."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many seats did better than each seat.

        >>> Outcome((3, 9, 3), "turn limit").ranks
        (1, 0, 1)
        """
        return tuple(sum(other > own for other in self.scores) for own in self.scores)

    @property
    def winner(self) -> int | None:
        """The one seat that did best, or None if several share the top.

        >>> Outcome((0, 2), "queen surrounded").winner
        1
        """
        best = [seat for seat, rank in enumerate(self.ranks) if rank == 0]
        return best[0] if len(best) == 1 else None


class Position(ABC, Generic[TurnT]):
    """A moment of a match. Turns are of the game's own type; text goes through parse and format."""

    options: Options
    """Those of the match; with the seed they give its start again."""
    adjustable: tuple[str, ...] = ()
    """The options that `with_options` can change."""
    seats: int
    """Number of seats of this match."""
    to_act: tuple[int, ...]
    """The seats that owe a turn now, in order; empty when the match is over."""
    outcome: Outcome | None
    """How the match ended, or None while it goes on."""
    turn: int
    """Rises with every turn that is played, by one or, where turns are left out, by more."""
    forced: Mapping[int, TurnT] = NOTHING_FORCED
    """Turns that are due and that the rules make themselves: those seats are not asked."""

    @abstractmethod
    def legal_moves(self, seat: int) -> Sequence[TurnT]:
        """What the seat may do: its turns, or, where a turn is made of several moves, those."""

    @abstractmethod
    def random_turn(self, seat: int, rng: Random) -> TurnT:
        """A legal turn by chance; every turn of a game with simple turns is equally likely."""

    @abstractmethod
    def play(self, turns: Mapping[int, TurnT]) -> Self:
        """The position after these turns, one for each seat in `to_act`.

        Raises IllegalMoveError if the rules forbid one, SettingError if a seat is missing or has
        no turn now.
        """

    @abstractmethod
    def parse_turn(self, seat: int, text: str) -> TurnT:
        """Read a turn. NotationError: not the notation. IllegalMoveError: not allowed here."""

    @abstractmethod
    def format_turn(self, seat: int, turn: TurnT) -> str:
        """The turn in the game's own notation; `parse_turn` gives it back."""

    @abstractmethod
    def observe(self, seat: int | None) -> JsonObject:
        """All that the seat may know, in the game's own terms; None: all that there is to know."""

    @abstractmethod
    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        """The picture of what `observe` tells; with the players' names, if they are known.

        Names may be any text: `Players` makes them fit to be shown.
        """

    @abstractmethod
    def drop(self, faults: Mapping[int, str]) -> Self:
        """The position after these seats failed at once: seat to what happened, `timeout`.

        The match may end with it, or go on without them: they owe no turn any more, or their turns
        are in `forced`. A seat that failed never wins.
        """

    def __copy__(self) -> Self:
        """The same without what can be computed again: it may differ in a copy that is changed."""
        kind, new = type(self), object.__new__(type(self))
        for name, value in vars(self).items():
            if not isinstance(getattr(kind, name, None), cached_property):
                setattr(new, name, value)
        return new

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle is made of: all but what can be computed again.

        Mappings become dicts, since a read-only view does not pickle.
        """
        kind = type(self)
        return {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in vars(self).items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }

    @classmethod
    def of(cls, position: Position[Any]) -> Self:
        """This position, as one of the game that asks; another game's is refused."""
        if not isinstance(position, cls):
            raise SettingError(f"{type(position).__name__}: expected {cls.__name__}")
        return position

    def stop(self, outcome: Outcome) -> Self:
        """The same as the last position of a match that ends here by no rule of the game.

        That is how a turn limit ends one: no seat owes a turn any more.
        """
        stopped = copy(self)
        stopped.outcome, stopped.to_act, stopped.forced = outcome, (), NOTHING_FORCED
        return stopped

    def stages(self, turns: Mapping[int, TurnT]) -> Sequence[tuple[str, Self]]:
        """What happens on the way to `play(turns)`, which is the last: captions and positions.

        For replays of games whose turns have phases; matches are not played on from a stage.
        """
        return (("", self.play(turns)),)

    def with_options(self, options: Options) -> Self:
        """This moment in a match with other options, to look at or to play on from.

        Raises SettingError for a change that is not `adjustable`. A match that is over stays as it
        ended.
        """
        if type(options) is not type(self.options):
            expected = type(self.options).__name__
            raise SettingError(f"{type(options).__name__}: expected {expected}")
        for known in fields(options):
            old, new = getattr(self.options, known.name), getattr(options, known.name)
            if old != new and known.name not in self.adjustable:
                can = ", ".join(self.adjustable) or "none"
                raise SettingError(
                    f"option {known.name}={new!r}: expected {old!r}, as the position was made with;"
                    f" options that can change are: {can}"
                )
        changed = copy(self)
        changed.options = options
        return changed if self.outcome else changed._adjusted()

    def _adjusted(self) -> Self:
        """The same with all that follows from its options, which have just changed."""
        return self

    def _repr_svg_(self) -> str:
        """The whole picture, for notebooks; `position.scene(seat)` is what one seat sees."""
        return self.scene(None)._repr_svg_()

    def check_turns(self, turns: Mapping[int, TurnT]) -> None:
        """Raise SettingError unless there is a turn for just the seats that owe one."""
        if not turns or (tuple(turns) != self.to_act and tuple(sorted(turns)) != self.to_act):
            owing = ", ".join(map(str, self.to_act)) or "none: the match is over"
            raise SettingError(f"turns for seats {sorted(turns)}: the seats to act are {owing}")


@dataclass(frozen=True, slots=True)
class Options:
    """What can be set for a match; every game has its own subclass with more fields."""

    if TYPE_CHECKING:

        def __init__(self, **values: Any) -> None: ...  # `game.options(variant="Base+M")`

    @classmethod
    def of(cls, options: Options | None) -> Self:
        """These options, or the defaults; another game's are refused."""
        if options is None:
            return cls()
        if not isinstance(options, cls):
            raise SettingError(f"{type(options).__name__}: expected {cls.__name__}")
        return options


SEATS = "seats"
"""The option that says how many play, in games that have it."""


def option(
    default: Any,
    help_text: str,
    choices: tuple[str, ...] = (),
    *,
    is_main: bool = False,
    is_document: bool = False,
) -> Any:
    """A field of an Options class: its default, a line of help, and what a text may be.

    Forms show main options first, and a text area for one that is a whole document.
    """
    told = {"help": help_text, "choices": choices, "main": is_main, "document": is_document}
    return field(default=default, metadata=told)


OptionsT = TypeVar("OptionsT", bound=Options)


def parse_options(kind: type[OptionsT], given: Mapping[str, str]) -> OptionsT:
    """Options from texts, such as a command line gives; what is not given has its default."""
    known = {f.name: f for f in fields(kind)}
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "no option at all"
            raise SettingError(f"option {name!r}: expected {expected}")
        values[name] = _parse_option(name, text, known[name].default, known[name].metadata)
    return kind(**values)


def _parse_option(name: str, text: str, default: Any, metadata: Mapping[str, Any]) -> Any:
    if isinstance(default, bool):
        if text.lower() not in ("on", "off", "true", "false"):
            raise SettingError(f"option {name}={text!r}: expected on or off")
        return text.lower() in ("on", "true")
    if isinstance(default, int):
        if not re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII):
            raise SettingError(f"option {name}={text!r}: expected a whole number")
        return int(text)
    if metadata["choices"] and text not in metadata["choices"]:
        raise SettingError(f"option {name}={text!r}: expected {', '.join(metadata['choices'])}")
    return text


class Game(ABC):
    """One game: what it is called, what can be set, and the way to its parts.

    A Game object is light: its parts are modules of its package (`bots`, `protocol`, `simulation`,
    `match_text`, `terminal`, `look`, `clicks`), loaded when they are asked for.
    """

    name: str
    title: str
    summary: str
    seats: range
    rules_version: int
    options: type[Options]
    bot_names: tuple[str, ...]
    """The built-in bots, from the weakest to the strongest."""
    level_ratings: tuple[int, ...] = ()
    """Of the levels, from the first on, in Elo (docs/strength.md); empty: not measured."""
    form: TranscriptForm = COMMON
    """How its matches stand in transcripts."""
    protocol_page: str = "PROTOCOL.md"
    """The page about its protocols: a file of its package, or else of Agon's `docs`."""
    guides: Mapping[str, str] = NO_GUIDES
    """More pages of Agon's `docs` about it, by name, and what each is for."""
    has_maps: bool = False
    """Whether `agon map` can make maps of it: a module `map_maker` with a `MAKER`."""
    has_boards: bool = False
    """Whether `agon board` can make boards of it: a module `board_maker` with a `make_board`."""
    network_protocol: str = ""
    """The protocol of its own network server; empty: it has none."""
    has_common_notation: bool = False
    """Whether players write turns otherwise than bots and transcripts: `common_notation`."""
    are_turns_open: bool = False
    """Whether players learn of each other's turns while they play; else only after the match."""
    picture_turns: int = 12
    """After so many turns of chance a position makes a good picture of the game."""
    example_seed: int = 1
    """The seed of a match between built-in bots that shows the game well."""

    def __repr__(self) -> str:
        return f"agon.game({self.name!r})"

    def __reduce__(self) -> str:
        """Pickle the name `GAME` in the game's module: unpickled it is this very object."""
        return "GAME"

    @abstractmethod
    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> Position[Any]:
        """The first position of a match for so many, or for the usual number.

        The seed rules all chance in it.
        """

    @property
    def usual_opponent(self) -> str:
        """The built-in bot to play against if no other is chosen: one of middling strength."""
        names = self.bot_names
        return "greedy" if "greedy" in names else names[len(names) // 2]

    @property
    def rule_sets(self) -> Sequence[Options]:
        """Options for which the rules are compiled apart from each other."""
        return (self.options(),)

    @property
    def package(self) -> str:
        """The name of the package that the game's files are in."""
        return type(self).__module__.rpartition(".")[0]

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages in which `find_file` looks, one after the other."""
        return (self.package,)

    def find_file(self, name: str) -> Traversable | None:
        """A file or folder that comes with the game: `README.md` is its rules."""
        found = (files(package) / name for package in self.packages)
        return next((file for file in found if file.is_file() or file.is_dir()), None)

    def part(self, name: str) -> Any:
        """A module of the game's package, loaded when it is first asked for."""
        return import_module(f"{self.package}.{name}")

    def bots(self) -> BotMakers:
        """The built-in bots: name to a function that makes one from a seed."""
        bots: BotMakers = self.part("bots").BOTS
        return bots

    def simulation(self, options: Options | None = None) -> Simulation:
        """The compiled parts for playing many matches at once."""
        made: Simulation = self.part("simulation").make_simulation(self.options.of(options))
        return made

    def learning(self, options: Options | None = None) -> Learning:
        """The compiled parts for deciding in many matches at once."""
        if self.find_file("learning.py") is None:
            raise MissingPartError(f"{self.title} has no learning.py: agon.learn cannot play it")
        made: Learning = self.part("learning").make_learning(self.options.of(options))
        return made

    def learning_of(self, position: Position[Any]) -> Learning:
        """The same for the match of this position."""
        return self.learning(position.options)

    def parse_match(self, text: str) -> Sequence[Position[Any]]:
        """Read a match from the text that players of this game exchange: all its positions."""
        positions: Sequence[Position[Any]] = self.part("match_text").parse_match(text)
        return positions

    def parse_log(self, text: str) -> MatchLog | None:
        """A match or a map that was written down as states, in a text of this game.

        None: the text is something else, or the game has no such texts. Raises NotationError.
        """
        return None

    def format_match(self, positions: Sequence[Position[Any]]) -> str:
        """That text, given all positions from the first to the last."""
        return str(self.part("match_text").format_match(positions))

    def terminal_board(
        self, position: Position[Any], width: int = 80, names: Sequence[str] = ()
    ) -> Text:
        """The position drawn with characters, coloured, for a terminal of this width."""
        board: Text = self.part("terminal").board_text(position, width, names=names)
        return board

    def common_notation(self, turn: str) -> str:
        """The text of a turn in a transcript as players of this game write it, for lists."""
        return turn

    def with_players(
        self, start: Position[Any], players: Sequence[Mapping[str, Any]]
    ) -> Position[Any]:
        """The start of a match as its document describes the players: with their colours.

        In most games documents say nothing of that.
        """
        return start

    def call_seat(self, seat: int, position: Position[Any] | None = None) -> str:
        """What a seat is called on the board, perhaps that of this position: White, Red."""
        return str(self.part("look").SEAT_NAMES[seat])

    def find_look(self, name: str) -> Look:
        """The look of that name: of scenes whose players have colours of their own, too."""
        if name != self.look.name:
            raise SettingError(f"look {name[:60]!r}: {self.title} has {self.look.name}")
        return self.look

    @property
    def look(self) -> Look:
        """The look that all its scenes share."""
        look: Look = self.part("look").LOOK
        return look

    def emblem(self, seat: int) -> tuple[Shape, ...]:
        """What stands for a seat on the board, in its colour: shapes around (0, 0), 40 wide."""
        shapes: tuple[Shape, ...] = self.part("look").emblem(seat)
        return shapes

    def clicks(self) -> Clicks:
        """How a person clicks a turn together on the board."""
        step: Clicks = self.part("clicks").step
        return step

    def perft_jobs(self, position: Position[Any], depth: int, wanted: int = 1) -> list[PerftJob]:
        """The count of all lines of `depth` plies, in at least `wanted` shares if it can be."""
        raise MissingPartError(f"{self.title} has no perft: use `agon simulate {self.name}`")

    def parse_position(self, text: str) -> Position[Any]:
        """The last position of a match in text."""
        return self.parse_match(text)[-1]

    def dialogues(self) -> Dialogues:
        """The protocols in which programs play this game; the first is the usual one."""
        known: Dialogues = self.part("protocol").DIALOGUES
        return known

    def check_seats(self, seats: int) -> int:
        """That many, if the game can be played by so many."""
        if seats not in self.seats:
            known = " to ".join(str(n) for n in sorted({self.seats[0], self.seats[-1]}))
            raise SettingError(f"{seats} seats: {self.title} is for {known}")
        return seats

    def parse_options(self, given: Mapping[str, str], seats: int | None = None) -> Options:
        """Options from texts, checked; if `seats` is given, the option of that name follows it."""
        if seats is None:
            return parse_options(self.options, given)
        texts = {name: text for name, text in given.items() if name != SEATS}
        if any(one.name == SEATS for one in fields(self.options)):
            texts[SEATS] = str(seats)
        return parse_options(self.options, texts)

    def longest_match(self, options: Options, seats: int) -> int:
        """Turns after which its own rules end a match at the latest; 0: they say no number."""
        return 0

    def dialogue(self, protocol: str | None) -> Dialogue:
        """A new conversation in the protocol of that name, or in the usual one."""
        known = self.dialogues()
        name = next(iter(known)) if protocol is None else protocol
        if name not in known:
            raise SettingError(f"protocol {name!r}: {self.name} has {', '.join(known)}")
        return known[name]()

    def bot(self, name: str, seed: int) -> Bot[Any]:
        """A built-in bot, also a level of the strongest: `search:3`."""
        if name in self.bot_names:
            return self.bots()[name](seed)
        if name in self.level_names:
            number = self.level_names.index(name) + 1
            bot: Bot[Any] = import_module("agon.games.level_bot").LevelBot(self, number, seed)
            return bot
        raise SettingError(f"bot {name!r}: {self.name} has {self.known_bots}")

    @property
    def level_names(self) -> tuple[str, ...]:
        """Levels of strength for people, the weakest first."""
        return level_names(self)

    def has_bot(self, name: str) -> bool:
        """Whether a built-in bot, or a level of one, has this name."""
        return name in self.bot_names or name in self.level_names

    @property
    def known_bots(self) -> str:
        """What may be asked for, in words."""
        names = ", ".join(self.bot_names)
        levels = self.level_names
        return f"{names}, {levels[0]} to {levels[-1]}" if levels else names
