"""What holds for every game: the registry's, and a toy with all that they do not have yet.

A game that is new in the registry is tested here without an edit.
"""

from __future__ import annotations

import functools
import json
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import IllegalMoveError, MissingPartError, NotationError, SettingError
from agon.games.bot import Budget, no_time
from agon.games.dialogue import Briefing
from agon.games.game import Game, JsonObject, Options, Outcome, Position
from agon.games.registry import all_games, find_game, game_names
from agon.games.shapes import all_shapes
from agon.games.svg import format_svg
from agon.kernel import JIT, new_records
from agon.match.transcript import Transcript, TurnEvent
from agon.simulate.cores import play_batch, simulate_on_cores
from agon.simulate.tally import game_seeds
from tests import toy_game
from tests.cli.process import call_agon
from tests.games.scene_json import scene_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parent.parent
TURNS = 100
GAMES: tuple[Game, ...] = (*all_games(), toy_game.GAME)

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
steady = settings(derandomize=True, deadline=None, max_examples=300)


def neighbouring_options(game: Game) -> Iterator[Options]:
    """The defaults, and whatever is one choice or one switch away from them."""
    default = game.options()
    yield default
    for field in fields(default):
        value = getattr(default, field.name)
        others: tuple[bool | str, ...] = tuple(field.metadata["choices"])
        if isinstance(value, bool):
            others = (not value,)
        for other in others:
            if other != value:
                yield replace(default, **{field.name: other})


EVERY_OPTION = [(game, options) for game in GAMES for options in neighbouring_options(game)]


def unusual(options: Options) -> dict[str, Any]:
    """What is set to something else than its default."""
    values = {field.name: getattr(options, field.name) for field in fields(options)}
    return {f.name: values[f.name] for f in fields(options) if values[f.name] != f.default}


def name_of(game: Game, options: Options) -> str:
    return " ".join([game.name, *(f"{k}={v}" for k, v in unusual(options).items())])


every_option = pytest.mark.parametrize(
    ("game", "options"), EVERY_OPTION, ids=[name_of(*pair) for pair in EVERY_OPTION]
)


@dataclass(frozen=True)
class Played:
    """A match of random turns: one more position than turns."""

    positions: tuple[Position[Any], ...]
    turns: tuple[dict[int, Any], ...]

    def moments(self, most: int) -> list[tuple[Position[Any], dict[int, Any]]]:
        """Some positions from the beginning to the end, each with the turns played there."""
        every = max(1, len(self.turns) // most)
        return list(zip(self.positions, self.turns, strict=False))[::every]


@functools.cache
def random_match(game: Game, options: Options | None = None, seed: int = 1) -> Played:
    """A match of random turns to its end, or for TURNS turns."""
    rng = Random(seed)  # noqa: S311
    positions = [game.start(options, seed)]
    played: list[dict[int, Any]] = []
    while positions[-1].to_act and len(played) < TURNS:
        last = positions[-1]
        played.append({seat: last.random_turn(seat, rng) for seat in last.to_act})
        positions.append(last.play(played[-1]))
    return Played(tuple(positions), tuple(played))


@functools.cache
def bot_match(game: Game, weaker: str, stronger: str) -> tuple[Position[Any], ...]:
    """A match of the stronger bot against as many of the weaker one as there are seats."""
    positions = [game.start(None, 5)]
    names = [stronger] + [weaker] * (positions[0].seats - 1)
    bots = [game.bot(name, 7 + seat) for seat, name in enumerate(names)]
    while positions[-1].to_act and len(positions) <= 400:
        last = positions[-1]
        turns = {seat: bots[seat].choose(last, seat, Budget(depth=1)) for seat in last.to_act}
        positions.append(last.play(turns))
    return tuple(positions)


def known_turns(position: Position[Any], seat: int, turn: Any) -> Sequence[Any]:
    """All legal turns, given one of them; that one alone where a turn has several moves."""
    moves = position.legal_moves(seat)
    return moves if turn in moves else (turn,)


def seen_by(position: Position[Any], seat: int | None = None) -> str:
    return json.dumps(position.observe(seat))


# --- the game object -----------------------------------------------------------------------------


def test_the_registry_finds_its_games_by_name() -> None:
    assert [game.name for game in all_games()] == list(game_names())
    assert all(find_game(name) is find_game(name) for name in game_names())
    with pytest.raises(SettingError, match=r"game 'chess': expected one of "):
        find_game("chess")


@every_game
def test_a_game_introduces_itself(game: Game) -> None:
    assert game.name.isidentifier()
    assert game.title
    assert game.summary.endswith(".")
    assert game.seats
    assert {*game.seats} <= {*range(2, 9)}
    assert game.start().seats in game.seats
    assert game.rules_version >= 1


@every_game
def test_another_games_options_are_refused(game: Game) -> None:
    class Strange(Options):
        pass

    with pytest.raises(SettingError, match="Strange"):
        game.start(Strange())
    with pytest.raises(SettingError, match="Strange"):
        game.simulation(Strange())


@every_game
def test_options_are_read_from_text(game: Game) -> None:
    assert game.parse_options({}) == game.options()
    for options in neighbouring_options(game):
        given = {}
        for field in fields(options):
            value = getattr(options, field.name)
            given[field.name] = ("off", "on")[value] if isinstance(value, bool) else str(value)
            assert field.metadata["help"]
        assert game.parse_options(given) == options


@every_game
def test_options_that_do_not_exist_are_refused(game: Game) -> None:
    with pytest.raises(SettingError, match="option 'nothing': expected "):
        game.parse_options({"nothing": "at all"})
    for field in fields(game.options):
        for rubbish in ("rubbish", "", "2.5", "0x10", "\0", "yes", "9" * 5000):
            if isinstance(field.default, str) and not field.metadata["choices"]:
                continue
            with pytest.raises(SettingError, match=field.name):
                game.parse_options({field.name: rubbish})


# --- positions -----------------------------------------------------------------------------------


@every_option
def test_a_match_goes_on_until_it_has_an_outcome(game: Game, options: Options) -> None:
    positions = random_match(game, options).positions
    for position in positions:
        assert position.seats == positions[0].seats
        assert position.to_act == tuple(sorted(set(position.to_act) & set(range(position.seats))))
        assert bool(position.to_act) == (position.outcome is None)
        for seat in range(position.seats):
            assert bool(position.legal_moves(seat)) == (seat in position.to_act)
    assert all(position.outcome is None for position in positions[:-1])
    assert positions[-1].outcome or len(positions) == TURNS + 1


@every_game
def test_random_games_end(game: Game) -> None:
    tally = simulate_on_cores(game.simulation(), games=200, seed=3, cap=500, threads=2)
    assert tally.games == 200
    assert tally.unfinished < tally.games
    assert tally.longest <= 500


@every_game
def test_play_wants_a_turn_of_just_the_seats_to_act(game: Game) -> None:
    match = random_match(game)
    for position, turns in match.moments(10):
        seat, turn = next(iter(turns.items()))
        others = {other: t for other, t in turns.items() if other != seat}
        stranger = next(n for n in range(position.seats + 1) if n not in position.to_act)
        before = seen_by(position)
        for wrong in ({}, others, turns | {stranger: turn}, others | {stranger: turn}, {-1: turn}):
            with pytest.raises(SettingError, match="the seats to act are"):
                position.play(wrong)
        assert seen_by(position) == before


def finished(game: Game) -> Position[Any]:
    position = bot_match(game, game.bot_names[0], game.bot_names[-1])[-1]
    assert position.outcome, "the strongest bot cannot beat the weakest in 400 turns"
    return position


@every_game
def test_no_seat_plays_on_after_the_end(game: Game) -> None:
    last = finished(game)
    turn = random_match(game).turns[0][0]
    assert last.to_act == ()
    for seat in range(last.seats):
        assert not last.legal_moves(seat)
        with pytest.raises(SettingError, match="the match is over"):
            last.play({seat: turn})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_turns_at_all_are_refused_after_the_end(game: Game) -> None:
    with pytest.raises(SettingError):
        finished(game).play({})


@every_option
def test_turns_of_other_positions_are_refused(game: Game, options: Options) -> None:
    match = random_match(game, options)
    refused = 0
    for here, turns in match.moments(12):
        for other in match.turns:
            for seat in set(turns) & set(other):
                legal = here.legal_moves(seat)
                if turns[seat] not in legal or other[seat] in legal:
                    continue
                with pytest.raises(IllegalMoveError):
                    here.play(turns | {seat: other[seat]})
                refused += 1
    assert refused or match.turns[0][0] not in match.positions[0].legal_moves(0)


@every_option
def test_play_leaves_the_old_position_as_it_is(game: Game, options: Options) -> None:
    match = random_match(game, options)
    for position, turns in match.moments(20):
        before = seen_by(position), position.to_act, tuple(position.legal_moves(next(iter(turns))))
        after = position.play(turns)
        assert after is not position
        later = seen_by(position), position.to_act, tuple(position.legal_moves(next(iter(turns))))
        assert before == later
        assert seen_by(position.play(turns)) == seen_by(after)


@every_option
def test_the_same_seed_gives_the_same_match(game: Game, options: Options) -> None:
    first = random_match(game, options)
    again = random_match.__wrapped__(game, options)
    assert first.turns == again.turns
    assert [*map(seen_by, first.positions[::10])] == [*map(seen_by, again.positions[::10])]


@every_game
def test_what_a_seat_knows_is_plain_json(game: Game) -> None:
    for position in random_match(game).positions[::10]:
        for seat in (None, *range(position.seats)):
            told = position.observe(seat)
            assert json.loads(json.dumps(told, allow_nan=False)) == told


@every_game
def test_ranks_fit_scores(game: Game) -> None:
    outcome = finished(game).outcome
    assert outcome
    assert len(outcome.scores) == finished(game).seats
    assert outcome.reason
    check_ranks(outcome)


@steady
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8))
def test_ranks_of_any_scores(scores: list[int]) -> None:
    check_ranks(Outcome(tuple(scores), "by chance"))


def check_ranks(outcome: Outcome) -> None:
    places = sorted(outcome.scores, reverse=True)
    assert outcome.ranks == tuple(places.index(score) for score in outcome.scores)
    best = [seat for seat, score in enumerate(outcome.scores) if score == places[0]]
    assert outcome.winner == (best[0] if len(best) == 1 else None)


# --- other options -------------------------------------------------------------------------------


@every_option
def test_a_position_can_be_seen_under_other_options(game: Game, options: Options) -> None:
    match = random_match(game)
    for position, turns in match.moments(5):
        if position.adjustable and unusual(options).keys() <= {*position.adjustable}:
            changed = position.with_options(options)
            assert changed.options == options
            assert seen_by(changed.with_options(game.options())) == seen_by(position)
            later = changed.play(turns)
            assert later.options == options
            assert seen_by(later) == seen_by(position.play(turns).with_options(options))
        elif unusual(options):
            with pytest.raises(SettingError, match="options that can change are"):
                position.with_options(options)
    start = match.positions[0]
    if unusual(options).keys() <= {*start.adjustable}:
        assert seen_by(start.with_options(options)) == seen_by(game.start(options, 1))
    over = finished(game)
    assert over.with_options(over.options).outcome == over.outcome
    with pytest.raises(SettingError, match="Options: expected"):
        over.with_options(Options())


@every_game
def test_notebooks_draw_positions(game: Game) -> None:
    position = random_match(game).positions[1]
    assert position._repr_svg_() == format_svg(position.scene(None))
    assert position.scene(0)._repr_svg_() == format_svg(position.scene(0))


# --- between processes ---------------------------------------------------------------------------


@every_game
def test_a_game_is_itself_after_pickling(game: Game) -> None:
    assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301  our own bytes


@every_option
def test_positions_are_played_on_after_pickling(game: Game, options: Options) -> None:
    match = random_match(game, options)
    for position, turns in match.moments(4):
        copy = pickle.loads(pickle.dumps(position))  # noqa: S301  our own bytes
        assert seen_by(copy) == seen_by(position)
        assert copy.scene(0) == position.scene(0)
        assert seen_by(copy.play(turns)) == seen_by(position.play(turns))
        dropped = position.drop({0: "crash"})
        copy = pickle.loads(pickle.dumps(dropped))  # noqa: S301
        assert (copy.outcome, copy.forced) == (dropped.outcome, dropped.forced)
        assert (copy.to_act, seen_by(copy)) == (dropped.to_act, seen_by(dropped))


@every_game
def test_transcripts_are_equal_after_pickling(game: Game) -> None:
    match = random_match(game)
    start = match.positions[0]
    events = [
        TurnEvent({s: p.format_turn(s, turn) for s, turn in turns.items()}, {min(turns): 5})
        for p, turns in match.moments(100)
    ]
    players: tuple[JsonObject, ...] = tuple({"name": f"b{s}"} for s in range(start.seats))
    transcript = Transcript(game, game.options(), 1, players, tuple(events))
    assert pickle.loads(pickle.dumps(transcript)) == transcript  # noqa: S301


# --- hidden information --------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_a_seat_is_not_told_what_is_hidden(rounds: int) -> None:
    position = toy_game.ToyPosition.of(random_match(toy_game.GAME).positions[rounds])
    held = {card for seat in range(3) for card in position.legal_moves(seat)}
    free = [toy_game.Card(card) for card in range(toy_game.DECK) if card not in held]
    for viewer in range(3):
        for other in {0, 1, 2} - {viewer}:
            changed = position.with_hand(other, free[: 3 - rounds])
            assert seen_by(changed, None) != seen_by(position, None)
            assert seen_by(changed, other) != seen_by(position, other)
            assert seen_by(changed, viewer) == seen_by(position, viewer)
            assert changed.scene(viewer) == position.scene(viewer)
            assert changed.legal_moves(viewer) == position.legal_moves(viewer)


def test_what_is_open_is_told_to_all() -> None:
    position = toy_game.GAME.start(toy_game.ToyOptions(open_hands=True), 4)
    assert seen_by(position, 0) == seen_by(position, 2) == seen_by(position, None)


def test_chance_follows_the_seed() -> None:
    dealt = {seen_by(toy_game.GAME.start(seed=seed)) for seed in (0, 1, 2, 2**63, 2**64 - 1)}
    assert len(dealt) == 5


@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_seats(seats: int) -> None:
    options = toy_game.ToyOptions(seats=seats, rounds=3)
    last = random_match(toy_game.GAME, options).positions[-1]
    assert last.outcome
    assert len(last.outcome.scores) == seats
    tally = simulate_on_cores(toy_game.GAME.simulation(options), 50, seed=1, cap=9, threads=1)
    assert (len(tally.wins), tally.plies) == (seats, 150)
    assert sum(tally.wins) + tally.shared == 50


# --- text ----------------------------------------------------------------------------------------


@every_option
def test_notation_inverts(game: Game, options: Options) -> None:
    match = random_match(game, options)
    for position, turns in match.moments(50):
        for seat, turn in turns.items():
            known = known_turns(position, seat, turn)
            texts = [position.format_turn(seat, other) for other in known]
            assert [position.parse_turn(seat, text) for text in texts] == list(known)
            assert len(set(texts)) == len(known)
            shown = [game.common_notation(text) for text in texts]
            assert len(set(shown)) == len(known)
            assert game.has_common_notation or shown == texts


@every_option
def test_a_replay_of_the_texts_gives_the_same_positions(game: Game, options: Options) -> None:
    match = random_match(game, options)
    replayed = game.start(options, 1)
    for position, turns in zip(match.positions, match.turns, strict=False):
        texts = {seat: position.format_turn(seat, turn) for seat, turn in turns.items()}
        read = {seat: replayed.parse_turn(seat, text) for seat, text in texts.items()}
        replayed = replayed.play(read)
    assert seen_by(replayed) == seen_by(match.positions[-1])


@every_game
def test_a_match_is_read_as_it_was_written(game: Game) -> None:
    # A text that players exchange tells the variant; it may not have words for the other options.
    for options in neighbouring_options(game):
        if unusual(options).keys() - {"variant"}:
            continue
        positions = random_match(game, options).positions
        for upto in {1, 2, len(positions)}:
            text = game.format_match(positions[:upto])
            read = game.parse_match(text)
            assert len(read) == upto
            assert [*map(seen_by, read[-3:])] == [*map(seen_by, positions[:upto][-3:])]
            assert game.format_match(read) == text
            assert seen_by(game.parse_position(text)) == seen_by(positions[upto - 1])


def check_line(error: Exception) -> None:
    assert str(error)
    assert str(error).isprintable(), "rubbish is quoted"


def misspelt(words: Sequence[str]) -> st.SearchStrategy[str]:
    """One of the words with a piece of it replaced, or two of them mixed up."""
    cut = st.integers(0, max(map(len, words)))
    return st.builds(
        lambda word, other, text, i, j: word[:i] + text + (other if i > j else word)[j:],
        st.sampled_from(words),
        st.sampled_from(words),
        st.text(max_size=3) | st.text("abwbGQ123=*/\\|-;. ", max_size=3),
        cut,
        cut,
    )


@every_game
@pytest.mark.parametrize("turn", [0, 12])
def test_rubbish_for_a_turn_is_refused_as_such(game: Game, turn: int) -> None:
    match = random_match(game)
    turn = min(turn, len(match.turns) - 1)
    position, turns = match.positions[turn], match.turns[turn]
    words = [position.format_turn(seat, turns[seat]) for seat in turns]
    words += [
        position.format_turn(seat, move)
        for seat in turns
        for move in known_turns(position, seat, turns[seat])
    ]

    @steady
    @given(st.sampled_from(sorted(turns)), st.text() | misspelt(words))
    def check(seat: int, text: str) -> None:
        try:
            read = position.parse_turn(seat, text)
        except (NotationError, IllegalMoveError) as error:
            check_line(error)
        else:
            position.play(turns | {seat: read})

    check()


@every_game
def test_rubbish_for_a_match_is_refused_as_such(game: Game) -> None:
    text = game.format_match(random_match(game).positions[:8])

    @steady
    @given(st.text() | misspelt([text]))
    def check(rubbish: str) -> None:
        try:
            assert game.parse_match(rubbish)
        except (NotationError, IllegalMoveError) as error:
            check_line(error)

    check()


# --- protocols and faults ------------------------------------------------------------------------


@every_game
def test_protocols_have_names(game: Game) -> None:
    assert game.dialogues()
    assert isinstance(game.dialogue(None), type(game.dialogue(next(iter(game.dialogues())))))
    with pytest.raises(SettingError, match="protocol 'telepathy': "):
        game.dialogue("telepathy")


@every_game
def test_protocols_speak_in_lines(game: Game) -> None:
    match = random_match(game)
    moments = list(zip(match.positions, match.turns, match.positions[1:], strict=False))
    for protocol in game.dialogues():
        for seat in range(match.positions[0].seats):
            dialogue = game.dialogue(protocol)
            lines = dialogue.open(match.positions[0], seat, Briefing(10**9, names=("a",) * 8))
            for before, turns, after in moments[:20]:
                if seat in turns:
                    lines += dialogue.ask(before)
                    if dialogue.can_list_moves:
                        lines.append(dialogue.legal_line(before, seat))
                lines += dialogue.tell(before, turns, after)
            lines += dialogue.close(after.drop({seat: "tired"}).outcome)
            lines += dialogue.leave()
            assert lines
            assert all(line.isprintable() for line in lines)


@every_game
def test_who_fails_does_not_win(game: Game) -> None:
    position = random_match(game).positions[1]
    rng = Random(1)  # noqa: S311
    for seat in range(position.seats):
        after = position.drop({seat: "crash"})
        if after.outcome is not None:
            assert "crash" in after.outcome.reason
        while after.to_act:
            turns = {s: after.random_turn(s, rng) for s in after.to_act}
            after = after.play(turns | dict(after.forced))
        assert after.outcome is not None
        assert len(after.outcome.scores) == position.seats
        assert after.outcome.ranks[seat] == position.seats - 1
        assert position.outcome is None


@every_game
def test_no_seat_wins_if_all_fail(game: Game) -> None:
    position = random_match(game).positions[1]
    dropped = position.drop(dict.fromkeys(range(position.seats), "crash"))
    assert dropped.to_act == ()
    assert dropped.outcome is not None
    assert dropped.outcome.winner is None


def full_table(game: Game) -> Position[Any]:
    """The start of a match for as many as can play."""
    try:
        return game.start(None, 1, game.seats[-1])
    except SettingError:  # an option says how many
        return game.start(None, 1)


@pytest.mark.long
@every_game
def test_seats_that_fail_one_after_the_other_fail_as_if_at_once(game: Game) -> None:
    position = full_table(game)
    rng = Random(2)  # noqa: S311
    pairs = [(a, b) for a in range(position.seats) for b in range(position.seats) if a != b]
    for _ in range(6):
        for a, b in rng.sample(pairs, min(6, len(pairs))):
            first = position.drop({a: "crash"})
            if first.outcome is not None:
                continue
            apart, together = first.drop({b: "timeout"}), position.drop({a: "crash", b: "timeout"})
            assert (apart.outcome, apart.to_act) == (together.outcome, together.to_act)
            assert apart.forced == together.forced
            assert seen_by(apart) == seen_by(together)
            assert apart.scene(None) == together.scene(None)
        if not position.to_act:
            break
        turns = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        position = position.play(turns | dict(position.forced))


# --- pictures ------------------------------------------------------------------------------------


@every_game
def test_scenes_are_pictures(game: Game) -> None:
    for position in (*random_match(game).positions[::15], finished(game)):
        for seat in (None, *range(position.seats)):
            scene = position.scene(seat)
            ids = [shape.id for shape in all_shapes(scene.shapes) if shape.id]
            assert ids
            assert len(ids) == len(set(ids))
            root = ElementTree.fromstring(format_svg(scene))  # noqa: S314  our own picture
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            drawn = {element.get("id") for element in root.iter()}
            assert {*ids} <= drawn
            json.dumps(scene_to_json(scene), allow_nan=False)


@every_game
@pytest.mark.parametrize("width", [20, 80, 200])
def test_terminals_show_every_position(game: Game, width: int) -> None:
    for position in (*random_match(game).positions[::20], finished(game)):
        board = game.terminal_board(position, width).plain
        assert board.strip()
        assert board.replace("\n", "").isprintable()


# --- bots ----------------------------------------------------------------------------------------


@every_game
def test_bots_are_those_that_the_game_names(game: Game) -> None:
    assert sorted(game.bots()) == sorted(game.bot_names)
    assert len(set(game.bot_names)) == len(game.bot_names)
    assert game.usual_opponent in game.bot_names
    with pytest.raises(SettingError, match="bot 'nobody': "):
        game.bot("nobody", 0)


EVERY_BOT = [(game, name) for game in GAMES for name in game.bot_names]
every_bot = pytest.mark.parametrize(
    ("game", "name"), EVERY_BOT, ids=[f"{game.name} {name}" for game, name in EVERY_BOT]
)


@every_bot
def test_bots_play_legal_turns_for_a_whole_match(game: Game, name: str) -> None:
    positions = bot_match(game, game.bot_names[0], name)
    assert positions[-1].outcome or len(positions) == 401
    text = game.format_match(positions)
    assert seen_by(game.parse_position(text)) == seen_by(positions[-1])


@every_bot
def test_bots_choose_the_same_for_the_same_seed(game: Game, name: str) -> None:
    first = bot_match(game, game.bot_names[0], name)
    again = bot_match.__wrapped__(game, game.bot_names[0], name)
    assert game.format_match(first) == game.format_match(again)


@every_bot
@pytest.mark.parametrize("seed", [0, 2**62])
def test_bots_leave_the_position_as_it_is(game: Game, name: str, seed: int) -> None:
    position = random_match(game).positions[min(2, len(random_match(game).turns) - 1)]
    seat = position.to_act[-1]
    before = seen_by(position)
    turn = game.bot(name, seed).choose(position, seat, Budget(depth=1))
    assert turn in known_turns(position, seat, turn)
    assert seen_by(position) == before


@every_bot
def test_bots_choose_in_no_time_at_all(game: Game, name: str) -> None:
    position = random_match(game).positions[1]
    seat = position.to_act[0]
    turn = game.bot(name, 1).choose(position, seat, Budget(no_time, deadline=0))
    others = random_match(game).turns[1]
    assert position.play(others | {seat: turn})


# --- counting and simulation ---------------------------------------------------------------------


@every_game
def test_perft_counts_the_legal_moves(game: Game) -> None:
    for position in random_match(game).positions[:20:5]:
        try:
            jobs = game.perft_jobs(position, 1)
        except MissingPartError as error:
            check_line(error)
            return
        moves = position.legal_moves(position.to_act[0])
        assert sum(job.count() for job in jobs) == len(moves)


@every_option
def test_a_simulation_is_made_of_its_parts(game: Game, options: Options) -> None:
    simulation = game.simulation(options)
    seeds, cap = game_seeds(2, 0, 12), 25
    states, plies = play_batch(simulation, seeds, cap)
    setup, work = simulation.setup[0], new_records(simulation.work)[0]
    alone = new_records(simulation.state, len(seeds))
    over = []
    for state, seed, expected in zip(alone, seeds, plies, strict=True):
        simulation.start(setup, state, seed)
        played = 0
        while played < cap and not simulation.is_over(setup, state):
            simulation.play_random_turn(setup, state, work)
            played += 1
        assert played == expected
        over.append(bool(simulation.is_over(setup, state)))
    assert alone.tobytes() == states.tobytes()
    scores = simulation.score_games(states)
    assert scores.shape == (len(seeds), simulation.seats)
    assert [bool((row >= 0).all()) for row in scores] == over
    assert [bool((row == -1).all()) for row in scores] == [not ended for ended in over]


@every_game
def test_fields_of_records_can_be_read_interpreted(game: Game) -> None:
    simulation = game.simulation()
    for dtype in (simulation.setup.dtype, simulation.state, simulation.work):
        taken = {*dir(np.record), *dir(np.recarray)} & {*(dtype.names or ())}
        assert not taken, "NumPy's own attribute would hide the field"


@every_option
def test_threads_do_not_change_the_games(game: Game, options: Options) -> None:
    simulation = game.simulation(options)
    sums = {
        simulate_on_cores(simulation, 300, seed=9, cap=20, threads=threads, checksum=True).checksum
        for threads in (1, 2, 5)
    }
    assert len(sums) == 1


def small_checksums() -> list[str | None]:
    """A few short games with every option, in the way that this process runs kernels."""
    return [
        simulate_on_cores(game.simulation(options), 4, 5, 25, 1, checksum=True).checksum
        for game, options in EVERY_OPTION
    ]


def simulate(name: str, threads: int) -> JsonObject:
    """What the command line says of a few games of this name."""
    command = f"simulate {name} --games 5 --cap 40 --seed 11 --checksum --json --threads {threads}"
    done = call_agon(*command.split())
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return {key: told[key] for key in ("checksum", "wins", "plies", "unfinished")}


def call_the_other_way(call: str) -> Any:
    """What this call of this module, `m`, gives in a process that runs kernels in the other way."""
    code = f"import json; from tests import test_every_game as m; print(json.dumps({call}))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env=os.environ | {"AGON_JIT": "0" if JIT else "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.system
def test_interpreted_and_compiled_games_agree_with_every_option() -> None:
    found = small_checksums()
    assert found == call_the_other_way("m.small_checksums()")
    assert len(found) == len(EVERY_OPTION)
    assert None not in found


@pytest.mark.system
def test_the_command_line_simulates_the_same_in_every_way() -> None:
    found = [simulate(name, 1) for name in game_names()]
    assert all(told["checksum"] for told in found)
    assert found == [simulate(name, 2) for name in game_names()]
    assert found == call_the_other_way("[m.simulate(name, 1) for name in m.game_names()]")
