"""Attacks by which a bot would tell another something: by the system's files, which both see."""

from __future__ import annotations

from tests.sandbox.attack import Attack, Probe

# A call of the C library that raises what it fails with.
RAISING = """
import fcntl
def libc_call(name, *arguments):
    result = call(name, *arguments)
    if result < 0: raise OSError(-result, os.strerror(-result))
"""

# Two open files stand for two bots: the lock of the one must not keep away that of the other.
FILE_LOCKS = """
import struct
def flock(fd): fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
whole_file = struct.pack('hhlli4x', fcntl.F_WRLCK, 0, 0, 0, 0)
def ofd_lock(fd): fcntl.fcntl(fd, fcntl.F_OFD_SETLK, whole_file)
for lock, path, flags in ((flock, '/usr/bin/env', os.O_RDONLY),
        (ofd_lock, '/tmp/agon-lock-' + T['token'], os.O_RDWR | os.O_CREAT)):
    first, second = os.open(path, flags), os.open(path, flags)
    lock(first)
    try: lock(second)
    except OSError as error: escaped(lock.__name__, error.strerror)
    else: held(lock.__name__ + ': keeps no other lock away')
    if flags: os.unlink(path)
fd = os.open('/usr/bin/env', os.O_RDONLY)
attempt('lease:', lambda: fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK))
attempt('hint:', lambda: libc_call('fcntl', fd, 1036, ctypes.byref(ctypes.c_uint64(2))))
"""

FILE_NOTICES = """
signal.signal(signal.SIGIO, signal.SIG_IGN)
folder = os.open('/usr/bin', os.O_RDONLY)
attempt('dnotify:', lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, 1))
attempt('inotify:', lambda: libc_call('inotify_init1', 0))
attempt('fanotify:', lambda: libc_call('fanotify_init', 0x200, 0))
"""

# What of a file is in memory is the same for all bots, and stays so after the match.
PAGE_CACHE = """
import resource
SIZE = 1 << 20
paths = (os.path.join(folder, name) for folder, _, names in os.walk('/usr/share') for name in names)
fd = next(os.open(p, os.O_RDONLY) for p in paths if os.path.isfile(p) and os.path.getsize(p) > SIZE)
def blocks_read():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    os.pread(fd, SIZE, 0)
    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock - before
blocks_read()
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
escaped('fadvise') if blocks_read() else held('fadvise: the file stays in memory')
libc.mmap.restype = ctypes.c_void_p
place = ctypes.c_void_p(libc.mmap(None, SIZE, 1, 1, fd, 0))
room = ctypes.create_string_buffer(SIZE)
attempt('mincore:', lambda: libc_call('mincore', place, SIZE, room))
attempt('preadv2:', lambda: os.preadv(fd, [room], 0, os.RWF_NOWAIT))
first_page = ctypes.byref((ctypes.c_uint64 * 2)(0, 4096))
attempt('cachestat:', lambda: libc_call('syscall', 451, fd, first_page, room, 0))
attempt('madvise:', lambda: libc_call('madvise', place, SIZE, 21))
"""

CHANNELS = (
    Attack(
        "file-locks",
        "set a lock, a lease or a hint on a file of the system for another bot to find",
        "seccomp",
        Probe(RAISING + FILE_LOCKS),
    ),
    Attack(
        "file-notices",
        "be told when another bot uses a file of the system",
        "seccomp",
        Probe(RAISING + FILE_NOTICES),
    ),
    Attack(
        "page-cache",
        "ask which parts of the system's files are in memory, put them out of it",
        "seccomp",
        Probe(RAISING + PAGE_CACHE),
    ),
)
