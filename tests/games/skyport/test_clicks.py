"""Clicking turns of Skyport."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agon.games.shapes import Group, all_shapes
from agon.games.skyport import board
from agon.games.skyport.clicks import step
from agon.games.skyport.game import GAME
from agon.games.skyport.marks import WALKED, beyond, letter_at
from agon.games.skyport.move import DIRECTIONS, LOADOUTS, WEAPONS, Action
from agon.games.skyport.notation import format_turn
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.weapons import DROID_RANGE, by_level
from tests.games.clicking import all_turns, click_turn, play_on, walk_steps
from tests.games.skyport.situation import begin, change, drawn_map, options_for, play, refusals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.clicks import Step
    from agon.games.scene import Scene

DUEL = "SGGGGGG" + "/GGGRGGG" * 5 + "/GGGGGGS"
MINES = "SRECREC" + "/RRECRCE" * 5 + "/RECRECS"


def ids(now: Step) -> list[str]:
    return [offer.id for offer in (*now.choices, *now.buttons)]


def picks_for(position: SkyportPosition, seat: int, action: Action) -> list[str]:
    """The picks for an action of the robot as it stands."""
    robot = position.robots[seat]
    name = WEAPONS[action.weapon] if action.kind > board.PASS else ""
    if action.kind == board.MOVE:
        return [f"move-{DIRECTIONS[action.steps[0]]}"]
    if action.kind == board.UPGRADE:
        return [f"upgrade-{WEAPONS[action.weapon]}"]
    if action.kind == board.LASER:
        return [f"aim-{name}", f"laser-{DIRECTIONS[action.steps[0]]}"]
    if action.kind == board.MORTAR:
        j, k = robot.place[0] + action.offset[0], robot.place[1] + action.offset[1]
        return [f"aim-{name}", f"mortar-{j}-{k}"]
    if action.kind == board.DROID:
        walk = [f"step-{DIRECTIONS[direction]}" for direction in action.steps]
        longest = int(by_level(DROID_RANGE, robot.levels[board.DROID_WEAPON]))
        return [f"aim-{name}", *walk, *(["explode"] if len(walk) < longest else [])]
    return ["mine" if action.kind == board.MINE else "pass"]


def comes_to_something(position: SkyportPosition, seat: int, action: Action) -> bool:
    """Whether a shot leaves its hex, hits the ground, or goes all its way."""
    here = position.robots[seat].place
    if action.kind == board.LASER:
        letter = letter_at(position, beyond(here, action.steps[0]))
        return letter != "" and letter in f"{WALKED}VS"
    if action.kind == board.MORTAR:
        letter = letter_at(position, (here[0] + action.offset[0], here[1] + action.offset[1]))
        return letter != "" and letter in WALKED
    if action.kind == board.DROID:
        for direction in action.steps:
            here = beyond(here, direction)
            letter = letter_at(position, here)
            if letter == "" or letter not in WALKED:
                return False
    return True


def test_all_loadouts_can_be_clicked() -> None:
    position = GAME.start(seed=1)
    for seat in position.to_act:
        turns = sorted(all_turns(step, position, seat))
        assert turns == sorted(map(str, LOADOUTS))


def test_every_single_action_can_be_clicked() -> None:
    rng = Random(1)  # noqa: S311
    kinds = set()
    for turns in range(1, 60, 5):
        position = play_on(GAME, None, turns, turns, rng)
        (seat,) = position.to_act
        legal: Sequence[Action] = position.legal_moves(seat)
        for action in rng.sample(legal, min(25, len(legal))):
            picks = picks_for(position, seat, action)
            if comes_to_something(position, seat, action):
                assert step(position, seat, picks).turn == format_turn((action,))
                kinds.add(action.kind)
            else:
                last = step(position, seat, picks[:1])
                assert picks[1] not in ids(last) or action.kind == board.DROID
    assert {board.MOVE, board.LASER, board.MORTAR, board.DROID} <= kinds


def test_actions_follow_each_other() -> None:
    position = change(begin(DUEL), {0: (3, 2)})
    picks = ["move-right-down", "mine", "aim-laser", "laser-right-down"]
    done = step(position, 0, picks)
    assert done.turn == "move right-down; mine; laser right-down"
    assert ids(done) == []
    assert refusals(play(position, done.turn)) == [None, None, None]
    for count, turn in enumerate(["nothing", "move right-down", "move right-down; mine", None]):
        assert step(position, 0, picks[:count]).turn == turn


def test_a_turn_ends_with_its_third_action_a_shot_or_a_pass() -> None:
    position = change(begin(DUEL), {0: (3, 2)})
    for picks in (["move-down"] * 3, ["pass"], ["move-up", "pass"], ["aim-mortar", "mortar-3-3"]):
        now = step(position, 0, picks)
        assert ids(now) == []
        assert now.turn is not None
    assert "move-down" in ids(step(position, 0, ["move-down"] * 2))


def test_a_droid_is_led_hex_by_hex() -> None:
    position = change(begin(DUEL, "droid laser, laser mortar"), {0: (3, 3), 1: (5, 5)})
    aimed = step(position, 0, ["aim-droid"])
    assert aimed.turn is None
    assert [b.id for b in aimed.buttons] == ["explode"]
    assert "Red loses 31" in aimed.buttons[0].label, "it stands beneath the own robot"
    assert step(position, 0, ["aim-droid", "explode"]).turn == "droid"
    two = step(position, 0, ["aim-droid", "step-down", "step-down"])
    assert two.turn is None
    assert "Blue loses 31" in two.buttons[0].label
    assert any(shape.id == "droid" for shape in two.scene.shapes)
    ended = step(position, 0, ["aim-droid", "step-down", "step-down", "explode"])
    assert ended.turn == "droid down,down"
    far = step(position, 0, ["aim-droid", "step-down", "step-down", "step-left-down"])
    assert far.turn == "droid down,down,left-down", "at the end of its range it explodes"


def test_from_the_spawn_no_robot_shoots() -> None:
    now = step(begin(DUEL), 0, [])
    assert not [name for name in ids(now) if name.startswith("aim")]
    assert "costs 10 points for doing nothing and 10 for staying on the spawn" in now.prompt


def test_upgrades_are_offered_to_who_can_pay() -> None:
    position = change(begin(DUEL), {0: (3, 2)}, units={(0, "laser"): 4, (0, "mortar"): 3})
    now = step(position, 0, [])
    (upgrade,) = (button for button in now.buttons if button.id.startswith("upgrade"))
    assert upgrade.label == "upgrade laser to level 2 for 4 of your 4 rubidium"
    assert "4 rubidium and 3 explodium" in now.prompt
    assert "upgrade-laser" not in ids(step(position, 0, ["upgrade-laser"]))


def health_of(scene: Scene, seat: int) -> str:
    return next(s.tip for s in all_shapes(scene.shapes) if s.id == f"robot-{seat}")


def test_shots_and_moves_are_shown_carried_out() -> None:
    position = change(begin(DUEL), {0: (3, 2), 1: (3, 4)})
    now = step(position, 0, ["aim-laser", "laser-right-down"])
    assert now.pick_words[-1] == "laser right-down: Blue loses 22"
    assert "78 health" in health_of(now.scene, 1)
    assert "100 health" in health_of(position.scene(0), 1)
    moved = step(position, 0, ["move-right-down"])
    after = play(position, "move right-down")
    (shown,) = (s for s in all_shapes(moved.scene.shapes) if s.id == "robot-0")
    (real,) = (s for s in all_shapes(after.scene(0).shapes) if s.id == "robot-0")
    assert isinstance(shown, Group)
    assert (shown.x, shown.y) == (real.x, real.y)


def change_hidden(position: SkyportPosition, seat: int, rng: Random) -> SkyportPosition:
    """R10: a position that looks the same to the seat."""
    state = position.copy_state()
    for other in range(position.seats):
        if other != seat:
            state["units"][other] = [rng.randint(0, 9) for _ in WEAPONS]
    for cell, word in enumerate(state["cells"].tolist()):
        if board.GRASS < word & board.TILE <= board.LAST_ENTERED and rng.randint(0, 1):
            state["cells"][cell] ^= board.SECOND_UNIT
    state["random"] = rng.getrandbits(64)
    return SkyportPosition(
        position.options,
        position.map,
        position.seed,
        state,
        position.out,
        position.last_turns,
        position.deeds,
    )


def test_nothing_leaks_from_mines_and_other_robots() -> None:
    rng = Random(3)  # noqa: S311
    differ = mined = 0
    options = options_for(drawn_map(MINES))
    for turns in range(1, 70, 6):
        position = play_on(GAME, options, turns, turns, rng)
        (seat,) = position.to_act
        other = change_hidden(position, seat, rng)
        assert other.observe(seat) == position.observe(seat)
        differ += other.observe(None) != position.observe(None)
        can_mine = "mine" in ids(step(position, seat, []))
        mined += can_mine
        for picks in (click_turn(step, position, seat, rng), ["mine", "mine"] * can_mine):
            assert walk_steps(step, other, seat, picks) == walk_steps(step, position, seat, picks)
    assert differ > 10
    assert mined > 5


def test_a_mine_is_taken_to_be_full() -> None:
    position = change(begin(DUEL), {0: (3, 3)}, units={(0, "laser"): 2})
    emptied = play(position, "mine; pass", "pass")
    for now in (position, emptied):
        assert "mine" in ids(step(now, 0, ["mine"]))
        assert "mine" not in ids(step(now, 0, ["mine", "mine"]))
    assert "upgrade-laser" not in ids(step(position, 0, ["mine"]))
    assert "upgrade-laser" in ids(step(position, 0, ["mine", "mine"]))


def test_only_what_players_are_not_told_is_ever_refused() -> None:
    rng = Random(8)  # noqa: S311
    position = GAME.start(options_for(drawn_map(MINES)), 3)
    mined = 0
    for _ in range(60):
        before, turns = position, {}
        for seat in position.to_act:
            text = step(position, seat, click_turn(step, position, seat, rng)).turn
            turns[seat] = position.parse_turn(seat, text or "")
        position = position.play(turns)
        kinds = [deed.action.kind for deed in position.deeds]
        mined += kinds.count(board.MINE)
        if any(refusals(position)):
            assert kinds.count(board.MINE) > 1
            assert before.half_mined, "a mine that looked full was not"
    assert mined > 5
