"""`agon login` and `agon submit` against a real site on a free port."""

from __future__ import annotations

import json
import os
import pty
import socket
import stat
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from agon.arbiter.starter import write_starter
from agon.arena.live_matches import LiveMatches
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.cli.app import app
from agon.cli.remote import Remote, parse_url
from agon.cli.submit import follow, pack
from agon.datastore import CheckState, NewFile, Store
from agon.errors import RemoteError, SettingError
from agon.games.registry import find_game
from agon.website.accounts.policy import AccountPolicy
from agon.website.accounts.registrar import Registrar
from agon.website.site import Site
from tests.website.arena import serving
from tests.website.people import CHEAP, PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer.testing import Result

pytestmark = pytest.mark.system

TOKEN = "agon_test_token"  # noqa: S105
LONG_S = 120


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store in which ada is a user, and has a token."""
    with Store.open(tmp_path_factory.mktemp("site") / "agon.db") as store:
        ada = Registrar(store, CHEAP).register("ada", PASSWORD, 1)
        store.tokens.add(ada.id, "test", TOKEN, 1)
        yield store


@pytest.fixture(scope="module")
def site(store: Store) -> Iterator[str]:
    """The address of a site whose workers check bots."""
    live_matches = LiveMatches()
    settings = WorkerSettings(ladder=(), examples=())
    workers = Workers(store, live_matches, settings=settings)
    whole = Site(store, live_matches, lambda: 10**18, guard=AccountPolicy(CHEAP), workers=workers)
    with serving(whole) as address:
        yield address


def agon(config: Path, *arguments: str, given: str | None = None) -> Result:
    """Run a command with settings of its own."""
    return CliRunner().invoke(
        app, arguments, input=given, env={"XDG_CONFIG_HOME": str(config)}, prog_name="agon"
    )


@pytest.fixture
def config(site: str, tmp_path: Path) -> Path:
    """The settings of a user who is logged in."""
    folder = tmp_path / "config"
    result = agon(folder, "login", site, "--token-stdin", given=f"{TOKEN}\n")
    assert result.exit_code == 0, result.output
    assert f"logged in to {site} as ada" in result.stdout
    return folder


def test_the_token_is_for_its_owner_s_eyes_alone(config: Path, site: str) -> None:
    file = config / "agon" / "sites.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text()) == {site: TOKEN}
    assert [path.name for path in file.parent.iterdir()] == ["sites.json"]


def test_name_and_password_are_asked_for_on_a_terminal(site: str, tmp_path: Path) -> None:
    terminal, inner = pty.openpty()
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "TERM": "dumb"}
    with (
        open(terminal, "r+b", buffering=0) as ours,
        subprocess.Popen(
            [sys.executable, "-m", "agon", "login", site],
            stdin=inner,
            stdout=subprocess.PIPE,
            stderr=inner,
            env=environment,
            start_new_session=True,
            text=True,
        ) as child,
    ):
        os.close(inner)
        assert child.stdout
        ours.write(b"ada\n")
        shown = b""
        while b"Password:" not in shown:
            shown += ours.read(1024)
        ours.write(f"{PASSWORD}\n".encode())
        said = child.stdout.read()
        assert child.wait(LONG_S) == 0
        with suppress(OSError):  # all of it was read
            shown += ours.read(1024)
    assert f"logged in to {site} as ada" in said
    assert PASSWORD not in said
    assert PASSWORD.encode() not in shown
    (token,) = json.loads((tmp_path / "agon" / "sites.json").read_text()).values()
    assert token.startswith("agon_")
    assert token != TOKEN


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nonsense\n", "The token is not known, it was revoked, or its user is suspended."),
        ("\n", "--token-stdin: expected a token"),
    ],
)
def test_a_bad_token(site: str, tmp_path: Path, given: str, words: str) -> None:
    result = agon(tmp_path, "login", site, "--token-stdin", given=given)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "agon login" not in result.stderr, "that is what was typed"
    assert not (tmp_path / "agon").exists()


def test_a_wrong_password(site: str) -> None:
    with pytest.raises(RemoteError) as caught:
        Remote(site).post("/login", {"name": "ada", "password": "wrong", "token_name": "x"})
    assert "agon login" not in str(caught.value), "that is what was typed"


def test_a_token_that_was_revoked(config: Path, site: str, tmp_path: Path) -> None:
    (config / "agon" / "sites.json").write_text(json.dumps({site: "agon_old"}))
    (tmp_path / "bot.toml").write_text('name = "x"\ngames = ["hive"]\nrun = "./bot"\n')
    result = agon(config, "submit", str(tmp_path))
    assert f"its user is suspended. (log in again: `agon login {site}`)" in result.stderr


def test_no_terminal_to_ask_on(site: str, tmp_path: Path) -> None:
    result = agon(tmp_path, "login", site, given="ada\n")
    assert result.exit_code == 2
    assert "use --token-stdin" in result.stderr


def test_a_bot_that_passes(config: Path, site: str, store: Store, tmp_path: Path) -> None:
    write_starter(find_game("hive"), "python", "crawler", tmp_path / "crawler")
    result = agon(config, "submit", str(tmp_path / "crawler"))
    assert result.exit_code == 0, result.output
    assert "plays a whole match … ok" in result.stderr
    bot = next(one for one in store.bots.all("hive") if one.name == "crawler")
    assert result.stdout == (
        f"crawler, version 1: passed: it plays on the ladder now\n{site}/bots/{bot.id}\n"
    )


@pytest.mark.long
def test_a_trained_network(config: Path) -> None:
    """The bot of examples/learn, which needs NumPy in the sandbox."""
    folder = Path(__file__).parents[2] / "examples" / "learn" / "bot"
    result = agon(config, "submit", str(folder))
    assert result.exit_code == 0, result.output
    assert "network, version 1: passed" in result.stdout


def test_a_bot_that_fails(config: Path, site: str, store: Store, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "broken"\ngames = ["hive"]\nbuild = "false"\nrun = "./bot"\n'
    )
    result = agon(config, "submit", str(tmp_path))
    assert result.exit_code == 1
    assert "builds … FAILED: false: exit status 1" in result.stderr
    assert "broken, version 1: failed" in result.stdout
    assert f"{site}/checks/" in result.stdout
    again = agon(config, "submit", str(tmp_path))
    assert again.exit_code == 2
    assert "These are the files of version 1" in again.stderr
    assert all(check.is_over for check in store.checks.of_version(1))


def test_without_waiting(config: Path, site: str, store: Store, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "quick"\nbuild = "false"\nrun = "./bot"\n')
    result = agon(config, "submit", str(tmp_path), "--game", "atlantis", "--no-wait")
    assert result.exit_code == 0, result.output
    address = result.stdout.strip()
    assert address.startswith(f"{site}/checks/")
    check = store.checks.get(int(address.rpartition("/")[2]))
    assert check.state in CheckState
    version = store.versions.get(check.version_id)
    assert store.bots.get(version.bot_id).game == "atlantis"


def test_what_is_no_bot_is_not_sent(config: Path, tmp_path: Path) -> None:
    result = agon(config, "submit", str(tmp_path))
    assert result.exit_code == 2
    assert "there is no bot.toml in it" in result.stderr


def test_a_folder_that_is_not_there(config: Path, tmp_path: Path) -> None:
    result = agon(config, "submit", str(tmp_path / "nosuch"))
    assert result.exit_code == 2
    assert "nosuch': there is no such folder" in result.stderr


def test_who_waits_is_told_how_many_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(state: str, before: int | None, output: str = "") -> dict[str, Any]:
        is_over = state == "passed"
        told = {"id": 1, "state": state, "before": before, "output": output, "length": 0}
        return told | {"is_over": is_over}

    answers = [answer("queued", 2), answer("queued", 2), answer("queued", 0)]
    answers += [answer("running", None, "begins\n"), answer("passed", None, "ends\n")]

    class Scripted(Remote):
        def get(self, path: str, **query: str | int) -> Any:
            return answers.pop(0)

    assert follow(Scripted(""), {"id": 1}, lambda seconds: None) == "passed"
    assert capsys.readouterr().err.splitlines() == [
        "it waits for its check, after 2 others",
        "it waits for its check, and is the next",
        "begins",
        "ends",
    ]


def test_no_user_is_logged_in(tmp_path: Path) -> None:
    result = agon(tmp_path, "submit", str(tmp_path))
    assert result.exit_code == 2
    assert "you are not logged in to any site: `agon login URL`" in result.stderr


def test_another_site(config: Path, tmp_path: Path) -> None:
    result = agon(config, "submit", str(tmp_path), "--site", "http://elsewhere.test")
    assert result.exit_code == 2
    assert "you are not logged in to http://elsewhere.test" in result.stderr


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))  # and no server listens
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        result = agon(tmp_path, "login", address, "--token-stdin", given="agon_x\n")
    assert result.exit_code == 2
    assert f"{address} cannot be reached: [Errno 111] Connection refused" in result.stderr
    assert result.stdout == ""


def test_a_damaged_file_of_settings(config: Path, tmp_path: Path) -> None:
    (config / "agon" / "sites.json").write_text("[]")
    result = agon(config, "submit", str(tmp_path))
    assert result.exit_code == 2
    assert "remove it and log in again" in result.stderr


@pytest.mark.parametrize("text", ["ftp://agon.test", "http://", "http://a b:x", "https://u@x.test"])
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(SettingError, match="expected one such as"):
        parse_url(text)


def test_the_same_files_give_the_same_archive() -> None:
    files = {"b": NewFile(b"2"), "a": NewFile(b"1", executable=True)}
    assert pack(files) == pack(dict(reversed(files.items())))
