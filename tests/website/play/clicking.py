"""A person who plays by clicking, without a browser."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from agon.arena.people.context import State
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.people.session import PlaySession
    from tests.website.people import Browser, World

FEW_S = 60
MOST_PICKS = 30

ISLAND = {
    "segments": [["a1", "a2", "b2", "b1"], ["b3", "c3", "c4", "b4"], ["c5", "d5"]],
    "players": [{"stacks": {"a1": 3, "a2": 2}}, {"stacks": {"c4": 3, "d5": 2}}],
}
QUICK: dict[str, dict[str, str]] = {
    "hive": {},
    "atlantis": {"custom": json.dumps(ISLAND)},
    "battlebots": {"turn_limit": "6"},
    "skyport": {"turns": "3"},
    "mebipenny": {"rows": "4", "cols": "4"},
}
"""Options with which matches of our games are short."""


def quick_options(name: str) -> dict[str, str]:
    """Options with which a match is short; none for a game of another package."""
    if find_game(name).package.startswith("agon."):
        assert name in QUICK, f"{name}: add it to QUICK, with options that make a match short"
    return QUICK.get(name, {})


def chance(seed: object) -> Random:
    """Chance that is the same every time."""
    return Random(str(seed))  # noqa: S311  not a secret


@dataclass
class Clicker:
    """One person, known by the cookies of a browser."""

    world: World
    browser: Browser
    key: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def session(self) -> PlaySession:
        found = self.world.site.plays.find(self.key)
        assert found
        return found

    @property
    def seat(self) -> int:
        seat: int = self.look()["seat"]
        return seat

    def open(self, game: str, opponent: str = "random", seat: str = "0", **fields: str) -> str:
        """Fill in the form, and follow it to the board: the key of the match."""
        given = {"game": game, "opponent": opponent, "seat": seat} | fields
        given |= {f"option-{name}": value for name, value in quick_options(game).items()}
        response = self.browser.post("/play", **given)
        assert response.status_code == 303, response.text
        self.key = response.headers["location"].removeprefix("/play/")
        return self.key

    def join(self, key: str) -> None:
        self.key = key
        assert self.browser.post(f"/play/{key}/join").status_code == 303

    def call(self, path: str, body: Any = None) -> Any:
        """Call the API as the page's script does; the answer must be good."""
        response = self.send(path, body)
        assert response.is_success, response.text
        return response.json()

    def send(self, path: str, body: Any = None) -> Any:
        headers = self.browser.own | self.headers
        address = f"/api/v1/plays/{self.key}{path}"
        if body is None:
            return self.browser.send("GET", address, headers=headers)
        return self.browser.send("POST", address, json=body, headers=headers)

    def look(self) -> Any:
        return self.call("")

    def wait(self) -> None:
        """Wait until it is this person's turn, or the match is over."""
        seat = self.seat
        wait_until(
            self.world, self.session, lambda one: one.may_act(seat) or one.state is State.OVER
        )

    def wait_for_end(self) -> None:
        wait_until(self.world, self.session, lambda one: one.state is State.OVER)

    def pick_turn(self, rng: Random) -> list[str]:
        """Click at random until there is a whole turn."""
        play = self.look()
        step, moment = play["step"], play["moment"]
        for _ in range(MOST_PICKS):
            offered = [one["id"] for one in (*step["choices"], *step["buttons"])]
            is_enough = not offered or (step["picks"] and rng.random() < 0.5)
            if step["turn"] is not None and is_enough:
                break
            picks = [*step["picks"], rng.choice(offered)]
            step = self.call("/step", {"moment": moment, "picks": picks})
            assert step["picks"] == picks
            assert len(step["pick_words"]) == len(picks)
        picks = step["picks"]
        assert isinstance(picks, list)
        return picks

    def play_turn(self, rng: Random) -> None:
        picks = self.pick_turn(rng)
        self.call("/turn", {"moment": self.look()["moment"], "picks": picks})


def wait_until(world: World, session: PlaySession, is_there: Callable[[PlaySession], bool]) -> None:
    """Wait for something that happens in a match."""

    async def wait() -> None:
        async with asyncio.timeout(FEW_S):
            while True:
                seen = session.signal.value
                if is_there(session):
                    return
                await session.signal.beyond(seen)

    world.portal.call(wait)


def find_picks(session: PlaySession, seat: int, text: str) -> list[str]:
    """The clicks that make this turn, of two clicks at most."""
    _, position = session.now
    step = session.game.clicks()
    for first in step(position, seat, []).choices:
        one = step(position, seat, [first.id])
        if one.turn == text:
            return [first.id]
        for second in one.choices:
            if step(position, seat, [first.id, second.id]).turn == text:
                return [first.id, second.id]
    raise AssertionError(f"{text} cannot be clicked")
