"""The whole server in one event loop: pages, the games' servers, and an orderly end."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import Counter
from dataclasses import replace
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agon.arena.live_matches import LiveMatches
from agon.arena.rules_loader import RulesLoader
from agon.datastore import JournalKind, MatchFilter, MatchStatus, Store
from agon.errors import SettingError
from agon.games.registry import all_games, find_game
from agon.match.transcript import parse_transcript, verify
from agon.servers.http_limits import ARRIVAL_NS, LimitedHttp
from agon.servers.open_connections import OpenConnections
from agon.servers.registry import SERVERS
from agon.website.accounts.policy import AccountPolicy
from agon.website.dispatch import Dispatch
from agon.website.server import Addresses, serve_arena
from agon.website.site import Site, SiteSettings
from tests.servers.mebipenny.quiet_lobby import Time
from tests.website.http.test_security import check_headers
from tests.website.people import CHEAP, NOON

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

    from agon.arena.live_matches import LiveMatch
    from agon.games.game import Game

ANYWHERE = Addresses(port=0, game_ports=dict.fromkeys(SERVERS, 0))
PATIENCE = 60


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


def make_site(store: Store, settings: SiteSettings | None = None) -> Site:
    """A site on which a second passes whenever the clock is read."""
    now, guard = count(NOON, 10**9).__next__, AccountPolicy(CHEAP)
    return Site(store, LiveMatches(), now, settings or SiteSettings(), guard)


async def until_over(live: LiveMatch) -> None:
    while not live.is_over:
        await live.signal.beyond(live.signal.value)


def test_matches_over_http_are_on_the_pages_and_stored(blank: Path) -> None:
    with Store.open(blank) as store:
        run(play_mebipenny(make_site(store)))
        (match,) = store.matches.find(MatchFilter())
    assert match.game == "mebipenny"
    assert {seat.bot for seat in match.seats} == {"Ann (guest)", "Bob (guest)"}


async def play_mebipenny(site: Site) -> None:
    """One player comes by the pages' port, the other by the game's own."""
    async with (
        serve_arena(site, ANYWHERE) as ports,
        httpx.AsyncClient(timeout=PATIENCE) as client,
    ):
        pages, own = (
            f"http://127.0.0.1:{port}" for port in (ports.pages, ports.games["mebipenny"])
        )
        made = await client.post(f"{pages}/mebipenny/", json={"rows": 3, "cols": 3})
        path = made.headers["location"].removeprefix("/mebipenny")
        joining = [
            asyncio.create_task(client.post(f"{place}{path}/players", json={"name": name}))
            for place, name in ((f"{pages}/mebipenny", "Ann"), (own, "Bob"))
        ]
        await asyncio.wait(joining, return_when=asyncio.FIRST_COMPLETED)
        (live,) = site.live_matches.running()
        shown = (await client.get(f"{pages}/live/{live.key}")).text
        assert "Ann" in shown
        assert "Bob" in shown
        passing = [
            pass_on(client, f"{place}{path}", joined)
            for place, joined in zip((f"{pages}/mebipenny", own), joining, strict=True)
        ]
        await asyncio.gather(*passing)
        await until_over(live)
        stored = await client.get(f"{pages}/live/{live.key}", follow_redirects=True)
        assert stored.url.path == f"/matches/{live.match_id}"
        assert stored.status_code == 200


async def pass_on(
    client: httpx.AsyncClient, address: str, joined: asyncio.Task[httpx.Response]
) -> None:
    """Pass until the game is over."""
    answer = await joined
    while token := answer.headers.get("x-turn-token"):
        headers = {"X-Turn-Token": token}
        answer = await client.post(f"{address}/moves", json="PASS", headers=headers)
    assert answer.json()["state"] == "completed"


def test_a_games_own_server_is_as_protected_as_the_pages(blank: Path) -> None:
    with Store.open(blank) as store:
        settings = SiteSettings(host_names=frozenset({"agon.example"}), secure_cookies=True)
        run(look_at_headers(make_site(store, settings)))


async def look_at_headers(site: Site) -> None:
    """All that is mounted beside the pages: lists, errors, streams, requests for other hosts."""
    async with (
        serve_arena(site, ANYWHERE) as ports,
        httpx.AsyncClient(timeout=PATIENCE, base_url=f"http://127.0.0.1:{ports.pages}") as client,
    ):
        made = await client.post("/mebipenny/", json={"rows": 3, "cols": 3})
        path = made.headers["location"]
        answers = [made, *[await client.get(f"/mebipenny{end}") for end in ("", "/", "/x/y")]]
        assert [one.status_code for one in answers] == [201, 200, 200, 404]
        foreign = await client.get("/mebipenny/", headers={"Host": "evil.test"})
        assert foreign.status_code == 421
        async with client.stream("POST", f"{path}/observers") as stream:
            assert stream.status_code == 200
            for answer in (*answers, foreign, stream):
                check_headers(dict(answer.headers))
                assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_people_play_on_the_whole_server(blank: Path) -> None:
    with Store.open(blank) as store:
        run(sit_down(make_site(store)))


async def sit_down(site: Site) -> None:
    """A visitor without an account begins a match against a bot, and is shown the board."""
    async with (
        serve_arena(site, ANYWHERE) as ports,
        httpx.AsyncClient(timeout=PATIENCE) as client,
    ):
        pages = f"http://127.0.0.1:{ports.pages}"
        wish = {"game": "hive", "opponent": "random"}
        opened = await client.post(f"{pages}/api/v1/plays", json=wish)
        assert opened.status_code == 201, opened.text
        secret = {"X-Play-Secret": opened.json()["secret"]}
        shown = await client.get(f"{pages}/play/{opened.json()['key']}", headers=secret)
        assert shown.status_code == 200
        assert "<svg" in shown.text


def test_matches_over_tcp_are_on_the_stage_and_stored(blank: Path) -> None:
    with Store.open(blank) as store:
        run(play_skyport(make_site(store)))
        (match,) = store.matches.find(MatchFilter())
    assert match.game == "skyport"
    assert {seat.bot for seat in match.seats} == {"Ann (guest)", "Bob (guest)"}


async def play_skyport(site: Site) -> None:
    """Two come, and one leaves at once."""
    async with serve_arena(site, ANYWHERE) as ports:
        writers = [await meet(ports.games["skyport"], name) for name in ("Ann", "Bob")]
        while not site.live_matches.running():
            await site.live_matches.signal.beyond(site.live_matches.signal.value)
        (live,) = site.live_matches.running()
        assert live.players == ("Ann", "Bob")
        for writer in writers:
            writer.close()
        await until_over(live)
        assert live.match_id is not None


def test_matches_of_clients_that_are_cut_off_are_kept_as_they_were(blank: Path) -> None:
    with Store.open(blank) as store:
        run(leave_off(make_site(store)))
        assert store.matches.find(MatchFilter()) == []
        written = store.journal.entries(JournalKind.NETWORK)
        assert [entry.game for entry in written] == ["skyport", "mebipenny"]
        assert [len(entry.lines) for entry in written] == [1, 1]
        run(come_back(make_site(store)))
        assert store.journal.entries(JournalKind.NETWORK) == []
        found = store.matches.in_order(MatchFilter())
        assert [match.status for match in found] == [MatchStatus.VOID, MatchStatus.VOID]
        assert [match.turns for match in found] == [1, 1]
        assert {seat.bot for match in found for seat in match.seats} == {
            "Ann (guest)",
            "Bob (guest)",
        }
        for match in found:
            assert verify(parse_transcript(store.matches.transcript(match.id).decode())) is None


async def leave_off(site: Site) -> None:
    """The site ends while clients are in the middle of a match, on either server."""
    async with (
        httpx.AsyncClient(timeout=PATIENCE) as client,
        serve_arena(site, ANYWHERE) as ports,
    ):
        pages = f"http://127.0.0.1:{ports.pages}/mebipenny"
        made = await client.post(f"{pages}/", json={"rows": 5, "cols": 5})
        game = pages + made.headers["location"].removeprefix("/mebipenny")
        joining = [
            asyncio.create_task(client.post(f"{game}/players", json={"name": name}))
            for name in ("Ann", "Bob")
        ]
        (first,), (second,) = await asyncio.wait(joining, return_when=asyncio.FIRST_COMPLETED)
        token = {"X-Turn-Token": (await first).headers["x-turn-token"]}
        held = asyncio.create_task(client.post(f"{game}/moves", json="PASS", headers=token))
        await second  # it is the other's turn, who does not move any more
        connections = [await meet(ports.games["skyport"], name) for name in ("Ann", "Bob")]
        choice = {"primary-weapon": "laser", "secondary-weapon": "droid"}
        for connection in connections:
            connection.write(json.dumps({"message": "loadout", **choice}).encode() + b"\n")
        (live,) = site.live_matches.running("skyport")
        while not live.turns:
            await live.signal.beyond(live.signal.value)
        assert not held.done()
    for connection in connections:
        connection.close()


async def meet(port: int, name: str) -> asyncio.StreamWriter:
    """Come to Skyport over TCP, and be known by this name."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    hello = {"message": "connect", "revision": 1, "name": name}
    writer.write(json.dumps(hello).encode() + b"\n")
    await reader.readline()
    return writer


async def come_back(site: Site) -> None:
    async with (
        serve_arena(site, ANYWHERE) as ports,
        httpx.AsyncClient(timeout=PATIENCE) as client,
    ):
        for match_id in (1, 2):
            page = await client.get(f"http://127.0.0.1:{ports.pages}/matches/{match_id}")
            assert "The match has no result; interrupted: the site was stopped." in page.text


def test_requests_that_wait_at_the_end_are_answered(blank: Path) -> None:
    with Store.open(blank) as store:
        run(end_while_others_wait(make_site(store)))


async def end_while_others_wait(site: Site) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        async with serve_arena(site, ANYWHERE) as ports:
            pages = f"http://127.0.0.1:{ports.pages}"
            made = await client.post(f"{pages}/mebipenny/", json={"rows": 3, "cols": 3})
            game = f"{pages}{made.headers['location']}"
            held = asyncio.create_task(client.post(f"{game}/players", json={"name": "Ann"}))
            while not (await client.get(game)).json()["players"]:
                pass
            begun = asyncio.Event()
            following = asyncio.create_task(follow(client, f"{pages}/live/events", begun))
            await begun.wait()
            assert not held.done()
        assert (await held).status_code == 503
        assert (await following)[0] == "retry: 2000"


async def follow(client: httpx.AsyncClient, address: str, begun: asyncio.Event) -> list[str]:
    """Read a stream to its end, which must be a good one."""
    lines: list[str] = []
    async with client.stream("GET", address) as stream:
        async for line in stream.aiter_lines():
            lines.append(line)
            begun.set()
    return lines


def test_a_port_of_the_pages_that_is_taken_is_told_and_nothing_begins(blank: Path) -> None:
    async def begin(site: Site, place: Addresses) -> None:
        async with serve_arena(site, place):
            raise AssertionError("it began")

    with socket.create_server(("127.0.0.1", 0)) as taken, Store.open(blank) as store:
        place = replace(ANYWHERE, port=taken.getsockname()[1])
        with pytest.raises(SettingError, match=r"cannot listen .*Address already in use"):
            run(begin(make_site(store), place))


@pytest.mark.parametrize("game", SERVERS)
def test_a_games_port_that_is_taken_is_a_warning(
    blank: Path, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit(site: Site, place: Addresses) -> None:
        async with serve_arena(site, place) as ports, httpx.AsyncClient() as client:
            assert ports.games[game] == 0
            assert (await client.get(f"http://127.0.0.1:{ports.pages}/")).status_code == 200

    with socket.create_server(("127.0.0.1", 0)) as taken, Store.open(blank) as store:
        port = taken.getsockname()[1]
        run(
            visit(
                make_site(store), replace(ANYWHERE, game_ports={**ANYWHERE.game_ports, game: port})
            )
        )
    assert f"cannot listen at 127.0.0.1, port {port}: Address already in use" in caplog.text
    assert f"the site runs without it: choose another with --game-port {game}=N" in caplog.text


def test_pages_are_answered_while_rules_are_compiled(blank: Path, compiled_games: set[str]) -> None:
    let_go = threading.Event()

    def compile_rules(game: Game) -> None:
        let_go.wait(PATIENCE)
        compiled_games.add(game.name)

    rules = RulesLoader(all_games(), compile_rules=compile_rules)
    with Store.open(blank) as store:
        run(visit_early(replace(make_site(store), rules=rules), let_go))


async def visit_early(site: Site, let_go: threading.Event) -> None:
    """A visitor, a client of Skyport and one of MebiPenny come before the rules are there."""
    connect = b'{"message": "connect", "revision": 1, "name": "ann"}\n'
    async with serve_arena(site, ANYWHERE) as ports, httpx.AsyncClient(timeout=PATIENCE) as client:
        pages = f"http://127.0.0.1:{ports.pages}"
        front = await client.get(pages)
        assert front.status_code == 200
        assert "The games are being prepared" in front.text
        play = await client.get(f"{pages}/play")
        assert (play.status_code, play.headers["refresh"]) == (503, "3")
        assert "<h1>Getting ready</h1>" in play.text
        assert f"0 of {len(all_games())} games are ready" in play.text
        reader, writer = await asyncio.open_connection("127.0.0.1", ports.games["skyport"])
        writer.write(connect)
        games = [f"http://127.0.0.1:{ports.games['mebipenny']}/", f"{pages}/mebipenny/"]
        waiting = [asyncio.create_task(client.get(address)) for address in games]
        await asyncio.sleep(0)
        let_go.set()
        assert b"connect" in await reader.readline()
        assert [(await answer).json() for answer in waiting] == [[], []]
        while (await client.get(f"{pages}/play")).status_code == 503:
            pass
        assert "The games are being prepared" not in (await client.get(f"{pages}/?again")).text
        writer.close()


def test_rules_of_another_game_are_compiled_for_the_first_client_of_its_server(
    blank: Path, compiled_games: set[str]
) -> None:
    compiled_games.add("atlantis")

    async def visit(site: Site) -> None:
        async with serve_arena(site, ANYWHERE) as ports, httpx.AsyncClient() as client:
            await site.until_ready("atlantis")
            assert (await client.get(f"http://127.0.0.1:{ports.pages}/")).status_code == 200
            assert compiled_games == {"atlantis"}
            reader, writer = await asyncio.open_connection("127.0.0.1", ports.games["skyport"])
            writer.write(b'{"message": "connect", "revision": 1, "name": "ann"}\n')
            assert b"connect" in await reader.readline()
            assert compiled_games == {"atlantis", "skyport"}
            writer.close()
            found = await client.get(f"http://127.0.0.1:{ports.pages}/mebipenny/")
            assert found.json() == []
            assert compiled_games == {"atlantis", "skyport", "mebipenny"}

    rules = RulesLoader(
        [find_game("atlantis")], compile_rules=lambda game: compiled_games.add(game.name)
    )
    with Store.open(blank) as store:
        run(visit(replace(make_site(store), rules=rules)))


def test_rules_of_another_game_are_compiled_for_the_first_page_that_needs_them(
    blank: Path, compiled_games: set[str]
) -> None:
    let_go = threading.Event()
    compiled_games.add("atlantis")

    def compile_rules(game: Game) -> None:
        let_go.wait(PATIENCE)
        compiled_games.add(game.name)

    async def visit(site: Site) -> None:
        async with serve_arena(site, ANYWHERE) as ports, httpx.AsyncClient() as client:
            pages = f"http://127.0.0.1:{ports.pages}"
            await site.until_ready("atlantis")
            while (await client.get(f"{pages}/play")).status_code == 503:
                pass
            assert (await client.get(f"{pages}/learn")).status_code == 200
            assert compiled_games == {"atlantis"}
            early = await client.get(f"{pages}/play?game=hive")
            assert (early.status_code, early.headers["refresh"]) == (503, "3")
            assert "the rules of Hive are being compiled" in early.text
            picture = asyncio.create_task(client.get(f"{pages}/play/pictures/hive.svg"))
            assert (await client.get(pages)).status_code == 200
            let_go.set()
            assert (await picture).status_code == 200
            assert (await client.get(f"{pages}/play?game=hive")).status_code == 200
            assert compiled_games == {"atlantis", "hive"}

    rules = RulesLoader([find_game("atlantis")], compile_rules=compile_rules)
    with Store.open(blank) as store:
        run(visit(replace(make_site(store), rules=rules)))


def half_post(path: str, length: int, body: str = "") -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: a", "Origin: http://a", f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", body]).encode()


HALVES = [
    (b"GET / HTTP/1.1\r\nX-", 408),
    (half_post("/api/v1/login", 90, '{"name":'), 408),
    (half_post("/login", 90, "name="), 408),
    (half_post("/replay", 90, "file="), 408),
    (half_post("/api/v1/login", 300_000), 413),
    (half_post("/replay", 99_999_999), 413),
    (half_post("/mebipenny/", 70_000), 413),
    (b"GET /?" + b"x" * 66_000, 431),
]


@pytest.mark.parametrize(("half", "status"), HALVES, ids=[str(half[:20]) for half, _ in HALVES])
def test_half_a_request_is_answered_and_closed(
    blank: Path, caplog: pytest.LogCaptureFixture, half: bytes, status: int
) -> None:
    with Store.open(blank) as store:
        run(send_half(make_site(store), half, status))
    assert caplog.records == []


async def send_half(site: Site, half: bytes, status: int) -> None:
    time = Time()
    connections = OpenConnections(50, time.read, time)
    async with serve_arena(site, ANYWHERE, connections=connections) as ports:
        reader, writer = await asyncio.open_connection("127.0.0.1", ports.pages)
        writer.write(half)
        if status == HTTPStatus.REQUEST_TIMEOUT:
            await has_begun(connections)
            time.pass_by(2 * ARRIVAL_NS)
        told = await reader.read()
        assert told.startswith(b"HTTP/1.1 %d " % status)
        assert b"connection: close" in told
        writer.close()


async def has_begun(connections: OpenConnections) -> None:
    """Wait until a connection has brought a part of a request."""

    def is_partial(http: object) -> bool:
        return isinstance(http, LimitedHttp) and not http._is_whole

    while not any(map(is_partial, connections._addresses)):  # noqa: ASYNC110  there is no event
        await asyncio.sleep(0)


def test_streams_end_with_the_server_and_other_answers_do_not() -> None:
    run(end_streams())


async def end_streams() -> None:
    sent: dict[str, list[Any]] = {"/stream": [], "/slow": []}
    begun = asyncio.Semaphore(0)
    let_go = asyncio.Event()

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        kind = b"text/event-stream" if scope["path"] == "/stream" else b"text/html"
        headers = [(b"content-type", kind)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        begun.release()
        await let_go.wait()
        await send({"type": "http.response.body", "body": b"done"})

    answers: Counter[int] = Counter()
    dispatch = Dispatch(pages, {}, answers)

    async def visit(path: str) -> None:
        async def send(message: Any) -> None:
            sent[path].append(message)

        async def receive() -> Any:
            raise AssertionError("the client sends no more")

        await dispatch({"type": "http", "path": path, "method": "GET"}, receive, send)

    visits = [asyncio.create_task(visit(path)) for path in sent]
    for _ in visits:
        await begun.acquire()
    dispatch.end_streams()
    await visits[0]
    assert sent["/stream"][1:] == [{"type": "http.response.body", "body": b"", "more_body": False}]
    let_go.set()
    await visits[1]
    assert sent["/slow"][1:] == [{"type": "http.response.body", "body": b"done"}]
    assert answers == {2: 2}


def test_the_server_counts_connections_and_answers(blank: Path) -> None:
    async def look(site: Site) -> None:
        async with serve_arena(site, ANYWHERE) as ports, httpx.AsyncClient() as client:
            pages = f"http://127.0.0.1:{ports.pages}"
            for path in ("/", "/nowhere", "/mebipenny/", "/mebipenny/nowhere"):
                await client.get(f"{pages}{path}")
            lines = (await client.get(f"{pages}/metrics")).text.splitlines()
            assert 'agon_http_responses_total{class="2xx"} 2' in lines
            assert 'agon_http_responses_total{class="4xx"} 2' in lines
            assert "agon_connections 1" in lines

    with Store.open(blank) as store:
        run(look(make_site(store)))
