"""Held by OpenSpiel's own tests, and used by its algorithms."""

from __future__ import annotations

import io
import unittest
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    exploitability,
    external_sampling_mccfr,
    generate_playthrough,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
    random_agent,
)
from open_spiel.python.tests import games_sim_test

import agon
import agon.learn.openspiel
from agon.errors import SettingError
from agon.learn.dataset.decisions import DecisionFinder
from agon.learn.episode import Episode
from tests.learn.test_batch import GAMES, names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.games.game import Game

TINY = "agon_mebipenny(options=rows:2 cols:2,limit=4,deals=2)"
WITH_SECRETS = pytest.mark.parametrize(
    "game", [game for game in GAMES if game.learning().has_secrets], ids=lambda game: game.name
)


def load(game: Game, **parameters: int) -> Any:
    return pyspiel.load_game(f"agon_{game.name}", parameters)


def step_by_chance(state: Any, rng: np.random.Generator) -> None:
    if state.is_simultaneous_node():
        seats = range(state.num_players())
        state.apply_actions([int(rng.choice(state.legal_actions(seat))) for seat in seats])
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


def play_on(state: Any, steps: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if not state.is_terminal():
            step_by_chance(state, rng)
    return state


# --- its own tests --------------------------------------------------------------------------------


@names
def test_random_games_by_its_own_tests(game: Game) -> None:
    found = load(game, limit=60)
    pyspiel.random_sim_test(found, num_sims=2, serialize=True, verbose=False)
    np.random.seed(1)  # from which its test draws
    games_sim_test.GamesSimTest().sim_game(found)


@names
def test_its_interface_by_its_own_test(game: Game) -> None:
    held = {"game": load(game, limit=40), "game_name": f"agon_{game.name}"}
    case = type("EnforceAPIOnPartialTree", (api_test.EnforceAPIOnPartialTreeBase,), held)
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(tests)
    assert result.testsRun == 5
    assert result.wasSuccessful(), result.failures + result.errors


@names
def test_a_playthrough_played_again_is_the_same(game: Game, tmp_path: Path) -> None:
    flags.FLAGS.mark_as_parsed()  # it asks whether actions are numbers
    text = generate_playthrough.playthrough(f"agon_{game.name}(limit=12)", [], seed=3)
    assert "IsTerminal() = True" in text
    file = tmp_path / "playthrough.txt"
    file.write_text(text, "utf-8")
    original, again = generate_playthrough.replay(file)
    assert again == original == text
    other = generate_playthrough.playthrough(f"agon_{game.name}(limit=12)", [], seed=4)
    assert other != text


# --- what a player knows --------------------------------------------------------------------------


def all_states(state: Any, past: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The whole tree; with each state what its player has known and done at its decisions."""
    if state.is_terminal():
        return
    if state.is_chance_node():
        for action in state.legal_actions():
            yield from all_states(state.child(action), past)
        return
    player = state.current_player()
    yield state, tuple(one[1:] for one in past if one[0] == player)
    known = state.information_state_string(player)
    for action in state.legal_actions():
        yield from all_states(state.child(action), (*past, (player, known, action)))


def test_an_information_state_recalls_all_that_its_player_has_known_and_done() -> None:
    pasts: dict[str, set[Any]] = {}
    for state, past in all_states(pyspiel.load_game(TINY).new_initial_state()):
        player = state.current_player()
        known = state.information_state_string(player)
        assert known.startswith(f"seat {player}, ")
        shown = state.observation_string(player)
        assert known.endswith(shown)
        pasts.setdefault(known, set()).add((*past, shown, *state.legal_actions()))
    assert len(pasts) > 50
    assert all(len(found) == 1 for found in pasts.values())


def test_an_information_state_tells_ways_to_the_same_position_apart() -> None:
    """The first two tiles of a hand are played one after the other, or the other first."""
    game = pyspiel.load_game("agon_mebipenny(options=rows:6 cols:6)")
    ways = []
    for actions in ((0, 24, 0, 24), (4, 24, 0, 24)):
        state = game.new_initial_state()
        for action in (2, *actions):
            state.apply_action(action)
        ways.append(state)
    for player in (0, 1):
        assert len({state.observation_string(player) for state in ways}) == 1
        assert len({state.information_state_string(player) for state in ways}) == 2


@names
def test_information_states_are_strings_alone(game: Game) -> None:
    found = load(game)
    assert found.get_type().provides_information_state_string
    assert not found.get_type().provides_information_state_tensor
    state = found.new_initial_state()
    if state.is_chance_node():
        assert state.information_state_string(0) == ""
        state.apply_action(0)
    with pytest.raises(SettingError, match="information state as a tensor: expected a string"):
        state.information_state_tensor(0)


@WITH_SECRETS
def test_a_resampled_state_is_the_same_to_its_player(game: Game) -> None:
    state = play_on(load(game, deals=3).new_initial_state(), 9 if game.name != "skyport" else 2, 1)
    player = max(state.current_player(), 0)
    worlds = set()
    for seed in range(20):
        other = state.resample_from_infostate(player, np.random.default_rng(seed).random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions(player) == state.legal_actions(player)
        assert other.history() == state.history()
        worlds.add(str(play_on(other, 1, 1)))
    assert len(worlds) > 1
    assert state.resample_from_infostate(player, lambda: 0.5) is not state


@names
def test_only_a_game_with_chance_has_deals(game: Game) -> None:
    learning = game.learning()
    matches = [Episode(learning, seed) for seed in range(8)]
    shown = {one.observe(0).tobytes() for one in matches}
    assert (len(shown) > 1) == learning.has_chance
    assert load(game).new_initial_state().is_chance_node() == learning.has_chance


def test_a_resampled_state_before_the_deal_is_there() -> None:
    state = pyspiel.load_game(TINY).new_initial_state()
    assert state.resample_from_infostate(0, lambda: 0.5).is_chance_node()


# --- its algorithms -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [2, 3, 8, 10])
def test_its_search_finds_and_proves_a_win_in_hive(seed: int) -> None:
    """One or two of about a hundred moves surround the other queen."""
    hive = agon.game("hive")
    bots = ["random", "greedy"] if seed % 2 else ["greedy", "random"]
    actions = [one.action for one in DecisionFinder(hive).find(play(hive, bots, seed))]
    game = load(hive, limit=len(actions) + 10)
    state = game.new_initial_state()
    for action in actions[:-1]:
        state.apply_action(action)
    player = state.current_player()
    ends = {action: state.child(action) for action in state.legal_actions()}
    wins = {action for action, end in ends.items() if end.is_terminal()}
    assert len(wins) <= 2 < 50 < len(ends)
    rng = np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2, 300, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    best = bot.mcts_search(state).best_child()
    assert best.action in wins
    assert best.outcome[player] == 1
    state.apply_action(best.action)
    assert state.is_terminal()
    assert state.returns()[player] == 1


def play(game: Game, bots: list[str], seed: int) -> Any:
    return agon.play(game, bots, seed=seed).transcript


def test_its_search_of_information_sets_beats_chance() -> None:
    game = pyspiel.load_game("agon_mebipenny(options=rows:3 cols:4,limit=60)")
    rng, worlds = np.random.RandomState(1), np.random.default_rng(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 25, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, worlds.random))
    points = 0.0
    for match in range(12):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == match % 2:
                state.apply_action(int(bot.step(state)))
            else:
                step_by_chance(state, worlds)
        points += state.returns()[match % 2]
    assert points > 3


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("name", ["mebipenny", "skyport"])
def test_its_search_of_information_sets_resamples_by_itself(name: str, by_row: bool) -> None:
    game = pyspiel.load_game(f"agon_{name}(limit=30)")
    state = play_on(game.new_initial_state(), 6, 2)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 20, use_observation_string=by_row)
    assert bot.step(state) in state.legal_actions()


def test_its_regret_minimisation_learns_a_small_game() -> None:
    """How much players would win by leaving what they do: 0 in an equilibrium."""
    np.random.seed(1)  # from which it draws
    game = pyspiel.load_game(TINY)
    by_chance = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(60):
        solver.iteration()
    assert by_chance > 1
    assert exploitability.nash_conv(game, solver.average_policy()) < by_chance / 4


def test_decisions_at_the_same_time_as_a_game_of_turns() -> None:
    np.random.seed(1)  # from which it draws
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("agon_battlebots(limit=3)"))
    games_sim_test.GamesSimTest().sim_game(game)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(10):
        solver.iteration()
    known = game.new_initial_state().information_state_string(0)
    assert len(solver.average_policy().action_probabilities(game.new_initial_state())) > 10
    assert "seat 0, past" in known


@names
def test_its_environment_for_learners(game: Game) -> None:
    found = load(game, limit=40)
    env = rl_environment.Environment(found, enable_legality_check=True)
    env.seed(1)
    np.random.seed(1)  # from which its agents draw
    agents = [random_agent.RandomAgent(seat, env.action_spec()["num_actions"]) for seat in (0, 1)]
    step, steps = env.reset(), 0
    while not step.last():
        assert [len(row) for row in step.observations["info_state"]] == [
            *env.observation_spec()["info_state"] * 2
        ]
        turns = agents if step.is_simultaneous_move() else [agents[step.current_player()]]
        step = env.step([agent.step(step).action for agent in turns])
        steps += 1
    assert steps <= 40
    assert step.rewards == env.get_state.returns()


# --- options --------------------------------------------------------------------------------------


def test_options_and_bad_ones() -> None:
    game = pyspiel.load_game("agon_mebipenny(options=rows:4 cols:5,deals=3)")
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 3
    state.apply_action(1)
    assert len(state.observation_tensor(0)) == game.observation_tensor_size() == 2 * 20 + 18
    with pytest.raises(Exception, match="expected name:value"):
        pyspiel.load_game("agon_mebipenny(options=rows)")
    for name in ("limit", "deals"):
        with pytest.raises(Exception, match=f"{name} 0: expected 1 to"):
            pyspiel.load_game(f"agon_mebipenny({name}=0)")


def test_a_copy_of_a_state_shares_what_does_not_change() -> None:
    state = play_on(pyspiel.load_game("agon_hive").new_initial_state(), 8, 1)
    copy = state.clone()
    assert copy.episode.learning is state.episode.learning
    assert copy.episode.state_bytes() == state.episode.state_bytes()
    step_by_chance(copy, np.random.default_rng(1))
    assert copy.episode.state_bytes() != state.episode.state_bytes()


def test_what_a_player_does_not_see_is_not_in_its_information_state() -> None:
    """Battlebots: the other one's orders of this turn, and how many these are."""
    game = pyspiel.load_game("agon_battlebots")
    found = set()
    for orders in (0, 1, 3):
        state = game.new_initial_state()
        wait, end = game.num_distinct_actions() - 1, game.num_distinct_actions() - 2
        state.apply_actions([end, state.legal_actions(1)[0]])
        for _ in range(orders):
            state.apply_actions([wait, state.legal_actions(1)[0]])
        assert state.legal_actions(0) == [wait]
        found.add(state.information_state_string(0))
    assert len(found) == 1
