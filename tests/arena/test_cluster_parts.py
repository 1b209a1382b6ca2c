"""What a cluster needs besides Ray: packed files, labels, the token, the ledger and the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.bot_process import Program
from agon.arena.cluster_places import ClusterNode, ClusterPlaces
from agon.arena.cluster_settings import TOKEN, check_address, ensure_token, find_token, token_file
from agon.arena.file_packs import (
    FilePack,
    find_unpacked,
    has_kernels,
    pack_kernels,
    unpack_bot,
    unpack_kernels,
)
from agon.arena.job_ledger import Failure, JobDesk, JobLedger, NodeWork
from agon.arena.jobs import RecordPart
from agon.arena.node_labels import needed_labels, parse_labels
from agon.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_bot_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGON_CACHE", str(tmp_path))
    files = [("run.sh", b"exit", True), ("data/book.txt", b"e4", False)]
    pack = FilePack.of(files)
    assert pack == FilePack.of(files)
    assert pack.digest != FilePack.of([("run.sh", b"exit", False), files[1]]).digest
    assert find_unpacked(pack.digest) is None
    folder = unpack_bot(pack)
    assert (folder / "data" / "book.txt").read_bytes() == b"e4"
    modes = [(folder / name).stat().st_mode & 0o777 for name, _, _ in files]
    assert modes == [0o755, 0o644]
    assert find_unpacked(pack.digest) == folder == unpack_bot(pack)


def test_compiled_rules_are_added_to_those_that_are_there(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for home, text in ((here, "new"), (there, "old")):
        (home / "5f").mkdir(parents=True)
        (home / "5f" / "rules.nbi").write_text(text)
    (here / "5f" / "rules.1.nbc").write_text("code")
    (here / "notes.txt").write_text("stays here")
    pack = pack_kernels(here)
    assert not has_kernels(there, pack.digest)
    unpack_kernels(there, pack)
    assert has_kernels(there, pack.digest)
    assert (there / "5f" / "rules.nbi").read_text() == "old"
    assert (there / "5f" / "rules.1.nbc").read_text() == "code"
    assert not (there / "notes.txt").exists()


def test_compiled_rules_stay_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with pytest.raises(ValueError, match=r"\.\./evil"):
        unpack_kernels(tmp_path / "home", FilePack.of([("../evil", b"", False)]))
    assert not (tmp_path / "evil").exists()


def test_a_program_needs_its_commands_and_the_sandbox() -> None:
    program = Program("ann", ("node", "bot.js"), build=("g++", "-O2"))
    commands = {"agon-has-node": "yes", "agon-has-gpp": "yes"}
    assert needed_labels([program], unsafe_host=True) == commands
    assert needed_labels([program], unsafe_host=False) == {"agon-sandbox": "holds", **commands}
    own = Program("bob", ("./bot", "node"))
    assert needed_labels([own], unsafe_host=True) == {}


def test_labels_of_the_command_line() -> None:
    assert parse_labels(["room=lab", "agon-speed=x.1"]) == {"room": "lab", "agon-speed": "x.1"}
    for wrong in ("room", "=lab", "room=", "room=a b", "room=a,b=c"):
        with pytest.raises(SettingError, match="expected NAME=VALUE"):
            parse_labels([wrong])


def test_the_token_is_made_once_for_its_user_alone(tmp_path: Path) -> None:
    environ = {"XDG_DATA_HOME": str(tmp_path)}
    with pytest.raises(SettingError, match="there is no token"):
        find_token(environ)
    token = ensure_token(environ)
    assert len(token) == 64
    assert ensure_token(environ) == find_token(environ) == token
    assert token_file(environ).stat().st_mode & 0o777 == 0o600
    assert find_token({**environ, TOKEN: "another-token-of-this-process"}) != token
    with pytest.raises(SettingError, match="16 characters"):
        find_token({**environ, TOKEN: "short"})


def test_an_address_has_a_port() -> None:
    check_address("10.0.0.1:6379")
    for wrong in ("10.0.0.1", ":6379", "10.0.0.1:", "10.0.0.1:x", ""):
        with pytest.raises(SettingError, match="HOST:PORT"):
            check_address(wrong)


def test_the_ledger_counts_by_machine() -> None:
    ledger = JobLedger()
    for key, failure in (("a", ""), ("b", "it died"), ("c", None)):
        ledger.begin("site", key, "n1")
        ledger.end("site", key, failure)
    ledger.begin("site", "d", "n1")
    ledger.begin("other", "d", "n2")
    ledger.forget("other")
    work, failures = ledger.read()
    assert work == {"n1": NodeWork(("d",), 1, 1)}
    assert failures == [Failure("n1", "b", "it died")]


def test_the_desk_hands_each_part_on_once() -> None:
    desk, part = JobDesk(), RecordPart(0, ())
    assert desk.take("1 a") == ("", [])
    assert not desk.look_in("1 a", "n1")
    desk.tell("1 a", part)
    assert desk.take("1 a") == ("n1", [part])
    assert desk.take("1 a") == ("n1", [])
    desk.cancel("1 a")
    desk.clear("1 a")
    assert desk.look_in("1 a", "n1")
    desk.clear("1 a")
    assert desk.take("1 a") == ("", [])


def test_all_matches_are_played_on_one_speed_class() -> None:
    def machine(name: str, cores: int, speed: str, sandbox: str = "holds") -> ClusterNode:
        return ClusterNode(name, name, cores, {"agon-speed": speed, "agon-sandbox": sandbox})

    nodes = [machine("a", 2, "100"), machine("b", 1, "200"), machine("c", 8, "300", "lacks-x")]
    seconds = iter(range(100))
    places = ClusterPlaces(lambda: list(nodes), lambda: next(seconds))
    assert places.speed_class() == "100"
    nodes.append(machine("d", 4, "200"))
    assert places.speed_class() == "100"
    assert places.cores == 2
    assert places.has({"agon-speed": "300"})
    assert places.most_cores({}) == 8
    assert places.most_cores({"agon-speed": "200"}) == 4
    assert places.most_cores({"agon-speed": "900"}) == 0
    assert not places.has({"agon-speed": "300", "agon-sandbox": "holds"})
    del nodes[0]
    assert places.speed_class() == "200"
    assert places.cores == 5
    nodes.clear()
    assert (places.speed_class(), places.cores) == ("", 0)
    nodes.append(ClusterNode("head", "head", 0, {}))
    assert not places.has({})
