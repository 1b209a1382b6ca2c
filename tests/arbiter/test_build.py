"""Building a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.build import OUTPUT_BYTES, run_build
from agon.arbiter.entrant import Program

if TYPE_CHECKING:
    from pathlib import Path


def program(folder: Path, script: str) -> Program:
    return Program("bot", ("./bot",), folder, ("sh", "-c", script))


def test_it_runs_in_the_bots_folder(tmp_path: Path) -> None:
    build = run_build(program(tmp_path, "echo made; echo warned >&2; touch bot"))
    assert (build.failure, build.output) == (None, "made\nwarned\n")
    assert (tmp_path / "bot").is_file()
    assert build.took_ns > 0


def test_without_a_command_there_is_nothing_to_do(tmp_path: Path) -> None:
    build = run_build(Program("bot", ("./bot",), tmp_path))
    assert (build.failure, build.output, build.took_ns) == (None, "", 0)


def test_a_failure_is_told_with_what_was_said(tmp_path: Path) -> None:
    build = run_build(program(tmp_path, "echo 'bot.c:1: error'; exit 3"))
    assert (build.failure, build.output) == ("exit status 3", "bot.c:1: error\n")


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    build = run_build(Program("bot", ("./bot",), tmp_path, ("no-such-compiler", "bot.c")))
    assert build.failure == "no-such-compiler: No such file or directory"


def test_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    build = run_build(program(tmp_path, "echo begun; sleep 600 & sleep 600"), limit_ns=10**9)
    assert (build.failure, build.output) == ("not ready after 1 s", "begun\n")
    assert build.took_ns < 60 * 10**9


def test_of_a_flood_the_end_is_kept(tmp_path: Path) -> None:
    build = run_build(program(tmp_path, "yes | head -c 1000000; echo end"))
    assert build.failure is None
    assert len(build.output) == OUTPUT_BYTES
    assert build.output.endswith("y\nend\n")


def test_it_has_no_input(tmp_path: Path) -> None:
    assert run_build(program(tmp_path, "cat; echo done")).output == "done\n"


@pytest.mark.parametrize("said", [b"\xff\xfe", b"\x00"])
def test_output_of_any_kind_is_text(tmp_path: Path, said: bytes) -> None:
    (tmp_path / "said").write_bytes(said)
    assert isinstance(run_build(program(tmp_path, "cat said")).output, str)
