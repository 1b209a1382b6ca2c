"""Every error that Agon raises on purpose: it quotes the input and says what was expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future


class AgonError(Exception):
    """An error that a user can fix; the command line shows it as one line."""


class SettingError(AgonError):
    """An option, an environment variable or an argument has a value that does not exist."""


class NotationError(AgonError):
    """A text is not in the notation that was expected."""


class IllegalMoveError(AgonError):
    """A well-formed move that the rules do not allow in this position."""


class MissingPartError(AgonError):
    """An optional part (a package, a device) is not there; the message says how to get it."""


class NotReadyError(Exception):
    """Games cannot be played yet.

    Nobody's mistake, so not an AgonError: who handles those must not take it for one.
    """


class RulesNotReadyError(NotReadyError):
    """The rules of a game are being compiled by another process."""

    def __init__(self, told: str, ready: Future[None]) -> None:
        """`ready` is done when the game can be played."""
        super().__init__(told)
        self.ready = ready


class ProtocolError(AgonError):
    """A program said something that its protocol does not allow."""


class TranscriptError(AgonError):
    """A match record is damaged or does not fit the rules; the message names the place."""


class DatastoreError(AgonError):
    """The datastore was asked for what it does not have, or given what it cannot hold."""


class DatabaseError(AgonError):
    """The database itself failed: it does not answer, its disk is full, its file is damaged.

    The message is for the operator: it names the place.
    """

    def __init__(self, text: str, is_passing: bool = False) -> None:
        """`is_passing`: it may recover, so that waiting can help."""
        super().__init__(text)
        self.is_passing = is_passing


class GivenUpError(DatastoreError):
    """What was done was given up meanwhile: it was cancelled, or another one does it."""


class TakenError(DatastoreError):
    """A name that must be unique is taken."""


class AccountError(AgonError):
    """An account cannot be made or changed as was asked."""


class UploadError(AgonError):
    """What was uploaded is no bot, or more than one; the message names the file."""


class RemoteError(AgonError):
    """A site cannot be reached, or refuses what was asked of it."""


class RankingError(AgonError):
    """Results that cannot be ranked, or that do not belong to the schedule they were given for."""


class SandboxError(AgonError):
    """A program cannot be run apart from the host; the message says what is missing."""


class UnfitBotError(SandboxError):
    """A bot cannot be run in the sandbox for a reason of its own: its command or its folder."""


class ArbiterError(AgonError):
    """The arbiter itself failed: no bot is to blame."""


class ExhaustedError(ArbiterError):
    """This machine has no memory, file descriptors, processes or space left, for now."""


class NoMachineError(ArbiterError):
    """No machine of the cluster can do the job, for now."""
