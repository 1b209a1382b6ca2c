"""The types of a match's records, in games whose records come in several sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class RecordTypes:
    """Those of one tier: all boards that fit in it are played by the same compiled code."""

    setup: np.dtype[Any]
    state: np.dtype[Any]
    work: np.dtype[Any]
