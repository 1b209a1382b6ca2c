"""Control groups: what the kernel's files mean, and groups of both kinds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from agon.sandbox import ResourceLimits, group_v1, group_v2
from agon.sandbox.cgroups import (
    HierarchyV1,
    NoHierarchy,
    detect_hierarchy,
    find_hierarchy,
    own_groups,
    parse_membership,
    parse_mounts,
)
from agon.sandbox.group import (
    PREFIX,
    Counters,
    Holds,
    NoGroup,
    poll_until,
    read_entry,
    read_number,
    read_processes,
    remove_folder,
)
from agon.sandbox.group_v2 import create_v2, hand_on, prepare_v2, step_aside
from agon.sandbox.leftovers import is_left_over, new_name, owner
from tests.sandbox.host import MIB, left_groups


def test_paths_in_a_container_are_those_of_its_mount(open_folder: Path) -> None:
    mounts = {"memory": ("/docker/7", open_folder), "": ("/", open_folder)}
    (open_folder / "inner").mkdir()
    groups = own_groups(mounts, {"x": "/", "memory": "/docker/7/inner", "": "/not/to/be/seen"})
    assert groups == {"memory": open_folder / "inner", "": open_folder}


def test_mounts_and_membership_are_read() -> None:
    mounts = parse_mounts(
        "broken\n"
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
        "2 1 0:2 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n"
        "3 1 0:3 /a /sys/fs/cgroup/memory rw - cgroup none rw,memory\n"
        "4 1 0:4 / /later rw - cgroup none rw,memory\n"
        "5 1 0:5 / /short rw - cgroup none\n"
    )
    assert mounts[""] == ("/", Path("/sys/fs/cgroup/unified"))
    assert mounts["memory"] == ("/a", Path("/sys/fs/cgroup/memory"))
    assert parse_membership("0::/x:y") == {"": "/x:y"}


def test_without_groups_it_is_said_so() -> None:
    found = detect_hierarchy("", "")
    assert isinstance(found, NoHierarchy)
    assert "mounted" in found.description
    group = found.new_group(ResourceLimits())
    assert isinstance(group, NoGroup)
    assert not group.holds
    assert group.kill()


def test_names_tell_whose_they_are() -> None:
    name = new_name(PREFIX)
    assert not is_left_over(name, PREFIX)
    assert not is_left_over("agon-bot-x", PREFIX)
    space = os.stat("/proc/self/ns/pid").st_ino
    assert is_left_over(f"agon-bot-{space}-{os.getpid()}-1-0", PREFIX)
    assert not is_left_over(f"agon-bot-{space + 1}-{os.getpid()}-1-0", PREFIX)
    assert owner(2**22 + 1).endswith("-None")


@pytest.mark.skipif(os.getuid() != 0, reason="needs control groups")
def test_a_group_of_this_host_holds_counts_freezes_and_ends() -> None:
    hierarchy = find_hierarchy()
    group = hierarchy.new_group(ResourceLimits(processes=3, memory=64 * MIB))
    process = subprocess.Popen(
        ["/bin/sh", "-c", "read x; while :; do :; done"], stdin=subprocess.PIPE
    )
    try:
        assert left_groups()
        group.join(process.pid)
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.close()
        group.freeze()
        group.thaw()
        assert Holds.MEMORY in group.holds
        assert group.counters().oom_kills == 0
        group.freeze()
        assert group.kill()
        assert process.wait(5) == -9
    finally:
        group.remove()
    assert not left_groups()


def test_v1_controllers_that_are_closed_are_left_out() -> None:
    hierarchy = find_hierarchy()
    if isinstance(hierarchy, HierarchyV1):
        assert "memory" in hierarchy.parents


# --- the kernel's files, without the kernel ------------------------------------------------------

LIMITS = ResourceLimits(memory=64 * MIB, processes=30, cpu_percent=150)


def make_files(folder: Path, **texts: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_what_a_group_of_the_first_kind_is_told() -> None:
    assert group_v1.settings(LIMITS) == (
        ("memory", "memory.limit_in_bytes", 64 * MIB),
        ("memory", "memory.memsw.limit_in_bytes", 64 * MIB),
        ("memory", "memory.kmem.tcp.limit_in_bytes", 16 * MIB),
        ("pids", "pids.max", 32),
        ("cpu", "cpu.cfs_period_us", 20_000),
        ("cpu", "cpu.shares", 256),
        ("cpu", "cpu.cfs_quota_us", 30_000),
    )


def test_what_a_group_of_the_second_kind_is_told() -> None:
    assert group_v2.settings(LIMITS) == (
        ("memory.max", str(64 * MIB)),
        ("memory.swap.max", "0"),
        ("memory.oom.group", "1"),
        ("pids.max", "32"),
        ("cpu.weight", "25"),
        ("cpu.max", "30000 20000"),
    )


def test_what_a_group_of_the_first_kind_has_used(open_folder: Path) -> None:
    folders = {name: open_folder / name for name in ("memory", "pids", "cpuacct")}
    make_files(
        folders["memory"],
        memory__max_usage_in_bytes="1000\n",
        memory__oom_control="oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
    )
    make_files(folders["pids"], pids__events="max 3\n")
    make_files(folders["cpuacct"], cpuacct__usage="70\n")
    group = group_v1.GroupV1(folders)
    assert group.counters() == Counters(70, 1000, 2, 3)
    assert group.holds == {Holds.MEMORY, Holds.PROCESSES}
    for name, left in (
        ("cpuacct", Counters(None, 1000, 2, 3)),
        ("memory", Counters(None, None, 0, 3)),
        ("pids", Counters()),
    ):
        del folders[name]
        assert group_v1.GroupV1(folders).counters() == left
    for file in open_folder.rglob("*.*"):
        file.unlink()
    assert group.counters() == Counters()


def test_a_group_of_the_first_kind_without_a_freezer(open_folder: Path) -> None:
    make_files(open_folder, cgroup__procs="")
    group = group_v1.GroupV1({"cpu": open_folder, "pids": open_folder})
    group.freeze()
    group.thaw()
    assert group.holds == {Holds.CPU, Holds.PROCESSES}
    group.join(77)
    assert group.processes() == [77]
    (open_folder / "cgroup.procs").write_text("")
    assert group.kill()
    assert (open_folder / "pids.max").read_text() == "0"


def test_a_freezer_of_the_first_kind(open_folder: Path) -> None:
    make_files(open_folder, cgroup__procs="", freezer__state="")
    group = group_v1.GroupV1({"freezer": open_folder})
    assert group.holds == {Holds.FREEZE}
    group.freeze()
    assert (open_folder / "freezer.state").read_text() == "FROZEN"
    group.thaw()
    assert (open_folder / "freezer.state").read_text() == "FROZENTHAWED"  # a plain file goes on
    assert group.kill()
    for file in open_folder.iterdir():
        file.unlink()
    group.remove()
    assert not open_folder.exists()
    open_folder.mkdir()


def test_trees_of_the_first_kind_that_are_closed_are_left_out(open_folder: Path) -> None:
    (open_folder / "open").mkdir()
    folders = {"pids": open_folder / "missing", "cpu": open_folder / "open"}
    assert group_v1.usable_v1(folders, LIMITS) == {"cpu": open_folder / "open"}
    assert not list((open_folder / "open").iterdir())


def test_a_group_of_the_second_kind(open_folder: Path) -> None:
    make_files(
        open_folder,
        cgroup__controllers="cpuset cpu memory pids",
        cgroup__freeze="",
        cgroup__procs="",
        cgroup__kill="",
        pids__max="",
        cpu__stat="usage_usec 7\nuser_usec 5\n",
        memory__peak="1000\n",
        memory__events="low 9\noom_kill 2\n",
        pids__events="max 3\n",
    )
    group = group_v2.GroupV2(open_folder)
    assert group.holds == {*Holds}
    assert group.counters() == Counters(7000, 1000, 2, 3)
    group.freeze()
    assert (open_folder / "cgroup.freeze").read_text() == "1"
    group.thaw()
    assert (open_folder / "cgroup.freeze").read_text() == "10"  # a plain file goes on
    group.join(77)
    assert group.processes() == [77]
    (open_folder / "cgroup.procs").write_text("")
    assert group.kill()
    assert (open_folder / "pids.max").read_text() == "0"
    assert (open_folder / "cgroup.kill").read_text() == "1"
    for file in open_folder.iterdir():
        file.unlink()
    assert group.counters() == Counters()
    group.remove()
    assert not open_folder.exists()
    open_folder.mkdir()


def test_a_group_of_the_second_kind_may_have_little(open_folder: Path) -> None:
    make_files(open_folder, cgroup__controllers="pids", cgroup__procs="")
    group = group_v2.GroupV2(open_folder)
    assert group.holds == {Holds.PROCESSES}
    group.freeze()
    group.thaw()
    assert group.kill()
    assert {file.name for file in open_folder.iterdir()} == {"cgroup.controllers", "cgroup.procs"}


def test_where_groups_of_the_second_kind_are_made(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In our own group, in that above `agon-host`, after stepping aside, at the top, or nowhere."""
    ready: set[Path] = set()
    aside: list[Path] = []
    monkeypatch.setattr(group_v2, "hand_on", lambda folder: folder in ready)

    def step_aside(folder: Path) -> bool:
        aside.append(folder)
        ready.update(can_step)
        return bool(can_step)

    monkeypatch.setattr(group_v2, "step_aside", step_aside)
    own, can_step = open_folder / "own", [open_folder / "own"]
    ready.add(own)
    assert prepare_v2(open_folder, own) == own
    assert prepare_v2(open_folder, own / "agon-host") == own
    assert aside == []
    ready.clear()
    assert prepare_v2(open_folder, own) == own
    assert aside == [own]
    ready.clear()
    can_step = []
    assert prepare_v2(open_folder, own) is None
    ready.update({open_folder, open_folder / "agon"})
    assert prepare_v2(open_folder, own) == open_folder / "agon"
    ready.remove(open_folder)
    assert prepare_v2(open_folder, own) is None
    assert prepare_v2(open_folder / "missing", own) is None


def test_only_a_process_that_is_alone_with_its_parents_steps_aside(open_folder: Path) -> None:
    make_files(open_folder, cgroup__procs=f"{os.getpid()}\n{os.getppid()}\n")
    make_files(open_folder / "agon-host", cgroup__procs="")
    assert step_aside(open_folder)
    moved = (open_folder / "agon-host" / "cgroup.procs").read_text()
    assert moved == str(os.getppid())  # the last one that was written to a plain file
    with subprocess.Popen(["/bin/sleep", "100"]) as other:
        make_files(open_folder, cgroup__procs=f"{os.getpid()}\n{other.pid}\n")
        assert not step_aside(open_folder)
        other.kill()
    make_files(open_folder, cgroup__procs=f"{os.getpid()}\n")
    (open_folder / "agon-host" / "cgroup.procs").unlink()
    (open_folder / "agon-host" / "cgroup.procs").mkdir()
    assert not step_aside(open_folder)


def test_what_a_killed_run_has_left_is_swept_up(open_folder: Path) -> None:
    space = os.stat("/proc/self/ns/pid").st_ino
    left, ours = open_folder / f"{PREFIX}-{space}-{os.getpid()}-1-0", open_folder / new_name(PREFIX)
    for sweep in (group_v2.sweep_v2, lambda folder: group_v1.sweep_v1({"cpu": folder})):
        for folder in (left, ours, open_folder / "other"):
            folder.mkdir(exist_ok=True)
        (open_folder / "file").touch()
        sweep(open_folder)
        assert {path.name for path in open_folder.iterdir()} == {ours.name, "other", "file"}


KILLED_WORKER = """
import os, subprocess, sys
from agon.sandbox import ResourceLimits
from agon.sandbox.cgroups import find_hierarchy
from agon.sandbox.leftovers import owner

group = find_hierarchy().new_group(ResourceLimits())
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "worker"])
    group.remove()
else:
    print(owner(os.getpid()), flush=True)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.system
@pytest.mark.skipif(os.getuid() != 0, reason="needs control groups")
def test_at_its_end_a_process_removes_what_killed_ones_have_left(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(KILLED_WORKER)
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=True
    )
    worker = done.stdout.strip()
    assert worker
    names = {name for _, names, _ in os.walk("/sys/fs/cgroup") for name in names}
    assert not {name for name in names if f"-{worker}-" in name}


def test_numbers_in_files(open_folder: Path) -> None:
    file = open_folder / "file"
    assert (read_number(file), read_entry(file, "a")) == (None, None)
    file.write_text("max\n")
    assert read_number(file) is None
    file.write_text("ab 1\na 2\na 3\n")
    assert [read_entry(file, key) for key in ("ab", "a", "b")] == [1, 2, None]
    assert read_processes(open_folder) == []


def test_patience_ends() -> None:
    looks = count()
    assert not poll_until(lambda: next(looks) < 0, 5 * 10**6)
    assert next(looks) > 1
    assert poll_until(lambda: True, 0)


def test_a_group_that_is_gone_need_not_be_removed(open_folder: Path) -> None:
    begin = time.monotonic_ns()
    remove_folder(open_folder / "gone")
    assert time.monotonic_ns() - begin < 10**9, "it is not waited for"


def fake_v2(folder: Path, controllers: str) -> None:
    """Files as the kernel would make them; writing them has no effect but to be seen."""
    (folder / "cgroup.controllers").write_text(controllers)
    (folder / "cgroup.subtree_control").write_text("")


def test_v2_resources_are_handed_on_in_one_step(open_folder: Path) -> None:
    fake_v2(open_folder, "cpuset cpu memory pids")
    hand_on(open_folder)
    assert (open_folder / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    assert not hand_on(open_folder / "missing")


def test_a_v2_group_that_cannot_be_made_leaves_nothing(open_folder: Path) -> None:
    with pytest.raises(OSError, match="controllers"):
        create_v2(open_folder, ResourceLimits())  # a plain folder has none of the kernel's files
    assert not list(open_folder.iterdir())
