"""The files of a deployment: their commands parse, and their names, ports and times agree."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from agon.arena.cluster.node_labels import SPEED
from agon.arena.live_matches import LiveMatches
from agon.arena.rules_loader import RulesLoader
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.cli.app import UsageError, app
from agon.cli.duration import parse_duration
from agon.cli.serve import parse_network
from agon.datastore import Store
from agon.servers.registry import SERVERS
from agon.website.monitoring.figures import read_figures
from agon.website.site import Site
from tests.deploy.command_lines import (
    FOLDER,
    PAGE,
    ROOT,
    UNITS,
    all_command_lines,
    containers_of,
    load_yaml,
)

if TYPE_CHECKING:
    from pathlib import Path

COMMAND_LINES = all_command_lines()
SYSTEMD_ANALYZE = shutil.which("systemd-analyze")
SECOND = 10**9
LEAST_SPARE_S = 15
"""Seconds that a site has to stop in order after it has drained."""


def parse(words: list[str]) -> dict[str, Any]:
    """The parameters of the command that these words name; UsageError if there is none such."""
    command: Any = get_command(app)
    context, name = None, "agon"
    while isinstance(command, TyperGroup):
        context = typer.Context(command, parent=context, info_name=name)
        name, command, words = command.resolve_command(context, words)  # type: ignore[assignment]
    parsed: dict[str, Any] = command.make_context(name, list(words), parent=context).params
    return parsed


def of_serve() -> dict[str, dict[str, Any]]:
    return {where: parse(words) for where, words in COMMAND_LINES.items() if words[0] == "serve"}


def test_there_are_commands_in_every_file() -> None:
    places = {place.partition(":")[0] for place in COMMAND_LINES}
    assert places == {
        "Containerfile",
        "agon-node.service",
        "agon.service",
        "compose.yaml",
        "docs/deploy.md",
        "kubernetes.yaml",
        "raycluster.yaml",
    }


@pytest.mark.parametrize("place", COMMAND_LINES)
def test_every_command_line_is_one_of_agon(place: str) -> None:
    parse(COMMAND_LINES[place])


@pytest.mark.parametrize("words", [["serve", "--drian", "1s"], ["serves"], ["db", "backup"]])
def test_other_command_lines_are_noticed(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words)


def test_the_values_of_serve_are_taken() -> None:
    served = of_serve()
    assert len(served) >= 5
    for where, options in served.items():
        assert parse_duration(options["drain"]) == 60 * SECOND, where
        for network in options["metrics_from"] or ():
            parse_network(network)
        if options["proxy"]:
            ip_network(options["proxy"])
            assert options["secure_cookies"], where
            assert options["host_name"] == ["agon.example.org"], where


def test_there_is_time_to_drain() -> None:
    (compose,) = load_yaml("compose.yaml")
    unit = (FOLDER / "agon.service").read_text()
    (of_unit,) = re.findall(r"^TimeoutStopSec=(\S+)$", unit, re.MULTILINE)
    deployment = next(one for one in load_yaml("kubernetes.yaml") if one["kind"] == "Deployment")
    pod = deployment["spec"]["template"]["spec"]
    graces = {
        "compose.yaml: server-1": parse_duration(
            compose["services"]["server-1"]["stop_grace_period"]
        ),
        "compose.yaml: server-2": parse_duration(
            compose["services"]["server-2"]["stop_grace_period"]
        ),
        "agon.service": parse_duration(of_unit),
        "kubernetes.yaml: agon": pod["terminationGracePeriodSeconds"] * SECOND,
    }
    served = of_serve()
    for where, grace_ns in graces.items():
        assert grace_ns >= parse_duration(served[where]["drain"]) + LEAST_SPARE_S * SECOND, where


def test_every_server_joins_the_cluster_that_it_asks() -> None:
    for where in of_serve():
        if where.startswith(("compose.yaml", "kubernetes.yaml")):
            joined = parse(COMMAND_LINES[f"{where}, beside"])
            assert joined == parse(
                ["cluster", "join", "10.0.0.1:6379", "--host=10.0.0.7", "--cores=0"]
            )


def test_workers_have_a_speed_class_in_common() -> None:
    joined = [
        words
        for place, words in COMMAND_LINES.items()
        if words[:2] == ["cluster", "join"]
        and place.startswith(("compose.yaml", "raycluster.yaml"))
    ]
    workers = [words for words in joined if "--cores=0" not in words]
    assert len(workers) == 3
    for words in workers:
        assert any(word.startswith(f"--label={SPEED}=") for word in words), words


def test_machines_claim_no_more_cores_than_they_have() -> None:
    cores = {
        place: parse(words)["cores"]
        for place, words in COMMAND_LINES.items()
        if words[:2] in (["cluster", "head"], ["cluster", "join"])
    }
    assert cores["compose.yaml: worker-1"] == cores["compose.yaml: worker-2"] == 3, "as chosen"
    assert cores["compose.yaml: head"] == cores["raycluster.yaml: ray-head"] == 0
    (cluster,) = load_yaml("raycluster.yaml")
    _, worker = containers_of(cluster)
    assert cores["raycluster.yaml: ray-worker"] == int(worker["resources"]["requests"]["cpu"])


def test_the_services_of_compose_find_each_other() -> None:
    (compose,) = load_yaml("compose.yaml")
    services = compose["services"]
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    subnet = ip_network(network["subnet"])
    addresses = {
        name: service["networks"]["default"]["ipv4_address"]
        for name, service in services.items()
        if "networks" in service
    }
    assert all(ip_address(address) in subnet for address in addresses.values())
    assert len(set(addresses.values())) == len(addresses)
    head = f"{addresses['head']}:6379"
    assert services["head"]["command"][2:4] == [f"--host={addresses['head']}", "--port=6379"]
    for name in ("worker-1", "worker-2"):
        assert services[name]["command"][2:4] == [head, f"--host={addresses[name]}"]
    for name in ("server-1", "server-2"):
        assert services[name]["hostname"] == name
        assert services[name]["environment"]["AGON_CLUSTER"] == head
        options = of_serve()[f"compose.yaml: {name}"]
        assert options["proxy"] == addresses["caddy"]
        assert options["metrics_from"] == [str(subnet)]
    upstreams = re.findall(r"reverse_proxy (.*) \{", (FOLDER / "Caddyfile").read_text())
    assert upstreams == ["server-1:8000 server-2:8000"]
    published = f"{SERVERS['skyport'].port}:{SERVERS['skyport'].port}"
    assert services["server-1"]["ports"] == [published]


def test_every_variable_of_compose_has_a_line_to_fill_in() -> None:
    used = re.findall(r"\$\{(\w+)", (FOLDER / "compose.yaml").read_text())
    used += re.findall(r"\{\$(\w+)", (FOLDER / "Caddyfile").read_text())
    given = re.findall(r"^(\w+)=", (FOLDER / "environment.example").read_text(), re.MULTILINE)
    assert set(used) == set(given)


def test_the_figures_are_behind_no_proxy() -> None:
    assert re.search(r"^\trespond /metrics 404$", (FOLDER / "Caddyfile").read_text(), re.MULTILINE)


def test_the_parts_on_kubernetes_find_each_other() -> None:
    documents = {one["kind"]: one for one in load_yaml("kubernetes.yaml")}
    (cluster,) = load_yaml("raycluster.yaml")
    namespace = documents["Namespace"]["metadata"]["name"]
    parts = [documents[kind] for kind in ("Deployment", "Service", "Ingress")]
    assert {one["metadata"]["namespace"] for one in (*parts, cluster)} == {namespace}
    deployment, service, ingress = parts
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == deployment["spec"]["selector"]["matchLabels"] == labels
    (server,) = containers_of(deployment)
    ports = {port["name"]: port["containerPort"] for port in server["ports"]}
    assert ports == {"http": 8000, "skyport": SERVERS["skyport"].port}
    assert {port["targetPort"] for port in service["spec"]["ports"]} == set(ports)
    (rule,) = ingress["spec"]["rules"]
    assert rule["host"] == of_serve()["kubernetes.yaml: agon"]["host_name"][0]
    (path,) = rule["http"]["paths"]
    assert path["backend"]["service"]["name"] == service["metadata"]["name"]
    head = f"{cluster['metadata']['name']}-head-svc.{namespace}.svc.cluster.local:6379"
    of_head, of_worker = containers_of(cluster)
    assert "--port=6379" in of_head["args"]
    assert of_worker["args"][:3] == ["cluster", "join", head]
    for container in (server, of_head, of_worker):
        given = {one["name"]: one for one in container["env"]}
        assert given["AGON_CLUSTER"]["value"] == head
        assert given["AGON_CLUSTER_TOKEN"]["valueFrom"]["secretKeyRef"]["name"] == "agon"
        assert ("$(POD_IP)" in " ".join(container["args"])) <= ("POD_IP" in given)
    assert cluster["metadata"]["annotations"]["ray.io/overwrite-container-cmd"] == "true"


UNIT_BREAKS_THE_SANDBOX = (
    "RestrictNamespaces",
    "ProtectHostname",
    "PrivateUsers",
    "ProtectControlGroups",
    "SystemCallFilter",
    "ProtectKernelTunables",
    "ProtectKernelLogs",
    "ProtectProc",
    "ProcSubset",
    "MemoryDenyWriteExecute",
)


def settings_of(unit: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Z]\w+)=(.*)$", unit, re.MULTILINE))


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_leaves_the_sandbox_what_it_needs(unit: str) -> None:
    settings = settings_of((FOLDER / unit).read_text())
    assert settings["Delegate"] == "yes"
    assert settings["KillMode"] == "mixed"
    assert not settings.keys() & set(UNIT_BREAKS_THE_SANDBOX)


def test_the_server_of_a_cluster_finds_the_sockets_of_its_node() -> None:
    server, node = (settings_of((FOLDER / unit).read_text()) for unit in UNITS)
    (drop_in,) = (
        settings_of(block.replace("    ", ""))
        for block in PAGE.read_text().split("\n\n")
        if block.startswith("    [Unit]")
    )
    server |= drop_in
    for name in ("User", "PrivateTmp", "ReadWritePaths", "Environment", "EnvironmentFile"):
        assert server.get(name, "no") == node.get(name, "no"), name
    assert drop_in["After"] == "agon-node.service"


@pytest.mark.system
@pytest.mark.skipif(SYSTEMD_ANALYZE is None, reason="there is no systemd here")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_a_unit(name: str, tmp_path: Path) -> None:
    unit = tmp_path / name
    text = (FOLDER / name).read_text()
    unit.write_text(text.replace("/opt/agon/bin/agon", shutil.which("true") or ""))
    command = [str(SYSTEMD_ANALYZE), "verify", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_image_has_what_it_copies_and_the_ports_of_the_games() -> None:
    text = (FOLDER / "Containerfile").read_text()
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in line.split()), line
    (ports,) = re.findall(r"^EXPOSE (.*)$", text, re.MULTILINE)
    assert {int(port) for port in ports.split()} == {8000, *(one.port for one in SERVERS.values())}
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == ["agon"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (extras,) = re.findall(r"'\.\[(.*)\]'", text)
    assert {*extras.split(",")} <= project["project"]["optional-dependencies"].keys()
    assert "deploy" in project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]


def test_bots_in_python_have_numpy() -> None:
    """`examples/learn/bot` needs the package of the system's Python: it sees no other."""
    image = (FOLDER / "Containerfile").read_text().rpartition("\nFROM ")[2]
    (on_one_machine,) = re.findall(r"^    (apt-get install .*)$", PAGE.read_text(), re.MULTILINE)
    for place in (image, on_one_machine, (ROOT / "Makefile").read_text()):
        assert "python3-numpy" in re.split(r"[\s\"]+", place)


def test_the_page_names_every_figure(tmp_path: Path) -> None:
    rules = RulesLoader([])
    with Store.open(tmp_path / "agon.db") as store:
        live_matches = LiveMatches()
        workers = Workers(store, live_matches, settings=WorkerSettings(ladder=()))
        site = Site(store, live_matches, lambda: 0, workers=workers, rules=rules)
        figures = {figure.name for figure in read_figures(site)}
        workers.stop()
        rules.stop()
    named = set(re.findall(r"\bagon_[a-z_]+", PAGE.read_text()))
    assert named == figures
