"""The closed sets: what a version, a match or a tournament can be."""

from __future__ import annotations

from enum import StrEnum


class VersionStatus(StrEnum):
    """What may be done with a version of a bot."""

    PENDING = "pending"  # uploaded; not yet built and checked
    FAILED = "failed"  # did not build, or did not pass the check
    ACTIVE = "active"
    WITHDRAWN = "withdrawn"  # plays no more; its matches stay
    SUSPENDED = "suspended"  # its author is suspended; it plays again when that ends


class AuditAction(StrEnum):
    """What an organiser has done."""

    ADD_USER = "user.add"
    RESET_PASSWORD = "user.password"  # noqa: S105
    GIVE_RIGHTS = "user.organiser"
    TAKE_RIGHTS = "user.no_organiser"
    SUSPEND_USER = "user.suspend"
    REINSTATE_USER = "user.reinstate"
    REMOVE_USER = "user.remove"
    WITHDRAW_VERSION = "bot.withdraw"
    DELETE_BOT = "bot.delete"
    ADD_CONTEST = "contest.add"
    EDIT_CONTEST = "contest.edit"
    MOVE_CONTEST = "contest.state"
    PUBLISH_CONTEST = "contest.publish"
    HIDE_CONTEST = "contest.hide"
    REMOVE_CONTEST = "contest.remove"
    ENTER_BOT = "contest.enter"
    TAKE_OUT_BOT = "contest.take_out"


class MatchStatus(StrEnum):
    """Whether a match counts."""

    FINISHED = "finished"
    VOID = "void"  # the host or the arbiter failed, or the server ended: it counts for nothing


class TournamentState(StrEnum):
    """Where a tournament stands."""

    PLANNED = "planned"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


class Codec(StrEnum):
    """How bytes are stored."""

    PLAIN = "plain"
    GZIP = "gzip"


class CheckState(StrEnum):
    """Where the building and checking of a version stands."""

    QUEUED = "queued"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"  # the server ended meanwhile; another check stands in its place


class BookingKind(StrEnum):
    """Why a match is to be played. Contests and people's matches are booked nowhere."""

    LADDER = "ladder"
    CHALLENGE = "challenge"


class BookingState(StrEnum):
    """Where a match that is to be played stands."""

    QUEUED = "queued"
    RUNNING = "running"
    INTERRUPTED = "interrupted"  # the server ended meanwhile; it is played again
    DONE = "done"
    CANCELLED = "cancelled"


class JournalKind(StrEnum):
    """Whose match under way stands in the journal."""

    PEOPLE = "people"
    NETWORK = "network"  # clients of the games' network servers
    LIVE = "live"  # bots: for the live boards of other servers, not to be played on


class WhoMayEnter(StrEnum):
    """Whose bots a contest takes."""

    EVERYONE = "everyone"
    INVITED = "invited"


class ContestState(StrEnum):
    """Where a contest stands."""

    DRAFT = "draft"
    OPEN = "open"  # bots may enter
    CLOSED = "closed"  # no more of them; not yet begun
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
