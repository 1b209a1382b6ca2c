"""Clients of the games' own servers play against the bots of a site."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import httpx
import pytest

from agon.arena.bot_versions import read_files
from agon.arena.live_matches import LiveMatches
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import MatchFilter, NewBot, NewVersion, Store
from agon.games import mebipenny
from agon.servers.practice_bots import Fill
from agon.website.accounts.policy import AccountPolicy
from agon.website.server import serve_arena
from agon.website.site import Site, SiteSettings
from tests.website.people import CHEAP, NOON
from tests.website.test_server import ANYWHERE, PATIENCE, make_site, meet, run, until_over

STARTER = Path(mebipenny.__file__).parent / "starters" / "python"


def test_clients_that_are_alone_play_against_a_practice_bot(blank: Path) -> None:
    with Store.open(blank) as store:
        run(play_practice_bots(make_site(store, SiteSettings(fill=Fill("greedy", 10 * 10**6)))))


async def play_practice_bots(site: Site) -> None:
    """On Skyport's server, and on MebiPenny's, also at the pages' port."""
    async with (
        serve_arena(site, ANYWHERE) as ports,
        httpx.AsyncClient(timeout=PATIENCE) as client,
    ):
        connection = await meet(ports.games["skyport"], "Ann")
        await site.live_matches.signal.beyond(0)
        (live,) = site.live_matches.running("skyport")
        assert live.players == ("Ann", "greedy")
        connection.close()
        await connection.wait_closed()
        pages = f"http://127.0.0.1:{ports.pages}"
        for asked in ("/match", "/match?bot=random"):
            found = await client.get(f"{pages}/mebipenny{asked}")
            game = f"{pages}{found.headers['location']}"
            joined = await client.post(f"{game}/players", json={"name": "Bob"})
            assert joined.headers["x-turn-token"]
        listed = (await client.get(f"http://127.0.0.1:{ports.games['mebipenny']}/")).json()
        assert [one["bots"] for one in listed] == [["greedy"], ["random"]]


@pytest.mark.system
def test_a_users_bot_plays_against_a_client_that_asks_for_it(blank: Path) -> None:
    with Store.open(blank) as store:
        bot = store.bots.add(NewBot("mebipenny", "crawler", 1))
        new = NewVersion(1, run="python3 mebipenny_bot.py", files=read_files(STARTER))
        version = store.versions.add(bot.id, new)
        live_matches, now = LiveMatches(), count(NOON, 10**9).__next__
        workers = Workers(store, live_matches, now, WorkerSettings(ladder=(), unsafe_host=True))
        run(
            ask_for_crawler(
                Site(store, live_matches, now, guard=AccountPolicy(CHEAP), workers=workers)
            )
        )
        (match,) = store.matches.find(MatchFilter())
        assert {seat.bot for seat in match.seats} == {"Ann (guest)", "crawler"}
        assert version.id in [seat.version_id for seat in match.seats]
        assert not match.rated


async def ask_for_crawler(site: Site) -> None:
    async with (
        serve_arena(site, ANYWHERE) as ports,
        httpx.AsyncClient(timeout=PATIENCE) as client,
    ):
        own = f"http://127.0.0.1:{ports.games['mebipenny']}"
        refused = await client.get(f"{own}/match?bot=digger")
        assert refused.status_code == 404
        assert "or a stored bot that plays" in refused.text
        found = await client.get(f"{own}/match?bot=crawler")
        game = f"{own}{found.headers['location']}"
        assert (await client.get(f"{own}/")).json()[0]["bots"] == ["crawler@1"]
        answer = await client.post(f"{game}/players", json={"name": "Ann"})
        (live,) = site.live_matches.running("mebipenny")
        headers = {"X-Turn-Token": answer.headers["x-turn-token"]}
        answer = await client.post(f"{game}/moves", json="PASS", headers=headers)
        assert answer.headers["x-turn-token"], "the bot has played, and it is our turn again"
        headers = {"X-Turn-Token": answer.headers["x-turn-token"]}
        lost = await client.post(f"{game}/moves", json="nonsense", headers=headers)
        assert lost.status_code == 403
        await until_over(live)
