"""The form of an upload is read as far as it may be, and no farther."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from agon.errors import UploadError
from agon.games.registry import find_game
from agon.website.bots.manifest import check_name
from agon.website.bots.upload_form import read_form, read_upload_fields
from agon.website.upload_limits import UploadLimits

if TYPE_CHECKING:
    from starlette.types import Message

DOCS = Path(__file__).parents[3] / "docs" / "write-a-bot.md"
LIMITS = UploadLimits(bytes=1000)
MOST = 1000 + (1 << 20)
HEAD = b'--x\r\nContent-Disposition: form-data; name="zip"; filename="a"\r\n\r\n'
TAIL = b"\r\n--x--\r\n"


def read(pieces: list[bytes], *headers: tuple[bytes, bytes]) -> FormData:
    kind = (b"content-type", b"multipart/form-data; boundary=x")
    left = list(pieces)

    async def receive() -> Message:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def read_all() -> FormData:
        scope = {"type": "http", "app": None, "headers": [kind, *headers]}
        form = await read_form(Request(scope, receive), LIMITS)
        await form.close()
        return form

    return asyncio.run(read_all())


def test_a_form_that_says_how_large_it_is() -> None:
    read([HEAD + TAIL], (b"content-length", str(MOST).encode()))
    with pytest.raises(HTTPException, match="more than is taken") as caught:
        read([], (b"content-length", str(MOST + 1).encode()))
    assert caught.value.status_code == 413


def test_a_form_that_does_not_say_it() -> None:
    room = MOST - len(HEAD) - len(TAIL)
    assert "zip" in read([HEAD, bytes(room // 2), bytes(room - room // 2), TAIL])
    with pytest.raises(HTTPException, match="more than is taken") as caught:
        read([HEAD, bytes(room // 2), bytes(room - room // 2 + 1), TAIL])
    assert caught.value.status_code == 413


def test_a_form_has_so_many_fields() -> None:
    field = b'--x\r\nContent-Disposition: form-data; name="f"\r\n\r\nv\r\n'
    assert len(read([field * 20 + b"--x--\r\n"]).getlist("f")) == 20
    with pytest.raises(HTTPException, match=r"Too many fields.* Choose a zip, a folder") as caught:
        read([field * 21 + b"--x--\r\n"])
    assert caught.value.status_code == 400


def test_what_is_filled_in_has_a_length() -> None:
    assert read_upload_fields(FormData({"name": " " + "x" * 499})).name == "x" * 499
    for given in ("x" * 501, UploadFile(file=None, filename="x")):  # type: ignore[arg-type]
        with pytest.raises(UploadError, match="Shorten the name: at most 500 characters"):
            read_upload_fields(FormData({"name": given}))


@pytest.mark.parametrize("name", [" ant", "ant ", ""])
def test_a_name_without_spaces_at_its_ends(name: str) -> None:
    with pytest.raises(UploadError, match="one without spaces at its ends"):
        check_name(find_game("hive"), name)
    assert check_name(find_game("hive"), "x" * 64) == "x" * 64


def test_the_limits_are_those_of_the_documentation() -> None:
    limits, told = UploadLimits(), " ".join(DOCS.read_text().split())
    assert f"A bot may have {limits.files} files and {limits.bytes >> 20} MiB in all" in told
    assert limits.bytes == 32 * 1024 * 1024
    assert (
        f"You may have {limits.bots} bots, of which {limits.waiting} wait for their checks, and"
        f" {limits.challenges} challenges that wait or run" in told
    )
