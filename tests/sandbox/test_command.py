"""Which program a command means; programs from anywhere run and see no more than they need."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError, UnfitBotError
from agon.sandbox import launch
from agon.sandbox.command import SandboxCommand, find_program, translate
from agon.sandbox.installations import SETTING, find_allowed, installation, links, needed_for
from tests.sandbox.host import finish

if TYPE_CHECKING:
    from collections.abc import Sequence

BOT = Path("/srv/bots/ant")


def run(
    command: list[str], folder: Path | None = None, allowed: Sequence[Path] | None = None
) -> str:
    with launch(command, folder, allowed=allowed) as child:
        return finish(child).strip()


def test_programs_are_looked_for_in_the_system_and_in_what_is_allowed(open_folder: Path) -> None:
    assert find_program(["sh", "-c", "true"], None) == SandboxCommand(("sh", "-c", "true"))
    for path in (open_folder / "bin", open_folder / "lib"):
        path.mkdir()
    tool = open_folder / "bin" / "mytool"
    tool.write_text("#!/bin/sh\necho mine\n")
    tool.chmod(0o755)
    for text in ("mytool", str(tool)):
        with pytest.raises(UnfitBotError, match="--allow PATH"):
            find_program([text], None)
        assert run([text], allowed=[open_folder]) == "mine"
    for text in (str(open_folder), str(tool), f":{tool}:"):
        assert find_allowed({SETTING: text}) == (open_folder,)


def test_where_a_path_leads_is_decided_inside(open_folder: Path) -> None:
    """A link into the host is a link to nothing; one that is right only inside is good."""
    (open_folder / "link").symlink_to(open_folder / "real")
    (open_folder / "real").write_text("#!/bin/sh\necho real\n")
    (open_folder / "real").chmod(0o755)
    with pytest.raises(UnfitBotError, match="'/bot/link' cannot be executed: No such file"):
        launch(["./link"], open_folder)
    (open_folder / "inside").symlink_to("/bot/real")
    assert run(["./inside"], open_folder) == "real"
    for text in ("../real", "/bot/../etc/passwd", str(open_folder.parent / "real")):
        with pytest.raises(UnfitBotError, match="it is not in the sandbox"):
            launch([text], open_folder)


def test_what_holds_more_than_an_installation_is_not_allowed(tmp_path: Path) -> None:
    for text in ("/", "/etc", "/usr", str(Path.home())):
        with pytest.raises(SettingError, match="holds more than an installation"):
            find_allowed({SETTING: text})
    with pytest.raises(SettingError, match="nowhere"):
        find_allowed({SETTING: str(tmp_path / "nowhere")})


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


RUSTUP = """#!/bin/sh
[ "$1" = which ] && [ "$2" = cargo ] && echo HOME/toolchain/bin/cargo
"""


def test_a_stand_in_of_rustup_is_asked_for_the_real_compiler(open_folder: Path) -> None:
    tools = open_folder / "toolchain"
    for folder in (tools / "bin", tools / "lib", open_folder / "bin"):
        folder.mkdir(parents=True)
    (tools / "bin" / "cargo").touch()
    rustup = open_folder / "bin" / "rustup"
    rustup.write_text(RUSTUP.replace("HOME", str(open_folder)))
    rustup.chmod(0o755)
    for name in ("cargo", "rustfmt"):
        (open_folder / "bin" / name).symlink_to("rustup")
    assert {*needed_for(open_folder / "bin" / "cargo")} == {tools}
    unknown = open_folder / "bin" / "rustfmt"
    assert {*needed_for(unknown)} == {unknown, rustup}


def test_links_in_a_circle_come_to_an_end(open_folder: Path) -> None:
    (open_folder / "a").symlink_to("b")
    (open_folder / "b").symlink_to("a")
    assert {*links(open_folder / "a")} == {open_folder / "a", open_folder / "b"}


def test_a_program_of_the_folder(open_folder: Path) -> None:
    script = open_folder / "bot.sh"
    script.write_text("#!/bin/sh\necho $0 $1\n")
    script.chmod(0o755)
    assert run(["./bot.sh", str(script)], open_folder) == "/bot/bot.sh /bot/bot.sh"
    assert run([str(script)], open_folder) == "/bot/bot.sh"
    script.chmod(0o644)
    with pytest.raises(UnfitBotError, match="cannot be executed: Permission denied"):
        launch(["./bot.sh"], open_folder)


def test_our_own_python_runs_wherever_it_lives() -> None:
    """With pyenv it is below a closed home folder; nothing else of that may be seen."""
    python = Path(sys.executable).resolve()
    source = "import os, sys, json, ctypes; print(sys.version_info[:2]); print(os.listdir('/'))"
    allowed = needed_for(python)
    version, _ = run([str(python), "-c", source], allowed=allowed).splitlines()
    assert version == str(sys.version_info[:2])
    for prefix in allowed:
        for parent in [path for path in prefix.parents if len(path.parts) > 1]:
            count = f"import os; print(len(os.listdir({str(parent)!r})))"
            said = run([str(python), "-c", count], allowed=allowed)
            assert said == "1", "more than the way to the installation"


def test_a_virtual_environment_runs(open_folder: Path) -> None:
    """Both outside the bot's folder and inside it."""
    home = open_folder / "bot"
    home.mkdir()
    for place in (open_folder / "venv", home / "venv"):
        venv.create(place, with_pip=False)
        command = [str(place / "bin" / "python"), "-c", "import sys; print(sys.prefix)"]
        said = run(command, home, allowed=find_allowed({SETTING: str(place)}))
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
