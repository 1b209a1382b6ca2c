"""Maps and logs as text: `N forts:`, `N roads:`, `N marches:`, and a line for each thing.

The same text is what a bot is told, so `format_map` writes messages, too. What `parse_map` refuses
it names by line; it checks the geometry as well, so that a match can be played on what it read.
`parse_states` is for looking at the logs and maps of earlier contests, and takes a little more.
"""

from __future__ import annotations

import re
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

from agon.errors import NotationError
from agon.games.battlebots.field import Battlefield, Fort, March, check_field, merge_marches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HEADERS = {"forts": "forts?:?", "roads": "roads?:?", "marches": "march(es)?:?"}
LINES = {
    "forts": "fort x y owner soldiers",
    "roads": "fort fort",
    "marches": "origin target owner soldiers steps",
}
FORTS = re.compile(r"[0-9]+\s+forts?:?")
STEP = re.compile(r"# STEP: ([0-9]{1,9})")
MOST_STEPS = 10_000
QUOTED = 60  # characters of a bad line


def format_map(field: Battlefield) -> str:
    """The three sections, each sorted; every line ends with a line end."""
    forts = [f"{fort.name} {fort.x} {fort.y} {fort.owner} {fort.soldiers}" for fort in field.forts]
    roads = ["{} {}".format(*sorted(road)) for road in field.roads]
    marches = [" ".join(map(str, march)) for march in field.marches]
    lines: list[str] = []
    for word, section in (("forts", forts), ("roads", roads), ("marches", marches)):
        lines += [f"{len(section)} {word}:", *sorted(section)]
    return "".join(line + "\n" for line in lines)


def parse_map(text: str) -> Battlefield:
    """Read a map; a section for marches may be missing. NotationError names the bad line."""
    return _read_field(_numbered_lines(text))


def format_log(fields: Sequence[Battlefield]) -> str:
    """The states of a match, from step 0 to the last."""
    return "".join(f"# STEP: {n}\n{format_map(field)}\n" for n, field in enumerate(fields))


def is_log(text: str) -> bool:
    """Whether a text begins as logs and maps do; its mistakes are for `parse_states`."""
    for line in map(str.strip, StringIO(text)):
        if STEP.fullmatch(line):
            return True
        if line and not line.startswith("#"):
            return FORTS.fullmatch(line) is not None
    return False


def parse_states(text: str) -> tuple[list[Battlefield], list[str]]:
    """The states of a log, or the one of a map, and notes about what only contests left behind.

    Roads may cross, and marches of 0 soldiers are noted and left out. All else is checked in each
    state, but not how one came from the other.
    """
    parts: list[list[tuple[int, str]]] = []
    for number, line in _numbered_lines(text, with_steps=True):
        step = STEP.fullmatch(line)
        if step is None:
            if not parts:
                parts.append([])  # a map
            parts[-1].append((number, line))
            continue
        if int(step[1]) != len(parts):
            raise NotationError(f"line {number}: {line!r}: expected # STEP: {len(parts)}")
        if len(parts) > MOST_STEPS:
            raise NotationError(f"line {number}: {line!r}: expected at most {MOST_STEPS} steps")
        parts.append([])
    if not parts:
        raise NotationError("an empty log: expected # STEP: 0 and a state")
    notes: list[str] = []
    return [_read_field(iter(part), notes) for part in parts], notes


def _numbered_lines(text: str, with_steps: bool = False) -> Iterator[tuple[int, str]]:
    """The lines that say something, stripped, counted from 1."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line and (not line.startswith("#") or (with_steps and STEP.fullmatch(line))):
            yield number, line


def _read_field(lines: Iterator[tuple[int, str]], notes: list[str] | None = None) -> Battlefield:
    """The sections of one state, checked; with `notes` as contests left them."""
    sections = {word: _read_section(lines, word) for word in HEADERS}
    for number, line in lines:
        raise NotationError(f"line {number}: {line[:QUOTED]!r}: expected nothing after all marches")
    if notes is not None:
        sections["marches"] = list(_drop_empty(sections["marches"], notes))
    field = Battlefield(
        tuple(_read_fort(at, *parts) for at, parts in sections["forts"]),
        tuple((one, other) for _, (one, other) in sections["roads"]),
        tuple(_read_march(at, *parts) for at, parts in sections["marches"]),
    )
    may_cross = notes is not None
    check_field(field, lambda word, number: f"line {sections[word][number][0]}: ", may_cross)
    return Battlefield(field.forts, field.roads, merge_marches(field.marches))


def _drop_empty(
    marches: Iterable[tuple[int, list[str]]], notes: list[str]
) -> Iterator[tuple[int, list[str]]]:
    """The marches with soldiers; the first arbiter took orders of 0, which do nothing."""
    for at, (origin, target, owner, soldiers, steps) in marches:
        if soldiers.isdecimal() and not int(soldiers[:9]):
            way = f"of {owner[:40]} from {origin[:40]} to {target[:40]}"
            notes.append(f"line {at}: a march of 0 soldiers {way}: it does nothing")
        else:
            yield at, [origin, target, owner, soldiers, steps]


def _read_section(lines: Iterator[tuple[int, str]], word: str) -> list[tuple[int, list[str]]]:
    """The parts of each line of a section, with the line's number."""
    number, header = next(lines, (0, ""))
    if not header and word == "marches":
        return []
    parts = header.split()
    if len(parts) != 2 or not parts[0].isdecimal() or not re.fullmatch(HEADERS[word], parts[1]):
        begin = f"line {number}: {header[:QUOTED]!r}" if header else "the end of the text"
        raise NotationError(f"{begin}: expected N {word}:")
    count = _read_count(number, parts[0])
    section = []
    for at, line in islice(lines, count):
        values = line.split()
        if len(values) != len(LINES[word].split()):
            raise NotationError(f"line {at}: {line[:QUOTED]!r}: expected {LINES[word]}")
        section.append((at, values))
    if len(section) < count:
        raise NotationError(f"line {number}: {header!r}: only {len(section)} lines follow")
    return section


def _read_fort(line: int, name: str, x: str, y: str, owner: str, soldiers: str) -> Fort:
    return Fort(name, _read_int(line, x), _read_int(line, y), owner, _read_count(line, soldiers))


def _read_march(
    line: int, origin: str, target: str, owner: str, soldiers: str, steps: str
) -> March:
    return March(origin, target, owner, _read_count(line, soldiers), _read_count(line, steps))


def _read_int(line: int, text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise NotationError(f"line {line}: {text[:40]!r}: expected a whole number")
    return int(text)


def _read_count(line: int, text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise NotationError(f"line {line}: {text[:40]!r}: expected a number, 0 or more")
    return int(text)
