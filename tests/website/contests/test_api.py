"""Contests for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.datastore import ContestState
from agon.ranker.formats import Format
from tests.website.contests.hosting import GAME
from tests.website.contests.test_playing import built_in

if TYPE_CHECKING:
    from httpx import Response

    from tests.website.contests.hosting import Hosting

PATH = "/api/v1/contests"
NEW = {
    "name": "Cup",
    "game": GAME,
    "format": "knockout",
    "options": {"rows": 6, "cols": "6"},
    "terms": {"rounds": 1, "turn_ms": 60_000, "turns": 12, "pace_ms": 0, "seeding": "entry"},
    "opens": "2025-10-01T00:00:00+02:00",
    "closes": None,
}


class Program:
    """A user's program, with a token."""

    def __init__(self, hosting: Hosting, name: str) -> None:
        """A new token of that user."""
        self._browser = hosting.world.browser()
        secret = f"agon_{name}"
        hosting.store.tokens.add(hosting.user(name).id, "test", secret, hosting.world.clock())
        self._headers = {"Authorization": f"Bearer {secret}"}

    def send(self, method: str, path: str, body: Any = None) -> Response:
        return self._browser.send(method, PATH + path, json=body, headers=self._headers)


def test_the_way_of_an_organiser_and_an_entrant(playing: Hosting) -> None:
    olga, ada = Program(playing, "olga"), Program(playing, "ada")
    mine = playing.add_bot("ada")
    made = olga.send("POST", "", NEW)
    assert made.status_code == 201
    body = made.json()
    path = f"/{body['id']}"
    assert (body["state"], body["published"], body["entries"]) == ("draft", False, [])
    assert body["options"]["rows"] == 6
    assert body["terms"]["turn_ms"] == 60_000
    assert body["terms"]["bank_ms"] == 2000, "as usual"
    assert body["opens"] == "2025-09-30T22:00:00Z"
    assert ada.send("GET", path).status_code == 404
    assert ada.send("GET", "").json() == []
    assert olga.send("PUT", path + "/published", {"published": True}).json()["published"]
    assert ada.send("GET", "").json()[0]["state"] == "open", "its date has passed"
    assert ada.send("POST", path + "/entries", {"version_id": mine}).status_code == 201
    playing.world.clock.pass_s(1)
    entered = olga.send("POST", path + "/entries", {"version_id": playing.built_in("random")})
    assert [one["entered_by"] for one in entered.json()["entries"]] == ["ada", "olga"]
    for state in ("closed", "running"):
        assert olga.send("PUT", path + "/state", {"state": state}).json()["state"] == state
    playing.wait_for(playing.store.contests.get(body["id"]))
    done = ada.send("GET", path).json()
    assert done["state"] == "finished"
    assert (done["played"], done["total"], done["live"]) == (2, 2, [])
    assert [one["bot"] for one in done["winners"]] == ["random"]
    (final,) = done["bracket"]
    assert final["name"] == "Final"
    ((one, two),) = final["ties"]
    assert (one["bot"]["owner"], one["points"], one["is_winner"]) == ("ada", 0.0, False)
    assert (two["bot"]["bot"], two["points"], two["is_winner"]) == ("random", 2.0, True)


def test_the_table(playing: Hosting) -> None:
    contest = playing.begin(built_in(playing))
    playing.wait_for(contest)
    body = playing.world.browser().get(f"{PATH}/{contest.id}").json()
    assert body["bracket"] == []
    assert body["table"][0]["rank"] == 1
    assert sum(row["points"] for row in body["table"]) == body["played"] == 6
    assert all(row["wins"] + row["draws"] + row["losses"] == 4 for row in body["table"])


def test_edit_and_delete(hosting: Hosting) -> None:
    olga = Program(hosting, "olga")
    path = f"/{olga.send('POST', '', NEW).json()['id']}"
    changed = olga.send("PUT", path, {**NEW, "name": "League", "format": "round-robin"})
    assert (changed.json()["name"], changed.json()["format"]) == ("League", "round-robin")
    assert olga.send("DELETE", path).status_code == 204
    assert olga.send("GET", path).status_code == 404


def test_leave_and_disqualify(hosting: Hosting) -> None:
    olga, ada, bob = (Program(hosting, name) for name in ("olga", "ada", "bob"))
    mine = hosting.add_bot("ada")
    contest = hosting.contest(ContestState.OPEN)
    path = f"/{contest.id}/entries"
    ada.send("POST", path, {"version_id": mine})
    assert bob.send("DELETE", f"{path}/{mine}").status_code == 403
    assert ada.send("DELETE", f"{path}/{mine}").status_code == 204
    assert ada.send("DELETE", f"{path}/{mine}").status_code == 404
    for status in (201, 422):
        assert ada.send("POST", path, {"version_id": mine}).status_code == status
    olga.send("PUT", f"/{contest.id}/state", {"state": "closed"})
    assert "ask an organiser" in ada.send("DELETE", f"{path}/{mine}").json()["error"]
    assert olga.send("DELETE", f"{path}/{mine}").status_code == 204
    begun = hosting.begin([mine, hosting.built_in("random")], name="Begun")
    assert ada.send("DELETE", f"/{begun.id}/entries/{mine}").status_code == 422
    assert olga.send("DELETE", f"/{begun.id}/entries/{mine}").status_code == 204
    assert hosting.store.versions.get(mine).status == "withdrawn"


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"name": ""}, 422, "name '': expected 1 to 80"),
    ({"game": "chess"}, 422, "chess"),
    ({"format": "war"}, 422, "format"),
    ({"terms": {"seats": 3}}, 422, "3 seats: a knock-out is for two"),
    ({"terms": {"jobs": 0}}, 422, "Matches at a time: expected 1 to 16, not 0"),
    ({"terms": {"turn_ms": 10**12}}, 422, "terms.turn_ms"),
    ({"options": {"walls": True}}, 422, "option 'walls': expected one of"),
    ({"options": {"rows": [1]}}, 422, "options.rows"),
    ({"opens": "2026-05-01T18:00:00"}, 422, "timezone"),
    ({"opens": "9999-05-01T18:00:00Z"}, 422, "another age"),
    ({"invited": ["nobody"]}, 422, "user 'nobody'"),
    ({"who_may_enter": "invited"}, 422, "no user is invited"),
    ({"closes": "2025-10-02T00:00:00Z"}, 422, "this date has passed"),
    ({"name": "Taken"}, 409, "there is one of that name"),
]


def test_what_cannot_be(hosting: Hosting) -> None:
    hosting.contest(name="Taken")
    olga = Program(hosting, "olga")
    for change, status, error in WRONG:
        answer = olga.send("POST", "", {**NEW, **change})
        assert answer.status_code == status, change
        assert error in answer.json()["error"]
    assert len(hosting.store.contests.all()) == 1


def test_states_that_cannot_be(hosting: Hosting) -> None:
    contest, olga = hosting.contest(), Program(hosting, "olga")
    path = f"/{contest.id}/state"
    assert olga.send("PUT", path, {"state": "running"}).status_code == 409
    assert olga.send("PUT", path, {"state": "won"}).status_code == 422
    closed = hosting.contest(ContestState.CLOSED, "Closed", format=Format.SWISS)
    answer = olga.send("PUT", f"/{closed.id}/state", {"state": "running"})
    assert (answer.status_code, hosting.state(closed)) == (422, ContestState.CLOSED)
    begun = hosting.begin(built_in(hosting), name="Begun")
    for method, body in (("PUT", NEW), ("DELETE", None)):
        assert olga.send(method, f"/{begun.id}", body).status_code == 409


def test_users_do_not_organise(hosting: Hosting) -> None:
    contest, ada = hosting.contest(), Program(hosting, "ada")
    for method, path, body in (
        ("POST", "", NEW),
        ("PUT", f"/{contest.id}", NEW),
        ("DELETE", f"/{contest.id}", None),
        ("PUT", f"/{contest.id}/state", {"state": "open"}),
        ("PUT", f"/{contest.id}/published", {"published": False}),
    ):
        assert ada.send(method, path, body).status_code == 403
    assert hosting.store.contests.all() == [contest]
