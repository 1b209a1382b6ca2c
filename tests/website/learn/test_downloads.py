"""Agon itself, offered beside the starters."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError
from agon.website.downloads import find_downloads
from agon.website.site import SiteSettings
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import World

WHEEL = f"agon-{version('agon')}-py3-none-any.whl"
SOURCE = f"agon-{version('agon')}.tar.gz"
STARTERS = "/learn/hive/starters"


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    """A site whose folder of downloads is the one with its data."""
    for name in (WHEEL, SOURCE):
        (blank.parent / name).write_text(f"the bytes of {name}")
    world = make_world(blank, SiteSettings(downloads=find_downloads(blank.parent)))
    yield world
    world.close()


def test_the_wheel_is_installed_from_the_address_that_the_visitor_uses(world: World) -> None:
    page = world.browser().get(STARTERS).text
    assert f"pip install http://agon.test/download/{WHEEL}\n" in f"{page}\n".replace("<", "\n")
    for name in (WHEEL, SOURCE):
        assert f'<a href="/download/{name}" download>' in page
        answer = world.browser().get(f"/download/{name}")
        assert answer.text == f"the bytes of {name}"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize("name", ["agon.db", "", ".", "..%2fagon.db", "%2e%2e/agon.db", WHEEL[:-1]])
def test_no_other_file_of_the_folder_is_given_out(world: World, name: str) -> None:
    assert world.browser().get(f"/download/{name}").status_code == 404


def test_a_site_without_downloads_says_how_to_install_from_source(blank: Path) -> None:
    world = make_world(blank)
    page = world.browser().get(STARTERS).text
    assert "<code>pip install .</code>" in page
    assert "/download/" not in page
    assert world.browser().get(f"/download/{WHEEL}").status_code == 404
    world.close()


def test_a_folder_without_one_of_the_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / WHEEL).touch()
    with pytest.raises(SettingError, match=f"expected {SOURCE} in it; `make wheel` builds it"):
        find_downloads(tmp_path)
