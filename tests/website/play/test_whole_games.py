"""Matches of every game against a bot, by clicks, to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.people.context import State
from agon.datastore import MatchFilter
from agon.games.bot import Budget
from agon.games.registry import game_names
from agon.match.transcript import parse_transcript, verify
from tests.website.play.clicking import chance, find_picks, quick_options

if TYPE_CHECKING:
    from tests.website.people import World
    from tests.website.play.clicking import Clicker


@pytest.mark.parametrize("seat", ["0", "1"])
def test_a_whole_match_of_hive_in_either_seat(world: World, guest: Clicker, seat: str) -> None:
    """Chance would take too long: a bot says which turn to click."""
    guest.open("hive", seat=seat)
    advisor = guest.session.game.bot("search", 1)
    guest.wait()
    while guest.session.state is not State.OVER:
        moment, position = guest.session.now
        turn = advisor.choose(position, int(seat), Budget(depth=2))
        picks = find_picks(guest.session, int(seat), position.format_turn(int(seat), turn))
        guest.call("/turn", {"moment": moment, "picks": picks})
        guest.wait()
    loser = "white" if seat == "1" else "black"
    assert guest.look()["verdict"] == f"guest won: {loser} queen surrounded"
    check_stored(world, guest, "hive")


@pytest.mark.parametrize("game", game_names())
def test_resigning_is_a_legal_end_of_every_game(world: World, guest: Clicker, game: str) -> None:
    guest.open(game)
    guest.wait()
    guest.play_turn(chance(game))
    guest.wait()
    guest.call("/resign", {})
    guest.wait_for_end()
    assert guest.session.outcome
    assert guest.session.outcome.winner == 1
    play = guest.look()
    left = "one player left; " if game == "battlebots" else ""
    assert play["verdict"] == play["status"] == f"random won: {left}guest resigned"
    assert play["turns"][-1]["told"] == ["guest resigned"]
    check_stored(world, guest, game)
    assert play["verdict"] in guest.browser.get(play["stored"]).text
    ended = f"<td>{left}guest (person) resigned <small>unrated</small></td>"
    assert ended in guest.browser.get("/matches").text


def check_stored(world: World, guest: Clicker, game: str) -> None:
    """The match is stored, unrated, and can be replayed."""
    play = guest.look()
    assert (play["state"], play["may_act"], play["step"]) == ("over", False, None)
    assert play["verdict"]
    [match] = world.store.matches.find(MatchFilter(game=game))
    assert play["stored"] == f"/matches/{match.id}"
    assert not match.rated
    assert {seat.bot for seat in match.seats} == {"guest (person)", "random"}
    transcript = parse_transcript(world.store.matches.transcript(match.id).decode())
    verify(transcript)
    assert {player["kind"] for player in transcript.players} == {"person", "built-in"}
    assert guest.browser.get(play["stored"]).status_code == 200
    for name, value in quick_options(game).items():
        assert str(getattr(transcript.options, name)) == value
