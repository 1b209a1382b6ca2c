"""The attacks, as data: what each tries, what holds it, and how that is seen.

Each `run` plays the attack against a host, asserts that it was held, and gives what was observed.
Probes end by themselves and say what they met; where it does no harm, the same program is also run
without a sandbox, where it must succeed, so that no attack is held for being badly written. Burdens
use up something, and are measured from outside.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agon.sandbox import Dialogue, Ending, Limits, Reading
from agon.sandbox.seccomp import MACHINES
from tests.sandbox.host import MIB, SECOND, SMALL, finish, left_processes, shared_segment

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.sandbox import SandboxedChild
    from tests.sandbox.host import Host


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack."""

    name: str
    tries: str
    held_by: str
    run: Callable[[Host], str]


def probe(source: str, bare: bool = True) -> Callable[[Host], str]:
    """An attack that says itself whether it came through; `bare`: it must, without a sandbox."""

    def run(host: Host) -> str:
        said = host.run(source).strip()
        assert said, "the attack said nothing"
        lines = said.splitlines()
        assert all(line.startswith("held: ") for line in lines), said
        if bare:
            assert "ESCAPED" in host.run_bare(source), "this attack fails without a sandbox too"
        return "; ".join(dict.fromkeys(line.removeprefix("held: ") for line in lines))

    return run


CONNECT = """
def connect(family, address):
    with socket.socket(family) as s:
        s.settimeout(1)
        s.connect(address)
        assert s.recv(100)
"""

MACHINE = MACHINES[platform.machine()]
RARE = (
    *("ptrace", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "reboot"),
    *("process_vm_readv", "kexec_load", "init_module", "swapon", "open_by_handle_at", "setns"),
    *("pidfd_getfd", "mount", "pivot_root", "fsopen", "add_key"),
)
REFUSED_CALLS = f"""
for name, number in { ({name: MACHINE.refused[name] for name in RARE})!r}.items():
    result = call("syscall", number, 0, 0, 0, 0, 0, 0)
    if result == -errno.EPERM: held(name + ':', os.strerror(-result))
    else: escaped(name, result)
result = call("syscall", {MACHINE.clone3}, 0, 0, 0, 0, 0, 0)
held('clone3:', os.strerror(-result)) if result == -errno.ENOSYS else escaped('clone3', result)
"""

# A network of our own with an address that is not a loopback one; the attacker is started in it.
CLIENT = """
import socket
try: print("ESCAPED", socket.create_connection(("192.0.2.1", 4000), 1).close())
except OSError as error: print("held:", error.strerror)
"""
NETWORK = """
import fcntl, os, socket, struct, sys
from agon.sandbox import launch
up, address = 0x8914, 0x8916
with socket.socket() as s:
    fcntl.ioctl(s, up, struct.pack("16sh14x", b"lo", 1))
    where = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("192.0.2.1"))
    fcntl.ioctl(s, address, where)
with socket.create_server(("192.0.2.1", 4000)):
    exec(sys.argv[1])
    with launch(["python3", "-c", sys.argv[1]]) as child:
        child.wait(5 * 10**9)
        print(os.read(child.stdout, 100).decode())
"""

PROBES = (
    Attack(
        "loopback",
        "connect to a listener on the host's 127.0.0.1",
        "own network",
        probe(
            CONNECT
            + "attempt('connect:', lambda: connect(socket.AF_INET, ('127.0.0.1', T['tcp'][0])))"
        ),
    ),
    Attack(
        "other-address",
        "connect to a listener on another address of the host (127.0.0.2)",
        "own network",
        probe(
            CONNECT
            + "attempt('connect:', lambda: connect(socket.AF_INET, ('127.0.0.2', T['tcp'][1])))"
        ),
    ),
    Attack(
        "routed-address",
        "connect to a listener on an address of the host that is not a loopback one (192.0.2.1)",
        "own network",
        lambda _: routed_address(),
    ),
    Attack(
        "socket-file",
        "connect to a unix socket of the host by its file",
        "own files",
        probe(CONNECT + "attempt('connect:', lambda: connect(socket.AF_UNIX, T['socket file']))"),
    ),
    Attack(
        "abstract-socket",
        "connect to a unix socket of the host that has no file",
        "own network",
        probe(CONNECT + "attempt('connect:', lambda: connect(socket.AF_UNIX, '\\0' + T['token']))"),
    ),
    Attack(
        "name-lookup",
        "ask a name server on the host; look up a name",
        "own network, own /etc",
        probe("""
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
        probe("""
attempt('packet:', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt('netlink:', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt('raw:', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt('alg:', lambda: socket.socket(38, socket.SOCK_SEQPACKET))
"""),
    ),
    Attack(
        "home",
        "read the home folder of whoever runs the arena",
        "own files",
        probe("""
def read():
    if not os.listdir(T['home']): raise OSError(0, 'it is empty')
attempt('list:', read)
"""),
    ),
    Attack(
        "other-bot",
        "read another bot's folder, by its path and by /bot/..",
        "own files",
        probe("""
attempt('path:', lambda: open(T['other']).read())
attempt('dots:', lambda: open('../other/plan.txt').read())
"""),
    ),
    Attack(
        "datastore",
        "read the datastore, write to it",
        "own files",
        probe("""
attempt('read:', lambda: open(T['datastore']).read())
attempt('write:', lambda: open(T['datastore'], 'r+'))
"""),
    ),
    Attack(
        "symlink-out",
        "follow a link in its own folder to another bot's",
        "own files",
        probe("attempt('follow:', lambda: open('way-out/plan.txt').read())"),
    ),
    Attack(
        "own-folder",
        "write to its own folder",
        "read-only mount",
        probe("attempt('write:', lambda: open('note-to-self', 'w'))"),
    ),
    Attack(
        "system-files",
        "write to the system: /usr, /etc, /, /dev, /proc/sys, the sandbox program itself",
        "read-only mounts, a user that owns nothing",
        probe(
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
        probe("""
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
        probe(
            "seen = sorted(os.listdir('/proc/self/fd'))\n"
            "held('only the three streams') if len(seen) == 4 else escaped(seen)",
            bare=False,
        ),
    ),
    Attack(
        "signal",
        "signal a process of the host",
        "own processes",
        probe("attempt('signal:', lambda: os.kill(T['victim'], 0))"),
    ),
    Attack(
        "trace",
        "trace a process of the host, read its memory",
        "own processes, seccomp",
        probe("""
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
        probe(
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
        probe(
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
        probe(
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
        probe(f"""
for flag in (0x10000000, 0x20000, 0x40000000, 0x10000000 | 0x20000, 0x80):
    pid = os.fork()
    if pid == 0:
        result = call('unshare', flag)
        held('unshare:', os.strerror(-result)) if result < 0 else escaped(hex(flag))
        os._exit(0)
    os.waitpid(pid, 0)
result = call('syscall', {MACHINE.clone}, 0x10000000 | 17, 0, 0, 0, 0)
if result == 0: os._exit(0)
held('clone:', os.strerror(-result)) if result < 0 else escaped('clone')
"""),
    ),
    Attack(
        "setuid",
        "become root by a setuid program",
        "no new privileges, nosuid mounts",
        lambda host: setuid(host),
    ),
    Attack(
        "kernel-calls",
        "reach rarely used parts of the kernel: keys, bpf, perf, io_uring, modules, kexec …",
        "seccomp",
        probe(REFUSED_CALLS, bare=False),
    ),
    Attack(
        "devices",
        "make a device file; find one that is a disk or memory",
        "no privileges, own /dev",
        probe(
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
        probe(
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
)


def routed_address() -> str:
    """In a network namespace of the test's own: no packet can leave the machine."""
    if os.getuid() != 0:
        return "not tried: only root can make a network and stay itself"
    done = subprocess.run(
        ["/usr/bin/unshare", "--net", sys.executable, "-W", "error", "-c", NETWORK, CLIENT],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    outside, _, inside = done.stdout.partition("\n")
    assert outside.startswith("ESCAPED"), done.stderr
    assert inside.startswith("held:"), inside
    return "connect: " + inside.removeprefix("held: ").strip()


def setuid(host: Host) -> str:
    """A copy of id(1) that belongs to whoever runs the test, root here, with the setuid bit."""
    program = host.bot / "id"
    program.write_bytes(Path("/usr/bin/id").resolve().read_bytes())
    program.chmod(0o4755)
    said = host.run("os.execv('/bot/id', ['id', '-u'])").strip()
    assert said == "1000", said
    return "it stays user 1000"


def old_door(host: Host) -> str:
    """Machine code that calls the kernel by the 32-bit door, where calls have other numbers."""
    if platform.machine() != "x86_64":
        return "this machine has no such door"
    source = """
import mmap
code = mmap.mmap(-1, 4096, prot=7)
code.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
escaped(ctypes.CFUNCTYPE(ctypes.c_int)(address)())
"""
    with host.attack(source) as child:
        ended = child.wait(5 * SECOND)
        assert ended is not None
        assert ended.how is Ending.FORBIDDEN_CALL, finish(child)
    return str(ended)


def fork_bomb(host: Host) -> str:
    source = "while True:\n try: os.fork()\n except OSError: pass"
    with host.attack(source) as child:
        wait_for(lambda: child.usage().refused_forks > 100)
        alive = len(left_processes(host.token, 0))
        assert 2 < alive <= SMALL.processes + 2
        child.kill()
        assert not left_processes(host.token, 0)
    return f"{alive - 2} processes, then none"


def memory_bomb(host: Host) -> str:
    return expect(host, "x = []\nwhile True: x.append(bytearray(1 << 20))", Ending.OUT_OF_MEMORY)


def shared_memory_bomb(host: Host) -> str:
    source = """
import mmap
x = []
while True:
    x.append(mmap.mmap(-1, 1 << 24)); x[-1].write(b'.' * (1 << 24))
"""
    return expect(host, source, Ending.OUT_OF_MEMORY)


def forked_memory_bomb(host: Host) -> str:
    """The kernel ends some of the processes; which ones is its choice."""
    source = """
for _ in range(3): os.fork()
x = bytearray(64 << 20)
time.sleep(60)
"""
    with host.attack(source) as child:
        wait_for(lambda: child.usage().oom_kills > 0)
        peak = child.usage().peak_memory
        assert peak is None or peak <= SMALL.memory
    return f"processes end for lack of memory, at {SMALL.memory // MIB} MiB in all"


def socket_bomb(host: Host) -> str:
    """Bytes that wait in sockets are the kernel's memory, which is not counted by itself."""
    source = """
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
    with host.attack(source) as child:
        said = finish(child)
        ended = child.ended_by()
        assert ended is not None
        if ended.how is not Ending.OUT_OF_MEMORY:
            waiting = int(said.removeprefix("waiting: "))
            assert waiting < SMALL.memory, said
            return f"{waiting // MIB} MiB wait in 200 sockets"
    return str(ended)


def expect(host: Host, source: str, how: Ending, limits: Limits = SMALL) -> str:
    """The attack must end in this way, and soon."""
    with host.attack(source, limits) as child:
        ended = child.wait(20 * SECOND)
        assert ended is not None, "it goes on"
        assert ended.how is how, (ended, finish(child))
        peak = child.usage().peak_memory
        assert peak is None or peak <= limits.memory
    return str(ended)


def disk_fill(host: Host) -> str:
    """Every folder that can be written to, filled until it is full."""
    source = """
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
    said = host.run(source)
    full = json.loads(said.removeprefix("full: "))
    assert full.pop("No space left on device") == 1
    assert set(full) == {"/tmp", "/dev/shm"}, full  # noqa: S108
    assert full["/tmp"] <= SMALL.tmp  # noqa: S108
    assert full["/dev/shm"] <= SMALL.shared_memory  # noqa: S108
    return f"/tmp full at {full['/tmp'] // MIB} MiB, /dev/shm at {full['/dev/shm'] // MIB} MiB"  # noqa: S108


def inode_flood(host: Host) -> str:
    source = """
n = 0
while True:
    os.mkdir(f'/tmp/{n}'); n += 1
"""
    return expect(host, source, Ending.OUT_OF_MEMORY, Limits(memory=24 * MIB, tmp=1024 * MIB))


def large_file(host: Host) -> str:
    source = """
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
with open('/tmp/large', 'wb', 0) as f:
    while True: f.write(b'.' * 65536)
"""
    return expect(host, source, Ending.FILE_LIMIT, Limits(file_size=MIB))


def descriptor_flood(host: Host) -> str:
    source = """
n = 0
try:
    while True: os.dup(0); n += 1
except OSError as error: say(error.strerror, n)
"""
    said = host.run(source).strip()
    assert said.startswith("Too many open files"), said
    assert int(said.split()[-1]) <= SMALL.open_files
    return said.replace(":", " after")


def output_flood(host: Host) -> str:
    """Full speed on both streams, with and without ends of lines."""
    seen = []
    for text, expected in (("'x' * 65536", Reading.TOO_LONG), ("'x\\n' * 999", Reading.TOO_MUCH)):
        source = f"while True: os.write(1, ({text}).encode()); os.write(2, b'e' * 9999)"
        with host.attack(source) as child:
            talk = Dialogue(child, time.monotonic_ns, most=256 * 1024)
            reply = talk.ask(b"", 5 * SECOND)
            while reply.reading is Reading.LINE:
                reply = talk.ask_on(5 * SECOND)
            assert reply.reading is expected, reply
            assert len(talk.complaints.text) <= 64 * 1024
        seen.append(reply.reading.value)
    return "; ".join(seen)


def half_a_line(host: Host) -> str:
    with host.attack("os.write(1, b'half a li'); time.sleep(60)") as child:
        talk = Dialogue(child, time.monotonic_ns)
        begin = time.monotonic_ns()
        reply = talk.ask(b"go\n", SECOND // 4)
        took = time.monotonic_ns() - begin
        assert reply.reading is Reading.NOTHING
        assert took < 2 * SECOND
    return "the deadline comes"


def never_reads(host: Host) -> str:
    with host.attack("time.sleep(60)") as child:
        talk = Dialogue(child, time.monotonic_ns)
        reply = talk.ask(b"." * (8 * MIB), SECOND // 4)
        assert reply.reading is Reading.NOTHING
        assert talk.writer.is_waiting
    return "the deadline comes, nobody waits in a write"


def daemon(host: Host) -> str:
    """Leave a process behind: two forks, a session of its own, deaf to every signal."""
    source = """
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
    with host.attack(source) as child:
        ended = child.wait(5 * SECOND)
        assert ended is not None
        assert ended.how is Ending.EXIT
        assert not left_processes(host.token)
    return "it ends with the bot"


def survivor(host: Host) -> str:
    """Deaf to every signal, and always forking on."""
    source = """
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
say('up')
while True:
    try:
        if os.fork() == 0: os.setsid()
        elif os.fork(): os._exit(0)
    except OSError: time.sleep(0.001)
"""
    source = source.replace(
        "say('up')", "say('up')\nif os.fork() > 0:\n    while True: time.sleep(1)"
    )
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


def burn_while_waiting(host: Host) -> str:
    """Think on while it is the opponent's turn."""
    with host.attack("say('up')\nos.fork()\nwhile True: pass") as child:
        os.read(child.stdout, 10)
        assert spent(child, SECOND // 10) > 0
        child.pause()
        spent(child, SECOND // 50)  # it may take a moment to stop
        while_paused = spent(child, SECOND // 5)
        child.resume()
        assert spent(child, SECOND // 10) > while_paused
    assert while_paused < SECOND // 100
    return f"{while_paused / 10**6:.1f} ms of CPU in 200 ms of pause"


def cpu_share(host: Host) -> str:
    """Use more than its core."""
    with host.attack("say('up')\nos.fork(); os.fork()\nwhile True: pass") as child:
        os.read(child.stdout, 10)
        used = spent(child, SECOND // 2)
        assert used < SECOND * 3 // 4, used
    return f"{used // 10**6} ms of CPU in 500 ms by 4 processes"


def cpu_seconds(host: Host) -> str:
    return expect(host, "while True: pass", Ending.CPU_LIMIT, Limits(cpu_seconds=1))


def spent(child: SandboxedChild, during_ns: int) -> int:
    """The CPU time that it uses in this time."""
    before = child.usage().cpu_ns
    time.sleep(during_ns / SECOND)
    after = child.usage().cpu_ns
    assert before is not None
    assert after is not None
    return after - before


def left_memory(host: Host) -> str:
    """Leave a message in shared memory, System V and POSIX, and in /tmp, for the next match."""
    key = int.from_bytes(os.urandom(3)) + 1
    leave = f"""
segment = call('shmget', {key}, 4096, 0o1666)
open('/dev/shm/message', 'w').write('hello'); open('/tmp/message', 'w').write('hello')
say('left', segment >= 0)
"""
    find = f"""
segment = call('shmget', {key}, 0, 0)
seen = [p for p in ('/dev/shm/message', '/tmp/message') if os.path.exists(p)]
escaped(seen, segment) if seen or segment >= 0 else held('nothing there')
"""
    assert host.run(leave).strip() == "left: True"
    assert host.run(find).strip() == "held: nothing there"
    assert not shared_segment(key)
    return "the next run finds nothing, nor does the host"


def wait_for(reached: Callable[[], bool]) -> None:
    """Wait a bounded time for something that must happen."""
    deadline = time.monotonic_ns() + 10 * SECOND
    while not reached():
        assert time.monotonic_ns() < deadline, "it did not happen"
        time.sleep(0.01)


BURDENS = (
    Attack("fork-bomb", "start processes without end", "control group, process limit", fork_bomb),
    Attack("memory-bomb", "take memory without end", "control group", memory_bomb),
    Attack(
        "shared-memory-bomb",
        "take shared memory, which no resource limit counts",
        "control group",
        shared_memory_bomb,
    ),
    Attack(
        "forked-memory-bomb",
        "take a little memory in each of many processes",
        "control group",
        forked_memory_bomb,
    ),
    Attack(
        "socket-bomb",
        "fill TCP and UDP sockets of its own and read nothing",
        "control group",
        socket_bomb,
    ),
    Attack("disk-fill", "fill every place that can be written to", "size of /tmp", disk_fill),
    Attack("inode-flood", "make empty folders without end", "control group", inode_flood),
    Attack("large-file", "write one file without end", "resource limit", large_file),
    Attack("descriptor-flood", "open files without end", "resource limit", descriptor_flood),
    Attack(
        "output-flood", "write without end to stdout and stderr", "bounded reading", output_flood
    ),
    Attack("half-a-line", "send half a line, then nothing", "deadline", half_a_line),
    Attack("never-reads", "never read its input", "deadline, no blocking write", never_reads),
    Attack("daemon", "leave a process behind (two forks, setsid)", "own processes", daemon),
    Attack("survivor", "survive the kill: ignore signals, fork on", "own processes", survivor),
    Attack(
        "opponents-turn",
        "use CPU while it is not its turn",
        "pause(): frozen control group",
        burn_while_waiting,
    ),
    Attack("many-cores", "use more cores than its share", "control group", cpu_share),
    Attack("cpu-seconds", "use more CPU seconds than allowed", "resource limit", cpu_seconds),
    Attack(
        "left-memory",
        "leave shared memory or files for the next match",
        "own IPC, own /tmp and /dev/shm",
        left_memory,
    ),
    Attack(
        "old-door",
        "call the kernel by the 32-bit door, past the filter's numbers",
        "seccomp",
        old_door,
    ),
)

ATTACKS = PROBES + BURDENS
