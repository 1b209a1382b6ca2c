"""The public API: what `import agon` gives. Its examples are in docs/python.md."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import agon
from agon.errors import IllegalMoveError, SettingError
from agon.games.registry import all_games, find_game

if TYPE_CHECKING:
    from agon import Budget, Position

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "src/agon/games/hive/starters/python"
LIMITS = agon.Limits(turns=6)

IMPORT = """
import sys
before = {*sys.modules}
import agon
assert not {name for name in {*sys.modules} - before if name.startswith("agon.")}, "lazily"
agon.games()
assert not {"numba", "numpy"} & {*sys.modules}, "looking games up loads no rules"
import agon.games.registry, agon.simulate.tally
assert agon.games() == agon.games.registry.all_games()
assert callable(agon.simulate)
assert {*agon.__all__} <= {*dir(agon)}
from agon import *
assert game is agon.game
"""


def first(position: Position[Any], seat: int) -> Any:
    return position.legal_moves(seat)[0]


class Last:
    """The last of the legal moves."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        return position.legal_moves(seat)[-1]


@pytest.mark.system
def test_import_loads_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_names_are_the_same_for_type_checkers() -> None:
    """What is imported for them is what there is."""
    tree = ast.parse(Path(agon.__file__).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    packages = {"games": "agon.games.registry:all_games", "simulate": "agon.simulate.run:simulate"}
    assert sorted(typed) == sorted(agon.__all__)
    assert typed == {**agon._PLACES, **packages}
    for name in agon.__all__:
        assert getattr(agon, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(agon, "nothing")  # noqa: B009  mypy would refuse agon.nothing


def test_games_by_name() -> None:
    assert agon.games() == all_games()
    assert agon.game("hive") is find_game("hive")
    assert repr(agon.game("hive")) == "agon.game('hive')"


@pytest.mark.system
def test_bots_of_every_kind_play() -> None:
    command = f"{sys.executable} {EXAMPLE / 'hive_bot.py'}"
    for program in (EXAMPLE, str(EXAMPLE), command):
        match = agon.play("hive", [program, first], limits=LIMITS, unsafe_host=True)
        assert match.outcome.reason == "turn limit"
        assert match.faults == (None, None)
        assert len(match.transcript.events) == 7
    hive = agon.game("hive")
    options = hive.options(variant="Base+MLP")
    match = agon.play(hive, ["greedy", Last()], options=options, seed=5, limits=LIMITS)
    assert (match.transcript.options, match.transcript.seed) == (options, 5)
    assert [player["name"] for player in match.transcript.players] == ["greedy", "Last"]
    again = agon.play(hive, ["greedy", Last()], options=options, seed=5, limits=LIMITS)
    assert [p.observe(None) for _, p in agon.replay(again.transcript)] == [
        p.observe(None) for _, p in agon.replay(match.transcript)
    ]


def test_every_bot_of_a_match_has_its_own_chance() -> None:
    def turns(*bots: Any) -> list[str]:
        played = agon.replay(agon.play("hive", bots, seed=3, limits=LIMITS).transcript)
        return [str(position.observe(None)) for _, position in played]

    bots = [find_game("hive").bot("random", seed) for seed in (6, 7)]
    assert turns("random", "random") == turns(*bots)


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(SettingError, match="bot 7: expected a name, a folder, a command line"):
        agon.play("hive", ["random", 7])  # type: ignore[list-item]
    with pytest.raises(SettingError, match="bot 'nobody': expected one of random"):
        agon.play("hive", ["random", "nobody"])
    with pytest.raises(SettingError, match="3 seats: Hive is for 2"):
        agon.play("hive", ["random"] * 3)
    with pytest.raises(SettingError, match="game 'chess': expected one of"):
        agon.play("chess", ["random"])
    with pytest.raises(IllegalMoveError):
        agon.play("hive", [lambda position, seat: 10**9, first])


def test_transcripts_by_the_name_of_a_file(tmp_path: Path) -> None:
    played = agon.play("mebipenny", ["random", "greedy"], seed=2, limits=LIMITS).transcript
    for file in (tmp_path / "match.json", str(tmp_path / "match.json.gz")):
        agon.save(file, played)
        assert agon.load(file) == played
        assert agon.verify(agon.load(file)) == played.outcome


def test_simulations() -> None:
    one, two = (agon.simulate("hive", 40, seed=3, threads=n, checksum=True) for n in (1, None))
    assert one.checksum == two.checksum
    small = agon.game("mebipenny").options(rows=2, cols=2)
    assert agon.simulate(agon.game("mebipenny"), 10, options=small, cap=50).longest <= 50
    with pytest.raises(SettingError, match="games 0: expected 1 or more"):
        agon.simulate("hive", 0)
    with pytest.raises(SettingError, match="device 'abacus': expected cpu or cuda"):
        agon.simulate("hive", device="abacus")
