"""The doctor finds this host safe, and says what is missing where something is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agon.cli.sandbox import sandbox
from agon.errors import SandboxError
from agon.sandbox import doctor, probe
from agon.sandbox.bubblewrap import known_options
from agon.sandbox.canaries import Canaries
from agon.sandbox.doctor import (
    LAYERS,
    DoctorReport,
    LayerFinding,
    examine,
    is_safe_enough,
    missing,
    read_line,
)
from tests.sandbox.host import left_groups
from tests.waiting import wait_for


def test_this_host_is_safe_enough() -> None:
    report = examine()
    assert [finding.layer for finding in report.findings] == [layer.name for layer in LAYERS]
    assert not missing(report)
    assert is_safe_enough(report)
    assert all(finding.proof for finding in report.findings)
    assert not left_groups()


def test_one_needed_layer_is_enough_to_miss() -> None:
    good = LayerFinding("own files", True, True, "tried", "")
    optional = LayerFinding("pause", False, False, "tried", "do this")
    bad = LayerFinding("memory limit", False, True, "tried", "do that")
    assert is_safe_enough(DoctorReport((good, optional), ""))
    assert not is_safe_enough(DoctorReport((good, bad), ""))
    assert missing(DoctorReport((good, optional, bad), "")) == [bad]


def test_a_line_is_waited_for_but_not_for_ever() -> None:
    read, write = os.pipe()
    os.write(write, b"half")
    assert read_line(read, 10**7) is None
    os.write(write, b"a line\n")
    assert read_line(read, 60 * 10**9) == b"a line\n"
    os.write(write, b"no end")
    os.close(write)
    assert read_line(read, 60 * 10**9) is None
    os.close(read)


def test_walls_that_do_not_hold_are_told() -> None:
    """The probe's attempts, from outside of any sandbox; those that would do harm are left out."""
    with Canaries() as canaries:
        host = canaries.targets | {"open files": 20}
        for name in (
            *("own user", "own files", "own processes", "own network", "own IPC", "own host name"),
            *("no new privileges", "own environment", "resource limits"),
        ):
            held, met = probe.WALLS[name](host)
            assert not held, (name, met)


@pytest.mark.system
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start it like this")
def test_as_process_1_of_a_container_it_takes_no_process_inside_for_the_hosts() -> None:
    command = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-m", "agon"]
    done = subprocess.run(
        [*command, "sandbox", "doctor", "--json"], capture_output=True, text=True, check=False
    )
    layers = {one["layer"]: one for one in json.loads(done.stdout)["layers"]}
    assert layers["own processes"]["active"], layers["own processes"]["proof"]


@pytest.mark.system
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start it like this")
def test_a_root_that_cannot_stage_the_bots_of_a_site_is_not_safe_enough() -> None:
    """Root of a container has few capabilities."""
    command = ["setpriv", "--bounding-set", "-sys_admin", sys.executable, "-m", "agon"]
    done = subprocess.run(
        [*command, "sandbox", "doctor", "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    layers = {one["layer"]: one for one in json.loads(done.stdout)["layers"]}
    assert "behind a folder that is closed to others" in layers["own user"]["proof"]
    assert "SYS_ADMIN" in layers["own user"]["advice"]


def test_without_bubblewrap_the_rest_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise SandboxError("not installed")

    monkeypatch.setattr(doctor, "find_bwrap", fail)
    first, *rest = examine().findings
    assert first == LayerFinding("bubblewrap", False, True, "not installed", LAYERS[0].advice)
    assert {(finding.active, finding.proof) for finding in rest} == {(False, "not tried")}
    assert not any(finding.advice for finding in rest)


def test_a_bubblewrap_that_does_not_run_is_told_in_its_own_words(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: Unexpected capabilities' >&2\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(SandboxError, match="does not run: bwrap: Unexpected capabilities"):
        known_options(str(broken))
    broken.write_text("#!/bin/sh\necho '--size --clearenv --remount-ro'\n")
    known_options.cache_clear()
    with pytest.raises(SandboxError, match="has no --json-status-fd: "):
        known_options(str(broken))


def test_the_command_prints_the_table_and_json() -> None:
    runner = CliRunner()
    shown = runner.invoke(sandbox, ["doctor"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.output
    assert "safe enough for ranked play" in shown.output
    assert "Connection refused" in shown.output
    told = runner.invoke(sandbox, ["doctor", "--json"])
    report = json.loads(told.output)
    assert report["safe"] is True
    assert {layer["layer"] for layer in report["layers"]} == {layer.name for layer in LAYERS}


def test_what_a_killed_doctor_has_left_is_removed() -> None:
    space = os.stat("/proc/self/ns/pid").st_ino
    left = Path(tempfile.gettempdir(), f"agon-doctor-{space}-{os.getpid()}-1-0-x")
    (left / "closed").mkdir(parents=True)
    with Canaries() as canaries:
        assert not left.exists()
        assert canaries.bot.is_dir()
    assert not canaries.bot.exists()


KILLED_DOCTOR = """
import os
from agon.sandbox.canaries import Canaries

with Canaries() as canaries:
    print(canaries.targets["pid"], flush=True)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.system
def test_the_process_of_a_killed_doctor_ends_with_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED_DOCTOR], capture_output=True, text=True, check=False
    )  # which waits for the end of all that have its output
    assert done.returncode == -signal.SIGKILL
    wait_for(lambda: not Path(f"/proc/{int(done.stdout)}").exists())
    with Canaries():
        pass  # removes the other's folder
