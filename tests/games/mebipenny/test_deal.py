"""R14: a match that starts from given walls, hands and a given pile."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError, TranscriptError
from agon.games.bot import Budget
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import Tile
from agon.match.transcript import (
    Transcript,
    TurnEvent,
    final_outcome,
    format_transcript,
    parse_transcript,
    verify,
)
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from tests.games.mebipenny.situation import board_of, play

if TYPE_CHECKING:
    from agon.games.game import JsonObject
    from agon.games.mebipenny.position import MebiPennyPosition

DEAL = "walls 0,1 2,2 | hand 0,0 1,2 | hand 1,1 | pile 2,0 1,0"


def begin(deal: str = DEAL, rows: int = 3, cols: int = 3, seed: int = 0) -> MebiPennyPosition:
    return GAME.start(MebiPennyOptions(rows, cols, deal=deal), seed)


def test_r14_walls_and_hands_are_as_given() -> None:
    start = begin()
    assert board_of(start) == ". # .\n. . .\n. . #"
    assert start.hands == ((Tile(0, 0), Tile(1, 2)), (Tile(1, 1),))
    assert (start.seats, start.draw_size, start.options.walls) == (2, 4, 2)
    empty = begin("hand | hand 0,0 | hand", 1, 2)
    assert (empty.seats, empty.draw_size, empty.hands[1]) == (3, 1, (Tile(0, 0),))
    assert begin("hand | hand", 1, 1).outcome is not None  # R11


@pytest.mark.parametrize("seed", range(5))
def test_r14_the_pile_is_drawn_in_order_and_then_by_chance(seed: int) -> None:
    position = play(begin(seed=seed), "0,0", "1,1")
    assert position.hands == ((Tile(1, 2), Tile(2, 0)), (Tile(1, 0),))
    last = play(position, "1,2").hands[0][-1]
    assert last in {Tile(0, 2), Tile(2, 1)}


def test_r14_what_follows_by_chance_follows_from_the_seed() -> None:
    drawn = {play(begin(seed=seed), "0,0", "1,1", "1,2").hands[0][-1] for seed in range(20)}
    assert drawn == {Tile(0, 2), Tile(2, 1)}


def text_of(tiles: list[Tile] | tuple[Tile, ...]) -> str:
    return " ".join(f"{tile.row},{tile.col}" for tile in tiles)


@pytest.mark.parametrize("seed", range(6))
def test_r14_the_deal_that_chance_made_gives_the_same_match(seed: int) -> None:
    rng = Random(seed)  # noqa: S311
    positions = [GAME.start(MebiPennyOptions(5, 4, 3, "0.15"), seed)]
    drawn = []
    while positions[-1].to_act:
        last = positions[-1]
        seat = last.next_seat
        positions.append(last.play({seat: last.random_turn(seat, rng)}))
        drawn += [tile for tile in positions[-1].hands[seat] if tile not in last.hands[seat]]
    start = positions[0]
    walls = [claim.tile for claim in start.claims()]
    hands = " | ".join(f"hand {text_of(hand)}" for hand in start.hands)
    position = begin(f"walls {text_of(walls)} | {hands} | pile {text_of(drawn)}", 5, 4, seed=99)
    for before, after in pairwise(positions):
        assert position.observe(None) == before.observe(None)
        assert after.move is not None
        position = position.play_move(after.move)
    assert position.observe(None) == positions[-1].observe(None)


def test_r14_a_seat_does_not_know_the_deal() -> None:
    deals = (DEAL, "walls 0,1 2,2 | hand 0,0 1,2 | hand 2,1 | pile 1,1 2,0 1,0")
    one, other = (begin(deal, seed=seed) for seed, deal in enumerate(deals))
    assert one.observe(0) == other.observe(0)
    assert one.redeal(0, 5).draw_size == 4
    for name in GAME.bot_names:
        chosen = [GAME.bot(name, 3).choose(p, 0, Budget(depth=1)) for p in (one, other)]
        assert chosen[0] == chosen[1]
    draws = {play(one.redeal(0, seed), "0,0").hands[0][-1] for seed in range(30)}
    assert len(draws) > 1  # the order of the pile is forgotten


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("cards 1,1", "deal 'cards 1,1': expected parts such as walls"),
        ("hand 0,0 | | hand", "deal '': expected parts"),
        ("hand 0,0", "deal of 1 hands: expected 2 to 4"),
        ("hand | hand | hand | hand | hand", "deal of 5 hands"),
        ("hand a1 | hand", "tile 'a1': expected row,col such as 3,14"),
        ("hand -1,0 | hand", "tile '-1,0'"),
        ("hand 0,3 | hand", "tile 0,3: expected one on the board, which has 3 rows and 3 columns"),
        ("hand 0,0 | hand 0,0", "tile 0,0 is there twice"),
        ("walls 0,0 | hand | hand | pile 0,0", "tile 0,0 is there twice"),
        ("hand 0,0 0,1 0,2 1,0 1,1 1,2 2,0 | hand", "hand 0 has 7 tiles: expected at most 6"),
        ("hand | hand | pile 0,0 | pile 0,1", "pile is there 2 times"),
    ],
)
def test_r14_a_bad_deal_is_refused(deal: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        begin(deal)
    assert message in str(caught.value)


def test_r14_a_deal_has_its_own_seats_and_walls() -> None:
    with pytest.raises(SettingError, match="deal of 2 hands: the option seats says 3"):
        MebiPennyOptions(3, 3, 3, deal=DEAL)
    with pytest.raises(SettingError, match=r"seed_coverage '0\.5': expected 0 beside a deal"):
        MebiPennyOptions(3, 3, seed_coverage="0.5", deal=DEAL)
    with pytest.raises(SettingError, match="3 seats: the deal has 2 hands"):
        GAME.start(MebiPennyOptions(3, 3, deal=DEAL), seats=3)
    assert MebiPennyOptions(3, 3, deal=DEAL.replace(" | ", "|")).deal == DEAL


def test_r14_texts_and_transcripts_keep_the_deal() -> None:
    positions = [begin(seed=3)]
    texts = ("0,0", "1,1", "PASS", "PASS")
    for text in texts:
        positions.append(play(positions[-1], text))
    written = GAME.format_match(positions)
    assert GAME.format_match(GAME.parse_match(written)) == written
    assert GAME.parse_match(written)[-1].observe(None) == positions[-1].observe(None)

    events = tuple(TurnEvent({number % 2: text}) for number, text in enumerate(texts))
    players: tuple[JsonObject, ...] = ({"name": "a"}, {"name": "b"})
    played = Transcript(GAME, positions[0].options, 3, players, events, positions[-1].outcome)
    file = format_transcript(played)
    assert parse_transcript(file) == played
    assert verify(parse_transcript(file)) == final_outcome(played) == positions[-1].outcome
    with pytest.raises(TranscriptError, match="options: deal 'palm 2,0 1,0'"):
        parse_transcript(file.replace("pile", "palm"))


def test_r14_simulations_start_from_the_deal() -> None:
    options = MebiPennyOptions(3, 3, deal=DEAL)
    states, _ = play_batch(GAME.simulation(options), game_seeds(1, 0, 4), 0)
    for state in states:
        assert state["hands"][0][:2].tolist() == [0, 5]
        assert state["stacked"] == 2
