"""The filter, run as the kernel would run it, for both machines; its numbers are the headers'."""

from __future__ import annotations

import errno
import fcntl
import re
import struct
from pathlib import Path

import pytest

from agon.errors import SandboxError
from agon.sandbox.seccomp import (
    ALLOW,
    ANY_BIT,
    AT_LEAST,
    DO_NOTHING,
    EINVAL,
    ENOSYS,
    EPERM,
    EQUAL,
    GREATER,
    KILL,
    LOAD,
    REFUSE,
    RETURN,
    build_filter,
)
from agon.sandbox.system_calls import ARCHITECTURES, FIRST_COMMON, NEW_CALLS

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
TIME_OF_32_BITS = range(403, 424)
"""Calls with 64-bit times for 32-bit machines, which these two are not."""

both = pytest.mark.parametrize("name", ["x86_64", "aarch64"])


def verdict(name: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Run the filter on one call."""
    machine = ARCHITECTURES[name]
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    arch = machine.audit_architecture if architecture is None else architecture
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    program = list(struct.iter_unpack("<HBBI", build_filter(name)))
    at = accumulator = 0
    while True:
        code, yes, no, value = program[at]
        at += 1
        if code == RETURN:
            return int(value)
        if code == LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
            continue
        holds = {
            EQUAL: accumulator == value,
            GREATER: accumulator > value,
            AT_LEAST: accumulator >= value,
            ANY_BIT: bool(accumulator & value),
        }[code]
        at += yes if holds else no


@both
def test_usual_calls_are_allowed(name: str) -> None:
    usual = {"x86_64": [0, 1, 2, 9, 57, 59, 202, 257, 318], "aarch64": [56, 63, 64, 98, 221, 222]}
    assert {verdict(name, number) for number in usual[name]} == {ALLOW}


@both
def test_every_number_has_an_answer(name: str) -> None:
    """What a table names gets what the table says; what no table and no header names, ENOSYS."""
    machine = ARCHITECTURES[name]
    said = dict.fromkeys(machine.refused.values(), EPERM)
    said |= dict.fromkeys(machine.absent.values(), ENOSYS)
    said |= dict.fromkeys(machine.without_effect.values(), DO_NOTHING)
    named = set(header_numbers(name).values()) | set(NEW_CALLS.values())
    for number in range(2048):
        if number in machine.checked.values():
            continue
        may_pass = number in named and (number < FIRST_COMMON or number in NEW_CALLS.values())
        expected = said.get(number, ALLOW if may_pass else ENOSYS)
        assert verdict(name, number) == expected, number


@both
def test_arguments_decide(name: str) -> None:
    calls = ARCHITECTURES[name].checked
    threads, namespaces = 0x3D0F00, 0x10000000
    assert verdict(name, calls["clone"], threads) == ALLOW
    assert verdict(name, calls["clone"], 17) == ALLOW
    assert verdict(name, calls["clone"], namespaces | 17) == EPERM
    assert verdict(name, calls["unshare"], 0x400) == ALLOW
    assert verdict(name, calls["unshare"], namespaces) == EPERM
    assert verdict(name, calls["ioctl"], 0, 0x5401) == ALLOW
    assert verdict(name, calls["ioctl"], 0, 0x5412) == EPERM
    assert verdict(name, calls["ioctl"], 0, 0x5412 | 1 << 32) == EPERM
    assert {verdict(name, calls["socket"], family) for family in (1, 2, 10)} == {ALLOW}
    assert verdict(name, calls["socket"], 16) == REFUSE | errno.EAFNOSUPPORT
    assert verdict(name, calls["socketpair"], 40) == REFUSE | errno.EAFNOSUPPORT
    assert verdict(name, calls["personality"], 0) == ALLOW
    assert verdict(name, calls["personality"], 0x0400000) == EPERM
    assert {verdict(name, calls["madvise"], 0, 0, advice) for advice in (4, 8, 14)} == {ALLOW}
    assert {verdict(name, calls["madvise"], 0, 0, advice) for advice in (20, 21)} == {EINVAL}
    no_support = REFUSE | errno.EOPNOTSUPP
    assert verdict(name, calls["preadv2"], 0, 0, 0, 0, 0, 1) == ALLOW
    assert {verdict(name, calls["preadv2"], 0, 0, 0, 0, 0, n) for n in (8, 128)} == {no_support}


@both
def test_locks_succeed_without_effect_and_leases_fail(name: str) -> None:
    number = ARCHITECTURES[name].checked["fcntl"]
    usual = (
        *(fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFL, fcntl.F_GETLK, fcntl.F_DUPFD_CLOEXEC),
        *(fcntl.F_OFD_GETLK, fcntl.F_SETPIPE_SZ, fcntl.F_ADD_SEALS, fcntl.F_SETSIG),
    )
    locks = (fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW)
    lasting = (fcntl.F_SETLEASE, fcntl.F_GETLEASE, fcntl.F_NOTIFY, 1035, 1036, 1037, 1038, 1040)
    for commands, answer in ((usual, ALLOW), (locks, DO_NOTHING), (lasting, EINVAL)):
        assert {verdict(name, number, 0, command) for command in commands} == {answer}


@both
def test_other_doors_are_closed(name: str) -> None:
    assert verdict(name, 20, architecture=0x40000003) == KILL
    assert verdict("x86_64", 0x40000000 | 101) == KILL


def header_numbers(name: str) -> dict[str, int]:
    """The kernel's own names and numbers of its calls."""
    if not HEADERS[name].exists():
        pytest.skip("the kernel's headers are not installed")
    pattern = re.compile(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\n")
    found = {word: int(number) for word, number in pattern.findall(HEADERS[name].read_text())}
    found.pop("arch_specific_syscall", None)  # where others would have theirs
    return {word: number for word, number in found.items() if number not in TIME_OF_32_BITS}


@both
def test_numbers_are_those_of_the_headers(name: str) -> None:
    known = header_numbers(name)
    machine = ARCHITECTURES[name]
    ours = machine.checked | machine.without_effect | machine.absent | machine.refused | NEW_CALLS
    newest = max(known.values())
    wrong = {word: number for word, number in ours.items() if known.get(word, number) != number}
    unknown = {word for word, number in ours.items() if word not in known and number < newest}
    assert not wrong
    assert not unknown


def test_other_machines_are_named_in_the_error() -> None:
    with pytest.raises(SandboxError, match="riscv64"):
        build_filter("riscv64")
