"""A real PostgreSQL server for the tests: its own data, its own socket, gone at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

MISSING = "the tests need PostgreSQL's own programs: `apt-get install postgresql`"
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # only clients are killed here, never the machine
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "log_min_messages": "fatal",
}
START_S = 30


class PostgreSQL:
    """A running server, and room on it."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.folder = folder
        self.settings = settings
        self.made = 0
        self.start()

    def start(self) -> None:
        command = [find_program("postgres"), "-D", str(self.folder / "data")]
        command += ["-k", str(self.folder)]
        for name, value in self.settings.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, stdout=log, stderr=log, **server_rights()
            )
        wait_until_ready(self, self.process)

    def freeze(self) -> None:
        """It does nothing any more; its connections stay open."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        """To the server and to its processes, one for each connection."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        for process in (self.process.pid, *map(int, children.split())):
            os.kill(process, number)

    def stop(self) -> None:
        """At once, as in a crash: open transactions are lost, and all connections."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
        self.process.wait(timeout=START_S)

    def url(self, database: str) -> str:
        return f"postgresql://agon@/{database}?host={self.folder}"

    def new_room(self) -> str:
        """A URL with nothing there yet: a schema of its own, quicker to make than a database."""
        self.made += 1
        name = f"room_{self.made}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


@contextmanager
def running_postgresql(**settings: str) -> Iterator[PostgreSQL]:
    """Start a server as a user that it accepts (never root), and end it."""
    rights = server_rights()
    folder = Path(tempfile.mkdtemp(prefix="agon-pg-"))
    try:
        if rights:
            os.chown(folder, rights["user"], rights["group"])
        data = folder / "data"
        initdb = [find_program("initdb"), "--pgdata", str(data), "--username=agon", "--auth=trust"]
        initdb += ["--encoding=UTF8", "--locale=C", "--no-sync"]
        made = subprocess.run(
            initdb, cwd=folder, capture_output=True, text=True, check=False, **rights
        )
        assert made.returncode == 0, made.stderr
        server = PostgreSQL(folder, SETTINGS | settings)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def wait_until_ready(server: PostgreSQL, process: subprocess.Popen[bytes]) -> None:
    for _ in range(START_S * 20):
        try:
            return server.execute("SELECT 1")
        except psycopg.OperationalError:
            try:
                process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                continue
            break
    raise AssertionError(f"PostgreSQL did not start: {(server.folder / 'log').read_text()}")


def find_program(name: str) -> str:
    """PostgreSQL's program of that name, of the newest version that is installed."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: float(p.parts[4])
    )
    found = shutil.which(name) or (str(installed[-1]) if installed else None)
    assert found is not None, MISSING
    return found


def server_rights() -> dict[str, Any]:
    """What makes a child process of root run as another user; nothing if we are not root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
