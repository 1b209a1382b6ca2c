"""What holds for all tests."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from agon.datastore import Store

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


def pytest_configure() -> None:
    """Have programs that tests start end at an interrupt, even if the suite itself ignores it.

    A shell starts what runs in the background so, and all children would inherit it. And give every
    example of Hypothesis the time that it takes.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.register_profile("agon", deadline=None)  # a busy machine is no failure
    settings.load_profile("agon")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI=true, a check that is skipped because something is missing has failed."""
    report = yield
    if os.environ.get("CI") == "true" and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped: {report.longrepr}"
    return report


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the data of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AGON_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def blank_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without rows: making one takes long, copying it does not."""
    file = tmp_path_factory.mktemp("blank") / "agon.db"
    Store.open(file).close()
    return file


@pytest.fixture
def blank(blank_file: Path, tmp_path: Path) -> Path:
    """A store without rows, of the test's own."""
    return Path(shutil.copy(blank_file, tmp_path / "agon.db"))
