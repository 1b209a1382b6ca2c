"""How much of what may be uploaded."""

from __future__ import annotations

from dataclasses import dataclass

from agon.datastore.schema.bots import PATH_LENGTH

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """All sizes in bytes."""

    bytes: int = 32 * MIB
    """All files of a bot together, unpacked; and what comes over the wire."""
    files: int = 1000
    path: int = PATH_LENGTH
    """Characters of a file's path."""
    bots: int = 50
    """That a user may have."""
    waiting: int = 5
    """Checks of one user that may wait or run at a time."""
    challenges: int = 3
    """Challenges of one user that may wait or run at a time."""
