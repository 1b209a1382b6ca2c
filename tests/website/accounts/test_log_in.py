"""Register, log in, log out: who gets in, how often one may try, and what stays hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.rate_limit import RateLimit
from agon.datastore import schema
from agon.website.accounts.passwords import Argon2, Cost, Passwords
from agon.website.accounts.policy import AccountPolicy
from agon.website.site import SiteSettings
from tests.website.people import CHEAP, PASSWORD

if TYPE_CHECKING:
    from httpx import Response

    from tests.website.accounts.conftest import Make
    from tests.website.people import Browser, World

DAY_S = 86_400
WRONG = "wrong password"


def log_in(browser: Browser, name: str = "ada", password: str = PASSWORD, **more: str) -> Response:
    return browser.post("/login", name=name, password=password, **more)


def me(browser: Browser) -> str | None:
    """Who the site thinks the browser's user is."""
    answer = browser.get("/api/v1/me")
    assert answer.status_code in (200, 401)
    name: str | None = answer.json().get("name")
    return name


def test_register_logs_in(world: World) -> None:
    browser = world.browser()
    fields = {"name": "bob", "password": PASSWORD, "again": PASSWORD, "next": "/play"}
    answer = browser.post("/register", **fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/play")
    assert me(browser) == "bob"
    user = world.store.users.find("bob")
    assert user
    assert user.password_hash.startswith("$argon2id$")
    assert not user.organiser


@pytest.mark.parametrize(
    ("changes", "status", "told"),
    [
        ({"name": "ada"}, 409, "The name &#39;ada&#39; is taken"),
        ({"name": "ADA"}, 409, "The name &#39;ADA&#39; is taken"),
        ({"name": "<script>"}, 422, "Name &#39;&lt;script&gt;&#39;: expected 1 to 32 letters"),
        ({"name": ""}, 422, "expected 1 to 32 letters"),
        ({"again": "another one"}, 422, "The two passwords are not the same"),
        ({"password": "short", "again": "short"}, 422, "Password of 5 characters"),
        (
            {"name": "bobsled-team", "password": "bobsled-team", "again": "bobsled-team"},
            422,
            "name",
        ),
    ],
)
def test_register_says_what_is_wrong(
    world: World, changes: dict[str, str], status: int, told: str
) -> None:
    browser = world.browser()
    fields = {"name": "bob", "password": PASSWORD, "again": PASSWORD} | changes
    answer = browser.post("/register", **fields)
    assert answer.status_code == status
    assert told in answer.text
    assert PASSWORD not in answer.text
    assert "<script>" not in answer.text
    assert me(browser) is None
    assert len(world.store.users.all()) == 2


def test_what_was_typed_is_kept_but_not_the_password(world: World) -> None:
    browser = world.browser()
    page = browser.post("/register", name="bob", password=PASSWORD, again="x" * 9).text
    assert 'value="bob"' in page
    assert PASSWORD not in page
    page = log_in(browser, "bob", "wrong password").text
    assert 'value="bob"' in page
    assert "wrong password" not in page


def test_registration_may_be_closed(make: Make) -> None:
    browser = make(SiteSettings(open_registration=False)).browser()
    assert browser.get("/register").status_code == 403
    answer = browser.post("/register", name="bob", password=PASSWORD, again=PASSWORD)
    assert answer.status_code == 403
    assert "made by the organisers" in answer.text
    assert "/register" not in browser.get("/login").text


def test_log_in_and_out(world: World) -> None:
    browser = world.browser()
    assert me(browser) is None
    assert log_in(browser).headers["location"] == "/"
    assert me(browser) == "ada"
    session = browser.cookie("session")
    assert browser.get("/logout").status_code == 405
    assert me(browser) == "ada"
    assert browser.post("/logout").headers["location"] == "/"
    assert browser.cookie("session") is None
    assert me(browser) is None
    stolen = world.browser()
    stolen.client.cookies.set("agon_session", session or "")
    assert me(stolen) is None


def test_a_name_in_other_case_is_the_same_user(world: World) -> None:
    browser = world.browser()
    assert log_in(browser, "ADA").status_code == 303
    assert me(browser) == "ada"


@pytest.mark.parametrize("next", ["https://evil.test/", "//evil.test/", "/\\evil.test/"])
def test_no_link_leads_elsewhere_after_the_log_in(world: World, next: str) -> None:
    browser = world.browser()
    assert log_in(browser, next=next).headers["location"] == "/"
    assert browser.get("/login", params={"next": next}).headers["location"] == "/"
    assert "evil" not in world.browser().get("/login", params={"next": next}).text


def test_the_log_in_leads_back(world: World) -> None:
    browser = world.browser()
    sent = browser.get("/account?done=x%26y")
    assert sent.headers["location"] == "/login?next=%2Faccount%3Fdone%3Dx%2526y"
    assert 'value="/account?done=x%26y"' in browser.get(sent.headers["location"]).text
    assert log_in(browser, next="/account?done=x%26y").headers["location"] == "/account?done=x%26y"


def test_a_user_who_is_logged_in_needs_no_account(world: World) -> None:
    assert world.browser().get("/register?next=/play").status_code == 200
    sent = world.browser("ada").get("/register?next=/play")
    assert (sent.status_code, sent.headers["location"]) == (303, "/play")


def test_the_head_of_a_page_leads_back_to_it(world: World) -> None:
    head = world.browser().get("/games/hive").text
    assert 'href="/login?next=/games/hive"' in head
    assert 'href="/register?next=/games/hive"' in head
    on_the_way = world.browser().get("/login?next=/upload").text
    assert 'href="/register?next=/upload"' in on_the_way.partition("<main")[0]


def test_an_unknown_user_a_wrong_password_and_a_removed_user_are_one(world: World) -> None:
    gone = world.add_user("gone")
    world.store.users.remove(gone.id, world.clock())
    answers = [
        log_in(world.browser(), name, password)
        for name, password in [
            ("ada", "wrong password"),
            ("nobody", "wrong password"),
            ("gone", PASSWORD),
            ("not a name\0", "wrong password"),
            ("ada", ""),
        ]
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert all("The name or the password is wrong." in answer.text for answer in answers)
    texts = [
        answer.text.replace(name, "…")
        for answer, name in zip(answers[:3], ("ada", "nobody", "gone"), strict=True)
    ]
    assert len(set(texts)) == 1


class CountingHasher(Argon2):
    """Counts how much work is done."""

    def __init__(self) -> None:
        super().__init__(Cost(1, 8, 1))
        self.hashed = self.verified = 0

    def hash(self, password: str) -> str:
        self.hashed += 1
        return super().hash(password)

    def verify(self, stored: str, password: str) -> bool:
        self.verified += 1
        assert stored.startswith("$argon2id$v=19$m=8,t=1,p=1$")  # of the full cost
        return super().verify(stored, password)


@pytest.mark.parametrize("name", ["ada", "nobody", "gone", "not a name"])
def test_every_failure_is_the_same_work(make: Make, name: str) -> None:
    hasher = CountingHasher()
    world = make(guard=AccountPolicy(passwords=Passwords(hasher)))
    world.add_user("ada")
    gone = world.add_user("gone")
    world.store.users.remove(gone.id, world.clock())
    hasher.hashed = hasher.verified = 0
    assert log_in(world.browser(), name, "wrong password").status_code == 422
    assert (hasher.verified, hasher.hashed) == (1, 0)


def test_a_hash_of_another_cost_is_made_anew(make: Make) -> None:
    world = make()
    old = Passwords(Argon2(Cost(2, 8, 1))).hash(PASSWORD)
    user = world.store.users.add("ada", old, world.clock())
    assert log_in(world.browser(), password=WRONG).status_code == 422
    assert world.store.users.get(user.id).password_hash == old
    assert log_in(world.browser()).status_code == 303
    changed = world.store.users.get(user.id).password_hash
    assert changed.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert log_in(world.browser()).status_code == 303
    assert world.store.users.get(user.id).password_hash == changed


def test_too_many_failures_of_one_account_wait(make: Make) -> None:
    world = make(guard=AccountPolicy(passwords=CHEAP, log_in_by_account=RateLimit(3, 60)))
    world.add_user("ada")
    hosts = [f"192.0.2.{n}" for n in range(9)]
    for name in ("ada", "nobody"):  # known or not
        for host in hosts[:3]:
            assert log_in(world.browser(host=host), name, "wrong one").status_code == 422
        refused = log_in(world.browser(host=hosts[4]), name.upper(), PASSWORD)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
        assert "Too many attempts. Try again in 60 s." in refused.text
    world.clock.pass_s(60)
    for _ in range(5):  # the right password is not held up
        assert log_in(world.browser(), "ada").status_code == 303


def test_too_many_attempts_from_one_address_wait(make: Make) -> None:
    world = make(guard=AccountPolicy(passwords=CHEAP, log_in_by_address=RateLimit(3, 60)))
    world.add_user("ada")
    for number in range(3):
        assert log_in(world.browser(), f"user{number}", "wrong one").status_code == 422
    world.clock.pass_s(20)
    refused = log_in(world.browser())
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "40")
    api = world.browser().send("POST", "/api/v1/login", json={"name": "ada", "password": PASSWORD})
    assert (api.status_code, api.headers["retry-after"]) == (429, "40")
    assert api.json() == {"error": "Too many attempts. Try again in 40 s."}
    assert log_in(world.browser(host="198.51.100.1")).status_code == 303
    world.clock.pass_s(40)
    assert log_in(world.browser()).status_code == 303


def test_too_many_new_accounts_wait(make: Make) -> None:
    world = make(guard=AccountPolicy(passwords=CHEAP, register=RateLimit(2, 3600)))
    for name in ("ada", "ada"):
        world.browser().post("/register", name=name, password=PASSWORD, again=PASSWORD)
    refused = world.browser().post("/register", name="bob", password=PASSWORD, again=PASSWORD)
    assert refused.status_code == 429
    assert "Try again in 60 min." in refused.text
    assert [user.name for user in world.store.users.all()] == ["ada"]


def test_a_session_ends_when_it_is_not_used(world: World) -> None:
    browser = world.browser("ada")
    for _ in range(3):
        world.clock.pass_s(6 * DAY_S)
        assert me(browser) == "ada"
    world.clock.pass_s(7 * DAY_S)
    assert me(browser) is None


def test_a_session_ends_after_a_month(world: World) -> None:
    browser = world.browser("ada")
    for _ in range(29):
        world.clock.pass_s(DAY_S)
        assert me(browser) == "ada"
    world.clock.pass_s(DAY_S)
    assert me(browser) is None


def test_a_planted_session_opens_nothing(world: World) -> None:
    planted = "x" * 43
    browser = world.browser()
    browser.client.cookies.set("agon_session", planted)
    assert log_in(browser).status_code == 303
    values = {cookie.value for cookie in browser.client.cookies.jar if "session" in cookie.name}
    assert len(values - {planted}) == 1
    attacker = world.browser()
    attacker.client.cookies.set("agon_session", planted)
    assert me(attacker) is None


def test_each_log_in_has_a_new_secret_and_ends_the_old_session(world: World) -> None:
    browser = world.browser("ada")
    first = browser.cookie("session")
    assert log_in(browser, "olga").status_code == 303
    assert me(browser) == "olga"
    assert browser.cookie("session") != first
    old = world.browser()
    old.client.cookies.set("agon_session", first or "")
    assert me(old) is None


def test_only_the_hash_of_a_session_is_stored(world: World) -> None:
    secret = world.browser("ada").cookie("session")
    assert secret
    assert len(secret) == 43, "32 bytes"
    with world.store.database.read() as connection:
        rows = [str(row) for row in connection.execute(schema.sessions.select())]
    assert len(rows) == 1
    assert secret not in rows[0]


def set_cookies(answer: Response) -> dict[str, set[str]]:
    """The attributes of each cookie that an answer sets, in lower case."""
    found = {}
    for line in answer.headers.get_list("set-cookie"):
        first, *rest = line.split("; ")
        found[first.partition("=")[0]] = {part.lower() for part in rest}
    return found


def test_cookies_are_out_of_reach(world: World) -> None:
    browser = world.browser()
    assert set_cookies(browser.get("/login")) == {}
    begun = set_cookies(log_in(browser))["agon_session"]
    assert begun == {"httponly", "path=/", "samesite=lax", "max-age=2592000"}


def test_with_https_cookies_are_of_this_host_alone(make: Make) -> None:
    world = make(SiteSettings(secure_cookies=True))
    world.add_user("ada")
    browser = world.browser()
    assert set_cookies(browser.get("/login")) == {}
    begun = set_cookies(log_in(browser))["__Host-agon_session"]
    assert begun == {"httponly", "path=/", "samesite=lax", "max-age=2592000", "secure"}
    assert me(browser) == "ada"
    assert browser.post("/logout").status_code == 303
    assert me(browser) is None


@pytest.mark.parametrize("name", ["o1ga", "OIga", "\uff4f1ga"])
def test_a_name_that_looks_like_a_users_is_refused(world: World, name: str) -> None:
    fields = {"name": name, "password": PASSWORD, "again": PASSWORD}
    answer = world.browser().post("/register", **fields)
    assert answer.status_code == 422
    assert "looks like &#39;olga&#39;" in answer.text


def test_a_name_is_the_same_in_every_width(world: World) -> None:
    wide = "\uff41\uff44\uff41"
    fields = {"name": wide, "password": PASSWORD, "again": PASSWORD}
    assert world.browser().post("/register", **fields).status_code == 409
    assert log_in(world.browser(), wide).status_code == 303
    # ... and so are failed log-ins: other letters are no more attempts
    stranger = world.browser(host="198.51.100.1")
    for number in range(10):
        log_in(stranger, "ada" if number % 2 else wide, "wrong guess")
    assert log_in(stranger, "Ada", "wrong guess").status_code == 429
