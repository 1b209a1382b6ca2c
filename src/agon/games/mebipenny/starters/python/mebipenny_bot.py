"""A MebiPenny bot that asks the arena for the legal moves, and chooses one of them.

Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match mebipenny . greedy
--watch` lets it play. A bot that knows the rules itself, over HTTP: examples/bots/mebipenny.
"""

import json
import random
import sys
from typing import Any

Tile = tuple[int, int]  # row, column


def choose(moves: list[Any], owners: dict[Tile, str | None], me: str) -> Any:
    """Pick a move. This is where your bot begins.

    `owners` are those of claimed tiles; None is a wall. This likes tiles beside its own claims.
    """

    def friends(move: Any) -> int:
        if move == "PASS":
            return -1
        row, col = move["tile"]["row"], move["tile"]["col"]
        beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return sum(owners.get(tile) == me for tile in beside)

    most = max(map(friends, moves))
    return random.choice([move for move in moves if friends(move) == most])


def main() -> None:
    """Answer every list of moves; until there is no more input."""
    owners: dict[Tile, str | None] = {}
    me = ""
    print("legal", flush=True)  # our first line: we want the legal moves with every question
    for news in map(json.loads, sys.stdin):
        if "legal" in news:
            print(json.dumps(choose(news["legal"], owners, me)), flush=True)
            continue
        if "rows" in news:  # a new match
            owners, me = {}, news["player_id"]
        for claim in news["claims"]:
            owners[claim["tile"]["row"], claim["tile"]["col"]] = claim["owner"]


if __name__ == "__main__":
    main()
