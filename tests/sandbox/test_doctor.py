"""The doctor finds this host safe, and says what is missing where something is."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from agon.cli.sandbox import sandbox
from agon.sandbox.doctor import LAYERS, DoctorReport, LayerFinding, examine, is_safe_enough, missing
from tests.sandbox.host import left_groups


def test_this_host_is_safe_enough() -> None:
    report = examine()
    assert [finding.layer for finding in report.findings] == [layer.name for layer in LAYERS]
    assert not missing(report)
    assert is_safe_enough(report)
    assert all(finding.proof for finding in report.findings)
    assert not left_groups()


def test_one_needed_layer_is_enough_to_miss() -> None:
    good = LayerFinding("own files", True, True, "tried", "")
    optional = LayerFinding("pause", False, False, "tried", "do this")
    bad = LayerFinding("memory limit", False, True, "tried", "do that")
    assert is_safe_enough(DoctorReport((good, optional), ""))
    assert not is_safe_enough(DoctorReport((good, bad), ""))
    assert missing(DoctorReport((good, optional, bad), "")) == [bad]


def test_the_command_prints_the_table_and_json() -> None:
    runner = CliRunner()
    shown = runner.invoke(sandbox, ["doctor"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.output
    assert "safe enough for ranked play" in shown.output
    assert "Connection refused" in shown.output
    told = runner.invoke(sandbox, ["doctor", "--json"])
    report = json.loads(told.output)
    assert report["safe"] is True
    assert {layer["layer"] for layer in report["layers"]} == {layer.name for layer in LAYERS}
