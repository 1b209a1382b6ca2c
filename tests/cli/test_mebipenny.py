"""`agon mebipenny serve` as an organiser has it: a process that listens until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest
from typer.testing import CliRunner

from agon.cli.app import app
from agon.cli.mebipenny import result_line
from agon.datastore.store import Store
from agon.errors import DatastoreError
from agon.games.game import Outcome
from agon.games.mebipenny.game import GAME
from agon.match.result import MatchResult
from agon.match.transcript import Transcript, parse_transcript, verify
from agon.servers.match_store import KeptMatch
from tests.cli.process import run_agon, start_agon

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from agon.games.game import JsonObject

PATIENCE = 300  # seconds: far more than compiling takes


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on a free port, and its address."""
    process = start_agon("mebipenny", "serve", "--port", "0", "--data", str(folder), *arguments)
    try:
        assert process.stdout is not None
        welcome = [process.stdout.readline() for _ in range(4)]
        assert welcome[0].startswith("MebiPenny at http://127.0.0.1:")
        address = welcome[0].split()[2]
        assert f'curl -i -d \'{{"rows": 15, "cols": 15}}\' {address}' in welcome[1]
        assert f"curl -i {address}match" in welcome[2]
        assert f"curl -i '{address}match?bot=greedy'   (or random, search)" in welcome[3]
        yield process, address
    finally:
        process.kill()
        process.communicate()


def stop(process: subprocess.Popen[str], number: int = signal.SIGINT) -> tuple[list[str], str]:
    """End the server in good order; what else it said."""
    process.send_signal(number)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return out.splitlines(), errors


def join(address: str, path: str, name: str) -> threading.Thread:
    """A player who waits, and whose answer is never read."""
    url = f"{address.rstrip('/')}{path}/players"
    thread = threading.Thread(target=lambda: httpx.post(url, json={"name": name}, timeout=PATIENCE))
    thread.start()
    return thread


@pytest.mark.system
def test_a_client_that_is_alone_plays_a_practice_bot(tmp_path: Path) -> None:
    with served(tmp_path, "--fill", "greedy", "--fill-after", "10ms") as (process, address):
        assert process.stdout is not None
        assert process.stdout.readline() == "  who waits 0.01 s for an opponent plays greedy\n"
        path = httpx.get(f"{address}match", timeout=PATIENCE).headers["location"]
        game = f"{address.rstrip('/')}{path}"
        joined = httpx.post(f"{game}/players", json={"name": "Ann"}, timeout=PATIENCE)
        headers = {"X-Turn-Token": joined.headers["x-turn-token"]}
        assert httpx.post(f"{game}/moves", json="?", headers=headers).status_code == 403
        told = process.stdout.readline()
        assert stop(process) == (["ended"], "")
    assert "greedy (built-in) " in told
    assert "Ann disqualified" in told
    replayed = run_agon("verify", "--match", "1", "--data", str(tmp_path))
    assert replayed.returncode == 0, replayed.stderr


@pytest.mark.system
def test_a_game_is_served_stored_and_told(tmp_path: Path) -> None:
    with served(tmp_path, "--turn-time", "50ms", "--seed", "3") as (process, address):
        path = httpx.post(address, json={"rows": 4, "cols": 4}).headers["location"]
        players = [join(address, path, name) for name in ("Ann", "Bob\x1b[2J")]
        for player in players:
            player.join()
        assert process.stdout is not None
        told = process.stdout.readline()
        lines, errors = stop(process)
    assert lines == ["ended"]
    assert errors == ""
    assert told.startswith("match 1: ")
    assert "disqualified: timeout" in told
    assert "\x1b" not in told
    with Store.open(tmp_path / "agon.db", create=False) as store:
        transcript = parse_transcript(store.matches.transcript(1).decode())
    assert verify(transcript) == transcript.outcome
    assert {player["name"] for player in transcript.players} == {"Ann", "Bob\x1b[2J"}
    replayed = run_agon("verify", "--match", "1", "--data", str(tmp_path))
    assert replayed.returncode == 0, replayed.stderr


@pytest.mark.system
def test_games_under_way_are_given_up_at_the_end(tmp_path: Path) -> None:
    with served(tmp_path, "--match-status", "201") as (process, address):
        path = httpx.post(address, json={"rows": 4, "cols": 4}).headers["location"]
        players = [join(address, path, name) for name in ("Ann", "Bob")]
        while httpx.get(f"{address}{path[1:]}").json()["state"] != "in play":
            pass
        lines, _ = stop(process, signal.SIGTERM)
        for player in players:
            player.join()
    assert lines == ["ended; one game under way was given up"]


@pytest.mark.system
def test_a_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with served(tmp_path) as (_, address):
        port = address.rstrip("/").rsplit(":", 1)[1]
        second = run_agon("mebipenny", "serve", "--port", port, "--data", str(tmp_path))
    assert second.returncode == 2
    assert second.stderr == (
        f"agon: cannot listen at 127.0.0.1, port {port}: Address already in use\n"
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--port", "70000"], "--port 70000: expected a whole number from 0 to 65535"),
        (["--turn-time", "soon"], "time 'soon': expected a number and a unit"),
        (["--turn-time", "0s"], "turn time 0 ns: expected more than 0"),
        (["--match-status", "200"], "match status 200: expected 302 or 201"),
        (["--seed", "-1"], "--seed -1: expected"),
        (["--fill", "best"], "fill 'best': expected a bot of MebiPenny: random, greedy, search"),
        (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid, port 9292: "),
    ],
)
def test_wrong_use_is_told_in_one_line(tmp_path: Path, arguments: list[str], why: str) -> None:
    command = ["mebipenny", "serve", "--data", str(tmp_path), *arguments]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"agon: {why}")
    assert result.stderr.count("\n") == 1


def test_the_line_about_a_match() -> None:
    players: tuple[JsonObject, ...] = ({"name": "Ann"}, {"name": ""})
    outcome = Outcome((5, -1), "seat 1 disqualified: timeout")
    transcript = Transcript(GAME, GAME.options(), 0, players, (), outcome)
    match = MatchResult(transcript, outcome, (None, None), (0, 0), (0, 0))
    told = "Ann 5, nameless disqualified (seat 1 disqualified: timeout)"
    assert result_line(KeptMatch(match, 7)) == f"match 7: {told}"
    trouble = DatastoreError("the disk is full")
    assert result_line(KeptMatch(match, None, trouble)) == f"not stored: {told}: the disk is full"
