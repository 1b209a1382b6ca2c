"""A Battlebots bot that asks the arena for the orders that it may give, and chooses some of them.

Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match battlebots . greedy
--watch` lets it play. A bot that works out its orders itself: examples/bots/battlebots.
"""

import random
import sys

Order = tuple[str, str, int]  # from which fort to which, and how many soldiers go


def choose(roads: list[Order], owner: dict[str, str], soldiers: dict[str, int]) -> Order:
    """Pick an order for one of our forts. This is where your bot begins.

    `roads` are all ways out, with all that we have there. This takes the weakest fort that it can.
    """
    me = owner[roads[0][0]]
    weaker = [r for r in roads if owner[r[1]] != me and soldiers[r[1]] < r[2]]
    if weaker:
        return min(weaker, key=lambda road: soldiers[road[1]])
    origin, target, most = random.choice(roads)
    return origin, target, random.randint(1, most)


def read_section() -> list[list[str]]:
    """The words of each line, after a header that says how many lines there are."""
    header = sys.stdin.readline()
    if not header:
        sys.exit()  # the match is over
    return [sys.stdin.readline().split() for _ in range(int(header.split()[0]))]


def main() -> None:
    """Read what we see and what we may do, and answer; until there is no more input."""
    print("legal", flush=True)  # our first line: we want the legal orders with every question
    while True:
        forts, _roads, _marches = read_section(), read_section(), read_section()
        owner = {name: who for name, _, _, who, _ in forts}
        soldiers = {name: int(size) for name, _, _, _, size in forts}
        words = sys.stdin.readline().split()[1:]  # legal, and three words for each order
        ways: dict[str, list[Order]] = {}
        for origin, target, size in zip(words[::3], words[1::3], words[2::3], strict=True):
            ways.setdefault(origin, []).append((origin, target, int(size)))
        orders = [choose(roads, owner, soldiers) for roads in ways.values()]
        print(f"{len(orders)} marches:", *(f"{a} {b} {n}" for a, b, n in orders), sep="\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
