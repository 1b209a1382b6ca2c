"""Clicking turns of Atlantis."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agon.games.atlantis.board import source_of
from agon.games.atlantis.clicks import step
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.notation import format_ends
from agon.games.shapes import Group, Label, all_shapes
from tests.games.clicking import play_on

if TYPE_CHECKING:
    from agon.games.atlantis.position import AtlantisPosition, Turn
    from agon.games.scene import Scene


def picks_for(position: AtlantisPosition, turn: Turn) -> list[str]:
    ends = [format_ends(position, move) for move in turn]
    return [pick for source, target in ends for pick in (f"from-{source}", f"to-{target}")]


def stones(scene: Scene, name: str) -> str:
    """The number on a stack; nothing if there is none."""
    stack = [s for s in all_shapes(scene.shapes) if s.id == f"stack-{name}"]
    parts = [part for s in stack if isinstance(s, Group) for part in s.parts]
    return "".join(part.text for part in parts if isinstance(part, Label))


def test_every_turn_can_be_clicked() -> None:
    rng = Random(1)  # noqa: S311
    moves = 0
    for turns in range(0, 40, 2):
        position = play_on(GAME, AtlantisOptions("hexagon", 2), 0, turns, rng)
        seat = position.seat
        for _ in range(6):
            turn = position.random_turn(seat, rng)
            now = step(position, seat, picks_for(position, turn))
            assert now.turn == position.format_turn(seat, turn)
            moves += len(turn)
    assert moves > 60


def test_just_the_legal_moves_can_be_clicked_first() -> None:
    rng = Random(2)  # noqa: S311
    for turns in (0, 3, 8, 15, 22):
        position = play_on(GAME, None, 0, turns, rng)
        found: list[str | None] = []
        for source in step(position, position.seat, []).choices:
            now = step(position, position.seat, [source.id])
            assert now.turn is None
            assert "picked" in next(s for s in now.scene.shapes if s.id == source.id).role
            pairs = [[source.id, target.id] for target in now.choices]
            found += [step(position, position.seat, picks).turn for picks in pairs]
        legal = [position.format_turn(position.seat, (move,)) for move in position.moves]
        assert sorted(map(str, found)) == sorted(legal)


def test_a_pass_needs_no_click() -> None:
    now = step(GAME.start(), 0, [])
    assert now.turn == "pass"
    assert "pass" in now.prompt


def test_r06_a_segment_moves_once() -> None:
    position = GAME.start()
    first = position.moves[0]
    now = step(position, 0, picks_for(position, (first,)))
    used = position.segments[source_of(first)]
    left = {choice.id.removeprefix("from-") for choice in now.choices}
    own = {f.name for f in position.fields if f.owner == 0 and f.segment != used}
    assert left <= own


def test_moves_are_shown_carried_out_but_nothing_explodes() -> None:
    rng = Random(3)  # noqa: S311
    shown = 0
    for turns in range(1, 30, 3):
        position = play_on(GAME, AtlantisOptions("rhombus", 3), 0, turns, rng)
        turn = position.random_turn(position.seat, rng)
        now = step(position, position.seat, picks_for(position, turn))
        if not turn:
            continue
        caption, moved = position.stages({position.seat: turn})[0]
        assert caption == "moves"
        for field in moved.fields:
            assert stones(now.scene, field.name) == stones(moved.scene(None), field.name)
        shown += 1
    assert shown > 4


def test_the_prompt_says_how_much_explodes() -> None:
    rng = Random(4)  # noqa: S311
    seen = set()
    for turns in range(2, 40, 2):
        position = play_on(GAME, None, 0, turns, rng)
        stages = position.stages({position.seat: ()})
        count = sum(len(after.highlight) for caption, after in stages if "wave" in caption)
        words = {0: "nothing explodes", 1: "1 field explodes"}.get(count, f"{count} fields explode")
        assert step(position, position.seat, []).prompt.endswith(words)
        seen.add(count)
    assert len(seen) > 2
