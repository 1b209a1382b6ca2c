"""All matches with people in them: they are opened, found and closed here.

They outlive the process: what is played stands in the journal, and `restore` takes it up again. How
many there are is bounded, for all and for each person; old ones that get no requests are forgotten.
"""

from __future__ import annotations

import logging
import secrets
import time
from concurrent import futures
from threading import Lock
from typing import TYPE_CHECKING

from agon.arbiter.entrant import launch_on_host
from agon.arena.people.context import PlayContext, State
from agon.arena.people.journal import PlayJournal
from agon.arena.people.party import Person
from agon.arena.people.session import PlayOutlets, PlaySession
from agon.arena.people.settings import PlaySettings
from agon.arena.people.store import keep_match
from agon.arena.rate_limit import RateLimit
from agon.arena.rules_loader import await_rules
from agon.arena.unfinished import INTERRUPTED
from agon.arena.worker_thread import Worker
from agon.datastore.retry import NO_RETRY
from agon.errors import AgonError, SettingError
from agon.games.shapes import Group
from agon.match.result import result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.arena.people.journal import JournalledPlay
    from agon.arena.people.party import Party
    from agon.datastore.retry import Retry
    from agon.datastore.store import Store
    from agon.games.shapes import Shape
    from agon.match.result import MatchResult

LOG = logging.getLogger("agon.arena")
KEY_BYTES = 12
GRACE_SECONDS = 5.0
PATIENCE_CHECK_SECONDS = 1.0
MOST_SHAPES = 3000
"""A larger board cannot be drawn after every click."""
CUT_OFF = (
    "The match was interrupted: the site was stopped, and this bot cannot play on from the middle "
    "of a match. What was played is kept; play again for a new one."
)
DAMAGED = (
    "The match was interrupted: the site was stopped, and by its rules of today it cannot go on."
)


def new_key(server_id: int | None) -> str:
    """A key that cannot be guessed; it says on which server the match was opened."""
    key = secrets.token_urlsafe(KEY_BYTES)
    return key if server_id is None else f"{server_id}.{key}"


def server_in_key(key: str) -> int | None:
    """The server on which the match of that key was opened."""
    number, dot, _ = key.partition(".")
    return (
        int(number)
        if dot and number.isascii() and number.isdecimal() and len(number) < 19
        else None
    )


class Plays:
    """The matches of a site. Threads may share it."""

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        now_ns: Callable[[], int],
        bot_builds: BotBuilds | None = None,
        *,
        settings: PlaySettings | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        retry: Retry = NO_RETRY,
    ) -> None:
        """`bot_builds` has the programs; without it there are none.

        `retry` waits for the store with a match that is over.
        """
        self._store = store.retrying(retry)
        self._live_matches = live_matches
        self._now_ns = now_ns
        self._bot_builds = bot_builds
        self.settings = settings or PlaySettings()
        self._sessions: dict[str, PlaySession] = {}
        self._lock = Lock()
        self._is_closed = False
        self.is_restored = False
        self._journal = PlayJournal(store)  # which does not wait: a match goes on without it
        self.throttle = RateLimit(120, 600)
        """How often a client may open a match; wide enough for a class behind one address."""
        self._executor = futures.ThreadPoolExecutor(self.settings.tables, "play")
        self._patience = Worker("play patience", self._check_patience, PATIENCE_CHECK_SECONDS)
        self._is_patience_checked = False
        launch = launch_on_host if bot_builds is None else bot_builds.launch
        self._context = PlayContext(
            clock, self._executor, self._find_entrant, launch, self.settings
        )
        journal = self._journal
        self._outlets = PlayOutlets(self._show, journal.note, self._keep, journal.forget)

    @property
    def obstacle(self) -> str:
        """Why bots that are programs cannot be played against; empty if they can."""
        builds = self._bot_builds
        return "no programs are run here" if builds is None else builds.obstacle_here()

    def open(self, party: Party) -> PlaySession:
        """A new match, which begins when all its seats are taken."""
        match = self.settings.new_match(party.setup(self.settings.new_seed()))
        if _count_shapes(match.position.scene(None).shapes) > MOST_SHAPES:
            raise SettingError("this board is too large to be played on here: choose a smaller one")
        now_ns = self._now_ns()
        with self._lock:
            if self._is_closed:
                raise SettingError("the site is about to stop: no match can begin")
            self._sweep(now_ns)
            self._check_room(party)
            key = new_key(self._live_matches.own_server())
            session = PlaySession(key, party, match, now_ns, self._context, self._outlets)
            self._add(session)
        self._journal.note(session)
        session.begin()
        return session

    def _add(self, session: PlaySession) -> None:
        self._sessions[session.key] = session
        if not self._is_patience_checked:
            self._is_patience_checked = True
            self._patience.start()

    def _check_patience(self) -> bool:
        with self._lock:
            sessions = list(self._sessions.values())
        for session in sessions:
            session.check_patience()
        return False

    def restore(self) -> None:
        """Take up what was under way when the site ended; once, before the first request."""
        for written in self._journal.read():
            try:
                await_rules(written.party.game)
                self._take_up(written)
            except AgonError as error:
                LOG.warning("play %s cannot be taken up: %s", written.key, error)
        self.is_restored = True

    def _take_up(self, written: JournalledPlay) -> None:
        """Play on, or store what there is.

        A built-in bot looks at the position alone. A program remembers the match by itself, and
        protocols tell it what others have played, not what it has played: it cannot play on.
        """
        transcript, trouble = written.transcript, ""
        try:
            match = self.settings.new_match(transcript)
        except AgonError:
            match, trouble = self.settings.new_match(written.party.setup(transcript.seed)), DAMAGED
        party, begin_ns = written.party, written.begin_ns
        session = PlaySession(written.key, party, match, begin_ns, self._context, self._outlets)
        session.seen_ns = self._now_ns()
        if match.is_over:
            session.conclude(self._keep(session, match.result()))
        elif trouble or (party.has_programs and transcript.events):
            match_id = self._keep(session, result_of(transcript, INTERRUPTED))
            session.interrupt(trouble or CUT_OFF, match_id)
        with self._lock:
            self._add(session)
        session.begin()

    def find(self, key: str) -> PlaySession | None:
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

    def elsewhere(self, person: Person) -> list[JournalledPlay]:
        """The matches that a person plays or waits for on other servers, newest first."""
        found = [one for one in self._journal.of_others() if one.party.seat_of(person) is not None]
        return found[::-1]

    def rejoin(self) -> None:
        """This server was taken for gone: it lets go of what another one has taken up."""
        with self._lock:
            going = {key: one for key, one in self._sessions.items() if one.state is not State.OVER}
        kept = self._journal.claim(going)
        lost = [one for key, one in going.items() if key not in kept]
        for session in lost:
            session.close()
        with self._lock:
            for session in lost:
                self._sessions.pop(session.key, None)
        if lost:
            LOG.warning("%s matches of people are on another server now", len(lost))

    def rematch(self, session: PlaySession, person: Person) -> PlaySession:
        """The match that follows on one that is over, every player a seat further."""
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
        self._patience.stop()
        for session in sessions:
            session.close()
        self._executor.shutdown(wait=False, cancel_futures=True)
        futures.wait([one for session in sessions for one in session.pending()], GRACE_SECONDS)

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
        """Forget matches that have been over, or have waited for a player, for long."""
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

    # --- for the sessions ---

    def _find_entrant(self, version_id: int) -> Entrant:
        if self._bot_builds is None or self._bot_builds.obstacle_here():
            raise SettingError(f"bots that are programs cannot be played against: {self.obstacle}")
        return self._bot_builds.entrant_here(version_id)

    def _show(self, session: PlaySession) -> LiveMatch:
        if not session.match.events:
            session.begin_ns = self._now_ns()
        return self._live_matches.begin(
            session.game, session.party.names, session.position, session.begin_ns, private=True
        )

    def _keep(self, session: PlaySession, match: MatchResult) -> int:
        begin_ns, end_ns = session.begin_ns, self._now_ns()
        return keep_match(self._store, session.party, match, begin_ns, end_ns, session.key)


def _can_follow(person: Person, known: PlaySession) -> bool:
    """Whether the rematch that is there has a seat for this person."""
    if known.state is State.OVER:
        return False
    return _is_in(person, known) or known.party.free is not None


def _is_in(person: Person, session: PlaySession) -> bool:
    return session.party.seat_of(person) is not None


def _count_shapes(shapes: Sequence[Shape]) -> int:
    """How many shapes with an id there are, groups and their parts."""
    inner = (_count_shapes(shape.parts) for shape in shapes if isinstance(shape, Group))
    return sum(bool(shape.id) for shape in shapes) + sum(inner)
