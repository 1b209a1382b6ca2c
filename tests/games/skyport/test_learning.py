"""Decisions one by one: the same matches as whole turns, and no more is seen than is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from agon.games.skyport import board, weapons
from agon.games.skyport import move as acts
from agon.games.skyport.decisions import MOST_ACTIONS, NO_WALK
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.learning import MOST_DAMAGE, score_bounds
from agon.games.skyport.mapfile import LETTERS
from agon.games.skyport.move import LOADOUTS, WEAPONS, Action, Loadout
from agon.games.skyport.setup import hexes_near
from agon.kernel import as_int, new_records
from tests.games.skyport.situation import begin, change, drawn_map, options_for, play

if TYPE_CHECKING:
    from agon.games.skyport.position import SkyportPosition

MINES = "SRECR/ERRRC/CROER/RECVE/GREES"
OPTIONS = {
    "two": SkyportOptions(turns=20),
    "four": SkyportOptions(map="four", turns=8),
    "mines": options_for(drawn_map(MINES), turns=60),
    "given": SkyportOptions(
        order="2 0 1", loadouts="droid mortar | laser droid | mortar laser", turns=10
    ),
    "eight": SkyportOptions(map="eight", turns=3),
}
by_options = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


class Decided:
    """A match by decisions, and beside it the same match by whole turns."""

    def __init__(self, options: SkyportOptions, seed: int = 0) -> None:
        self.learning = GAME.learning(options)
        self.setup = self.learning.setup[0]
        self.work = new_records(self.learning.work)[0]
        self.states = new_records(self.learning.state)
        self.state = self.states[0]
        self.learning.start(self.setup, self.state, np.uint64(seed))
        self.turns = GAME.start(options, seed)
        if options.loadouts:
            self.turns = self.turns.play(self.turns.forced)
        self.loadouts: dict[int, Loadout] = {}
        self.actions: tuple[Action, ...] = ()
        self.walk: list[int] | None = None

    @classmethod
    def at(cls, position: SkyportPosition) -> Decided:
        """On from this position."""
        found = cls(position.options)
        found.states["match"][0] = position.copy_state()
        found.state.chosen = position.seats
        found.turns = position
        return found

    @property
    def seat(self) -> int:
        return int(self.learning.seat_to_act(self.setup, self.state))

    @property
    def now(self) -> SkyportPosition:
        """The position in the middle of a turn."""
        return self.turns.amid_turn(self.actions) if self.actions else self.turns

    @property
    def match(self) -> bytes:
        """The record of the rules."""
        return bytes(np.asarray(self.states)["match"].tobytes())

    @property
    def legal(self) -> list[int]:
        row = np.zeros(MOST_ACTIONS, np.int16)
        count = self.learning.list_actions(
            self.setup, self.state, self.work, as_int(self.seat), row
        )
        found: list[int] = row[:count].tolist()
        return found

    def named(self, action: int) -> tuple[str, int]:
        """The part of the action space, and the number in it."""
        for part in self.learning.actions:
            if action < part.size:
                return part.name, action
            action -= part.size
        raise AssertionError

    def number(self, name: str, index: int = 0) -> int:
        parts = [part.name for part in self.learning.actions]
        return index + sum(part.size for part in self.learning.actions[: parts.index(name)])

    def decide(self, action: int) -> None:
        seat = self.seat
        self.learning.play_action(self.setup, self.state, self.work, as_int(seat), as_int(action))
        name, index = self.named(action)
        if name == "loadout":
            self.loadouts[seat] = LOADOUTS[index]
            if len(self.loadouts) == self.turns.seats:
                self.turns = self.turns.play(self.loadouts)
        elif name == "droid":
            self.walk = []
        elif self.walk is not None and name == "move":
            self.walk.append(index)
        elif self.walk is not None:
            steps, self.walk = self.walk, None
            self.act(acts.droid(steps))
        elif name == "end":
            self.finish_turn()
        else:
            self.act(whole_action(name, index))

    def act(self, action: Action) -> None:
        self.actions = (*self.actions, action)
        if self.turns.ends_turn(self.actions):
            self.finish_turn()

    def finish_turn(self) -> None:
        self.turns = self.turns.play({self.turns.to_act[0]: self.actions})
        assert all(deed.refusal is None for deed in self.turns.deeds)
        self.actions = ()

    def decide_by_chance(self, rng: np.random.Generator) -> None:
        """A kind of action by chance, then one of it."""
        kinds: dict[str, list[int]] = {}
        for action in self.legal:
            kinds.setdefault(self.named(action)[0], []).append(action)
        names = list(kinds)
        self.decide(int(rng.choice(kinds[names[rng.integers(len(names))]])))

    def observe(self, seat: int) -> dict[str, Any]:
        """The observation by the names of its parts."""
        row, found, at = self.row(seat), {}, 0
        for part in self.learning.observation:
            found[part.name] = row[at : at + part.size].reshape(part.shape).tolist()
            at += part.size
        return found

    def row(self, seat: int) -> Any:
        row = np.zeros(self.learning.observation_size, self.learning.observed)
        self.learning.encode(self.setup, self.state, self.work, as_int(seat), row)
        return row

    def told(self, seat: int) -> dict[str, Any]:
        """What `Position.observe` tells the seat, as an observation has it."""
        told: Any = self.now.observe(seat)
        seats = self.turns.seats
        robots = [told["robots"][(seat + i) % seats] for i in range(seats)]
        is_own = self.seat == seat
        walk = self.walk if is_own else None
        return {
            "tiles": [[LETTERS.index(letter) for letter in row] for row in told["map"]],
            "robots": [
                [*robot["place"], robot["health"], *told_weapons(robot["weapons"])]
                for robot in robots
            ],
            "scores": [robot["score"] for robot in robots],
            "order": [(other - seat) % seats for other in told["order"]],
            "turn": [told["turn"]],
            "last_turn": [told["turns"]],
            "seat": [seat],
            "to_move": [int(is_own)],
            "slot": [len(self.actions)],
            "walking": [int(walk is not None)],
            "walk": [*(walk or []), *[-1] * 5][:5],
        }


def whole_action(name: str, index: int) -> Action:
    if name == "mine":
        return acts.MINE
    if name == "mortar":
        return acts.mortar(*hexes_near()[index])
    return {"move": acts.move, "upgrade": acts.upgrade, "laser": acts.laser}[name](index)


def told_weapons(told: list[dict[str, Any]]) -> list[int]:
    """The primary weapon, and the levels of all."""
    levels = {weapon["name"]: weapon["level"] for weapon in told}
    primary = WEAPONS.index(told[0]["name"]) if told else -1
    return [primary, *(levels.get(name, 0) for name in WEAPONS)]


# --- whole matches --------------------------------------------------------------------------------


@by_options
def test_decisions_give_the_same_match_as_whole_turns(options: SkyportOptions) -> None:
    rng = np.random.default_rng(3)
    kinds = set()
    for seed in range(2):
        decided = Decided(options, seed)
        while decided.turns.to_act:
            decided.decide_by_chance(rng)
            if decided.turns.turn:
                assert decided.match == decided.now.copy_state().tobytes()
                kinds |= {deed.action.kind for deed in decided.turns.deeds}
        assert decided.learning.is_over(decided.setup, decided.state)
        scores = [
            decided.learning.score(decided.setup, decided.state, as_int(seat))
            for seat in range(decided.turns.seats)
        ]
        assert decided.turns.outcome is not None
        assert tuple(scores) == decided.turns.outcome.scores
    if options is OPTIONS["mines"]:
        assert kinds == {*range(board.MOVE, board.DROID + 1)} - {board.PASS}


@by_options
def test_an_observation_is_what_the_seat_is_told(options: SkyportOptions) -> None:
    rng = np.random.default_rng(4)
    decided = Decided(options, 1)
    for _ in range(150):
        for seat in range(decided.turns.seats):
            assert decided.observe(seat) == decided.told(seat)
        if not decided.turns.to_act:
            break
        decided.decide_by_chance(rng)


@by_options
def test_all_is_legal_that_would_not_be_refused(options: SkyportOptions) -> None:
    rng = np.random.default_rng(5)
    decided = Decided(options, 2)
    for _ in range(150):
        if not decided.turns.to_act:
            break
        if decided.turns.turn and decided.walk is None:
            wanted = set(decided.now.legal_moves(decided.seat)) - {acts.PASS}
            droids = {action for action in wanted if action.kind == board.DROID}
            named = [decided.named(action) for action in decided.legal]
            assert named[-1] == ("end", 0)
            assert (("droid", 0) in named) == bool(droids)
            single = {whole_action(*one) for one in named if one[0] not in ("droid", "end")}
            assert single == wanted - droids
        decided.decide_by_chance(rng)


# --- single decisions -----------------------------------------------------------------------------

FIELD = "SRGGGGG/GEGGGGG/GGGGGGG/GGGGGGG/GGGGGGG/GGGGGGG/GGGGGGS"
UPGRADED_WALK = "upgrade droid; droid down,down,right-down,left-down"


@pytest.mark.parametrize(
    ("decisions", "text"),
    [
        ("end", "nothing"),
        ("end", "pass"),
        ("move 3,end", "move right-down"),
        ("move 1,move 2,move 5", "move down; move right-up; move left-down"),
        ("mine,mine,end", "mine; mine"),
        ("upgrade 1,end", "upgrade mortar"),
        ("upgrade 2,mine,end", "upgrade droid; mine"),
        ("mortar 0", "mortar 0,0"),
        ("mortar 18", "mortar 2,2"),
        ("move 1,mortar 7", "move down; mortar -2,-2"),
        ("upgrade 1,mortar 36", "upgrade mortar; mortar 3,3"),
        ("droid,end", "droid"),
        ("droid,move 1,move 1,end", "droid down,down"),
        ("mine,droid,move 0,move 3,move 4,end", "mine; droid up,right-down,left-up"),
        ("upgrade 2,droid,move 1,move 1,move 3,move 5,end", UPGRADED_WALK),
        ("mine,mine,droid,move 1,move 2,end", "mine; mine; droid down,right-up"),
    ],
)
def test_decisions_are_the_actions_of_the_turn(decisions: str, text: str) -> None:
    first = begin(FIELD, "mortar droid, laser mortar")
    units = {(0, "mortar"): 4, (0, "droid"): 4}
    position = change(first, {0: (1, 1), 1: (3, 3)}, units=units)
    decided = Decided.at(position)
    for word in decisions.split(","):
        assert decided.seat == 0
        name, _, index = word.partition(" ")
        action = decided.number(name, int(index or 0))
        assert action in decided.legal
        decided.decide(action)
    assert decided.match == play(position, text).copy_state().tobytes()
    assert decided.seat == 1
    assert decided.observe(1)["slot"] == [0]


@pytest.mark.parametrize("direction", range(6))
def test_lasers_have_a_number_for_each_direction(direction: int) -> None:
    position = change(begin(FIELD, "laser droid"), {0: (3, 3), 1: (4, 4)})
    decided = Decided.at(position)
    decided.decide(decided.number("laser", direction))
    text = f"laser {acts.DIRECTIONS[direction]}"
    assert decided.match == play(position, text).copy_state().tobytes()


def test_an_end_without_an_action_costs_what_nothing_costs() -> None:
    decided = Decided.at(begin(FIELD))
    decided.decide(decided.number("end"))
    assert decided.observe(0)["scores"] == [-20, 0]  # R17: idle, and on the spawn


@pytest.mark.parametrize("level", [1, 2, 3])
def test_r14_a_walk_is_as_long_as_the_level_allows(level: int) -> None:
    first = begin(FIELD, "mortar droid")
    decided = Decided.at(change(first, {0: (1, 1)}, level={(0, "droid"): level}))
    decided.decide(decided.number("droid"))
    for _ in range(2 + level):
        assert decided.legal == [*range(6), decided.number("end")]
        decided.decide(decided.number("move", 0))  # R14: it may be blocked
    assert decided.legal == [decided.number("end")]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_r13_a_mortar_reaches_what_its_level_allows(level: int) -> None:
    first = begin(FIELD, "mortar droid")
    decided = Decided.at(change(first, {0: (1, 1)}, level={(0, "mortar"): level}))
    named = [decided.named(action) for action in decided.legal]
    targets = [hexes_near()[index] for name, index in named if name == "mortar"]
    far = {max(abs(j), abs(k), abs(j - k)) for j, k in targets}
    assert far == {*range(level + 2)}
    assert len(targets) == (19, 37, 61)[level - 1]


def test_r5_given_loadouts_are_not_decided() -> None:
    decided = Decided(OPTIONS["given"])
    assert decided.observe(0)["turn"] == [1]
    assert decided.seat == 2
    assert [robot[3:] for robot in decided.observe(0)["robots"]] == [
        [2, 0, 1, 1],
        [0, 1, 0, 1],
        [1, 1, 1, 0],
    ]


def test_r5_loadouts_are_chosen_seat_by_seat() -> None:
    decided = Decided(OPTIONS["four"])
    for seat in range(4):
        assert decided.seat == seat
        assert [decided.named(action) for action in decided.legal] == [
            ("loadout", index) for index in range(6)
        ]
        decided.decide(decided.number("loadout", 5 - seat))
    assert [robot[3:] for robot in decided.observe(0)["robots"]] == [
        [2, 0, 1, 1],
        [2, 1, 0, 1],
        [1, 0, 1, 1],
        [1, 1, 1, 0],
    ]


# --- what is hidden -------------------------------------------------------------------------------


@by_options
def test_r10_nothing_is_seen_of_units_nor_of_when_the_dead_are_back(
    options: SkyportOptions,
) -> None:
    rng = np.random.default_rng(6)
    decided = Decided(options, 3)
    for _ in range(80):
        if not decided.turns.to_act:
            break
        before = [decided.row(seat).tobytes() for seat in range(decided.turns.seats)]
        kept = decided.states.copy()
        match = np.asarray(decided.states)["match"][0]
        match["random"] ^= np.uint64(rng.integers(1, 2**63))
        match["units"] = rng.integers(0, 99, match["units"].shape)
        match["absent"] = rng.integers(0, 3, match["absent"].shape)
        tiles = match["cells"] & board.TILE
        mines = np.flatnonzero((tiles > board.GRASS) & (tiles <= board.SCRAP))
        match["cells"][mines] ^= board.SECOND_UNIT
        assert [decided.row(seat).tobytes() for seat in range(decided.turns.seats)] == before
        decided.states[:] = kept
        decided.decide_by_chance(rng)


def test_r5_loadouts_are_hidden_until_all_have_chosen() -> None:
    rows = set()
    for one in range(6):
        for two in range(6):
            decided = Decided(OPTIONS["four"])
            decided.decide(decided.number("loadout", one))
            decided.decide(decided.number("loadout", two))
            rows.add(tuple(decided.row(seat).tobytes() for seat in range(4)))
    assert len(rows) == 1


def test_a_walk_in_the_making_is_seen_by_its_seat_alone() -> None:
    decided = Decided.at(change(begin(FIELD, "mortar droid"), {0: (1, 1)}))
    own, other = decided.row(0).tobytes(), decided.row(1).tobytes()
    decided.decide(decided.number("droid"))
    decided.decide(decided.number("move", 1))
    assert decided.row(0).tobytes() != own
    assert decided.row(1).tobytes() == other


def redeal(decided: Decided, seat: int, seed: int) -> None:
    number: Any = np.uint64(seed)
    decided.learning.redeal(decided.setup, decided.state, decided.work, as_int(seat), number)


def test_r5_a_redeal_gives_the_others_other_loadouts() -> None:
    found = set()
    for seed in range(60):
        decided = Decided(OPTIONS["four"])
        decided.decide(decided.number("loadout", 0))
        decided.decide(decided.number("loadout", 3))
        redeal(decided, 1, seed)
        for index in (4, 5):
            decided.decide(decided.number("loadout", index))
        found.add(tuple(tuple(robot[3:]) for robot in decided.observe(0)["robots"]))
    others = {robots[1:] for robots in found}
    assert len(found) == 6
    assert others == {((1, 0, 1, 1), (2, 1, 0, 1), (2, 0, 1, 1))}


def test_a_redeal_changes_nothing_that_was_told_or_could_be_counted() -> None:
    rng = np.random.default_rng(7)
    decided = Decided(OPTIONS["mines"])
    for _ in range(40):
        decided.decide_by_chance(rng)
    before = decided.states.copy()
    redeal(decided, decided.seat, 9)
    assert decided.states[0].match.random == 9
    decided.states["match"]["random"] = before["match"]["random"]
    assert decided.states.tobytes() == before.tobytes()


def test_a_redeal_for_another_seat_forgets_the_walk() -> None:
    decided = Decided.at(change(begin(FIELD, "mortar droid"), {0: (1, 1)}))
    decided.decide(decided.number("droid"))
    redeal(decided, 0, 1)
    assert decided.state.walk == 0
    redeal(decided, 1, 1)
    assert decided.state.walk == NO_WALK


# --- sizes ----------------------------------------------------------------------------------------


def test_r11_no_shot_does_more_damage() -> None:
    packed = (weapons.LASER_DAMAGE, weapons.MORTAR_DAMAGE, weapons.DROID_DAMAGE)
    areas = (weapons.MORTAR_AREA, weapons.DROID_AREA)
    bases = [*(int(weapons.by_level(as_int(one), as_int(3))) for one in packed), *areas]
    assert max(int(weapons.damage_with(as_int(one), as_int(2))) for one in bases) == MOST_DAMAGE


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (SkyportOptions(), np.int16),
        (SkyportOptions(map="four"), np.int16),
        (SkyportOptions(map="eight"), np.int32),
        (SkyportOptions(turns=1000), np.int32),
    ],
    ids=str,
)
def test_scores_fit_into_the_type(options: SkyportOptions, kind: Any) -> None:
    learning = GAME.learning(options)
    assert learning.observed == kind
    lowest, highest = score_bounds(learning.seats, options.turns * learning.seats)
    assert np.iinfo(kind).min <= lowest < 0 < highest <= np.iinfo(kind).max


def test_records_have_no_gaps() -> None:
    for options in (OPTIONS["two"], OPTIONS["eight"]):
        state: Any = GAME.learning(options).state
        fields = [state.fields[name][0].itemsize for name in state.names]
        assert sum(fields) == state.itemsize
