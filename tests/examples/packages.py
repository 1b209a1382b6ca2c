"""Packages with a game in them: installed as pip does it, and used in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def install(package: Path, folder: Path) -> Path:
    """The folder with the package in it; nothing is fetched."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder)]
    done = subprocess.run([*pip, *offline, str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def run(installed: Path, *command: str, folder: Path = ROOT, **environment: str) -> str:
    """What a Python program says, for which the package is installed."""
    inherited = os.environ.get("PYTHONPATH")
    places = [str(installed), str(ROOT), *([inherited] if inherited else [])]
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(places)} | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
