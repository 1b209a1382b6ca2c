"""A user asks for a match, sees it live, and finds it stored; an author finds the own log there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.ladder.default_bots import enter_built_in
from agon.arena.rate_limit import RateLimit
from agon.datastore import (
    BookingKind,
    BookingState,
    NewBooking,
    NewBot,
    NewFile,
    NewVersion,
    VersionStatus,
)
from agon.games.registry import find_game
from agon.website.upload_limits import UploadLimits
from tests.arena.ladder.test_service import Ring
from tests.website.bots.packing import UNBUILT, starter_files
from tests.website.bots.waiting import wait_for_booking

if TYPE_CHECKING:
    from pathlib import Path

    from agon.datastore import BotVersion
    from tests.website.people import World


def built_in(world: World, name: str, game: str = "hive") -> str:
    """The id of the only version of a built-in bot."""
    enter_built_in(world.store, find_game(game), world.clock())
    bot = world.store.bots.find(game, name, built_in=True)
    assert bot
    return str(world.store.versions.of_bot(bot.id)[0].id)


def add_bot(world: World, folder: Path, owner: str = "ada", noise: str = "") -> BotVersion:
    """A starter of that user which plays; `noise` goes to its standard error at the start."""
    user = world.store.users.find(owner)
    assert user
    files = starter_files(folder / owner)
    if noise:
        source = files["hive_bot.py"].decode()
        first = source.index("\nimport ")
        files["hive_bot.py"] = (
            f"{source[:first]}\nimport sys\nprint({noise!r}, file=sys.stderr)\n{source[first:]}"
        ).encode()
    new = NewVersion(
        world.clock(),
        run="python3 hive_bot.py",
        files={path: NewFile(content) for path, content in files.items()},
    )
    bot = world.store.bots.add(NewBot("hive", "crawler", world.clock(), user.id))
    return world.store.versions.add(bot.id, new)


def ask(world: World, *versions: str, game: str = "hive", name: str = "ada") -> int:
    """Ask for a match; the id of its booking."""
    browser = world.browser(name)
    data = {"game": game, "bot": [*versions, ""]}
    response = browser.send("POST", "/challenge", data=data, headers=browser.own)
    assert response.status_code == 303, response.text
    return int(response.headers["location"].rpartition("/")[2])


def test_a_challenge_is_played_and_stored_unrated(busy: World) -> None:
    booking_id = ask(busy, built_in(busy, "greedy"), built_in(busy, "random"))
    booking = wait_for_booking(busy, booking_id)
    assert booking.state is BookingState.DONE
    assert booking.match_id is not None
    match = busy.store.matches.get(booking.match_id)
    assert [seat.bot for seat in match.seats] == ["greedy", "random"]
    assert not match.rated
    assert all(seat.after is None for seat in match.seats)
    browser = busy.browser("ada")
    to = browser.get(f"/challenges/{booking_id}").headers["location"]
    assert to == f"/matches/{match.id}"
    assert "unrated" in browser.get(to).text
    assert f'href="/matches/{match.id}"' in browser.get("/challenge").text


def test_before_it_begins_the_page_waits(world: World) -> None:
    booking_id = ask(world, built_in(world, "greedy"), built_in(world, "random"))
    page = world.browser("ada").get(f"/challenges/{booking_id}")
    assert "getting ready" in page.text
    assert 'http-equiv="refresh"' in page.text
    assert world.browser("bob").get(f"/challenges/{booking_id}").status_code == 404


def test_a_challenge_behind_others_says_how_many(world: World) -> None:
    two = built_in(world, "greedy"), built_in(world, "random")
    first, second, third = ask(world, *two), ask(world, *two, name="bob"), ask(world, *two)
    assert world.store.bookings.take_one(first, world.clock())
    page = world.browser("ada").get(f"/challenges/{third}").text
    assert "2 other matches are played before it" in page
    assert '<meta http-equiv="refresh" content="1">' in page
    assert re.search("<h1>greedy . random</h1>", page)
    assert "1 other match is" in world.browser("bob").get(f"/challenges/{second}").text
    assert "getting ready" in world.browser("ada").get(f"/challenges/{first}").text


def test_each_challenge_is_another_match(world: World) -> None:
    two = built_in(world, "greedy"), built_in(world, "random")
    first = ask(world, *two)
    world.clock.now_ns += 1000
    seeds = [world.store.bookings.get(one).seed for one in (first, ask(world, *two))]
    assert seeds[1] - seeds[0] == 1


def test_a_bot_may_be_chosen_already(world: World, tmp_path: Path) -> None:
    version = add_bot(world, tmp_path)
    page = world.browser("bob").get(f"/challenge?game=hive&version={version.id}")
    assert page.status_code == 200
    assert f'<option value="{version.id}" selected>crawler@1, by ada' in page.text
    assert " selected" not in world.browser("bob").get("/challenge?game=hive").text


def test_challenges_of_others_and_none(world: World) -> None:
    assert "no match 7" in world.browser("ada").get("/challenges/7").text
    kind = BookingKind.LADDER
    new = NewBooking(kind, "hive", {}, 1, (int(built_in(world, "random")),) * 2, 1, {}, 1)
    booking = world.store.bookings.add(new)
    assert world.browser("ada").get(f"/challenges/{booking.id}").status_code == 404
    assert "Your challenges" not in world.browser("ada").get("/challenge").text


def test_three_at_a_table(busy: World) -> None:
    versions = [built_in(busy, name, "mebipenny") for name in ("random", "greedy", "random")]
    booking = wait_for_booking(busy, ask(busy, *versions, game="mebipenny"))
    assert booking.match_id
    assert len(busy.store.matches.get(booking.match_id).seats) == 3


def test_the_author_alone_sees_the_own_log(busy: World, tmp_path: Path) -> None:
    crawler = add_bot(busy, tmp_path, noise="awake <b>")
    booking = wait_for_booking(busy, ask(busy, str(crawler.id), built_in(busy, "random")))
    assert booking.state is BookingState.DONE, booking.reason
    path = f"/matches/{booking.match_id}"
    author, other, organiser = busy.browser("ada"), busy.browser("bob"), busy.browser("olga")
    page = author.get(f"{path}?turn=1").text
    assert "Your bot crawler" in page
    assert "awake &lt;b&gt;" in page
    log = author.get(f"{path}/log?seat=0").json()
    turns = busy.store.matches.get(booking.match_id or 0).turns
    assert [one["turn"] for one in log["turns"]] == list(range(turns + 1))
    own = [one for one in log["turns"] if one["ns"] is not None]
    assert own, "it was asked for turns"
    for one in own:
        assert any(line.startswith("< ") for line in one["lines"]), "its answer of that turn"
    assert "awake <b>" in author.get(f"{path}/log.txt?seat=0").text
    for stranger in (other, organiser):
        assert "Your bot" not in stranger.get(path).text
        assert stranger.get(f"{path}/log?seat=0").status_code == 403
        assert stranger.get(f"{path}/log.txt?seat=0").status_code == 403
    assert busy.browser().get(f"{path}/log?seat=0").status_code == 303
    assert author.get(f"{path}/log?seat=1").status_code == 403, "the other seat's"
    assert author.get(f"{path}/log?seat=5").status_code == 404
    public = json.loads(other.get(f"{path}/transcript").text)
    assert {"wire", "stderr", "marks"} & public.keys() == set()


def test_what_a_build_says_is_not_told_to_who_challenges(world: World) -> None:
    user = world.store.users.find("ada")
    assert user
    bot = world.store.bots.add(NewBot("hive", "mine", world.clock(), user.id))
    new = NewVersion(world.clock(), run="./bot", files={"bot.toml": NewFile(UNBUILT)})
    version = world.store.versions.add(bot.id, new)
    booking_id = ask(world, str(version.id), built_in(world, "random"), name="bob")
    booking = world.store.bookings.take_one(booking_id, world.clock())
    assert booking
    ring = Ring(world.store, "hive")
    assert ring.match_runner.play(booking, 0, rated=False) is None
    ring.bot_builds.close()
    browser = world.browser("bob")
    for path in (f"/challenges/{booking_id}", "/challenge", f"/api/v1/challenges/{booking_id}"):
        told = browser.get(path).text
        assert "it could not be built here" in told
        assert "zebra" not in told


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        (["1"], "1 bots: Hive is for 2"),
        (["1", "2", "3"], "3 bots: Hive is for 2"),
        (["1", "999"], "bot version 999: there is none"),
        (["1", "x"], "expected the number of a version"),
        (["1", "9" * 18], f"bot version {'9' * 18}: there is none"),
        (["1", "9" * 30], f"bot &#39;{'9' * 20}&#39;: expected the number of a version"),
        (["1", "9" * 19], "expected the number of a version"),
        (["1", "\u0663"], "expected the number of a version"),
    ],
)
def test_what_cannot_be_played(world: World, versions: list[str], words: str) -> None:
    built_in(world, "random")
    browser = world.browser("ada")
    data = {"game": "hive", "bot": versions}
    response = browser.send("POST", "/challenge", data=data, headers=browser.own)
    assert response.status_code == 422
    assert words in response.text
    assert world.store.bookings.take(1) is None


def test_a_game_for_several_says_for_how_many(world: World) -> None:
    one = built_in(world, "random", "mebipenny")
    browser = world.browser("ada")
    data = {"game": "mebipenny", "bot": [one]}
    response = browser.send("POST", "/challenge", data=data, headers=browser.own)
    assert "1 bots: MebiPenny is for 2 to 4" in response.text
    none = browser.send("POST", "/challenge", data={"game": "hive"}, headers=browser.own)
    assert "0 bots: Hive is for 2<" in none.text


def test_bots_of_another_game_and_bots_that_do_not_play(world: World, tmp_path: Path) -> None:
    crawler = add_bot(world, tmp_path)
    browser = world.browser("bob")

    def refused(*versions: str) -> str:
        data = {"game": "hive", "bot": [*versions]}
        response = browser.send("POST", "/challenge", data=data, headers=browser.own)
        assert response.status_code == 422
        return response.text

    assert "plays atlantis, not hive" in refused(
        str(crawler.id), built_in(world, "random", "atlantis")
    )
    world.store.versions.set_status(crawler.id, VersionStatus.WITHDRAWN)
    assert "it does not play" in refused(str(crawler.id), built_in(world, "random"))
    assert f'value="{crawler.id}"' not in browser.get("/challenge?game=hive").text


def test_a_bot_that_is_withdrawn_while_it_waits_is_not_played(busy: World, tmp_path: Path) -> None:
    crawler = add_bot(busy, tmp_path)
    assert busy.site.workers
    random = built_in(busy, "random")
    busy.app.state.site = replace(busy.site, workers=None)  # no worker is told
    booking_id = ask(busy, str(crawler.id), random)
    busy.store.versions.set_status(crawler.id, VersionStatus.WITHDRAWN)
    busy.site.workers.ring_challengers()
    probe = ask(busy, random, random, name="bob")
    busy.site.workers.ring_challengers()
    wait_for_booking(busy, probe)  # which was behind it in the queue
    booking = busy.store.bookings.get(booking_id)
    assert booking.state is BookingState.CANCELLED
    assert "plays no more" in booking.reason


def test_only_so_many_at_a_time_and_in_an_hour(world: World) -> None:
    two = [built_in(world, "greedy"), built_in(world, "random")]
    world.app.state.site = replace(world.site, uploads=UploadLimits(challenges=2))
    for _ in range(2):
        ask(world, *two)
    browser = world.browser("ada")
    data = {"game": "hive", "bot": two}
    assert (
        "2 of your matches wait or run"
        in browser.send("POST", "/challenge", data=data, headers=browser.own).text
    )
    world.app.state.site = replace(world.site, challenges=RateLimit(1, 3600))
    statuses = [
        browser.send("POST", "/challenge", data=data, headers=browser.own).status_code
        for _ in range(2)
    ]
    assert statuses == [303, 429]


def test_games_that_are_none(world: World) -> None:
    browser = world.browser("ada")
    assert browser.get("/challenge?game=go").status_code == 404
    assert browser.post("/challenge", game="go").status_code == 404
    assert world.browser().get("/challenge").status_code == 303
