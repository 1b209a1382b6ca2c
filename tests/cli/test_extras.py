"""The wheel without extras plays, checks and submits; what needs an extra says which to install."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import agon
from agon.arena.live_matches import LiveMatches
from agon.cli.app import WEB_MODULES
from agon.datastore import Store
from agon.website.accounts.registrar import Registrar
from agon.website.site import Site
from tests.website.arena import serving
from tests.website.people import CHEAP, PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(agon.__file__).parent
ROOT = Path(__file__).parents[2]
LEARN_MODULES = {"gymnasium", "pettingzoo", "pyarrow", "pyspiel"}
WITH_PLAIN = {"markdown_it", "markupsafe", "pydantic"}  # Rich, Alembic and Typer bring them along
TOKEN = "agon_test_token"  # noqa: S105

PLAIN = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None  # as if it were not installed
from typer.testing import CliRunner
from agon.cli.app import app, __file__ as home

print(home)
for line in sys.stdin.read().splitlines():
    result = CliRunner().invoke(app, line.split(), input=sys.argv[2])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code:
        assert (result.exit_code, result.stdout) == (2, ""), (line, result.output)
        print(result.stderr, end="")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as `make wheel` builds it, without the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, capture_output=True, check=True)
    (file,) = folder.iterdir()
    return file


@pytest.mark.system
def test_the_wheel_without_extras_is_enough_for_contestants(
    wheel: Path, blank: Path, tmp_path: Path
) -> None:
    """The commands for contestants and for tournaments end well; others name what is missing."""
    home = tmp_path / "installed"
    shutil.unpack_archive(wheel, home, "zip")
    refused = {
        "serve --port 0": "agon: agon serve needs WEB: install agon[web]",
        f"user add bob --data {tmp_path}": "agon: agon user needs WEB: install agon[web]",
        "mebipenny serve": "agon: agon mebipenny needs WEB: install agon[web]",
        "db check --data postgresql://db.local/agon": (
            "agon: PostgreSQL needs psycopg: install agon[postgres]"
        ),
        "simulate hive --cluster local": "agon: a cluster needs ray: install agon[cluster]",
        "export hive --data t": "agon: agon export needs pyarrow: install agon[learn]",
    }
    with Store.open(blank) as store:
        ada = Registrar(store, CHEAP).register("ada", PASSWORD, 1)
        store.tokens.add(ada.id, "test", TOKEN, 1)
        with serving(Site(store, LiveMatches(), lambda: 10**18)) as site:
            commands = [
                "bot new hive crawler",
                "bot check crawler",
                "match hive crawler random --cap 4 --save match.json",
                "replay match.json --turn last",
                "verify match.json",
                f"login {site} --token-stdin",
                "submit crawler --no-wait",
                "simulate hive --games 1 --cap 4",
                "tournament hive random greedy --name t --rounds 1 --cap 4 --data t",
                "db check --data t",
                *refused,
            ]
            done = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    PLAIN,
                    " ".join([*WEB_MODULES, "psycopg", "pyarrow", "ray"]),
                    f"{TOKEN}\n",
                ],
                input="\n".join(commands),
                cwd=tmp_path,
                env=os.environ | {"PYTHONPATH": str(home), "XDG_CONFIG_HOME": str(tmp_path)},
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
        assert done.returncode == 0, done.stderr
        assert [bot.name for bot in store.bots.all("hive")] == ["crawler"]
    told = re.sub(rf"needs ({'|'.join(WEB_MODULES)}):", "needs WEB:", done.stdout)
    assert told.splitlines() == [str(home / "agon" / "cli" / "app.py"), *refused.values()]


@pytest.mark.system
def test_the_source_archive_has_no_data_that_lies_in_the_checkout(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("src/agon/errors.py", "friday/agon.db", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
    subprocess.run(build, cwd=tmp_path, capture_output=True, check=True)
    (file,) = (tmp_path / "dist").iterdir()
    with tarfile.open(file) as archive:
        names = {Path(name).name for name in archive.getnames()}
    assert "errors.py" in names
    assert not names & {"agon.db", "notes.txt"}


@pytest.mark.system
def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 2 << 20


def third_party(folder: Path) -> Iterator[tuple[str, str]]:
    """What the modules in a folder import from elsewhere: module, file."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            else:
                continue
            for name in names:
                top = name.partition(".")[0]
                if top != "agon" and top not in sys.stdlib_module_names:
                    yield top, str(path.relative_to(folder))


def test_imports_are_dependencies_of_the_package_or_of_the_extra_for_it() -> None:
    plain = {re.split(r"[^\w.-]", line)[0] for line in requires("agon") or () if ";" not in line}
    origin = packages_distributions()
    for module, file in third_party(PACKAGE):
        if module in WEB_MODULES | WITH_PLAIN:
            assert file.startswith(("website/", "servers/", "cli/")), (module, file)
        elif module == "psycopg":  # of the extra postgres; loaded for a server alone
            assert file == "datastore/postgresql.py"
        elif module == "ray":  # of the extra cluster; loaded when one is used
            assert file.startswith("arena/cluster/")
        elif file.startswith("learn/") and module != "numpy":  # of the extra learn
            assert module in LEARN_MODULES, (module, file)
        else:
            assert plain.intersection(map(str.lower, origin[module])), (module, file)
