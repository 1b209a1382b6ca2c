"""`agon replay`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from agon.match.transcript import Fault
from tests.cli.samples import GAME_STRING, OPENING, app, forfeit, saved, transcript_of

if TYPE_CHECKING:
    from pathlib import Path

WIRE = [["> options variant=Base", "> colour white", "< wS1"], []]


def replay(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["replay", *arguments])


def refused(result: Result) -> str:
    """The one line with which it was refused."""
    assert result.exit_code == 2, result.output
    line: str = result.stderr.splitlines()[-1]
    assert line.startswith("agon: ")
    return line


def test_a_pipe_gets_every_position_in_order(tmp_path: Path) -> None:
    result = replay(saved(tmp_path, transcript_of(*OPENING)))
    assert result.exit_code == 0
    captions = [line for line in result.stdout.splitlines() if line.startswith("turn ")]
    assert captions == [
        "turn 0  Hive: ada - bob",
        "turn 1  ada (seat 0) wS1 1.0 ms",
        "turn 2  bob (seat 1) bG1 wS1- 2.0 ms",
        "turn 3  ada (seat 0) wQ -wS1 3.0 ms",
        "turn 4  bob (seat 1) bQ bG1- 4.0 ms",
    ]
    assert "|wQ1|wS1|bG1[bQ1]" in result.stdout
    assert "\x1b" not in result.stdout


def test_the_notation_of_bots_stands_beside_that_of_players_if_asked(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING))
    lines = replay(file, "--both-notations").stdout.splitlines()
    assert "turn 1  ada (seat 0) wS1 1.0 ms" in lines  # the same in both
    assert "turn 3  ada (seat 0) wQ -wS1 wQ1|*wS1 3.0 ms" in lines
    assert "--both-notations: goes with boards" in refused(
        replay(file, "--both-notations", "--json")
    )


def test_a_fault_is_told_in_words_at_its_place(tmp_path: Path) -> None:
    match = forfeit(transcript_of("wS1"), 1, Fault.ILLEGAL, "move 'bQ1': \x1b[2J no")
    result = replay(saved(tmp_path, match))
    lines = result.stdout.splitlines()
    assert lines[0] == r"bob: illegal turn: move 'bQ1': \x1b[2J no  (after turn 1)"
    caption = lines.index("turn 1  ada (seat 0) wS1 1.0 ms")
    assert lines[caption + 1] == r"bob: illegal turn: move 'bQ1': \x1b[2J no"


def test_one_turn_is_one_board(tmp_path: Path) -> None:
    result = replay(saved(tmp_path, transcript_of(*OPENING)), "--turn", "2")
    assert result.exit_code == 0
    assert "|wS1[bG1]" in result.stdout
    assert result.stdout.splitlines()[-1] == "Turn 2: ada (White) to move"


def test_the_last_turn_has_the_fault_and_the_time(tmp_path: Path) -> None:
    match = forfeit(transcript_of(*OPENING[:2]), 0, Fault.TIMEOUT, "no turn within 1 s")
    lines = replay(saved(tmp_path, match), "--turn", "last").stdout.splitlines()
    assert lines[:2] == ["turn 2  bob (seat 1) bG1 wS1- 2.0 ms", "ada: timeout: no turn within 1 s"]
    found = json.loads(replay(saved(tmp_path, match), "--json").stdout)["positions"][-1]
    assert found["ns"] == {"1": 2_000_000}
    assert found["faults"] == [{"seat": 0, "fault": "timeout", "detail": "no turn within 1 s"}]


def test_one_turn_as_json_is_the_position_in_the_games_own_terms(tmp_path: Path) -> None:
    result = replay(saved(tmp_path, transcript_of(*OPENING)), "--turn", "1", "--json")
    position = json.loads(result.stdout)
    assert position["tiles"] == [{"tile": "wS1", "cell": [0, 0], "xy": [0, 0], "level": 0}]
    assert position["to_act"] == [1]


def test_json_without_a_turn_has_all_positions(tmp_path: Path) -> None:
    found = json.loads(replay(saved(tmp_path, transcript_of(*OPENING)), "--json").stdout)
    assert found["game"] == "hive"
    assert [entry["turn"] for entry in found["positions"]] == [0, 1, 2, 3, 4]
    assert found["positions"][2]["played"] == {"1": "bG1*|wS1"}
    assert len(found["positions"][4]["position"]["tiles"]) == 4


def test_text_is_what_players_exchange(tmp_path: Path) -> None:
    result = replay(saved(tmp_path, transcript_of(*OPENING)), "--text")
    assert (result.exit_code, result.stdout) == (0, f"{GAME_STRING}\n")


def test_pictures_are_numbered(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    result = replay(saved(tmp_path, transcript_of(*OPENING)), "--svg", str(folder))
    assert (result.exit_code, result.stdout) == (0, f"wrote 5 pictures to {folder}\n")
    assert sorted(p.name for p in folder.iterdir()) == [f"000{n}.svg" for n in range(5)]
    for path in folder.iterdir():
        ElementTree.parse(path)  # noqa: S314


def test_one_picture(tmp_path: Path) -> None:
    arguments = ("--svg", str(tmp_path / "p"), "--turn", "3")
    result = replay(saved(tmp_path, transcript_of(*OPENING)), *arguments)
    assert "wrote 1 picture to" in result.stdout
    assert [p.name for p in (tmp_path / "p").iterdir()] == ["0003.svg"]


def test_the_lines_of_one_seat_are_printed_as_they_were(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING, extra={"wire": WIRE}))
    result = replay(file, "--wire", "--seat", "0")
    assert result.stdout.splitlines() == WIRE[0]
    assert json.loads(replay(file, "--wire", "--seat", "0", "--json").stdout) == WIRE[0]


def test_the_lines_of_all_seats_have_headings(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING, extra={"wire": WIRE}))
    assert replay(file, "--wire").stdout.splitlines() == [
        "seat 0, ada",
        *WIRE[0],
        "seat 1, bob: no lines",
    ]
    assert json.loads(replay(file, "--wire", "--json").stdout) == WIRE


def test_the_standard_error_of_a_seat(tmp_path: Path) -> None:
    extra = {"stderr": ["thinking\n\x1b[2Jdone\n", ""]}
    file = saved(tmp_path, transcript_of(*OPENING, extra=extra))
    assert replay(file, "--stderr", "--seat", "0").stdout == "thinking\n\\x1b[2Jdone\n"
    raw = replay(file, "--stderr", "--seat", "0", "--raw")
    assert raw.stdout == "thinking\n\x1b[2Jdone\n"
    assert replay(file, "--stderr", "--seat", "1").stdout == ""
    assert replay(file, "--stderr").stdout.splitlines()[0] == "seat 0, ada"
    assert json.loads(replay(file, "--stderr", "--json").stdout) == extra["stderr"]
    assert json.loads(replay(file, "--stderr", "--seat", "1", "--json").stdout) == ""


def test_long_lines_are_not_broken(tmp_path: Path) -> None:
    wire = [["> " + "x" * 500], []]
    file = saved(tmp_path, transcript_of(*OPENING, extra={"wire": wire}))
    assert replay(file, "--wire", "--seat", "0").stdout.splitlines() == wire[0]


def test_a_compressed_file(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING), "match.json.gz")
    assert replay(file, "--text").stdout == f"{GAME_STRING}\n"


def test_a_match_that_stops_fitting_the_rules_is_shown_up_to_there(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of("wS1", "bG1*|wS1", "wQ1*|bG1"))
    result = replay(file)
    assert "turn 2  bob" in result.stdout
    assert "events[2].turns.0: move 'wQ1*|bG1'" in refused(result)
    assert replay(file, "--turn", "2").exit_code == 0
    assert "events[2].turns.0" in refused(replay(file, "--turn", "3"))


WRONG_USE: list[tuple[list[str], str]] = [
    (["--turn", "5"], "--turn 5: the match has turns 0 to 4"),
    (["--turn", "-1"], "--turn -1: the match has turns 0 to 4"),
    (["--wire"], "no lines are stored in it; `agon match --save` and tournaments store"),
    (["--turn", "soon"], "--turn soon: the match has turns 0 to 4; expected one, or last"),
    (["--stderr"], "no standard error is stored in it"),
    (["--raw"], "--raw: goes with --wire or --stderr, without --json"),
    (["--stderr", "--raw", "--json"], "--raw: goes with --wire or --stderr, without --json"),
    (["--stderr", "--wire"], "--wire with --stderr: choose one of them"),
    (["--match", "1"], "expected a transcript: a FILE, or --match"),
    (["--data", "here"], "--data 'here': goes with --match"),
    (["--wire", "--seat", "2"], "--seat 2: the match has seats 0 to 1"),
    (["--seat", "0"], "--seat 0: goes with --wire, --stderr, --json or --svg"),
    (["--wire", "--text"], "--wire with --text: choose one of them"),
    (["--text", "--turn", "1"], "--turn with --text: choose one of them"),
    (["--text", "--json"], "--json with --text: choose one of them"),
    (["--svg", "/dev/null/pictures"], "--svg '/dev/null/pictures': Not a directory"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG_USE)
def test_wrong_use_is_told_in_one_line(tmp_path: Path, arguments: list[str], told: str) -> None:
    file = saved(tmp_path, transcript_of(*OPENING))
    assert told in refused(replay(file, *arguments))


@pytest.mark.parametrize("wire", ["lines", [["> x"]], [["> x"], [7]], [["> x"], "y"], {"0": []}])
def test_lines_of_the_wrong_form_are_told(tmp_path: Path, wire: object) -> None:
    file = saved(tmp_path, transcript_of(*OPENING, extra={"wire": wire}))
    assert "wire: expected a list of texts for each of 2 seats" in refused(replay(file, "--wire"))


@pytest.mark.parametrize("stderr", ["text", ["one"], ["one", 2], {"0": ""}])
def test_a_standard_error_of_the_wrong_form_is_told(tmp_path: Path, stderr: object) -> None:
    file = saved(tmp_path, transcript_of(*OPENING, extra={"stderr": stderr}))
    assert "stderr: expected a text for each of 2 seats" in refused(replay(file, "--stderr"))


def test_a_seat_without_lines_is_told(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING, extra={"wire": WIRE}))
    assert "seat 1 (bob) exchanged no lines" in refused(replay(file, "--wire", "--seat", "1"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "line 1, column 1"),
        ("hello", "line 1, column 1"),
        ("{}", "Hive transcript"),
        ('{"format": "Hive transcript"}', "expected '1.0'"),
    ],
)
def test_a_file_that_is_no_transcript_is_told(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "match.json"
    file.write_text(content)
    line = refused(replay(str(file)))
    assert line.startswith(f"agon: {file}: ")
    assert told in line


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert "No such file" in refused(replay(str(tmp_path / "none.json")))


EXPLOSION = """{
    "format": "Atlantis transcript", "version": "1.0", "segments": ["B2"],
    "players": [{"stacks": {"a1": 2, "b2": 1}}, {"stacks": {"c3": 1}}],
    "events": [{"type": "turn", "moves": [["b2", "b3"]]}]
}"""


def test_stages_show_what_happens_within_a_turn(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(EXPLOSION)
    result = replay(str(file), "--stages")
    assert result.exit_code == 0, result.stderr
    captions = [line for line in result.stdout.splitlines() if line.startswith("turn ")]
    stages = [line.split("  ")[1] for line in captions[1:]]
    assert (stages[0], stages[-1]) == ("moves", "growth")
    assert all(line.startswith("turn 1  ") for line in captions[1:])
    told = json.loads(replay(str(file), "--stages", "--json").stdout)["positions"]
    assert [position.get("stage") for position in told] == [None, *stages]
    folder = tmp_path / "pictures"
    assert replay(str(file), "--stages", "--svg", str(folder)).exit_code == 0
    assert {path.name for path in folder.iterdir()} == {
        "0000.svg",
        *(f"0001 {stage}.svg" for stage in stages),
    }


def test_a_film_of_one_turn_in_stages(tmp_path: Path) -> None:
    file, film = tmp_path / "match.json", tmp_path / "film.svg"
    file.write_text(EXPLOSION)
    result = replay(str(file), "--stages", "--turn", "1", "--film", str(film))
    assert result.exit_code == 0, result.stderr
    assert film.read_text().count('class="frame"') == int(result.stdout.split()[1]) > 1
    told = refused(replay(str(file), "--film", str(tmp_path / "no" / "film.svg")))
    assert told.startswith("agon: --film ")


def test_games_without_stages_are_shown_as_ever(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING))
    assert replay(file, "--stages").stdout == replay(file).stdout
