"""What an attack is: a program, what it tries, what holds it, and what becomes of it in a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tests.sandbox.host import SMALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.match.transcript import Fault
    from agon.sandbox import ResourceLimits
    from tests.sandbox.host import Host


class Deed(Protocol):
    """The program of an attack, and how it is seen to be held."""

    @property
    def source(self) -> str:
        """What a bot does on its second turn, in Python, after the prelude of `host`."""

    def __call__(self, host: Host) -> str:
        """Run it in a sandbox, assert that it is held, and say what was observed."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack."""

    name: str
    tries: str
    held_by: str
    run: Deed
    verdicts: tuple[Fault | None, ...] = (None,)
    """What a match with it may end by; None: by the rules, as if nothing had been."""
    limits: ResourceLimits = SMALL
    turn_ns: int = 30 * 10**9


@dataclass(frozen=True, slots=True)
class Probe:
    """A program that ends by itself and says what it met.

    `bare`: without a sandbox it must come through, so that it is not held for being badly written.
    """

    source: str
    bare: bool = True

    def __call__(self, host: Host) -> str:
        """Run it to its end."""
        said = host.run(self.source)
        if self.bare:
            assert "ESCAPED" in host.run_bare(self.source), "it fails without a sandbox too"
        return all_held(said)


@dataclass(frozen=True, slots=True)
class Burden:
    """A program that uses something up, and is measured from outside."""

    source: str
    watch: Callable[[Host, str], str]

    def __call__(self, host: Host) -> str:
        """Run it and look on."""
        return self.watch(host, self.source)


def all_held(said: str) -> str:
    """What a probe has met, if it was held by everything that it tried."""
    lines = said.strip().splitlines()
    assert lines, "the attack said nothing"
    assert all(line.startswith("held: ") for line in lines), said
    return "; ".join(dict.fromkeys(line.removeprefix("held: ") for line in lines))
