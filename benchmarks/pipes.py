"""Two instant programs on pipes: the arbiter's match against a loop that only passes lines on.

One random match is recorded beforehand. Both programs know its moves by heart, so all that is left
is what stands between them. The bare side writes just the bytes that the arbiter writes, and checks
that it reads the same answers.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, TypeAlias

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.host import HostProcess, HostWatch
from agon.arbiter.limits import Limits
from agon.arbiter.log import SeatLog, SeatMarks
from agon.arbiter.program import ProgramSeat
from agon.errors import AgonError
from agon.games.hive.game import GAME, HiveOptions
from benchmarks import instant_bot
from benchmarks.duel import Duel, Side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agon.arbiter.bot_process import Process
    from agon.match.match import Match
    from agon.match.result import MatchResult

Wire: TypeAlias = "list[tuple[int, str, str]]"
"""The lines of a match in order: the seat, the direction (`>` to the program), the line."""

Listener: TypeAlias = "Callable[[str, str], None]"

PLIES = 300
MATCHES = 10
OPTIONS = HiveOptions(repetition=False)
TURN_NS = 10 * 10**9
AT_MOST = 4


def record_moves(plies: int) -> list[str]:
    """The moves of the first random match that lasts so long."""
    for seed in count():
        rng, position, texts = Random(seed), GAME.start(OPTIONS), list[str]()  # noqa: S311
        while position.to_act and len(texts) < plies:
            (seat,) = position.to_act
            move = position.random_turn(seat, rng)
            texts.append(position.format_turn(seat, move))
            position = position.play({seat: move})
        if len(texts) == plies:
            return texts
    raise AssertionError


def instant_commands(folder: Path, moves: Sequence[str]) -> list[list[str]]:
    """How to run the program of each seat; their moves are kept in the folder."""
    commands = []
    for seat in range(2):
        file = folder / f"seat-{seat}.txt"
        file.write_text("".join(f"{move}\n" for move in moves[seat::2]))
        commands.append([sys.executable, "-S", instant_bot.__file__, str(file)])
    return commands


class ArbiterSide:
    """The arbiter with a program at each seat; the programs live from match to match."""

    def __init__(
        self,
        commands: Sequence[Sequence[str]],
        launch: Callable[[Sequence[str]], Process],
        plies: int,
        wire: Wire | None = None,
        *,
        keeps_logs: bool = False,
    ) -> None:
        """`launch` starts a command; if there is a `wire`, it gets every line.

        With `keeps_logs` all is kept for the bots' authors, as in a tournament.
        """
        self._plies = plies
        self._logs = [SeatLog() for _ in commands] if keeps_logs else []
        listeners: list[Listener] = [log.on_line for log in self._logs]
        if wire is not None:
            listeners = [_listener(wire, seat) for seat in range(len(commands))]
        self._seats = [
            ProgramSeat(
                f"instant {seat}",
                lambda command=command: launch(command),
                lambda: GAME.dialogue("lines"),
                on_line=listeners[seat] if listeners else None,
            )
            for seat, command in enumerate(commands)
        ]

    def play(self, matches: int) -> int:
        """Play that many; how many plies that was."""
        with HostWatch() as watch:
            limits = Limits(TURN_NS, turns=self._plies)
            table = Arbiter(GAME, OPTIONS, self._seats, limits, time.monotonic_ns, watch.late_since)
            return sum(self._check(self._play_once(table)) for _ in range(matches))

    def _play_once(self, arbiter: Arbiter) -> MatchResult:
        kept = [(SeatMarks(), *one) for one in zip(self._logs, self._seats, strict=False)]

        def note_marks(match: Match) -> None:
            for marks, log, seat in kept:
                marks.note(len(match.events), log, seat)

        for log in self._logs:
            log.clear()
        arbiter.on_change = note_marks
        return arbiter.play(0)

    def _check(self, match: MatchResult) -> int:
        if match.turns != self._plies or any(match.faults) or match.is_void:
            raise AgonError(f"a match of the bench ended after {match.turns}: {match.outcome}")
        return match.turns

    def close(self) -> None:
        """End the programs."""
        for seat in self._seats:
            seat.close()


def _listener(wire: Wire, seat: int) -> Listener:
    return lambda direction, line: wire.append((seat, direction, line))


@dataclass(frozen=True, slots=True)
class Step:
    """Bytes that are written to a seat at once, and the line that it answers, if it does."""

    seat: int
    data: bytes
    answer: bytes | None = None


def steps_of(wire: Wire) -> list[Step]:
    """What passed, as a list of steps: lines to a seat without another in between are one."""
    steps: list[Step] = []
    for seat, direction, line in wire:
        data = f"{line}\n".encode()
        last = steps[-1] if steps and steps[-1].seat == seat else None
        if direction == "<":
            if last is None or last.answer is not None:
                raise AgonError(f"{line!r} of seat {seat}: it was not asked for")
            steps[-1] = Step(seat, last.data, data)
        elif last is not None and last.answer is None:
            steps[-1] = Step(seat, last.data + data)
        else:
            steps.append(Step(seat, data))
    return steps


class BareSide:
    """Two processes, their pipes, and nothing else: write, read, write, read."""

    def __init__(self, commands: Iterable[Sequence[str]], steps: Sequence[Step]) -> None:
        """Start the processes; every match is these steps."""
        self._script = [(step.seat, step.data, step.answer is not None) for step in steps]
        self._wanted = [step.answer for step in steps if step.answer is not None]
        self._children = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
            for command in commands
        ]

    def play(self, matches: int) -> int:
        """Pass the lines of that many matches; how many answers there were."""
        pipes = [(_pipe(child.stdin), _pipe(child.stdout)) for child in self._children]
        for _ in range(matches):
            answers = self._play_once(pipes)
            if answers != self._wanted:
                raise AgonError("the bare side of the bench read other answers than the arbiter")
        return matches * len(self._wanted)

    def _play_once(self, pipes: list[tuple[IO[bytes], IO[bytes]]]) -> list[bytes]:
        answers = []
        for seat, data, is_answered in self._script:
            stdin, stdout = pipes[seat]
            stdin.write(data)
            stdin.flush()
            if is_answered:
                answers.append(stdout.readline())
        return answers

    def close(self) -> None:
        """End the processes."""
        for child in self._children:
            _pipe(child.stdin).close()
            child.wait()
            _pipe(child.stdout).close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise AgonError("a process without pipes")
    return pipe


def rehearse(
    commands: Sequence[Sequence[str]], launch: Callable[[Sequence[str]], Process], plies: int
) -> Wire:
    """Let the arbiter play one match, and write down every line."""
    wire: Wire = []
    side = ArbiterSide(commands, launch, plies, wire)
    try:
        side.play(1)
    finally:
        side.close()
    return wire


@contextmanager
def pipes_duel(
    how: str = "plain",
    launch: Callable[[Sequence[str]], Process] = HostProcess,
    plies: int = PLIES,
    matches: int = MATCHES,
    at_most: int | None = AT_MOST,
    *,
    keeps_logs: bool = False,
) -> Iterator[Duel]:
    """The duel, with its programs running; another `launch` gives, say, programs in a sandbox."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        commands = instant_commands(folder, record_moves(plies))
        steps = steps_of(rehearse(commands, launch, plies))
        ours = ArbiterSide(commands, launch, plies, keeps_logs=keeps_logs)
        bare = BareSide(commands, steps)
        stack.callback(ours.close)
        stack.callback(bare.close)
        yield Duel(
            f"two instant programs on stdio, {how}",
            "ply",
            "plies",
            Side("Agon's match", lambda: ours.play(matches)),
            Side("the same lines, bare", lambda: bare.play(matches)),
            at_most,
        )
