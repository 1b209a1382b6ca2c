"""A program that computes for so many milliseconds before each move of Hive's line protocol.

Run as `python -S working_bot.py MILLISECONDS`. It is sent the legal moves and plays the first. It
imports nothing of Agon.
"""

import sys
import time


def main() -> None:
    """Answer every question after the work that it takes."""
    work_ns = int(sys.argv[1]) * 10**6
    for line in sys.stdin:
        word, *moves = line.split()
        if word == "legal":
            end = time.process_time_ns() + work_ns
            while time.process_time_ns() < end:
                pass
            print(moves[0], flush=True)


if __name__ == "__main__":
    main()
