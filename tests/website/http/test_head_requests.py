"""HEAD is answered as GET is, without a body, also where GET is a stream that does not end."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tests.website.people import make_world

if TYPE_CHECKING:
    from pathlib import Path


def test_the_head_of_a_page_and_of_a_stream(blank: Path) -> None:
    with closing(make_world(blank)) as world:
        whole, head = world.browser().get("/login"), world.browser().send("HEAD", "/login")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]
        stream = world.browser().send("HEAD", "/live/events")
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert world.site.places.count == 0, "the stream was left at once"
