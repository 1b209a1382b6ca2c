"""The closed sets: what a version, a match, a seat or a tournament can be."""

from __future__ import annotations

from enum import StrEnum


class VersionStatus(StrEnum):
    """What may be done with a version of a bot."""

    PENDING = "pending"  # uploaded; not yet built and checked
    FAILED = "failed"  # did not build, or did not pass the check
    ACTIVE = "active"
    WITHDRAWN = "withdrawn"  # plays no more; its matches stay


class MatchStatus(StrEnum):
    """Whether a match counts."""

    FINISHED = "finished"
    VOID = "void"  # the host or the arbiter failed; to be played again


class Verdict(StrEnum):
    """How a seat's match ended."""

    RULES = "rules"
    TIMEOUT = "timeout"
    CRASH = "crash"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"
    RESOURCE = "resource"
    NO_START = "no-start"
    ARBITER = "arbiter"


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
