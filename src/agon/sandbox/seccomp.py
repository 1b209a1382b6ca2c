"""The system calls that a bot may not make, as a filter that the kernel runs at each call.

A bot needs files, memory, threads, time and sockets. What it never needs is refused here, mostly
to keep rarely used parts of the kernel out of its reach: a hole in one of them would be a way out
of everything else. Refused calls fail with EPERM, so that a program that only asks goes on; calls
that this table does not know yet fail with ENOSYS, as in an older kernel; a call by the 32-bit or
the x32 entry point, past all numbers below, ends the process.

The filter is a program for the kernel's old packet filter machine ("classic BPF"), which bubblewrap
loads just before the bot's first instruction. It is built here by hand: no library is needed.

    load the architecture      wrong: kill
    load the call's number     x32, on x86_64: kill
    is it one with arguments to look at?   each such check ends in allow or refuse
    is it one that is refused?             refuse
    is it newer than the table?            ENOSYS
    allow
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

from agon.errors import SandboxError

# Instructions: load a word of the call's description, compare, test bits, return.
LOAD, EQUAL, GREATER, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
# Where in that description (struct seccomp_data) things stand; both machines are little-endian.
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000  # plus the error's number

X32_BIT = 0x40000000
NEWEST_KNOWN = 466
"""The last call of Linux 6.13. Later calls are not reviewed, and so are refused."""

# clone and unshare: time, mount, cgroup, uts, ipc, user, pid and network namespaces.
NEW_NAMESPACES = 0x80 | 0x20000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000
NEW_NAMESPACES |= 0x20000000 | 0x40000000

TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
SOCKET_FAMILIES = (1, 2, 10)  # unix, inet, inet6
PERSONALITIES = (0, 0x0040000, 0xFFFFFFFF)  # usual, no address randomisation, "which one is it?"


@dataclass(frozen=True, slots=True)
class Machine:
    """What one architecture calls things; `refused` maps names to numbers, for the record."""

    audit_architecture: int
    clone: int
    unshare: int
    ioctl: int
    socket: int
    socketpair: int
    personality: int
    clone3: int
    refused: dict[str, int]
    has_x32: bool = False


# The same number on every architecture, as for all calls since Linux 5.1.
REFUSED_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "process_mrelease": 448,
    "set_mempolicy_home_node": 450,
    "statmount": 457,
    "listmount": 458,
    "lsm_set_self_attr": 460,
}

# name: (x86_64, aarch64); None where the architecture never had the call.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    # Mounts and namespaces.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    # Keys, which are kept per user and not per namespace.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # Parts of the kernel with a history.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "lookup_dcookie": (212, 18),
    "modify_ldt": (154, None),
    "vmsplice": (278, 75),
    # The machine itself: kernel, modules, clock, swap, ports, accounting, names.
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "get_kernel_syms": (177, None),
    "query_module": (178, None),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "iopl": (172, None),
    "ioperm": (173, None),
    "acct": (163, 89),
    "syslog": (103, 116),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "quotactl": (179, 60),
    "nfsservctl": (180, 42),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # Relics.
    "_sysctl": (156, None),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "vserver": (236, None),
}


def numbers_of(column: int) -> dict[str, int]:
    """The refused calls of one architecture."""
    own = {name: numbers[column] for name, numbers in REFUSED.items()}
    return {name: n for name, n in own.items() if n is not None} | REFUSED_EVERYWHERE


MACHINES = {
    "x86_64": Machine(0xC000003E, 56, 272, 16, 41, 53, 135, 435, numbers_of(0), has_x32=True),
    "aarch64": Machine(0xC00000B7, 220, 97, 29, 198, 199, 92, 435, numbers_of(1)),
}


def build_filter(architecture: str | None = None) -> bytes:
    """The filter for this machine, or for the one named, as bubblewrap wants it."""
    name = architecture or platform.machine()
    if name not in MACHINES:
        raise SandboxError(
            f"no filter of system calls for {name!r}: there is one for {', '.join(MACHINES)}"
        )
    machine = MACHINES[name]
    eperm, enosys = REFUSE | errno.EPERM, REFUSE | errno.ENOSYS
    family = REFUSE | errno.EAFNOSUPPORT
    program = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, machine.audit_architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine.has_x32:
        program += [(ANY_BIT, 0, 1, X32_BIT), (RETURN, 0, 0, KILL)]
    program += [
        # The flags of clone3 stand in memory, where a filter cannot look. Without it the C library
        # takes clone, whose flags are in a register.
        *refuse(machine.clone3, enosys),
        *refuse_if_any_bit(machine.clone, NEW_NAMESPACES, eperm),
        *refuse_if_any_bit(machine.unshare, NEW_NAMESPACES, eperm),
        *refuse_values(machine.ioctl, 1, TERMINAL_INJECTION, eperm),
        *allow_values(machine.socket, 0, SOCKET_FAMILIES, family),
        *allow_values(machine.socketpair, 0, SOCKET_FAMILIES, family),
        *allow_values(machine.personality, 0, PERSONALITIES, eperm),
    ]
    for number in sorted(machine.refused.values()):
        program += refuse(number, eperm)
    program += [(GREATER, 0, 1, NEWEST_KNOWN), (RETURN, 0, 0, enosys), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


Instruction = tuple[int, int, int, int]  # what, steps to skip if so, if not, with which number


def refuse(number: int, how: int) -> list[Instruction]:
    """Refuse the call, whatever its arguments."""
    return [(EQUAL, 0, 1, number), (RETURN, 0, 0, how)]


def check_argument(number: int, argument: int, checks: list[Instruction]) -> list[Instruction]:
    """Run the checks on the low word of the argument if this is the call; they must return."""
    # The kernel itself looks at the low 32 bits alone for all arguments that are checked here.
    return [
        (EQUAL, 0, len(checks) + 1, number),
        (LOAD, 0, 0, ARGUMENTS_AT + 8 * argument),
        *checks,
    ]


def refuse_if_any_bit(number: int, bits: int, how: int) -> list[Instruction]:
    """Refuse the call if its first argument has any of the bits."""
    checks = [(ANY_BIT, 0, 1, bits), (RETURN, 0, 0, how), (RETURN, 0, 0, ALLOW)]
    return check_argument(number, 0, checks)


def refuse_values(
    number: int, argument: int, values: tuple[int, ...], how: int
) -> list[Instruction]:
    """Refuse the call if the argument has one of the values."""
    checks = [step for value in values for step in refuse(value, how)]
    return check_argument(number, argument, [*checks, (RETURN, 0, 0, ALLOW)])


def allow_values(
    number: int, argument: int, values: tuple[int, ...], how: int
) -> list[Instruction]:
    """Refuse the call unless the argument has one of the values."""
    checks = [step for value in values for step in refuse(value, ALLOW)]
    return check_argument(number, argument, [*checks, (RETURN, 0, 0, how)])
