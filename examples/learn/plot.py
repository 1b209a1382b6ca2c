"""Draws the curve that train.py wrote: the score against greedy, with its 95 % interval.

python examples/learn/plot.py examples/learn/curve.csv curve.svg [games for each point]
"""

import csv
import math
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 300, 56, 20, 16, 44
COLOUR = "#2a6fb0"


def draw(rows: list[dict[str, str]], games: int) -> str:
    most = max(int(row["decisions"]) for row in rows)

    def x(decisions: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * decisions / most

    def y(score: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * score

    def line(points: list[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x(decisions):.1f} {y(score):.1f}" for decisions, score in points)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}" font-family="sans-serif" font-size="13" fill="#333">',
        "<title>Score against greedy, by decisions in training</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for score in (0, 0.25, 0.5, 0.75, 1):
        grey = "#999" if score == 0.5 else "#ddd"
        parts += [
            f'<path d="M{LEFT} {y(score):.1f}H{WIDTH - RIGHT}" stroke="{grey}"/>',
            f'<text x="{LEFT - 8}" y="{y(score) + 4:.1f}" text-anchor="end">{score:.0%}</text>',
        ]
    for fifth in range(6):
        place = f'x="{x(most * fifth / 5):.1f}" y="{HEIGHT - BOTTOM + 18}"'
        parts.append(f'<text {place} text-anchor="middle">{most * fifth / 5e6:.0f}</text>')
    place = f'x="{WIDTH / 2}" y="{HEIGHT - 6}"'
    parts.append(f'<text {place} text-anchor="middle">million decisions</text>')
    points = [(float(row["decisions"]), float(row["score_against_greedy"])) for row in rows]
    margins = [1.96 * math.sqrt(score * (1 - score) / games) for _, score in points]
    above = [(at, score + margin) for (at, score), margin in zip(points, margins, strict=True)]
    below = [(at, score - margin) for (at, score), margin in zip(points, margins, strict=True)]
    parts += [
        f'<path d="{line([*above, *reversed(below)])}Z" fill="{COLOUR}" fill-opacity="0.15"/>',
        f'<path d="{line(points)}" fill="none" stroke="{COLOUR}" stroke-width="2"/>',
        "</svg>\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    source, target, *games = sys.argv[1:]
    with Path(source).open() as file:
        Path(target).write_text(draw(list(csv.DictReader(file)), int(games[0]) if games else 400))
