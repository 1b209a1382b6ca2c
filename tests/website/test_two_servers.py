"""Two servers on one PostgreSQL database: each answers for both, and takes over from the other.

The tests share the servers and come in the order of their lives: at the end one is killed.
"""

from __future__ import annotations

import re
import signal
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agon.arena.site_lease import BEAT_SECONDS
from agon.datastore import Store
from agon.datastore.bookings import BookingFilter
from agon.datastore.enums import BookingState
from tests.datastore.server import running_postgresql
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.website.running import Arena

LADDER = ("--game", "mebipenny", "--time", "30ms", "--pace", "8ms")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_postgresql() as server:
        server.execute("CREATE DATABASE agon")
        yield server.url("agon")


@pytest.fixture(scope="module")
def arenas(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Arena, Arena]]:
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
    with (
        running_arena(folders[0], *LADDER, "--data", url) as one,
        running_arena(folders[1], *LADDER, "--data", url) as two,
    ):
        time.sleep(BEAT_SECONDS + 1)  # until the first has heard of the second
        yield one, two


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def ask(arena: Arena, method: str, path: str, secret: str = "", **given: Any) -> httpx.Response:
    headers = {"X-Play-Secret": secret} if secret else {}
    return httpx.request(method, f"{arena.address}{path}", headers=headers, timeout=60, **given)


def open_play(arena: Arena) -> tuple[str, str]:
    """A new match for two people: its path, and the secret of the first."""
    wish = {"game": "mebipenny", "seat": 0, "opponent": "person"}
    opened = ask(arena, "POST", "/api/v1/plays", json=wish)
    assert opened.status_code == 201, opened.text
    return f"/api/v1/plays/{opened.json()['key']}", opened.json()["secret"]


def test_a_match_of_people_is_played_through_both(arenas: tuple[Arena, Arena]) -> None:
    one, two = arenas
    path, ann = open_play(one)
    assert ask(two, "GET", path, "wrong").status_code == 404
    joined = ask(two, "POST", f"{path}/join")
    assert joined.status_code == 200, joined.text
    bob = joined.json()["secret"]
    seen = [ask(arena, "GET", path, ann).json() for arena in arenas]
    assert seen[0] == seen[1]
    assert seen[0]["may_act"]
    assert not ask(two, "GET", path, bob).json()["may_act"]
    with httpx.stream(
        "GET", f"{two.address}{path}/events", headers={"X-Play-Secret": bob}, timeout=PATIENCE
    ) as events:
        lines = events.iter_lines()
        assert next(line for line in lines if line.startswith("event:")) == "event: news"
        assert ask(two, "POST", f"{path}/resign", ann).status_code == 200
        assert next(line for line in lines if line.startswith("event:")) == "event: news"
    assert (
        ask(one, "GET", path, bob).json()["status"] == ask(two, "GET", path, bob).json()["status"]
    )


def test_both_list_the_matches_of_a_person(arenas: tuple[Arena, Arena]) -> None:
    path, ann = open_play(arenas[0])
    link = f'href="/play/{path.rpartition("/")[2]}"'
    for arena in arenas:
        assert link in ask(arena, "GET", "/play", ann).text
        assert link not in ask(arena, "GET", "/play", "wrong").text
    assert ask(arenas[1], "POST", f"{path}/resign", ann).status_code == 200
    for arena in arenas:
        assert link not in ask(arena, "GET", "/play", ann).text


def test_clients_of_a_games_own_server_meet(arenas: tuple[Arena, Arena]) -> None:
    made = [ask(arena, "POST", "/mebipenny/", json={"rows": 3, "cols": 3}) for arena in arenas]
    assert [one.status_code for one in made] == [201, 201], made[0].text
    lists = [ask(arena, "GET", "/mebipenny/").json() for arena in arenas]
    assert lists[0] == lists[1]
    assert len(lists[0]) == 2


def test_what_another_client_pretends_is_not_believed(arenas: tuple[Arena, Arena]) -> None:
    path, ann = open_play(arenas[0])
    headers = {"X-Play-Secret": ann, "X-Agon-Secret": "guessed", "X-Agon-Client": "192.0.2.1"}
    for arena in arenas:
        assert httpx.get(f"{arena.address}{path}", headers=headers).status_code == 200


def test_who_logs_in_at_one_is_known_at_the_other(arenas: tuple[Arena, Arena], url: str) -> None:
    one, two = arenas
    with httpx.Client(base_url=one.address, headers={"Origin": one.address}) as client:
        form = {"name": "ann", "password": "a long enough phrase", "again": "a long enough phrase"}
        answer = client.post("/register", data=form)
        assert answer.status_code == 303, answer.text
        with Store.open(url) as store:
            bots = [str(version.id) for version in store.versions.of_game("mebipenny")[:2]]
        asked = client.post("/challenge", data={"game": "mebipenny", "bot": bots})
        assert asked.status_code == 303, asked.text
        cookies = dict(client.cookies)
    assert "ann" in httpx.get(f"{two.address}/", cookies=cookies).text
    path = asked.headers["Location"]

    def places() -> list[str]:
        answers = [httpx.get(f"{one.address}{path}", cookies=cookies) for one in arenas]
        return [answer.headers.get("Location", "") for answer in answers]

    until(lambda: all(place.startswith("/live/") for place in places()))
    assert len({*places()}) == 1
    for arena in arenas:
        assert ask(arena, "GET", places()[0], follow_redirects=True).status_code == 200


def test_both_show_the_same_matches_of_the_ladder(arenas: tuple[Arena, Arena], url: str) -> None:
    with Store.open(url) as store:
        first = store.servers.all()[0].id

    def shown() -> list[set[str]]:
        pages = [ask(arena, "GET", "/live").text for arena in arenas]
        return [{*re.findall(r'href="/live/mebipenny-([0-9]+)\.', page)} for page in pages]

    until(lambda: shown() == [{str(first)}, {str(first)}])


def test_both_play_the_ladder_and_no_match_twice(arenas: tuple[Arena, Arena], url: str) -> None:
    done = BookingFilter(state=BookingState.DONE)
    with Store.open(url) as store:
        servers = {server.id for server in store.servers.all()}
        until(lambda: servers <= {booking.server_id for booking in store.bookings.find(done, 500)})
        games = [(one.seed, one.versions) for one in store.bookings.find(done, 500)]
    assert len(games) == len({*games})


def test_what_a_killed_server_had_is_taken_over(arenas: tuple[Arena, Arena], url: str) -> None:
    one, two = arenas
    path, ann = open_play(one)
    before = ask(two, "GET", path, ann).json()
    one.process.send_signal(signal.SIGKILL)
    one.process.wait()
    with Store.open(url) as store:
        gone = store.servers.all()[0].id
        until(lambda: [server.id for server in store.servers.all()] != [gone, gone + 1])
        until(lambda: ask(two, "GET", path, ann).status_code == 200)
        assert ask(two, "GET", path, ann).json()["status"] == before["status"]
        running = store.bookings.find(BookingFilter(state=BookingState.RUNNING))
        assert gone not in {booking.server_id for booking in running}
    until(lambda: f'href="/live/mebipenny-{gone + 1}.' in ask(two, "GET", "/live").text)
