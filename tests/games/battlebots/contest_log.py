"""A map and a log as the first contests left them: roads that cross, and marches of 0 soldiers."""

from __future__ import annotations

CROSSING_MAP = """# made by hand
4 forts:
boyard 0 0 felix 100
helsingor 4 4 ilion 100
nox 4 0 neutral 0
oz 0 4 neutral 0
3 roads:
boyard helsingor
nox oz
boyard nox
"""

STATES = [
    (100, 100, "neutral 0", []),
    (101, 101, "neutral 0", ["boyard helsingor felix 0 5", "boyard nox felix 30 3"]),
    (72, 102, "neutral 0", ["boyard helsingor felix 0 4", "boyard nox felix 30 2"]),
    (73, 103, "neutral 0", ["boyard nox felix 30 1"]),
    (74, 104, "felix 31", []),
]


def _state(step: int, felix: int, ilion: int, nox: str, marches: list[str]) -> str:
    field = CROSSING_MAP.replace("felix 100", f"felix {felix}")
    field = field.replace("ilion 100", f"ilion {ilion}").replace(
        "nox 4 0 neutral 0", f"nox 4 0 {nox}"
    )
    lines = "".join(f"{march}\n" for march in marches)
    return f"# STEP: {step}\n{field}{len(marches)} marches:\n{lines}\n"


CONTEST_LOG = "".join(_state(step, *state) for step, state in enumerate(STATES))
