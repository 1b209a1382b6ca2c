"""Run a program that nobody trusts: apart from the host's files, network, processes and time.

`launch` starts it behind all walls and gives a `SandboxedChild`: its streams, its end, what it has
used. What the walls hold on this host is found out by `examine` (the doctor).
"""

from agon.sandbox.child import SandboxedChild
from agon.sandbox.ending import Ended, Ending, Usage
from agon.sandbox.endpoint import Endpoint
from agon.sandbox.launcher import launch
from agon.sandbox.limits import ResourceLimits

__all__ = [
    "Ended",
    "Ending",
    "Endpoint",
    "ResourceLimits",
    "SandboxedChild",
    "Usage",
    "launch",
]
