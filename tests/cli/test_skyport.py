"""`agon skyport serve` as a user types it."""

from __future__ import annotations

import json
import re
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from agon.cli.app import app
from tests.cli.process import run_agon, start_agon

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 60
PASS = {"message": "action", "type": "pass"}


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A server on free ports, and the lines that it printed until it was ready."""
    process = start_agon("skyport", "serve", "--port", "0", *arguments)
    with process:
        try:
            yield process, [*_until_ready(process)]
        finally:
            process.kill()


def _until_ready(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line.rstrip()
        if line.startswith(("Ctrl-C", "{")):
            return


def play(port: int, name: str) -> list[dict[str, Any]]:
    """A client that passes until the server closes the connection; all that it was told."""
    told = []
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:

        def say(message: dict[str, Any]) -> None:
            connection.sendall(json.dumps(message).encode() + b"\n")

        say({"message": "connect", "revision": 1, "name": name})
        with connection.makefile() as lines:
            for line in lines:
                told.append(message := json.loads(line))
                if message.get("turn") == 0:
                    weapons = {"primary-weapon": "laser", "secondary-weapon": "droid"}
                    say({"message": "loadout", **weapons})
                elif "players" in message and message["players"][0]["name"] == name:
                    say(PASS)
    return told


@pytest.mark.system
def test_clients_play_and_the_match_is_stored(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path))
    limits = ("--matches", "1", "--turns", "3", "--players", "3", "--think", "60s", "--seed", "4")
    with serving(*limits, *where) as (process, ready), ThreadPoolExecutor() as pool:
        assert ready[0] == "Skyport for 3 players on map three, 3 turns each, 60 s to think"
        found = re.fullmatch(r"main: listening on 127\.0\.0\.1 port (\d+)", ready[1])
        assert found is not None
        names = ("ann", "bob", "cid")
        told = [*pool.map(lambda name: play(int(found[1]), name), names)]
        stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, stderr
    begin, end = stdout.splitlines()
    assert {*begin.removeprefix("main: a match begins: ").split(", ")} == {*names}
    match = re.fullmatch(
        rf"main: a draw: .*; agon replay --match 1 --data {re.escape(str(tmp_path))}", end
    )
    assert match is not None, end
    assert end.count(" -60") == 3
    assert [messages[-1]["turn"] for messages in told] == [10, 10, 10]
    verified = run_agon("verify", "--match", "1", *where)
    assert verified.stdout == "ok      match 1  10 turns, all turns are played\n"
    wire = run_agon("replay", "--match", "1", "--wire", "--seat", "0", *where)
    assert wire.stdout.startswith('< {"message": "connect"'), wire.stderr


@pytest.mark.system
def test_programs_get_a_line_of_json_for_each_event(tmp_path: Path) -> None:
    rooms = ("--room", "red", "--room", "blue")
    arguments = ("--matches", "1", "--turns", "1", "--think", "60s", "--json", "--seed", "4")
    with (
        serving(*arguments, *rooms, "--data", str(tmp_path)) as (process, ready),
        ThreadPoolExecutor() as pool,
    ):
        start = json.loads(ready[0])
        ports = {room["room"]: room["port"] for room in start["rooms"]}
        assert (start["event"], start["players"], start["seed"]) == ("listening", 2, 4)
        [*pool.map(lambda name: play(ports["blue"], name), ("ann", "bob"))]
        stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, stderr
    begin, end = map(json.loads, stdout.splitlines())
    assert (begin["event"], begin["room"], begin["seed"]) == ("begin", "blue", 4)
    assert (end["event"], end["players"], end["match"]) == ("end", begin["players"], 1)
    assert (end["scores"], end["faults"], end["trouble"]) == ([-20, -20], [None, None], None)


@pytest.mark.system
def test_a_lone_client_practises_against_a_practice_bot(tmp_path: Path) -> None:
    fill = ("--fill", "greedy", "--fill-after", "10ms", "--players", "3")
    limits = ("--matches", "1", "--turns", "2", "--think", "60s", "--data", str(tmp_path))
    with serving(*fill, *limits) as (process, ready):
        assert "seats still free 0.01 s after a client came are for greedy" in ready
        told = play(int(ready[1].split()[-1]), "ann")
        stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, stderr
    begin, end = stdout.splitlines()
    assert begin == "main: a match begins: ann, greedy (built-in), greedy2 (built-in)"
    assert "agon replay --match 1" in end
    assert told[-1]["turn"] == 7
    assert {one["from"] for one in told if "from" in one} == {"ann", "greedy", "greedy2"}
    verified = run_agon("verify", "--match", "1", "--data", str(tmp_path))
    assert verified.stdout == "ok      match 1  7 turns, all turns are played\n"


@pytest.mark.system
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_up_the_matches_and_says_so(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving("--data", str(tmp_path), "--start-delay", "10m") as (process, ready):
        port = int(ready[1].split()[-1])
        with ThreadPoolExecutor() as pool:
            clients = [pool.submit(play_nothing, port, name) for name in ("ann", "bob")]
            assert process.stdout is not None
            assert process.stdout.readline().startswith("main: a match begins: ")
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=PATIENCE)
            told = [client.result() for client in clients]
    assert process.returncode == 130, stderr
    assert re.match(r"main: a match is given up at turn 0, and not stored: ", stdout)
    assert "stopping" in stderr
    assert "Traceback" not in stderr
    assert all(lines[-1]["error"].startswith("the server ends") for lines in told)


def play_nothing(port: int, name: str) -> list[dict[str, Any]]:
    """A client that only listens."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        hello = {"message": "connect", "revision": 1, "name": name}
        connection.sendall(json.dumps(hello).encode() + b"\n")
        with connection.makefile() as lines:
            return [json.loads(line) for line in lines]


@pytest.mark.system
def test_matches_go_on_when_no_process_reads_what_the_server_prints(tmp_path: Path) -> None:
    arguments = ("--matches", "1", "--turns", "1", "--think", "60s", "--data", str(tmp_path))
    with serving(*arguments) as (process, ready), ThreadPoolExecutor() as pool:
        assert process.stdout is not None
        process.stdout.close()
        port = int(ready[1].split()[-1])
        told = [*pool.map(lambda name: play(port, name), ("ann", "bob"))]
        process.wait(PATIENCE)
    assert [messages[-1]["turn"] for messages in told] == [3, 3]
    assert run_agon("verify", "--match", "1", "--data", str(tmp_path)).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--map", "nowhere"), "--map 'nowhere': expected two, three"),
        (("--map", "two", "--players", "3"), "3 seats: the map is for 2"),
        (("--players", "9"), "9 seats: Skyport is for 2 to 8"),
        (("--turns", "0"), "turns 0: expected 1 to"),
        (("--think", "3"), "time '3': expected a number and a unit"),
        (("--matches", "0"), "--matches 0: expected a whole number from 1"),
        (("--port", "70000"), "--port 70000: expected a whole number from 0 to 65535"),
        (("--room", "a:b"), "--room 'a:b': expected a port up to 65535"),
        (("--room", ":1"), "--room ':1': expected NAME or NAME:PORT"),
        (("--room", "a:65535", "--room", "b"), "--room 'b', port 65536: expected"),
        (("--seed", "-1"), "--seed -1: expected"),
        (("--think", "0s"), "think time 0 ns: expected more than 0"),
        (("--match-time", "0s"), "match time 0 ns: expected more than 0"),
        (("--connections", "1"), "--connections 1: expected"),
        (("--strangers", "0"), "--strangers 0: expected"),
        (("--fill", "best"), "fill 'best': expected a bot of Skyport: random, greedy, search"),
        (("--fill-after", "9s"), "--fill-after '9s': expected --fill BOT beside it"),
        (("--fill", "greedy", "--fill-after", "9"), "time '9': expected a number and a unit"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(app, ["skyport", "serve", *arguments])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"agon: {told}"), done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"\xff", "byte 0 is not UTF-8"),
        (b"players 2\nsize 2\nS\nG G\nX\n", "map_text: map, line 5: tile 'X'"),
    ],
)
def test_a_bad_map_file_is_one_line(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "map.txt"
    path.write_bytes(content)
    done = CliRunner().invoke(app, ["skyport", "serve", "--map", str(path)])
    assert done.exit_code == 2
    assert f"--map {str(path)!r}: {told}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        arguments = ("--port", str(port), "--data", str(tmp_path))
        done = CliRunner().invoke(app, ["skyport", "serve", *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"agon: room main: cannot listen at 127.0.0.1, port {port}: " in done.stderr
    assert "in use" in done.stderr
