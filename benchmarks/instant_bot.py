"""A program that plays Hive's line protocol without a thought: moves from a file, in their order.

Run as `python -S instant_bot.py MOVES`, where MOVES has the moves of one side, a line each. It
imports nothing of Agon. Every match has the same moves.
"""

import sys


def main() -> None:
    """Answer every line that asks for a move."""
    with open(sys.argv[1]) as file:
        moves = file.readlines()
    left = iter(moves)
    for line in sys.stdin:
        if line.startswith("options"):
            left = iter(moves)
        elif not line.startswith(("end", "colour black")):
            sys.stdout.write(next(left))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
