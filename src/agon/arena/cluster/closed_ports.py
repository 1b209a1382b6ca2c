"""Keeps Ray's ports closed to all but the private network.

Ray listens on all addresses of a machine. So its ports are in a known range, and if the machine has
other addresses than the given one, a table of nftables drops what comes to them.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agon.arena.cluster.settings import LOOPBACK
from agon.errors import SettingError
from agon.sandbox.command import SYSTEM_PATH

if TYPE_CHECKING:
    from collections.abc import Iterator

NETWORK = Path("/proc/net")
LOCAL_ADDRESS = re.compile(r"\|-- ([0-9.]+)\n\s*/32 host LOCAL\n")
SINGLE = (
    *("node-manager", "object-manager", "runtime-env-agent"),
    *("dashboard-agent-grpc", "dashboard-agent-listen", "metrics-export"),
)
"""What has one port each; the other ports are for processes that do jobs or ask for them."""
LEAST_PORTS, MOST_PORT = 100, 65535


class PortRange(NamedTuple):
    """The ports of Ray on a machine, without the head's."""

    first: int
    last: int

    @classmethod
    def parse(cls, text: str) -> PortRange:
        """Ports of the command line.

        >>> PortRange.parse("11000-11999")
        PortRange(first=11000, last=11999)
        """
        found = re.fullmatch(r"([0-9]{1,5})-([0-9]{1,5})", text)
        ports = cls(int(found[1]), int(found[2])) if found else cls(0, 0)
        if not 0 < ports.first <= ports.last - LEAST_PORTS + 1 <= MOST_PORT - LEAST_PORTS + 1:
            raise SettingError(
                f"--ports {text[:40]!r}: expected FIRST-LAST, {LEAST_PORTS} ports at least"
            )
        return ports

    def options(self) -> list[str]:
        """By which `ray start` is told of them."""
        single = [f"--{name}-port={self.first + i}" for i, name in enumerate(SINGLE)]
        workers = self.first + len(SINGLE)
        return [*single, f"--min-worker-port={workers}", f"--max-worker-port={self.last}"]


@contextmanager
def closed_ports(host: str, ports: PortRange, head: int | None, *, is_open: bool) -> Iterator[None]:
    """In this block Ray's ports, and the head's, are reached at this address alone.

    SettingError if that cannot be done, unless `is_open`: then others care for it.
    """
    check_own(host)
    for port in filter(None, (ports.first, head)):
        check_free(port)
    others = [] if is_open or host in LOOPBACK else other_addresses(host)
    if not others:
        yield
        return
    rules = table_text(host, ports, head)
    if why := _run_nft(rules):
        raise SettingError(
            f"Ray would listen on {', '.join(others)}, too, and that cannot be prevented: {why};"
            f" run as root: nft '{rules}' and then this command with --open,"
            " or use --open alone if a firewall or a container's network closes these ports"
        )
    try:
        yield
    finally:
        _run_nft(f"delete table {table_name(ports)}")


def table_name(ports: PortRange) -> str:
    """Each member of a cluster on this machine has a table of its own."""
    return f"inet agon_cluster_{ports.first}"


def table_text(host: str, ports: PortRange, head: int | None) -> str:
    """The rules, for nft: they replace those that are there.

    What arrives by another interface than that of the address is dropped, too.
    """
    family = "ip6" if isinstance(_parse_host(host), IPv6Address) else "ip"
    table = table_name(ports)
    closed = ", ".join([*([str(head)] if head else []), f"{ports.first}-{ports.last}"])
    return (
        f"add table {table}; delete table {table}; "
        f"table {table} {{ chain input {{ type filter hook input priority filter - 1; "
        'iif "lo" accept; '
        f"{family} daddr {host} fib daddr . iif type local accept; "
        f"tcp dport {{ {closed} }} tcp flags & (syn | ack) == syn drop; }}; }}"
    )


def other_addresses(host: str, network: Path = NETWORK) -> list[str]:
    """The machine's addresses besides this one and its loopback.

    Link-local ones count where there are several interfaces: that of the only interface is in the
    same network as `host`.
    """
    own = _parse_host(host)
    try:
        found = {ip_address(text) for text in LOCAL_ADDRESS.findall(_read(network, "fib_trie"))}
    except FileNotFoundError:
        raise SettingError(
            f"the addresses of this machine are not in {network}: use --open if a firewall"
            " closes Ray's ports"
        ) from None
    lines = _read(network, "if_inet6").splitlines() if (network / "if_inet6").exists() else []
    six = {IPv6Address(int(line.split()[0], 16)) for line in lines}
    linked = {one for one in six if one.is_link_local}
    found |= six if len(linked) > 1 else six - linked
    return sorted(str(one) for one in found if one != own and not one.is_loopback)


def check_own(host: str) -> None:
    """SettingError if this machine does not have this address."""
    family = socket.AF_INET6 if isinstance(_parse_host(host), IPv6Address) else socket.AF_INET
    with socket.socket(family) as probe:
        try:
            probe.bind((host, 0))
        except OSError as error:
            raise SettingError(
                f"--host {host}: {error.strerror}: expected an address of this machine"
            ) from None


def check_free(port: int) -> None:
    """SettingError if this machine listens there already, as another head or member would."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError as error:
            raise SettingError(
                f"port {port}: {error.strerror}; is this machine in a cluster already?"
            ) from None


def _parse_host(host: str) -> object:
    try:
        return ip_address(host)
    except ValueError:
        raise SettingError(f"--host {host[:80]!r}: expected an IP address") from None


def _read(network: Path, name: str) -> str:
    return (network / name).read_text()


def _run_nft(rules: str) -> str:
    """Change the rules of this machine; why that failed, if it did."""
    nft = shutil.which("nft", path=SYSTEM_PATH)
    if nft is None:
        return "nft is not installed"
    if os.geteuid() != 0:
        return "this is not root"
    done = subprocess.run([nft, rules], capture_output=True, text=True, check=False)  # noqa: S603
    return (done.stderr.strip() or f"nft ended with {done.returncode}") if done.returncode else ""
