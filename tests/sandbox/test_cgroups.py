"""Control groups: what the kernel's files mean, and groups of both kinds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agon.sandbox import ResourceLimits
from agon.sandbox.cgroups import (
    HierarchyV1,
    NoHierarchy,
    detect_hierarchy,
    find_hierarchy,
    own_groups,
    parse_membership,
    parse_mounts,
)
from agon.sandbox.group import Holds, NoGroup, is_left_over, new_name, owner
from agon.sandbox.group_v2 import create_v2, hand_on
from tests.sandbox.host import MIB, left_groups


def test_paths_in_a_container_are_those_of_its_mount(open_folder: Path) -> None:
    mounts = {"memory": ("/docker/7", open_folder), "": ("/", open_folder)}
    (open_folder / "inner").mkdir()
    groups = own_groups(mounts, {"memory": "/docker/7/inner", "": "/not/to/be/seen", "x": "/"})
    assert groups == {"memory": open_folder / "inner", "": open_folder}


def test_mounts_and_membership_are_read() -> None:
    mounts = parse_mounts(
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
        "2 1 0:2 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n"
        "3 1 0:3 /a /sys/fs/cgroup/memory rw - cgroup none rw,memory\n"
        "broken\n"
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
    name = new_name()
    assert not is_left_over(name)
    assert not is_left_over("agon-bot-x")
    space = os.stat("/proc/self/ns/pid").st_ino
    assert is_left_over(f"agon-bot-{space}-{os.getpid()}-1-0")
    assert not is_left_over(f"agon-bot-{space + 1}-{os.getpid()}-1-0")
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
