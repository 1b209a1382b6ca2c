"""Run a program that nobody trusts: apart from the host's files, network, processes and time.

`launch` starts it behind all walls, `open_host` behind none; both give a `Child`. `Dialogue` and
the parts that it is made of talk with it within bounds. What the walls hold on this host is found
out by `examine` (the doctor).
"""

from agon.sandbox.child import Child, HostChild, SandboxedChild
from agon.sandbox.ending import Ended, Ending, Usage
from agon.sandbox.endpoint import Endpoint
from agon.sandbox.host import open_host
from agon.sandbox.launcher import launch
from agon.sandbox.limits import Limits
from agon.sandbox.lines import Dialogue, LineReader, LineWriter, Reading, Reply, Tail

__all__ = [
    "Child",
    "Dialogue",
    "Ended",
    "Ending",
    "Endpoint",
    "HostChild",
    "Limits",
    "LineReader",
    "LineWriter",
    "Reading",
    "Reply",
    "SandboxedChild",
    "Tail",
    "Usage",
    "launch",
    "open_host",
]
