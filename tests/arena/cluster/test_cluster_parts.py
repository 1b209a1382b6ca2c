"""What a cluster needs besides Ray: packed files, labels, the token and the desk."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import load_program
from agon.arena.cluster.closed_ports import PortRange, table_name, table_text
from agon.arena.cluster.connection import ClusterLedger, check_sockets
from agon.arena.cluster.file_packs import (
    FilePack,
    has_kernels,
    pack_kernels,
    unpack_bot,
    unpack_kernels,
)
from agon.arena.cluster.job_desk import JobDesk, JobPlace
from agon.arena.cluster.job_needs import seats_at_once
from agon.arena.cluster.missing_programs import missing_program
from agon.arena.cluster.node_labels import (
    COMMANDS,
    SPEED,
    STEPS_LABEL,
    VERSION,
    describe_machine,
    find_commands,
    needed_labels,
    parse_labels,
)
from agon.arena.cluster.places import ClusterNode, ClusterPlaces, tell_lack
from agon.arena.cluster.settings import (
    TOKEN,
    check_address,
    ensure_token,
    find_token,
    token_file,
    token_place,
)
from agon.arena.cluster.speed_watch import SpeedWatch
from agon.arena.fleet.jobs import RecordPart
from agon.errors import ArbiterError, SettingError
from agon.sandbox.installations import SETTING


def test_a_bot_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGON_CACHE", str(tmp_path))
    files = [("run.sh", b"exit", True), ("data/book.txt", b"e4", False)]
    pack = FilePack.of(files)
    assert pack == FilePack.of(files)
    assert pack.digest != FilePack.of([("run.sh", b"exit", False), files[1]]).digest
    fetched: list[str] = []

    def fetch(digest: str) -> FilePack:
        fetched.append(digest)
        time.sleep(0.1)  # the others come meanwhile
        return pack

    with ThreadPoolExecutor(4) as threads:
        (folder,) = set(threads.map(lambda _: unpack_bot(pack.digest, fetch), range(4)))
    assert fetched == [pack.digest]
    assert (folder / "data" / "book.txt").read_bytes() == b"e4"
    modes = [(folder / name).stat().st_mode & 0o777 for name, _, _ in files]
    assert modes == [0o755, 0o644]


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
    same = {"agon-version": version("agon")}
    needs = {**same, "agon-has-node": "yes", "agon-has-gpp": "yes"}
    assert needed_labels([program], unsafe_host=True) == needs
    assert needed_labels([program], unsafe_host=False) == {"agon-sandbox": "holds", **needs}
    own = Program("bob", ("./bot", "node"))
    assert needed_labels([own], unsafe_host=True) == same


def test_the_compilers_of_starters_are_known() -> None:
    for folder in Path("src/agon/games").glob("*/starters/*"):
        program = load_program(folder)
        words = {command[0] for command in (program.build, program.run) if command}
        assert {word for word in words if "/" not in word} <= COMMANDS, folder


def test_a_machine_tells_of_the_commands_that_its_owner_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_program(tmp_path / "bin", "zig")
    assert "agon-has-zig" not in find_commands()
    monkeypatch.setenv(SETTING, str(tmp_path))
    assert find_commands()["agon-has-zig"] == "yes"


def test_a_program_is_missing_where_neither_its_owner_nor_the_bot_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_program(tmp_path / "bin", "only-there")
    add_program(tmp_path / "bot", "own")

    def missing(*command: str, unsafe_host: bool = False) -> str:
        return missing_program(command, tmp_path / "bot", unsafe_host=unsafe_host)

    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert missing("only-there", "bot.py") == "only-there"
    assert missing("only-there", unsafe_host=True) == ""
    monkeypatch.setenv(SETTING, str(tmp_path))
    assert missing("only-there", "bot.py") == ""
    for command in (("own",), ("sh", "bot.sh"), ("./not-built",), ()):
        assert missing(*command) == ""


def add_program(folder: Path, name: str, text: str = "exit") -> None:
    folder.mkdir()
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_labels_of_the_command_line() -> None:
    assert parse_labels(["room=lab", "agon-speed=x.1"]) == {"room": "lab", "agon-speed": "x.1"}
    for wrong in ("room", "=lab", "room=", "room=a b", "room=a,b=c"):
        with pytest.raises(SettingError, match="expected NAME=VALUE"):
            parse_labels([wrong])
    for found in ("agon-sandbox=holds", "agon-has-node=yes", "ray.io/node-id=5"):
        with pytest.raises(SettingError, match=r"this is found out|expected NAME=VALUE"):
            parse_labels([found])


def test_a_machine_that_was_busy_is_measured_again() -> None:
    speeds = [200 * 10**6, 128 * 10**6]
    assert describe_machine(speeds.pop)[SPEED] == "203"
    assert speeds == []


def test_the_token_is_made_once_for_its_user_alone(tmp_path: Path) -> None:
    environ = {"XDG_DATA_HOME": str(tmp_path)}
    with pytest.raises(SettingError, match="there is no token"):
        find_token(environ)
    token = ensure_token(environ)
    assert token_place(environ) == str(token_file(environ))
    assert token_place({**environ, TOKEN: token}) == TOKEN
    assert len(token) == 64
    assert ensure_token(environ) == find_token(environ) == token
    assert token_file(environ).stat().st_mode & 0o777 == 0o600
    assert find_token({**environ, TOKEN: "another-token-of-this-process"}) != token
    with pytest.raises(SettingError, match="16 characters"):
        find_token({**environ, TOKEN: "short"})


def test_a_node_whose_sockets_are_hidden_is_refused(tmp_path: Path) -> None:
    there, hidden = tmp_path / "raylet", tmp_path / "store"
    there.touch()
    check_sockets("10.0.0.1:6379", str(there))
    with pytest.raises(ArbiterError, match=r"store is not to be seen here: .* PrivateTmp"):
        check_sockets("10.0.0.1:6379", str(there), str(hidden))


def test_members_on_one_machine_have_tables_of_their_own() -> None:
    first, second = (PortRange(first, first + 999) for first in (11000, 12000))
    rules = table_text("10.0.0.1", first, 6379)
    assert "delete table inet agon_cluster_11000; table inet agon_cluster_11000 {" in rules
    assert table_name(first) not in table_text("10.0.0.1", second, None)


def test_an_address_has_a_port() -> None:
    check_address("10.0.0.1:6379")
    for wrong in ("10.0.0.1", ":6379", "10.0.0.1:", "10.0.0.1:x", ""):
        with pytest.raises(SettingError, match="HOST:PORT"):
            check_address(wrong)


def test_the_desk_hands_each_part_on_once() -> None:
    desk, part = JobDesk(), RecordPart(0, ())
    assert desk.take("1 a") == (None, [])
    place = JobPlace("n1", "worker.err")
    assert not desk.look_in("1 a", place)
    desk.tell("1 a", part)
    assert desk.take("1 a") == (place, [part])
    assert desk.take("1 a") == (place, [])
    desk.cancel("1 a")
    desk.clear("1 a")
    assert desk.look_in("1 a", place)
    desk.clear("1 a")
    assert desk.take("1 a") == (None, [])


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
    assert places.most_cores({"agon-speed": "200"}, ["d"]) == 1
    assert places.has({"agon-speed": "200"}, ["b"])
    assert not places.has({"agon-speed": "200"}, ["b", "d"])
    assert places.most_cores({"agon-speed": "900"}) == 0
    assert not places.has({"agon-speed": "300", "agon-sandbox": "holds"})
    assert places.is_alive("a")
    del nodes[0]
    assert not places.is_alive("a")
    assert places.speed_class() == "200"
    assert places.cores == 5
    nodes.clear()
    assert (places.speed_class(), places.cores) == ("", 0)
    nodes.append(ClusterNode("head", "head", 0, {}))
    assert not places.has({})


def test_all_who_ask_agree_on_a_speed_class() -> None:
    nodes = [ClusterNode("a", "a", 2, {SPEED: "100"})]
    seconds = iter(range(0, 1000, 10))
    ledger = ClusterLedger()

    def ask() -> ClusterPlaces:
        return ClusterPlaces(lambda: list(nodes), lambda: next(seconds), ledger.agree)

    assert ledger.read().speed == ""
    first = ask()
    assert first.speed_class() == "100"
    nodes.append(ClusterNode("b", "b", 4, {SPEED: "200"}))
    second = ask()
    assert second.speed_class() == first.speed_class() == "100"
    lost = nodes.pop(0)
    assert second.speed_class() == "200"
    nodes.append(lost)
    assert first.speed_class() == "200"
    assert ask().cores == 4
    assert ledger.read().speed == "200"


def test_a_machine_is_slow_until_it_is_as_fast_as_when_it_joined(
    caplog: pytest.LogCaptureFixture,
) -> None:
    nodes = [ClusterNode(name, name, 2, {SPEED: "204", STEPS_LABEL: "210"}) for name in "ab"]
    asked = ClusterNode("c", "c", 0, {})
    places = ClusterPlaces(lambda: [*nodes, asked])
    measured: dict[str, int] = {}
    watch = SpeedWatch(places, lambda found: {one.id: measured[one.id] for one in found})
    for speeds, slow, cores in (
        ((205, 209), "", 4),
        ((160, 209), "a", 2),
        ((160, 90), "ab", 4),  # all are slow: then they are equal again
        ((300, 180), "", 4),
    ):
        measured.update({name: speed * 10**6 for name, speed in zip("ab", speeds, strict=True)})
        watch.look()
        assert places.slow == set(slow)
        assert places.cores == cores
    assert [record.getMessage() for record in caplog.records] == [
        "machine a is slower than when it joined",
        "machine b is slower than when it joined",
        "machine a is as fast again as when it joined",
        "machine b is as fast again as when it joined",
    ]


def test_a_machine_that_does_not_answer_stays_what_it_was() -> None:
    node = ClusterNode("a", "a", 2, {STEPS_LABEL: "210"})
    answers = [{"a": 90 * 10**6}, {}]
    places = ClusterPlaces(lambda: [node])
    watch = SpeedWatch(places, lambda nodes: answers.pop(0))
    watch.look()
    watch.look()
    assert places.slow == {"a"}


def test_a_cluster_without_machines_does_not_lack_a_label() -> None:
    head = ClusterNode("h", "10.0.0.1", 0, {})
    node = ClusterNode("a", "10.0.0.2", 4, {VERSION: "1"})
    told = "the cluster has no machine that does jobs now"
    assert tell_lack([head], {VERSION: "1"}) == told
    assert tell_lack([head, node], {VERSION: "2", "agon-has-node": "yes"}) == (
        f"no machine of the cluster has {VERSION}=2 agon-has-node=yes"
    )


@pytest.mark.parametrize(("game", "seats", "at_once"), [("hive", 2, 1), ("battlebots", 3, 3)])
def test_how_many_seats_think_at_a_time(game: str, seats: int, at_once: int) -> None:
    assert seats_at_once(game, "{}", seats) == at_once


def test_labels_that_a_machine_was_given() -> None:
    found = {"ray.io/node-id": "5f", "agon-speed": "100", "agon-has-node": "yes"}
    node = ClusterNode("5f", "10.0.0.2", 4, {**found, "room": "lab", "rack": "2"})
    assert node.given_labels == "room=lab rack=2"
    assert node.speed == "100"
    assert node.sandbox == "not known: no users' bots"
