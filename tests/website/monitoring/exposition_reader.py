"""A strict reader of Prometheus' text format 0.0.4, written from its description alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
HELP = re.compile(rf"# HELP ({NAME}) (.*)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge)")
PAIR = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
ESCAPED = re.compile(r'\\(["\\n])')


@dataclass
class Family:
    """One metric as it was read; values by their labels, sorted."""

    kind: str = ""
    samples: dict[tuple[tuple[str, str], ...], float] = field(default_factory=dict)


def parse_exposition(text: str) -> dict[str, Family]:
    """All metrics by name; AssertionError where the text is not in the format."""
    assert text.endswith("\n")
    families: dict[str, Family] = {}
    current = ""
    for line in text.splitlines():
        if found := HELP.fullmatch(line):
            current = found[1]
            assert current not in families, f"{current} comes twice"
            families[current] = Family()
        elif found := TYPE.fullmatch(line):
            assert found[1] == current, line
            assert not families[current].kind, line
            families[current].kind = found[2]
        else:
            found = SAMPLE.fullmatch(line)
            assert found, line
            assert found[1] == current, line
            labels = parse_labels(found[2] or "")
            assert labels not in families[current].samples, line
            families[current].samples[labels] = float(found[3])
    for name, family in families.items():
        assert family.kind, name
        assert (family.kind == "counter") == name.endswith("_total"), name
    return families


def parse_labels(text: str) -> tuple[tuple[str, str], ...]:
    labels, at = {}, 0
    while at < len(text):
        found = PAIR.match(text, at)
        assert found, text
        assert found[1] not in labels, text
        labels[found[1]] = ESCAPED.sub(lambda one: one[1].replace("n", "\n"), found[2])
        at = found.end()
    return tuple(sorted(labels.items()))
