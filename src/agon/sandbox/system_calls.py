"""The system calls of each architecture: which a bot may make, and what becomes of the others.

A number that is on no list here does not exist for a bot: the call fails with ENOSYS, as in an
older kernel. So a call that a later kernel adds stays closed until it is reviewed, whatever its
number. Numbers below stand as (x86_64, aarch64); None where the architecture never had the call.
"""

from __future__ import annotations

from dataclasses import dataclass

Numbers = tuple[int | None, int | None]

FIRST_COMMON = 424
"""From here on, which is since Linux 5.1, a call has the same number on all architectures."""

OLD_CALLS = (((0, 334),), ((0, 243), (260, 294)))
"""Before that each architecture has a table of its own: reviewed, allowed unless named below."""

NEW_CALLS = {
    "pidfd_send_signal": 424,
    "pidfd_open": 434,
    "close_range": 436,
    "openat2": 437,
    "faccessat2": 439,
    "epoll_pwait2": 441,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "futex_waitv": 449,
    "fchmodat2": 452,
    "map_shadow_stack": 453,
    "futex_wake": 454,
    "futex_wait": 455,
    "futex_requeue": 456,
    "mseal": 462,
}
"""All that a bot may use of the common calls, reviewed up to Linux 6.13.

Without clone3, whose flags stand in memory, where a filter cannot look: the C library then takes
clone, whose flags are in a register. Without io_uring, which passes by every filter, and without
cachestat, which tells what other bots have read.
"""

CHECKED: dict[str, tuple[int, int]] = {
    "clone": (56, 220),
    "unshare": (272, 97),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "madvise": (28, 233),
    "preadv2": (327, 286),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "personality": (135, 92),
}
"""Their arguments decide: see `seccomp`."""

WITHOUT_EFFECT: dict[str, Numbers] = {
    # A lock on a file of the system, which all bots have open, would be seen by the others. Builds
    # and Java lock files of their own; all that they need is that it succeeds.
    "flock": (73, 32),
    # What is no longer needed leaves the cache of files, which all bots share.
    "fadvise64": (221, 223),
}
"""They succeed and do nothing."""

ABSENT: dict[str, Numbers] = {
    # What other bots do with the system's files, or have done.
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "inotify_rm_watch": (255, 28),
    "mincore": (27, 232),
    # The host has a certain number of these for all processes together.
    "io_setup": (206, 0),
}
"""They fail with ENOSYS, so that programs do without."""

REFUSED: dict[str, Numbers] = {
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
"""They fail with EPERM."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """One architecture, with the numbers of its calls by name."""

    audit_architecture: int
    allowed: tuple[tuple[int, int], ...]
    """First and last number of each range; what the tables below name is taken out of it."""
    checked: dict[str, int]
    without_effect: dict[str, int]
    absent: dict[str, int]
    refused: dict[str, int]
    has_x32: bool


def make_architecture(column: int, audit_architecture: int, has_x32: bool) -> Architecture:
    """The architecture in this column of the tables."""

    def numbers(table: dict[str, Numbers]) -> dict[str, int]:
        return {name: n for name, row in table.items() if (n := row[column]) is not None}

    return Architecture(
        audit_architecture,
        (*OLD_CALLS[column], *((number, number) for number in NEW_CALLS.values())),
        {name: row[column] for name, row in CHECKED.items()},
        numbers(WITHOUT_EFFECT),
        numbers(ABSENT),
        numbers(REFUSED),
        has_x32,
    )


ARCHITECTURES = {
    "x86_64": make_architecture(0, 0xC000003E, has_x32=True),
    "aarch64": make_architecture(1, 0xC00000B7, has_x32=False),
}
