"""A Hive bot that asks the arena for the legal moves, and chooses one of them.

Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match hive . greedy --watch`
lets it play. A bot that knows the rules itself, and so can think ahead: examples/bots/hive.
"""

import random
import sys


def choose(moves: list[str], enemy_queen: str) -> str:
    """Pick a move. This is where your bot begins.

    `wG2/*bA1` puts wG2 beside bA1, `wB1=*bQ1` on top of bQ1, `wS1` begins a match: a move ends with
    the tile that it is described by. So this prefers moves that are said to end at the enemy queen.
    """
    close = [move for move in moves if len(move) > 3 and move.endswith(enemy_queen)]
    return random.choice(close or moves)


def main() -> None:
    """Answer every list of moves; until there is no more input."""
    enemy_queen = ""
    print("legal", flush=True)  # our first line: we want the legal moves with every question
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "colour":
            enemy_queen = "bQ1" if rest == ["white"] else "wQ1"
        elif word == "legal":
            print(choose(rest, enemy_queen), flush=True)
        # other lines: the options of the match, the moves of the other side, the end


if __name__ == "__main__":
    main()
