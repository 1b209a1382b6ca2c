"""The site ends while people play, and comes back: their matches go on, or say why they do not."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from agon.arena.people.context import State
from agon.datastore import JournalKind, MatchFilter, MatchStatus, Page
from agon.games.registry import game_names
from agon.match.transcript import parse_transcript, verify
from tests.website.people import NOON
from tests.website.play.clicking import Clicker, chance, wait_until
from tests.website.play.conftest import open_world
from tests.website.play.test_programs import enter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import Browser, World


class Times:
    """One site after another on the same store; people keep their cookies."""

    def __init__(self, file: Path | str, *, with_programs: bool = False) -> None:
        self.file = file
        self.with_programs = with_programs
        self.world = self._open()

    def _open(self) -> World:
        return open_world(self.file, with_programs=self.with_programs)

    def restart(self, *people: Clicker) -> World:
        cookies = [person.browser.client.cookies for person in people]
        self.world.close()
        self.world = self._open()
        self.world.site.plays.restore()
        for person, kept in zip(people, cookies, strict=True):
            person.world = self.world
            person.browser = self.world.browser()
            person.browser.client.cookies = kept
        return self.world


@contextmanager
def times_on(file: Path | str, *, with_programs: bool = False) -> Iterator[Times]:
    times = Times(file, with_programs=with_programs)
    try:
        yield times
    finally:
        times.world.close()


@pytest.fixture
def times(empty_store: Path, tmp_path: Path) -> Iterator[Times]:
    with times_on(shutil.copy(empty_store, tmp_path / "agon.db")) as found:
        found.world.add_user("ada")
        yield found


def newcomer(world: World, name: str | None = None) -> Clicker:
    return Clicker(world, world.browser(name))


def play_turns(person: Clicker, turns: int, seed: object) -> None:
    rng = chance(seed)
    for _ in range(turns):
        person.wait()
        assert person.session.state is State.PLAYING, person.session.verdict()
        person.play_turn(rng)
    person.wait()


@pytest.mark.parametrize("game", game_names())
def test_a_match_against_a_bot_goes_on_to_its_end(times: Times, game: str) -> None:
    guest = newcomer(times.world)
    guest.open(game)
    play_turns(guest, 2, game)
    before = guest.look()
    world = times.restart(guest)
    guest.wait()
    after = guest.look()
    for kept in ("moment", "seat", "turns", "scene", "status", "step"):
        assert after[kept] == before[kept], kept
    assert [one["thought_ms"] for one in after["players"]] == [
        one["thought_ms"] for one in before["players"]
    ]
    guest.call("/resign", {}) if game == "hive" else finish(guest, game)
    guest.wait_for_end()
    [match] = world.store.matches.find(MatchFilter(game=game))
    transcript = parse_transcript(world.store.matches.transcript(match.id).decode())
    assert verify(transcript) == transcript.outcome
    told = [line for turn in before["turns"] for line in turn["told"]]
    assert len(transcript.events) > len(told)
    assert world.store.journal.entries(JournalKind.PEOPLE) == []


def test_a_server_that_was_taken_for_gone_keeps_what_no_other_has_taken_up(times: Times) -> None:
    store, plays = times.world.store, times.world.site.plays
    first = store.servers.join("one", "", "", NOON)
    people = [newcomer(times.world), newcomer(times.world)]
    for person in people:
        person.open("mebipenny", "person")
    kept, lost = (person.session for person in people)
    store.servers.remove([first.id])
    other = open_world(times.file)
    own = other.store.servers.join("two", "", "", NOON)
    assert other.store.journal.claim([lost.key]) == {lost.key}
    store.servers.join("one", "", "", NOON)
    plays.rejoin()
    assert (plays.find(kept.key), plays.find(lost.key)) == (kept, None)
    assert lost.is_closed
    assert not kept.is_closed
    assert store.journal.server_of(kept.key) == store.servers.own_id
    assert store.journal.server_of(lost.key) == own.id
    other.close()


def finish(person: Clicker, game: str) -> None:
    rng = chance(f"the end of {game}")
    while person.session.state is not State.OVER:
        person.play_turn(rng)
        person.wait()


def test_two_people_find_their_seats_again(times: Times) -> None:
    ada, guest = newcomer(times.world, "ada"), newcomer(times.world)
    guest.join(ada.open("hive", "person"))
    for person in (ada, guest):
        person.wait()
        person.play_turn(chance(1))
    ada.wait()  # what she sees is written down
    world = times.restart(ada, guest)
    ada.wait()
    assert (ada.seat, guest.seat) == (0, 1)
    assert ada.look()["may_act"]
    assert newcomer(world).browser.get(f"/play/{ada.key}").status_code == 404
    ada.play_turn(chance(2))
    guest.wait()
    guest.call("/resign", {})
    ada.wait_for_end()
    assert ada.look()["verdict"] == "ada won: guest resigned"


def test_an_invitation_is_still_good(times: Times) -> None:
    ada, guest = newcomer(times.world, "ada"), newcomer(times.world)
    ada.open("hive", "person")
    times.restart(ada, guest)
    assert ada.look()["status"] == "Waiting for another player to take the free seat."
    guest.join(ada.key)
    ada.wait()
    assert ada.look()["may_act"]


def test_who_has_resigned_stays_out(times: Times) -> None:
    ada, guest = newcomer(times.world, "ada"), newcomer(times.world)
    guest.join(ada.open("skyport", "person", players="3", others="random"))
    for person in (ada, guest):
        person.wait()
        person.play_turn(chance(1))
    guest.call("/resign", {})
    journal = times.world.store.journal
    wait_until(
        times.world,
        ada.session,
        lambda _: any("resigned" in one for one in journal.entries(JournalKind.PEOPLE)[0].lines),
    )
    times.restart(ada, guest)
    ada.wait()
    assert guest.look()["may_resign"] is False
    assert [one["has_left"] for one in ada.look()["players"]] == [False, True, False]


def test_a_match_of_which_nothing_was_played_begins(times: Times) -> None:
    guest = newcomer(times.world)
    guest.open("mebipenny")
    guest.wait()
    times.restart(guest)
    guest.wait()
    assert guest.look()["turns"] == []
    play_turns(guest, 1, 1)


def test_nothing_is_left_of_what_is_over_withdrawn_or_forgotten(times: Times) -> None:
    journal = times.world.store.journal
    guest = newcomer(times.world)
    guest.open("hive", "person")
    assert journal.entries(JournalKind.PEOPLE)
    guest.call("/resign", {})
    assert guest.look()["verdict"] == "The invitation was withdrawn."
    assert journal.entries(JournalKind.PEOPLE) == []
    guest.open("hive", "person")
    times.world.clock.pass_s(2 * 3600)
    guest.open("hive")
    guest.wait()
    guest.call("/resign", {})
    guest.wait_for_end()
    assert journal.entries(JournalKind.PEOPLE) == []
    assert times.restart(guest).site.plays.find(guest.key) is None


def test_the_secret_of_a_guest_is_not_written_down(times: Times) -> None:
    guest = newcomer(times.world)
    guest.open("hive")
    secret = guest.browser.cookie("player")
    assert secret
    [entry] = times.world.store.journal.entries(JournalKind.PEOPLE)
    assert secret not in repr(entry)


def test_a_match_against_a_program_is_marked_and_can_be_looked_at(
    empty_store: Path, tmp_path: Path
) -> None:
    file = shutil.copy(empty_store, tmp_path / "agon.db")
    with times_on(file, with_programs=True) as times:
        version = enter(times.world, "crawler")
        guest = newcomer(times.world)
        guest.open("hive", f"version:{version.id}")
        play_turns(guest, 2, 1)
        turns = len(guest.look()["turns"])
        world = times.restart(guest)
        play = guest.look()
        assert play["state"] == "over"
        assert play["verdict"].startswith("The match was interrupted: the site was stopped")
        assert len(play["turns"]) == turns
        assert f"Turn {turns}" in play["scene"]["title"]
        [match] = world.store.matches.find(MatchFilter())
        assert (match.status, match.turns) == (MatchStatus.VOID, turns)
        assert play["stored"] == f"/matches/{match.id}"
        page = guest.browser.get(play["stored"])
        assert page.status_code == 200
        assert "interrupted" in page.text
        assert world.store.journal.entries(JournalKind.PEOPLE) == []
        assert "was interrupted" in guest.browser.get("/play").text
        new = again(guest.browser, guest.key)
        assert new != guest.key
        guest.key = new
        guest.wait()
        assert guest.look()["players"][1]["is_you"]


def test_a_match_whose_program_could_not_start_is_marked(empty_store: Path, tmp_path: Path) -> None:
    file = shutil.copy(empty_store, tmp_path / "agon.db")
    with times_on(file, with_programs=True) as times:
        version = enter(times.world, "sleeper", "skyport", "python3 there_is_none.py")
        guest = newcomer(times.world)
        guest.open("skyport", f"version:{version.id}", players="3", others="random")
        guest.wait()
        note_fault(times.world, 1, "could not start")
        world = times.restart(guest)
        play = guest.look()
        assert play["verdict"].startswith("The match was interrupted: the site was stopped")
        [match] = world.store.matches.find(MatchFilter())
        assert (match.status, match.turns) == (MatchStatus.VOID, 0)
        assert [seat.fault for seat in match.seats] == [None, "could not start", None]
        assert play["stored"] == f"/matches/{match.id}"
        assert guest.browser.get(play["stored"]).status_code == 200
        assert world.store.journal.entries(JournalKind.PEOPLE) == []


def note_fault(world: World, seat: int, fault: str) -> None:
    """What the journal has of a match when a seat has failed, and nothing came after it."""
    [entry] = world.store.journal.entries(JournalKind.PEOPLE)
    line = json.dumps({"type": "fault", "player": seat, "fault": fault})
    page = Page(entry.key, entry.kind, entry.game, entry.head, 0, len(entry.lines), [line])
    world.store.journal.write([page])


def test_a_bot_that_has_failed_is_none_of_the_others(times: Times) -> None:
    guest = newcomer(times.world)
    guest.open("skyport", players="3", others="random")
    guest.wait()
    note_fault(times.world, 1, "crash")
    times.restart(guest)
    guest.wait()
    play = guest.look()
    assert [one["out"] for one in play["players"]] == ["", "crashed", ""]
    assert play["resigning"] == "Do you give up? random 2 wins then."


def test_a_match_against_a_program_that_had_ended_keeps_its_outcome(
    empty_store: Path, tmp_path: Path
) -> None:
    """The site was killed when the last event was written down, but the match not yet stored."""
    file = shutil.copy(empty_store, tmp_path / "agon.db")
    with times_on(file, with_programs=True) as times:
        version = enter(times.world, "crawler")
        guest = newcomer(times.world)
        guest.open("hive", f"version:{version.id}")
        play_turns(guest, 2, 1)
        before = guest.look()
        note_fault(times.world, 0, "resigned")
        world = times.restart(guest)
        play = guest.look()
        assert (play["state"], play["verdict"]) == ("over", "crawler@1 won: guest resigned")
        assert play["moment"] == before["moment"] + 1
        [match] = world.store.matches.find(MatchFilter())
        assert (match.status, match.turns) == (MatchStatus.FINISHED, len(before["turns"]))
        assert play["stored"] == f"/matches/{match.id}"
        assert [seat.fault for seat in match.seats] == ["resigned", None]
        transcript = parse_transcript(world.store.matches.transcript(match.id).decode())
        assert transcript.outcome is not None
        assert verify(transcript) == transcript.outcome
        assert world.store.journal.entries(JournalKind.PEOPLE) == []
        assert "was interrupted" not in guest.browser.get("/play").text


def again(browser: Browser, key: str) -> str:
    response = browser.post(f"/play/{key}/rematch")
    found = re.fullmatch(r"/play/([\w-]+)", response.headers["location"])
    assert found
    return found[1]


def test_what_the_rules_do_not_allow_any_more_is_marked(times: Times) -> None:
    guest = newcomer(times.world)
    guest.open("hive")
    play_turns(guest, 1, 1)
    [entry] = times.world.store.journal.entries(JournalKind.PEOPLE)
    odd = '{"type": "turn", "turns": {"0": "wQ bS9-"}}'
    times.world.store.journal.write(
        [Page(entry.key, entry.kind, "hive", {}, 0, len(entry.lines), [odd])]
    )
    times.restart(guest)
    assert guest.look()["verdict"].startswith("The match was interrupted")


@pytest.mark.parametrize("head", [{}, {"transcript": 7}, {"transcript": {"format": "Chess"}}])
def test_an_entry_that_cannot_be_read_harms_no_other(
    times: Times, caplog: pytest.LogCaptureFixture, head: dict[str, object]
) -> None:
    guest = newcomer(times.world)
    guest.open("hive")
    guest.wait()
    odd = Page("odd", JournalKind.PEOPLE, "hive", head, 0)
    times.world.store.journal.write([odd])
    times.restart(guest)
    guest.wait()
    assert guest.look()["may_act"]
    assert "play odd cannot be read" in caplog.text
