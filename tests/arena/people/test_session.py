"""Matches with people: who leaves, who is left, what is kept of them, and matches that go on."""

from __future__ import annotations

from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, launch_on_host
from agon.arena.live_matches import LiveMatches
from agon.arena.people.context import PlayContext, StaleError, State
from agon.arena.people.party import BotPlayer, Party, Person
from agon.arena.people.session import PlayOutlets, PlaySession
from agon.arena.people.settings import PlaySettings
from agon.games.registry import find_game, game_names
from agon.match.transcript import Fault, FaultEvent, LimitEvent, OtherEvent, TurnEvent, verify
from tests.website.play.clicking import QUICK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.live_matches import LiveMatch
    from agon.arena.people.party import Player
    from agon.games.game import Game
    from agon.match.result import MatchResult
    from agon.match.transcript import Event

SECOND = 10**9
ADA, BOB, CAT = (Person(name[0], name=name) for name in ("ada", "bob", "cat"))
RANDOM = BotPlayer("random", "random")
CHAT = OtherEvent({"type": "chat", "user": "ada", "message": "good luck"})


class Later(Executor):
    """Work that waits until the test has it done."""

    def __init__(self) -> None:
        self.work: list[Callable[[], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.work.append(lambda: fn(*args, **kwargs))
        return Future()

    def run(self) -> None:
        while self.work:
            self.work.pop(0)()


@dataclass
class Table:
    """Where the sessions of a test are played, without a site."""

    settings: PlaySettings = field(
        default_factory=lambda: PlaySettings(patience_ns=60 * SECOND, turns=300)
    )
    now: int = 0
    later: Later = field(default_factory=Later)
    notes: list[tuple[Event, ...]] = field(default_factory=list)
    """What the journal was given at each time, all events so far."""
    noted: SimpleQueue[PlaySession] = field(default_factory=SimpleQueue)
    kept: list[MatchResult] = field(default_factory=list)
    live_matches: LiveMatches = field(default_factory=LiveMatches)
    seen: list[tuple[int, list[int]]] = field(default_factory=list)
    """What could be seen when the journal was written: the moment, the turns of live matches."""

    def open(self, game: str, players: Sequence[Player], past: Sequence[Event] = ()) -> PlaySession:
        """A match that has begun."""
        found = find_game(game)
        party = Party(found, options_of(found, len(players)), tuple(players))
        match = self.settings.new_match(replace(party.setup(1), events=tuple(past)))
        session = PlaySession("key", party, match, 0, self.context(), self.outlets())
        session.begin()
        return session

    def context(self) -> PlayContext:
        return PlayContext(
            lambda: self.now,
            self.later,
            lambda version_id: Entrant("bot", Program("bot", ("/there/is/none",), Path("/"))),
            launch_on_host,
            self.settings,
        )

    def outlets(self) -> PlayOutlets:
        return PlayOutlets(
            self._show,
            self._note,
            self._keep,
            lambda session: None,
        )

    def _show(self, session: PlaySession) -> LiveMatch:
        return self.live_matches.begin(session.game, session.party.names, session.position, 0)

    def _note(self, session: PlaySession) -> None:
        self.seen.append((session.moment, [live.turns for live in self.live_matches.running()]))
        self.notes.append(session.events)
        self.noted.put(session)

    def _keep(self, session: PlaySession, result: MatchResult) -> int:
        self.kept.append(result)
        return len(self.kept)


@pytest.fixture
def table() -> Table:
    return Table()


def options_of(game: Game, seats: int) -> Any:
    given = dict(QUICK.get(game.name, {}))
    if "seats" in game.options.__dataclass_fields__:
        given["seats"] = str(seats)
    return game.parse_options(given)


def send_turn(session: PlaySession, seat: int) -> None:
    """Some legal turn of a person."""
    moment, position = session.now
    turn = position.random_turn(seat, Random(1))  # noqa: S311
    session.submit_text(seat, moment, position.format_turn(seat, turn))


def send_turns(session: PlaySession, turns: int) -> None:
    """People play that many turns."""
    wanted = session.match.turns_played + turns
    while session.match.turns_played < wanted and not session.match.is_over:
        send_turn(session, session.match.owed[0])


def test_a_change_is_in_the_journal_before_it_can_be_seen(table: Table) -> None:
    send_turns(table.open("hive", [ADA, BOB]), 2)
    assert table.seen == [(0, []), (1, [0]), (2, [1])]


@pytest.mark.parametrize("name", game_names())
def test_between_two_the_other_has_won_at_once(table: Table, name: str) -> None:
    session = table.open(name, [ADA, RANDOM])
    live = table.live_matches.running()[0]
    session.resign(0)
    [result] = table.kept
    assert (session.state, session.match_id) == (State.OVER, 1)
    assert result.faults == (Fault.RESIGNED, None)
    assert result.outcome.winner == 1
    assert "resigned" in result.outcome.reason
    assert verify(result.transcript) == result.outcome == session.outcome
    assert result.turns == 0
    assert live.position.outcome == result.outcome
    assert live.is_over
    table.later.run()
    assert len(table.kept) == 1


def test_players_are_described_in_the_transcript(table: Table) -> None:
    session = table.open("hive", [ADA, RANDOM])
    session.resign(0)
    assert table.kept[0].transcript.players == (
        {"name": "ada", "kind": "person"},
        {"name": "random", "kind": "built-in"},
    )


def test_among_more_the_others_play_on_by_the_rules(table: Table) -> None:
    session = table.open("skyport", [ADA, RANDOM, replace(RANDOM, name="other")])
    session.resign(0)
    assert session.state is State.PLAYING
    table.later.run()
    [result] = table.kept
    assert result.turns > 2
    assert not any(isinstance(event, LimitEvent) for event in result.transcript.events)
    assert result.outcome.winner != 0


def test_the_last_of_three_does_not_play_alone(table: Table) -> None:
    session = table.open("skyport", [ADA, BOB, CAT])
    session.resign(0)
    session.resign(1)
    [result] = table.kept
    assert result.outcome.reason == "seat 0: resigned, seat 1: resigned"
    assert result.outcome.winner == 2
    assert verify(result.transcript) == result.outcome


def test_the_journal_gets_whole_changes(table: Table) -> None:
    session = table.open("skyport", [ADA, BOB, CAT])
    session.resign(0)
    session.resign(1)
    assert [[type(event) for event in events] for events in table.notes] == [
        [],
        [FaultEvent],
        [FaultEvent, FaultEvent, LimitEvent],
    ]


def test_a_departure_is_no_turn(table: Table) -> None:
    table.settings = replace(table.settings, turns=5)
    session = table.open("skyport", [ADA, BOB, CAT])
    send_turns(session, 2)
    session.resign(session.match.owed[0])
    send_turns(session, 3)
    [result] = table.kept
    assert result.turns == 5
    assert result.outcome.reason == "turn limit"


def test_turns_that_were_sent_stay_when_another_person_leaves(table: Table) -> None:
    session = table.open("skyport", [ADA, BOB, CAT])
    session.submit_text(0, 1, "loadout laser droid")
    session.resign(1)
    assert (session.may_act(0), session.may_act(2)) == (False, True)
    with pytest.raises(StaleError, match="not your turn"):
        send_turn(session, 0)
    send_turn(session, 2)
    [turn] = [event for event in session.events if isinstance(event, TurnEvent)]
    assert turn.turns[0] == "loadout laser droid"


def test_a_bot_that_thinks_while_a_person_leaves_is_asked_once(table: Table) -> None:
    session = table.open("skyport", [ADA, BOB, RANDOM])
    assert len(table.later.work) == 1
    session.resign(0)
    assert len(table.later.work) == 1
    table.later.run()
    assert session.match.owed == (1,)
    assert session.match.turns_played == 0
    send_turn(session, 1)
    assert session.match.turns_played >= 1


def test_a_turn_is_for_the_position_that_was_seen(table: Table) -> None:
    session = table.open("hive", [ADA, BOB])
    send_turn(session, 0)
    with pytest.raises(StaleError, match="position 1 is over, this is 2"):
        session.submit_text(1, 1, "bS1")
    with pytest.raises(StaleError, match="not your turn"):
        session.submit_text(0, 2, "wQ")


def test_patience_ends_a_match_and_not_the_bots_time(table: Table) -> None:
    session = table.open("hive", [ADA, BOB])
    table.now = 60 * SECOND  # a bot has 16 for its first turn
    session.check_patience()
    assert session.may_act(0)
    table.now += 1
    session.check_patience()
    [result] = table.kept
    assert result.faults == (Fault.TIMEOUT, None)
    assert result.outcome.reason == "white: timeout"
    [event] = result.transcript.events
    assert isinstance(event, FaultEvent)
    assert event.detail == "no turn within 60 s"


def test_a_departure_gives_others_no_new_time(table: Table) -> None:
    session = table.open("skyport", [ADA, BOB, CAT])
    table.now = 50 * SECOND
    session.resign(0)
    send_turn(session, 1)
    table.now = 61 * SECOND
    session.check_patience()
    assert session.match.faults == [Fault.RESIGNED, None, Fault.TIMEOUT]


def test_the_time_of_people_is_recorded(table: Table) -> None:
    session = table.open("hive", [ADA, BOB])
    table.now = 3 * SECOND
    send_turn(session, 0)
    table.now = 5 * SECOND
    send_turn(session, 1)
    assert [session.thought_ns(seat) for seat in (0, 1)] == [3 * SECOND, 2 * SECOND]


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_match_goes_on_from_what_was_written_down(name: str, share: float) -> None:
    first, second = Table(), Table()
    bots = [RANDOM, replace(RANDOM, name="other")]
    first.open(name, bots)
    first.later.run()
    [whole] = first.kept
    events = whole.transcript.events
    past = events[: int(share * len(events))]
    session = second.open(name, bots, past)
    second.later.run()
    [result] = second.kept
    assert result.transcript.events[: len(past)] == past
    assert verify(result.transcript) == result.outcome
    assert session.moment == 1 + len(result.transcript.events)
    assert result.turns <= second.settings.turns
    if share == 1.0:
        assert result == whole


def test_chat_and_used_time_are_kept_when_a_match_goes_on(table: Table) -> None:
    session = table.open("hive", [ADA, BOB])
    table.now = 14 * SECOND  # 11 are free in the first turn; the bank has 5
    send_turn(session, 0)
    past = (*session.events, CHAT)
    again = table.open("hive", [ADA, BOB], past)
    assert again.events == past
    assert [clock.bank for clock in again.match.clocks] == [2 * SECOND, 5 * SECOND]
    assert again.moment == session.moment
    send_turn(again, 1)
    again.resign(0)
    assert table.kept[-1].transcript.events[:2] == past


def test_a_seat_that_was_out_stays_out(table: Table) -> None:
    game = find_game("skyport")
    start = game.start(options_of(game, 3), 1, 3)
    loadouts = {seat: start.format_turn(seat, start.legal_moves(seat)[0]) for seat in start.to_act}
    past = (TurnEvent(loadouts), FaultEvent(0, Fault.RESIGNED))
    table.open("skyport", [ADA, RANDOM, replace(RANDOM, name="other")], past)
    table.later.run()
    [result] = table.kept
    assert result.faults == (Fault.RESIGNED, None, None)
    assert result.transcript.events[:2] == past


def test_a_failure_of_the_arena_ends_a_match_with_words(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.later.submit = _fail  # type: ignore[method-assign]
    session = table.open("hive", [RANDOM, ADA])
    assert session.state is State.OVER
    assert session.verdict().endswith("something went wrong on our side.")
    assert table.kept == []
    assert "play key failed" in caplog.text


@pytest.mark.parametrize("others", [1, 2])
def test_a_program_that_cannot_start_is_out(table: Table, others: int) -> None:
    program = BotPlayer("bot@1", version_id=7)
    session = table.open("skyport", [program, *[ADA, BOB][:others]])
    for _ in range(2):  # the start, and the program's fault
        table.noted.get(timeout=60)
    wait(session.pending(), 60)
    assert session.events[0] == FaultEvent(
        0, Fault.NO_START, "[Errno 2] No such file or directory: '/there/is/none'"
    )
    assert session.match.setup.players[0]["kind"] == "program"
    assert (session.state is State.OVER) == (others == 1)
    assert session.trouble == ""


def test_a_match_that_cannot_be_stored_says_so(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    session = table.open("skyport", [ADA, BOB, RANDOM])
    del table.kept
    session.resign(0)
    assert session.state is State.PLAYING
    session.resign(1)
    assert (session.state, session.match_id) == (State.OVER, None)
    assert session.verdict().endswith("something went wrong on our side.")
    assert "play key failed" in caplog.text
    table.later.run()
    assert table.later.work == []


def _fail(*_: object) -> Future[Any]:
    raise OSError("no more threads")


def test_what_comes_after_closing_has_no_effect(table: Table) -> None:
    session = table.open("hive", [RANDOM, ADA])
    session.close()
    table.later.run()
    session.check_patience()
    with pytest.raises(StaleError, match="not being played"):
        session.resign(1)
    assert (session.events, session.state) == ((), State.PLAYING)
    assert session.thinking() == []
