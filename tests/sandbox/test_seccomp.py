"""The filter, run as the kernel would run it, for both machines; its numbers are the headers'."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from agon.errors import SandboxError
from agon.sandbox.seccomp import (
    ALLOW,
    ANY_BIT,
    EQUAL,
    GREATER,
    KILL,
    LOAD,
    MACHINES,
    NEWEST_KNOWN,
    REFUSE,
    RETURN,
    build_filter,
)

EPERM = REFUSE | errno.EPERM
ENOSYS = REFUSE | errno.ENOSYS
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
both = pytest.mark.parametrize("name", ["x86_64", "aarch64"])


def verdict(name: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Run the filter on one call."""
    machine = MACHINES[name]
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
            ANY_BIT: bool(accumulator & value),
        }[code]
        at += yes if holds else no


@both
def test_usual_calls_are_allowed(name: str) -> None:
    usual = {"x86_64": [0, 1, 2, 9, 57, 59, 202, 257, 318], "aarch64": [56, 63, 64, 98, 221, 222]}
    assert {verdict(name, number) for number in usual[name]} == {ALLOW}


@both
def test_every_refused_call_is_refused(name: str) -> None:
    assert {verdict(name, number) for number in MACHINES[name].refused.values()} == {EPERM}


@both
def test_arguments_decide(name: str) -> None:
    machine = MACHINES[name]
    threads, namespaces = 0x3D0F00, 0x10000000
    assert verdict(name, machine.clone, threads) == ALLOW
    assert verdict(name, machine.clone, 17) == ALLOW
    assert verdict(name, machine.clone, namespaces | 17) == EPERM
    assert verdict(name, machine.unshare, 0x400) == ALLOW
    assert verdict(name, machine.unshare, namespaces) == EPERM
    assert verdict(name, machine.clone3) == ENOSYS
    assert verdict(name, machine.ioctl, 0, 0x5401) == ALLOW
    assert verdict(name, machine.ioctl, 0, 0x5412) == EPERM
    assert verdict(name, machine.ioctl, 0, 0x5412 | 1 << 32) == EPERM
    assert {verdict(name, machine.socket, family) for family in (1, 2, 10)} == {ALLOW}
    assert verdict(name, machine.socket, 16) == REFUSE | errno.EAFNOSUPPORT
    assert verdict(name, machine.socketpair, 40) == REFUSE | errno.EAFNOSUPPORT
    assert verdict(name, machine.personality, 0) == ALLOW
    assert verdict(name, machine.personality, 0x0400000) == EPERM


@both
def test_other_doors_are_closed(name: str) -> None:
    assert verdict(name, 20, architecture=0x40000003) == KILL
    assert verdict(name, NEWEST_KNOWN) != ENOSYS
    assert verdict(name, NEWEST_KNOWN + 1) == ENOSYS
    assert verdict("x86_64", 0x40000000 | 101) == KILL


@both
def test_numbers_are_those_of_the_headers(name: str) -> None:
    if not HEADERS[name].exists():
        pytest.skip("the kernel's headers are not installed")
    pattern = re.compile(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\n")
    known = {word: int(number) for word, number in pattern.findall(HEADERS[name].read_text())}
    machine = MACHINES[name]
    ours = machine.refused | {
        word: getattr(machine, word)
        for word in ("clone", "unshare", "ioctl", "socket", "socketpair", "personality", "clone3")
    }
    newest = max(known.values())
    wrong = {word: number for word, number in ours.items() if known.get(word, number) != number}
    unknown = {word for word, number in ours.items() if word not in known and number < newest}
    assert not wrong
    assert not unknown


def test_other_machines_are_named_in_the_error() -> None:
    with pytest.raises(SandboxError, match="riscv64"):
        build_filter("riscv64")
