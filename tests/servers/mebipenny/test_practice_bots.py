"""Games against practice bots: asked for by name, or because no other client came."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agon.arbiter.entrant import Entrant, launch_on_host, load_program
from agon.arena.match_record import store_network_match
from agon.arena.people.party import BotPlayer
from agon.datastore.bots import NewBot
from agon.datastore.store import Store
from agon.datastore.versions import NewVersion
from agon.errors import SettingError
from agon.match.transcript import parse_transcript, verify
from agon.servers.mebipenny.settings import MebiPennySettings
from agon.servers.practice_bots import Fill, StoredBots
from tests.servers.mebipenny.greedy_client import GreedyClient
from tests.servers.mebipenny.live_server import Live, ask_for_match, error, join, live_server
from tests.servers.mebipenny.quiet_lobby import SECOND, QuietLobby

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.games.http_exchange import HttpReply

MILLISECOND = 10**6


@contextmanager
def stored_server(file: Path, **settings: Any) -> Iterator[tuple[Live, Store]]:
    """A server with practice bots that stores its games."""
    with Store.open(file) as store:

        def keep(match: Any, begin_ns: int, end_ns: int) -> int:
            return store_network_match(store, match, begin_ns, end_ns)

        with live_server(keep, **settings) as live:
            yield live, store


def ask_as_in_2012(live: Live, target: str) -> tuple[int, str]:
    """The status and the Location of a plain request."""
    connection = HTTPConnection("127.0.0.1", live.port, timeout=60)
    connection.request("GET", target)
    answer = connection.getresponse()
    connection.close()
    return answer.status, answer.headers["Location"]


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_match_against_a_built_in_bot(tmp_path: Path, bot: str) -> None:
    with stored_server(tmp_path / "agon.db", match_status=201) as (live, store):
        status, path = ask_as_in_2012(live, f"/match?bot={bot}")
        assert status == 201
        listed = httpx.get(f"{live.url}/")
        assert listed.json() == [{"id": path[1:], "state": "initiating", "bots": [bot]}]
        assert listed.headers["x-bots"] == "random, greedy, search"
        client = GreedyClient(live.client(), path, "digger")
        assert client.play() == "completed"
        client.client.close()
        assert len(client.answers) > 5
        live.wait_until(lambda: bool(live.kept))
        match_id = live.kept[0].match_id
        assert match_id is not None
        transcript = parse_transcript(store.matches.transcript(match_id).decode())
        seats = store.matches.get(match_id).seats
        stored = [store.bots.get(store.versions.get(one.version_id).bot_id) for one in seats]
    assert verify(transcript) == transcript.outcome
    assert {(one.name, one.built_in) for one in stored} == {("digger (guest)", False), (bot, True)}
    entries = {str(player["name"]): player for player in transcript.players}
    assert entries[bot] == {"name": bot, "kind": "built-in", "bot": bot}
    assert entries["digger"] == {"name": "digger", "kind": "guest"}


def test_a_name_that_there_is_not_and_other_parameters_are_refused() -> None:
    with live_server() as live, live.client() as client:
        told = error(client.get("/match?bot=best"), 404)
        assert told == "bot 'best': expected one of random, greedy, search, search:1 to search:10"
        assert error(client.get("/match?bot="), 404).startswith("bot ''")
        assert error(client.get("/match?name=greedy"), 403) == "parameter 'name': expected bot"
        assert error(client.get("/match?bot=greedy&bot=random"), 403).endswith("expected once")
        assert client.get("/").json() == []


def test_a_lone_match_is_filled_after_a_while() -> None:
    with live_server(fill=Fill("greedy", 20 * MILLISECOND)) as live:
        found = ask_for_match(live).answer()
        assert found.status_code == 302
        with live.client() as client:
            path = found.headers["location"]
            assert client.get("/").json()[0]["bots"] == ["greedy"]
            assert GreedyClient(client, path, "digger").play() == "completed"


def test_two_clients_in_time_play_each_other() -> None:
    with live_server(fill=Fill("greedy", 600 * SECOND)) as live:
        held = [ask_for_match(live) for _ in range(2)]
        where = {one.answer().headers["location"] for one in held}
        assert len(where) == 1
        assert "bots" not in httpx.get(f"{live.url}/").json()[0]


def test_without_a_fill_a_client_waits_and_without_practice_bots_there_are_no_bots() -> None:
    quiet = QuietLobby()
    answers: list[HttpReply] = []
    quiet.lobby.match(lambda game: pytest.fail("there is no opponent"), answers.append)
    quiet.time.pass_by(3600 * SECOND)
    assert answers == []
    quiet.lobby.match(lambda game: None, answers.append, "greedy")
    assert (answers[0].status, list(quiet.lobby.bots)) == (404, [])


def test_games_in_which_only_a_bot_waits_make_room() -> None:
    """A client that asks again and again, and joins no game, keeps no other out."""
    with live_server(most_games=3) as live, live.client() as client:
        paths = [client.get("/match?bot=greedy").headers["location"] for _ in range(5)]
        listed = [f"/{game['id']}" for game in client.get("/").json()]
        assert listed == paths[2:]


def test_a_bot_that_there_is_not_cannot_fill() -> None:
    with pytest.raises(SettingError, match="'best': expected a bot of MebiPenny: random, greedy"):
        MebiPennySettings(fill=Fill("best"))


# --- stored bots --------------------------------------------------------------------------------

PASSER = """
import json
for line in iter(input, ""):
    if json.loads(line)["state"] == "completed":
        break
    print('"PASS"', flush=True)
"""


def stored_passer(folder: Path, program: str, version_id: int = 1) -> StoredBots:
    """One bot, `crawler@3`; found without a datastore, and run without a sandbox."""
    (folder / "bot.toml").write_text('name = "crawler"\nrun = "python3 bot.py"\n')
    (folder / "bot.py").write_text(program)

    def find(name: str) -> BotPlayer:
        if name != "crawler@3":
            raise SettingError(f"bot {name!r}: expected crawler@3")
        return BotPlayer(name, version_id=version_id)

    def entrant(version_id: int) -> Entrant:
        return Entrant("crawler@3", load_program(folder))

    return StoredBots(find, entrant, launch_on_host)


def pass_to_the_end(live: Live, path: str) -> list[httpx.Response]:
    """A client that passes whenever it is asked; its answers."""
    with live.client() as client:
        answers = [client.post(f"{path}/players", json={"name": "digger"})]
        while token := answers[-1].headers.get("x-turn-token"):
            headers = {"X-Turn-Token": token}
            answers.append(client.post(f"{path}/moves", json="PASS", headers=headers))
    return answers


@pytest.mark.system
def test_a_match_against_a_stored_bot(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        bot = store.bots.ensure(NewBot("mebipenny", "crawler", 1))
        version = store.versions.ensure(bot.id, NewVersion(1, run="python3 bot.py"))
    stored = stored_passer(tmp_path, PASSER, version.id)
    with stored_server(tmp_path / "agon.db", stored=stored) as (live, store):
        status, path = ask_as_in_2012(live, "/match?bot=crawler%403")
        assert status == 302
        answers = pass_to_the_end(live, path)
        assert [answer.status_code for answer in answers] == [200] * len(answers)
        assert answers[-1].json()["state"] == "completed"
        live.wait_until(lambda: bool(live.kept))
        match_id = live.kept[0].match_id
        assert match_id is not None
        seats = store.matches.get(match_id).seats
        assert version.id in [seat.version_id for seat in seats]
    assert live.kept[0].match.faults == (None, None)


@pytest.mark.system
def test_a_stored_bot_that_cannot_play_is_told(tmp_path: Path) -> None:
    with live_server(stored=stored_passer(tmp_path, "raise SystemExit(3)")) as live:
        assert error(httpx.get(f"{live.url}/match?bot=digger"), 404).endswith("expected crawler@3")
        _, path = ask_as_in_2012(live, "/match?bot=crawler%403")
        answers = pass_to_the_end(live, path)
        assert answers[-1].json()["state"] == "completed"
        (game,) = [json.loads(live.ask(lambda: live.lobby.find(path[1:]).view()))]
        assert "disqualified" in [player["score"] for player in game["players"]]
    (kept,) = live.kept
    assert {fault and fault.value for fault in kept.match.faults} <= {"no start", "crash", None}


@pytest.mark.system
def test_a_stored_bot_that_cannot_be_built_gives_the_game_up(tmp_path: Path) -> None:
    stored = stored_passer(tmp_path, PASSER)

    def unbuilt(version_id: int) -> Entrant:
        raise SettingError("bot 'crawler@3': it could not be built here")

    broken = StoredBots(stored.find, unbuilt, stored.launch)
    with live_server(stored=broken) as live:
        _, path = ask_as_in_2012(live, "/match?bot=crawler%403")
        joined = httpx.post(f"{live.url}{path}/players", json={"name": "digger"}, timeout=60)
        assert error(joined, 503).endswith("bot 'crawler@3': it could not be built here")
        assert httpx.get(f"{live.url}{path}").status_code == 404


@pytest.mark.system
def test_the_end_of_the_server_ends_a_stored_bot(tmp_path: Path) -> None:
    with live_server(stored=stored_passer(tmp_path, "import time\ntime.sleep(600)")) as live:
        _, path = ask_as_in_2012(live, "/match?bot=crawler%403")
        held = join(live, path, "digger")
        live.wait_for_players(path, 2)
    assert held.answer().status_code in (200, 503)
