"""A Battlebots bot in ten lines: forts send a part of their soldiers along all of their roads."""

import sys


def _section(header: str) -> list[list[str]]:
    return [next(sys.stdin).split() for _ in range(int(header.split()[0]))]


if __name__ == "__main__":
    for line in sys.stdin:
        forts, roads, _ = _section(line), _section(next(sys.stdin)), _section(next(sys.stdin))
        me = next((f[3] for f in forts if f[1:3] == ["0", "0"]), "")  # who holds our home
        part = {f[0]: int(f[4]) // 9 for f in forts if f[3] == me}
        orders = [f"{a} {b} {part[a]}" for r in roads for a, b in (r, r[::-1]) if part.get(a)]
        print(f"{len(orders)} marches:", *orders, sep="\n", flush=True)
