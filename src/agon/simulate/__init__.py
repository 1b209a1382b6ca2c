"""Many games at once, on cores and GPUs: uniformly random legal play in compiled loops.

Called, the package plays them: `agon.simulate("hive", 1000)`, see `run.py`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agon.simulate.tally import Tally


class _Simulate(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Tally:
        from agon.simulate.run import simulate

        return simulate(*args, **kwargs)


sys.modules[__name__].__class__ = _Simulate
