"""What holds for all tests, and which of them are in the fast tier.

`pytest --fast` (`make test-fast`) is for the inner loop: everything that happens inside this
process and takes less than about a second. Not in it: the folders in `OUTSIDE`, and tests marked

- `system`: starts a process (a program, a compiler, a browser, a server of PostgreSQL);
- `long`: takes longer, such as many random games or positions;
- `slow`: takes minutes, and is in `make test-slow` alone.

Tests marked `gpu` are left out where there is no GPU.

Hypothesis tries fewer examples there. A test of the fast tier that starts a process fails.

Coverage makes Python half as fast, so it is counted only where a floor asks for it: in the short
tests of the folders in `MEASURED`.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from agon.kernel import require_kernels
from agon.simulate.cuda import count_gpus

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from agon.games.game import Game

OUTSIDE = ("arbiter", "arena", "benchmarks", "examples", "sandbox", "servers", "website")
NOT_FAST = ("system", "long", "slow")
PROCESS_EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
TESTS = Path(__file__).parent
FLOORS = ("datastore", "games", "match", "ranker")
MEASURED = tuple(f"{home}/{name}/" for home in ("tests", "src/agon") for name in FLOORS)
LONG = tuple(f"tests/{name}/" for name in (*OUTSIDE, "cli"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast", action="store_true", help="only the fast tier: see tests/conftest.py"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Have programs that tests start end at an interrupt, even if the suite itself ignores it.

    A shell starts what runs in the background so, and all children would inherit it. And give every
    example of Hypothesis the time that it takes. What is collected stays to the end, so the garbage
    collector need never look at it: with it, one look takes half a second.
    """
    gc.disable()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.register_profile("agon", deadline=None)  # a busy machine is no failure
    settings.register_profile("fast", deadline=None, max_examples=20)
    settings.load_profile("fast" if config.getoption("--fast") else "agon")
    if config.getoption("--fast"):
        config.pluginmanager.register(FastTier())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the long files, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    if not count_gpus():
        leave_out(config, items, ("gpu",))


def leave_out(config: pytest.Config, items: list[pytest.Item], marks: tuple[str, ...]) -> None:
    left_out = {item for item in items if any(map(item.get_closest_marker, marks))}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@contextmanager
def untraced() -> Iterator[None]:
    """Take coverage's tracer off. The plugin's own mark `no_cover` does not under xdist."""
    tracer, tracer_of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        threading.settrace(tracer_of_threads)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Count what runs at import in one worker: it is the same in all."""
    with nullcontext() if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0" else untraced():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Count coverage in measured tests alone."""
    is_short = not any(map(item.get_closest_marker, NOT_FAST))
    is_measured = is_short and item.nodeid.startswith(MEASURED)
    with nullcontext() if is_measured else untraced():
        return (yield)


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
        leave_out(config, items, NOT_FAST)

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
