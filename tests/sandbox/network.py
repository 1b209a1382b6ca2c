"""Play the attack on a routed address; run in a network namespace of its own (`unshare --net`).

There the loopback device has an address more, 192.0.2.1, on which a server listens. It is no
loopback address, and yet no packet can leave the machine.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import sys
import tempfile
from pathlib import Path

from tests.sandbox.attack import Probe
from tests.sandbox.host import Host
from tests.sandbox.probes import ROUTED

SET_FLAGS, SET_ADDRESS = 0x8914, 0x8916
UP = 1


def set_up() -> None:
    """Switch the loopback device on, and give it the address."""
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))
        address = socket.inet_aton("192.0.2.1")
        request = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, address)
        fcntl.ioctl(any_socket, SET_ADDRESS, request)


def main() -> None:
    """Run it with and without a sandbox, and in a match; say what was seen."""
    from tests.arbiter.attack_match import play_attack
    from tests.sandbox.attacks import ATTACKS

    set_up()
    (attack,) = (attack for attack in ATTACKS if attack.name == "routed-address")
    with (
        socket.create_server(("192.0.2.1", 4000)),
        tempfile.TemporaryDirectory(prefix="agon-sandbox-") as name,
        Host(Path(name)) as host,
    ):
        seen = Probe(ROUTED)(host)
        assert play_attack(host, attack).fault is None
        sys.stdout.write(seen)


if __name__ == "__main__":
    main()
