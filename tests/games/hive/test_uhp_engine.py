"""The UHP engine as a state machine: each command, each way to get it wrong, no process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.hive.game import GAME
from agon.games.hive.uhp import COMMANDS, LARGEST_SEED, UhpEngine, parse_time

if TYPE_CHECKING:
    from agon.games.bot import Budget
    from agon.games.game import Position

MOVES = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
OPENING = "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
SHUFFLE = (r"wQ \wS1", "bQ bS1/", "wQ -wS1", "bQ bS1-")
BLACK_WINS = (
    r"Base;BlackWins;White[8];wS1;bA1 -wS1;wQ wS1-;bA2 \bA1;wG1 wQ/;bA3 /bA2;wG2 -wG1;bQ -bA2;"
    r"wB1 wS1\;bA3 wB1-;wB2 wG1-;bB1 bQ\;wS2 wB2-;bA2 wQ-"
)
STUCK_WHITE = (
    r"Base;InProgress;White[14];wS1;bA1 wS1\;wG1 wS1/;bA2 bA1\;wG2 wG1/;bA3 bA1-;wQ wG2-;bQ bA2-;"
    r"wG3 wQ/;bA3 wQ\;wS2 \wG2;bB1 bA1-;wB1 wG3-;bA2 wS2-;wB2 wB1-;bB2 bA1\;wA1 -wS2;bA2 /wA1;"
    r"wA2 \wS2;bA3 wA2/;wA3 wB2\;bA3 wA3\;wA2 \wB2;bB2 bA1;wA2 /wS1;bB2 wA2"
)


class LastMoveBot:
    """Chooses the last of the legal moves and remembers what it was given."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.budgets: list[Budget] = []

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        self.budgets.append(budget)
        return position.legal_moves(seat)[-1]


class EngineSession:
    """An engine with a clock that stands still and bots that can be looked at."""

    def __init__(self) -> None:
        self.now = 5_000
        self.bots: list[LastMoveBot] = []
        self.engine = UhpEngine(lambda: self.now, self.make_bot, "1.2.3", threads=2)

    def make_bot(self, seed: int) -> LastMoveBot:
        self.bots.append(LastMoveBot(seed))
        return self.bots[-1]

    def ask(self, line: str) -> list[str]:
        """The reply, checked to be one: lines of text, the last of them `ok`."""
        *reply, last = self.engine.handle(line)
        assert last == "ok"
        assert all(text and text.isprintable() for text in reply)
        return reply

    def line(self, line: str) -> str:
        """The reply to a command that has one line of it."""
        (reply,) = self.ask(line)
        return reply


@pytest.fixture
def session() -> EngineSession:
    return EngineSession()


def test_start_and_info_say_who_it_is(session: EngineSession) -> None:
    assert session.engine.start() == ["id Agon v1.2.3", "Mosquito;Ladybug;Pillbug", "ok"]
    assert session.ask("info") == ["id Agon v1.2.3", "Mosquito;Ladybug;Pillbug"]


def test_the_session_of_the_page_is_a_real_one() -> None:
    page = (Path(__file__).parents[3] / "docs" / "uhp.md").read_text("utf-8")
    start, *exchanges = page.partition("```text\n")[2].partition("```")[0].split("> ")
    engine = UhpEngine(lambda: 0, lambda seed: GAME.bot("search", seed), "0.1.0")
    assert start.splitlines() == engine.start()
    for exchange in exchanges:
        command, *reply = exchange.splitlines()
        if not command.startswith("bestmove time"):
            assert [command, *engine.handle(command)] == [command, *reply]


@pytest.mark.system
def test_the_engine_starts_without_the_compiled_rules() -> None:
    script = (
        "import sys; from agon.games.hive.uhp import UhpEngine;"
        "UhpEngine(int, None, '').start(); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("line", ["", "   ", "\r\n", "\t", "\u2028"])
def test_a_blank_line_has_no_reply(session: EngineSession, line: str) -> None:
    assert list(session.engine.handle(line)) == []


@pytest.mark.parametrize("word", ["foo", "ok", "newgames", "\x00", "😀", "x" * 5000, "'"])
def test_an_unknown_command_names_the_known_ones(session: EngineSession, word: str) -> None:
    reply = session.line(word)
    assert reply.startswith(f"err command {word[:40]!r}: expected one of info, newgame, play")
    assert len(reply) < 300


def test_words_may_be_written_in_capitals_and_apart(session: EngineSession) -> None:
    assert session.line("NewGame") == "Base;NotStarted;White[1]"
    assert session.line("\t play   wS1 \r\n") == "Base;InProgress;Black[1];wS1"
    assert session.line("play bS1 \t wS1-") == "Base;InProgress;White[2];wS1;bS1 wS1-"


@pytest.mark.parametrize(
    "line",
    [
        *("info x", "play", "pass 1", "validmoves all", "undo 1 2", "perft", "perft 1 2"),
        *("bestmove", "bestmove time", "bestmove depth", "bestmove nodes 5", "bestmove depth 1 2"),
        *("options get", "options set Seed", "options put Seed 1", "options set Seed 1 2"),
        *("help a b", "exit 1"),
    ],
)
def test_arguments_that_do_not_fit_show_the_usage(session: EngineSession, line: str) -> None:
    session.ask("newgame")
    usage = COMMANDS[line.split()[0]].usage
    assert session.line(line) == f"err {line!r}: expected {usage}"


@pytest.mark.parametrize(
    "line",
    ["play wS1", "pass", "validmoves", "bestmove depth 1", "undo", "undo 3", "perft 1"],
)
def test_without_a_game_there_is_an_error(session: EngineSession, line: str) -> None:
    assert session.line(line).startswith("err No game in progress.")


@pytest.mark.parametrize("kind", ["Base", "Base+M", "Base+L", "Base+MP", "Base+MLP"])
def test_newgame_with_a_game_type(session: EngineSession, kind: str) -> None:
    assert session.line(f"newgame {kind}") == f"{kind};NotStarted;White[1]"


@pytest.mark.parametrize("game", [OPENING, BLACK_WINS, STUCK_WHITE])
def test_newgame_with_a_game_string(session: EngineSession, game: str) -> None:
    assert session.line(f"newgame {game}") == game


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Bass", "err variant 'Bass': expected Base, "),
        ("Base+PLM", "err variant 'Base+PLM': expected Base, "),
        ("x" * 9000, "err variant 'xxxx"),
        ("Base;NotStarted", "err game 'Base;NotStarted': expected type;state;turn"),
        ("Base;", "err game 'Base;': expected type;state;turn"),
        ("Base;Foo;White[1]", "err game state 'Foo': expected one of NotStarted"),
        (
            "Base;InProgress;White[2];wS1",
            "err turn 'White[2]': after the moves of this game it is Black[1]",
        ),
        (
            "Base;BlackWins;Black[1];wS1",
            "err game state 'BlackWins': after the moves of this game it is",
        ),
        ("Base;InProgress;Black[2];wS1;bS1 wS1-;xQ", "err move 3 of the game: move 'xQ'"),
        (
            "Base;InProgress;White[3];wS1;bS1 wS1-;wQ bS1-;bQ bS1/",
            "invalidmove move 3 of the game: move 'wQ bS1-': a new tile touches own tiles only",
        ),
        ("Base;InProgress;White[2];wS1;", "err move 2 of the game: move ''"),
        (BLACK_WINS + ";wQ wS1", "invalidmove move 15 of the game: move 'wQ wS1': the match is"),
    ],
)
def test_a_bad_game_names_its_first_bad_part(session: EngineSession, text: str, error: str) -> None:
    session.ask(f"newgame {OPENING}")
    reply = session.line(f"newgame {text}")
    assert reply.startswith(error)
    assert len(reply) < 300
    assert session.line("undo") == "Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1"  # the old game


def test_play_and_undo_to_the_start(session: EngineSession) -> None:
    session.ask("newgame")
    strings = ["Base;NotStarted;White[1]"] + [session.line(f"play {move}") for move in MOVES]
    assert strings[-1] == OPENING
    for string in reversed(strings[:-1]):
        assert session.line("undo") == string
    assert session.line("undo") == "err undo: no move has been played in this game"


@pytest.mark.parametrize(("number", "left"), [("1", 3), ("3", 1), ("4", 0), ("04", 0)])
def test_undo_takes_back_as_many_as_it_says(session: EngineSession, number: str, left: int) -> None:
    session.ask(f"newgame {OPENING}")
    reply = session.line(f"undo {number}")
    assert reply.split(";")[3:] == list(MOVES[:left])


@pytest.mark.parametrize("number", ["0", "5", "999", "-1", "+1", "1.0", "x", "9" * 5000, "\uff11"])
def test_undo_of_another_number_changes_nothing(session: EngineSession, number: str) -> None:
    session.ask(f"newgame {OPENING}")
    error = f"err undo {number[:40]!r}: expected a whole number from 1 to 4"
    assert session.line(f"undo {number}") == error
    assert session.line(r"play wQ \wS1").startswith(OPENING.replace("White", "Black"))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("wS2 bQ-", "a new tile touches own tiles only"),
        ("wS1 bQ-", "wS1 cannot move now"),
        ("bS2 bQ-", "it is the other side's turn"),
        ("wM -wQ", "there is no wM1 in Base"),
        ("wA2 -wQ", "the next such tile to be placed is wA1"),
        ("wA1 -bA1", "bA1 is not on the board"),
        ("pass", "only legal when there is no other move"),
        ("wQ -wS1-", "expected a tile and where it goes"),
        ("wX1", "expected a tile and where it goes"),
        ("wA1 -wQ wQ", "expected a tile and where it goes"),
        ("\x1b[31m", "expected a tile and where it goes"),
    ],
)
def test_a_move_that_is_not_legal_changes_nothing(
    session: EngineSession, move: str, reason: str
) -> None:
    session.ask(f"newgame {OPENING}")
    reply = session.line(f"play {move}")
    assert reply.startswith("invalidmove ")
    assert reason in reply
    assert session.line("undo") == "Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1"


def test_a_move_has_many_spellings_and_one_that_is_printed(session: EngineSession) -> None:
    replies = []
    for spelling in (r"wA1 \wS1", "wA1 wQ/"):
        session.ask(f"newgame {OPENING}")
        replies.append(session.line(f"play {spelling}"))
    assert replies[0] == replies[1]
    assert replies[0].startswith(OPENING.replace("White", "Black"))


def test_validmoves_are_all_playable(session: EngineSession) -> None:
    session.ask(f"newgame {OPENING}")
    moves = session.line("validmoves").split(";")
    assert len(moves) == len(set(moves)) > 20
    for move in moves:
        assert not session.line(f"play {move}").startswith("invalidmove")
        session.ask("undo")


def test_validmoves_of_the_first_turn(session: EngineSession) -> None:
    session.ask("newgame Base+MLP")
    assert set(session.line("validmoves").split(";")) == {
        "wS1",
        "wB1",
        "wG1",
        "wA1",
        "wM",
        "wL",
        "wP",
    }


@pytest.mark.parametrize("command", ["pass", "play pass"])
def test_pass_where_there_is_nothing_else(session: EngineSession, command: str) -> None:
    session.ask(f"newgame {STUCK_WHITE}")
    assert session.line("validmoves") == "pass"
    assert session.line("bestmove depth 3") == "pass"
    after = session.line(command)
    assert after == STUCK_WHITE.replace("White[14]", "Black[14]") + ";pass"
    assert session.line(f"newgame {after}") == after
    assert session.line("undo") == STUCK_WHITE


def test_pass_where_there_are_moves(session: EngineSession) -> None:
    session.ask("newgame")
    assert session.line("pass") == "invalidmove pass: only legal when there is no other move"


@pytest.mark.parametrize(
    "line", ["play wQ wS1", "pass", "validmoves", "bestmove depth 1", "bestmove time 00:00:01"]
)
def test_after_the_end_only_undo_goes_on(session: EngineSession, line: str) -> None:
    session.ask(f"newgame {BLACK_WINS}")
    assert session.line(line).startswith("err The game is over. Black won: white queen surrounded.")
    assert session.ask("perft 1") == ["perft(0) = 1", "perft(1) = 0"]
    assert session.line("undo").startswith("Base;InProgress;Black[7];")
    assert session.line("play bA2 wQ-") == BLACK_WINS


def test_bestmove_prints_a_move_and_plays_nothing(session: EngineSession) -> None:
    session.ask(f"newgame {OPENING}")
    move = session.line("bestmove depth 2")
    assert move == session.line("validmoves").split(";")[-1]
    assert session.line(f"play {move}") == f"{OPENING.replace('White', 'Black')};{move}"


def test_bestmove_depth_and_time_are_the_budget(session: EngineSession) -> None:
    session.ask("newgame")
    session.ask("bestmove depth 7")
    session.ask("bestmove time 01:02:03")
    depth, limited = session.bots[-1].budgets
    assert (depth.depth, depth.deadline) == (7, None)
    assert (limited.depth, limited.deadline) == (None, session.now + 3723 * 10**9)
    assert limited.clock() == session.now
    assert depth.threads == limited.threads == 2


def test_time_may_have_a_fraction() -> None:
    assert parse_time("00:00:00.2500000") == 250_000_000
    assert parse_time("23:59:59.999999999") == 24 * 3600 * 10**9 - 1


@pytest.mark.parametrize(
    "time",
    [
        *("00:00:00", "00:00:00.000", "24:00:00", "99:99:99", "00:60:00", "00:00:60", "1", "0:0:1"),
        *("-00:00:01", "00:00:01.", "00:00:01.1234567890", "1.00:00:00", "aa:bb:cc", "9" * 5000),
    ],
)
def test_another_time_is_refused(session: EngineSession, time: str) -> None:
    session.ask("newgame")
    expected = "expected hh:mm:ss, more than 00:00:00 and less than 24:00:00"
    assert session.line(f"bestmove time {time}") == f"err time {time[:40]!r}: {expected}"
    assert not session.bots[-1].budgets


@pytest.mark.parametrize("depth", ["0", "-1", "33", "2.5", "deep", "9" * 5000])
def test_another_depth_is_refused(session: EngineSession, depth: str) -> None:
    session.ask("newgame")
    expected = f"err depth {depth[:40]!r}: expected a whole number from 1 to 32"
    assert session.line(f"bestmove depth {depth}") == expected
    assert not session.bots[-1].budgets


def test_perft_counts_from_the_current_position(session: EngineSession) -> None:
    session.ask("newgame Base+MLP")
    assert session.ask("perft 3")[1:] == ["perft(1) = 7", "perft(2) = 294", "perft(3) = 6678"]
    session.ask("play wS1")
    assert session.ask("perft 1") == ["perft(0) = 1", "perft(1) = 42"]


@pytest.mark.parametrize("depth", ["-1", "9", "99", "x", "9" * 5000])
def test_perft_of_another_depth_is_refused(session: EngineSession, depth: str) -> None:
    session.ask("newgame")
    expected = f"err perft {depth[:40]!r}: expected a whole number from 0 to 8"
    assert session.line(f"perft {depth}") == expected


def test_options_are_listed_shown_and_set(session: EngineSession) -> None:
    assert session.ask("options") == [
        "Repetition;bool;True;True",
        "QueenFirst;bool;False;False",
        f"Seed;int;0;0;0;{LARGEST_SEED}",
    ]
    assert session.line("options get QueenFirst") == "QueenFirst;bool;False;False"
    assert session.line("options set QueenFirst true") == "QueenFirst;bool;True;False"
    assert session.line("OPTIONS SET Seed 17") == f"Seed;int;17;0;0;{LARGEST_SEED}"
    assert session.line("options get Seed") == f"Seed;int;17;0;0;{LARGEST_SEED}"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("get Foo", "option 'Foo': expected one of Repetition, QueenFirst, Seed"),
        ("set Foo 1", "option 'Foo': expected one of Repetition, QueenFirst, Seed"),
        ("set Repetition maybe", "option Repetition 'maybe': expected True or False"),
        ("set QueenFirst 1", "option QueenFirst '1': expected True or False"),
        ("set Seed -1", "option Seed '-1': expected a whole number from 0 to 2147483647"),
        ("set Seed 2147483648", "option Seed '2147483648': expected a whole number from 0 to"),
        ("set Seed True", "option Seed 'True': expected a whole number from 0 to 2147483647"),
    ],
)
def test_a_bad_option_changes_nothing(session: EngineSession, line: str, error: str) -> None:
    before = session.ask("options")
    assert session.line(f"options {line}").startswith(f"err {error}")
    assert session.ask("options") == before


def test_queen_first_holds_from_the_next_game_on(session: EngineSession) -> None:
    session.ask("newgame")
    session.ask("options set QueenFirst True")
    assert session.line("play wQ").startswith("invalidmove ")
    session.ask("newgame")
    assert session.line("play wQ") == "Base;InProgress;Black[1];wQ"
    assert session.line("newgame Base;InProgress;Black[1];wQ") == "Base;InProgress;Black[1];wQ"


def test_repetition_draws_unless_it_is_off(session: EngineSession) -> None:
    for value, state in (("True", "Draw"), ("False", "InProgress")):
        session.ask(f"options set Repetition {value}")
        session.ask(f"newgame {OPENING}")
        for move in (*SHUFFLE, *SHUFFLE[:3]):
            assert ";InProgress;" in session.line(f"play {move}")
        assert session.line(f"play {SHUFFLE[3]}").split(";")[1] == state


def test_seed_makes_the_bot_of_the_next_game(session: EngineSession) -> None:
    session.ask("newgame")
    session.ask("options set Seed 9")
    session.ask("newgame")
    assert [bot.seed for bot in session.bots] == [0, 9]


def test_help_has_a_line_for_every_command(session: EngineSession) -> None:
    assert [line.split()[0] for line in session.ask("help")] == list(COMMANDS)
    assert session.line("help UNDO").startswith("undo [N]")
    assert session.line("help foo").startswith("err help 'foo': expected one of info, newgame")


def test_exit_is_answered_and_ends(session: EngineSession) -> None:
    assert not session.engine.exited
    assert session.ask("exit") == []
    assert session.engine.exited
