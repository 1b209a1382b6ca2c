"""Turns entered move by move: the same matches as the rules play, and what is seen of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from agon.games.atlantis.board import (
    DEAD,
    GROWING,
    NO_OWNER,
    OPEN,
    direction_of,
    encode_move,
    source_of,
    stones_of,
)
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.document import BoardText, format_custom, format_segments, format_stacks
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.learning import MOST, NOBODYS
from agon.games.atlantis.notation import format_turn
from agon.kernel import JIT, new_records
from agon.learn import BatchEnv
from agon.learn.stepping import OVER
from tests.games.atlantis.situation import drawn_board
from tests.games.atlantis.test_naive_agrees import MAKERS, seeded

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.atlantis.geometry import Board
    from agon.games.atlantis.position import AtlantisPosition

DECISIONS = 400 if JIT else 60


def custom(board: Board) -> AtlantisOptions:
    """The options by which a match is played on this board."""
    stacks = [format_stacks(stacks) for stacks in board.stacks]
    return AtlantisOptions(custom=format_custom(BoardText(format_segments(board), stacks, board)))


def drawn(drawing: str, players: int = 2, segments: str | None = None) -> AtlantisOptions:
    return custom(drawn_board(drawing, players, segments))


BOARDS = {
    "triangle": AtlantisOptions(),
    "small hexagon": AtlantisOptions("hexagon", 2),
    "rhombus of four": custom(standard_board("rhombus", 3, 4)),
    "hexagon of six": custom(standard_board("hexagon", 4, 6)),  # in larger records
}


class Follower:
    """A batch of one match, and the same match as the rules play it, turn by turn."""

    def __init__(self, options: AtlantisOptions, seed: int = 0) -> None:
        self.env = BatchEnv(GAME, 1, options=options, seed=seed, limit=10**6)
        self.learning = self.env.learning
        (self.fields,), (_, self.longest), _ = (part.shape for part in self.learning.actions)
        self.end = self.learning.action_count - 1
        self.start = GAME.start(options)
        self.position = self.until_asked(self.start)
        self.source = 0
        self.entered: tuple[int, ...] = ()

    @staticmethod
    def until_asked(position: AtlantisPosition) -> AtlantisPosition:
        """R16: as it is when the empty turns are played."""
        while position.forced:
            position = position.play(position.forced)
        return position

    @property
    def actions(self) -> list[int]:
        count = int(self.env.counts[0])
        return [int(action) for action in self.env.actions[0][:count]]

    def legal_actions(self) -> list[int]:
        """What the rules allow, as numbers of actions."""
        if self.position.outcome is not None:
            return []
        segments = self.position.segments
        used = {segments[source_of(move)] for move in self.entered}
        if self.source:
            return [
                self.fields + direction_of(move) * self.longest + stones_of(move) - 1
                for move in self.position.moves
                if source_of(move) == self.source
            ]
        sources = {source_of(move) for move in self.position.moves}
        return [s - 1 for s in sorted(sources) if segments[s] not in used] + [self.end]

    def enter(self, action: int) -> None:
        """Take an action in both."""
        self.env.step([action])
        if action == self.end:
            turns = {self.position.seat: self.entered}
            self.position = self.until_asked(self.position.play(turns))
            self.entered = ()
            if self.env.ends[0] == OVER:
                self.check_end()
        elif self.source:
            direction, step = divmod(action - self.fields, self.longest)
            self.entered += (encode_move(self.source, direction, step + 1),)
            self.source = 0
        else:
            self.source = action + 1

    def check_end(self) -> None:
        """R15: the one who left all others behind has 1; then another match begins."""
        outcome = self.position.outcome
        assert outcome is not None
        seats = len(outcome.scores)
        wanted = [2 * score / (seats - 1) - 1 for score in outcome.scores]
        assert self.env.rewards[0].tolist() == pytest.approx(wanted)
        self.position = self.until_asked(self.start)

    def compare(self) -> None:
        """The record, what may be done, and what is seen."""
        state, position = self.env.states[0], self.position
        wanted = position.copy_state()
        wanted["random"] = state["match"]["random"]
        assert state["match"].tobytes() == wanted.tobytes()
        assert state["moves"][: len(self.entered)].tolist() == list(self.entered)
        assert not state["moves"][len(self.entered) :].any()
        used = {position.segments[source_of(move)] for move in self.entered}
        assert set(np.flatnonzero(state["used"]).tolist()) == used
        assert self.actions == self.legal_actions()
        if position.outcome is None:
            assert int(self.env.to_act[0]) == position.seat
            assert state["match"]["asked"] == 1
            assert (self.env.observations[0] == observe(self.env, position.seat)).all()
            self.compare_observation(position.seat)
            self.compare_observation(position.seat - 1 if position.seat else position.seats - 1)

    def compare_observation(self, seat: int) -> None:
        """What `observe` tells, in numbers; and the turn being made, to the seat that makes it."""
        seats, to_move = self.position.seats, seat == self.position.seat
        told: Any = self.position.observe(seat)
        names = [part.name for part in self.learning.observation]
        shown = {name: observe(self.env, seat, name) for name in names}
        numbers = [int(shown[name][0]) for name in ("source", "seat", "to_move", "players", "turn")]
        source = self.source - 1 if to_move else -1
        assert numbers == [source, seat, int(to_move), seats, told["turn"]]
        planes = (shown[name].tolist() for name in ("kinds", "owners", "stones"))
        stacks: list[dict[str, int]] = [{} for _ in range(seats)]
        for name, kind, owner, stones in zip(self.position.names[1:], *planes, strict=True):
            if owner == NOBODYS:
                assert (kind, stones) in ((OPEN, 0), (DEAD, 0))
            else:
                stacks[(owner + seat) % seats][name] = -stones if kind == GROWING else stones
        dead = [self.position.names[place + 1] for place in np.flatnonzero(shown["kinds"] == DEAD)]
        assert dead == [field.name for field in self.position.fields if field.kind == DEAD]
        alive = [{f: n for f, n in own.items() if f not in dead} for own in told["stacks"]]
        assert stacks == alive
        assert self.shown_moves(shown) == (list(self.entered) if to_move else [])

    def shown_moves(self, shown: dict[str, Any]) -> list[int]:
        """The moves that were entered, in their order, out of the planes."""
        found = {}
        for place in np.flatnonzero(shown["leaving"]):
            direction, stones = int(shown["directions"][place]), int(shown["leaving"][place])
            move = encode_move(int(place) + 1, direction, stones)
            found[int(shown["entered"][place])] = move
        sources = {self.position.segments[source_of(move)]: n for n, move in found.items()}
        wanted = [sources.get(segment, 0) for segment in self.position.segments[1:]]
        assert shown["entered"].tolist() == wanted
        assert ((shown["directions"] >= 0) == (shown["leaving"] > 0)).all()
        return [found[number] for number in sorted(found)]


def play_along(follower: Follower, decisions: int, seed: object) -> int:
    """Random actions, compared after each; how many matches have ended."""
    rng, ended = seeded(seed), 0
    follower.compare()
    for _ in range(decisions):
        actions = follower.actions
        if len(follower.entered) < 2 and actions[-1] == follower.end:  # else turns are short
            actions = actions[:-1] or actions
        follower.enter(rng.choice(actions))
        follower.compare()
        ended += int(follower.env.ends[0] == OVER)
    return ended


@pytest.mark.parametrize("name", BOARDS)
def test_matches_are_those_of_the_rules(name: str) -> None:
    ended = play_along(Follower(BOARDS[name]), DECISIONS, name)
    assert ended or "small" not in name or not JIT


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_matches_on_odd_boards_are_those_of_the_rules(make: Callable[..., Board]) -> None:
    """With seats that are never asked, from positions in which no seat or a later one is."""
    followed = 0
    for number in range(30 if JIT else 2):
        rng = seeded(("learning", number))
        follower = Follower(custom(make(rng, rng.choice([2, 4]))))
        if follower.actions:
            play_along(follower, 40, number)
            followed += 1
    assert followed


def test_an_action_is_a_source_a_way_or_the_end() -> None:
    """R5, R6: two stones go up, two of three to the lower right; then both segments are used."""
    options = drawn(
        """
        .   .   .   .   .
          .   .   .   .   .
            r2  r3  b9  .   .
              r1  .   .   .   .
                .   .   .   .   .
        """,
        segments="""
        c   c   c   c   c
          c   c   c   c   c
            a   b   c   c   c
              a   c   c   c   c
                c   c   c   c   c
        """,
    )
    follower = Follower(options)
    assert (follower.fields, follower.longest) == (25, 4)
    a2, a3, b3 = (follower.position.names.index(name) - 1 for name in ("a2", "a3", "b3"))
    assert follower.actions == [*sorted([a2, a3, b3]), follower.end]
    follower.enter(a3)
    ways = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (5, 1), (5, 2)]  # left of it is the sea
    assert follower.actions == [25 + 4 * direction + steps - 1 for direction, steps in ways]
    follower.enter(25 + 4 * 0 + 2 - 1)
    assert follower.actions == [b3, follower.end]
    follower.enter(b3)
    follower.enter(25 + 4 * 2 + 2 - 1)
    assert follower.actions == [follower.end]
    follower.compare()
    assert format_turn(follower.position, follower.entered) == "a3-c5 b3-b1"
    follower.enter(follower.end)
    follower.compare()
    assert follower.env.to_act.tolist() == [1]
    assert observe(follower.env, 0, "stones")[follower.position.names.index("c5") - 1] == 2


def test_r16_seats_that_are_not_asked_are_passed_over_before_the_first_turn() -> None:
    options = drawn("r1  .       b2  .   g2", 3)
    env = BatchEnv(GAME, 2, options=options)
    assert env.to_act.tolist() == [1, 1]
    assert env.part("turn").tolist() == [[1], [1]]
    assert env.states["match"]["turn"].tolist() == [1, 1]
    assert not GAME.start(options).state["asked"]


def test_r14_a_match_that_is_over_at_once_has_no_decision() -> None:
    env = BatchEnv(GAME, 2, options=drawn("r1  .       b2  .   ."))
    assert env.counts.tolist() == [0, 0]
    assert env.to_act.tolist() == [-1, -1]
    env.step([0, 0])
    assert env.ends.tolist() == [OVER, OVER]
    assert env.rewards.tolist() == [[-1, 1], [-1, 1]]


def test_seats_are_counted_from_the_one_who_looks() -> None:
    env = BatchEnv(GAME, 1, options=drawn("r1  b2  G3  #   .   y4", 4))
    assert observe(env, 1, "owners").tolist() == [3, 0, 1, -1, -1, 2]
    assert observe(env, 3, "owners").tolist() == [1, 2, 3, -1, -1, 0]
    assert observe(env, 3, "kinds").tolist() == [0, 0, 1, 2, 0, 0]
    assert observe(env, 3, "seat").tolist() == [3]


def test_more_stones_than_can_be_told() -> None:
    env = BatchEnv(GAME, 1, options=drawn("r40000  .   .   b1"))
    assert env.part("stones").tolist() == [[MOST, 0, 0, 1]]
    env.states["match"]["turn"] = 10**6
    assert observe(env, 0, "turn").tolist() == [MOST]


def observe(env: BatchEnv, seat: int, name: str = "") -> Any:
    """What a seat knows of the first match, or a part of it."""
    learning, at = env.learning, 0
    row = np.zeros(learning.observation_size, learning.observed)
    learning.encode(learning.setup[0], env.states[0], new_records(learning.work)[0], seat, row)
    for part in learning.observation:
        if part.name == name:
            return row[at : at + part.size]
        at += part.size
    return row


def test_what_is_hidden_is_not_seen() -> None:
    """Of another seat's turn what is not played yet; chance; who had a dead field."""
    follower = Follower(AtlantisOptions("hexagon", 2))
    play_along(follower, DECISIONS // 4, "hidden")
    while follower.source or not follower.entered:
        follower.enter(follower.actions[0])
    env, seat = follower.env, follower.position.seat
    rows = [observe(env, one) for one in range(2)]
    match = env.states["match"]
    match["random"] ^= np.uint64(12345)
    match["owner"][(match["kind"] == DEAD) & (match["owner"] != NO_OWNER)] ^= 1
    assert all((observe(env, one) == row).all() for one, row in enumerate(rows))
    env.redeal([1 - seat], seed=3)  # which forgets the moves
    assert not env.states[0]["count"]
    assert not env.states[0]["used"].any()
    assert (observe(env, 1 - seat) == rows[1 - seat]).all()
    assert (observe(env, seat) != rows[seat]).any()


@pytest.mark.parametrize("name", BOARDS)
def test_records_have_no_gaps(name: str) -> None:
    state = GAME.learning(BOARDS[name]).state
    assert sum(state[field].itemsize for field in state.names or ()) == state.itemsize


def test_the_space_of_actions_is_that_of_the_board() -> None:
    env = BatchEnv(GAME, 1)
    assert [part.size for part in env.learning.actions] == [147, 6 * 13, 1]
    far = drawn("r9  .   .   #   .   .   .   .   b9")
    assert GAME.learning(far).actions[1].shape == (6, 4)  # across no dead field
    apart = drawn("R1      b1")
    assert GAME.learning(apart).actions[1].shape == (6, 1)
