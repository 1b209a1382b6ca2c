"""Organisers keep a user out for a while; what organisers do is in the audit log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agon.arena.workers import Workers
from agon.datastore import AuditAction, NewBot, NewVersion, VersionStatus, new_secret
from agon.website.account_pages.audit_pages import PAGE, WORDS
from tests.website.people import PASSWORD

if TYPE_CHECKING:
    from agon.datastore import User
    from tests.website.people import World


def find(world: World, name: str) -> User:
    user = world.store.users.find(name)
    assert user
    return user


def test_a_suspended_user_is_out_and_is_told_why(world: World) -> None:
    ada = find(world, "ada")
    bot = world.store.bots.add(NewBot("hive", "crawler", world.clock(), owner_id=ada.id))
    version = world.store.versions.add(bot.id, NewVersion(world.clock(), run="./bot"))
    secret = new_secret()
    world.store.tokens.add(ada.id, "laptop", secret, world.clock())
    mine, olga = world.browser("ada"), world.browser("olga")
    shown = {"Authorization": f"Bearer {secret}"}
    assert mine.get("/api/v1/me", headers=shown).status_code == 200

    answer = olga.post("/users/ada/suspend", reason="Bots that <b>only</b> wait.")
    assert (answer.status_code, answer.headers["location"]) == (303, "/users?done=suspended")
    assert world.store.versions.get(version.id).status is VersionStatus.SUSPENDED
    assert mine.get("/account").headers["location"] == "/login?next=%2Faccount"
    refused = mine.get("/api/v1/me", headers=shown)
    assert refused.status_code == 401
    assert "its user is suspended" in refused.json()["error"]
    told = "Your account is suspended: Bots that &lt;b&gt;only&lt;/b&gt; wait. Ask an organiser"
    page = world.browser().post("/login", name="ada", password=PASSWORD)
    assert (page.status_code, told in page.text) == (403, True)
    program = world.browser()
    credentials = {"name": "ada", "password": PASSWORD}
    called = program.send("POST", "/api/v1/login", json=credentials)
    assert called.status_code == 403
    assert called.json()["error"].startswith("Your account is suspended: Bots that <b>only</b>")
    wrong = world.browser().post("/login", name="ada", password="wrong guess")  # noqa: S106
    assert (wrong.status_code, "suspended" in wrong.text) == (422, False)
    assert "The account is suspended." in olga.get("/users/ada").text
    assert "its author is suspended" in olga.get(f"/bots/{bot.id}/edit").text

    assert olga.post("/users/ada/reinstate").status_code == 303
    assert world.store.versions.get(version.id).status is VersionStatus.ACTIVE
    assert world.browser().post("/login", **credentials).status_code == 303
    assert mine.get("/api/v1/me", headers=shown).status_code == 200
    assert "The account is suspended." not in olga.get("/users/ada").text


def test_a_suspension_may_be_without_a_reason(world: World) -> None:
    assert world.browser("olga").post("/users/ada/suspend").status_code == 303
    page = world.browser().post("/login", name="ada", password=PASSWORD).text
    assert "Your account is suspended. Ask an organiser" in page


def test_bots_of_a_reinstated_user_are_not_waited_for(world: World) -> None:
    class Bells(Workers):
        rung: ClassVar[list[str]] = []

        def ring_checkers(self) -> None:
            self.rung.append("check")

        def ring_ladder(self, game: str) -> None:
            self.rung.append(game)

    world.site = replace(
        world.site, workers=Bells(world.store, world.site.live_matches, world.clock)
    )
    world.app.state.site = world.site
    for name, game in (("ada", "hive"), ("ada", "skyport"), ("olga", "atlantis")):
        new = NewBot(game, "crawler", world.clock(), owner_id=find(world, name).id)
        world.store.bots.add(new)
    olga = world.browser("olga")
    olga.post("/users/ada/suspend")
    olga.post("/users/ada/reinstate")
    assert sorted(Bells.rung) == ["check", "hive", "skyport"]


def test_an_organiser_is_left(world: World) -> None:
    world.add_user("oleg", organiser=True)
    olga = world.browser("olga")
    assert olga.post("/users/olga/suspend").status_code == 409
    assert olga.post("/users/oleg/suspend").status_code == 303
    closing = olga.post("/account/close", password=PASSWORD)
    assert (closing.status_code, "the only organiser" in closing.text) == (422, True)


def test_a_reason_is_one_short_line(world: World) -> None:
    olga = world.browser("olga")
    for reason in ("x" * 201, "a\nb"):
        assert olga.post("/users/ada/suspend", reason=reason).status_code == 400
    assert find(world, "ada").is_present


def test_the_log_says_who_did_what_to_whom_and_when(world: World) -> None:
    olga = world.browser("olga")
    olga.post("/users", name="bob", rights="organiser")
    world.clock.pass_s(60)
    olga.post("/users/ada/suspend", reason="spam")
    world.store.audit_log.add(None, AuditAction.REMOVE_USER, "<eve>", 99, world.clock())
    page = olga.get("/audit").text
    assert page.index("&lt;eve&gt;") < page.index("spam") < page.index("created the account of")
    assert "The command line removed" in " ".join(page.split())
    downloaded = olga.get("/audit.json")
    assert downloaded.status_code == 200
    assert "attachment" in downloaded.headers["content-disposition"]
    assert downloaded.headers["cache-control"] == "no-store"
    ada, bob = find(world, "ada"), find(world, "bob")
    entries = downloaded.json()
    assert entries[1] == {
        "id": 2,
        "at": "2025-10-09T08:54:20Z",
        "by": "olga",
        "action": "user.suspend",
        "target": "ada",
        "target_id": ada.id,
        "detail": "spam",
    }
    assert [(one["by"], one["target_id"]) for one in entries] == [
        (None, 99),
        ("olga", ada.id),
        ("olga", bob.id),
    ]


def test_a_long_log_has_pages(world: World) -> None:
    olga = world.browser("olga")
    for number in range(PAGE + 2):
        world.store.audit_log.add(None, AuditAction.ADD_USER, f"u{number}", number, number)
    first = olga.get("/audit").text
    assert (">u2<" in first, ">u1<" in first) == (True, False)
    second = olga.get("/audit?before=3").text
    assert (">u2<" in second, ">u1<" in second) == (False, True)
    assert 'href="/audit?before=3"' in first
    assert ">Older<" not in second
    assert ">Older<" not in olga.get(f"/audit?before={PAGE + 1}").text, "just one page"
    assert len(olga.get("/audit.json").json()) == PAGE + 2


def test_every_action_has_words() -> None:
    assert set(WORDS) == set(AuditAction)
