"""Scenes that play by themselves."""

from __future__ import annotations

from xml.etree import ElementTree

from agon.games.animation import format_animation
from agon.games.hive.match_text import parse_match

SVG = "{http://www.w3.org/2000/svg}"
MATCH = "Base;InProgress;White[3];wS1;bG1 wS1-;wQ -wS1;bQ bG1-"


def test_a_film_is_one_picture_with_a_group_for_every_scene() -> None:
    scenes = [position.scene(None) for position in parse_match(MATCH)]
    film = format_animation(scenes, 500)
    root = ElementTree.fromstring(film)  # noqa: S314  our own picture
    frames = [group for group in root.findall(f"{SVG}g") if group.get("class") == "frame"]
    assert len(frames) == len(scenes) == 5
    delays = [(frame.get("style") or "").rpartition(":")[2] for frame in frames]
    assert delays == ["0ms", "500ms", "1000ms", "1500ms", "2000ms"]
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert "4000ms step-end infinite" in film  # four short frames and the last


def test_one_scene_is_a_film_too() -> None:
    film = format_animation([parse_match(MATCH)[-1].scene(None)], 500)
    assert ElementTree.fromstring(film).findall(f"{SVG}g")  # noqa: S314
