"""A player that knows no rules: it clicks on whatever is lit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from agon.games.clicks import Clicks, Step
    from agon.games.game import Game, Options, Position

MOST_PICKS = 2000


def play_on(game: Game, options: Options | None, seed: int, turns: int, rng: Random) -> Any:
    """A position that random turns lead to: so many, or fewer if the match ends before."""
    position = game.start(options, seed)
    for _ in range(turns):
        after = position.play({s: position.random_turn(s, rng) for s in position.to_act})
        if after.outcome is not None:
            break
        position = after
    return position


def click_turn(step: Clicks, position: Position[Any], seat: int, rng: Random) -> list[str]:
    """Picks by chance up to a whole turn: now and then as soon as there is one."""
    picks: list[str] = []
    for _ in range(MOST_PICKS):
        now = step(position, seat, picks)
        offered = [*now.choices, *now.buttons]
        if not offered or (now.turn is not None and rng.random() < 0.2):
            return picks
        picks.append(rng.choice(offered).id)
    raise AssertionError(f"no end after {MOST_PICKS} picks")


def all_turns(step: Clicks, position: Position[Any], seat: int) -> Iterator[str]:
    """Every turn that some picks lead to, once for each way that does."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        picks = waiting.pop()
        now = step(position, seat, picks)
        if now.turn is not None:
            yield now.turn
        waiting += [(*picks, offer.id) for offer in (*now.choices, *now.buttons)]


def walk_steps(step: Clicks, position: Position[Any], seat: int, picks: list[str]) -> list[Step]:
    """What is shown before the first pick, and after each."""
    return [step(position, seat, picks[:count]) for count in range(len(picks) + 1)]
