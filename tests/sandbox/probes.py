"""Attacks that try to reach something: files, addresses, processes, parts of the kernel."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.errors import UnfitBotError
from agon.match.transcript import Fault
from agon.sandbox import launch
from agon.sandbox.system_calls import ARCHITECTURES
from tests.sandbox.attack import Attack, Burden, Probe, all_held
from tests.sandbox.host import SECRET, finish

if TYPE_CHECKING:
    from tests.sandbox.host import Host

CONNECT = """
def connect(family, address):
    with socket.socket(family) as s:
        s.settimeout(1)
        s.connect(address)
        assert s.recv(100)
"""

MACHINE = ARCHITECTURES[platform.machine()]
RARE = (
    *("ptrace", "keyctl", "bpf", "perf_event_open", "userfaultfd", "reboot", "process_vm_readv"),
    *("kexec_load", "init_module", "swapon", "open_by_handle_at", "setns", "mount", "pivot_root"),
    "add_key",
)
UNLISTED = {"io_uring_setup": 425, "fsopen": 430, "clone3": 435, "pidfd_getfd": 438}
REFUSED_CALLS = f"""
refused, unlisted = { ({name: MACHINE.refused[name] for name in RARE})!r}, {UNLISTED!r}
for name, number in (refused | unlisted).items():
    result = call("syscall", number, 0, 0, 0, 0, 0, 0)
    expected = errno.EPERM if name in refused else errno.ENOSYS
    if result == -expected: held(name + ':', os.strerror(-result))
    else: escaped(name, result)
"""

# Two calls pass every filter, since Linux 6.14: those by which a probe that root has set into a
# program comes back. Elsewhere they fail, or end the process that makes them.
OF_PROBES = (335, 336) if platform.machine() == "x86_64" else ()
EVERY_NUMBER = f"""
allowed = { {n for first, last in MACHINE.allowed for n in range(first, last + 1)}!r}
numbers = [number for number in range(1024) if number not in allowed]
for number in set(numbers) - set({OF_PROBES}):
    result = call('syscall', number, -1, -1, -1, -1, -1, -1)
    if result != -errno.ENOSYS: escaped(number, result)
for number in {OF_PROBES}:
    pid = os.fork()
    if pid == 0: os._exit(call('syscall', number, -1, -1, -1, -1, -1, -1) >= 0)
    status = os.waitpid(pid, 0)[1]
    if status not in (0, signal.SIGILL): escaped(number, status)
held(len(numbers), 'numbers:', os.strerror(errno.ENOSYS))
"""

ROUTED = "attempt('connect:', lambda: socket.create_connection(('192.0.2.1', 4000), 1).close())"
"""The address is that of a network of the test's own, in which it is played: see `network`."""


def routed_address(host: Host, source: str) -> str:
    """In a network namespace of the test's own: no packet can leave the machine."""
    if os.getuid() != 0:
        return "not tried: only root can make a network and stay itself"
    done = subprocess.run(
        ["/usr/bin/unshare", "--net", sys.executable, "-W", "error", "-m", "tests.sandbox.network"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


READ_INSTALLATION = "attempt('read:', lambda: open(T['installation']).read())"


def host_program(host: Host, source: str) -> str:
    """Settings that name it, in all ways; then a look at whether it is there."""
    for run in (str(host.tool), "./tool", "../installation/bin/tool", "/bot/../" + str(host.tool)):
        with pytest.raises(UnfitBotError):
            launch([run], host.bot)
    with launch([str(host.tool)], host.bot, allowed=[host.tool.parents[1]]) as child:
        assert finish(child) == SECRET, "it cannot be run at all"
    return all_held(host.run(source))


def setuid(host: Host, source: str) -> str:
    """A copy of id(1) that belongs to the user of the test, root here, with the setuid bit."""
    said = host.run(source).strip()
    assert said == "1000", said
    return "it stays user 1000"


PROBES = (
    Attack(
        "loopback",
        "connect to a listener on the host's 127.0.0.1",
        "own network",
        Probe(
            CONNECT
            + "attempt('connect:', lambda: connect(socket.AF_INET, ('127.0.0.1', T['tcp'][0])))"
        ),
    ),
    Attack(
        "other-address",
        "connect to a listener on another address of the host (127.0.0.2)",
        "own network",
        Probe(
            CONNECT
            + "attempt('connect:', lambda: connect(socket.AF_INET, ('127.0.0.2', T['tcp'][1])))"
        ),
    ),
    Attack(
        "routed-address",
        "connect to a listener on an address of the host that is not a loopback one (192.0.2.1)",
        "own network",
        Burden(ROUTED, routed_address),
    ),
    Attack(
        "socket-file",
        "connect to a unix socket of the host by its file",
        "own files",
        Probe(CONNECT + "attempt('connect:', lambda: connect(socket.AF_UNIX, T['socket file']))"),
    ),
    Attack(
        "abstract-socket",
        "connect to a unix socket of the host that has no file",
        "own network",
        Probe(CONNECT + "attempt('connect:', lambda: connect(socket.AF_UNIX, '\\0' + T['token']))"),
    ),
    Attack(
        "name-lookup",
        "ask a name server on the host; look up a name",
        "own network, own /etc",
        Probe("""
def ask():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(0.5)
        s.connect(('127.0.0.1', T['name server']))
        s.send(b'name?')
        s.recv(512)
attempt('ask:', ask)
if os.getuid() == 1000 and os.path.exists('/bot'):
    attempt('look up:', lambda: socket.getaddrinfo('agon.invalid', 80))
"""),
    ),
    Attack(
        "packet-socket",
        "open sockets that see or make raw packets, or speak to the kernel",
        "seccomp, no privileges",
        Probe("""
attempt('packet:', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt('netlink:', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt('raw:', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt('alg:', lambda: socket.socket(38, socket.SOCK_SEQPACKET))
"""),
    ),
    Attack(
        "home",
        "read the home folder of the arena's user",
        "own files",
        Probe("""
def read():
    if not os.listdir(T['home']): raise OSError(0, 'it is empty')
attempt('list:', read)
"""),
    ),
    Attack(
        "other-bot",
        "read another bot's folder, by its path and by /bot/..",
        "own files",
        Probe("""
attempt('path:', lambda: open(T['other']).read())
attempt('dots:', lambda: open('../other/plan.txt').read())
"""),
    ),
    Attack(
        "datastore",
        "read the datastore, write to it",
        "own files",
        Probe("""
attempt('read:', lambda: open(T['datastore']).read())
attempt('write:', lambda: open(T['datastore'], 'r+'))
"""),
    ),
    Attack(
        "symlink-out",
        "follow a link in its own folder to another bot's",
        "own files",
        Probe("attempt('follow:', lambda: open('way-out/plan.txt').read())"),
    ),
    Attack(
        "host-program",
        "have the host's installation of a program shown, by `run` or by a link in its own folder",
        "own files: only the host's owner allows an installation",
        Burden(READ_INSTALLATION, host_program),
    ),
    Attack(
        "own-folder",
        "write to its own folder",
        "read-only mount",
        Probe("attempt('write:', lambda: open('note-to-self', 'w'))"),
    ),
    Attack(
        "system-files",
        "write to the system: /usr, /etc, /, /dev, /proc/sys, the sandbox program itself",
        "read-only mounts, a user that owns nothing",
        Probe(
            """
for path in ('/usr/bin/agon-was-here', '/etc/passwd', '/agon-was-here', '/dev/agon-was-here',
        '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/1/exe', '/proc/self/exe'):
    attempt(path + ':', lambda: open(path, 'r+' if os.path.exists(path) else 'w'))
""",
            bare=False,
        ),
    ),
    Attack(
        "environment",
        "read the arena's environment: inherited, or of any process through /proc",
        "own environment, own processes",
        Probe("""
seen = [name for name in os.environ if os.environ[name] == T['token']]
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        if T['token'].encode() in open(f'/proc/{pid}/environ', 'rb').read(): seen.append(pid)
    except OSError: pass
escaped(seen) if seen else held('not to be seen; has', ' '.join(sorted(os.environ)))
"""),
    ),
    Attack(
        "descriptors",
        "use files that the arena has left open",
        "nothing is inherited",
        Probe(
            "seen = sorted(os.listdir('/proc/self/fd'))\n"
            "held('only the three streams') if len(seen) == 4 else escaped(seen)",
            bare=False,
        ),
    ),
    Attack(
        "signal",
        "signal a process of the host",
        "own processes",
        Probe("attempt('signal:', lambda: os.kill(T['victim'], 0))"),
    ),
    Attack(
        "trace",
        "trace a process of the host, read its memory",
        "own processes, seccomp",
        Probe("""
ATTACH, DETACH = 16, 17
result = call('ptrace', ATTACH, T['victim'], 0, 0)
if result == 0:
    time.sleep(0.05)
    call('ptrace', DETACH, T['victim'], 0, 0)
escaped('traced') if result == 0 else held('ptrace:', os.strerror(-result))
attempt('memory:', lambda: open(f"/proc/{T['victim']}/mem", 'rb'))
"""),
    ),
    Attack(
        "clock",
        "set the clock",
        "seccomp, no privileges",
        Probe(
            """
attempt('clock_settime:', lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
for name, size in (('settimeofday', 16), ('adjtimex', 208)):
    block = ctypes.create_string_buffer(size)
    ctypes.c_uint.from_buffer(block).value = 1 if name == 'adjtimex' else int(time.time())
    result = call(name, block, None)
    held(name + ':', os.strerror(-result)) if result < 0 else escaped(name)
""",
            bare=False,
        ),
    ),
    Attack(
        "terminal",
        "put typed characters into the terminal from which the arena was started",
        "own session, no terminal, seccomp",
        Probe(
            """
import fcntl
attempt('/dev/tty:', lambda: open('/dev/tty'))
for fd in (0, 1, 2):
    for request in (0x5412, 0x541C, 0x5412 | 1 << 32):
        result = call('ioctl', fd, ctypes.c_ulong(request), ctypes.byref(ctypes.c_char(10)))
        held('ioctl:', os.strerror(-result)) if result == -errno.EPERM else escaped(fd, result)
""",
            bare=False,
        ),
    ),
    Attack(
        "mount",
        "mount a file system, change the root",
        "seccomp, no privileges",
        Probe(
            """
for name, arguments in dict(mount=(b'none', b'/tmp', b'tmpfs', 0, None), umount2=(b'/bot', 2),
        chroot=(b'/tmp',)).items():
    result = call(name, *arguments)
    held(name + ':', os.strerror(-result)) if result < 0 else escaped(name)
""",
            bare=False,
        ),
    ),
    Attack(
        "namespaces",
        "make namespaces of its own, in which it would be root",
        "seccomp, --disable-userns",
        Probe(f"""
for flag in (0x10000000, 0x20000, 0x40000000, 0x10000000 | 0x20000, 0x80):
    pid = os.fork()
    if pid == 0:
        result = call('unshare', flag)
        held('unshare:', os.strerror(-result)) if result < 0 else escaped(hex(flag))
        os._exit(0)
    os.waitpid(pid, 0)
result = call('syscall', {MACHINE.checked["clone"]}, 0x10000000 | 17, 0, 0, 0, 0)
if result == 0: os._exit(0)
held('clone:', os.strerror(-result)) if result < 0 else escaped('clone')
"""),
    ),
    Attack(
        "setuid",
        "become root by a setuid program",
        "no new privileges, nosuid mounts",
        Burden("os.execv('/bot/setuid', ['id', '-u'])", setuid),
        (Fault.PROTOCOL,),
    ),
    Attack(
        "kernel-calls",
        "reach rarely used parts of the kernel: keys, bpf, perf, io_uring, modules, kexec …",
        "seccomp",
        Probe(REFUSED_CALLS, bare=False),
    ),
    Attack(
        "devices",
        "make a device file; find one that is a disk or memory",
        "no privileges, own /dev",
        Probe(
            """
attempt('mknod:', lambda: os.mknod('/tmp/disk', 0o60666, os.makedev(254, 0)))
seen = sorted(name for name in os.listdir('/dev') if not os.path.islink('/dev/' + name))
good = ['full', 'null', 'random', 'shm', 'urandom', 'zero']
held('only', ' '.join(seen)) if seen == good else escaped(seen)
""",
            bare=False,
        ),
    ),
    Attack(
        "control-groups",
        "lift its own limits",
        "no control group files inside, hard resource limits",
        Probe(
            """
import resource
attempt('/sys:', lambda: os.listdir('/sys/fs/cgroup'))
def lift():
    try: resource.setrlimit(resource.RLIMIT_NOFILE, (100000, 100000))
    except ValueError as error: raise OSError(0, str(error))
attempt('rlimit:', lift)
""",
            bare=False,
        ),
    ),
    Attack(
        "unlisted-calls",
        "make every system call whose number is on no list: in gaps of the table, or newer",
        "seccomp",
        Probe(EVERY_NUMBER),
    ),
)
