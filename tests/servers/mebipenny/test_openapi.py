"""The description is true: requests that follow from it get the answers that it promises.

Schemathesis invents the requests. Requests that would be held are answered after a moment; most
ids that it invents are replaced by those of real games, for it could not guess one.
"""

from __future__ import annotations

import threading
import zlib
from typing import TYPE_CHECKING, Any

import httpx
import hypothesis
import pytest
import schemathesis

from agon.servers.mebipenny.openapi import describe
from tests.servers.mebipenny.greedy_client import GreedyClient
from tests.servers.mebipenny.live_server import join, live_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.mebipenny.live_server import Live

MILLISECOND = 10**6


@pytest.fixture(scope="module")
def hasty() -> Iterator[Live]:
    """A server that holds nothing for long."""
    with live_server(held_ns=5 * MILLISECOND) as live:
        yield live


schema = schemathesis.openapi.from_dict(describe("", 302))
# The tool does not expect these of requests that are as described, and of those that are not.
schema.config.checks.positive_data_acceptance.expected_statuses += ["408", "410"]
schema.config.checks.negative_data_rejection.expected_statuses += ["410"]


@pytest.fixture(scope="module")
def games(hasty: Live) -> list[str]:
    """A game in play, and one that is over, for it has no tile."""
    in_play, over = hasty.new_game(), hasty.new_game(seed_coverage=1)
    for path in (in_play, in_play, over, over):
        join(hasty, path).answer()
    assert [game["state"] for game in httpx.get(hasty.url).json()] == ["in play", "completed"]
    return [in_play[1:], over[1:]]


@schema.parametrize()
@hypothesis.settings(max_examples=20, deadline=None, derandomize=True)
def test_the_server_does_what_its_description_says(
    case: Any, hasty: Live, games: list[str]
) -> None:
    invented = (case.path_parameters or {}).get("game")
    if isinstance(invented, str) and len(invented) == 16:
        known = [invented, *games, hasty.new_game()[1:]]
        case.path_parameters["game"] = known[zlib.crc32(invented.encode()) % len(known)]
    case.call_and_validate(base_url=hasty.url)


def test_all_answers_of_a_match_are_as_described(live: Live) -> None:
    path = live.new_game(4, 4, seed_coverage=0.2)
    answers: list[tuple[str, str, Any]] = []

    def note(response: httpx.Response) -> None:
        response.read()
        answers.append((response.request.url.path, response.request.method, response))

    def play(name: str) -> None:
        with live.client() as client:
            client.event_hooks = {"response": [note]}
            client.post("/", json={"rows": 3, "cols": 3})
            client.get("/match?bot=greedy")
            client.get("/")
            client.get(path)
            GreedyClient(client, path, name).play()
            client.get(path)
            client.post(f"{path}/observers")

    others = [threading.Thread(target=play, args=(name,)) for name in ("ann", "bob")]
    for thread in others:
        thread.start()
    for thread in others:
        thread.join()
    assert len(answers) > 20
    for where, method, response in answers:
        schema[where.replace(path, "/{game}")][method].validate_response(response)


def test_the_description_is_served_as_it_is(live: Live, http: httpx.Client) -> None:
    answer = http.get("/openapi.json")
    assert answer.json() == describe("", live.lobby.settings.match_status)
    assert answer.headers["content-type"] == "application/json"
