"""All attacks, in the order of the table in docs/sandbox.md."""

from __future__ import annotations

from tests.sandbox.burdens import BURDENS
from tests.sandbox.channels import CHANNELS
from tests.sandbox.probes import PROBES

ATTACKS = PROBES + CHANNELS + BURDENS
