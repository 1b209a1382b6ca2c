"""Bots come in: as a zip, a folder, one file; and what is refused says why."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.rate_limit import RateLimit
from agon.datastore import CheckState, NewBot, NewVersion, VersionStatus
from agon.errors import UploadError
from agon.website.bots.manifest import UploadFields, describe
from agon.website.bots.submission import submit
from agon.website.bots.zips import unpack_zip
from agon.website.upload_limits import UploadLimits
from tests.website.bots.packing import SETTINGS, pack, tiny_files

if TYPE_CHECKING:
    from httpx import Response

    from agon.datastore import StoredBot
    from tests.website.people import Browser, World

    Files = list[tuple[str, tuple[str, bytes]]]


def send(browser: Browser, files: Files, path: str = "/upload", **fields: str) -> Response:
    """Send the form of the page."""
    parts = ((name, (None, value)) for name, value in fields.items())
    return browser.send("POST", path, files=[*parts, *files], headers=browser.own)


def send_zip(browser: Browser, data: bytes, path: str = "/upload", **fields: str) -> Response:
    return send(browser, [("zip", ("bot.zip", data))], path, **fields)


def bots_of(world: World, name: str = "ada") -> list[StoredBot]:
    user = world.store.users.find(name)
    assert user
    return world.store.bots.all(owner_id=user.id)


def test_a_zip_becomes_a_version_that_waits_for_its_check(world: World) -> None:
    response = send_zip(world.browser("ada"), pack(tiny_files()))
    (bot,) = bots_of(world)
    (version,) = world.store.versions.of_bot(bot.id)
    check = world.store.checks.latest(version.id)
    assert check
    assert response.status_code == 303
    assert response.headers["location"] == f"/checks/{check.id}"
    assert (bot.game, bot.name) == ("hive", "crawler")
    assert (version.run, version.language) == ("python3 bot.py", "python")
    assert version.status is VersionStatus.PENDING
    assert check.state is CheckState.QUEUED
    assert [file.path for file in world.store.versions.files(version.id)] == ["bot.py", "bot.toml"]


def test_a_folder_as_a_browser_sends_it(world: World) -> None:
    files: Files = [
        ("folder", (f"crawler/{path}", content)) for path, content in tiny_files().items()
    ]
    files.append(("folder", ("crawler/data/book.txt", b"openings")))
    assert send(world.browser("ada"), files).status_code == 303
    (version,) = world.store.versions.of_bot(bots_of(world)[0].id)
    paths = [file.path for file in world.store.versions.files(version.id)]
    assert paths == ["bot.py", "bot.toml", "data/book.txt"]


def test_one_file_with_a_run_command(world: World) -> None:
    response = send(
        world.browser("ada"),
        [("file", ("ant.py", b"#!/usr/bin/env python3\n"))],
        game="hive",
        name='the "ant"',
        run="python3 ant.py --deep",
        language="python",
        protocol="uhp",
    )
    assert response.status_code == 303
    (bot,) = bots_of(world)
    (version,) = world.store.versions.of_bot(bot.id)
    assert bot.name == 'the "ant"'
    assert (version.run, version.protocol) == ("python3 ant.py --deep", "uhp")
    ant, settings = world.store.versions.files(version.id)
    assert (ant.path, ant.executable) == ("ant.py", True)
    assert b'name = "the \\"ant\\""' in world.store.blobs.get(settings.sha256)


def test_a_browser_sends_empty_parts_for_what_was_not_chosen(world: World) -> None:
    files: Files = [
        ("zip", ("bot.zip", pack(tiny_files()))),
        ("folder", ("", b"")),
        ("file", ("", b"")),
    ]
    assert send(world.browser("ada"), files, name="", run="").status_code == 303


def test_the_next_version(world: World) -> None:
    browser = world.browser("ada")
    send_zip(browser, pack(tiny_files()))
    (bot,) = bots_of(world)
    page = browser.get(f"/bots/{bot.id}/upload")
    assert "Next version of crawler" in page.text
    changed = pack(tiny_files(source="print('better')\n"))
    assert send_zip(browser, changed, f"/bots/{bot.id}/upload").status_code == 303
    again = pack(tiny_files(source="print('best')\n"))
    assert send_zip(browser, again).status_code == 303, "the same name on the other page"
    assert [one.number for one in world.store.versions.of_bot(bot.id)] == [3, 2, 1]
    assert bots_of(world) == [bot]


def test_the_page_has_the_same_check_as_a_command(world: World) -> None:
    page = world.browser("ada").get("/upload")
    assert "agon bot check FOLDER --time 200ms --bank 2s\n" in page.text
    assert "agon login http://agon.test\n" in page.text


def test_two_users_may_use_one_name(world: World) -> None:
    for name in ("ada", "bob"):
        assert send_zip(world.browser(name), pack(tiny_files())).status_code == 303
    assert bots_of(world)[0].id != bots_of(world, "bob")[0].id


GOOD = pack(tiny_files())


def settings(name: str = "crawler", more: str = "") -> Files:
    """A zip of settings alone."""
    return [("zip", ("a.zip", pack({"bot.toml": SETTINGS.format(name=name) + more})))]


@pytest.mark.parametrize(
    ("files", "fields", "words"),
    [
        ([], {}, "No file was chosen. Choose a zip, a folder, or a single file."),
        (
            [("zip", ("a.zip", GOOD)), ("file", ("a.py", b"1"))],
            {},
            "You have chosen a zip and a file.",
        ),
        ([("zip", ("a.zip", b"hello"))], {}, "no zip archive that can be read"),
        ([("zip", ("a.zip", pack({"../evil.py": "x"})))], {}, "&#39;../evil.py&#39;: expected"),
        ([("folder", ("a/../../evil.py", b"x"))], {}, "without &#39;..&#39;"),
        ([("zip", ("a.zip", pack({"bot.py": "x"})))], {}, "There is no bot.toml among the files."),
        (
            [("file", ("bot.py", b"x"))],
            {"game": "hive", "name": "a"},
            ">Fill in the run command: a",
        ),
        ([("file", ("bot.py", b"x"))], {}, "Fill in the name and the run command"),
        ([("zip", ("a.zip", pack({"bot.toml": "name = "})))], {}, "Change bot.toml: Invalid value"),
        ([("zip", ("a.zip", pack({"bot.toml": "colour = 1"})))], {}, "bot.toml: &#39;colour&#39;"),
        ([("zip", ("a.zip", GOOD))], {"game": "atlantis"}, "add atlantis to bot.toml"),
        ([("zip", ("a.zip", GOOD))], {"game": "go"}, "expected one of atlantis"),
        ([("zip", ("a.zip", GOOD))], {"run": "./x"}, "Leave the run command empty"),
        (
            [("zip", ("a.zip", GOOD))],
            {"name": "beetle"},
            "Leave the name empty, or write &#39;crawler&#39;",
        ),
        ([("file", ("b.py", b"x"))], {"run": "./b.py", "name": "b"}, "Choose the game"),
        (settings("greedy"), {}, "looks like a bot of the arena"),
        (settings("GREEDY"), {}, "looks like a bot of the arena"),
        (settings("\uff47reedy"), {}, "looks like a bot of the arena"),
        (settings("ѕеагсһ"), {}, "looks like a bot of the arena"),  # noqa: RUF001
        (settings("eve (person)"), {}, "looks like a bot of the arena"),
        (settings("eve (Guest)"), {}, "looks like a bot of the arena"),
        (settings("gr\u0435edier"), {}, "U+0435 (CYRILLIC SMALL LETTER IE) in it"),
        (settings("ant\u200b"), {}, "expected a text of one line"),
        (settings("ant\u2800"), {}, "U+2800 (BRAILLE PATTERN BLANK) in it is not seen"),
        (settings("ant\u3164"), {}, "U+1160 (HANGUL JUNGSEONG FILLER) in it is not seen"),
        (settings("a@1"), {}, "none of"),
        (settings("ada\u2044ant"), {}, "none of"),
        (settings("x" * 65), {}, "at most 64"),
        (settings(more='protocol = "morse"\n'), {}, "protocol &#39;morse&#39;"),
    ],
)
def test_what_is_refused_and_why(
    world: World, files: Files, fields: dict[str, str], words: str
) -> None:
    response = send(world.browser("ada"), files, **fields)
    assert response.status_code == 422
    assert words in response.text
    (problem,) = re.findall(r'<p class="problem">(.+?)</p>', response.text)
    assert problem[0].isupper()
    assert bots_of(world) == []
    if fields.get("run"):
        assert f'value="{fields["run"]}"' in response.text, "what was typed is kept"


def test_a_name_that_is_markup_is_shown_as_it_is(world: World) -> None:
    browser = world.browser("ada")
    name = "<script>alert(1)<|script>"
    settings = f'name = "{name}"\ngames = ["hive"]\nrun = "python3 bot.py"\n'
    response = send_zip(browser, pack({"bot.toml": settings, "bot.py": "x"}))
    page = browser.get(response.headers["location"])
    assert "&lt;script&gt;alert(1)&lt;|script&gt;" in page.text
    assert "<script>alert" not in page.text


def test_the_same_files_again_are_no_new_version(world: World) -> None:
    browser = world.browser("ada")
    send_zip(browser, GOOD)
    response = send_zip(browser, GOOD)
    assert response.status_code == 422
    assert "These are the files of version 1" in response.text


def test_another_bot_s_files_are_not_the_next_version(world: World) -> None:
    browser = world.browser("ada")
    send_zip(browser, GOOD)
    (bot,) = bots_of(world)
    response = send_zip(browser, pack(tiny_files("beetle")), f"/bots/{bot.id}/upload")
    assert response.status_code == 422
    assert "Choose the next version of &#39;crawler&#39; for hive" in response.text


def test_only_so_many_may_wait(world: World) -> None:
    browser = world.browser("ada")
    for number in range(world.site.uploads.waiting):
        assert send_zip(browser, pack(tiny_files(f"bot{number}"))).status_code == 303
    response = send_zip(browser, pack(tiny_files("one-more")))
    assert response.status_code == 422
    assert "5 of your bots wait for their checks" in response.text


def test_only_so_many_bots_of_one_user(world: World) -> None:
    world.app.state.site = replace(world.site, uploads=UploadLimits(bots=1))
    browser = world.browser("ada")
    assert send_zip(browser, GOOD).status_code == 303
    response = send_zip(browser, pack(tiny_files("beetle")))
    assert "You have 1 bots, which is the most. Delete one" in response.text
    assert send_zip(browser, pack(tiny_files(source="2"))).status_code == 303, "a next version"


def test_an_upload_that_is_too_large_is_not_read_to_its_end(world: World) -> None:
    world.app.state.site = replace(world.site, uploads=UploadLimits(bytes=1000))
    response = send_zip(world.browser("ada"), bytes(3 << 20))
    assert response.status_code == 413
    assert 'action="/upload"' in response.text, "the form is there, to try again"
    assert bots_of(world) == []


def test_too_many_parts(world: World) -> None:
    world.app.state.site = replace(world.site, uploads=UploadLimits(files=3))
    files: Files = [("folder", (f"a/{number}", b"x")) for number in range(5)]
    response = send(world.browser("ada"), files)
    assert response.status_code == 400
    assert "Too many files" in response.text


def test_too_many_uploads_in_an_hour(world: World) -> None:
    guard = replace(world.site.guard, upload=RateLimit(2, 3600))
    world.app.state.site = replace(world.site, guard=guard)
    browser = world.browser("ada")
    statuses = [send_zip(browser, pack(tiny_files(f"b{n}"))).status_code for n in range(3)]
    assert statuses == [303, 303, 429]
    world.clock.pass_s(3601)
    assert send_zip(browser, pack(tiny_files("later"))).status_code == 303


def test_strangers_are_sent_to_log_in(world: World) -> None:
    stranger = world.browser()
    assert stranger.get("/upload?game=hive").headers["location"].startswith("/login")
    assert send_zip(stranger, GOOD).headers["location"] == "/login"
    assert world.store.bots.all() == []


def test_other_people_s_bots(world: World) -> None:
    send_zip(world.browser("ada"), GOOD)
    (bot,) = bots_of(world)
    changed = pack(tiny_files(source="evil"))
    for name in ("bob", "olga"):
        browser = world.browser(name)
        assert browser.get(f"/bots/{bot.id}/upload").status_code == 403
        assert send_zip(browser, changed, f"/bots/{bot.id}/upload").status_code == 403
    assert len(world.store.versions.of_bot(bot.id)) == 1


def test_the_store_takes_all_of_a_submission_or_nothing(world: World) -> None:
    ada = world.store.users.find("ada")
    assert ada
    bot = NewBot("hive", "crawler", 1, owner_id=ada.id)
    bad = NewVersion(1, run="\0")
    with pytest.raises(Exception, match="NUL"):
        world.store.submit_version(bot, bad, 1)
    assert bots_of(world) == []
    assert world.store.checks.queue() == []


def test_settings_that_are_no_toml_are_told_what_to_be(world: World) -> None:
    response = send_zip(world.browser("ada"), pack({"bot.toml": "name = ", "bot.py": ""}))
    assert response.status_code == 422
    assert "bot.toml: Invalid value" in response.text
    assert "expected lines such as" in response.text


def test_a_name_is_kept_in_normal_form(world: World) -> None:
    assert send(world.browser("ada"), settings("\uff41\uff4e\uff54"), name="ant").status_code == 303
    assert [bot.name for bot in bots_of(world)] == ["ant"]


@pytest.mark.parametrize("name", ["Cove", "C0VE", "c\u043eve"])
def test_two_bots_of_a_user_cannot_be_mistaken_for_each_other(world: World, name: str) -> None:
    ada = world.browser("ada")
    assert send(ada, settings("cove")).status_code == 303
    assert send(ada, settings(name)).status_code == 422
    assert [bot.name for bot in bots_of(world)] == ["cove"]


def test_another_alphabet_is_welcome(world: World) -> None:
    for name in ("сорока", "将棋ボット 1", "naïve", "🐝 bot"):
        assert send(world.browser("ada"), settings(name)).status_code == 303


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("name = " + "[" * 5_000, "bot.toml: nested too deeply"),
        ("games = [" + "[" * 400 + "]" * 400 + "]\nname = 'a'", "bot.toml: expected at least"),
        ("a." * 32_000 + "a = 1", "bot.toml: expected at most 8192 bytes"),
    ],
)
def test_settings_that_would_harm_the_parser(world: World, settings: str, told: str) -> None:
    response = send_zip(world.browser("ada"), pack({"bot.toml": settings, "bot.py": ""}))
    assert response.status_code == 422
    assert told in response.text


def test_a_user_who_is_suspended_meanwhile_submits_nothing(world: World) -> None:
    ada = world.store.users.find("ada")
    assert ada
    upload = unpack_zip(io.BytesIO(pack(tiny_files())), world.site.uploads)
    world.store.users.suspend(ada.id, "", world.clock())
    with pytest.raises(UploadError, match="your account is suspended"):
        submit(world.site, ada, describe(upload, UploadFields()))
