"""An Atlantis bot that asks the arena for the legal moves, and chooses some of them.

Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match atlantis . greedy
--watch` lets it play. A bot that keeps the board itself: examples/bots/atlantis.
"""

import json
import random
import sys

Move = list[str]  # from where to where: ["a1", "c3"] takes two stones two steps


def choose(moves: list[Move]) -> Move | None:
    """Pick one of the moves that start in a segment, or none. This is where your bot begins."""
    return random.choice(moves) if random.random() < 0.5 else None


def main() -> None:
    """Answer every list of moves; until there is no more input."""
    print("legal", flush=True)  # our first line: we want the legal moves with every question
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("type") == "legal":  # a list of moves for each segment
            chosen = [choose(moves) for moves in message["moves"]]
            print(json.dumps({"moves": [move for move in chosen if move]}), flush=True)
        # other lines: the board at the beginning of a match, all players' turns, the end


if __name__ == "__main__":
    main()
