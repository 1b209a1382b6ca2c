"""Reels in a real browser: whoever reads them sees, at every step, what was drawn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.games.registry import NAMES, find_game
from agon.games.scene import Box, Disc, Group, Label, Look, Scene, Shape
from agon.match.replay_steps import player_names, tell
from agon.website.live.frames import Encoder, nodes_of
from agon.website.replay.documents import replay_lines
from agon.website.replay.moulds import Moulds, take_apart
from agon.website.replay.reels import Reel, format_steps, make_frame
from agon.website.replay.rows import find_staying
from benchmarks.website import Long, play_long_match
from tests.website.arena import play
from tests.website.viewing import Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, Page

LOOK = Look("test")

COMPARE = """async ([messages, scenes]) => {
  const { Moulds, Reel, splitSteps } = await import("/static/reel.js");
  const { Scenes } = await import("/static/scene.js");
  const sorted = (value) => JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort()) : one);
  const plain = ({ body, x, y, tip }) => {
    const place = { ...(x && { x: x / 100 }), ...(y && { y: y / 100 }), ...(tip && { tip }) };
    return { ...body, ...place };
  };
  const outline = (nodes) => {
    const found = {};
    for (const [id, { body, tip, kids = [], isPlain }] of nodes) {
      if (isPlain) continue;
      const inside = kids.map((kid) => (nodes.get(kid)?.isPlain ? plain(nodes.get(kid)) : kid));
      found[id] = sorted(id === "" ? inside : [body, tip, inside]);
    }
    return found;
  };
  const away = (one, other) => Math.hypot(one.x - other.x, one.y - other.y); // in hundredths
  const wrong = [];
  const check = (reel, whole, step) => {
    const seen = new Scenes();
    seen.read(structuredClone(whole));
    const [mine, theirs] = [reel.nodes(), seen.nodes];
    const [here, there] = [outline(mine), outline(theirs)];
    for (const id of new Set([...Object.keys(here), ...Object.keys(there)])) {
      if (here[id] !== there[id]) wrong.push([step, id, here[id], there[id]]);
      else if (id && away(mine.get(id), theirs.get(id)) > 2) wrong.push([step, id, "is elsewhere"]);
    }
  };
  const moulds = new Moulds();
  const reel = new Reel(moulds);
  const copies = [];
  for (const message of messages) {
    moulds.learn(message);
    for (const [place, columns] of splitSteps(message).entries()) {
      const { turn, stage = "" } = message.steps[place];
      copies.push([reel.copy(), turn, stage, columns]);
      reel.read(turn, stage, columns);
      check(reel, scenes[reel.step - 1], reel.step - 1);
    }
  }
  for (const [step, [copy, ...told]] of copies.entries()) {
    copy.read(...told);
    check(copy, scenes[step], `${step} again`);
  }
  return [reel.step, wrong.slice(0, 3)];
}"""
"""Reads messages, then each step again from a copy; finds what is not as in the whole scenes."""


@pytest.fixture(scope="module")
def page(browser: Browser, server: str) -> Iterator[Page]:
    viewer = Viewer(browser, server)
    yield viewer.open("/replay")
    viewer.close()


def compare(page: Page, messages: Sequence[Any], scenes: Sequence[Scene]) -> None:
    whole = [Encoder().encode({}, nodes_of(scene)) for scene in scenes]
    assert page.evaluate(COMPARE, [messages, whole]) == [len(scenes), []]


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize(("turns", "in_stages"), [(2, True), (12, False)])
def test_matches_of_as_many_as_can_play_are_read_as_they_were_drawn(
    page: Page, game: str, turns: int, in_stages: bool
) -> None:
    options = {"board": "hexagon"} if game == "atlantis" else {}
    long = Long(game, max(find_game(game).seats), "greedy", 1, options)
    transcript = play_long_match(long, turns).transcript
    _, *lines = replay_lines(transcript, None, 10**6 * in_stages, 10**9)
    names = player_names(transcript)
    steps = tell(transcript, in_stages=in_stages)
    compare(page, [*map(json.loads, lines)], [step.position.scene(None, names) for step in steps])


def test_a_view_is_read_as_it_was_drawn(page: Page) -> None:
    transcript = play("battlebots", ("greedy", "random"), turns=20).transcript
    _, *lines = replay_lines(transcript, 1, 0)
    names = player_names(transcript)
    steps = tell(transcript, in_stages=False)
    compare(page, [*map(json.loads, lines)], [step.position.scene(1, names) for step in steps])


def tell_scenes(scenes: Sequence[Scene], stages: Sequence[str]) -> list[dict[str, Any]]:
    """Some scenes of one turn each, two to a message."""
    reel = Reel()
    frames: list[Any] = []
    for turn, (scene, stage) in enumerate(zip(scenes, stages, strict=True)):
        frames.append(make_frame(scene, turn, stage, frames[-1] if frames else None))
    messages = []
    for first in range(0, len(frames), 2):
        numbers = range(first, min(first + 2, len(frames)))
        columns = [reel.tell(frames[number], frames[number + 1 :]) for number in numbers]
        steps = [{"turn": number, "stage": stages[number]} for number in numbers]
        messages.append(reel.take_new() | format_steps(columns) | {"steps": steps})
    return json.loads(json.dumps(messages))  # type: ignore[no-any-return]


PLACES = st.integers(-3, 3).map(float) | st.floats(-500, 500).map(lambda x: round(x, 4))
TEXTS = st.sampled_from(["", "1 of 2", "2 of 2", "12 of 007", "one", "9999999999", "x"])


def discs(ids: str) -> st.SearchStrategy[list[Shape]]:
    disc = st.builds(
        Disc,
        st.sampled_from(ids).flatmap(lambda name: st.integers(0, 12).map(lambda n: f"{name}{n}")),
        st.sampled_from(["red", "blue"]),
        PLACES,
        PLACES,
        radius=st.sampled_from([1.0, 2.25, 30]),
        tip=TEXTS,
    )
    label = st.builds(
        Label, st.sampled_from(["l1", "l2"]), st.just("words"), PLACES, text=TEXTS, size=PLACES
    )
    return st.lists(disc | label, max_size=6, unique_by=lambda one: one.id)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Some shapes, and a group that may hold others, plain ones among them."""
    outside = draw(discs("ab"))
    inside = [one for one in draw(discs("cd")) if one.id not in {other.id for other in outside}]
    plain = Box("", "plain", draw(st.integers(-3, 3)), width=draw(PLACES), height=1)
    parts = (*inside[:2], plain, *inside[2:], Box("", "floor", width=1, height=1))
    group = Group("group", "holder", draw(PLACES), tip=draw(TEXTS), parts=parts, scale=0.25)
    shapes = [*outside, *([group] if draw(st.booleans()) else [])]
    return Scene("a test", 100, 100, LOOK, tuple(draw(st.permutations(shapes))))


STEPS = st.lists(
    st.tuples(scenes(), st.sampled_from(["", "march", "turn 7"])), min_size=1, max_size=6
)


@given(STEPS)
@settings(max_examples=40, deadline=None)
def test_any_scenes_are_read_as_they_were_drawn(page: Page, steps: list[tuple[Scene, str]]) -> None:
    found, stages = zip(*steps, strict=True)
    compare(page, tell_scenes(found, stages), found)


def army(number: int, x: float, soldiers: int, to_go: int) -> Scene:
    text = Label("", "size", text=str(soldiers), size=9)
    tip = f"ann: {soldiers} from dule to nori, {to_go} to go"
    return Scene("", 9, 9, LOOK, (Group(f"army-{number}", "army", x, tip=tip, parts=(text,)),))


def marches(*armies: Sequence[tuple[int, float, int, int]]) -> list[Scene]:
    return [army(*step) for march in armies for step in march]


def columns_of(scenes: Sequence[Scene]) -> list[dict[str, list[int]]]:
    reel = Reel()
    frames = [make_frame(scene, turn, "", None) for turn, scene in enumerate(scenes)]
    return [dict(reel.tell(frame, frames[turn + 1 :])) for turn, frame in enumerate(frames)]


def test_a_march_is_told_once_and_then_foreseen() -> None:
    first = [(0, 10 + 3.3333 * i, 7, 4 - i) for i in range(4)]
    second = [(4, 10 + 3.3333 * i, 7, 4 - i) for i in range(4)]
    third = [(8, 10 + 3.3333 * i, 9, 4 - i) for i in range(4)]
    columns = columns_of(marches(first, second, third))
    assert columns[1].keys() == {"steer", "steer_at", "steer_by"}
    assert columns[2:4] == [{}, {}]
    assert columns[4] == {"gone": [0], "born": [0], "jump": [0], "jump_at": [0], "jump_by": [4]}
    assert columns[5:8] == [{}, {}, {}]
    soldiers = {
        "jump": [0],
        "jump_at": [3],
        "jump_by": [2],
    }  # that they go when they do is foreseen
    assert columns[8] == {"born": [0], **soldiers}
    assert columns[9:] == [{}, {}, {}]


def test_a_number_within_a_node_is_that_of_its_words() -> None:
    (first,) = army(3, 1, 30, 4).shapes
    (second,) = army(3, 1, 31, 4).shapes
    drawn = take_apart(first, None)
    mould = Moulds().find(drawn, None)
    assert mould.numbers_of(drawn) == [3, 10_000, 0, 30, 4, 900]
    later = take_apart(second, drawn)
    assert mould.fits(later)
    assert mould.numbers_of(later) == [3, 10_000, 0, 31, 4, 900]


@given(st.permutations("abcdef"), st.permutations("abcxyz").map(lambda ids: ids[:4]))
def test_what_stays_is_in_both_orders(there: list[str], wanted: list[str]) -> None:
    staying = find_staying(there, wanted)
    assert [one for one in there if one in staying] == [one for one in wanted if one in staying]
    common = [one for one in wanted if one in there]
    assert bool(staying) == bool(common)
