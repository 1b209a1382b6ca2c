"""The attacks' results as a table in docs/sandbox.md; `python -m tests.sandbox.table` renews it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.arbiter.attack_match import play_attack
from tests.sandbox.attacks import ATTACKS
from tests.sandbox.host import Host

if TYPE_CHECKING:
    from tests.sandbox.attack import Attack

PAGE = Path(__file__).parents[2] / "docs" / "sandbox.md"
BEGIN, END = "<!-- attacks: begin -->\n", "<!-- attacks: end -->\n"
HEADING = "| attack | tries to | held by | seen here | in a match |\n|---|---|---|---|---|\n"


def play(attack: Attack) -> str:
    """One row: the attack is played now."""
    with tempfile.TemporaryDirectory(prefix="agon-sandbox-") as name, Host(Path(name)) as host:
        seen = attack.run(host)
        verdict = play_attack(host, attack)
    assert verdict.fault in attack.verdicts, verdict
    cells = (attack.name, attack.tries, attack.held_by, seen, str(verdict))
    return "".join(f"| {cell}".replace("\n", " ") + " " for cell in cells) + "|\n"


def listed(page: str) -> list[str]:
    """The attacks that the page lists."""
    table = page.partition(BEGIN)[2].partition(END)[0].removeprefix(HEADING)
    return [row.split("|")[1].strip() for row in table.splitlines()]


def main() -> None:
    """Play all attacks and write the table."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    rows = []
    for attack in ATTACKS:
        rows.append(play(attack))
        sys.stdout.write(rows[-1])
    PAGE.write_text(before + BEGIN + HEADING + "".join(rows) + END + after)


if __name__ == "__main__":
    main()
