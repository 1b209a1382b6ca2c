"""Network bots: unchanged clients reach the arena, and nothing else."""

from __future__ import annotations

import selectors
import socket
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.sandbox import Endpoint, launch
from agon.sandbox.endpoint import listen_from_helper, listen_inside
from agon.sandbox.relay import CHUNK, MOST_BUFFERED, MOST_CONNECTIONS, Connection, Relay
from tests.sandbox.host import SECOND, finish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.sandbox.endpoint import Target


@contextmanager
def echo_server(family: int, address: str | tuple[str, int]) -> Iterator[Target]:
    """An arena that sends back, line by line or as it comes, until its client ends."""
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen()

    def serve(connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(65536):
                connection.sendall(data)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=[connection], daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    name = listener.getsockname()
    yield Path(name) if isinstance(name, str) else name
    listener.shutdown(socket.SHUT_RDWR)
    thread.join()
    listener.close()


def run_client(source: str, endpoint: Endpoint) -> str:
    with launch(["python3", "-c", source], endpoint=endpoint) as child:
        return finish(child).strip()


def test_a_tcp_client_by_any_of_the_arenas_names() -> None:
    source = """
import socket
for host in ("arena", "localhost", "127.0.0.1", "games.example"):
    with socket.create_connection((host, 54321)) as s:
        s.sendall(b"hello\\n")
        print(s.makefile().readline().strip())
"""
    with echo_server(socket.AF_INET, ("127.0.0.1", 0)) as target:
        said = run_client(source, Endpoint(54321, target, "games.example"))
    assert said.split() == ["hello"] * 4


def test_much_data_both_ways_and_an_end_that_is_told() -> None:
    source = """
import socket, threading
with socket.create_connection(("arena", 4000)) as s:
    def send():
        for _ in range(64): s.sendall(b"x" * 65536)
        s.shutdown(socket.SHUT_WR)
    threading.Thread(target=send).start()
    got = 0
    while data := s.recv(65536): got += len(data)
print(got)
"""
    with echo_server(socket.AF_INET, ("127.0.0.1", 0)) as target:
        assert run_client(source, Endpoint(4000, target)) == str(64 * 65536)


def test_a_unix_socket_as_the_arena(open_folder: Path) -> None:
    source = """
import socket
with socket.create_connection(("arena", 4000)) as s:
    s.sendall(b"hi"); print(s.recv(10))
"""
    with echo_server(socket.AF_UNIX, str(open_folder / "arena.sock")) as target:
        assert run_client(source, Endpoint(4000, target)) == "b'hi'"


class Hello(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[::-1])

    def log_message(self, *_: object) -> None:
        pass


def test_an_http_client() -> None:
    server = HTTPServer(("127.0.0.1", 0), Hello)
    thread = threading.Thread(target=server.serve_forever, args=[0.05])
    thread.start()
    source = """
import urllib.request
for word in (b"abc", b"def"):
    print(urllib.request.urlopen("http://arena:8080/move", word, 5).read().decode())
"""
    port = server.server_address[1]
    try:
        assert run_client(source, Endpoint(8080, ("127.0.0.1", port))).split() == ["cba", "fed"]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_nothing_else_can_be_reached() -> None:
    """Not even the arena's own address and port on the host."""
    with echo_server(socket.AF_INET, ("127.0.0.1", 0)) as target:
        assert isinstance(target, tuple)
        source = f"""
import socket
for address in (("127.0.0.1", {target[1]}), ("127.0.0.2", 4000), ("192.0.2.1", 4000)):
    try: socket.create_connection(address, 2); print("ESCAPED")
    except OSError as error: print("held")
"""
        assert run_client(source, Endpoint(4000, target)).split() == ["held"] * 3


def test_an_arena_that_is_away_ends_the_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        gone = taken.getsockname()
    source = """
import socket
with socket.create_connection(("arena", 4000), 5) as s: print(s.recv(10))
"""
    assert run_client(source, Endpoint(4000, gone)) == "b''"


def test_connections_are_limited() -> None:
    source = f"""
import socket
held = [socket.create_connection(("arena", 4000), 5) for _ in range({MOST_CONNECTIONS})]
for s in held: s.sendall(b"x"); s.recv(1)
with socket.create_connection(("arena", 4000), 5) as s: print(s.recv(10))
held.pop().close()
"""
    with echo_server(socket.AF_INET, ("127.0.0.1", 0)) as target:
        assert run_client(source, Endpoint(4000, target)) == "b''"


@pytest.mark.parametrize("sender", ["bot", "arena"])
def test_what_is_kept_for_a_side_that_does_not_read_is_limited(sender: str) -> None:
    """Past the limit the sender is not read any more, until the other side reads."""
    bot, inside = socket.socketpair()
    arena, outside = socket.socketpair()
    with bot, inside, arena, outside:
        connection = Connection(inside, outside)
        source, end, flow, other, reader = (
            (bot, inside, connection.up, outside, arena)
            if sender == "bot"
            else (arena, outside, connection.down, inside, bot)
        )
        kept = 0
        while connection.events(end) & selectors.EVENT_READ:
            source.sendall(b"x" * 4096)
            assert connection.serve(end, selectors.EVENT_READ)
            kept = len(flow.waiting)
            assert kept < MOST_BUFFERED + CHUNK
        assert kept >= MOST_BUFFERED
        assert connection.events(other) & selectors.EVENT_WRITE
        assert connection.serve(other, selectors.EVENT_WRITE)
        assert reader.recv(CHUNK)
        assert connection.events(end) & selectors.EVENT_READ


def test_the_helper_for_those_who_are_not_root() -> None:
    """Entered by its owner, a sandbox's network gives the same socket."""
    source = """
import socket, time
while True:
    try: s = socket.create_connection(("127.0.0.1", 4321), 5); break
    except ConnectionRefusedError: time.sleep(0.01)
s.sendall(b"hi"); print(s.recv(10))
"""
    with (
        echo_server(socket.AF_INET, ("127.0.0.1", 0)) as target,
        launch(["python3", "-c", source]) as child,
    ):
        init = child.init_pid(SECOND)
        assert init is not None
        with open(f"/proc/{init}/ns/net", "rb") as network:
            child.own(Relay(listen_from_helper(network.fileno(), 4321), target))
        assert finish(child).strip() == "b'hi'"


def test_a_network_whose_loopback_is_not_set_up_yet() -> None:
    """As bubblewrap's for a moment: it names its process before it sees to the loopback."""
    source = """
import fcntl, socket, struct, sys
SIOCSIFFLAGS, SIOCSIFADDR, UP = 0x8914, 0x8916, 1
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
fcntl.ioctl(asking, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", UP))
none = struct.pack("16sHH4s8x", b"lo", socket.AF_INET, 0, bytes(4))
fcntl.ioctl(asking, SIOCSIFADDR, none)
print(flush=True)
sys.stdin.read()
"""
    words = "unshare", "--user", "--map-root-user", "--net", "python3", "-c", source
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as inside:
        assert inside.stdin
        assert inside.stdout
        assert inside.stdout.readline() == b"\n"
        with (
            listen_inside(inside.pid, 4321) as first,
            open(f"/proc/{inside.pid}/ns/net", "rb") as network,
            listen_from_helper(network.fileno(), 4322) as second,
        ):
            assert first.getsockname() == ("127.0.0.1", 4321)
            assert second.getsockname() == ("127.0.0.1", 4322)
        inside.stdin.close()
