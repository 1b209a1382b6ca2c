"""Building a bot, in its folder and in the sandbox; keeping what was built."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arbiter import build_cache
from agon.arbiter.bot_process import Program
from agon.arbiter.build import OUTPUT_BYTES, build_in_sandbox, prepare, run_build
from agon.arbiter.build_cache import DAY_SECONDS, BuildCache, find_cache
from agon.arbiter.entrant import Entrant
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.errors import SettingError, UnfitBotError
from agon.sandbox.leftovers import new_name, own_pid_namespace
from tests.sandbox.host import left_groups

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


# --- in the sandbox ------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path) -> BuildCache:
    home = tmp_path / "cache"
    home.mkdir()
    return BuildCache(home)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that a bot, run as the user nobody, may see: pytest's own are closed to others."""
    made = tmp_path / "bot"
    made.mkdir()
    return made


def test_a_copy_is_built_and_the_folder_stays_as_it_is(folder: Path, cache: BuildCache) -> None:
    (folder / "part").write_text("one")
    script = "cat part; echo warned >&2; mkdir out; printf '#!/bin/sh\\npwd' > out/run;"
    script += "chmod +x out/run; ln -s out/run bot; ln -s /usr/bin/env env; ln part twin; id -u"
    build = build_in_sandbox(program(folder, script), cache=cache)
    assert (build.failure, build.output) == (None, "onewarned\n1000\n")
    assert [path.name for path in folder.iterdir()] == ["part"]
    made = build.program.folder
    assert made is not None
    assert sorted(path.name for path in made.iterdir()) == ["bot", "env", "out", "part", "twin"]
    assert (made / "out" / "run").stat().st_mode & 0o7777 == 0o755
    assert (made / "part").stat().st_mode & 0o7777 == 0o644
    assert (made / "part").stat().st_uid == os.getuid()
    assert os.readlink(made / "env") == "/usr/bin/env"
    process = launch_in_sandbox(build.program)
    assert process.read(100) == b"/bot\n"
    process.end()
    assert not left_groups()


def test_what_did_not_change_is_not_built_again(folder: Path, cache: BuildCache) -> None:
    source = folder / "source"
    source.write_text("1")
    bot = program(folder, "cp source bot")
    first, second = build_in_sandbox(bot, cache=cache), build_in_sandbox(bot, cache=cache)
    assert (first.was_cached, second.was_cached) == (False, True)
    assert first.program == second.program
    other = replace(bot, build=("sh", "-c", "cp source  bot"))
    assert not build_in_sandbox(other, cache=cache).was_cached
    source.write_text("2")
    assert not build_in_sandbox(bot, cache=cache).was_cached
    source.chmod(0o755)
    assert not build_in_sandbox(bot, cache=cache).was_cached
    assert len(list(cache.home.iterdir())) == 4


def test_what_tells_one_build_from_another(folder: Path, cache: BuildCache) -> None:
    def key(*command: str) -> str:
        return cache.key_of(folder, command or ("make",))

    (folder / "b").write_text("1")
    keys = [key(), key("make", "all"), key("makeall")]
    (folder / "b").chmod(0o600)
    assert key() == keys[0]  # only whether it can be executed is of interest
    (folder / "b").chmod(0o700)
    keys.append(key())
    (folder / "b").write_text("2")
    keys.append(key())
    (folder / "b").rename(folder / "c")
    keys.append(key())
    (folder / "b").mkdir()
    keys.append(key())
    (folder / "b").rmdir()
    (folder / "b").symlink_to("c")
    keys.append(key())
    (folder / "b").unlink()
    (folder / "b").symlink_to("d")
    keys.append(key())
    assert len({*keys}) == len(keys)


def test_what_a_killed_build_has_left_is_removed(tmp_path: Path) -> None:
    home = find_cache({"AGON_CACHE": str(tmp_path)}).home
    ours = home / new_name(".new")
    gone = home / f".new-{own_pid_namespace()}-{os.getpid()}-1-0"
    for path in (ours, gone, home / "kept"):
        path.mkdir()
    find_cache({"AGON_CACHE": str(tmp_path)})
    assert {*home.iterdir()} == {ours, home / "kept"}


def test_the_first_of_two_equal_builds_is_kept(cache: BuildCache) -> None:
    with cache.new_folder() as first, cache.new_folder() as second:
        for folder in (first, second):
            (folder / "bot").write_text(folder.name)
        kept = cache.keep("key", first)
        assert cache.keep("key", second) == kept == cache.find("key")
    assert (kept / "bot").read_text() == first.name
    assert [path.name for path in cache.home.iterdir()] == ["key"]
    with cache.new_folder() as third:
        third.rmdir()
        with pytest.raises(FileNotFoundError):
            cache.keep("other", third)


def test_a_failed_build_is_told_and_not_kept(folder: Path, cache: BuildCache) -> None:
    build = build_in_sandbox(program(folder, "echo 'bot.c:1: error'; exit 3"), cache=cache)
    assert (build.failure, build.output) == ("exit status 3", "bot.c:1: error\n")
    assert build.program.folder == folder
    missing = Program("bot", ("./bot",), folder, ("no-such-compiler", "bot.c"))
    assert "not found" in (build_in_sandbox(missing, cache=cache).failure or "")
    late = build_in_sandbox(program(folder, "echo begun; sleep 99"), 10**9, cache=cache)
    assert (late.failure, late.output) == ("not ready after 1 s", "begun\n")
    assert list(cache.home.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "failure"),
    [
        ("head -c 600000000 /dev/zero > a; exit 7", "exit status 7"),
        ("for n in 1 2 3 4; do head -c 200000000 /dev/zero > $n || exit 9; done", "exit status 9"),
        ("for n in 1 2 3; do truncate -s 250M $n; done", "larger than allowed"),
        ("mkdir a; cd a; for n in $(seq 60000); do echo > $n; done", "larger than allowed"),
    ],
)
def test_a_build_cannot_fill_the_disk(
    folder: Path, cache: BuildCache, script: str, failure: str
) -> None:
    assert failure in (build_in_sandbox(program(folder, script), cache=cache).failure or "")
    assert list(cache.home.iterdir()) == []


def test_of_many_who_want_the_same_one_builds_it(folder: Path, cache: BuildCache) -> None:
    bot = program(folder, "sleep 0.2; echo > bot")
    with ThreadPoolExecutor(4) as pool:
        builds = list(pool.map(lambda _: build_in_sandbox(bot, cache=cache), range(4)))
    assert [build.failure for build in builds] == [None] * 4
    assert len({build.program.folder for build in builds}) == 1
    assert sorted(build.was_cached for build in builds) == [False, True, True, True]
    assert len(list(cache.home.iterdir())) == 1


def test_after_a_failure_all_try_at_once(folder: Path, cache: BuildCache) -> None:
    bot = program(folder, "sleep 99")
    begin = time.monotonic()
    with ThreadPoolExecutor(9) as pool:
        builds = list(pool.map(lambda _: build_in_sandbox(bot, 10**9, cache=cache), range(9)))
    assert [build.failure for build in builds] == ["not ready after 1 s"] * 9
    assert time.monotonic() - begin < 8, "not one after the other"


def test_old_builds_are_removed(cache: BuildCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_cache, "MOST_KEPT", 2)
    now = time.time()
    for name, days in (("a", 5), ("b", 0), ("c", 3), ("d", 0.5), ("e", 2)):
        (cache.home / name).mkdir()
        os.utime(cache.home / name, (now, now - days * DAY_SECONDS))
    assert cache.find("a") is not None  # used: the last one now
    cache.remove_old()
    assert {path.name for path in cache.home.iterdir()} == {"a", "b", "d"}


def test_builds_are_kept_where_the_user_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGON_CACHE", str(tmp_path / "here"))
    assert find_cache().home == tmp_path / "here" / "bots"
    monkeypatch.delenv("AGON_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find_cache().home == tmp_path / "agon" / "bots"
    (tmp_path / "file").touch()
    monkeypatch.setenv("AGON_CACHE", str(tmp_path / "file"))
    with pytest.raises(SettingError, match="AGON_CACHE"):
        find_cache()


# --- before a match ------------------------------------------------------------------------------


def test_an_entrant_is_built_before_it_plays(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGON_CACHE", str(tmp_path / "cache"))
    entrant = Entrant("bot", program(folder, "echo > bot"))
    for unsafe_host, where in ((False, tmp_path / "cache"), (True, folder)):
        built = prepare(entrant, unsafe_host).program
        assert built is not None
        assert built.folder is not None
        assert (built.folder / "bot").exists()
        assert built.folder.is_relative_to(where)
    built_in = Entrant("random", built_in="random")
    assert prepare(built_in, unsafe_host=False) == built_in


@pytest.mark.parametrize("unsafe_host", [True, False])
def test_an_entrant_that_cannot_be_built_is_an_error(folder: Path, unsafe_host: bool) -> None:
    entrant = Entrant("ant", program(folder, "echo bot.c:1: error; exit 1"))
    with pytest.raises(SettingError, match=r"bot 'ant': build .*: exit status 1: bot.c:1: error"):
        prepare(entrant, unsafe_host)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 1", ""),
        (f"echo {'x' * 499}; exit 1", f": {'x' * 499}"),
        (f"echo {'y' * 9}{'x' * 500}; exit 1", f": {'x' * 500}"),
    ],
)
def test_of_what_a_build_said_the_end_is_told(tmp_path: Path, script: str, told: str) -> None:
    entrant = Entrant("ant", program(tmp_path, script))
    with pytest.raises(SettingError) as caught:
        prepare(entrant, unsafe_host=True)
    assert str(caught.value).endswith(f": exit status 1{told}")


def test_an_entrant_whose_folder_may_not_be_shown_is_an_error() -> None:
    entrant = Entrant("ls", Program("ls", ("ls", "/etc/passwd")))
    with pytest.raises(UnfitBotError, match="/etc"):
        prepare(entrant, unsafe_host=False)
    assert prepare(entrant, unsafe_host=True) == entrant
