"""All command lines of `agon` in the deployment's files and in its page, as lists of words."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy"
UNITS = "agon.service", "agon-node.service"
PAGE = ROOT / "docs" / "deploy.md"
CHOSEN = {
    "AGON_HOST_NAME": "agon.example.org",
    "AGON_CLUSTER": "10.0.0.1:6379",
    "AGON_WORKER_CORES": "3",
    "POD_IP": "10.0.0.7",
    "hostname -i": "10.0.0.7",
}
"""What stands for the variables in command lines."""
VARIABLE = re.compile(r"\$\{(\w+):[?-][^}]*\}|\$\((\w[\w -]*)\)|\$(\w+)")
IN_PAGE = re.compile(r"^    (?:\S.* )?(?:/opt/agon/bin/)?agon (?!.*agon )([^|>#\n]+)", re.MULTILINE)
"""The last `agon` of an indented line, up to a pipe or a comment."""


def load_yaml(name: str) -> list[Any]:
    """The documents of a file."""
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


def all_command_lines() -> dict[str, list[str]]:
    """By where they stand: the words after `agon`."""
    found = {
        **_of_containerfile(),
        **_of_compose(),
        **_of_kubernetes(),
        **_of_units(),
        **_of_page(),
    }
    return {place: [_fill_in(word) for word in words] for place, words in found.items()}


def _fill_in(word: str) -> str:
    return VARIABLE.sub(lambda found: CHOSEN[found[1] or found[2] or found[3]], word)


def _of_containerfile() -> dict[str, list[str]]:
    text = (FOLDER / "Containerfile").read_text()
    assert 'ENTRYPOINT ["agon"]' in text
    (command,) = re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)
    return {"Containerfile": json.loads(command)}


def _of_compose() -> dict[str, list[str]]:
    (compose,) = load_yaml("compose.yaml")
    found: dict[str, list[str]] = {}
    for name, service in compose["services"].items():
        if service["image"].startswith("agon"):
            found[f"compose.yaml: {name}"] = service["command"]
            found |= _before(f"compose.yaml: {name}", service.get("entrypoint", []))
            test = service.get("healthcheck", {}).get("test", [])
            if test[1:2] == ["agon"]:
                found[f"compose.yaml: health of {name}"] = test[2:]
    return found


def _of_kubernetes() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for file in ("kubernetes.yaml", "raycluster.yaml"):
        for document in load_yaml(file):
            for container in containers_of(document):
                name = container["name"]
                command = container.get("command", ["agon"])
                found |= _before(f"{file}: {name}", command[:-1])
                assert command[-1] == "agon"
                found[f"{file}: {name}"] = container["args"]
                for probe in ("livenessProbe", "readinessProbe"):
                    command = container[probe].get("exec", {}).get("command", [])
                    if command:
                        assert command[0] == "agon"
                        found[f"{file}: {probe} of {name}"] = command[1:]
    return found


def _before(place: str, shell: list[str]) -> dict[str, list[str]]:
    """What a shell starts beside the command itself."""
    if not shell:
        return {}
    script = shell[2].replace("$$", "$")
    beside, own = script.split(" & ")
    assert (shell[:2], own) == (["sh", "-c"], 'exec agon "$@"')
    return {f"{place}, beside": shlex.split(beside)[1:]}


def containers_of(part: Any) -> Iterator[dict[str, Any]]:
    """All containers below this part of a manifest."""
    if isinstance(part, dict):
        yield from part.get("containers", ())
        for below in part.values():
            yield from containers_of(below)
    elif isinstance(part, list):
        for below in part:
            yield from containers_of(below)


def _of_units() -> dict[str, list[str]]:
    found = {}
    for unit in UNITS:
        text = (FOLDER / unit).read_text()
        (command,) = re.findall(r"^ExecStart=/opt/agon/bin/agon (.*)$", text, re.MULTILINE)
        found[unit] = shlex.split(command)
    return found


def _of_page() -> dict[str, list[str]]:
    lines = IN_PAGE.findall(PAGE.read_text())
    return {f"docs/deploy.md: agon {line.strip()}": shlex.split(line) for line in lines}
