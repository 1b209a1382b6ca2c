"""The authors' API: upload, follow, withdraw, delete, challenge, matches, logs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agon.datastore import VersionStatus
from agon.website.upload_limits import UploadLimits
from tests.website.bots.packing import pack, starter_files, tiny_files
from tests.website.bots.test_challenges import add_bot, built_in
from tests.website.bots.test_tools import add_version
from tests.website.bots.waiting import wait_for_booking, wait_for_check

if TYPE_CHECKING:
    from pathlib import Path

    from httpx import Response

    from tests.website.people import World


class Program:
    """A program that shows a user's token."""

    def __init__(self, world: World, user: str | None) -> None:
        self.browser = world.browser()
        self.headers = {}
        if user is not None:
            found = world.store.users.find(user)
            assert found
            secret = f"agon_{user}"
            world.store.tokens.add(found.id, "test", secret, world.clock())
            self.headers = {"Authorization": f"Bearer {secret}"}

    def send(self, method: str, path: str, **settings: Any) -> Response:
        headers = self.headers | settings.pop("headers", {})
        return self.browser.send(method, f"/api/v1{path}", headers=headers, **settings)

    def get(self, path: str) -> Any:
        answer = self.send("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def upload(self, data: bytes, query: str = "") -> Response:
        kind = {"Content-Type": "application/zip"}
        return self.send("POST", f"/bots{query}", content=data, headers=kind)


@pytest.fixture
def ada(world: World) -> Program:
    return Program(world, "ada")


def test_upload_and_follow_the_check(busy: World, tmp_path: Path) -> None:
    ada = Program(busy, "ada")
    answer = ada.upload(pack(starter_files(tmp_path / "bot")))
    assert answer.status_code == 201, answer.text
    sent = answer.json()
    assert (sent["game"], sent["bot"], sent["version"]) == ("hive", "crawler", 1)
    check_id = sent["check"]["id"]
    assert sent["page"] == f"/checks/{check_id}"
    wait_for_check(busy, check_id)
    whole = ada.get(f"/checks/{check_id}")
    assert (whole["state"], whole["is_over"]) == ("passed", True)
    assert whole["length"] == len(whole["output"])
    rest = ada.get(f"/checks/{check_id}?begin=10")
    assert rest["output"] == whole["output"][10:]
    (mine,) = ada.get("/bots?mine=true")
    assert (mine["name"], mine["owner"], mine["playing"]) == ("crawler", "ada", 1)


def test_a_bot_without_settings(ada: Program) -> None:
    query = "?game=hive&name=ant&run=python3%20ant.py"
    answer = ada.upload(pack({"ant.py": "print()"}), query)
    assert answer.status_code == 201
    assert answer.json()["bot"] == "ant"


def test_refusals_have_words_and_leave_nothing(world: World, ada: Program) -> None:
    answer = ada.upload(pack({"../evil.py": "x"}))
    assert answer.status_code == 422
    assert "'../evil.py': expected a path inside" in answer.json()["error"]
    assert ada.upload(b"hello").status_code == 422
    assert ada.upload(pack(tiny_files()), "?game=go").status_code == 422
    world.app.state.site = replace(world.site, uploads=UploadLimits(bytes=100))
    assert ada.upload(bytes(200)).status_code == 413
    assert world.store.bots.all() == []


def test_who_may_upload(world: World) -> None:
    assert Program(world, None).upload(pack(tiny_files())).status_code == 401
    with_bad_token = Program(world, None)
    with_bad_token.headers = {"Authorization": "Bearer agon_nobody"}
    for answer in (
        with_bad_token.upload(pack(tiny_files())),
        with_bad_token.send("GET", "/bots?mine=true"),
    ):
        assert answer.status_code == 401
        assert (
            answer.json()["error"]
            == "The token is not known, it was revoked, or its user is suspended."
        )


def test_checks_are_their_author_s(world: World, ada: Program) -> None:
    check_id = ada.upload(pack(tiny_files())).json()["check"]["id"]
    assert Program(world, "bob").send("GET", f"/checks/{check_id}").status_code == 404
    assert Program(world, "olga").send("GET", f"/checks/{check_id}").status_code == 404
    waiting = ada.get(f"/checks/{check_id}")
    assert (waiting["state"], waiting["before"]) == ("queued", 0)
    second = ada.upload(pack(tiny_files("beetle"))).json()["check"]
    assert second["before"] == 1


def test_withdraw_and_play_again(world: World, ada: Program) -> None:
    bot, version = add_version(world)
    path = f"/bots/{bot.id}/versions/1"
    assert Program(world, "bob").send("POST", f"{path}/withdraw").status_code == 403
    answer = ada.send("POST", f"{path}/withdraw")
    assert answer.json() == {"bot_id": bot.id, "version": 1, "state": "withdrawn", "check": None}
    assert ada.send("POST", f"{path}/check").status_code == 409
    assert ada.send("POST", f"{path}/activate").json()["state"] == "active"
    assert ada.send("POST", f"{path}/activate").status_code == 409
    world.store.versions.set_status(version.id, VersionStatus.FAILED)
    again = ada.send("POST", f"{path}/check").json()
    assert (again["state"], again["check"]["state"]) == ("pending", "queued")


def test_delete(world: World, ada: Program) -> None:
    bot, _ = add_version(world)
    assert Program(world, "bob").send("DELETE", f"/bots/{bot.id}").status_code == 403
    assert ada.send("DELETE", f"/bots/{bot.id}").status_code == 204
    assert ada.send("DELETE", f"/bots/{bot.id}").status_code == 404
    assert ada.get("/bots?mine=true") == []


def test_lists(world: World, ada: Program) -> None:
    built_in(world, "random")
    add_version(world)
    visitor = Program(world, None)
    names = {one["name"]: one for one in visitor.get("/bots?game=hive")}
    assert names.keys() == {"crawler", "greedy", "random", "search"}
    assert names["random"]["built_in"]
    assert visitor.get("/bots?game=atlantis") == []
    assert visitor.send("GET", "/bots?mine=true").status_code == 401
    assert visitor.send("GET", "/bots?game=go").status_code == 422
    assert visitor.send("GET", "/matches?game=go").status_code == 422
    assert len(ada.get("/bots")) == 4


def test_a_challenge_and_its_match(busy: World, tmp_path: Path) -> None:
    ada = Program(busy, "ada")
    crawler = add_bot(busy, tmp_path)
    random = busy.store.versions.get(int(built_in(busy, "random")))
    players = [{"bot_id": crawler.bot_id}, {"bot_id": random.bot_id, "version": 1}]
    answer = ada.send("POST", "/challenges", json={"game": "hive", "players": players})
    assert answer.status_code == 201, answer.text
    booking = wait_for_booking(busy, answer.json()["id"])
    told = ada.get(f"/challenges/{booking.id}")
    assert (told["state"], told["match_id"]) == ("done", booking.match_id)
    assert told["page"] == f"/matches/{booking.match_id}"
    match = ada.get(f"/matches/{booking.match_id}")
    assert [seat["bot"] for seat in match["seats"]] == ["crawler", "random"]
    assert not match["rated"]
    assert ada.get(f"/matches?bot_id={crawler.bot_id}") == [match]
    assert ada.get(f"/matches?before={booking.match_id}") == []
    transcript = ada.get(f"/matches/{booking.match_id}/transcript")
    assert len(transcript["players"]) == 2
    assert "wire" not in transcript
    pages = ada.get(f"/matches/{booking.match_id}/log?seat=0")
    assert len(pages) == match["turns"] + 1
    assert any(line.startswith("< ") for page in pages for line in page["lines"])
    for other in ("bob", "olga"):
        stranger = Program(busy, other)
        path = f"/matches/{booking.match_id}/log?seat=0"
        assert stranger.send("GET", path).status_code == 403
        assert stranger.send("GET", f"/challenges/{booking.id}").status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "hive", "players": []}, 422),
        ({"game": "go", "players": [{"bot_id": 1}, {"bot_id": 1}]}, 422),
        ({"game": "hive", "players": [{"bot_id": 1}]}, 422),
        ({"game": "hive", "players": [{"bot_id": 99}, {"bot_id": 1}]}, 404),
        ({"game": "hive", "players": [{"bot_id": 1, "version": 9}, {"bot_id": 1}]}, 404),
        ({"players": "all"}, 422),
    ],
)
def test_challenges_that_cannot_be(world: World, ada: Program, body: Any, status: int) -> None:
    built_in(world, "random")
    answer = ada.send("POST", "/challenges", json=body)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_the_game_says_how_many_are_challenged(ada: Program) -> None:
    body = {"game": "battlebots", "players": [{"bot_id": 1}] * 9}
    answer = ada.send("POST", "/challenges", json=body)
    assert (answer.status_code, answer.json()["error"]) == (422, "9 bots: Battlebots is for 2 to 8")


def test_no_version_plays(world: World, ada: Program) -> None:
    bot, _ = add_version(world, passed=False)
    body = {"game": "hive", "players": [{"bot_id": bot.id}, {"bot_id": bot.id}]}
    answer = ada.send("POST", "/challenges", json=body)
    assert answer.status_code == 422
    assert "no version of it plays" in answer.json()["error"]


def test_all_of_it_is_documented(ada: Program) -> None:
    document = ada.browser.get("/openapi.json").json()
    paths = document["paths"]
    assert all(path.startswith("/api/v1/") for path in paths), "no pages are in it"
    upload = paths["/api/v1/bots"]["post"]
    assert "application/zip" in upload["requestBody"]["content"]
    for path, method in (
        ("/api/v1/checks/{check_id}", "get"),
        ("/api/v1/bots/{bot_id}", "delete"),
        ("/api/v1/bots/{bot_id}/versions/{number}/withdraw", "post"),
        ("/api/v1/challenges", "post"),
        ("/api/v1/matches", "get"),
        ("/api/v1/matches/{match_id}/transcript", "get"),
    ):
        assert paths[path][method]["description"]
