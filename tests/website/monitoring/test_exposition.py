"""The text format: what is written is read again as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.website.monitoring.exposition import Kind, Metric, Sample, format_metrics
from tests.website.monitoring.exposition_reader import parse_exposition


@given(st.text(), st.one_of(st.integers(), st.floats(allow_nan=False)))
def test_any_label_and_value_is_read_again(text: str, value: float) -> None:
    label = text.replace("\r", "").encode(errors="ignore").decode()
    for line_end in "\v\f\x1c\x1d\x1e\x85\u2028\u2029":  # Python's idea of lines, not the format's
        label = label.replace(line_end, "")
    metric = Metric("agon_test", "One\nof \\ them.", Kind.GAUGE, (Sample(value, {"which": label}),))
    (family,) = parse_exposition(format_metrics([metric])).values()
    assert family.samples == {(("which", label),): float(value)}


@pytest.mark.parametrize(
    "text",
    [
        "agon_test 1\n",
        "# HELP agon_test A.\nagon_test 1\n",
        "# HELP agon_test A.\n# TYPE agon_test gauge\nagon_test one\n",
        '# HELP agon_test A.\n# TYPE agon_test gauge\nagon_test{a="1"b="2"} 1\n',
        "# HELP agon_test A.\n# TYPE agon_test counter\nagon_test 1\n",
    ],
)
def test_the_reader_of_these_tests_is_strict(text: str) -> None:
    with pytest.raises((AssertionError, ValueError)):
        parse_exposition(text)
