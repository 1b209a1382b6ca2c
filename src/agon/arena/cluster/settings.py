"""How a cluster is reached: its address, and the token without which nothing listens.

The token is in AGON_CLUSTER_TOKEN, or in a file that `agon cluster head` writes and that this user
alone can read. Settings of Ray go through the environment, before it is loaded.
"""

from __future__ import annotations

import os
import secrets
import socket
from typing import TYPE_CHECKING

from agon.datastore.location import data_folder
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ADDRESS, TOKEN = "AGON_CLUSTER", "AGON_CLUSTER_TOKEN"
TOKEN_FILE = "cluster-token"  # noqa: S105
LEAST_TOKEN = 16
LOCAL = "local"
MOST_PORT = 65535
CONNECT_SECONDS = 5.0
"""The address of a cluster of this machine alone, which ends with the command."""
LOOPBACK = ("127.0.0.1", "localhost")
STORE_BYTES = 256 << 20
"""For packed bots and rules on each machine: states do not travel."""
LOST_SECONDS = 15
"""A machine that is not heard of for this long is given up, and its jobs go elsewhere."""


def find_token(environ: Mapping[str, str] = os.environ) -> str:
    """The token of the cluster; SettingError if there is none."""
    file = token_file(environ)
    try:
        token = environ.get(TOKEN) or file.read_text().strip()
    except OSError:
        raise SettingError(
            f"there is no token of a cluster: expected it in {TOKEN}, or in {file},"
            " as `agon cluster head` writes it on its machine"
        ) from None
    if len(token) < LEAST_TOKEN:
        raise SettingError(f"the cluster's token: expected {LEAST_TOKEN} characters or more")
    return token


def ensure_token(environ: Mapping[str, str] = os.environ) -> str:
    """The token of the cluster, which is made if there is none."""
    file = token_file(environ)
    if not environ.get(TOKEN) and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(secrets.token_hex(32) + "\n")
    return find_token(environ)


def token_file(environ: Mapping[str, str] = os.environ) -> Path:
    return data_folder(environ) / TOKEN_FILE


def token_place(environ: Mapping[str, str] = os.environ) -> str:
    """Where the token is that this process has."""
    return TOKEN if environ.get(TOKEN) else str(token_file(environ))


def check_address(address: str) -> None:
    """Refuse what is not the address of a head."""
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) <= MOST_PORT):
        raise SettingError(f"cluster {address[:80]!r}: expected HOST:PORT")


def reach_head(address: str) -> None:
    """Raise OSError if nothing answers at this address."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), CONNECT_SECONDS).close()


def ray_environment(host: str, token: str) -> dict[str, str]:
    """The variables by which Ray is closed: a token needed, nothing sent to its makers.

    On the loopback address it listens there alone. Elsewhere it listens on all addresses.
    """
    only_here = host in LOOPBACK
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": token,
        "RAY_USAGE_STATS_ENABLED": "0",
        # Otherwise Ray takes the loopback address for another one of this machine.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0" if only_here else "1",
        "RAY_health_check_period_ms": "2000",
        "RAY_health_check_timeout_ms": "3000",
        "RAY_health_check_failure_threshold": "3",
        # How often a machine asks whether it was given up, and if so ends; by default each minute.
        "RAY_raylet_liveness_self_check_interval_ms": "5000",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        # Told to end, a machine does so at once: jobs that it has go elsewhere.
        "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "0",
        # What only the dashboard would show is not gathered.
        "RAY_task_events_report_interval_ms": "0",
        "RAY_enable_metrics_collection": "0",
        "RAY_event_stats": "0",
        # Nothing is printed about jobs that were given up.
        "RAY_IGNORE_UNHANDLED_ERRORS": "1",
    }
