"""A bot for games with a move a line: it asks for the legal moves and takes one by chance."""

import random
import sys


def choose(legal: list[str], played: list[tuple[int, str]], seat: int) -> str:
    """Your ideas go here: `played` has all moves so far, with the seat of each."""
    return random.choice(legal)


def main() -> None:
    """Read line by line, answer each list of legal moves."""
    print("legal", flush=True)
    played: list[tuple[int, str]] = []
    seat = 0
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "start":  # start GAME seats=2 seat=1 OPTION=VALUE ... turn_ms=1000
            settings = dict(part.split("=") for part in rest[1:])
            seat, played = int(settings["seat"]), []
        elif word == "move":
            played.append((int(rest[0]), rest[1]))
        elif word == "legal":
            move = choose(rest, played, seat)
            played.append((seat, move))
            print(move, flush=True)


if __name__ == "__main__":
    main()
