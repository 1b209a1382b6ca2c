"""The filter of system calls, which the kernel runs at each call.

A bot needs files, memory, threads, time and sockets. What it never needs is refused here, to keep
rarely used parts of the kernel out of its reach (a hole in one of them would be a way out of
everything else), and to keep bots from telling each other something by the system's files, which
all of them see. Refused calls fail with EPERM, so that a program that only asks goes on; calls that
are not on the list of `system_calls` fail with ENOSYS; a call by the 32-bit or the x32 entry point,
past all numbers, ends the process.

The filter is a program for the kernel's old packet filter machine ("classic BPF"), which bubblewrap
loads just before the bot's first instruction. It is built here by hand: no library is needed.

    load the architecture      wrong: kill
    load the call's number     x32, on x86_64: kill
    is it one with arguments to look at?   each such check ends in allow or refuse
    is it one that is named in a table?    what the table says
    is it in a range that is allowed?      allow
    ENOSYS
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import TYPE_CHECKING

from agon.errors import SandboxError
from agon.sandbox.system_calls import ARCHITECTURES

if TYPE_CHECKING:
    from collections.abc import Iterable

# Instructions: load a word of the call's description, compare, test bits, return.
LOAD, EQUAL, GREATER, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
# Where in that description (struct seccomp_data) things stand; both machines are little-endian.
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000  # plus the error's number
EPERM, EINVAL, ENOSYS = (REFUSE | n for n in (errno.EPERM, errno.EINVAL, errno.ENOSYS))
DO_NOTHING = REFUSE  # error 0: the call is left out, and succeeds

X32_BIT = 0x40000000

# clone and unshare: time, mount, cgroup, uts, ipc, user, pid and network namespaces.
NEW_NAMESPACES = 0x80 | 0x20000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000
NEW_NAMESPACES |= 0x20000000 | 0x40000000

TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
SOCKET_FAMILIES = (1, 2, 10)  # unix, inet, inet6
PERSONALITIES = (0, 0x0040000, 0xFFFFFFFF)  # usual, no address randomisation, "which one is it?"

# fcntl: descriptors and their flags, who has a lock, signals, sizes of pipes, seals. Not: leases,
# notices of changes in a folder (dnotify), hints that stay with a file.
FILE_COMMANDS = (*range(6), *range(8, 12), 15, 16, 17, 36, 1027, 1028, *range(1030, 1035))
LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, and those of an open file
OUT_OF_THE_CACHE = (20, 21)  # MADV_COLD, MADV_PAGEOUT
# preadv2: priority, and how to write; not "only what is in the cache", nor "do not keep it there".
READ_FLAGS = 0x17

Instruction = tuple[int, int, int, int]  # what, steps to skip if so, if not, with which number


def build_filter(architecture: str | None = None) -> bytes:
    """The filter for this machine, or for the one named, as bubblewrap wants it."""
    name = architecture or platform.machine()
    if name not in ARCHITECTURES:
        raise SandboxError(
            f"no filter of system calls for {name!r}: there is one for {', '.join(ARCHITECTURES)}"
        )
    numbers = ARCHITECTURES[name]
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, numbers.audit_architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if numbers.has_x32:
        program += [(ANY_BIT, 0, 1, X32_BIT), (RETURN, 0, 0, KILL)]
    family = REFUSE | errno.EAFNOSUPPORT
    cached_only = REFUSE | errno.EOPNOTSUPP
    calls = numbers.checked
    program += [
        *check(calls["clone"], 0, [*if_any_bit(NEW_NAMESPACES, EPERM)], ALLOW),
        *check(calls["unshare"], 0, [*if_any_bit(NEW_NAMESPACES, EPERM)], ALLOW),
        *check(calls["ioctl"], 1, [*if_one_of(TERMINAL_INJECTION, EPERM)], ALLOW),
        *check(
            calls["fcntl"],
            1,
            [*if_one_of(FILE_COMMANDS, ALLOW), *if_one_of(LOCKS, DO_NOTHING)],
            EINVAL,
        ),
        *check(calls["madvise"], 2, [*if_one_of(OUT_OF_THE_CACHE, EINVAL)], ALLOW),
        *check(calls["preadv2"], 5, [*if_any_bit(~READ_FLAGS & 0xFFFFFFFF, cached_only)], ALLOW),
        *check(calls["socket"], 0, [*if_one_of(SOCKET_FAMILIES, ALLOW)], family),
        *check(calls["socketpair"], 0, [*if_one_of(SOCKET_FAMILIES, ALLOW)], family),
        *check(calls["personality"], 0, [*if_one_of(PERSONALITIES, ALLOW)], EPERM),
        *if_one_of(numbers.without_effect.values(), DO_NOTHING),
        *if_one_of(numbers.absent.values(), ENOSYS),
        *if_one_of(numbers.refused.values(), EPERM),
    ]
    for first, last in numbers.allowed:
        program += [(AT_LEAST, 0, 2, first), (GREATER, 1, 0, last), (RETURN, 0, 0, ALLOW)]
    program.append((RETURN, 0, 0, ENOSYS))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


def if_one_of(values: Iterable[int], answer: int) -> list[Instruction]:
    """Give this answer if the loaded word is one of the values."""
    return [step for value in values for step in ((EQUAL, 0, 1, value), (RETURN, 0, 0, answer))]


def if_any_bit(bits: int, answer: int) -> list[Instruction]:
    """Give this answer if the loaded word has any of the bits."""
    return [(ANY_BIT, 0, 1, bits), (RETURN, 0, 0, answer)]


def check(
    number: int, argument: int, checks: list[Instruction], otherwise: int
) -> list[Instruction]:
    """If this is the call, run the checks on the low word of its argument, else go on."""
    # The kernel itself looks at the low 32 bits alone for all arguments that are checked here.
    return [
        (EQUAL, 0, len(checks) + 2, number),
        (LOAD, 0, 0, ARGUMENTS_AT + 8 * argument),
        *checks,
        (RETURN, 0, 0, otherwise),
    ]
