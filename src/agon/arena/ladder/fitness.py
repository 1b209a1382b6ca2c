"""Which versions can be made ready to play here, and why the others cannot."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arena.bot_builds import UnbuiltError
from agon.datastore.enums import VersionStatus
from agon.errors import ArbiterError, SandboxError, SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arena.bot_builds import BotBuilds
    from agon.datastore.store import Store

LOG = logging.getLogger("agon.arena")


@dataclass(frozen=True, slots=True)
class Unfitness:
    """Why a version does not play: a public text, and a longer one for its author."""

    reason: str
    whole: str = ""


class Fitness:
    """What is known of the versions on the ladders of all games. Threads may share it."""

    def __init__(self, store: Store, bot_builds: BotBuilds) -> None:
        self._store = store
        self._bot_builds = bot_builds
        self.unfit: dict[int, Unfitness] = {}
        """Versions that sit out until the site starts again."""

    def is_ready(self, version_id: int) -> bool:
        """Whether the version is built; one that cannot be is unfit from now on."""
        try:
            self._bot_builds.entrant(version_id)
        except (SettingError, SandboxError) as error:
            LOG.warning("version %s does not play on the ladder: %s", version_id, error)
            whole = error.whole if isinstance(error, UnbuiltError) else ""
            self.unfit[version_id] = Unfitness(str(error), whole)
            return False
        except ArbiterError as error:  # this machine's failure: it may go better the next time
            LOG.warning("version %s cannot be made ready now: %s", version_id, error)
            return False
        return True

    def find_causes(self, versions: Sequence[int]) -> list[int]:
        """Those of the versions of a cancelled match that were withdrawn, or cannot be built."""
        return [one for one in versions if not (self._is_active(one) and self.is_ready(one))]

    def _is_active(self, version_id: int) -> bool:
        return self._store.versions.get(version_id).status is VersionStatus.ACTIVE
