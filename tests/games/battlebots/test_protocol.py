"""The dialogue with a bot: what it is told, both forms of orders, warnings, and what is fatal."""

from __future__ import annotations

import pytest

from agon.errors import ProtocolError
from agon.games.battlebots.move import Order
from agon.games.battlebots.protocol import SectionsDialogue, tell_apart
from agon.games.dialogue import Briefing
from tests.games.battlebots.situation import begin, play

#  a - b - c - d     ann has a and b, bob c and d
ROW = "a 2 1 ann 10, b 5 1 ann 20, c 9 1 bob 7, d 12 1 bob 1"
ROADS = "b a, b c, c d"


def open_dialogue(seat: int = 0, names: tuple[str, ...] = ()) -> SectionsDialogue:
    dialogue = SectionsDialogue()
    assert dialogue.open(begin(ROW, ROADS), seat, Briefing(names=names)) == []
    assert dialogue.is_ready()
    return dialogue


def answer(text: str) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """The turn and the warnings that an answer of ann's leads to."""
    dialogue = open_dialogue()
    *before, last = text.split("\n")
    assert [dialogue.read(line) for line in before] == [None] * len(before)
    read = dialogue.read(last)
    assert read is not None
    position = begin(ROW, ROADS)
    turn = dialogue.parse(position, 0, read)
    position.play({0: turn, 1: ()})
    return turn, dialogue.warnings


# --- what a bot is told ---------------------------------------------------------------------------


def test_a_bot_is_told_three_sections_in_lines() -> None:
    position = play(begin(ROW, ROADS), ann="b c 8", bob="c d 1")
    dialogue = open_dialogue(0, ("felix", "deep thought"))
    assert dialogue.ask(position) == [
        "3 forts:",
        "a 0 0 felix 11",
        "b 3 0 felix 13",
        "c 7 0 deep_thought 7",
        "2 roads:",
        "a b",
        "b c",
        "1 marches:",
        "b c felix 8 3",
    ]
    assert dialogue.tell(position, {0: (), 1: ()}, position) == []
    assert dialogue.close(None) == dialogue.leave() == []


def test_without_names_those_of_the_map_are_told() -> None:
    assert open_dialogue(1).ask(begin(ROW, ROADS))[1:3] == ["b -4 0 ann 20", "c 0 0 bob 7"]


def test_every_seat_is_told_its_own_view() -> None:
    position = begin(ROW, ROADS)
    told = ["\n".join(open_dialogue(seat).ask(position)) + "\n" for seat in (0, 1)]
    assert told == [position.message(0), position.message(1)]
    assert told[0] != told[1]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a", "b"], ("a", "b")),
        (["neutral", ""], ("neutral_1", "_2")),
        (["a\tb", "a b", "a_b"], ("a_b", "a_b_2", "a_b_3")),
        (["#1", "##"], ("1", "_2")),
        (["a_2", "a", "a"], ("a_2", "a", "a_3")),
        (["a_3", "a", "a"], ("a_3", "a", "a_3_")),
    ],
)
def test_names_are_told_apart(names: list[str], told: tuple[str, ...]) -> None:
    assert tell_apart(names) == told


# --- what it may answer ---------------------------------------------------------------------------

TWO_ORDERS = (Order("a", "b", 3), Order("b", "c", 5))


@pytest.mark.parametrize(
    "text",
    [
        "2 marches:\na b 3\nb c 5",
        "2 marches\na b 3\nb c 5",
        "2 orders:\n  a\tb  3 \nb c +5",
        "\n# mine\n2 x\n\n# one\na b 3\n   \n#two\nb c 5",
        "? marches:\na b 3\nb c 5\nend",
        "? marches\n\na b 3\n# end\nb c 5\n  end ",
    ],
)
def test_both_forms_of_orders_are_read(text: str) -> None:
    assert answer(text) == (TWO_ORDERS, ())


@pytest.mark.parametrize("text", ["0 marches:", "? marches:\nend", "00 nothing"])
def test_a_pass(text: str) -> None:
    assert answer(text) == ((), ())


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("a b", "expected an origin, a target and a size"),
        ("a b 3 4", "expected an origin, a target and a size"),
        ("x b 3", "no fort 'x' in sight"),
        ("a x 3", "no fort 'x' in sight"),
        ("d c 1", "no fort 'd' in sight"),
        ("a b three", "the size is not a whole number"),
        ("a b 1.5", "the size is not a whole number"),
        ("a b ٣", "the size is not a whole number"),
        ("a b " + "9" * 5000, "the size is not a whole number"),
        ("a c 3", "there is no such road"),
        ("a a 3", "there is no such road"),
        ("a b 0", "the size is less than 1"),
        ("a b -7", "the size is less than 1"),
        ("c b 3", "c is another's fort"),
        ("end", "expected an origin, a target and a size"),
    ],
)
def test_a_bad_line_is_skipped_with_a_warning(line: str, warning: str) -> None:
    turn, warnings = answer(f"3 marches:\na b 3\n{line}\nb c 5")
    assert turn == TWO_ORDERS
    (told,) = warnings
    assert told == f"{line[:60]!r}: {warning}"
    assert told.isprintable()


def test_more_than_the_garrison_is_all_of_it() -> None:
    turn, warnings = answer("4 marches:\nb a 15\nb c 15\nb a 1\na b 999999999999")
    assert turn == (Order("b", "a", 15), Order("b", "c", 5), Order("a", "b", 10))
    assert warnings == (
        "'b c 15': all 5 that are left are sent",
        "'b a 1': no soldiers are left in b",
        "'a b 999999999999': all 10 that are left are sent",
    )


def test_warnings_are_about_the_last_answer() -> None:
    dialogue, position = open_dialogue(), begin(ROW, ROADS)
    dialogue.parse(position, 0, "x b 1")
    assert len(dialogue.warnings) == 1
    dialogue.parse(position, 0, "")
    assert not dialogue.warnings


@pytest.mark.parametrize(
    "line",
    [
        "marches:",
        "2",
        "two marches:",
        "-1 marches:",
        "2 marches: now",
        "a b 3",
        "? ",
        "1.0 x",
        "٣ x",
    ],
)
def test_a_broken_header_is_fatal(line: str) -> None:
    with pytest.raises(ProtocolError, match="expected a header such as 2 marches:"):
        open_dialogue().read(line)


def test_too_many_orders_are_fatal() -> None:
    with pytest.raises(ProtocolError, match="at most 100000 orders"):
        open_dialogue().read("100001 marches:")
    dialogue = open_dialogue()
    dialogue.read("? marches:")
    for _ in range(100_000):
        dialogue.read("a b 1")
    with pytest.raises(ProtocolError, match="more than 100000 orders"):
        dialogue.read("a b 1")


def test_answers_follow_each_other() -> None:
    dialogue = open_dialogue()
    assert dialogue.read("1 marches:") is None
    assert dialogue.read("a b 1") == "a b 1"
    assert dialogue.read("") is None
    assert dialogue.read("0 marches:") == ""
    assert dialogue.read("? marches:") is None
    assert dialogue.read("end") == ""
