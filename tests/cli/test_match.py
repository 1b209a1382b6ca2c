"""`agon match`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.cli.arguments import MOST_TURNS
from agon.cli.match import MOST_DEPTH, MOST_MATCHES
from agon.games.game import Outcome
from agon.games.hive.game import GAME
from agon.match.transcript import Fault, FaultEvent, TurnEvent, load_transcript, verify
from tests.arbiter.programs import MOVES, TURNS, write_program
from tests.cli.process import call_agon


def match(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["match", *arguments])


def figures(*arguments: str) -> dict[str, Any]:
    result = match("hive", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_has_the_figures_and_the_games() -> None:
    found = figures("greedy", "random", "--games", "4", "--seed", "5", "--cap", "200")
    assert (found["game"], found["bots"]) == ("hive", ["greedy", "random"])
    assert sum(found["wins"]) + found["draws"] == len(found["games"]) == 4
    assert [game["seed"] for game in found["games"]] == [5, 5, 6, 6]
    assert [game["seats"] for game in found["games"]] == [
        ["greedy", "random"],
        ["random", "greedy"],
    ] * 2
    assert all(
        0 <= slowest <= thought
        for slowest, thought in zip(found["slowest_turn_ns"], found["thought_ns"], strict=True)
    )
    for game in found["games"]:
        positions = GAME.parse_match(game["match"])
        assert len(positions) == game["turns"] + 1
        outcome = positions[-1].outcome
        if outcome:
            assert (outcome.winner, outcome.reason) == (game["winner"], game["reason"])
        else:
            assert (game["winner"], game["reason"]) == (None, "turn limit")


def test_wins_are_counted_for_the_bot_not_for_the_seat() -> None:
    found = figures("random", "greedy", "--games", "2", "--seed", "1")
    winners = [g["seats"][g["winner"]] for g in found["games"] if g["winner"] is not None]
    assert [winners.count(name) for name in ("random", "greedy")] == found["wins"]


def test_the_same_seed_gives_the_same_games() -> None:
    first, again, other = (
        figures("random", "search", "--depth", "1", "--cap", "12", "--seed", seed)["games"]
        for seed in ("3", "3", "4")
    )
    assert first == again != other


def test_a_cap_ends_a_game_without_a_winner() -> None:
    (game,) = figures("random", "random", "--cap", "3")["games"]
    assert (game["turns"], game["winner"], game["reason"]) == (3, None, "turn limit")


def test_variants_and_options() -> None:
    found = figures(
        *("random", "random", "--cap", "2", "--variant", "Base+MP"),
        *("--option", "repetition=off"),
    )
    assert found["options"] == {"variant": "Base+MP", "queen_first": False, "repetition": False}
    assert found["games"][0]["match"].startswith("Base+MP;InProgress;White[2];")


@pytest.mark.parametrize("time", ["0s", "1ns", "5ms", "0.001s"])
def test_short_times_are_kept_to_with_a_legal_move(time: str) -> None:
    (game,) = figures("search", "random", "--time", time, "--cap", "4")["games"]
    assert game["turns"] == 4


def test_one_game_for_people_ends_with_its_record() -> None:
    result = match("hive", "random", "random", "--cap", "4")
    assert result.exit_code == 0
    headline, text = result.stdout.splitlines()
    assert headline == "draw after 4 turns: turn limit"
    assert len(GAME.parse_match(text)) == 5


def test_a_record_of_many_lines_is_left_to_replay() -> None:
    result = match("skyport", "random", "random", "--option", "turns=4")
    assert len(result.stdout.splitlines()) == 11
    result = match("skyport", "random", "random", "--option", "turns=6")
    assert "after 13 turns" in result.stdout
    assert len(result.stdout.splitlines()) == 1


def test_the_winner_is_named() -> None:
    result = match("hive", "random", "greedy", "--seed", "1")
    winner = figures("random", "greedy", "--seed", "1")["games"][0]["winner"]
    assert winner is not None
    assert result.stdout.startswith(f"{('random', 'greedy')[winner]} wins after ")


def test_several_games_for_people_are_a_table() -> None:
    result = match("hive", "random", "greedy", "--games", "3", "--cap", "6")
    assert result.exit_code == 0
    head, random, greedy, summary = result.stdout.splitlines()
    assert head.split() == ["bot", "wins", "draws", "losses", "score", "faults", "slowest", "turn"]
    assert random.split()[:7] == ["random", "0", "3", "0", "50.0", "%", "0"]
    assert greedy.split()[:7] == ["greedy", "0", "3", "0", "50.0", "%", "0"]
    assert summary == "3 games, 6.0 turns on average"


def test_a_pipe_is_sent_every_board() -> None:
    done = call_agon("match", "hive", "random", "random", "--cap", "3", "--watch")
    assert done.returncode == 0
    told = [line for line in done.stdout.splitlines() if line.startswith(("Turn ", "No winner"))]
    assert told == [
        "Turn 0: random (White) to move",
        "Turn 1: random (Black) to move",
        "Turn 2: random (White) to move",
        "Turn 3: random (Black) to move",
        "No winner: turn limit",
    ]
    assert "\x1b" not in done.stdout
    assert done.stdout.splitlines()[-2] == "draw after 3 turns: turn limit"


def test_boards_do_not_spoil_the_json() -> None:
    result = match("hive", "random", "random", "--cap", "2", "--watch", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--watch with --json" in result.stderr


@pytest.mark.parametrize("seed", [0, 2**62 - 1, 2**62])
def test_the_largest_seeds_will_do(seed: int) -> None:
    result = match("hive", "random", "greedy", "--cap", "2", "--seed", str(seed), "--json")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert json.loads(result.stdout)["games"][0]["seed"] == seed


# --- programs ------------------------------------------------------------------------------------


def bot_folder(path: Path, body: str, name: str = "mine") -> str:
    """A folder with a bot that plays the known moves, or does what the body says instead."""
    path.mkdir()
    *command, _ = write_program(path / "bot.py", body)
    run = shlex.join([*command, "bot.py"])
    settings = {"name": name, "run": run, "games": ["hive"]}
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
    (path / "bot.toml").write_text("".join(lines))
    return str(path)


@pytest.mark.system
def test_programs_play_by_their_folder_or_their_command(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "one", "play()")
    command = shlex.join(write_program(tmp_path / "two.py", "play()"))
    limits = ("--cap", str(TURNS), "--games", "2", "--bank", "60s")
    found = figures(folder, command, *limits, "--unsafe-host")
    assert found["bots"] == ["mine", command[:64]]
    assert (found["faults"], found["draws"]) == ([0, 0], 2)
    first, second = found["games"]
    assert first["seats"] == ["mine", command[:64]] == second["seats"][::-1]
    assert first["faults"] == second["faults"] == [None, None]
    assert first["match"] == second["match"]
    position = GAME.parse_match(first["match"])[1]
    assert position.observe(None)["tiles"] == [
        {"tile": MOVES[0], "cell": [0, 0], "xy": [0, 0], "level": 0}
    ]


@pytest.mark.system
def test_an_installation_is_shown_if_it_is_allowed_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGON_ALLOW", "")
    folder = Path(bot_folder(tmp_path / "bot", "next(asked()); raise KeyError('queen')"))
    tools = tmp_path / "tools"
    for name in ("bin", "lib"):
        (tools / name).mkdir(parents=True)
    tool = tools / "bin" / "mypython"
    tool.write_text('#!/bin/sh\nexec python3 -I -S "$@"\n')
    tool.chmod(0o755)
    for run in ("mypython bot.py", f"{tool} bot.py"):
        (folder / "bot.toml").write_text(f"name = 'mine'\nrun = '{run}'\n")
        result = match("hive", str(folder), "random")
        assert "could not start" in result.stdout
        assert "--allow" in result.stdout
        result = match("hive", str(folder), "random", "--allow", str(tools))
        assert f"agon: bots can read {tools}\n" in result.stderr
        assert "KeyError: 'queen'" in result.stdout
        monkeypatch.setenv("AGON_ALLOW", "")


def test_what_cannot_be_allowed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("", "/opt/a:b", "/etc", "/no/such/folder"):
        monkeypatch.setenv("AGON_ALLOW", "")
        result = match("hive", "greedy", "random", "--allow", path)
        assert result.exit_code == 2
        assert repr(path) in result.stderr


@pytest.mark.system
def test_a_fault_is_told_in_one_game(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot", "next(asked()); raise KeyError('queen')")
    result = match("hive", folder, "random")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "random wins after 0 turns: white: crash",
        "mine: crash: exit status 1: KeyError: 'queen'",
        "Base;NotStarted;White[1]",
    ]


@pytest.mark.system
def test_faults_are_counted_in_the_table_and_in_the_json(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot", "next(asked()); say('hello\\n'); sleep()")
    arguments = (folder, "random", "--games", "4", "--seed", "3")
    result = match("hive", *arguments)
    rows = [line.split() for line in result.stdout.splitlines()]
    assert rows[1][:7] == ["mine", "0", "0", "4", "0.0", "%", "4"]
    assert rows[2][:7] == ["random", "4", "0", "0", "100.0", "%", "0"]
    found = figures(*arguments)
    assert (found["faults"], found["wins"]) == ([4, 0], [0, 4])
    assert [game["faults"] for game in found["games"]] == [
        ["protocol error", None],
        [None, "protocol error"],
    ] * 2
    assert [game["reason"] for game in found["games"]] == [
        "white: protocol error",
        "black: protocol error",
    ] * 2
    assert [game["turns"] for game in found["games"]] == [0, 1, 0, 1]


@pytest.mark.system
def test_a_program_that_is_not_there_could_not_start(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text("name = 'mine'\nrun = './nowhere'\n")
    (game,) = figures(str(tmp_path), "random", "--unsafe-host")["games"]
    assert (game["faults"], game["winner"]) == (["could not start", None], 1)


SLOW = """
for number, move in enumerate(asked()):
    if number == 1:
        time.sleep(0.2)
    say(move + "\\n")
"""


@pytest.mark.system
@pytest.mark.parametrize(("bank", "fault"), [("0s", "timeout"), ("60s", None)])
def test_the_bank_is_time_beyond_the_turns(tmp_path: Path, bank: str, fault: str | None) -> None:
    folder = bot_folder(tmp_path / "bot", SLOW)
    (game,) = figures(folder, "random", "--cap", "3", "--time", "20ms", "--bank", bank)["games"]
    assert game["faults"] == [fault, None]


@pytest.mark.system
@pytest.mark.parametrize("name", ["match.json", "match.json.gz", "new/folder/match.json"])
def test_a_match_is_saved_to_a_file(tmp_path: Path, name: str) -> None:
    folder, path = bot_folder(tmp_path / "bot", "play()"), tmp_path / name
    other = bot_folder(tmp_path / "other", "play()", "other")
    limits = ("--cap", str(TURNS), "--bank", "60s")
    result = match("hive", folder, other, *limits, "--save", str(path))
    assert result.exit_code == 0, result.stderr
    transcript = load_transcript(path)
    assert verify(transcript) == Outcome((0, 0), "turn limit")
    assert [player["name"] for player in transcript.players] == ["mine", "other"]
    played = [event.turns for event in transcript.events if isinstance(event, TurnEvent)]
    assert played == [{number % 2: move} for number, move in enumerate(MOVES)]
    assert transcript.extra["wire"] == [
        [
            "> options variant=Base queen_first=off repetition=on turn_ms=1000 bank_ms=60000",
            f"> colour {colour}",
            *("<>"[number % 2 ^ own] + f" {move}" for number, move in enumerate(MOVES[: 7 + own])),
            "> end draw turn limit",
        ]
        for own, colour in enumerate(("white", "black"))
    ]


@pytest.mark.system
def test_several_matches_are_saved_to_a_folder(tmp_path: Path) -> None:
    folder, target = bot_folder(tmp_path / "bot", "sys.exit(3)"), tmp_path / "games"
    found = figures(folder, "random", "--games", "3", "--save", str(target))
    paths = sorted(target.iterdir())
    assert [path.name for path in paths] == [f"{number:06}.json.gz" for number in range(3)]
    for path, game in zip(paths, found["games"], strict=True):
        transcript = load_transcript(path)
        outcome = verify(transcript)
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (game["winner"], game["reason"])
        assert (transcript.seed, transcript.outcome) == (game["seed"], outcome)
        (fault,) = (event for event in transcript.events if isinstance(event, FaultEvent))
        assert (fault.fault, fault.detail) == (Fault.CRASH, "exit status 3")


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path, tmp_path / "file" / "match.json"):
        result = match("hive", "random", "random", "--cap", "2", "--save", str(target))
        assert result.exit_code == 2
        assert f"agon: --save '{target}': cannot be written: " in result.stderr


COUNTER = """
matches = 0
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "options":
        matches += 1
        print("match", matches, file=sys.stderr, flush=True)
    if word == "colour":
        mine = iter(MOVES[rest == "black"::2])
    if word not in ("options", "end") and rest != "black":
        say(next(mine) + "\\n")
"""


@pytest.mark.system
@pytest.mark.parametrize(("reuse", "told"), [((), [1, 1, 1]), (("--reuse",), [1, 2, 3])])
def test_programs_may_stay_alive_from_match_to_match(
    tmp_path: Path, reuse: tuple[str, ...], told: list[int]
) -> None:
    """Either way the lines and the standard error of each match are its own."""
    folder, target = bot_folder(tmp_path / "bot", COUNTER), tmp_path / "games"
    arguments = (folder, folder, "--cap", str(TURNS), "--games", "3", "--time", "60s")
    found = figures(*arguments, "--save", str(target), *reuse, "--unsafe-host")
    assert found["faults"] == [0, 0]
    transcripts = [load_transcript(path) for path in sorted(target.iterdir())]
    for transcript, number in zip(transcripts, told, strict=True):
        assert transcript.extra["stderr"] == [f"match {number}\n"] * 2
        wire: Any = transcript.extra["wire"]
        assert [lines[1] for lines in wire] == ["> colour white", "> colour black"]
        assert [lines[-1] for lines in wire] == ["> end draw turn limit"] * 2
        assert verify(transcript) == Outcome((0, 0), "turn limit")


def test_matches_side_by_side_are_told_in_order(tmp_path: Path) -> None:
    arguments = ("random", "greedy", "--games", "6", "--cap", "20", "--seed", "4")
    in_turn = figures(*arguments)["games"]
    beside = figures(
        *arguments, "--jobs", "3", "--oversubscribe", "--save", str(tmp_path / "games")
    )["games"]
    assert beside == in_turn
    seeds = [load_transcript(path).seed for path in sorted((tmp_path / "games").iterdir())]
    assert seeds == [4, 4, 5, 5, 6, 6]


WRONG_USE: list[tuple[list[str], str]] = [
    (["chess", "random", "random"], "game 'chess': expected one of atlantis"),
    (["hive", "random"], "random: Hive is for 2 bots"),
    (["hive", "random", "random", "random"], "random random random: Hive is for 2 bots"),
    (
        ["hive", "random", "nobody"],
        "bot 'nobody': expected one of random, greedy, search, search:1 to search:10, a",
    ),
    (["hive", "random", ""], "bot '': expected one of random, greedy, search, search:1 to"),
    (["hive", "random", "python3 'x"], 'bot "python3 \'x": No closing quotation'),
    (["hive", "random", "/"], "/: there is no bot.toml in it"),
    (["hive", "random", "random", "--bank", "much"], "time 'much': expected a number and a unit"),
    (["hive", "random", "random", "--bank", "-1s"], "time '-1s': expected a number and a unit"),
    (["hive", "random", "random", "--jobs", "900"], "a match for each core of this machine"),
    (["hive", "random", "random", "--threads", "1024"], "--threads 1024, --jobs 1: expected no"),
    (["hive", "random", "random", "--threads", "many"], "--threads 'many': expected all, or"),
    (["hive", "random", "random", "--jobs", "-1"], "--jobs -1: expected a whole number from 0"),
    (
        ["hive", "random", "random", "--jobs", "2", "--watch", "--oversubscribe"],
        "expected one match at a time",
    ),
    (["hive", "random", "random", "--games", "0"], "--games 0: expected a whole number from 1"),
    (["hive", "random", "random", "--games", "-1"], "--games -1: expected a whole number from 1"),
    (
        ["hive", "random", "random", "--games", str(MOST_MATCHES + 1)],
        f"from 1 to {MOST_MATCHES}",
    ),
    (["hive", "random", "random", "--cap", "0"], "--cap 0: expected a whole number from 1"),
    (["hive", "random", "random", "--cap", str(MOST_TURNS + 1)], f"from 1 to {MOST_TURNS}"),
    (["hive", "random", "random", "--seed", "-1"], "--seed -1: expected a whole number from 0"),
    (["hive", "random", "random", "--seed", "9" * 40], "expected a whole number from 0"),
    (["hive", "random", "random", "--depth", "0"], "--depth 0: expected a whole number from 1"),
    (["hive", "random", "random", "--depth", str(MOST_DEPTH + 1)], f"from 1 to {MOST_DEPTH}"),
    (["hive", "random", "random", "--time", "soon"], "time 'soon': expected a number and a unit"),
    (["hive", "random", "random", "--time", "-1s"], "time '-1s': expected a number and a unit"),
    (["hive", "random", "random", "--time", ""], "time '': expected a number and a unit"),
    (["hive", "random", "random", "--time", "9" * 400 + "s"], "expected a number and a unit"),
    (["hive", "random", "random", "--variant", "Chess"], "option variant='Chess': expected Base"),
    (["hive", "random", "random", "--option", "speed=9"], "option 'speed': expected one of"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG_USE)
def test_wrong_use_is_told_in_one_line(arguments: list[str], told: str) -> None:
    result = match(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    line = result.stderr.splitlines()[-1]  # the first may tell that something is compiled
    assert line.startswith("agon: ")
    assert told in line


@pytest.mark.parametrize(
    "command",
    [
        ("match", "hive", "uhp:sh -c exit", "random"),
        ("match", "hive", "random", "uhp:sh -c exit", "--time", "500ms"),
        ("sprt", "hive", "uhp:sh -c exit", "random", "--time", "1s"),
        ("tournament", "hive", "uhp:sh -c exit", "random", "--time", "1s", "--data", "{data}"),
    ],
)
def test_a_time_that_an_engine_cannot_be_told_is_refused_first(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """The Universal Hive Protocol counts whole seconds; a second a turn leaves less to think."""
    words = [word.format(data=tmp_path / "agon.db") for word in command]
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout) == (2, "")
    told = result.stderr.splitlines()[-1]
    assert told.startswith("agon: bot 'uhp:sh -c exit': protocol uhp: 'bestmove time' counts whole")
    assert "--time 1100ms" in told
    assert "uhp-fractions" in told


@pytest.mark.system
def test_an_engine_that_takes_fractions_says_so() -> None:
    result = match("hive", "uhp-fractions:sh -c exit", "random", "--unsafe-host", "--json")
    assert result.exit_code == 0, result.stderr
    assert "could not start" in json.loads(result.stdout)["games"][0]["reason"]
