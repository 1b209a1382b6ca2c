"""R5, R6: a match with a given order of turns and given loadouts."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from agon.errors import IllegalMoveError, SettingError, TranscriptError
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.move import DEFAULT_LOADOUT, Loadout
from agon.match.transcript import (
    Transcript,
    TurnEvent,
    format_transcript,
    parse_transcript,
    replay,
    verify,
)
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from agon.games.game import JsonObject

GIVEN = SkyportOptions(turns=2, order="2 0 1", loadouts="laser droid | mortar laser|droid mortar")
WEAPONS = ((0, 2), (1, 0), (2, 1))


@pytest.mark.parametrize("seed", range(4))
def test_r6_the_order_is_as_given(seed: int) -> None:
    start = GAME.start(SkyportOptions(order="2 0 1"), seed)
    assert (start.seats, start.order, start.to_act) == (3, (2, 0, 1), (0, 1, 2))
    position = start.play(dict.fromkeys(range(3), DEFAULT_LOADOUT))
    for seat in (2, 0, 1, 2):
        assert position.to_act == (seat,)
        position = position.play({seat: ()})


def test_r5_given_loadouts_are_not_asked_for() -> None:
    start = GAME.start(GIVEN, 1)
    assert dict(start.forced) == {seat: Loadout(*pair) for seat, pair in enumerate(WEAPONS)}
    assert start.legal_moves(1) == (Loadout(1, 0),)
    assert start.turn_by_chance(1, 5) == Loadout(1, 0)
    with pytest.raises(IllegalMoveError, match="the match gives 'loadout laser droid'"):
        start.play({**start.forced, 0: DEFAULT_LOADOUT})
    with pytest.raises(IllegalMoveError, match="the match gives"):
        start.parse_turn(0, "loadout laser mortar")
    after = start.play(dict(start.forced))
    assert tuple(robot.weapons for robot in after.robots) == WEAPONS
    assert not after.forced
    dropped = start.drop({1: "crash"})
    assert dropped.forced == start.forced
    assert dropped.play(dict(dropped.forced)).robots[1].weapons == (1, 0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"order": "0 0"}, "order '0 0': expected every seat once, such as 1 0 2"),
        ({"order": "0"}, "order '0': expected every seat once"),
        ({"order": "0 1 3"}, "order '0 1 3'"),
        ({"order": "first second"}, "order 'first second'"),
        ({"map": "two", "order": "0 2 1"}, "order '0 2 1': of 3 seats, the match has 2"),
        ({"loadouts": "laser laser | droid laser"}, "loadouts, of seat 0: "),
        ({"loadouts": "laser mortar | axe laser"}, "seat 1: loadout 'loadout axe laser': exp"),
        ({"loadouts": "laser mortar"}, "loadouts 'laser mortar': expected those of 2 to 8 seats"),
        ({"order": "0 1 2", "loadouts": "laser mortar|droid laser"}, "of 2 seats, the match has 3"),
    ],
)
def test_what_cannot_be_given_is_refused(given: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        GAME.parse_options(given)
    assert message in str(caught.value)


def test_another_number_of_players_is_refused() -> None:
    with pytest.raises(SettingError, match="order '2 0 1': of 3 seats, the match has 2"):
        GAME.start(GIVEN, seats=2)


def test_texts_and_transcripts_keep_what_is_given() -> None:
    positions = [GAME.start(GIVEN, 9)]
    positions.append(positions[0].play(dict(positions[0].forced)))
    while positions[-1].to_act:
        (seat,) = positions[-1].to_act
        positions.append(positions[-1].play({seat: ()}))
    written = GAME.format_match(positions)
    assert GAME.format_match(GAME.parse_match(written)) == written

    events = tuple(
        TurnEvent({s: before.format_turn(s, t) for s, t in after.last_turns.items()})
        for before, after in itertools.pairwise(positions)
    )
    players: tuple[JsonObject, ...] = ({"name": "a"}, {"name": "b"}, {"name": "c"})
    played = Transcript(GAME, GIVEN, 9, players, events, positions[-1].outcome)
    file = format_transcript(played)
    assert parse_transcript(file) == played
    assert verify(parse_transcript(file)) == positions[-1].outcome
    assert [p.observe(None) for _, p in replay(played)] == [p.observe(None) for p in positions]
    with pytest.raises(TranscriptError, match="options: order '2 0 2'"):
        parse_transcript(file.replace("2 0 1", "2 0 2"))


def test_simulations_start_with_what_is_given() -> None:
    states, _ = play_batch(GAME.simulation(GIVEN), game_seeds(1, 0, 5), 1)
    for state in states:
        assert state["order"][:3].tolist() == [2, 0, 1]
        chosen = zip(state["primary"].tolist(), state["secondary"].tolist(), strict=True)
        assert tuple(chosen)[:3] == WEAPONS
