"""Programs that play over HTTP: raw bytes to the server, and matches with real processes."""

from __future__ import annotations

import json
import os
import select
import socket
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, find_entrant, launch_on_host, make_seat, start_program
from agon.arbiter.http_connection import MOST_AHEAD, MOST_BODY, MOST_HEAD
from agon.arbiter.http_seat import LONGEST_NOTE, MOST_CONNECTIONS, HttpProcess
from agon.arbiter.limits import Limits
from agon.arbiter.program import ProgramSeat
from agon.arbiter.sandboxed import launch_in_sandbox, missing_layers
from agon.arbiter.seat import BotSeat
from agon.errors import SettingError
from agon.games.bot import no_time
from agon.games.dialogue import Briefing
from agon.games.hive.game import GAME as HIVE
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.http_exchange import MebiPennyExchange
from agon.games.mebipenny.protocol import HttpDialogue
from agon.match.transcript import Fault
from tests.arbiter.programs import PYTHON, SECOND, children, open_files, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.arbiter.bot_process import Launch
    from agon.match.result import MatchResult
    from agon.sandbox.core_times import CoreTimes

PATIENCE = 60.0  # seconds, for what comes at once
PATIENT = Limits(turn_ns=120 * SECOND)
BOARD = MebiPennyOptions(3, 4)
JOIN = b'{"name": "digger"}'


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    missing_layers()  # opens what stays open
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files
    assert not [thread for thread in threading.enumerate() if thread.name == "relay"]


# --- Raw bytes -----------------------------------------------------------------------------------


class Dummy:
    """A program that does nothing, with pipes that it never uses."""

    def __init__(self, program: Program) -> None:
        self.port = program.port or 0
        self.stdout_fd, self._stdout = os.pipe()
        self.stdin_fd, self._stdin = os.pipe()
        self.print_fds = ()
        self.is_over = False

    def die(self) -> None:
        if not self.is_over:
            os.close(self._stdout)
        self.is_over = True

    def end(self) -> str | None:
        self.die()
        for descriptor in (self.stdout_fd, self.stdin_fd, self._stdin):
            os.close(descriptor)
        return "exit status 0"

    def read(self, most: int) -> bytes:
        raise BlockingIOError

    def write(self, data: bytes) -> int:
        return len(data)

    def pause(self) -> None:
        """It does nothing anyway."""

    resume = pause
    stop = die

    def core_times(self) -> CoreTimes:
        return {}

    def limit_reached(self) -> str | None:
        return None


class Server:
    """The server of one seat, and clients of it, all in one thread."""

    def __init__(self) -> None:
        self.dummies: list[Dummy] = []
        self.clients: list[socket.socket] = []
        program = Program("bot", ("bot", "{url}"))
        self.process = HttpProcess(program, "bot", self._launch, MebiPennyExchange())
        self.said = b""
        self.dialogue, self.position = HttpDialogue(), GAME.start(BOARD, 1)
        self.tell(self.dialogue.open(self.position, 0, Briefing()))

    def _launch(self, program: Program) -> Dummy:
        self.dummies.append(Dummy(program))
        return self.dummies[0]

    def tell(self, lines: list[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        assert self.process.write(data) == len(data)

    def ask(self) -> None:
        self.tell(self.dialogue.ask(self.position))

    def dial(self) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.dummies[0].port), PATIENCE)
        self.clients.append(client)
        return client

    def serve(self, until: Callable[[], object]) -> None:
        """Do what the arbiter does, until something has come about."""
        poll = select.poll()
        poll.register(self.process.stdout_fd, select.POLLIN)
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, "waited in vain"
            poll.poll(10)
            with suppress(BlockingIOError):
                self.said += self.process.read(1 << 16)

    def receive(self, client: socket.socket) -> bytes:
        """Serve until the client has something to read, or is hung up on; what it reads."""
        poll = select.poll()
        poll.register(client, select.POLLIN)
        self.serve(lambda: poll.poll(0))
        try:
            return client.recv(1 << 20)
        except ConnectionError:
            return b""

    def answer(self, client: socket.socket) -> tuple[int, dict[str, str], Any]:
        """One whole response."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more(client)
        head, _, body = data.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (n.partition(": ") for n in lines)}
        while len(body) < int(headers["content-length"]):
            body += self._more(client)
        self.rest = body[int(headers["content-length"]) :]
        body = body[: int(headers["content-length"])]
        is_json = headers.get("content-type") == "application/json"
        return int(status.split()[1]), headers, json.loads(body) if is_json else body.decode()

    rest = b""

    def _more(self, client: socket.socket) -> bytes:
        data, self.rest = self.rest, b""
        data = data or self.receive(client)
        assert data, "hung up"
        return data

    def request(self, data: bytes, client: socket.socket | None = None) -> tuple[int, Any, Any]:
        client = client or self.dial()
        client.sendall(data)
        return self.answer(client)

    def notes(self) -> str:
        with suppress(BlockingIOError):
            return os.read(self.process.print_fds[-1], 1 << 16).decode()
        return ""


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    for client in made.clients:
        client.close()
    made.process.end()


def post(path: str, body: bytes, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: arena", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def get(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: arena", *headers, "", ""]).encode()


def test_a_request_may_come_byte_by_byte(server: Server) -> None:
    client = server.dial()
    data = post("/1/players", JOIN)
    for number in range(len(data)):
        client.sendall(data[number : number + 1])
        with suppress(BlockingIOError):
            server.process.read(1)
    server.ask()
    server.serve(lambda: not server.process._held)
    status, headers, game = server.answer(client)
    assert (status, headers["x-turn-token"], game["player_id"]) == (200, "1", "p0")


def test_several_requests_may_be_cut_anywhere(server: Server) -> None:
    client = server.dial()
    data = get("/1") + post("/1/moves", b'{"rows": 3, "cols": 3}') + get("/")
    for cut in range(len(data)):
        client.sendall(data[:cut])
        with suppress(BlockingIOError):
            server.process.read(1)
        client.sendall(data[cut:])
        assert [server.answer(client)[0] for _ in range(3)] == [200, 403, 200]


def test_what_follows_a_held_request_waits_for_it(server: Server) -> None:
    client = server.dial()
    client.sendall(get("/") + post("/1/players", JOIN) + get("/1") + get("/nowhere"))
    assert server.answer(client)[0] == 200
    server.serve(lambda: server.process._held)
    assert server.request(get("/"))[0] == 200  # others are served meanwhile
    server.ask()
    assert [server.answer(client)[0] for _ in range(3)] == [200, 200, 404]


def test_several_connections_for_one_match(server: Server) -> None:
    """As by a client that closes each connection, or one that keeps another for looking on."""
    watcher, player = server.dial(), server.dial()
    assert server.request(get("/1"), watcher)[2]["state"] == "initiating"
    player.sendall(post("/1/players", JOIN, "Connection: close"))
    server.serve(lambda: server.process._held)
    server.ask()
    status, headers, _ = server.answer(player)
    assert (status, headers["connection"]) == (200, "close")
    assert server.receive(player) == b""
    assert server.request(get("/1"), watcher)[2]["state"] == "in play"
    mover = server.dial()
    mover.sendall(post("/1/moves", b'"PASS"', f"X-Turn-Token: {headers['x-turn-token']}"))
    server.serve(lambda: server.said)
    assert server.said == b'"PASS"\n'


def test_connections_that_are_closed_make_room_for_others(server: Server) -> None:
    for _ in range(3 * MOST_CONNECTIONS):
        client = server.dial()
        assert server.request(get("/match", "Connection: close"), client)[0] == 302
        assert server.receive(client) == b""
        client.close()
    server.serve(lambda: not server.process._connections)


def test_a_client_that_sends_many_requests_at_once_does_not_keep_the_arbiter(
    server: Server,
) -> None:
    client = server.dial()
    client.sendall(get("/nowhere") * 100)
    server.receive(client)
    with suppress(BlockingIOError):
        server.process.read(1)
    (connection,) = server.process._connections.values()
    assert len(connection._http.trailing_data[0]) > 50 * len(get("/nowhere"))
    assert [server.answer(client)[0] for _ in range(90)] == [404] * 90


def test_bodies_in_chunks(server: Server) -> None:
    client = server.dial()
    head = b"POST /1/players HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    client.sendall(head + b'5\r\n{"nam\r\n' + b'c;x=y\r\ne": "drill"}\r\n0\r\n\r\n')
    server.serve(lambda: server.process._held)
    server.ask()
    assert server.answer(client)[0] == 200


def test_a_client_that_waits_for_permission_gets_it(server: Server) -> None:
    client = server.dial()
    head, _, body = post("/", b'{"rows": 3, "cols": 3}', "Expect: 100-continue").partition(
        b"\r\n\r\n"
    )
    client.sendall(head + b"\r\n\r\n")
    assert server.receive(client).startswith(b"HTTP/1.1 100 ")
    assert server.request(body, client)[0] == 201


@pytest.mark.parametrize("data", [get("/match"), post("/", b'{"rows": 3, "cols": 3}')])
def test_where_the_game_is_stands_in_the_head_alone(server: Server, data: bytes) -> None:
    client = server.dial()
    client.sendall(data)
    status, headers, body = server.answer(client)
    assert (status, headers["location"], body) == (302 if data[:3] == b"GET" else 201, "/1", "")
    assert (headers["connection"], headers["content-length"]) == ("close", "0")
    assert server.receive(client) == b""  # the next request is for a new connection


def test_clients_of_http_1_0_are_hung_up_on_when_they_are_answered(server: Server) -> None:
    client = server.dial()
    client.sendall(b"GET /match HTTP/1.0\r\n\r\n")
    assert server.answer(client)[1]["location"] == "/1"
    assert server.receive(client) == b""


def test_head_is_get_without_the_body(server: Server) -> None:
    client = server.dial()
    client.sendall(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + get("/nowhere"))
    data = b""
    while data.count(b"\r\n\r\n") < 2:
        data += server.receive(client)
    first, _, second = data.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200 ")
    assert second.startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),  # TLS
        (b"GET /" + b"x" * 2 * MOST_HEAD, 431),
        (get("/", "X-Long: " + "x" * 2 * MOST_HEAD)[:-4], 431),
        (get("/", "X-Long: " + "x" * MOST_HEAD), 431),  # whole, and too long all the same
        (post("/", b" " * (MOST_BODY + 1)), 413),
        (post("/", b" " * (MOST_BODY + 1))[:200], 413),  # before the body has come
    ],
)
def test_what_is_no_request_is_answered_and_hung_up_on(
    server: Server, data: bytes, expected: int
) -> None:
    client = server.dial()
    client.sendall(data)
    status, headers, _ = server.answer(client)
    assert (status, headers["connection"]) == (expected, "close")
    assert server.receive(client) == b""
    assert server.notes().startswith("arena: no HTTP: ")
    assert server.request(get("/match"))[0] == 302  # for others nothing has happened
    assert server.said == b""


def test_the_largest_requests_are_requests(server: Server) -> None:
    body = b'{"rows": 3, "cols": 3}'.ljust(MOST_BODY)
    assert server.request(post("/", body))[0] == 201
    chunks = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert server.request(chunks + b"%x\r\n%s\r\n0\r\n\r\n" % (MOST_BODY, body))[0] == 201
    assert server.request(chunks + b"%x\r\n%s \r\n" % (MOST_BODY + 1, body))[0] == 413
    short = get("/", "X-Long: ")
    assert server.request(get("/", "X-Long: " + "x" * (MOST_HEAD - len(short))))[0] == 200
    assert server.request(get("/", "X-Long: " + "x" * (MOST_HEAD - len(short) + 1)))[0] == 431


def test_a_note_for_the_author_is_one_line_and_not_too_long(server: Server) -> None:
    server.request(get("/" + "x" * 1000))
    (note,) = server.notes().splitlines()
    assert len(note) == len("arena: ") + LONGEST_NOTE
    server.process._note("a\nb\x07")
    assert server.notes() == "arena: a?b?\n"


def test_the_author_is_told_of_requests_that_were_refused(server: Server) -> None:
    server.request(get("/1/moves?\x7f"[:-1]))
    server.request(post("/1/moves", b'"PASS"', "X-Turn-Token: 9"))
    assert server.notes().splitlines() == [
        "arena: GET /1/moves: 405: method 'GET': expected POST, OPTIONS",
        "arena: POST /1/moves: 403: X-Turn-Token '9': expected the token of the turn that is on",
    ]


def test_who_asks_and_never_reads_does_not_fill_the_memory(server: Server) -> None:
    client = server.dial()
    client.setblocking(False)
    flood, sent = get("/1") * 100, 0
    with suppress(BlockingIOError):
        for _ in range(10_000):
            sent += client.send(flood)
            with suppress(BlockingIOError):
                server.process.read(1)
    (connection,) = server.process._connections.values()
    assert sent < 10_000 * len(flood)
    assert connection.wants == select.EPOLLOUT
    assert len(connection._out) < 1 << 16


def test_who_asks_on_and_on_while_it_is_held_is_hung_up_on(server: Server) -> None:
    client = server.dial()
    client.sendall(post("/1/players", JOIN))
    server.serve(lambda: server.process._held)
    client.sendall(get("/") * (2 * MOST_AHEAD // len(get("/"))))
    assert server.receive(client) == b""
    again = server.dial()
    again.sendall(post("/1/players", JOIN))
    server.serve(lambda: server.process._held)
    server.ask()
    assert server.answer(again)[0] == 200


def test_who_leaves_while_it_is_held_may_join_again(server: Server) -> None:
    client = server.dial()
    client.sendall(post("/1/players", JOIN))
    server.serve(lambda: server.process._held)
    client.close()
    server.serve(lambda: not server.process._held)
    again = server.dial()
    again.sendall(post("/1/players", JOIN))
    server.serve(lambda: server.process._held)
    server.ask()
    assert server.answer(again)[1]["x-turn-token"] == "1"


def test_there_is_an_end_to_connections(server: Server) -> None:
    clients = [server.dial() for _ in range(MOST_CONNECTIONS)]
    server.serve(lambda: len(server.process._connections) == MOST_CONNECTIONS)
    assert server.receive(server.dial()) == b""
    clients[0].close()
    server.serve(lambda: len(server.process._connections) < MOST_CONNECTIONS)
    assert server.request(get("/match"))[0] == 302


def test_what_a_program_sent_right_before_its_end_counts(server: Server) -> None:
    client = server.dial()
    client.sendall(post("/1/players", JOIN))
    server.serve(lambda: server.process._held)
    server.ask()
    assert server.answer(client)[1]["x-turn-token"] == "1"
    client.sendall(post("/1/moves", b'"PASS"', "X-Turn-Token: 1"))
    server.dummies[0].die()
    server.serve(lambda: server.said)
    assert server.said == b'"PASS"\n'
    assert server.process.read(1) == b""


# --- Matches in which the program is a thread of this process -------------------------------------


@contextmanager
def client_thread(seat_is_there: list[Dummy], body: Callable[[HTTPConnection], None]) -> Any:
    """A client that plays as soon as it is launched."""
    launched = threading.Event()

    def launch(program: Program) -> Dummy:
        seat_is_there.append(Dummy(program))
        launched.set()
        return seat_is_there[0]

    def run() -> None:
        assert launched.wait(PATIENCE)
        connection = HTTPConnection("127.0.0.1", seat_is_there[0].port, timeout=PATIENCE)
        try:
            body(connection)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    yield launch
    thread.join()


def ask(
    connection: HTTPConnection, path: str, document: Any, token: str = ""
) -> tuple[int, Any, str]:
    connection.request("POST", path, json.dumps(document), {"X-Turn-Token": token})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read()), answer.headers["X-Turn-Token"] or ""


def play(seat: ProgramSeat, limits: Limits = PATIENT, matches: int = 1) -> MatchResult:
    other = BotSeat("random", GAME.bots()["random"], 0, no_time)
    try:
        table = Arbiter(GAME, BOARD, [seat, other], limits, time.monotonic_ns)
        for _ in range(matches):
            match = table.play(1)
    finally:
        seat.close()
    return match


def http_seat(
    launch: Launch,
    *words: str,
    on_line: Callable[[str, str], None] = lambda way, line: None,
    protocol: str = "http",
) -> ProgramSeat:
    program = Program("bot", words or ("bot", "{url}"), protocol=protocol)
    seat = make_seat(GAME, Entrant("Zoë", program), 0, no_time, launch, on_line)
    assert isinstance(seat, ProgramSeat)
    return seat


@pytest.mark.parametrize(("method", "path"), [("GET", "/match"), ("POST", "/")])
def test_an_old_client_does_not_read_the_body_of_a_201(method: str, path: str) -> None:
    states: list[str] = []

    def body(connection: HTTPConnection) -> None:
        connection.request(method, path, '{"rows": 3, "cols": 4}')
        game = connection.getresponse().headers["Location"]
        _, news, token = ask(connection, f"{game}/players", {"name": "old"})
        while token:
            _, news, token = ask(connection, f"{game}/moves", "PASS", token)
        states.append(news["state"])

    with client_thread([], body) as launch:
        match = play(http_seat(launch, protocol="http-201"))
    assert (match.faults, states) == ((None, None), ["completed"])


@pytest.mark.parametrize(
    ("last", "status", "fault"),
    [
        (lambda hand: "PASS", 200, None),
        (lambda hand: {"tile": hand[0]}, 403, Fault.ILLEGAL),
        (lambda hand: ["PASS"], 403, Fault.PROTOCOL),
    ],
)
def test_the_last_answer_has_no_token(
    last: Callable[[Any], Any], status: int, fault: Fault | None
) -> None:
    answers: list[tuple[int, Any, str]] = []

    def body(connection: HTTPConnection) -> None:
        answers.append(ask(connection, "/1/players", {"name": "x"}))
        hand = answers[0][1]["players"][0]["hand"]
        answers.append(ask(connection, "/1/moves", {"tile": hand[0]}, answers[0][2]))
        while answers[-1][2]:
            answers.append(ask(connection, "/1/moves", last(hand), answers[-1][2]))

    with client_thread([], body) as launch:
        match = play(http_seat(launch))
    assert match.faults == (fault, None)
    assert [answer[0] for answer in answers] == [200] * (len(answers) - 1) + [status]
    assert all(token for _, _, token in answers[:-1])
    if fault is None:
        assert answers[-1][1]["state"] == "completed"
    else:
        assert answers[-1][1] == {"error": told(match)}


# --- Matches with real processes ------------------------------------------------------------------

HTTP = """
import http.client, json, os, sys, time
host, port = sys.argv[1], int(sys.argv[2])

def ask(method, path, document=None, token=""):
    connection = http.client.HTTPConnection(host, port)
    connection.request(method, path, json.dumps(document), {"X-Turn-Token": token})
    answer = connection.getresponse()
    return json.loads(answer.read() or "null"), answer.headers

def join():
    location = ask("GET", "/match")[1]["Location"]
    return ask("POST", location + "/players", {"name": "x"})

def move(headers, document):
    return ask("POST", "/1/moves", document, headers["X-Turn-Token"])

def play():
    news, headers = join()
    while headers["X-Turn-Token"]:
        for player in news["players"]:
            if player["id"] == "p0":
                hand = player["hand"]
        news, headers = move(headers, {"tile": hand[0]} if hand else "PASS")
    assert news["state"] == "completed", news

def sleep():
    time.sleep(600)
"""


def real_seat(path: Path, body: str, launch: Launch = launch_on_host) -> ProgramSeat:
    (path / "bot.py").write_text(HTTP + body)
    return http_seat(launch, *PYTHON, str(path / "bot.py"), "{host}", "{port}", "--name={name}")


@pytest.mark.parametrize("matches", [1, 2])
def test_a_program_plays_and_is_started_anew_for_every_match(tmp_path: Path, matches: int) -> None:
    match = play(real_seat(tmp_path, "play()"), matches=matches)
    assert (match.faults, match.outcome.reason) == ((None, None), "no tiles left")


def test_one_in_the_sandbox_reaches_its_server_and_nothing_else() -> None:
    body = """
for other in (port + 1, OTHER):
    try:
        http.client.HTTPConnection(host, other, timeout=5).request("GET", "/")
    except ConnectionRefusedError:
        print("refused", sys.argv[3], flush=True)
play()
"""
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        tempfile.TemporaryDirectory(prefix="agon-bot-") as folder,
    ):
        Path(folder).chmod(0o755)
        body = body.replace("OTHER", str(other.getsockname()[1]))
        seat = real_seat(Path(folder), body, launch_in_sandbox)
        match = play(seat)
    assert (match.faults, match.outcome.reason) == ((None, None), "no tiles left")
    assert seat.stderr.decode() == "refused --name=Zoë\n" * 2


@pytest.mark.parametrize(
    ("body", "fault", "detail"),
    [
        ("sys.exit(3)", Fault.CRASH, "exit status 3"),
        ("join(); sys.exit(4)", Fault.CRASH, "exit status 4"),
        ("sys.exit('no bot today')", Fault.CRASH, "exit status 1: no bot today"),
        ("move(join()[1], {'tile': {'row': 0, 'col': 7}})", Fault.ILLEGAL, "tile 0,7"),
        ("move(join()[1], 'pass'); sleep()", Fault.PROTOCOL, "move"),
        ("join(); os.kill(os.getpid(), 9)", Fault.CRASH, "killed by SIGKILL"),
    ],
)
def test_what_goes_wrong_is_the_programs_fault(
    tmp_path: Path, body: str, fault: Fault, detail: str
) -> None:
    match = play(real_seat(tmp_path, body))
    assert match.faults == (fault, None)
    assert told(match).startswith(detail)


@pytest.mark.parametrize(
    "body",
    [
        "sleep()",
        "join(); sleep()",
        "headers = join()[1]; headers.replace_header('X-Turn-Token', 'x'); move(headers, 'PASS');"
        " sleep()",
        "c = http.client.HTTPConnection(host, port); c.request('POST', '/1/players', '{\"name\":"
        ' "x"}\'); c.close(); sleep()',
    ],
)
def test_who_gives_no_move_runs_out_of_time(tmp_path: Path, body: str) -> None:
    limits = Limits(turn_ns=SECOND // 10, start_ns=SECOND // 2)
    match = play(real_seat(tmp_path, body), limits)
    assert match.faults == (Fault.TIMEOUT, None)


def test_a_match_can_be_stopped_from_another_thread(tmp_path: Path) -> None:
    body = "news, headers = join(); move(headers, {'tile': news['players'][0]['hand'][0]}); sleep()"
    (tmp_path / "bot.py").write_text(HTTP + body)
    has_moved = threading.Event()

    def hear(way: str, line: str) -> None:
        if way == "<":
            has_moved.set()

    command = (*PYTHON, str(tmp_path / "bot.py"), "{host}", "{port}")
    seat = http_seat(launch_on_host, *command, on_line=hear)

    def stop() -> None:
        assert has_moved.wait(PATIENCE)
        assert seat._process is not None
        seat._process.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    match = play(seat)
    thread.join()
    assert match.faults == (Fault.CRASH, None)


def test_a_program_that_cannot_be_started_leaves_no_socket() -> None:
    match = play(http_seat(launch_on_host, "/no/such/program", "{url}"))
    assert match.faults == (Fault.NO_START, None)


# --- Which programs these are ---------------------------------------------------------------------


def found(text: str) -> Program:
    program = find_entrant(GAME, text).program
    assert program is not None
    return program


@pytest.mark.parametrize(
    ("text", "protocol"),
    [
        ("sh bot.sh {url}", "http"),
        ("http:sh bot.sh {host} {port}", "http"),
        ("http-201:sh bot.sh http://{host}:{port}", "http-201"),
        ("json:sh bot.sh {url}", "json"),
        ("sh bot.sh {host} {port}", None),
        ("sh bot.sh", None),
    ],
)
def test_a_command_says_by_its_words_how_it_plays(text: str, protocol: str | None) -> None:
    assert found(text).protocol == protocol


def test_a_folder_says_it_too(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "x"\nrun = "sh bot.sh --at={url}"\n')
    assert found(str(tmp_path)).protocol == "http"
    (tmp_path / "bot.toml").write_text('name = "x"\nrun = "sh bot.sh"\nprotocol = "http"\n')
    with pytest.raises(SettingError, match=r"bot\.toml: command 'sh bot\.sh': expected \{url\}"):
        found(str(tmp_path))


def test_it_is_known_by_its_words_wherever_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(HTTP + "play()")
    program = Program("bot", (*PYTHON, str(tmp_path / "bot.py"), "{host}", "{port}", "{url}"))
    seat = make_seat(GAME, Entrant("bot", program), 0, no_time, launch_on_host)
    assert isinstance(seat, ProgramSeat)
    assert play(seat).faults == (None, None)


def test_a_program_without_an_address_is_refused() -> None:
    with pytest.raises(SettingError, match="protocol http is over HTTP"):
        found("http:sh bot.sh")


def test_games_without_such_a_protocol_leave_the_braces_alone() -> None:
    program = find_entrant(HIVE, "sh bot.sh {url}").program
    assert program is not None
    assert (program.protocol, program.run) == (None, ("sh", "bot.sh", "{url}"))


def test_it_is_told_where_its_game_is() -> None:
    told_run: list[tuple[str, ...]] = []

    def launch(program: Program) -> Dummy:
        told_run.append(program.run)
        return Dummy(program)

    program = Program("bot", ("bot", "{url}", "{url}/x", "{host}:{port}", "{name}", "{}"))
    process = start_program(program, "{port}", launch, MebiPennyExchange())
    process.end()
    port = told_run[0][3].partition(":")[2]
    url = f"http://127.0.0.1:{port}/1"
    assert told_run == [("bot", url, f"{url}/x", f"127.0.0.1:{port}", "{port}", "{}")]
