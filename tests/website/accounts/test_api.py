"""The API's accounts, as programs use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.rate_limit import RateLimit
from agon.datastore import schema
from agon.website.accounts.policy import AccountPolicy
from tests.website.people import CHEAP, PASSWORD

if TYPE_CHECKING:
    from tests.website.accounts.conftest import Make
    from tests.website.people import World


def log_in(world: World, name: str = "ada", title: str = "command line") -> dict[str, Any]:
    body = {"name": name, "password": PASSWORD, "token_name": title}
    answer = world.browser().send("POST", "/api/v1/login", json=body)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def call(world: World, method: str, path: str, token: str, **settings: Any) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token}"}
    answer = world.browser().send(method, path, headers=headers, **settings)
    return answer.status_code, answer.json() if answer.content else None


def test_a_log_in_gives_a_token(world: World) -> None:
    given = log_in(world, "ada", "agon submit")
    assert given["token"].startswith("agon_")
    assert given["name"] == "agon submit"
    assert given["user"] == {"name": "ada", "organiser": False, "created": "2025-10-09T08:53:20Z"}
    assert call(world, "GET", "/api/v1/me", given["token"]) == (200, given["user"])
    body = {"name": "ada", "password": PASSWORD}
    answer = world.browser().send("POST", "/api/v1/login", json=body)
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    with world.store.database.read() as connection:
        rows = str(connection.execute(schema.tokens.select()).all())
    assert given["token"] not in rows


@pytest.mark.parametrize("name", ["ada", "nobody", "a\0b"])
def test_a_failed_log_in_says_nothing(world: World, name: str) -> None:
    answer = world.browser().send(
        "POST", "/api/v1/login", json={"name": name, "password": "wrong one"}
    )
    assert answer.status_code == 401
    assert answer.json() == {"error": "The name or the password is wrong."}
    assert answer.headers["www-authenticate"] == "Bearer"


def test_tokens_are_made_listed_and_revoked(world: World) -> None:
    first = log_in(world)
    status, second = call(world, "POST", "/api/v1/tokens", first["token"], json={"name": "ci"})
    assert (status, second["name"], second["last_used"]) == (201, "ci", None)
    status, tokens = call(world, "GET", "/api/v1/tokens", second["token"])
    assert status == 200
    assert [(one["id"], one["name"]) for one in tokens] == [
        (first["id"], "command line"),
        (second["id"], "ci"),
    ]
    assert "token" not in tokens[0]
    path = f"/api/v1/tokens/{first['id']}"
    others = log_in(world, "olga")["token"]
    assert call(world, "DELETE", path, others)[0] == 404
    assert call(world, "DELETE", path, second["token"]) == (204, None)
    assert call(world, "DELETE", path, second["token"])[0] == 404
    assert call(world, "GET", "/api/v1/me", first["token"])[0] == 401
    assert call(world, "GET", "/api/v1/me", second["token"])[0] == 200


@pytest.mark.parametrize(
    "body", [{}, {"name": 7}, [], "x", {"name": "x" * 201}, {"name": None}, {"name": ""}]
)
def test_what_is_no_token_is_refused(world: World, body: Any) -> None:
    token = log_in(world)["token"]
    status, answer = call(world, "POST", "/api/v1/tokens", token, json=body)
    assert status in (400, 422)
    assert set(answer) == {"error"}


@pytest.mark.parametrize("token_id", ["0", "-1", "x", str(2**70), "99"])
def test_tokens_that_there_are_not(world: World, token_id: str) -> None:
    token = log_in(world)["token"]
    assert call(world, "DELETE", f"/api/v1/tokens/{token_id}", token)[0] in (404, 422)


def test_the_api_may_be_asked_only_so_often(make: Make) -> None:
    world = make(guard=AccountPolicy(passwords=CHEAP, api=RateLimit(3, 60)))
    world.add_user("ada")
    token = log_in(world)["token"]
    assert [call(world, "GET", "/api/v1/me", token)[0] for _ in range(4)] == [200, 200, 200, 429]
    headers = {"Authorization": f"Bearer {token}"}
    refused = world.browser().get("/api/v1/me", headers=headers)
    assert refused.headers["retry-after"] == "60"
    assert world.browser(host="198.51.100.9").get("/api/v1/me").status_code == 401
    world.clock.pass_s(60)
    assert call(world, "GET", "/api/v1/me", token)[0] == 200


def test_the_documentation_says_what_needs_a_token(world: World) -> None:
    found = world.browser().get("/openapi.json").json()
    assert all(path.startswith("/api/v1/") for path in found["paths"]), "no pages are in it"
    (scheme,) = found["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    needing = {
        (method, path)
        for path, methods in found["paths"].items()
        for method, route in methods.items()
        if path in ("/api/v1/login", "/api/v1/me", "/api/v1/tokens") and "security" in route
    }
    assert needing == {
        ("get", "/api/v1/me"),
        ("get", "/api/v1/tokens"),
        ("post", "/api/v1/tokens"),
    }
    answers = found["paths"]["/api/v1/me"]["get"]["responses"]
    assert answers.keys() == {"200", "400", "401", "403", "413", "422", "429"}
    assert answers["401"]["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorBody")
