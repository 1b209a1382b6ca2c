"""Which layers of the sandbox are active on this host: each is proved by trying to break it.

One sandbox runs `probe`, which attacks the isolation; one more attacks each limit that needs a
control group. Every attempt is bounded: where a limit does not hold, the host has little to bear.
Nothing is printed here; `agon sandbox doctor` shows the report.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import SandboxError
from agon.sandbox import probe
from agon.sandbox.bubblewrap import find_bwrap
from agon.sandbox.canaries import Canaries
from agon.sandbox.cgroups import DELEGATE, find_hierarchy
from agon.sandbox.command import SYSTEM_PATH
from agon.sandbox.ending import Ending
from agon.sandbox.group import Holds
from agon.sandbox.installations import needed_for
from agon.sandbox.launcher import launch
from agon.sandbox.resource_limits import MIB, SECOND, ResourceLimits

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.sandbox.child import SandboxedChild

LIMITS = ResourceLimits(memory=48 * MIB, processes=16, tmp=2 * MIB, open_files=64, cpu_percent=50)

NAMESPACES = (
    "let users make namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian),"
    " kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04 and newer);"
    " in a container as root: --privileged, or --cap-add SYS_ADMIN --security-opt"
    " seccomp=unconfined --security-opt unmask=ALL (Podman) or systempaths=unconfined (Docker)"
)
GROUPS = (
    f"{DELEGATE}, or run it as root; in a container as root, with --privileged or with"
    " /sys/fs/cgroup mounted for writing"
)
NOT_TRIED = "not tried"
"""Because a layer before it is missing: whose advice is the one to follow."""
REPLACED_BY_LIMITS = ("memory limit", "process limit")
"""Without a control group each process is limited: enough for programs of one's own."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: whether ranked play needs it, and what to do where it is missing."""

    name: str
    needed: bool
    advice: str


LAYERS = (
    Layer("bubblewrap", True, "apt-get install bubblewrap"),
    Layer("own user", True, NAMESPACES),
    Layer("own files", True, NAMESPACES),
    Layer("read-only system", True, NAMESPACES),
    Layer("own processes", True, NAMESPACES),
    Layer("own network", True, NAMESPACES),
    Layer("own IPC", True, NAMESPACES),
    Layer("own host name", False, NAMESPACES),
    Layer("no new privileges", True, NAMESPACES),
    Layer("seccomp filter", True, "use a kernel with CONFIG_SECCOMP_FILTER"),
    Layer("no terminal", True, "use a kernel with CONFIG_SECCOMP_FILTER"),
    Layer("own environment", True, "report this as a defect"),
    Layer("limited /tmp", True, "use bubblewrap 0.7 or newer"),
    Layer("resource limits", True, "install util-linux"),
    Layer("kill leaves nothing", True, NAMESPACES),
    Layer("memory limit", True, GROUPS),
    Layer("process limit", True, GROUPS),
    Layer("CPU share", False, GROUPS),
    Layer("pause", False, GROUPS),
)


@dataclass(frozen=True, slots=True)
class LayerFinding:
    """What was found of one layer: `proof` says what was tried and what came of it."""

    layer: str
    active: bool
    needed: bool
    proof: str
    advice: str


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """All findings on this host, and which control groups there are."""

    findings: tuple[LayerFinding, ...]
    groups: str


def is_safe_enough(report: DoctorReport) -> bool:
    """Whether every layer is active that ranked play needs."""
    return all(finding.active for finding in report.findings if finding.needed)


def missing(report: DoctorReport) -> list[LayerFinding]:
    """What keeps this host from ranked play."""
    return [finding for finding in report.findings if finding.needed and not finding.active]


def examine() -> DoctorReport:
    """Try to break every layer; takes a second or two."""
    return examine_layers(LAYERS)


def examine_minimum() -> DoctorReport:
    """Try to break the layers that ranked play needs: quick enough for every start."""
    return examine_layers(tuple(layer for layer in LAYERS if layer.needed))


def examine_layers(layers: tuple[Layer, ...]) -> DoctorReport:
    results: dict[str, tuple[bool, str]] = {}
    wanted = {layer.name for layer in layers}
    try:
        results["bubblewrap"] = (True, find_bwrap())
        results |= try_walls()
        for name, deed in BURDENS.items():
            if name in wanted:
                results[name] = deed()
    except (SandboxError, OSError) as error:
        first = next(layer.name for layer in layers if layer.name not in results)
        results[first] = (False, str(error))
    findings = []
    for layer in layers:
        active, proof = results.get(layer.name, (False, NOT_TRIED))
        advice = "" if active or proof == NOT_TRIED else layer.advice
        findings.append(LayerFinding(layer.name, active, layer.needed, proof, advice))
    return DoctorReport(tuple(findings), find_hierarchy().description)


def try_walls() -> dict[str, tuple[bool, str]]:
    """Send the probe into a sandbox."""
    source = Path(probe.__file__).read_text()
    with Canaries() as canaries:
        targets = canaries.targets | {"tmp": LIMITS.tmp, "open files": LIMITS.open_files}
        with run_python(source, json.dumps(targets), folder=canaries.bot) as child:
            line = read_line(child.stdout, 10 * SECOND)
            if line is None:
                raise SandboxError(f"the probe: {child.wait(SECOND) or 'no answer'}")
            outside = outside_user(child)
    said = {name: (bool(held), str(met)) for name, (held, met) in json.loads(line).items()}
    held, met = said["own user"]
    said["own user"] = (held and outside not in (None, 0), f"{met}, user {outside} outside")
    return said


def read_line(descriptor: int, patience_ns: int) -> bytes | None:
    """A whole line; None if none comes in time. It is our own probe that says it."""
    deadline = time.monotonic_ns() + patience_ns
    waiter = select.poll()
    waiter.register(descriptor, select.POLLIN)
    said = b""
    while not said.endswith(b"\n"):
        left = deadline - time.monotonic_ns()
        data = os.read(descriptor, 65536) if left > 0 and waiter.poll(left // 10**6 + 1) else b""
        if not data:
            return None
        said += data
    return said


def outside_user(child: SandboxedChild) -> int | None:
    """The host's user of a sandbox's process 1; it must not be root."""
    init = child.init_pid(SECOND)
    try:
        lines = Path(f"/proc/{init}/status").read_text().splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) for line in lines if line.startswith("Uid:"))


def run_python(source: str, *arguments: str, folder: Path | None = None) -> SandboxedChild:
    """Run a program in the sandbox, with the system's Python, else with ours."""
    ours = [] if shutil.which("python3", path=SYSTEM_PATH) else needed_for(Path(sys.executable))
    return launch(["python3", "-I", "-S", "-c", source, *arguments], folder, LIMITS, allowed=ours)


def try_kill() -> tuple[bool, str]:
    """Leave a daemon behind, in a session of its own."""
    mark = f"agon-doctor-{os.urandom(8).hex()}"
    source = f"""import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(1, b"{mark}")
        time.sleep(60)
else:
    time.sleep(60)
"""
    with run_python(source) as child:
        os.read(child.stdout, 100)
        seen = count_processes(mark)
    left = count_processes(mark)
    return left == 0 < seen, f"{seen} processes before, {left} after"


def count_processes(mark: str) -> int:
    """How many processes of the host have this in their command line."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            count += mark.encode() in path.read_bytes()
        except OSError:
            continue
    return count


def try_memory() -> tuple[bool, str]:
    """Take twice the memory, in a way that only a control group counts."""
    source = f"""import mmap, os
block = mmap.mmap(-1, {2 * LIMITS.memory})
for at in range(0, len(block), 4096): block[at] = 1
os.write(1, b"taken")
"""
    with run_python(source) as child:
        ended = child.wait(5 * SECOND)
        peak = child.usage().peak_memory
        # A slow host may still be looking for memory to give back to itself: held all the same.
        held = ended is None or ended.how is Ending.OUT_OF_MEMORY
        held &= Holds.MEMORY in child.held and peak is not None and peak <= LIMITS.memory
        return held, f"{2 * LIMITS.memory // MIB} MiB: {ended or 'waits'}, peak {mebibytes(peak)}"


def mebibytes(amount: int | None) -> str:
    return "unknown" if amount is None else f"{amount / MIB:.0f} MiB"


def try_processes() -> tuple[bool, str]:
    """Start twice as many processes as allowed."""
    source = f"""import os, time
n = 0
try:
    while n < {2 * LIMITS.processes}:
        if os.fork() == 0: time.sleep(60)
        n += 1
except OSError as error: pass
os.write(1, str(n).encode())
time.sleep(60)
"""
    with run_python(source) as child:
        started = int(os.read(child.stdout, 100) or b"0")
    return 0 < started < LIMITS.processes, f"{started} started, {LIMITS.processes} allowed"


def try_cpu() -> tuple[bool, str]:
    """Use a whole core where half a core is allowed."""
    with run_python("import os\nos.write(1, b'.')\nwhile True: pass") as child:
        os.read(child.stdout, 1)
        held = (
            Holds.CPU in child.held
        )  # on a busy host no process gets more than half a core anyway
        begin, before = time.monotonic_ns(), child.usage().cpu_ns or 0
        time.sleep(0.3)
        used = 100 * ((child.usage().cpu_ns or 0) - before) // (time.monotonic_ns() - begin)
    return (
        held and used <= LIMITS.cpu_percent * 5 // 4,
        f"used {used} %, {LIMITS.cpu_percent} % allowed",
    )


def try_pause() -> tuple[bool, str]:
    """Think while paused."""
    with run_python("import os\nos.write(1, b'.')\nwhile True: pass") as child:
        os.read(child.stdout, 1)
        child.pause()
        time.sleep(0.05)
        before = child.usage().cpu_ns or 0
        time.sleep(0.1)
        used = ((child.usage().cpu_ns or 0) - before) // 10**6
    return used <= 10, f"{used} ms of CPU in 100 ms of pause"


BURDENS: dict[str, Callable[[], tuple[bool, str]]] = {
    "kill leaves nothing": try_kill,
    "memory limit": try_memory,
    "process limit": try_processes,
    "CPU share": try_cpu,
    "pause": try_pause,
}
