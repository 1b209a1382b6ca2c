"""The site answers to its own names only, and what it shows and where it leads is its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError
from agon.website.http.host_names import find_names, is_known_host
from agon.website.site import SiteSettings
from tests.website.http.test_security import check_headers
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import World

NAMES = find_names("0.0.0.0", ["Agon.Example"])  # noqa: S104


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = make_world(tmp_path / "agon.db", SiteSettings(host_names=NAMES))
    yield world
    world.close()


def knows(*hosts: str | None, server: str = "192.0.2.7") -> bool:
    headers = [(b"host", host.encode("latin-1")) for host in hosts if host is not None]
    return is_known_host({"headers": headers, "server": (server, 8000)}, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "localhost.:8000",
        "127.0.0.1:8000",
        "127.0.0.53",
        "[::1]:8000",
        "agon.example",
        "agon.example:443",
        "192.0.2.7:8000",
        None,
    ],
)
def test_its_own_names_are_known(host: str | None) -> None:
    assert knows(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "192.0.2.8",
        "www.agon.example",
        "agon.example.evil.test",
        "evil.test:8000",
        "localhost@evil.test",
        "evil.test/localhost",
        "localhost:8000:9000",
        "localhost:port",
        "localhost\xa0",
        "[::2]",
        "",
        ":8000",
    ],
)
def test_others_are_not(host: str) -> None:
    assert not knows(host)


def test_a_machine_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Laptop.lan")
    names = find_names("127.0.0.1", [])
    assert {"laptop.lan", "laptop", "laptop.local", "localhost"} <= names


def test_addresses_are_compared_and_not_their_spelling() -> None:
    assert knows("192.0.2.7", server="::ffff:192.0.2.7")
    assert knows("[2001:DB8::0:7]", server="2001:db8::7")
    assert not knows("[2001:db8::7]", server="/run/agon.sock")


def test_of_two_hosts_both_must_be_known() -> None:
    assert knows("localhost", "agon.example")
    assert not knows("localhost", "evil.test")
    assert not knows("evil.test", "localhost")


@pytest.mark.parametrize("name", ["http://agon.example", "agon.example:443", "", "-", "a b", "*"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match=r"--host-name .*: expected a name such as"):
        find_names("127.0.0.1", [name])


def test_a_long_name_is_told_in_part(world: World) -> None:
    with pytest.raises(SettingError, match=f"--host-name '{'x' * 60}': expected"):
        find_names("127.0.0.1", ["x" * 61 + "!"])
    headers = {"Host": "x" * 61, "Accept": "application/json"}
    told = world.browser().get("/", headers=headers).json()["error"]
    assert told.startswith(f"host '{'x' * 60}': this site does not answer to it")


def test_an_unknown_host_is_told_what_to_do(world: World) -> None:
    answer = world.browser().get("/", headers={"Host": "friday.test:8000"})
    assert answer.status_code == 421
    assert "agon serve --host-name friday.test" in answer.text
    check_headers(dict(answer.headers))
    called = world.browser().get("/api/v1/games", headers={"Host": "friday.test:8000"})
    assert called.status_code == 421
    assert "host 'friday.test:8000'" in called.json()["error"]
    styled = world.browser().get("/static/agon.css", headers={"Host": "friday.test"})
    assert styled.status_code == 200
    assert world.browser().get("/", headers={"Host": "agon.example"}).status_code == 200


def test_the_page_repeats_nothing_but_a_name(world: World) -> None:
    answer = world.browser().get("/", headers={"Host": "<script>x"})
    assert answer.status_code == 421
    assert "script>x" not in answer.text
    assert "agon serve --host-name NAME" in answer.text


def test_a_session_is_worth_nothing_under_another_name(world: World) -> None:
    world.add_user("ada")
    ada = world.browser()
    own = {"Host": "agon.example", "Origin": "http://agon.example"}
    form = {"name": "ada", "password": "correct horse"}
    assert ada.send("POST", "/login", data=form, headers=own).status_code == 303
    foreign = {"Host": "evil.test", "Origin": "http://evil.test"}
    assert ada.send("POST", "/account/sessions/end", headers=foreign).status_code == 421


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/games/hive/", "/games/hive"),
        ("/games/hive/?a=b", "/games/hive?a=b"),
        ("/static", "/static/"),
        ("/account", "/login?next=%2Faccount"),
    ],
)
def test_a_redirect_never_names_the_host(world: World, path: str, leads_to: str) -> None:
    answer = world.browser().get(path, headers={"Host": "agon.example:9999"})
    assert answer.status_code in (303, 307)
    assert answer.headers["location"] == leads_to
