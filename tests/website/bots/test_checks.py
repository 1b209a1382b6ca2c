"""Uploaded bots are built and checked in the real sandbox, and their authors see it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from agon.arena.bot_builds import BotBuilds
from agon.arena.ladder.participants import ladder_versions
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import CheckState, NewBot, NewFile, NewVersion, VersionStatus
from agon.games.registry import find_game
from tests.website.bots.packing import BROKEN, pack, starter_files, tiny_files
from tests.website.bots.test_upload import bots_of, send_zip
from tests.website.bots.waiting import wait_for_check, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.website.people import Browser, World


def upload(browser: Browser, data: bytes) -> int:
    """Upload a zip; the id of its check."""
    response = send_zip(browser, data)
    assert response.status_code == 303, response.text
    return int(response.headers["location"].rpartition("/")[2])


def test_a_starter_passes_and_joins_the_ladder(busy: World, tmp_path: Path) -> None:
    browser = busy.browser("ada")
    check = wait_for_check(busy, upload(browser, pack(starter_files(tmp_path / "crawler"))))
    assert check.state is CheckState.PASSED, check.output
    (bot,) = bots_of(busy)
    (version,) = busy.store.versions.of_bot(bot.id)
    assert version.status is VersionStatus.ACTIVE
    assert (bot, version) in ladder_versions(busy.store, find_game("hive"))
    page = browser.get(f"/checks/{check.id}")
    assert "has passed" in page.text
    assert "crawler, version 1, for Hive" in page.text
    assert "plays a whole match … ok" in page.text
    assert "The bot plays on the ladder now" in page.text
    assert "/tmp/" not in check.output, "where it lay is not shown"  # noqa: S108


def test_a_bot_that_does_not_build_is_told_why(busy: World) -> None:
    browser = busy.browser("ada")
    source = "int main(void) { return <script>; }\n"
    check = wait_for_check(busy, upload(browser, pack({"bot.toml": BROKEN, "bot.c": source})))
    assert check.state is CheckState.FAILED
    assert "builds … FAILED: cc -o bot bot.c: exit status 1" in check.output
    assert "bot.c:1:" in check.output, "what the compiler said"
    assert "Failed at step 2" in check.output
    assert "agon bot check FOLDER --game hive --time 200ms --bank 2s" in check.output
    (version,) = busy.store.versions.of_bot(bots_of(busy)[0].id)
    assert version.status is VersionStatus.FAILED
    page = browser.get(f"/checks/{check.id}").text
    assert "return &lt;script&gt;" in page
    assert "Upload the next version" in page


def test_a_bot_that_has_failed_can_be_checked_once_more_from_there(busy: World) -> None:
    browser = busy.browser("ada")
    check_id = upload(browser, pack({"bot.toml": BROKEN, "bot.c": "int main(void) {\n"}))
    wait_for_check(busy, check_id)
    again = f"/bots/{bots_of(busy)[0].id}/versions/1/check"
    assert f'action="{again}"' in browser.get(f"/checks/{check_id}").text
    assert browser.post(again).headers["Location"] == f"/checks/{check_id + 1}"
    wait_for_check(busy, check_id + 1)


def test_a_bot_that_plays_nonsense_is_told_what_it_said(busy: World) -> None:
    source = (
        "import sys\nprint('thinking hard', file=sys.stderr)\n"
        "for line in sys.stdin:\n    print('castle', flush=True)\n"
    )
    check = wait_for_check(busy, upload(busy.browser("ada"), pack(tiny_files(source=source))))
    assert check.state is CheckState.FAILED
    assert "starts, and waits to be asked … FAILED" in check.output
    assert "< castle" in check.output
    assert "thinking hard" in check.output
    assert "what to do:" in check.output


def test_the_output_is_streamed_to_its_author(busy: World) -> None:
    browser = busy.browser("ada")
    check_id = upload(browser, pack({"bot.toml": BROKEN, "bot.c": "no C at all"}))
    with_end = browser.get(f"/checks/{check_id}/events")
    assert with_end.headers["content-type"].startswith("text/event-stream")
    events = [json.loads(line[6:]) for line in with_end.text.splitlines() if line[:6] == "data: "]
    told = ""
    for event in events:
        assert event["from"] == len(told)
        told += event["text"]
    assert events[-1]["over"]
    assert events[-1]["state"] == "failed"
    assert told == busy.store.checks.get(check_id).output


def test_a_check_is_for_the_author_s_eyes_alone(world: World) -> None:
    check_id = upload(world.browser("ada"), pack(tiny_files()))
    for path in (f"/checks/{check_id}", f"/checks/{check_id}/events"):
        assert world.browser("bob").get(path).status_code == 404
        assert world.browser("olga").get(path).status_code == 404
        assert world.browser().get(path).status_code == 303
    page = world.browser("ada").get(f"/checks/{check_id}")
    assert "waits for its turn" in page.text
    assert "and is the next" in page.text
    second = upload(world.browser("bob"), pack(tiny_files()))
    assert "after 1 other<" in world.browser("bob").get(f"/checks/{second}").text
    assert 'http-equiv="refresh"' in page.text, "a browser without scripts asks again"
    assert world.browser("ada").get("/checks/999").status_code == 404


def test_what_a_stop_cuts_off_is_checked_again(world: World) -> None:
    """A server that ends in the middle of a check loses nothing but time."""
    slow = "import sys\nfor line in sys.stdin:\n    pass\n"
    check_id = upload(world.browser("ada"), pack(tiny_files(source=slow)))
    settings = WorkerSettings(ladder=(), examples=())
    first = Workers(world.store, world.site.live_matches, world.clock, settings)
    first.start()

    wait_until(first.check_signal, lambda: "starts" in world.store.checks.get(check_id).output)
    first.stop()
    assert world.store.checks.get(check_id).state is CheckState.RUNNING
    second = Workers(world.store, world.site.live_matches, world.clock, settings)
    second.start()
    second.stop()
    assert world.store.checks.get(check_id).state is CheckState.INTERRUPTED
    again = world.store.checks.latest(world.store.checks.get(check_id).version_id)
    assert again
    assert again.id > check_id
    assert "was interrupted" in world.browser("ada").get(f"/checks/{check_id}").text


def test_a_withdrawn_version_is_not_checked(busy: World) -> None:
    ada = busy.store.users.find("ada")
    assert ada
    files = tiny_files()
    new = NewVersion(
        1,
        run="python3 bot.py",
        files={path: NewFile(content) for path, content in files.items()},
        status=VersionStatus.WITHDRAWN,
    )
    _, version, check = busy.store.submit_version(NewBot("hive", "x", 1, ada.id), new, 1)
    assert busy.site.workers
    busy.site.workers.ring_checkers()
    assert wait_for_check(busy, check.id).state is CheckState.FAILED
    assert busy.store.versions.get(version.id).status is VersionStatus.WITHDRAWN


def test_a_machine_that_cannot_hold_programs_takes_none(busy: World) -> None:
    assert busy.site.workers

    class Thin(BotBuilds):
        def obstacle(self) -> str:
            return "this machine cannot hold programs of others safely: no bubblewrap"

    busy.site.workers.bot_builds = Thin(busy.store)
    browser = busy.browser("ada")
    response = send_zip(browser, pack(tiny_files()))
    assert response.status_code == 422
    assert "No bots are taken: this machine cannot hold programs" in response.text
    assert bots_of(busy) == []


def test_trusted_bots_are_built_and_run_without_a_sandbox(world: World) -> None:
    settings = WorkerSettings(ladder=(), examples=(), unsafe_host=True)
    workers = Workers(world.store, world.site.live_matches, world.clock, settings)
    world.site = replace(world.site, workers=workers)
    world.app.state.site = world.site
    workers.start()
    try:
        toml = 'name = "x"\ngames = ["hive"]\nbuild = "sh build.sh"\nrun = "./none"\n'
        check_id = upload(
            world.browser("ada"), pack({"bot.toml": toml, "build.sh": "echo made it; pwd\n"})
        )
        check = wait_for_check(world, check_id)
    finally:
        workers.stop()
    assert "the build said:" in check.output
    assert "made it" in check.output
    assert "starts, and waits to be asked … FAILED" in check.output
    assert check.state is CheckState.FAILED
