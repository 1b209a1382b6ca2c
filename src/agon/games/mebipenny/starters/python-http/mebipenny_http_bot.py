"""A MebiPenny bot over HTTP: for hosts of their own, and for `agon bot check .` as well.

    python3 mebipenny_http_bot.py http://HOST:PORT mybot       against any opponent
    python3 mebipenny_http_bot.py http://HOST:PORT/GAME mybot  in the game that has this address

Make it yours in `choose`. There is no list of legal moves here, but most tiles of a hand are legal.
"""

import json
import random
import sys
from typing import Any
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

Tile = tuple[int, int]  # row, column


def choose(hand: list[dict[str, int]], owners: dict[Tile, str | None], me: str) -> Any:
    """Pick a tile of our hand, or pass. This is where your bot begins.

    Beside claims of two others or more there may be a tie between them, and we would have to say
    whom we favor: this leaves such tiles alone.
    """
    plain = []
    for tile in hand:
        row, col = tile["row"], tile["col"]
        beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        if len({owners.get(near) for near in beside} - {me, None}) < 2:
            plain.append({"tile": tile})
    return random.choice(plain or ["PASS"])


def ask(url: str, body: Any = None, token: str = "") -> tuple[Any, Any]:
    """Make a request and wait for the answer, however long: its JSON, and its headers."""
    headers = {"Content-Type": "application/json"} | ({"X-Turn-Token": token} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers)) as answer:  # noqa: S310  the address is ours
        return json.loads(answer.read() or "null"), answer


def main(url: str, name: str = "starter") -> None:
    """Find a game and join it; then each answer is a turn, until one has no token."""
    if not urlsplit(url).path.strip("/"):  # a server, not a game on it
        answer = ask(urljoin(url, "/match"))[1]  # which leads to the game
        url = urljoin(url, answer.headers["Location"] or answer.geturl())
    news, answer = ask(f"{url}/players", {"name": name})
    me: str = news["player_id"]
    hand, owners = list[dict[str, int]](), dict[Tile, str | None]()
    while True:
        for claim in news["claims"]:
            owners[claim["tile"]["row"], claim["tile"]["col"]] = claim["owner"]
        hand = next((p["hand"] for p in news["players"] if p["id"] == me), hand)
        if "X-Turn-Token" not in answer.headers:
            return
        news, answer = ask(f"{url}/moves", choose(hand, owners, me), answer.headers["X-Turn-Token"])


if __name__ == "__main__":
    main(*sys.argv[1:])
