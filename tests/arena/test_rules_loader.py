"""Rules that are compiled by another process, and loaded by this one."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from agon.arena import rules_loader
from agon.arena.rules_loader import RulesLoader
from agon.errors import RulesNotReadyError
from agon.games.registry import find_game
from agon.kernel import release_kernels

if TYPE_CHECKING:
    from agon.games.game import Game

HIVE, ATLANTIS = find_game("hive"), find_game("atlantis")
PATIENCE = 60


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the games whose rules are on disk, as the loader finds it."""
    found: set[str] = set()

    def use(game: Game) -> None:
        if game.name not in found:
            raise RulesNotReadyError(f"the rules of {game.name} are being compiled")

    monkeypatch.setattr(rules_loader, "use_rules", use)
    monkeypatch.setattr(rules_loader, "use_boards", lambda _: None)
    monkeypatch.setattr(rules_loader, "use_bots", lambda *_: None)
    return found


def test_what_is_compiled_is_loaded_first_and_the_rest_one_by_one(compiled: set[str]) -> None:
    compiled.add("hive")
    told: list[str] = []
    asked: list[str] = []

    def compile_rules(game: Game) -> None:
        assert loader.ready["hive"].done()
        assert loader.progress == "1 of 2 games are ready; next: Atlantis"
        asked.append(game.name)
        compiled.add(game.name)

    loader = RulesLoader([ATLANTIS, HIVE], told.append, compile_rules)
    assert not loader.is_done
    loader.start()
    for future in loader.ready.values():
        future.result(PATIENCE)
    loader.stop()
    assert loader.is_done
    assert asked == ["atlantis"]
    assert told == [
        "compiling the rules of Atlantis; 1 of 2 games are ready",
        "all games are ready",
    ]


def test_rules_that_could_not_be_compiled_apart_are_left_to_their_first_use(
    compiled: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    loader = RulesLoader([HIVE], compile_rules=lambda game: None)
    loader.start()
    loader.ready["hive"].result(PATIENCE)
    loader.stop()
    assert "Hive: its rules are compiled when they are first used" in caplog.text
    assert HIVE.start().legal_moves(0)


def test_a_loader_that_is_stopped_tells_those_who_wait(compiled: set[str]) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def compile_rules(game: Game) -> None:
        begun.set()
        let_go.wait(PATIENCE)

    loader = RulesLoader([HIVE, ATLANTIS], compile_rules=compile_rules)
    loader.start()
    assert begun.wait(PATIENCE)
    stopping = threading.Thread(target=loader.stop)
    stopping.start()
    while not loader._is_stopped:
        pass
    let_go.set()
    stopping.join(PATIENCE)
    assert all(future.cancelled() for future in loader.ready.values())
    for game in (HIVE, ATLANTIS):
        release_kernels(game.package)


@pytest.mark.system
def test_another_process_compiles() -> None:
    """What it compiles is there already: here it only has to be found."""
    loader = RulesLoader([HIVE])
    loader._compile(HIVE)
    loader.start()
    loader.ready["hive"].result(PATIENCE)
    loader.stop()
    assert HIVE.start().legal_moves(0)
