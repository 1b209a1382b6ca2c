"""Who is out of a match, and what is said to them: they gave up, or their time was over."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agon.arena.people.context import StaleError, State
from agon.arena.people.party import BotPlayer, Party, Person
from agon.arena.people.plays import Plays
from agon.arena.people.settings import PlaySettings
from agon.games.registry import find_game
from agon.website.play.view import play_body
from tests.website.play.clicking import quick_options, wait_until

if TYPE_CHECKING:
    from agon.arena.people.session import PlaySession
    from tests.website.people import World

PATIENCE_NS = 20 * 10**6


class Ticks:
    """A clock that stands still until a person's time is to be over."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now

    def pass_patience(self, session: PlaySession) -> None:
        """The people whose turn it is have no time left."""
        self.now += 2 * PATIENCE_NS
        session.check_patience()


def new_plays(world: World, ticks: Ticks) -> Plays:
    settings = PlaySettings(patience_ns=PATIENCE_NS, new_seed=lambda: 1)
    return Plays(world.store, world.site.live_matches, world.clock, settings=settings, clock=ticks)


def new_party(*players: Person | BotPlayer) -> Party:
    game = find_game("skyport")
    return Party(game, game.parse_options(quick_options(game.name)), players)


def begin(world: World, plays: Plays, *players: Person | BotPlayer) -> PlaySession:
    """A match in which all seats but 0, whose turn it is, wait."""
    session = plays.open(new_party(*players))
    people = [seat for seat, one in enumerate(players) if isinstance(one, Person)]
    wait_until(world, session, lambda one: all(map(one.may_act, people)))
    for seat in people:
        turns = session.position.legal_moves(seat)
        session.submit_text(seat, 1, session.position.format_turn(seat, turns[0]))
    wait_until(world, session, lambda one: one.position.to_act == (0,))
    return session


def out_of(session: PlaySession) -> list[str]:
    return [one.out for one in play_body(session, 0).players]


def test_whose_time_is_over_is_told_so_also_after_a_restart(world: World) -> None:
    ticks = Ticks()
    players = Person("a", name="ada"), Person("b", name="bob"), BotPlayer("random", "random")
    with closing(new_plays(world, ticks)) as plays:
        session = begin(world, plays, *players)
        ticks.pass_patience(session)
        wait_until(world, session, lambda one: one.may_act(1))
        check_time_is_over(session)
    with closing(new_plays(world, ticks)) as plays:
        plays.restore()
        restored = plays.find(session.key)
        assert restored
        wait_until(world, restored, lambda one: one.may_act(1))
        check_time_is_over(restored)


def check_time_is_over(session: PlaySession) -> None:
    body = play_body(session, 0)
    assert session.state is State.PLAYING
    assert body.status == "You ran out of time. The others play on."
    assert (body.may_resign, body.resigning) == (False, "")
    assert out_of(session) == ["ran out of time", "", ""]
    assert [one.has_left for one in body.players] == [False, False, False]
    assert play_body(session, 1).resigning == "Do you give up? random wins then."
    with pytest.raises(StaleError, match="not being played"):
        session.resign(0)
    assert out_of(session) == ["ran out of time", "", ""]


def test_between_two_the_match_ends_when_one_resigns(world: World) -> None:
    with closing(new_plays(world, Ticks())) as plays:
        session = begin(world, plays, Person("a", name="ada"), BotPlayer("random", "random"))
        session.resign(0)
        body = play_body(session, 0)
        assert session.state is State.OVER
        assert body.status == "random won: ada resigned"
        assert [one.has_left for one in body.players] == [True, False]
        assert body.stored == f"/matches/{session.match_id}"


def test_among_more_the_others_play_on_when_one_resigns(world: World) -> None:
    with closing(new_plays(world, Ticks())) as plays:
        players = Person("a", name="ada"), Person("b", name="bob"), BotPlayer("random", "random")
        session = begin(world, plays, *players)
        session.resign(0)
        assert play_body(session, 0).status == "You resigned. The others play on."
        wait_until(world, session, lambda one: one.may_act(1))
        assert play_body(session, 0).status == "You resigned. The others play on."
        assert out_of(session) == ["resigned", "", ""]
