"""No player learns another's hand: what a player cannot know changes no byte of what it is told."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import IllegalMoveError
from agon.games.http_exchange import encode
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.wire import WirePlayer, parse_new_move
from agon.match.match import Match
from agon.servers.mebipenny.game_in_play import GameInPlay, SeatedPlayer
from agon.servers.mebipenny.public_position import OBSERVER, public_view
from tests.servers.mebipenny.quiet_lobby import Time

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition

PLAYERS = [WirePlayer(f"id{seat}", f"player {seat}") for seat in range(4)]


def play_of(position: MebiPennyPosition) -> GameInPlay:
    """A game in this position."""
    time = Time()
    seats = [SeatedPlayer(player) for player in PLAYERS[: position.seats]]
    match = Match.start(GAME, [seat.player.name for seat in seats], position.options)
    match.position = position
    return GameInPlay(match, seats, 0, 1, time.read, time, lambda _: None, lambda: None)


def told(known: MebiPennyPosition | None, now: MebiPennyPosition, seat: int) -> list[bytes]:
    """All that the seat and observers are told in a position, if the seat knew another one."""
    play = play_of(now)
    play.seats[seat].known = known
    return [play.news(seat), encode(play.game(None))]


def refusals(position: MebiPennyPosition) -> list[str]:
    """What the seat to move is told of every tile that it does not have."""
    found = []
    for row in range(position.options.rows):
        for col in range(position.options.cols):
            move: Any = {"tile": {"row": row, "col": col}, "favor": PLAYERS[position.next_seat].id}
            try:
                parse_new_move(position, move, PLAYERS)
            except IllegalMoveError as error:
                found.append(str(error))
    return found


@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(2, 4),
    side=st.integers(3, 6),
    turns=st.integers(0, 30),
    other=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=60, derandomize=True)
def test_two_games_that_are_equal_for_a_player_give_equal_bytes(
    seed: int, seats: int, side: int, turns: int, other: int
) -> None:
    rng = Random(seed)  # noqa: S311
    position = GAME.start(MebiPennyOptions(side, side, seats, "0.1"), seed)
    known: dict[int, MebiPennyPosition] = {}
    for _ in range(turns):
        if position.outcome is not None:
            break
        known[position.next_seat] = position
        position = position.play_move(position.random_turn(position.next_seat, rng))
    for seat in range(seats):
        before, dealt = known.get(seat), position.redeal(seat, other)
        before_dealt = None if before is None else before.redeal(seat, other + 1)
        assert told(before, position, seat) == told(before_dealt, dealt, seat)
        if position.to_act == (seat,):
            assert refusals(position) == refusals(dealt)


def test_dealing_anew_does_change_what_others_hold() -> None:
    position = GAME.start(MebiPennyOptions(6, 6, 3), 1)
    dealt = position.redeal(0, 2)
    assert dealt.hands[0] == position.hands[0]
    assert dealt.hands[1:] != position.hands[1:]
    assert told(None, position, 1) != told(None, dealt, 1)


def test_spectators_see_no_hand_while_a_game_is_under_way() -> None:
    position = GAME.start(MebiPennyOptions(6, 6, 3), 1)
    shown = public_view(position)
    dealt = public_view(position.redeal(OBSERVER, 2))
    for seat in (None, 0, 1, 2):
        assert shown.scene(seat) == position.scene(OBSERVER) == dealt.scene(seat)
        assert shown.observe(seat) == dealt.observe(seat)
    assert shown.observe(None)["hands"] == [6, 6, 6]
    assert shown.legal_moves(0) == ()
    assert position.scene(None) != position.scene(OBSERVER)
    assert (shown.outcome, shown.to_act, shown.scores) == (None, (0,), (0, 0, 0))


def test_spectators_see_all_when_it_is_over() -> None:
    over = GAME.start(MebiPennyOptions(6, 6, 3), 1).drop({0: "timeout"})
    assert public_view(over).scene(None) == over.scene(None)
