"""A seat that fails, in any game, is told of by name, in words."""

from __future__ import annotations

from random import Random

import pytest

from agon.games.players import tell_outcome
from agon.games.reasons import FAILED, format_failure, tell_reason
from agon.games.registry import find_game, game_names
from agon.match.transcript import Fault

PEOPLE = ["ada", "bob"]


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("name", game_names())
def test_every_fault_in_every_game_is_told_by_name(name: str, fault: Fault) -> None:
    position = find_game(name).start(seed=1, seats=2)
    rng = Random(1)  # noqa: S311  not a secret
    for _ in range(3):
        position = position.play(
            {seat: position.random_turn(seat, rng) for seat in position.to_act}
        )
    dropped = position.drop({1: fault.value})
    reason = format_failure(1, fault.value) if dropped.outcome is None else dropped.outcome.reason
    told = tell_reason(reason, PEOPLE)
    assert f"bob {FAILED[fault.value]}" in told
    assert fault.value in FAILED
    for word in ("seat", "black", "player2", "disqualified"):
        assert word not in told
    if dropped.outcome is not None:
        assert tell_outcome(dropped.outcome, PEOPLE) == f"ada won: {told}"


def test_several_who_failed_are_told_each() -> None:
    reason = "seat 0 disqualified: timeout, seat 2 disqualified: resigned"
    assert tell_reason(reason, ["ada", "bob", "eve"]) == "ada ran out of time, eve resigned"


@pytest.mark.parametrize(
    "reason", ["turn limit", "white queen surrounded", "seat 5: crash", "all players passed", ""]
)
def test_what_names_no_player_of_the_match_is_left_as_it_is(reason: str) -> None:
    assert tell_reason(reason, PEOPLE) == reason


def test_names_are_not_read_again() -> None:
    assert tell_reason("white: crash", ["seat 1: crash", "x"]) == "seat 1: crash crashed"
