"""A whole client as a contestant would have written it: knows the protocol and the rules alone."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import httpx

    from tests.servers.mebipenny.live_server import Live

Cell: TypeAlias = tuple[int, int]


class GreedyClient:
    """Plays the tile that leaves it with the most."""

    def __init__(self, client: httpx.Client, path: str, name: str) -> None:
        self.client = client
        self.path = path
        self.name = name
        self.id = ""
        self.owners: dict[Cell, str | None] = {}
        self.scores: dict[str, Any] = {}
        self.hand: list[Cell] = []
        self.answers: list[Any] = []

    def play(self) -> str:
        """Play to the end; how the game is then."""
        answer = self.client.post(f"{self.path}/players", json={"name": self.name})
        self.id = answer.json()["player_id"]
        while True:
            assert answer.status_code == 200, answer.text
            self.learn(answer.json())
            token = answer.headers.get("x-turn-token")
            if token is None:
                return str(answer.json()["state"])
            headers = {"X-Turn-Token": token}
            answer = self.client.post(f"{self.path}/moves", json=self.choose(), headers=headers)

    def learn(self, told: Any) -> None:
        """Take note of a Game or a Delta."""
        self.answers.append(told)
        for claim in told["claims"]:
            self.owners[claim["tile"]["row"], claim["tile"]["col"]] = claim["owner"]
        for player in told["players"]:
            self.scores[player["id"]] = player["score"]
            if player["id"] == self.id:
                self.hand = [(tile["row"], tile["col"]) for tile in player["hand"]]
            else:
                assert isinstance(player["hand"], int)

    def choose(self) -> Any:
        """The best move."""
        if not self.hand:
            return "PASS"
        row, col = max(self.hand, key=self.gain)
        found: dict[str, Any] = {"tile": {"row": row, "col": col}}
        leaders = self.leaders((row, col))
        if self.id not in leaders:
            found["favor"] = leaders[0]
        return found

    def gain(self, cell: Cell) -> int:
        counts = self.counts(cell)
        mine = self.id in self.leaders(cell)
        return sum(counts.values()) if mine else -counts[self.id]

    def leaders(self, cell: Cell) -> list[str]:
        counts = self.counts(cell)
        return [owner for owner, count in counts.items() if count == max(counts.values())]

    def counts(self, cell: Cell) -> dict[str, int]:
        """The army that a tile would make, by owner."""
        counts, seen, left = {self.id: 1}, {cell}, [cell]
        while left:
            row, col = left.pop()
            for near in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                owner = self.owners.get(near)
                if owner is not None and near not in seen:
                    seen.add(near)
                    left.append(near)
                    counts[owner] = counts.get(owner, 0) + 1
        return counts


def play_whole(live: Live, path: str, seats: int) -> list[GreedyClient]:
    """Have so many clients play a game to its end, each over one connection."""
    ends: list[str] = []

    def play(client: GreedyClient) -> None:
        with client.client:
            ends.append(client.play())

    clients = [GreedyClient(live.client(), path, f"player {n}") for n in range(seats)]
    threads = [threading.Thread(target=play, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == ["completed"] * seats
    return clients
