"""The Universal Hive Protocol engine: lines in, lines out, no I/O.

Viewers and tournament tools speak this protocol with any Hive program. `start` gives what an engine
prints when it begins, `handle` the reply to one line; every reply ends with `ok`. A bad command is
answered with `err ...`, a move that the rules do not allow with `invalidmove ...`, and neither
changes anything. The compiled rules are loaded by the first `newgame`, not before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from agon.errors import AgonError, IllegalMoveError, NotationError, SettingError
from agon.games.bot import Budget
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.tile import SIDE_NAMES
from agon.games.players import tell_outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from agon.games.bot import Bot
    from agon.games.hive.position import HivePosition

_T = TypeVar("_T")

CAPABILITIES = "Mosquito;Ladybug;Pillbug"
LARGEST_SEED = 2**31 - 1  # viewers keep an int option in 32 bits
LARGEST_DEPTH = 32
LARGEST_PERFT = 8  # as far as the published tables go
SECOND = 10**9
MANY = 1 << 30

_NUMBER = re.compile(r"[0-9]{1,10}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,9}))?")


@dataclass(frozen=True, slots=True)
class UhpOption:
    """Something that `options` can set: a bool, or a whole number from 0 to `largest`."""

    name: str
    default: bool | int
    largest: int = 0

    def parse_value(self, text: str) -> bool | int:
        if not isinstance(self.default, bool):
            return parse_number(f"option {self.name}", text, 0, self.largest)
        if text.lower() not in ("true", "false"):
            raise SettingError(f"option {self.name} {text[:40]!r}: expected True or False")
        return text.lower() == "true"

    def format_value(self, value: bool | int) -> str:
        """The OptionString: name, type, value, default and, for a number, its range.

        >>> UhpOption("Seed", 0, 9).format_value(4)
        'Seed;int;4;0;0;9'
        """
        if isinstance(self.default, bool):
            return f"{self.name};bool;{value};{self.default}"
        return f"{self.name};int;{value};{self.default};0;{self.largest}"


OPTIONS = {
    "Repetition": UhpOption("Repetition", HiveOptions().repetition),
    "QueenFirst": UhpOption("QueenFirst", HiveOptions().queen_first),
    "Seed": UhpOption("Seed", 0, LARGEST_SEED),
}


@dataclass(frozen=True, slots=True)
class GameInProgress:
    """The game of the last `newgame`: its positions from the first to the current, its bot."""

    positions: list[HivePosition]
    bot: Bot[Any]

    @property
    def position(self) -> HivePosition:
        return self.positions[-1]

    def __str__(self) -> str:
        """The GameString."""
        from agon.games.hive.match_text import format_match

        return format_match(self.positions)


class UhpEngine:
    """One conversation with a viewer: the options and the game in progress."""

    def __init__(
        self,
        clock: Callable[[], int],
        make_bot: Callable[[int], Bot[Any]],
        version: str,
        threads: int = 1,
    ) -> None:
        """`clock` counts nanoseconds; `make_bot` makes the bot of a game from a seed.

        It is called by `newgame`, while no clock runs, so it is the place to load or compile what
        the bot will need.
        """
        self.exited = False
        self._clock = clock
        self._make_bot = make_bot
        self._version = version
        self._threads = threads
        self._settings = {name: option.default for name, option in OPTIONS.items()}
        self._game: GameInProgress | None = None

    def start(self) -> list[str]:
        """What the engine prints before it is asked anything: the reply to `info`."""
        return list(self.handle("info"))

    def handle(self, line: str) -> Iterator[str]:
        """The lines of the reply to one command, `ok` last; a blank line has no reply.

        The command is carried out while the lines are taken: take all of them.
        """
        words = line.split()
        if not words:
            return
        name, arguments = words[0].lower(), words[1:]
        try:
            command = find("command", name, COMMANDS)
            if not command.least <= len(arguments) <= command.most:
                raise wrong_use(name, arguments)
            yield from command.action(self, arguments)
        except IllegalMoveError as error:
            yield f"invalidmove {error}"
        except AgonError as error:
            yield from refuse(str(error))
            return
        yield "ok"

    def _info(self, _: list[str]) -> Iterable[str]:
        return f"id Agon v{self._version}", CAPABILITIES

    def _new_game(self, arguments: list[str]) -> Iterable[str]:
        text = " ".join(arguments) or "Base"
        options = HiveOptions(
            variant=text.partition(";")[0][:40],
            queen_first=bool(self._settings["QueenFirst"]),
            repetition=bool(self._settings["Repetition"]),
        )
        bot = self._make_bot(self._settings["Seed"])
        from agon.games.hive.match_text import parse_match

        self._game = GameInProgress(parse_match(text, options), bot)
        return [str(self._game)]

    def _play(self, arguments: list[str]) -> Iterable[str]:
        game = self._game_to_play()
        game.positions.append(play_move_string(game.position, " ".join(arguments)))
        return [str(game)]

    def _pass(self, _: list[str]) -> Iterable[str]:
        return self._play(["pass"])

    def _valid_moves(self, _: list[str]) -> Iterable[str]:
        position = self._game_to_play().position
        from agon.games.hive.uhp_notation import format_uhp_move

        return [";".join(format_uhp_move(position, move) for move in position.moves)]

    def _best_move(self, arguments: list[str]) -> Iterable[str]:
        began = self._clock()
        game = self._game_to_play()
        limit, text = arguments
        if limit.lower() == "time":
            deadline = began + parse_time(text)
            budget = Budget(self._clock, deadline, threads=self._threads)
        elif limit.lower() == "depth":
            depth = parse_number("depth", text, 1, LARGEST_DEPTH)
            budget = Budget(depth=depth, threads=self._threads)
        else:
            raise wrong_use("bestmove", arguments)
        from agon.games.hive.uhp_notation import format_uhp_move

        move = game.bot.choose(game.position, game.position.side_to_move, budget)
        return [format_uhp_move(game.position, move)]

    def _undo(self, arguments: list[str]) -> Iterable[str]:
        game = self._any_game()
        played = game.position.turn
        if not played:
            raise SettingError("undo: no move has been played in this game")
        number = parse_number("undo", arguments[0], 1, played) if arguments else 1
        del game.positions[-number:]
        return [str(game)]

    def _options(self, arguments: list[str]) -> Iterable[str]:
        match arguments:
            case []:
                chosen = list(OPTIONS.values())
            case [verb, name] if verb.lower() == "get":
                chosen = [find("option", name, OPTIONS)]
            case [verb, name, text] if verb.lower() == "set":
                chosen = [find("option", name, OPTIONS)]
                self._settings[name] = chosen[0].parse_value(text)
            case _:
                raise wrong_use("options", arguments)
        return [option.format_value(self._settings[option.name]) for option in chosen]

    def _perft(self, arguments: list[str]) -> Iterable[str]:
        position = self._any_game().position
        deepest = parse_number("perft", arguments[0], 0, LARGEST_PERFT)
        for depth in range(deepest + 1):
            lines = sum(job.count() for job in GAME.perft_jobs(position, depth))
            yield f"perft({depth}) = {lines}"

    def _help(self, arguments: list[str]) -> Iterable[str]:
        chosen = [find("help", name.lower(), COMMANDS) for name in arguments]
        return [f"{c.usage:<36} {c.meaning}" for c in chosen or COMMANDS.values()]

    def _exit(self, _: list[str]) -> Iterable[str]:
        self.exited = True
        return []

    def _any_game(self) -> GameInProgress:
        if self._game is None:
            raise SettingError("No game in progress. Start one with newgame.")
        return self._game

    def _game_to_play(self) -> GameInProgress:
        game = self._any_game()
        if outcome := game.position.outcome:
            ending = tell_outcome(outcome, SIDE_NAMES)
            raise SettingError(f"The game is over. {ending}. Try undo or newgame.")
        return game


@dataclass(frozen=True, slots=True)
class Command:
    """What carries a command out, how it is written, what it is for, how many arguments it has."""

    action: Callable[[UhpEngine, list[str]], Iterable[str]]
    usage: str
    meaning: str
    least: int = 0
    most: int = 0


_E = UhpEngine
COMMANDS = {
    "info": Command(_E._info, "info", "say who this engine is"),
    "newgame": Command(_E._new_game, "newgame [GameTypeString|GameString]", "begin", 0, MANY),
    "play": Command(_E._play, "play MoveString", "play a move, such as bA1 -wS1", 1, MANY),
    "pass": Command(_E._pass, "pass", "pass; legal only when there is no other move"),
    "validmoves": Command(_E._valid_moves, "validmoves", "list the legal moves"),
    "bestmove": Command(_E._best_move, "bestmove time hh:mm:ss | depth N", "choose a move", 2, 2),
    "undo": Command(_E._undo, "undo [N]", "take back the last move, or the last N", 0, 1),
    "options": Command(_E._options, "options [get NAME | set NAME VALUE]", "set up", 0, 3),
    "perft": Command(_E._perft, "perft N", "count the lines of play of 0 to N plies", 1, 1),
    "help": Command(_E._help, "help [COMMAND]", "show this list, or one line of it", 0, 1),
    "exit": Command(_E._exit, "exit", "end the engine"),
}


def refuse(message: str) -> list[str]:
    """The reply to what is no command at all."""
    return [f"err {message}", "ok"]


def play_move_string(position: HivePosition, text: str) -> HivePosition:
    """The position after a MoveString; one that cannot be read is an illegal move, too."""
    from agon.games.hive.uhp_notation import parse_uhp_move

    try:
        return position.play_move(parse_uhp_move(position, text))
    except NotationError as error:
        raise IllegalMoveError(str(error)) from None


def find(what: str, name: str, known: Mapping[str, _T]) -> _T:
    """The command or option of that name."""
    if name not in known:
        raise SettingError(f"{what} {name[:40]!r}: expected one of {', '.join(known)}")
    return known[name]


def wrong_use(name: str, arguments: list[str]) -> SettingError:
    """What to say when a command's arguments do not fit it."""
    text = " ".join([name, *arguments])
    return SettingError(f"{text[:60]!r}: expected {COMMANDS[name].usage}")


def parse_number(what: str, text: str, least: int, most: int) -> int:
    """Read a whole number between two bounds."""
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise SettingError(f"{what} {text[:40]!r}: expected a whole number from {least} to {most}")
    return int(text)


def parse_time(text: str) -> int:
    """Read a time of less than a day, in nanoseconds; seconds may have a fraction.

    >>> parse_time("00:01:30.5")
    90500000000
    """
    match = _TIME.fullmatch(text)
    if match is None or not text.strip("0:."):
        expected = "expected hh:mm:ss, more than 00:00:00 and less than 24:00:00"
        raise SettingError(f"time {text[:40]!r}: {expected}")
    hours, minutes, seconds, fraction = match.groups("")
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * SECOND + int(fraction.ljust(9, "0"))
