"""Bots in the datastore: a folder becomes a version, and a version a folder again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.entrant import find_entrant
from agon.arena import bot_versions
from agon.arena.bot_versions import enter_bots, known_versions, read_files, unpacked_version
from agon.datastore.store import Store
from agon.errors import SettingError
from agon.games.hive.game import GAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        yield opened


def bot_folder(path: Path, source: str = "print('wS1')\n", extra: str = "") -> Path:
    (path / "deep").mkdir(parents=True, exist_ok=True)
    (path / "bot.toml").write_text(f"name = 'mine'\nrun = 'python3 bot.py'\n{extra}")
    (path / "bot.py").write_text(source)
    (path / "deep" / "run.sh").write_text("#!/bin/sh\n")
    (path / "deep" / "run.sh").chmod(0o755)
    return path


def enter(store: Store, *bots: str) -> list[str]:
    entrants = [find_entrant(GAME, bot) for bot in bots]
    named, versions = enter_bots(store, GAME, entrants, 1)
    assert list(versions) == [one.name for one in named]
    assert len(set(versions.values())) == len(bots)
    return list(versions)


def test_a_folder_that_has_changed_is_the_next_version(store: Store, tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    assert enter(store, str(folder), "greedy") == ["mine@1", "greedy"]
    assert enter(store, str(folder)) == ["mine@1"]
    bot_folder(folder, "print('wQ')\n")
    assert enter(store, "random", str(folder)) == ["random", "mine@2"]
    bot_folder(folder)
    assert enter(store, str(folder)) == ["mine@1"]
    assert known_versions(store, GAME) == ["mine@1", "mine@2"]


def test_the_same_bot_twice_has_two_names(store: Store, tmp_path: Path) -> None:
    folder = str(bot_folder(tmp_path / "bot"))
    assert enter(store, folder, folder, "random", "random") == [
        "mine@1",
        "mine 2@1",
        "random",
        "random 2",
    ]


def test_two_folders_of_one_name_are_two_versions(store: Store, tmp_path: Path) -> None:
    one, two = bot_folder(tmp_path / "one"), bot_folder(tmp_path / "two", "print('wQ')\n")
    assert enter(store, str(one), str(two)) == ["mine@1", "mine@2"]


def test_a_version_is_unpacked_as_it_was_and_enters_as_itself(store: Store, tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    enter(store, str(folder))
    bot_folder(folder, "print('wQ')\n")
    enter(store, str(folder))
    with unpacked_version(store, GAME, "mine@1") as found:
        assert found is not None
        assert found.program is not None
        place = found.program.folder
        assert place is not None
        assert (place / "bot.py").read_text() == "print('wS1')\n"
        assert os.access(place / "deep" / "run.sh", os.X_OK)
        assert not os.access(place / "bot.py", os.X_OK)
        assert (found.name, found.program.run) == ("mine@1", ("python3", "bot.py"))
        named, _ = enter_bots(store, GAME, [found], 1)
        assert [one.name for one in named] == ["mine@1"]
    assert not place.exists()
    assert known_versions(store, GAME) == ["mine@1", "mine@2"]


@pytest.mark.parametrize(
    "text", ["mine@3", "other@1", "mine", "mine@", "@1", "mine@x", "mine@\u0661", "x" * 300 + "@1"]
)
def test_what_is_not_stored_is_not_found(store: Store, tmp_path: Path, text: str) -> None:
    enter(store, str(bot_folder(tmp_path / "bot")))
    with unpacked_version(store, GAME, text) as found:
        assert found is None


def test_a_command_line_is_stored_without_files(store: Store) -> None:
    (name,) = enter(store, "python3 -c pass")
    assert name == "python3 -c pass@1"
    with unpacked_version(store, GAME, name) as found:
        assert found is not None
        assert found.program is not None
        assert found.program.run == ("python3", "-c", "pass")


def test_hidden_files_and_caches_are_left_out(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    for path in (".git/config", "__pycache__/bot.pyc", ".env", "deep/.hidden"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text("x")
    assert sorted(read_files(folder)) == ["bot.py", "bot.toml", "deep/run.sh"]


def test_what_a_build_makes_is_left_out_if_there_is_a_build(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    (folder / "bot").write_bytes(b"\x7fELF and so on")
    assert "bot" in read_files(folder)
    assert "bot" not in read_files(folder, is_built=True)


def test_links_are_followed_inside_the_folder_alone(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    (folder / "same.py").symlink_to("bot.py")
    assert read_files(folder)["same.py"] == read_files(folder)["bot.py"]
    (folder / "out").symlink_to(tmp_path / "agon.db")
    (tmp_path / "agon.db").touch()
    with pytest.raises(SettingError, match="a link out of the bot's folder"):
        read_files(folder)
    (folder / "out").unlink()
    (folder / "nowhere").symlink_to("nothing")
    with pytest.raises(SettingError, match=r"nowhere: No such file"):
        read_files(folder)
    (folder / "nowhere").unlink()
    (folder / "folder").symlink_to("/etc")
    with pytest.raises(SettingError, match="a link to a folder"):
        read_files(folder)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    os.mkfifo(folder / "pipe")
    with pytest.raises(SettingError, match="pipe: expected a plain file"):
        read_files(folder)


def test_there_are_limits(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "bot")
    with (folder / "large").open("wb") as file:
        file.truncate(bot_versions.MOST_BYTES + 1)
    with pytest.raises(SettingError, match="more than 32 MiB"):
        read_files(folder)
    (folder / "large").unlink()
    for number in range(bot_versions.MOST_FILES):
        (folder / f"{number}.txt").touch()
    with pytest.raises(SettingError, match="more than 1000 files"):
        read_files(folder)
