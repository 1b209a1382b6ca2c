"""`agon bot`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agon.arbiter.entrant import load_program
from agon.match.transcript import load_transcript
from tests.cli.process import run_agon
from tests.cli.samples import app

pytestmark = pytest.mark.system

LANGUAGES = ("c", "go", "java", "javascript", "python", "rust")
WHITE_ONLY = 'while read word rest; do [ "$word" = colour ] && printf "wS1\\n"; done'


def bot(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bot", *arguments])


def shell_bot(place: Path, script: str) -> str:
    folder = place / "bot"  # not pytest's own: that is closed to the user nobody, who runs it
    folder.mkdir()
    (folder / "bot.sh").write_text(script)
    (folder / "bot.toml").write_text('name = "bot"\ngames = ["hive"]\nrun = "sh bot.sh"\n')
    return str(folder)


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_writes_a_bot(tmp_path: Path, language: str) -> None:
    folder = tmp_path / "crawler"
    result = bot("new", "hive", str(folder), "--language", language)
    assert result.exit_code == 0, result.stderr
    assert f"agon bot check {folder}" in result.stdout
    assert f"wrote {folder / 'bot.toml'}" in result.stdout
    program = load_program(folder)
    assert (program.name, program.games, program.language) == ("crawler", ("hive",), language)
    assert len(list(folder.iterdir())) == 2


def test_new_takes_a_name(tmp_path: Path) -> None:
    result = bot("new", "hive", "--name", "Spider-2.0", str(tmp_path / "x y"))
    assert result.exit_code == 0
    assert load_program(tmp_path / "x y").name == "Spider-2.0"
    assert f"agon bot check '{tmp_path / 'x y'}'" in result.stdout


def test_new_takes_an_empty_folder(tmp_path: Path) -> None:
    assert bot("new", "hive", "--name", "ant", str(tmp_path)).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess", "x"], "game 'chess': expected one of"),
        (["hive", "x", "--language", "cobol"], "language 'cobol': hive has starters in c, go"),
        (["hive", "x", "--language", "../c"], "language '../c': hive has starters in c, go"),
        (["hive", "x", "--name", "a b"], "name 'a b': expected letters, digits"),
        (["hive", "x", "--name", 'a"b'], "expected letters, digits"),
        (["hive", "x", "--name", "random"], "name 'random': a built-in bot has it"),
        (["hive", "full"], "folder 'full' is there and not empty: name a new one"),
        (["hive", "full/file"], "folder 'full/file' is there and not empty: name a new one"),
        (["hive", "full/file/x"], "folder 'full/file/x': Not a directory"),
    ],
)
def test_new_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    result = bot("new", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


def test_check_tells_what_it_saw_and_what_to_do(tmp_path: Path) -> None:
    saved = tmp_path / "match.json"
    folder = shell_bot(tmp_path, f"echo debug >&2; {WHITE_ONLY}")
    result = bot("check", folder, "--time", "1ms", "--save", str(saved))
    assert result.exit_code == 1
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert any(line.startswith("✓    4  makes the first turn") for line in lines)
    assert any(line.startswith("✗    5  answers when another has begun") for line in lines)
    assert f"agon replay {saved} --turn 1" in lines
    assert "> colour black" in lines
    assert "< wS1" in lines
    assert lines[lines.index("the end of its standard error:") + 1] == "debug"
    assert lines[-1] == "failed at step 5; 7 steps after it were not tried"
    transcript = load_transcript(saved)
    assert transcript.extra["wire"] == [[], [line for line in lines if line[:2] in ("> ", "< ")]]


def test_check_draws_the_position_of_a_short_match(tmp_path: Path) -> None:
    result = bot("check", shell_bot(tmp_path, WHITE_ONLY), "--time", "1ms", "--bank", "1ms")
    assert "agon show hive 'Base;InProgress;Black[1];w" in result.stdout


def test_check_as_json(tmp_path: Path) -> None:
    result = bot("check", shell_bot(tmp_path, "exit 3"), "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["game"], found["ok"]) == ("hive", False)
    verdicts = {step["number"]: step["verdict"] for step in found["steps"]}
    assert verdicts["2"] == "ok"
    assert verdicts["3"] == "failed"
    assert verdicts["4"] == "not tried"
    assert "exit status 3" in found["steps"][2]["saw"]


def test_check_of_a_good_bot_ends_with_status_0(tmp_path: Path) -> None:
    bot("new", "hive", str(tmp_path / "crawler"))
    result = bot("check", str(tmp_path / "crawler"), "--time", "20s")
    assert result.exit_code == 0, result.stdout
    assert "steps went well" in result.stdout.splitlines()[-1]
    assert "✗" not in result.stdout


def test_check_of_a_slow_bot_says_which_steps_were_left_out(tmp_path: Path) -> None:
    bot("new", "hive", str(tmp_path / "sloth"))
    source = tmp_path / "sloth" / "hive_bot.py"
    slow = "__import__('time').sleep(0.2)\n    return random.choice"
    source.write_text(source.read_text().replace("return random.choice", slow))
    result = bot("check", str(tmp_path / "sloth"), "--time", "1us", "--unsafe-host")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert " -    7  plays a second match after the first    its turns take too long" in lines[6]
    assert lines[-1] == "failed at step 9; 6 steps before it were left out"


def test_what_a_bot_says_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    result = bot("check", shell_bot(tmp_path, r"printf '\033[2Jhello\n'; cat >/dev/null"))
    assert "\x1b" not in result.stdout
    assert r"< \x1b[2Jhello" in result.stdout


LOOK = "id -u >&2; read line; exit 3"


@pytest.mark.parametrize(("flags", "user"), [([], "1000"), (["--unsafe-host"], str(os.getuid()))])
def test_check_is_in_the_sandbox_or_on_the_host(
    tmp_path: Path, flags: list[str], user: str
) -> None:
    result = bot("check", shell_bot(tmp_path, LOOK), "--json", *flags)
    assert json.loads(result.stdout)["steps"][2]["stderr"] == f"{user}\n"


@pytest.mark.slow
def test_compiling_is_not_a_bot_s_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first check after an install: Skyport's very large maps have kernels of their own."""
    monkeypatch.setenv("AGON_CACHE", str(tmp_path / "cache"))
    folder = str(tmp_path / "rover")
    assert bot("new", "skyport", folder).exit_code == 0
    done = run_agon("bot", "check", folder)
    assert done.stderr.count("compiling the rules") > 1
    assert done.returncode == 0, done.stdout


def test_check_builds_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGON_CACHE", str(tmp_path / "cache"))
    folder = Path(shell_bot(tmp_path, f". ./made; {LOOK}"))
    with (folder / "bot.toml").open("a") as settings:
        settings.write("build = \"sh -c 'echo echo made > made'\"\n")
    for times in ("s", "built before"):
        steps = json.loads(bot("check", str(folder), "--json").stdout)["steps"]
        assert (steps[1]["verdict"], steps[1]["saw"].endswith(times)) == ("ok", True)
        assert "made" in steps[2]["wire"][-1]
    assert not (folder / "made").exists()
    bot("check", str(folder), "--json", "--unsafe-host")
    assert (folder / "made").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["python3 bot.py"], "name the game to check it in: --game atlantis"),
        (["python3 bot.py", "--game", "chess"], "game 'chess': expected one of "),
        (["x y", "--game", "hive", "--time", "soon"], "time 'soon'"),
        (["x y", "--game", "hive", "--bank", "much"], "time 'much'"),
        (["x y", "--game", "hive", "--variant", "Chess"], "variant='Chess'"),
    ],
)
def test_check_refuses(arguments: list[str], told: str) -> None:
    result = bot("check", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


@pytest.mark.parametrize(("game", "language"), [("atlantis", "python"), ("battlebots", "c")])
def test_the_starters_of_other_games_pass(tmp_path: Path, game: str, language: str) -> None:
    folder = tmp_path / "starter"
    made = CliRunner().invoke(app, ["bot", "new", game, str(folder), "--language", language])
    assert made.exit_code == 0, made.stderr
    checked = CliRunner().invoke(app, ["bot", "check", str(folder), "--unsafe-host", "--json"])
    assert checked.exit_code == 0, checked.stdout


def test_check_says_what_to_do_if_an_engine_cannot_be_told_its_time() -> None:
    result = bot("check", "uhp:sh -c exit", "--game", "hive", "--unsafe-host")
    assert result.exit_code == 1
    assert "--time 1100ms" in " ".join(result.stdout.split())
    assert "failed at step 1" in result.stdout
