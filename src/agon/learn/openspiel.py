"""Agon's games in OpenSpiel, so that its algorithms run on ours.

    import agon.learn.openspiel
    game = pyspiel.load_game("agon_hive")

Importing this registers a game `agon_NAME` for each of ours. Parameters: `options`, as on the
command line (`rows=5 cols=5`; here with `:` between, since OpenSpiel reads `=` and `,` itself:
`agon_mebipenny(options=rows:5 cols:5)`), `limit`, after so many decisions a match is a draw, and
`deals`. Where chance plays a part, a match begins with a chance node, which chooses one of so many
seeds; all later chance follows from it. Where several seats decide at once there is one action
more, the last one: to wait.

An observation is the row that `learn` has for the seat. An information state, which recalls all
that the seat has seen and done, is a string alone: the row, and a digest of all before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from agon.errors import SettingError
from agon.games.registry import all_games, find_game
from agon.learn.checks import MOST_DECISIONS, whole_number
from agon.learn.episode import Episode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.games.game import Game
    from agon.games.learning import Learning

PREFIX = "agon_"
PARAMETERS = {"options": "", "limit": 10_000, "deals": 16}
NOTHING_YET = b""


def parse_parameters(game: Game, text: str) -> Any:
    """Options from `name:value name:value`."""
    given = {}
    for word in text.split():
        name, colon, value = word.partition(":")
        if not colon:
            raise SettingError(f"option {word!r}: expected name:value")
        given[name] = value
    return game.parse_options(given)


def game_type(game: Game, learning: Learning) -> Any:
    kinds = pyspiel.GameType
    at_once = learning.at_once > 1
    return kinds(
        short_name=f"{PREFIX}{game.name}",
        long_name=f"{game.title} (Agon)",
        dynamics=kinds.Dynamics.SIMULTANEOUS if at_once else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if learning.has_chance
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if learning.has_secrets
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


@dataclass(frozen=True, slots=True)
class Shared:
    """What all states of a game share: none of it is copied with a state, nor stored with it."""

    name: str
    options: str
    limit: int
    deals: int
    """0: chance plays no part."""
    learning: Learning

    def __deepcopy__(self, memo: object) -> Shared:
        return self

    def __reduce__(self) -> Any:
        return shared_for, (self.name, self.options, self.limit, max(self.deals, 1))

    @property
    def wait(self) -> int:
        """The number of the action that is none."""
        return self.learning.action_count


@lru_cache(16)
def shared_for(name: str, options: str, limit: int, deals: int) -> Shared:
    whole_number("limit", limit, 1, MOST_DECISIONS)
    whole_number("deals", deals, 1, MOST_DECISIONS)
    game = find_game(name)
    learning = game.learning(parse_parameters(game, options))
    return Shared(name, options, limit, deals if learning.has_chance else 0, learning)


class AgonGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games, with its options."""

    def __init__(self, game: Game, kind: Any, parameters: Mapping[str, Any] | None) -> None:
        given = {**PARAMETERS, **(parameters or {})}
        limit, deals = int(given["limit"]), int(given["deals"])
        self.shared = shared_for(game.name, given["options"], limit, deals)
        learning = self.shared.learning
        info = pyspiel.GameInfo(
            num_distinct_actions=self.shared.wait + (learning.at_once > 1),
            max_chance_outcomes=self.shared.deals,
            num_players=learning.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=limit,
        )
        super().__init__(kind, info, dict(parameters or {}))

    def __reduce__(self) -> Any:
        return pyspiel.load_game, (self.get_type().short_name, self.get_parameters())

    def max_chance_nodes_in_history(self) -> int:
        return int(self.shared.deals > 0)

    def new_initial_state(self, state: Any = None) -> AgonState:
        if state is not None:
            raise SettingError("a state from a struct: expected none, Agon's matches have a seed")
        return AgonState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """None, as OpenSpiel has it, for what is public alone or private alone."""
        kind = iig_obs_type
        if not kind:
            return RowObserver(self.shared.learning)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return RecallObserver() if kind.perfect_recall else RowObserver(self.shared.learning)


class AgonState(pyspiel.State):  # type: ignore[misc]
    """A moment of a match."""

    def __init__(self, game: AgonGame) -> None:
        super().__init__(game)
        self._shared = game.shared
        self._played = 0
        self.recalled = (NOTHING_YET,) * self._shared.learning.seats
        """Of each seat: a digest of all that it has seen and done before what it sees now."""
        self.episode = None if self._shared.deals else Episode(self._shared.learning, 0)

    def current_player(self) -> Any:
        if self.episode is None:
            return pyspiel.PlayerId.CHANCE
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self._shared.learning.at_once > 1:
            return pyspiel.PlayerId.SIMULTANEOUS
        return self.episode.to_act[0]

    def is_terminal(self) -> bool:
        return self.episode is not None and (
            self.episode.is_over or self._played >= self._shared.limit
        )

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self._shared.deals) for deal in range(self._shared.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        if self.episode is None:
            return []
        found: list[int] = sorted(self.episode.legal_actions(player).tolist())
        return found or [self._shared.wait]

    def _apply_action(self, action: int) -> None:
        if self.episode is None:
            self.episode = Episode(self._shared.learning, action)
        else:
            self._play(self.episode, {self.episode.to_act[0]: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        if self.episode is not None:
            self._play(self.episode, {seat: actions[seat] for seat in self.episode.to_act})

    def _play(self, episode: Episode, actions: dict[int, int]) -> None:
        rows = self._rows(episode)
        episode.play(actions)
        self._played += 1
        seen = zip(self.recalled, rows, self._rows(episode), strict=True)
        self.recalled = tuple(
            blake2b(b"%s %d %s" % (past, actions.get(seat, -1), row), digest_size=16).digest()
            if seat in actions or row != next_row
            else past  # what others do that the seat does not notice
            for seat, (past, row, next_row) in enumerate(seen)
        )

    def _rows(self, episode: Episode) -> list[bytes]:
        return [episode.observe(seat).tobytes() for seat in range(len(self.recalled))]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> AgonState:
        """Another match that is the same to this player, which recalls what it did."""
        other: AgonState = self.clone()
        if other.episode is not None:
            other.episode.redeal(player, int(sampler() * 2**53))
        return other

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal({action})"
        shared = self._shared
        return "wait" if action == shared.wait else shared.learning.format_action(action)

    def returns(self) -> list[float]:
        if self.episode is None:
            return [0.0] * self._shared.learning.seats
        return [*self.episode.rewards]

    def __str__(self) -> str:
        if self.episode is None:
            return "before the deal"
        rows = (self.episode.observe(seat).tolist() for seat in range(len(self.recalled)))
        return "\n".join(f"seat {seat}: {row}" for seat, row in enumerate(rows))


class RowObserver:
    """What a player sees now, as OpenSpiel asks for it."""

    def __init__(self, learning: Learning) -> None:
        self.tensor = np.zeros(learning.observation_size, np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for part in learning.observation:
            self.dict[part.name] = self.tensor[at : at + part.size].reshape(part.shape)
            at += part.size

    def set_from(self, state: AgonState, player: int) -> None:
        self.tensor[:] = 0 if state.episode is None else state.episode.observe(player)

    def string_from(self, state: AgonState, player: int) -> str:
        return "" if state.episode is None else str(state.episode.observe(player).tolist())


class RecallObserver:
    """All that a player has seen and done, as a string that no other past has."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: AgonState, player: int) -> None:
        raise SettingError("information state as a tensor: expected a string, or an observation")

    def string_from(self, state: AgonState, player: int) -> str:
        if state.episode is None:
            return ""
        row = state.episode.observe(player).tolist()
        return f"seat {player}, past {state.recalled[player].hex()}: {row}"


def register(name: str) -> None:
    """Make a game known to OpenSpiel."""
    game = find_game(name)
    kind = game_type(game, game.learning())

    class RegisteredGame(AgonGame):  # a class: OpenSpiel holds it until Python is gone
        def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, kind, parameters)

    pyspiel.register_game(kind, RegisteredGame)


for _game in (one for one in all_games() if one.find_file("learning.py")):
    register(_game.name)
