"""A command of an ordinary user starts again in a systemd scope, where there is one to be had."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from agon.cli import scope
from agon.sandbox.cgroups import NoHierarchy

if TYPE_CHECKING:
    from pathlib import Path

SYSTEMD_RUN = """#!/bin/sh
[ "$*" = "--user --scope --quiet --property=Delegate=yes true" ] && exit {status}
"""


class Replaced(BaseException):
    """The process has become another."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the process has become, on the host of an ordinary user without a control group."""
    found: list[list[str]] = []

    def replace(path: str, command: list[str], environment: dict[str, str]) -> None:
        assert environment[scope.MARK] == "1"
        found.append(command)
        raise Replaced

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "execve", replace)
    monkeypatch.setattr(sys, "argv", ["/usr/bin/agon", "match", "hive"])
    monkeypatch.setattr("agon.sandbox.cgroups.find_hierarchy", lambda: NoHierarchy("none"))
    monkeypatch.delenv(scope.MARK, raising=False)
    return found


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, status: int) -> str:
    file = folder / "systemd-run"
    file.write_text(SYSTEMD_RUN.format(status=status))
    file.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return str(file)


@pytest.mark.system
def test_it_starts_again_where_systemd_gives_scopes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[list[str]]
) -> None:
    file = install(tmp_path, monkeypatch, status=0)
    with pytest.raises(Replaced):
        scope.enter_scope()
    options = ["--user", "--scope", "--quiet", "--property=Delegate=yes"]
    assert started == [[file, *options, sys.executable, "-m", "agon", "match", "hive"]]
    monkeypatch.setenv(scope.MARK, "1")
    scope.enter_scope()
    assert len(started) == 1


@pytest.mark.system
def test_it_goes_on_where_systemd_gives_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[list[str]]
) -> None:
    install(tmp_path, monkeypatch, status=1)
    scope.enter_scope()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    install(tmp_path, monkeypatch, status=0)
    scope.enter_scope()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "argv", ["/usr/bin/pytest"])
    scope.enter_scope()
    assert started == []
