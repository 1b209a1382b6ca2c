"""What Hive bots are told and what they may answer: both protocols, line by line, without I/O."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.errors import IllegalMoveError, NotationError, ProtocolError, SettingError
from agon.games.bot import no_time
from agon.games.dialogue import Briefing
from agon.games.game import Outcome
from agon.games.hive.game import GAME, VARIANTS, HiveOptions
from agon.games.hive.move import PASS
from agon.games.hive.notation import format_move
from agon.games.hive.protocol import (
    LONGEST_REPLY,
    LineDialogue,
    UhpDialogue,
    format_options,
    format_uhp_time,
)
from agon.games.hive.uhp import UhpEngine, parse_time
from agon.games.hive.uhp_notation import format_uhp_move
from tests.games.hive.situation import play
from tests.games.hive.test_rules_ending import NO_MOVE
from tests.toy_game import GAME as TOY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.dialogue import Dialogue
    from agon.games.hive.move import Move
    from agon.games.hive.position import HivePosition

SECOND = 10**9
MILLISECOND = 10**6
OPENING = "wS1 bG1*|wS1"
TURNS = 60


def random_match(options: HiveOptions, seed: int) -> list[tuple[HivePosition, Move]]:
    """The positions of a match with the moves that were played in them."""
    rng = Random(seed)  # noqa: S311
    position = GAME.start(options)
    played: list[tuple[HivePosition, Move]] = []
    while position.to_act and len(played) < TURNS:
        move = position.random_turn(position.side_to_move, rng)
        played.append((position, move))
        position = position.play_move(move)
    return played


def told_after(dialogue: Dialogue, before: HivePosition, move: Move) -> list[str]:
    return dialogue.tell(before, {before.side_to_move: move}, before.play_move(move))


@pytest.mark.parametrize(("name", "kind"), [("lines", LineDialogue), ("uhp", UhpDialogue)])
def test_the_game_knows_its_protocols(name: str, kind: type) -> None:
    assert type(GAME.dialogue(name)) is kind
    assert GAME.dialogue(name) is not GAME.dialogue(name)


def test_the_seeds_notation_is_the_usual_protocol() -> None:
    assert type(GAME.dialogue(None)) is LineDialogue
    with pytest.raises(
        SettingError, match="protocol 'http': hive has lines, lines-xy, uhp, uhp-fractions"
    ):
        GAME.dialogue("http")


# --- Agon's notation line by line ------------------------------------------------------------


def test_white_is_told_its_colour_and_begins() -> None:
    start, dialogue = GAME.start(), LineDialogue()
    assert dialogue.open(start, 0, Briefing(SECOND)) == [
        "options variant=Base queen_first=off repetition=on turn_ms=1000"
    ]
    assert dialogue.is_ready()
    assert dialogue.ask(start) == ["colour white"]
    assert dialogue.read("wS1") == "wS1"
    move = dialogue.parse(start, 0, "wS1")
    assert told_after(dialogue, start, move) == []
    after = start.play_move(move)
    reply = after.parse_turn(1, "bG1*|wS1")
    assert told_after(dialogue, after, reply) == []
    assert dialogue.ask(after.play_move(reply)) == ["bG1*|wS1"]


def test_black_is_told_its_colour_with_whites_first_move() -> None:
    start, dialogue = GAME.start(), LineDialogue()
    dialogue.open(start, 1, Briefing(None))
    first = start.parse_turn(0, "wS1")
    assert told_after(dialogue, start, first) == []
    assert dialogue.ask(start.play_move(first)) == ["colour black", "wS1"]


@pytest.mark.parametrize(
    ("options", "turn_ns", "told"),
    [
        (HiveOptions(), None, "variant=Base queen_first=off repetition=on"),
        (
            HiveOptions("Base+MLP", queen_first=True, repetition=False),
            250 * MILLISECOND,
            "variant=Base+MLP queen_first=on repetition=off turn_ms=250",
        ),
        (HiveOptions(), 1, "variant=Base queen_first=off repetition=on turn_ms=0"),
    ],
)
def test_options_are_words(options: HiveOptions, turn_ns: int | None, told: str) -> None:
    assert format_options(GAME.start(options), Briefing(turn_ns)) == told


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("own", [0, 1])
def test_a_bot_can_follow_a_whole_match_from_its_lines(variant: str, own: int) -> None:
    """What it is told, with its own answers, is the match."""
    dialogue, options = LineDialogue(), HiveOptions(variant)
    dialogue.open(GAME.start(options), own, Briefing(SECOND))
    follower, heard = GAME.start(options), []
    for before, move in random_match(options, 7):
        if before.side_to_move == own:
            for line in dialogue.ask(before):
                heard.append(line)
                if not line.startswith("colour"):
                    follower = follower.play_move(follower.parse_turn(1 - own, line))
            text = format_move(before, move)
            assert dialogue.read(text) == text
            assert dialogue.parse(before, own, text) == follower.parse_turn(own, text) == move
            follower = follower.play_move(move)
        assert told_after(dialogue, before, move) == []
    assert follower.turn > 10
    assert heard[0] == f"colour {('white', 'black')[own]}"


def test_a_forced_pass_is_said_on_both_sides() -> None:
    stuck = play(NO_MOVE)
    assert stuck.moves == (PASS,)
    own, dialogue = stuck.side_to_move, LineDialogue()
    dialogue.open(GAME.start(), 1 - own, Briefing(None))
    dialogue.ask(GAME.start())
    told_after(dialogue, stuck, PASS)
    assert dialogue.ask(stuck.play_move(PASS)) == ["pass"]
    assert dialogue.parse(stuck, own, "pass") == PASS
    assert told_after(UhpDialogue(), stuck, PASS) == ["play pass"]
    assert UhpDialogue().parse(stuck, own, "pass") == PASS


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome((2, 0), "black queen surrounded"), "end white black queen surrounded"),
        (Outcome((0, 2), "white: timeout"), "end black white: timeout"),
        (Outcome((1, 1), "both queens surrounded"), "end draw both queens surrounded"),
        (None, "end draw unfinished"),
    ],
)
def test_the_end_names_the_winner_and_the_reason(outcome: Outcome | None, told: str) -> None:
    assert LineDialogue().close(outcome) == [told]


def test_a_move_that_wants_no_answer_is_not_sent() -> None:
    """A bot that answers every move would answer that one, too, and be too late or too early."""
    start, dialogue = GAME.start(), LineDialogue()
    dialogue.open(start, 1, Briefing(None))
    told_after(dialogue, start, start.parse_turn(0, "wS1"))
    assert dialogue.close(None) == ["end draw unfinished"]
    dialogue.open(start, 1, Briefing(None))
    assert dialogue.ask(start) == ["colour black"]


def test_the_next_match_begins_with_its_options() -> None:
    dialogue = LineDialogue()
    for seat, colour in ((0, "white"), (1, "black"), (0, "white")):
        assert dialogue.open(GAME.start(), seat, Briefing(None))[0].startswith("options ")
        assert dialogue.ask(GAME.start()) == [f"colour {colour}"]
        dialogue.close(None)
    assert dialogue.leave() == []


@pytest.mark.parametrize("line", ["", "hello", "wS1 ", " wS1", "ws1", "bS1-wS1", "PASS", "\0"])
def test_what_is_no_move_is_not_guessed(line: str) -> None:
    dialogue = LineDialogue()
    dialogue.open(GAME.start(), 0, Briefing(None))
    text = dialogue.read(line)
    assert text == line
    with pytest.raises(NotationError):
        dialogue.parse(GAME.start(), 0, text)


@pytest.mark.parametrize("text", ["wS2", "bS1", "wQ1", "pass", "wS1*|wS1"])
def test_a_move_that_the_rules_forbid_is_another_error(text: str) -> None:
    with pytest.raises(IllegalMoveError):
        LineDialogue().parse(GAME.start(), 0, text)


@pytest.mark.parametrize("dialogue", [LineDialogue(), UhpDialogue()])
def test_another_games_positions_are_refused(dialogue: Dialogue) -> None:
    with pytest.raises(SettingError, match="expected HivePosition"):
        dialogue.open(TOY.start(), 0, Briefing(None))


# --- the Universal Hive Protocol -----------------------------------------------------------------


def read_all(dialogue: UhpDialogue, lines: Iterable[str]) -> str | None:
    """The answer in these lines; it must be complete by the last of them."""
    *before, last = lines
    for line in before:
        assert dialogue.read(line) is None
    return dialogue.read(last)


def ready_dialogue(turn_ns: int | None = None) -> UhpDialogue:
    dialogue = UhpDialogue()
    assert dialogue.open(GAME.start(), 0, Briefing(turn_ns)) == ["newgame Base"]
    assert not dialogue.is_ready()
    assert read_all(dialogue, ["id Ant v1", "Mosquito;Ladybug", "ok"]) is None
    assert not dialogue.is_ready()
    assert read_all(dialogue, ["Base;NotStarted;White[1]", "ok"]) is None
    assert dialogue.is_ready()
    return dialogue


def test_an_engine_is_asked_for_its_move_and_then_told_to_play_it() -> None:
    dialogue, start = ready_dialogue(5 * SECOND), GAME.start()
    assert dialogue.ask(start) == ["bestmove time 00:00:04"]
    assert not dialogue.is_ready()
    assert read_all(dialogue, ["wS1", "ok"]) == "wS1"
    move = dialogue.parse(start, 0, "wS1")
    assert told_after(dialogue, start, move) == ["play wS1"]
    after = start.play_move(move)
    assert told_after(dialogue, after, after.parse_turn(1, "bG1*|wS1")) == ["play bG1 wS1-"]
    assert dialogue.ask(play(OPENING)) == ["bestmove time 00:00:04"]
    assert read_all(dialogue, ["Base;InProgress;Black[1];wS1", "ok"]) is None
    assert read_all(dialogue, ["Base;InProgress;White[2];wS1;bG1 wS1-", "ok"]) is None
    assert read_all(dialogue, ["wQ -wS1", "ok"]) == "wQ -wS1"
    assert dialogue.parse(play(OPENING), 0, "wQ -wS1") in play(OPENING).moves
    assert dialogue.close(None) == []
    assert dialogue.open(start, 1, Briefing(None)) == ["newgame Base"]
    assert dialogue.leave() == ["exit"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_our_own_engine_plays_whole_matches(variant: str) -> None:
    """Every command of the dialogue is one that an engine knows, and their positions agree."""
    options = HiveOptions(variant)
    engine = UhpEngine(no_time, GAME.bots()["random"], "1")
    dialogue, rng = UhpDialogue(), Random(3)  # noqa: S311
    lines = engine.start()
    for own in (0, 1):
        position = GAME.start(options)
        for command in dialogue.open(position, own, Briefing(2 * SECOND)):
            lines += engine.handle(command)
        assert read_all(dialogue, lines) is None
        lines = []
        while position.to_act and position.turn < TURNS:
            if position.side_to_move == own:
                assert dialogue.is_ready() == (not lines)
                (question,) = dialogue.ask(position)
                text = read_all(dialogue, [*lines, *engine.handle(question)])
                assert text is not None
                lines, move = [], dialogue.parse(position, own, text)
            else:
                move = position.random_turn(1 - own, rng)
            for command in told_after(dialogue, position, move):
                lines += engine.handle(command)
            position = position.play_move(move)
        assert position.turn > 10
        assert dialogue.close(position.outcome) == []


@pytest.mark.parametrize(
    ("turn_ns", "budget"),
    [
        (None, "depth 4"),
        (1100 * MILLISECOND, "time 00:00:01"),
        (2 * SECOND, "time 00:00:01"),
        (90 * SECOND, "time 00:01:28"),
        (10**6 * SECOND, "time 23:59:59"),
    ],
)
def test_an_engine_is_given_a_little_less_than_its_time(turn_ns: int | None, budget: str) -> None:
    dialogue = ready_dialogue(turn_ns)
    dialogue.check_time(turn_ns)
    assert dialogue.ask(GAME.start()) == [f"bestmove {budget}"]


@pytest.mark.parametrize(
    ("turn_ns", "time"),
    [
        (1, "00:00:00.001"),
        (MILLISECOND, "00:00:00.001"),
        (100 * MILLISECOND, "00:00:00.050"),
        (SECOND, "00:00:00.930"),
        (2 * SECOND, "00:00:01.910"),
        (10**6 * SECOND, "23:59:59.999"),
    ],
)
def test_an_engine_that_takes_fractions_is_told_milliseconds(turn_ns: int, time: str) -> None:
    dialogue = GAME.dialogue("uhp-fractions")
    dialogue.check_time(turn_ns)
    dialogue.open(GAME.start(), 0, Briefing(turn_ns))
    assert dialogue.ask(GAME.start()) == [f"bestmove time {time}"]


@pytest.mark.parametrize(
    ("turn_ns", "left"), [(SECOND, "0.93 s of 1 s"), (100 * MILLISECOND, "0.05 s of 0.1 s")]
)
def test_less_than_a_second_is_refused_with_the_remedy(turn_ns: int, left: str) -> None:
    with pytest.raises(SettingError) as caught:
        GAME.dialogue("uhp").check_time(turn_ns)
    told = str(caught.value)
    assert f"{left} a turn are left" in told
    assert "--time 1100ms" in told
    assert "uhp-fractions" in told


@pytest.mark.parametrize("fractions", [False, True])
@pytest.mark.parametrize("digits", range(16))
def test_every_time_is_one_that_our_own_engine_takes(digits: int, fractions: bool) -> None:
    nanoseconds = 7 * 10**digits
    text = format_uhp_time(nanoseconds, fractions)
    if fractions or nanoseconds > SECOND:
        assert 0 < parse_time(text) <= max(nanoseconds, MILLISECOND)


def test_a_move_may_be_followed_by_more_lines() -> None:
    dialogue = ready_dialogue()
    dialogue.ask(GAME.start())
    assert read_all(dialogue, ["wS1", "thought for 3 ms", "ok"]) == "wS1"


@pytest.mark.parametrize("line", ["err", "err No game", "invalidmove", "invalidmove wS1 is taken"])
@pytest.mark.parametrize("command", ["greeting", "newgame Base", "bestmove depth 4", "play wS1"])
def test_a_refusal_is_quoted_with_the_command(command: str, line: str) -> None:
    dialogue = UhpDialogue() if command == "greeting" else ready_dialogue()
    start = GAME.start()
    if command == "newgame Base":
        dialogue.open(start, 0, Briefing(None))
    elif command == "bestmove depth 4":
        dialogue.ask(start)
    elif command == "play wS1":
        told_after(dialogue, start, start.parse_turn(0, "wS1"))
    assert dialogue.read(line) is None
    with pytest.raises(ProtocolError) as caught:
        dialogue.read("ok")
    assert str(caught.value) == f"{command}: the engine answered {line!r}"


def test_no_move_is_no_answer() -> None:
    dialogue = ready_dialogue()
    dialogue.ask(GAME.start())
    with pytest.raises(ProtocolError, match=r"^bestmove depth 4: expected a move before the line"):
        dialogue.read("ok")


def test_an_answer_to_nothing_is_refused() -> None:
    dialogue = ready_dialogue()
    with pytest.raises(ProtocolError, match=r"^a line ok, but no command was waiting"):
        read_all(dialogue, ["wS1", "ok"])


def test_an_answer_has_an_end() -> None:
    dialogue = ready_dialogue()
    dialogue.ask(GAME.start())
    for _ in range(LONGEST_REPLY):
        assert dialogue.read("info depth 3") is None
    with pytest.raises(ProtocolError, match=r"^an answer of 10000 lines: expected a line ok"):
        dialogue.read("info depth 3")


@pytest.mark.parametrize("text", ["", "wS1 wS2 wS3", "wS1*|wS1", "resign", "w", "wQ1", "OK"])
def test_what_is_no_move_string_is_not_guessed(text: str) -> None:
    with pytest.raises(NotationError):
        UhpDialogue().parse(GAME.start(), 0, text)


@pytest.mark.parametrize("text", ["wQ", "bS1", "wS2", "pass", "wS1 -bS1"])
def test_a_move_string_that_the_rules_forbid_is_another_error(text: str) -> None:
    with pytest.raises(IllegalMoveError):
        UhpDialogue().parse(GAME.start(), 0, text)


def test_moves_go_both_ways_in_the_engines_notation() -> None:
    for before, move in random_match(HiveOptions("Base+MLP"), 11):
        (command,) = told_after(UhpDialogue(), before, move)
        text = command.removeprefix("play ")
        assert text == format_uhp_move(before, move)
        assert UhpDialogue().parse(before, before.side_to_move, text) == move
