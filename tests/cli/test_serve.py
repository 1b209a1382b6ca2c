"""`agon serve`: the command as a user has it."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

import httpx
import pytest
from typer.testing import CliRunner

from agon.arena.cluster.node_labels import HOLDS, SANDBOX
from agon.arena.cluster.places import ClusterNode
from agon.arena.settings import WorkerSettings
from agon.cli.app import app
from agon.cli.serve import choose_ladder, worker_settings
from agon.cli.serving import ALL_HOLD, only_server, sandbox_verdict
from agon.datastore import Store
from agon.errors import SettingError
from agon.games.registry import game_names
from agon.sandbox.doctor import LayerFinding
from tests.cli.process import run_agon
from tests.website.running import running_arena

if TYPE_CHECKING:
    from pathlib import Path


def serve(*arguments: str, data: Path) -> tuple[int, str]:
    """Run the command in this process, with what makes it end soon; its status and its errors."""
    result = CliRunner().invoke(app, ["serve", "--data", str(data), *arguments])
    return result.exit_code, result.stderr


@pytest.mark.system
def test_it_says_where_everything_is_and_ends_in_order(tmp_path: Path) -> None:
    with running_arena(tmp_path, "--no-ladder", "--title", "Friday") as arena:
        assert arena.told[0].startswith("Friday at http://127.0.0.1:")
        assert f"agon user add NAME --organiser --data {tmp_path}" in "\n".join(arena.told)
        assert "Friday" in httpx.get(f"{arena.address}/").text
        # The same games are at both addresses of MebiPenny.
        made = httpx.post(f"{arena.mebipenny}/", json={"rows": 4, "cols": 4})
        listed = httpx.get(f"{arena.address}/mebipenny/").json()
        assert [f"/{game['id']}" for game in listed] == [made.headers["location"]]
        with socket.create_connection(("127.0.0.1", arena.skyport_port)) as client:
            client.sendall(b'{"message": "connect", "revision": 1, "name": "Ann"}\n')
            assert b'"status"' in client.recv(4096)
        port, other = arena.address.rsplit(":", 1)[1], str(tmp_path / "other")
        taken = run_agon("serve", "--port", port, "--data", other)
        assert taken.returncode == 2
        assert taken.stderr == (
            f"agon: cannot listen at 127.0.0.1, port {port}: Address already in use\n"
        )
        again = serve("--port", "0", data=tmp_path)
        assert again[0] == 2
        assert "another `agon serve` runs on it" in again[1]
        # A stream is no reason to wait.
        with httpx.stream("GET", f"{arena.address}/live/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 2000"
            assert arena.stop(signal.SIGINT) == ["ended"]
            assert arena.process.returncode == 0
            assert not any(line.startswith("event: scene") for line in lines)  # to its end
        said = arena.log.read_text().splitlines()
        assert [line for line in said if "compil" not in line] == [
            "agon: all games are ready",
            "agon: stopping …",
        ]
    with Store.open(tmp_path / "agon.db", create=False) as store:
        known = {bot.game for bot in store.bots.all() if bot.built_in}
        assert known == {*game_names()}  # an opponent in each


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--port", "70000"], "--port 70000: expected a whole number from 0 to 65535"),
        (["--game-port", "skyport=-1"], "--game-port 'skyport=-1': expected a port up to 65535"),
        (["--game-port", "mebipenny=70000"], "--game-port 'mebipenny=70000': expected a port"),
        (["--game-port", "skyport"], "--game-port 'skyport': expected skyport=N or mebipenny=N"),
        (["--game-port", "hive=1"], "--game-port 'hive=1': expected skyport=N or mebipenny=N"),
        (["--game-port", "6000"], "--game-port '6000': expected skyport=N or mebipenny=N"),
        (
            ["--game-port", "skyport=1", "--game-port", "skyport=2"],
            "--game-port 'skyport=2': skyport is given twice",
        ),
        (["--pace", "soon"], "time 'soon': expected a number and a unit"),
        (["--time", "0s"], "--time in ns 0: expected a whole number from 1"),
        (["--drain", "11m"], "--drain in ns 660000000000: expected a whole number from 0 to"),
        (["--jobs", "-1"], "--jobs -1: expected"),
        (["--ladder-jobs", "999"], "--ladder-jobs 999: expected at most"),
        (["--proxy", "elsewhere"], "--proxy 'elsewhere': expected an IP address"),
        (["--own-address", "agon-1"], "--own-address 'agon-1': expected http://HOST:PORT"),
        (
            ["--metrics-from", "home"],
            "--metrics-from 'home': expected a network such as 10.0.0.0/8",
        ),
        (["--game", "chess"], "game 'chess': "),
        (["--game", "hive", "--no-ladder"], "--game 'hive': does not go with --no-ladder"),
        (["--fill", "best"], "fill 'best': expected a bot of Skyport: random, greedy, search"),
        (["--downloads", "nowhere"], "--downloads 'nowhere': expected agon-"),
        (["--fill-after", "1s"], "--fill-after '1s': expected --fill BOT beside it"),
    ],
)
def test_wrong_use_is_told_in_one_line(tmp_path: Path, arguments: list[str], why: str) -> None:
    status, told = serve(*arguments, data=tmp_path)
    assert status == 2
    assert told.startswith(f"agon: {why}")
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.system
def test_jobs_on_a_cluster_are_not_those_of_this_machine(tmp_path: Path) -> None:
    chosen = ("--port", "0", "--jobs", "999")
    assert "--jobs 999: expected at most" in serve(*chosen, data=tmp_path)[1]
    served = run_agon("serve", *chosen, "--data", str(tmp_path), "--cluster", "nowhere")
    assert served.returncode == 2
    assert "--jobs" not in served.stderr
    assert "nowhere" in served.stderr


def test_the_ladder_is_of_all_games_or_of_some() -> None:
    assert choose_ladder(None, no_ladder=False) == game_names()
    assert choose_ladder(["skyport", "hive"], no_ladder=False) == ("hive", "skyport")
    assert choose_ladder(None, no_ladder=True) == ()


def test_the_settings_of_matches() -> None:
    settings = worker_settings(3, 5, 700, 250, ("hive",), unsafe_host=True)
    assert (settings.check_jobs, settings.challenge_jobs, settings.ladder_jobs) == (3, 3, 5)
    assert (settings.limits.turn_ns, settings.pace_ns) == (700, 250)
    assert (settings.ladder, settings.unsafe_host) == (("hive",), True)


def test_the_ladder_never_has_all_processes() -> None:
    assert WorkerSettings(match_jobs=2, ladder_jobs=2, check_jobs=0).fleet_size == 3
    assert WorkerSettings(match_jobs=1, ladder_jobs=1, check_jobs=0).fleet_size == 2
    assert WorkerSettings(match_jobs=4, ladder_jobs=1, check_jobs=0).fleet_size == 4
    assert WorkerSettings(match_jobs=1, ladder_jobs=1, check_jobs=0, ladder=()).fleet_size == 1
    assert WorkerSettings(match_jobs=2, ladder_jobs=2, check_jobs=3).fleet_size == 6


def test_a_data_folder_is_held_until_the_end(tmp_path: Path) -> None:
    file = str(tmp_path / "agon.db")
    Store.open(file).close()
    with (
        only_server(file),
        pytest.raises(SettingError, match="another `agon serve` runs on it"),
        only_server(file),
    ):
        pass
    with only_server(file):
        pass


def test_where_the_sandbox_holds_is_told() -> None:
    def machine(cores: int, sandbox: str) -> ClusterNode:
        return ClusterNode("a", "a", cores, {SANDBOX: sandbox})

    lacks = LayerFinding("memory limit", False, True, "none", "delegate a group")
    asks, weak, strong = machine(0, HOLDS), machine(2, "lacks-x"), machine(2, HOLDS)
    assert sandbox_verdict([]) == ALL_HOLD
    assert sandbox_verdict([lacks]) == (
        "users' bots are refused, missing: memory limit\n    to fix it: delegate a group"
    )
    assert sandbox_verdict([], [asks, weak]) == (
        "it holds on 0 of 1 machines of the cluster that play: users' bots are refused until one"
        " joins; people play against them here"
    )
    assert sandbox_verdict([lacks], [weak, strong, strong]) == (
        "it holds on 2 of 3 machines of the cluster that play: users' bots are built and played"
        " there; people cannot play against them, missing: memory limit\n"
        "    to fix it: delegate a group"
    )
