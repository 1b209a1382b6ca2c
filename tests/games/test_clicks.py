"""What holds for clicking in every game: the registry's, and the toy."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from agon.errors import IllegalMoveError, SettingError
from agon.games.registry import all_games
from agon.games.shapes import all_shapes
from agon.games.svg import format_svg
from tests import toy_game
from tests.games.clicking import click_turn, play_on, walk_steps
from tests.games.scene_json import scene_to_json

if TYPE_CHECKING:
    from agon.games.game import Game

GAMES = (*all_games(), toy_game.GAME)
TURNS_BEFORE = (0, 1, 2, 5, 9, 20, 33)

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
some_seeds = pytest.mark.parametrize("seed", range(3))


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311


@pytest.mark.long
@every_game
@some_seeds
def test_clicking_on_whatever_is_lit_makes_legal_turns(game: Game, seed: int) -> None:
    step, rng = game.clicks(), chance(seed)
    position = game.start(seed=seed)
    for _ in range(25):
        turns = {}
        for seat in position.to_act:
            text = step(position, seat, click_turn(step, position, seat, rng)).turn
            assert text is not None
            turns[seat] = position.parse_turn(seat, text)
            assert position.format_turn(seat, turns[seat]) == text
        position = position.play(turns)
        if position.outcome is not None:
            break


@pytest.mark.long
@every_game
@some_seeds
def test_what_may_be_clicked_is_there(game: Game, seed: int) -> None:
    step, rng = game.clicks(), chance(seed)
    lit = 0
    for turns in TURNS_BEFORE:
        position = play_on(game, None, seed, turns, rng)
        seat = rng.choice(position.to_act)
        for now in walk_steps(step, position, seat, click_turn(step, position, seat, rng)):
            shapes = {shape.id: shape for shape in all_shapes(now.scene.shapes)}
            for choice in now.choices:
                assert "choice" in shapes[choice.id].role.split()
            on_board = {s.id for s in shapes.values() if "choice" in s.role.split()}
            assert on_board == {choice.id for choice in now.choices}, "nothing else is lit"
            ids = [offer.id for offer in (*now.choices, *now.buttons)]
            assert len({*ids}) == len(ids)
            assert all(offer.label.strip() for offer in (*now.choices, *now.buttons))
            assert now.prompt
            assert ids or now.turn is not None, "there is always a way on"
            lit += len(ids)
    assert lit > 9


@every_game
def test_pictures_of_steps_are_pictures(game: Game) -> None:
    step, rng = game.clicks(), chance(1)
    position = play_on(game, None, 4, 6, rng)
    seat = position.to_act[0]
    usual = position.scene(seat)
    for now in walk_steps(step, position, seat, click_turn(step, position, seat, rng)):
        ElementTree.fromstring(format_svg(now.scene))  # noqa: S314
        assert scene_to_json(now.scene)["width"] == usual.width
        assert now.scene.height == usual.height
        assert now.scene.look == usual.look


@every_game
@some_seeds
def test_taking_back_is_asking_with_fewer_picks(game: Game, seed: int) -> None:
    step, rng = game.clicks(), chance(seed)
    position = play_on(game, None, seed, 8, rng)
    seat = rng.choice(position.to_act)
    picks = click_turn(step, position, seat, rng)
    steps = walk_steps(step, position, seat, picks)
    assert [len(now.pick_words) for now in steps] == [*range(len(picks) + 1)]
    for now in steps:
        assert now.pick_words == steps[-1].pick_words[: len(now.pick_words)]
    assert walk_steps(step, position, seat, picks) == steps, "nothing is remembered"


@every_game
def test_a_pick_that_was_not_offered_is_refused(game: Game) -> None:
    step, rng = game.clicks(), chance(7)
    position = play_on(game, None, 2, 7, rng)
    seat = position.to_act[0]
    picks = click_turn(step, position, seat, rng)
    bad = ("", " ", "nonsense", "pick-", "to-0", "send--1", "send-1e3", "<script>", "x" * 10_000)
    for count in range(len(picks) + 1):
        now = step(position, seat, picks[:count])
        for pick in bad:
            with pytest.raises(IllegalMoveError, match="expected") as raised:
                step(position, seat, [*picks[:count], pick])
            assert repr(pick[:40]) in str(raised.value)
            assert len(str(raised.value)) < 500
        offered = {offer.id for offer in (*now.choices, *now.buttons)}
        for pick in {*picks} - offered:
            with pytest.raises(IllegalMoveError):
                step(position, seat, [*picks[:count], pick])


@every_game
def test_who_owes_no_turn_has_nothing_to_click(game: Game) -> None:
    position = game.start(seed=1)
    for seat in (-1, position.seats, 99):
        with pytest.raises(SettingError, match=f"seat {seat}: the seats to act are"):
            game.clicks()(position, seat, [])
    over = position.drop(dict.fromkeys(range(position.seats), "crash"))
    assert over.outcome is not None
    with pytest.raises(SettingError, match="the match is over"):
        game.clicks()(over, 0, [])


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_looks_know_choices_and_picks(game: Game) -> None:
    styles = {style.role: style for style in game.start().scene(None).look.styles}
    assert styles["choice"].line != styles["picked"].line
    for word in ("choice", "picked"):
        assert isinstance(styles[word].line, tuple), "one colour for light, one for dark"
        assert styles[word].fill not in (None, "none"), "what has no fill cannot be clicked"
