"""Prometheus' text format, version 0.0.4, in which monitoring programs read figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Kind(StrEnum):
    """How a figure moves."""

    COUNTER = "counter"  # since the start of the process, and never back
    GAUGE = "gauge"


@dataclass(frozen=True, slots=True)
class Sample:
    """One value, told apart from the others of its metric by labels."""

    value: int | float
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured, and its values at this moment."""

    name: str
    help: str
    kind: Kind
    samples: tuple[Sample, ...]


def format_metrics(metrics: Iterable[Metric]) -> str:
    """The body of an answer at /metrics.

    >>> games = Metric("agon_live", "Matches.", Kind.GAUGE, (Sample(2, {"game": "hive"}),))
    >>> print(format_metrics([games]), end="")
    # HELP agon_live Matches.
    # TYPE agon_live gauge
    agon_live{game="hive"} 2
    """
    return "".join(f"{line}\n" for metric in metrics for line in _lines(metric))


def _lines(metric: Metric) -> Iterator[str]:
    words = metric.help.replace("\\", r"\\").replace("\n", r"\n")
    yield f"# HELP {metric.name} {words}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for sample in metric.samples:
        labels = ",".join(f'{name}="{_escape(text)}"' for name, text in sample.labels.items())
        yield (
            f"{metric.name}{{{labels}}} {sample.value}"
            if labels
            else f"{metric.name} {sample.value}"
        )


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
