"""What holds for all tests, and which of them are in the fast tier.

`pytest --fast` (`make test-fast`) is for the inner loop: everything that happens inside this
process and takes less than about a second. Not in it: the folders in `OUTSIDE`, and tests marked

- `system`: starts a process (a program, a compiler, a browser, a server of PostgreSQL);
- `long`: takes longer, such as many random games or positions;
- `slow`: takes minutes, and is in `make test-slow` alone.

Hypothesis tries fewer examples there. A test of the fast tier that starts a process fails.

Coverage makes Python half as fast, so it is counted only where a floor asks for it: in the short
tests of the folders in `MEASURED`.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from agon.kernel import require_kernels

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from agon.games.game import Game

OUTSIDE = ("arbiter", "arena", "benchmarks", "examples", "sandbox", "servers", "website")
NOT_FAST = ("system", "long", "slow")
PROCESS_EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
TESTS = Path(__file__).parent
FLOORS = ("datastore", "games", "match", "ranker")
MEASURED = [home / name for home in (TESTS, TESTS.parent / "src" / "agon") for name in FLOORS]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast", action="store_true", help="only the fast tier: see tests/conftest.py"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Have programs that tests start end at an interrupt, even if the suite itself ignores it.

    A shell starts what runs in the background so, and all children would inherit it. And give every
    example of Hypothesis the time that it takes.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.register_profile("agon", deadline=None)  # a busy machine is no failure
    settings.register_profile("fast", deadline=None, max_examples=20)
    settings.load_profile("fast" if config.getoption("--fast") else "agon")
    if config.getoption("--fast"):
        config.pluginmanager.register(FastTier())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, so that no worker is left alone with one at the end."""
    long = [TESTS / name for name in (*OUTSIDE, "cli")]
    items.sort(key=lambda item: not any(item.path.is_relative_to(folder) for folder in long))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Take coverage's tracer off for a test that is not measured.

    The plugin's own mark `no_cover` does not under xdist.
    """
    is_short = not any(map(item.get_closest_marker, NOT_FAST))
    if is_short and any(item.path.is_relative_to(folder) for folder in MEASURED):
        return (yield)
    tracer, tracer_of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
        threading.settrace(tracer_of_threads)


class FastTier:
    """Leaves out what is not in the fast tier, and holds the rest to starting no process."""

    def __init__(self) -> None:
        self._in_test = False
        sys.addaudithook(self._refuse_processes)

    def _refuse_processes(self, event: str, _arguments: object) -> None:
        if self._in_test and event in PROCESS_EVENTS:
            pytest.fail("a test of the fast tier starts a process: mark it `system`")

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return collection_path in [TESTS / name for name in OUTSIDE] or None

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        left_out = [item for item in items if any(map(item.get_closest_marker, NOT_FAST))]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self._in_test = True
        try:
            return (yield)
        finally:
            self._in_test = False


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
    """No test reads or writes the data of the user who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AGON_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def blank_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without rows: making one takes long, copying it does not."""
    from agon.datastore import Store

    file = tmp_path_factory.mktemp("blank") / "agon.db"
    Store.open(file).close()
    return file


@pytest.fixture
def blank(blank_file: Path, tmp_path: Path) -> Path:
    """A store without rows, of the test's own."""
    return Path(shutil.copy(blank_file, tmp_path / "agon.db"))


@pytest.fixture
def compiled_games(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the games whose rules are on disk, as a RulesLoader finds it."""
    found: set[str] = set()

    def use(game: Game) -> None:
        if game.name not in found:
            require_kernels(game.package)

    monkeypatch.setattr("agon.arena.rules_loader.use_rules", use)
    monkeypatch.setattr("agon.arena.rules_loader.use_boards", lambda _: None)
    monkeypatch.setattr("agon.arena.rules_loader.use_bots", lambda *_: None)
    return found
