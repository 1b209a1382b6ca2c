"""How bots talk: lines in, lines out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agon.errors import IllegalMoveError, ProtocolError
from agon.games.atlantis.document import parse_board
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.position import AtlantisPosition
from agon.games.atlantis.transcript_form import parse_moves
from agon.games.dialogue import Briefing
from agon.games.game import Outcome
from agon.match.transcript import format_transcript, parse_transcript, verify

ROOT = Path(__file__).parents[3]
SHORTHAND = (
    '{"segments": ["B2", ["d4"]], "players": [{"stacks": {"B2": 1}}, {"stacks": {"d4": -1}}]}'
)


def lines_of(told: list[str]) -> list[Any]:
    return [json.loads(line) for line in told]


def test_a_session() -> None:
    dialogue, position = GAME.dialogue(None), GAME.start(AtlantisOptions("hexagon"), seats=3)
    briefing = Briefing(1_500_000_000, 60_000_000_000, ("a", "b", 'c "\n'))
    (first,) = lines_of(dialogue.open(position, 1, briefing))
    assert list(first) == [
        *("format", "version", "segments", "players", "events", "you", "turn_ms", "bank_ms"),
    ]
    assert (first["you"], first["turn_ms"], first["bank_ms"]) == (1, 1500, 60000)
    assert [player["name"] for player in first["players"]] == ["a", "b", 'c "\n']
    assert dialogue.is_ready()
    turn = dialogue.parse(position, 0, dialogue.read('{"moves": []}') or "")
    after = position.play({0: turn})
    assert lines_of(dialogue.tell(position, {0: turn}, after)) == [{"type": "turn", "moves": []}]
    assert lines_of(dialogue.ask(after)) == [{"type": "your-turn"}]
    move = after.format_turn(1, (after.moves[0],)).split("-")
    text = dialogue.read(json.dumps({"moves": [move], "comment": "bold"}))
    assert text == "-".join(move)
    chosen = dialogue.parse(after, 1, text)
    later = after.play({1: chosen})
    assert lines_of(dialogue.tell(after, {1: chosen}, later)) == [{"type": "turn", "moves": [move]}]
    assert lines_of(dialogue.close(Outcome((0, 1, 2), "over"))) == [
        {"type": "end", "scores": [0, 1, 2], "reason": "over"}
    ]
    assert lines_of(dialogue.close(None)) == [{"type": "end", "scores": [], "reason": "unfinished"}]
    assert dialogue.leave() == []


def test_the_first_line_is_a_transcript() -> None:
    position = GAME.start(seats=3)
    (line,) = GAME.dialogue("json").open(position, 2, Briefing())
    transcript = parse_transcript(line, [GAME])
    assert transcript.options == position.options
    assert transcript.extra == {"you": 2}
    assert "turn_ms" not in line


def test_bots_are_told_field_by_field() -> None:
    position = GAME.start(AtlantisOptions(custom=SHORTHAND))
    (line,) = GAME.dialogue(None).open(position, 0, Briefing())
    assert parse_board(line) == position.board
    assert "B2" not in line


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "line 1, column 1: Expecting value"),
        ("a1-b2", "line 1, column 1: Expecting value"),
        ("[]", 'the answer []: expected an object such as {"moves": [["a1", "b2"]]}'),
        ("{}", "the answer has no moves"),
        ('{"moves": null}', "moves null: expected a list of moves"),
        ('{"moves": {}}', "moves {}: expected a list of moves"),
        ('{"moves": ["a1-b2"]}', 'moves[0] "a1-b2": expected two fields'),
        ('{"moves": [["a1", "b2", "c3"]]}', 'moves[0] ["a1", "b2", "c3"]: expected two fields'),
        ('{"moves": [["a1", 2]]}', "moves[0][1] 2: expected a field"),
        ('{"moves": [["A1", "b2"]]}', 'moves[0][0] "A1": expected a field, in small letters'),
        ('{"moves": [["a1", "b 2"]]}', "moves[0][1]: field 'b 2': expected small letters"),
        ('{"moves": [], "moves": []}', 'the key "moves" stands twice'),
        ('{"moves": NaN}', "moves: a number that is infinite"),
        ("[" * 5000, "nested too deeply"),
    ],
)
def test_bad_answers_break_the_protocol(line: str, told: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        GAME.dialogue(None).read(line)
    assert told in str(caught.value)
    assert repr(line[:60]) in str(caught.value)


def test_illegal_turns_are_refused_whole() -> None:
    dialogue, position = GAME.dialogue(None), GAME.start()
    text = dialogue.read('{"moves": [["b2", "c3"], ["a1", "a2"]]}') or ""
    with pytest.raises(IllegalMoveError, match="move a1-a2: b2-c3 of this turn starts in the same"):
        dialogue.parse(position, 0, text)


def test_the_session_of_the_page_is_a_real_one() -> None:
    page = (ROOT / "docs" / "atlantis.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if line.startswith(("> {", "< {"))]
    first = json.loads(lines[0][2:])
    position = AtlantisPosition.of(GAME.parse_match(lines[0][2:])[0])
    names = tuple(player["name"] for player in first["players"])
    dialogue = GAME.dialogue(None)
    said = [f"> {line}" for line in dialogue.open(position, 0, Briefing(10**9, names=names))]
    others = [
        json.loads(line[2:])["moves"] for line in lines if line.startswith('> {"type": "turn"')
    ]
    while position.to_act:
        text = parse_moves(others[position.turn], "moves")
        if position.seat == 0:
            said += [f"> {line}" for line in dialogue.ask(position)]
            said.append(f"< {json.dumps({'moves': others[position.turn]})}")
        turn = dialogue.parse(position, position.seat, text)
        after = position.play_turn(turn)
        said += [f"> {line}" for line in dialogue.tell(position, {position.seat: turn}, after)]
        position = after
    said += [f"> {line}" for line in dialogue.close(position.outcome)]
    assert said == lines


def test_the_documents_of_the_page_hold() -> None:
    page = (ROOT / "docs" / "atlantis.md").read_text("utf-8")
    text = page.partition("```json\n")[2].partition("```")[0]
    transcript = parse_transcript(text, [GAME])
    assert verify(transcript) is None
    assert json.loads(format_transcript(transcript)) == json.loads(text)
