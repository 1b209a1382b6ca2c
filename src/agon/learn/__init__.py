"""For those who train: many matches at once as arrays, and the interfaces of other libraries.

    BatchEnv("hive", 1024)         arrays of matches on cores or a GPU, see `batch.py`
    self_play.MatchRecorder(env)   its matches as transcripts

Nothing of the arena loads this; `agon[learn]` has what the adapters need.
"""

from __future__ import annotations

from agon.learn.batch import BatchEnv

__all__ = ["BatchEnv"]
