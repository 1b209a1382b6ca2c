"""All matches with people in them: they are begun, found and given up here.

They outlive the process: what is played stands in the journal, and `restore` takes it up again. How
many there are is bounded, for all and for each person; those that nobody comes back to are
forgotten.
"""

from __future__ import annotations

import logging
import secrets
import time
from threading import Lock
from typing import TYPE_CHECKING, Any

from agon.arbiter.entrant import launch_on_host
from agon.arena.people.context import PlayContext, State
from agon.arena.people.journal import PlayJournal
from agon.arena.people.party import Person
from agon.arena.people.session import PlaySession
from agon.arena.people.settings import PlaySettings
from agon.arena.people.store import ended_match, keep_match
from agon.arena.rate_limit import RateLimit
from agon.arena.unfinished import interrupted_match
from agon.errors import AgonError, SettingError
from agon.games.scene import Group
from agon.match.transcript import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.live_matches import LiveMatch, Stage
    from agon.arena.people.journal import Written
    from agon.arena.people.party import Party
    from agon.datastore.store import Store
    from agon.games.game import Position
    from agon.games.scene import Shape
    from agon.match.result import MatchResult

LOG = logging.getLogger("agon.website")
KEY_BYTES = 12
GRACE_SECONDS = 5.0
MOST_SHAPES = 3000
"""A larger board cannot be drawn after every click."""
CUT_OFF = (
    "The match was interrupted: the site was stopped, and this bot cannot play on from the middle "
    "of a match. What was played is kept; play again for a new one."
)
DAMAGED = (
    "The match was interrupted: the site was stopped, and by its rules of today it cannot go on."
)


class Plays:
    """The matches of a site. Threads may share it."""

    def __init__(
        self,
        store: Store,
        stage: Stage,
        now_ns: Callable[[], int],
        bot_builds: BotBuilds | None = None,
        *,
        settings: PlaySettings | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`bot builds` has the bots that are programs; without one there are none."""
        self._store = store
        self._stage = stage
        self._now_ns = now_ns
        self._garage = bot_builds
        self.settings = settings or PlaySettings()
        self._sessions: dict[str, PlaySession] = {}
        self._lock = Lock()
        self._is_closed = False
        self._journal = PlayJournal(store)
        self.throttle = RateLimit(120, 600)
        """How often somebody may begin a match; wide enough for a class behind one address."""
        self._house = PlayContext(
            clock,
            self._find_entrant,
            launch_on_host if bot_builds is None else bot_builds.launch,
            self._show,
            self._journal.note,
            self._keep,
            self._journal.forget,
            self.settings,
        )

    @property
    def obstacle(self) -> str:
        """Why bots that are programs cannot be played against; empty if they can."""
        return "no programs are run here" if self._garage is None else self._garage.obstacle()

    def open(self, party: Party) -> PlaySession:
        """A new match, which begins when all its seats are taken."""
        seed = self.settings.new_seed()
        start = party.game.start(party.options, seed, len(party.players))
        if _count_shapes(start.scene(None).shapes) > MOST_SHAPES:
            raise SettingError("this board is too large to be played on here: choose a smaller one")
        now_ns = self._now_ns()
        with self._lock:
            if self._is_closed:
                raise SettingError("the site is about to stop: no match can begin")
            self._sweep(now_ns)
            self._check_room(party)
            key = secrets.token_urlsafe(KEY_BYTES)
            session = PlaySession(key, party, start, seed, now_ns, self._house)
            self._sessions[key] = session
        self._journal.note(session)
        session.begin()
        return session

    def restore(self) -> None:
        """Take up what was under way when the site ended; once, before anybody comes."""
        for written in self._journal.read():
            try:
                self._take_up(written)
            except AgonError as error:
                LOG.warning("play %s cannot be taken up: %s", written.key, error)

    def _take_up(self, written: Written) -> None:
        party, transcript = written.party, written.transcript
        start = party.game.start(party.options, transcript.seed, len(party.players))
        session = PlaySession(
            written.key,
            party,
            start,
            transcript.seed,
            written.begin_ns,
            self._house,
            transcript.events,
        )
        session.seen_ns = self._now_ns()
        last = _find_last(written)
        if last is None:
            self._interrupt(session, written, DAMAGED, None)
        elif party.has_programs and transcript.events:
            self._end_with_programs(session, written, last)
        with self._lock:
            self._sessions[session.key] = session
        session.begin()

    def _end_with_programs(
        self, session: PlaySession, written: Written, last: Position[Any]
    ) -> None:
        """Store a match with programs: as it ended, or as it was interrupted.

        A built-in bot looks at the position alone. A program has a memory of its own, and protocols
        tell it what others have played, not what it has played itself; nor can one that had failed
        be asked to start again.
        """
        if last.outcome is None:
            self._interrupt(session, written, CUT_OFF, last)
            return
        match = ended_match(written.transcript, last.outcome)
        session.conclude(last, self._keep(session, match))

    def _interrupt(
        self, session: PlaySession, written: Written, obstacle: str, last: Position[Any] | None
    ) -> None:
        """Store what was played; on its page is said why it does not go on."""
        match_id = None
        if written.transcript.events:
            match_id = self._keep(session, interrupted_match(written.transcript))
        else:
            self._journal.forget(session)
        session.interrupt(obstacle, match_id, last)

    def find(self, key: str) -> PlaySession | None:
        """The match of that key."""
        with self._lock:
            session = self._sessions.get(key)
        if session is not None:
            session.seen_ns = self._now_ns()
        return session

    def of_person(self, person: Person) -> list[PlaySession]:
        """The matches that a person plays or waits for, or that were interrupted, newest first."""
        with self._lock:
            sessions = list(self._sessions.values())
        own = [one for one in sessions if _is_in(person, one)]
        return [one for one in reversed(own) if one.state is not State.OVER or one.is_interrupted]

    def rematch(self, session: PlaySession, person: Person) -> PlaySession:
        """The match that follows on one that is over, everybody a seat further."""
        if session.state is not State.OVER:
            raise SettingError("this match is not over: end it first")
        with session.following:
            known = None if session.rematch is None else self.find(session.rematch)
            if known is not None and _can_follow(person, known):
                known.join(person)
                return known
            new = self.open(session.party.turned(person))
            session.rematch = new.key
        session.signal.rise()
        return new

    def close(self) -> None:
        """Stop everything; the matches under way stand in the journal."""
        with self._lock:
            self._is_closed = True
            sessions = list(self._sessions.values())
        for session in sessions:
            session.close()
        deadline = time.monotonic() + GRACE_SECONDS
        for session in sessions:
            session.wait(max(0.0, deadline - time.monotonic()))

    def _check_room(self, party: Party) -> None:
        running = [one for one in self._sessions.values() if one.state is not State.OVER]
        if len(running) >= self.settings.tables:
            raise SettingError("all tables are taken: try again in a few minutes")
        for player in party.players:
            if not isinstance(player, Person):
                continue
            if sum(_is_in(player, one) for one in running) >= self.settings.own:
                raise SettingError(
                    f"you play {self.settings.own} matches already: end or resign one of them first"
                )

    def _sweep(self, now_ns: int) -> None:
        """Forget what nobody comes back to."""
        over = [one for one in self._sessions.values() if one.state is State.OVER]
        over.sort(key=lambda one: one.seen_ns)
        gone = over[: max(0, len(over) - self.settings.ended)]
        gone += [
            one
            for one in self._sessions.values()
            if one.state is State.WAITING and now_ns - one.seen_ns > self.settings.wait_ns
        ]
        for session in gone:
            session.expire()
            del self._sessions[session.key]

    # --- for the matches' threads ---

    def _find_entrant(self, version_id: int) -> Entrant:
        if self._garage is None or self._garage.obstacle():
            raise SettingError(f"bots that are programs cannot be played against: {self.obstacle}")
        return self._garage.entrant(version_id)

    def _show(self, session: PlaySession) -> LiveMatch:
        if not session.past:
            session.begin_ns = self._now_ns()
        return self._stage.begin(
            session.game, session.party.names, session.position, session.begin_ns, private=True
        )

    def _keep(self, session: PlaySession, match: MatchResult) -> int:
        begin_ns, end_ns = session.begin_ns, self._now_ns()
        return keep_match(self._store, session.party, match, begin_ns, end_ns, session.key)


def _find_last(written: Written) -> Position[Any] | None:
    """The position in which a match stands; None if the rules of today do not lead there."""
    last = None
    try:
        for _, position in replay(written.transcript):
            last = position
    except AgonError:
        return None
    return last


def _can_follow(person: Person, known: PlaySession) -> bool:
    """Whether a rematch that somebody has asked for already is there for this person."""
    if known.state is State.OVER:
        return False
    return _is_in(person, known) or known.party.free is not None


def _is_in(person: Person, session: PlaySession) -> bool:
    return session.party.seat_of(person) is not None


def _count_shapes(shapes: Sequence[Shape]) -> int:
    """How many shapes with an id there are, groups and their parts."""
    inner = (_count_shapes(shape.parts) for shape in shapes if isinstance(shape, Group))
    return sum(bool(shape.id) for shape in shapes) + sum(inner)
