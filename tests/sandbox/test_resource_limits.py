"""The limits of each process: what is wanted, no higher than ours, and as prlimit(1) reads it."""

from __future__ import annotations

import resource
from dataclasses import fields

import pytest

from agon.errors import SettingError
from agon.sandbox import ResourceLimits
from agon.sandbox.group import Holds, NoGroup
from agon.sandbox.host_user import Identity
from agon.sandbox.launcher import early_limits, needs_late_limit
from agon.sandbox.resource_limits import at_most_ours

LIMITS = ResourceLimits(memory=9 << 20, processes=30, cpu_seconds=7, open_files=20, file_size=3000)
EACH = ["--nofile=20:20", "--fsize=3000:3000", "--cpu=7:8", "--core=0:0"]
OURS, NEW = Identity(1000, (), {}), Identity(1_900_000_000, ("setpriv",), {})


class Group(NoGroup):
    def __init__(self, *holds: Holds) -> None:
        self.holds = frozenset(holds)


def words(group: NoGroup, identity: Identity) -> list[str]:
    return early_limits(LIMITS, group, identity)


def test_what_every_process_is_held_to() -> None:
    found = words(Group(*Holds), OURS)
    assert found[:4] == EACH
    assert [word.partition("=")[0] for word in found[4:]] == [
        "--memlock",
        "--msgqueue",
        "--sigpending",
    ]
    for kind, soft, hard in LIMITS.for_process():
        ours = resource.getrlimit(kind)[1]
        assert soft <= hard
        assert ours in (-1, hard) or hard < ours


@pytest.mark.parametrize(
    ("name", "wanted"), [("MEMLOCK", 65536), ("MSGQUEUE", 65536), ("SIGPENDING", 1024)]
)
def test_what_the_kernel_keeps_for_all_is_little(name: str, wanted: int) -> None:
    kind = getattr(resource, f"RLIMIT_{name}")
    ours = resource.getrlimit(kind)[1]
    expected = wanted if ours == resource.RLIM_INFINITY else min(wanted, ours)
    assert (kind, expected, expected) in LIMITS.for_process()


def test_no_limit_is_higher_than_ours() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert at_most_ours(resource.RLIMIT_NOFILE, hard + 5, hard + 6)[1:] == (hard, hard)
    assert at_most_ours(resource.RLIMIT_NOFILE, hard - 1, hard + 6)[1:] == (hard - 1, hard)


def test_without_a_group_each_process_is_limited() -> None:
    nproc, data = "--nproc=32:32", f"--data={9 << 20}:{9 << 20}"
    for group, identity, more in (
        (Group(*Holds), NEW, []),
        (Group(Holds.MEMORY), NEW, [nproc]),
        (Group(Holds.MEMORY), OURS, []),
        (Group(Holds.PROCESSES), NEW, [data]),
        (Group(), NEW, [nproc, data]),
        (Group(), OURS, [data]),
    ):
        assert words(group, identity)[7:] == more


def test_when_processes_are_limited_later() -> None:
    assert not needs_late_limit(Group(Holds.PROCESSES), OURS)
    assert not needs_late_limit(Group(), NEW)
    assert needs_late_limit(Group(), OURS)  # every kernel since 5.14


@pytest.mark.parametrize("name", [field.name for field in fields(ResourceLimits)])
def test_every_limit_is_at_least_1(name: str) -> None:
    assert getattr(ResourceLimits(**{name: 1}), name) == 1
    with pytest.raises(SettingError, match=f"limit {name} = 0: expected at least 1"):
        ResourceLimits(**{name: 0})
