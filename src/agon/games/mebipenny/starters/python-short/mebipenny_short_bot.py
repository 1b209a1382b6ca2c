"""A MebiPenny bot of a few lines, over pipes: it plays whatever needs no more thought."""

import json
import sys
from typing import Any

if __name__ == "__main__":
    owners: dict[tuple[int, int], str] = {}
    hand: list[dict[str, int]] = []
    me = ""
    for news in map(json.loads, sys.stdin):
        if "rows" in news:  # a new match
            owners, me = {}, news["player_id"]
        owners |= {(c["tile"]["row"], c["tile"]["col"]): c["owner"] for c in news["claims"]}
        hand = next((p["hand"] for p in news["players"] if p["id"] == me), hand)
        move: Any = "PASS"
        for tile in hand:
            row, col = tile["row"], tile["col"]
            beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
            others = {owners.get(cell) for cell in beside} - {me, None}
            if len(others) < 2:  # a tie between several others would want a favor
                move = {"tile": tile}
        if news["state"] == "in play":
            print(json.dumps(move), flush=True)
