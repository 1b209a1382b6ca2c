"""A whole MebiPenny bot: it talks to a server over HTTP, keeps the board, and chooses moves.

Make it yours in `choose`, near the middle: for now it moves at random. `agon bot check .` tries the
bot out, `agon match mebipenny . greedy --watch` lets it play. On a server it plays one game:

    python3 mebipenny_bot.py http://HOST:PORT mybot       against any opponent
    python3 mebipenny_bot.py http://HOST:PORT/GAME mybot  in the game that has this address
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urljoin, urlsplit

Tile = tuple[int, int]  # row, column
Move = tuple[Tile, str]  # a tile, and the player who is favoured in a tie


class Board:
    """The match as this player knows it."""

    def __init__(self, game: dict[str, Any]) -> None:
        """A new match, from the Game object that comes with the first turn."""
        self.rows, self.cols = game["rows"], game["cols"]
        self.me: str = game["player_id"]
        self.owners: dict[Tile, str | None] = {}  # of claims; a wall's owner is None
        self.hand: list[Tile] = []
        self.scores: dict[str, int] = {}
        self.draw_size = 0
        self.update(game)

    def update(self, news: dict[str, Any]) -> None:
        """Bring everything up to date: claims and players are those that have changed."""
        self.draw_size = news["draw_size"]
        for claim in news["claims"]:
            self.owners[claim["tile"]["row"], claim["tile"]["col"]] = claim["owner"]
        for player in news["players"]:
            self.scores[player["id"]] = player["score"]
            if player["id"] == self.me:
                self.hand = [(tile["row"], tile["col"]) for tile in player["hand"]]

    def around(self, tile: Tile) -> list[Tile]:
        """The claims beside a tile; walls and free cells are none."""
        row, col = tile
        beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return [cell for cell in beside if self.owners.get(cell) is not None]

    def army(self, tile: Tile) -> set[Tile]:
        """The tile and all claims that would be connected with it."""
        found, frontier = {tile}, [tile]
        while frontier:
            for cell in self.around(frontier.pop()):
                if cell not in found:
                    found.add(cell)
                    frontier.append(cell)
        return found

    def takers(self, tile: Tile) -> list[str]:
        """Who takes the army if this player plays the tile: several in a tie."""
        counts = Counter({self.me: 1})  # the new tile counts for the one who plays it
        for cell in self.army(tile) - {tile}:
            counts[self.owners[cell] or ""] += 1
        return [player for player in counts if counts[player] == max(counts.values())]

    def legal_moves(self) -> list[Move]:
        """All moves but the pass; without a tie it does not matter who is favoured."""
        return [(tile, taker) for tile in self.hand for taker in self.takers(tile)]


def choose(board: Board, moves: list[Move]) -> Move | None:
    """Pick a move; None is the pass. This is where your bot begins."""
    return random.choice(moves) if moves else None


def format_move(move: Move | None) -> str:
    """The move as the server wants it."""
    if move is None:
        return json.dumps("PASS")
    (row, col), favoured = move
    return json.dumps({"tile": {"row": row, "col": col}, "favor": favoured})


def ask(method: str, url: str, body: str = "", token: str = "") -> tuple[Any, Any]:
    """Make a request and wait for the answer, however long: its JSON, and its headers."""
    parts = urlsplit(url)
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = connect(parts.netloc)
    headers = {"Content-Type": "application/json"} | ({"X-Turn-Token": token} if token else {})
    try:
        connection.request(method, parts.path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    if answer.status >= 400:
        sys.exit(f"{method} {url}: {answer.status} {text}")
    return json.loads(text or "null"), answer.headers


def main() -> None:
    """Find a game and join it; then each answer is a turn, until one has no token."""
    url, name = sys.argv[1].rstrip("/"), sys.argv[2] if len(sys.argv) > 2 else "starter"
    if not urlsplit(url).path:  # a server, not a game on it
        url = urljoin(url, ask("GET", f"{url}/match")[1]["Location"])
    news, headers = ask("POST", f"{url}/players", json.dumps({"name": name}))
    board = Board(news)
    while token := headers["X-Turn-Token"]:
        move = format_move(choose(board, board.legal_moves()))
        news, headers = ask("POST", f"{url}/moves", move, token)
        board.update(news)
    print("the end:", board.scores, file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except (OSError, HTTPException) as error:
        sys.exit(f"the server has gone away: {error}")
