"""Run an untrusted program, isolated from the host's files, network, processes and clock.

`launch` starts it behind all layers and returns a `SandboxedChild`: its streams, its end, what it
has used. `examine` (the doctor) finds out which layers hold on this host.
"""

from agon.sandbox.child import SandboxedChild
from agon.sandbox.ending import Ended, Ending, Usage
from agon.sandbox.endpoint import Endpoint
from agon.sandbox.launcher import launch
from agon.sandbox.resource_limits import ResourceLimits

__all__ = [
    "Ended",
    "Ending",
    "Endpoint",
    "ResourceLimits",
    "SandboxedChild",
    "Usage",
    "launch",
]
