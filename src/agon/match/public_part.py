"""What everyone may see of a transcript."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agon.match.transcript import FaultEvent

if TYPE_CHECKING:
    from agon.match.transcript import Transcript

PRIVATE = ("wire", "stderr", "marks")
"""Parts of a stored transcript that are the authors' own."""


def public_part(transcript: Transcript) -> Transcript:
    """The transcript without what only the authors of its bots may see."""
    extra = {key: value for key, value in transcript.extra.items() if key not in PRIVATE}
    events = tuple(
        replace(event, said="") if isinstance(event, FaultEvent) else event
        for event in transcript.events
    )
    return replace(transcript, extra=extra, events=events)
