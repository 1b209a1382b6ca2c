"""Attacks that use something up, or stay: they are measured from outside."""

from __future__ import annotations

import json
import os
import platform
import time
from typing import TYPE_CHECKING

from agon.match.transcript import Fault
from agon.sandbox import Ending, ResourceLimits
from agon.sandbox.resource_limits import PENDING_SIGNALS
from tests.sandbox.attack import Attack, Burden
from tests.sandbox.host import MIB, SECOND, SMALL, finish, left_processes, shared_segment

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.sandbox import SandboxedChild
    from tests.sandbox.host import Host

LITTLE_MEMORY = ResourceLimits(memory=32 * MIB, tmp=1024 * MIB)
SMALL_FILES = ResourceLimits(file_size=MIB)
ONE_SECOND = ResourceLimits(cpu_seconds=1)


def ends_by(how: Ending, limits: ResourceLimits = SMALL) -> Callable[[Host, str], str]:
    """The attack must end in this way, and soon."""

    def watch(host: Host, source: str) -> str:
        with host.attack(source, limits) as child:
            ended = child.wait(20 * SECOND)
            assert ended is not None, "it goes on"
            assert ended.how is how, (ended, finish(child))
            peak = child.usage().peak_memory
            assert peak is None or peak <= limits.memory
        return str(ended)

    return watch


CALL_32_BIT = """
import mmap
code = mmap.mmap(-1, 4096, prot=7)
code.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
escaped(ctypes.CFUNCTYPE(ctypes.c_int)(address)())
"""


def call_32_bit(host: Host, source: str) -> str:
    """Machine code that calls the kernel by its 32-bit entry point, with other call numbers."""
    if platform.machine() != "x86_64":
        return "this machine has no such entry point"
    return ends_by(Ending.FORBIDDEN_CALL)(host, source)


FORK_BOMB = "while True:\n try: os.fork()\n except OSError: pass"


def fork_bomb(host: Host, source: str) -> str:
    with host.attack(source) as child:
        wait_for(lambda: child.usage().refused_forks > 100)
        alive = len(left_processes(host.token, 0))
        assert 2 < alive <= SMALL.processes + 2
        child.kill()
        assert not left_processes(host.token, 0)
    return f"{alive - 2} processes, then none"


SHARED_MEMORY_BOMB = """
import mmap
x = []
while True:
    x.append(mmap.mmap(-1, 1 << 24)); x[-1].write(b'.' * (1 << 24))
"""

# Files in memory that have no name; each is smaller than the largest file allowed.
MEMFD_BOMB = """
files = []
while True:
    files.append(os.memfd_create('x'))
    os.write(files[-1], b'.' * (4 << 20))
"""

# Segments that no process has any more: nothing is charged to a process.
SYSTEM_V_BOMB = """
libc.shmat.restype = ctypes.c_void_p
while True:
    segment = call('shmget', 0, 4 << 20, 0o1600)
    place = libc.shmat(segment, None, 0)
    ctypes.memset(place, 1, 4 << 20)
    libc.shmdt(ctypes.c_void_p(place))
"""

FORKED_MEMORY_BOMB = """
for _ in range(3): os.fork()
x = bytearray(64 << 20)
time.sleep(60)
"""


def forked_memory_bomb(host: Host, source: str) -> str:
    """The kernel ends some of the processes; which ones is its choice."""
    with host.attack(source) as child:
        wait_for(lambda: child.usage().oom_kills > 0)
        peak = child.usage().peak_memory
        assert peak is None or peak <= SMALL.memory
    return f"processes end for lack of memory, at {SMALL.memory // MIB} MiB in all"


# Bytes that wait in sockets are the kernel's memory, which is not counted by itself.
SOCKET_BOMB = """
def fill(sender, n):
    sender.setblocking(False)
    total = 0
    try:
        for _ in range(n): total += sender.send(b'x' * 60000)
    except OSError: pass
    return total
def grow(s):
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF): s.setsockopt(1, option, 1 << 20)
    return s
tcp, udp, waiting = [], [], 0
with socket.create_server(('127.0.0.1', 0)) as listener:
    for _ in range(50):
        tcp += [grow(socket.create_connection(listener.getsockname())), grow(listener.accept()[0])]
waiting += sum(fill(s, 1000) for s in tcp)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(100):
    udp.append(grow(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)))
    udp[-1].bind(('127.0.0.1', 0))
    sender.connect(udp[-1].getsockname())
    fill(sender, 20)
for s in udp:
    s.setblocking(False)
    try:
        while True: waiting += len(s.recv(65536))
    except OSError: pass
say('waiting', waiting)
"""


def socket_bomb(host: Host, source: str) -> str:
    with host.attack(source) as child:
        said = finish(child)
        ended = child.ended_by()
        assert ended is not None
        if ended.how is not Ending.OUT_OF_MEMORY:
            waiting = int(said.removeprefix("waiting: "))
            assert waiting < SMALL.memory, said
            return f"{waiting // MIB} MiB wait in 200 sockets"
    return str(ended)


DISK_FILL = """
full = {}
for folder, _, _ in os.walk('/'):
    if folder.startswith('/proc'): continue
    try:
        for n in range(10000):
            with open(f'{folder}/fill{n}', 'wb', 0) as f:
                for _ in range(4): full[folder] = full.get(folder, 0) + f.write(b'.' * 65536)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES): full[error.strerror] = 1
say('full', json.dumps(full))
"""


def disk_fill(host: Host, source: str) -> str:
    """Every folder that can be written to, filled until it is full."""
    said = host.run(source)
    full = json.loads(said.removeprefix("full: "))
    assert full.pop("No space left on device") == 1
    assert set(full) == {"/tmp", "/dev/shm"}, full  # noqa: S108
    assert full["/tmp"] <= SMALL.tmp  # noqa: S108
    assert full["/dev/shm"] <= SMALL.shared_memory  # noqa: S108
    return f"/tmp full at {full['/tmp'] // MIB} MiB, /dev/shm at {full['/dev/shm'] // MIB} MiB"  # noqa: S108


INODE_FLOOD = """
n = 0
while True:
    os.mkdir(f'/tmp/{n}'); n += 1
"""

LARGE_FILE = """
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
with open('/tmp/large', 'wb', 0) as f:
    while True: f.write(b'.' * 65536)
"""

DESCRIPTOR_FLOOD = """
n = 0
try:
    while True: os.dup(0); n += 1
except OSError as error: say(error.strerror, n)
"""


def descriptor_flood(host: Host, source: str) -> str:
    said = host.run(source).strip()
    assert said.startswith("Too many open files"), said
    assert int(said.split()[-1]) <= SMALL.open_files
    return said.replace(":", " after")


TIMER_FLOOD = """
n, timer = 0, ctypes.c_void_p()
while (result := call('timer_create', 0, None, ctypes.byref(timer))) == 0: n += 1
say(os.strerror(-result), n)
"""

ZOMBIES = """
n = 0
try:
    while True:
        if os.fork() == 0: os._exit(0)
        n += 1
except OSError as error: say(error.strerror, n)
"""


def refused_after(most: int) -> Callable[[Host, str], str]:
    """The attack must be refused one more, at the limit and not long before it."""

    def watch(host: Host, source: str) -> str:
        said = host.run(source).strip()
        assert said.startswith("Resource temporarily unavailable: "), said
        assert most // 2 < int(said.split()[-1]) <= most, said
        return said.replace(":", " after")

    return watch


def in_a_match(host: Host, source: str) -> str:
    """Whether this is held shows in a match alone."""
    return ""


# Leave a process behind: two forks, a session of its own, deaf to every signal.
DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in range(1, 65):
            try: signal.signal(n, signal.SIG_IGN)
            except (OSError, ValueError): pass
        say('daemon')
        while True: time.sleep(1)
    os._exit(0)
time.sleep(0.1)
"""


def daemon(host: Host, source: str) -> str:
    with host.attack(source) as child:
        ended = child.wait(5 * SECOND)
        assert ended is not None
        assert ended.how is Ending.EXIT
        assert not left_processes(host.token)
    return "it ends with the bot"


# Deaf to every signal, and always forking on.
SURVIVOR = """
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
say('up')
if os.fork() > 0:
    while True: time.sleep(1)
while True:
    try:
        if os.fork() == 0: os.setsid()
        elif os.fork(): os._exit(0)
    except OSError: time.sleep(0.001)
"""


def survivor(host: Host, source: str) -> str:
    with host.attack(source) as child:
        os.read(child.stdout, 10)
        begin = time.monotonic_ns()
        child.kill()
        took = time.monotonic_ns() - begin
        assert not left_processes(host.token, 0)
        ended = child.ended_by()
        assert ended is not None
        assert ended.how is Ending.KILLED
        assert took < 2 * SECOND
    return "nothing is left when kill() returns"


THINK_ON = "say('up')\nif os.fork() == 0:\n    while True: pass"
STAY = "\nwhile True: pass"


def burn_while_waiting(host: Host, source: str) -> str:
    """Think on while it is the opponent's turn."""
    with host.attack(source + STAY) as child:
        os.read(child.stdout, 10)
        assert spent(child, SECOND // 10) > 0
        child.pause()
        spent(child, SECOND // 50)  # it may take a moment to stop
        while_paused = spent(child, SECOND // 5)
        child.resume()
        assert spent(child, SECOND // 10) > while_paused
    assert while_paused < SECOND // 100
    return f"{while_paused / 10**6:.1f} ms of CPU in 200 ms of pause"


MANY_CORES = "say('up')\nfor _ in range(3):\n    if os.fork() == 0:\n        while True: pass"


def cpu_share(host: Host, source: str) -> str:
    """Use more than its core."""
    with host.attack(source + STAY) as child:
        os.read(child.stdout, 10)
        used = spent(child, SECOND // 2)
        assert used < SECOND * 3 // 4, used
    return f"{used // 10**6} ms of CPU in 500 ms by 4 processes"


def spent(child: SandboxedChild, during_ns: int) -> int:
    """The CPU time that it uses in this time."""
    before = child.usage().cpu_ns
    time.sleep(during_ns / SECOND)
    after = child.usage().cpu_ns
    assert before is not None
    assert after is not None
    return after - before


KEY = int.from_bytes(os.urandom(3)) + 1
LEAVE_AND_FIND = f"""
segment = call('shmget', {KEY}, 0, 0)
seen = [p for p in ('/dev/shm/message', '/tmp/message') if os.path.exists(p)]
escaped(seen, segment) if seen or segment >= 0 else held('nothing was there')
assert call('shmget', {KEY}, 4096, 0o1666) >= 0
open('/dev/shm/message', 'w').write('hello'); open('/tmp/message', 'w').write('hello')
"""


def left_memory(host: Host, source: str) -> str:
    """Leave a message in shared memory, System V and POSIX, and in /tmp, for the next match."""
    for _ in range(2):
        assert host.run(source).strip() == "held: nothing was there"
    assert not shared_segment(KEY)
    return "the next run finds nothing, nor does the host"


def wait_for(reached: Callable[[], bool]) -> None:
    """Wait a bounded time for something that must happen."""
    deadline = time.monotonic_ns() + 10 * SECOND
    while not reached():
        assert time.monotonic_ns() < deadline, "it did not happen"
        time.sleep(0.01)


RESOURCE, TIMEOUT, PROTOCOL = (Fault.RESOURCE,), (Fault.TIMEOUT,), (Fault.PROTOCOL,)

BURDENS = (
    Attack(
        "fork-bomb",
        "start processes without end",
        "control group, process limit",
        Burden(FORK_BOMB, fork_bomb),
        TIMEOUT,
        turn_ns=SECOND,
    ),
    Attack(
        "memory-bomb",
        "take memory without end",
        "control group",
        Burden("x = []\nwhile True: x.append(bytearray(1 << 20))", ends_by(Ending.OUT_OF_MEMORY)),
        RESOURCE,
    ),
    Attack(
        "shared-memory-bomb",
        "take shared memory, which no resource limit counts",
        "control group",
        Burden(SHARED_MEMORY_BOMB, ends_by(Ending.OUT_OF_MEMORY)),
        RESOURCE,
    ),
    Attack(
        "memfd-bomb",
        "take memory in files that have no name",
        "control group",
        Burden(MEMFD_BOMB, ends_by(Ending.OUT_OF_MEMORY)),
        RESOURCE,
    ),
    Attack(
        "system-v-bomb",
        "take System V shared memory, and keep none of it attached",
        "control group",
        Burden(SYSTEM_V_BOMB, ends_by(Ending.OUT_OF_MEMORY)),
        RESOURCE,
    ),
    Attack(
        "forked-memory-bomb",
        "take a little memory in each of many processes",
        "control group",
        Burden(FORKED_MEMORY_BOMB, forked_memory_bomb),
        RESOURCE + TIMEOUT,
        turn_ns=SECOND,
    ),
    Attack(
        "socket-bomb",
        "fill TCP and UDP sockets of its own and read nothing",
        "control group",
        Burden(SOCKET_BOMB, socket_bomb),
        (None, *RESOURCE),
    ),
    Attack(
        "disk-fill",
        "fill every place that can be written to",
        "size of /tmp",
        Burden(DISK_FILL, disk_fill),
    ),
    Attack(
        "inode-flood",
        "make empty folders without end",
        "control group",
        Burden(INODE_FLOOD, ends_by(Ending.OUT_OF_MEMORY, LITTLE_MEMORY)),
        RESOURCE,
        LITTLE_MEMORY,
    ),
    Attack(
        "large-file",
        "write one file without end",
        "resource limit",
        Burden(LARGE_FILE, ends_by(Ending.FILE_LIMIT, SMALL_FILES)),
        RESOURCE,
        SMALL_FILES,
    ),
    Attack(
        "descriptor-flood",
        "open files without end",
        "resource limit",
        Burden(DESCRIPTOR_FLOOD, descriptor_flood),
    ),
    Attack(
        "timer-flood",
        "make timers without end",
        "resource limit",
        Burden(TIMER_FLOOD, refused_after(PENDING_SIGNALS)),
    ),
    Attack(
        "zombies",
        "start processes that end at once, and never ask how they ended",
        "control group, process limit",
        Burden(ZOMBIES, refused_after(SMALL.processes)),
    ),
    Attack(
        "output-flood",
        "write without end to stdout and stderr",
        "bounded reading",
        Burden("while True: os.write(1, b'x' * 65536); os.write(2, b'e' * 9999)", in_a_match),
        PROTOCOL,
    ),
    Attack(
        "line-flood",
        "write short lines without end",
        "bounded reading",
        Burden("while True: os.write(1, b'x\\n' * 999)", in_a_match),
        PROTOCOL,
    ),
    Attack(
        "half-a-line",
        "send half a line, then nothing",
        "deadline",
        Burden("os.write(1, b'half a li'); time.sleep(60)", in_a_match),
        TIMEOUT,
        turn_ns=SECOND,
    ),
    Attack(
        "never-reads",
        "read no more of its input, and never answer",
        "deadline, no blocking write",
        Burden("time.sleep(60)", in_a_match),
        TIMEOUT,
        turn_ns=SECOND,
    ),
    Attack(
        "daemon",
        "leave a process behind (two forks, setsid)",
        "own processes",
        Burden(DAEMON, daemon),
    ),
    Attack(
        "survivor",
        "survive the kill: ignore signals, fork on",
        "own processes",
        Burden(SURVIVOR, survivor),
        TIMEOUT,
        turn_ns=SECOND,
    ),
    Attack(
        "opponents-turn",
        "use CPU while it is not its turn",
        "pause(): frozen control group",
        Burden(THINK_ON, burn_while_waiting),
    ),
    Attack(
        "many-cores",
        "use more cores than its share",
        "control group",
        Burden(MANY_CORES, cpu_share),
    ),
    Attack(
        "cpu-seconds",
        "use more CPU seconds than allowed",
        "resource limit",
        Burden("while True: pass", ends_by(Ending.CPU_LIMIT, ONE_SECOND)),
        RESOURCE,
        ONE_SECOND,
    ),
    Attack(
        "left-memory",
        "leave shared memory or files for the next match",
        "own IPC, own /tmp and /dev/shm",
        Burden(LEAVE_AND_FIND, left_memory),
    ),
    Attack(
        "32-bit-call",
        "call the kernel by its 32-bit entry point, past the filter's numbers",
        "seccomp",
        Burden(CALL_32_BIT, call_32_bit),
        RESOURCE,
    ),
)
