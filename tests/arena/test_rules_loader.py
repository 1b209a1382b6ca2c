"""Rules that are compiled by another process, and loaded by this one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.pool import StoppedError
from agon.arena.rules_loader import RulesLoader, await_rules
from agon.errors import RulesNotReadyError
from agon.games.registry import find_game
from agon.kernel import require_kernels
from tests.waiting import wait_for

if TYPE_CHECKING:
    from agon.games.game import Game

HIVE, ATLANTIS = find_game("hive"), find_game("atlantis")
PATIENCE = 60


def test_what_is_compiled_is_loaded_first_and_the_rest_one_by_one(compiled_games: set[str]) -> None:
    compiled_games.add("hive")
    told: list[str] = []
    asked: list[str] = []

    def compile_rules(game: Game) -> None:
        assert loader.ready["hive"].done()
        assert loader.progress == "1 of 2 games are ready; next: Atlantis"
        asked.append(game.name)
        compiled_games.add(game.name)

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
    compiled_games: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    loader = RulesLoader([HIVE], compile_rules=lambda game: None)
    loader.start()
    loader.ready["hive"].result(PATIENCE)
    loader.stop()
    assert "Hive: its rules are compiled when they are first used" in caplog.text
    assert HIVE.start().legal_moves(0)


def test_a_loader_that_is_stopped_tells_those_who_wait(compiled_games: set[str]) -> None:
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


def test_another_game_is_made_ready_when_it_is_asked_for(compiled_games: set[str]) -> None:
    compiled_games.add("atlantis")
    told: list[str] = []
    loader = RulesLoader([ATLANTIS], told.append, lambda game: compiled_games.add(game.name))
    loader.start()
    loader.ready["atlantis"].result(PATIENCE)
    with pytest.raises(RulesNotReadyError, match=r"^the rules of Hive are being compiled$") as held:
        require_kernels(HIVE.package)
    held.value.ready.result(PATIENCE)
    require_kernels(HIVE.package)
    await_rules(find_game("skyport"))
    require_kernels(find_game("skyport").package)
    loader.stop()
    assert told == [
        "all games are ready",
        "compiling the rules of Hive",
        "compiling the rules of Skyport",
    ]
    assert compiled_games == {"atlantis", "hive", "skyport"}


def test_who_waits_for_rules_is_told_that_the_site_ends(compiled_games: set[str]) -> None:
    loader = RulesLoader([])
    waiting = loader.want(HIVE)
    loader.stop()
    assert waiting.cancelled()
    assert loader.want(ATLANTIS).cancelled()
    require_kernels(HIVE.package)

    loader = RulesLoader([])
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(await_rules, HIVE)
        wait_for(lambda: HIVE.name in loader.ready)
        loader.stop()
    with pytest.raises(StoppedError, match=r"^the site ends$"):
        waits.result()


@pytest.mark.system
def test_another_process_compiles() -> None:
    """What it compiles is there already: here it only has to be found."""
    loader = RulesLoader([HIVE])
    loader._compile(HIVE)
    loader.start()
    loader.ready["hive"].result(PATIENCE)
    loader.stop()
    assert HIVE.start().legal_moves(0)
