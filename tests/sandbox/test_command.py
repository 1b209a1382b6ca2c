"""Which program a command means; programs from anywhere run and see no more than they need."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from agon.errors import SandboxError
from agon.sandbox import launch
from agon.sandbox.command import SandboxCommand, find_program, installation, translate
from tests.sandbox.host import finish

BOT = Path("/srv/bots/ant")


def run(command: list[str], folder: Path | None = None) -> str:
    with launch(command, folder) as child:
        return finish(child).strip()


def test_the_systems_programs_come_first() -> None:
    assert find_program(["sh", "-c", "true"], None) == SandboxCommand(("sh", "-c", "true"))


def test_paths_into_the_folder_are_translated() -> None:
    assert translate("/srv/bots/ant/a/../b", BOT) == "/bot/b"
    assert translate("/srv/bots/antler", BOT) == "/srv/bots/antler"
    assert translate("main.py", BOT) == "main.py"


def test_a_home_folder_is_no_installation(open_folder: Path) -> None:
    for prefix in (Path.home(), open_folder / ".local"):
        assert installation(prefix / "bin" / "program") is None
    tree = open_folder / "tree"
    (tree / "bin").mkdir(parents=True)
    assert installation(tree / "bin" / "program") is None
    (tree / "lib").mkdir()
    assert installation(tree / "bin" / "program") == tree


def test_a_program_of_the_folder(open_folder: Path) -> None:
    script = open_folder / "bot.sh"
    script.write_text("#!/bin/sh\necho $0 $1\n")
    script.chmod(0o755)
    assert run(["./bot.sh", str(script)], open_folder) == "/bot/bot.sh /bot/bot.sh"
    assert run([str(script)], open_folder) == "/bot/bot.sh"
    script.chmod(0o644)
    with pytest.raises(SandboxError, match="may be executed"):
        launch(["./bot.sh"], open_folder)


def test_our_own_python_runs_wherever_it_lives() -> None:
    """With pyenv it is below a closed home folder; nothing else of that may be seen."""
    python = Path(sys.executable).resolve()
    source = "import os, sys, json, ctypes; print(sys.version_info[:2]); print(os.listdir('/'))"
    version, _ = run([str(python), "-c", source]).splitlines()
    assert version == str(sys.version_info[:2])
    shown = find_program([str(python)], None).shown
    for prefix in shown:
        for parent in [path for path in prefix.parents if len(path.parts) > 1]:
            said = run([str(python), "-c", f"import os; print(len(os.listdir({str(parent)!r})))"])
            assert said == "1", "more than the way to the installation"


def test_a_virtual_environment_runs(open_folder: Path) -> None:
    """Both outside the bot's folder and inside it."""
    home = open_folder / "bot"
    home.mkdir()
    for place in (open_folder / "venv", home / "venv"):
        venv.create(place, with_pip=False)
        said = run([str(place / "bin" / "python"), "-c", "import sys; print(sys.prefix)"], home)
        assert said == translate(str(place), home)


def test_a_compiled_bot_runs(open_folder: Path) -> None:
    (open_folder / "bot.c").write_text('#include <stdio.h>\nint main() { puts("from C"); }\n')
    subprocess.run(["/usr/bin/gcc", "-o", "bot", "bot.c"], cwd=open_folder, check=True)
    assert run(["./bot"], open_folder) == "from C"


def test_a_bot_can_be_compiled_inside(open_folder: Path) -> None:
    (open_folder / "bot.c").write_text('#include <stdio.h>\nint main() { puts("from C"); }\n')
    assert run(["sh", "-c", "gcc -o /tmp/bot bot.c && /tmp/bot"], open_folder) == "from C"


JAVA = ["java", "-XX:TieredStopAtLevel=1", "Main.java"]


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("node", ["node", "-e", "console.log(6 * 7)"]),
        ("perl", ["perl", "-e", "print 6 * 7"]),
        *([("java", JAVA)] if shutil.which("javac") else []),
    ],
)
def test_other_languages_run(program: str, command: list[str], open_folder: Path) -> None:
    assert shutil.which(program), f"{program} is missing"
    (open_folder / "Main.java").write_text(
        "class Main { public static void main(String[] a) { System.out.println(6 * 7); } }"
    )
    assert run(command, open_folder) == "42"
