"""How much bots can still tell each other: `python -m tests.sandbox.capacity` prints the figures.

Two ways are left. What a bot reads of a file that no one has read lately stays in memory, and reads
faster, for the next bot; and counters of the whole machine, such as its open files, are in /proc.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import time
from pathlib import Path

from agon.sandbox import launch
from tests.sandbox.host import ask, finish

PAGE = 4096
FILE = "large"

# Both take the pages one by one, without reading ahead; a page that is not in memory is read from
# the disk, which the kernel counts.
PAGES = """
import ctypes, mmap, os, resource, sys
fd = os.open('large', os.O_RDONLY)
block = mmap.mmap(fd, 0, prot=mmap.PROT_READ)
block.madvise(mmap.MADV_RANDOM)
"""
SEND_PAGES = (
    PAGES
    + """
for at, bit in enumerate(sys.argv[1]):
    if bit == '1': block[at * 4096]
"""
)
RECEIVE_PAGES = (
    PAGES
    + """
def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_majflt
for at in range(len(block) // 4096):
    before = faults()
    block[at * 4096]
    os.write(1, b'0' if faults() > before else b'1')
"""
)

COUNT_FILES = "int(open('/proc/sys/fs/file-nr').read().split()[0])"
SEND_FILES = """
import os, sys
files = []
for line in sys.stdin:
    while len(files) > int(line): os.close(files.pop())
    while len(files) < int(line): files.append(os.open('/dev/null', os.O_RDONLY))
    os.write(1, b'.')
"""
RECEIVE_FILES = f"""
import os, sys
first = {COUNT_FILES}
for line in sys.stdin: os.write(1, str({COUNT_FILES} - first).encode())
"""


def measure_pages(bits: int) -> str:
    """A message to the next match, by which pages of a large file are in memory."""
    message = "".join(secrets.choice("01") for _ in range(bits))
    with tempfile.TemporaryDirectory(prefix="agon-capacity-", dir=Path.cwd()) as name:
        folder = Path(name)
        folder.chmod(0o755)
        file = folder / FILE
        file.write_bytes(os.urandom(bits * PAGE))
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        begin = time.monotonic()
        with launch(["python3", "-c", SEND_PAGES, message], folder) as child:
            finish(child)
        with launch(["python3", "-c", RECEIVE_PAGES], folder) as child:
            received = finish(child)
    took = time.monotonic() - begin
    wrong = sum(a != b for a, b in zip(message, received, strict=True))
    return f"{bits} bits to the next match in {took:.1f} s, {wrong} of them wrong"


def measure_files(turns: int) -> str:
    """A message in the same match, by the machine's number of open files."""
    wrong = []
    with (
        launch(["python3", "-c", RECEIVE_FILES]) as receiver,
        launch(["python3", "-c", SEND_FILES]) as sender,
    ):
        ask(sender, b"0\n")
        base = int(ask(receiver, b"\n"))
        for _ in range(turns):
            number = secrets.randbelow(128)
            ask(sender, b"%d\n" % number)
            wrong.append(abs(int(ask(receiver, b"\n")) - base - number))
    return f"7 bits a turn: off by {sum(wrong) / turns:.1f} on average, {max(wrong)} at most"


def main() -> None:
    sys.stdout.write(f"pages in memory: {measure_pages(4096)}\n")
    sys.stdout.write(f"open files: {measure_files(50)}\n")


if __name__ == "__main__":
    main()
