"""A transcript from somebody's own disk, shown like a stored match. Nothing of it is kept."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from agon.errors import AgonError, SettingError, TranscriptError
from agon.match.transcript import GZIP_MAGIC, parse_transcript
from agon.website.accounts.policy import client_key, hold_up
from agon.website.http.errors import answer
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import render
from agon.website.replay.documents import answer_replay, compress, replay_lines
from agon.website.replay.replay_cache import show_turn
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Message

    from agon.match.transcript import Transcript

router = APIRouter(include_in_schema=False)

FORM_BYTES = 16 << 10
"""Room for the fields around the file."""
NOT_SHARED = "private, no-cache"


@dataclass(frozen=True, slots=True)
class Sent:
    """What a form of the page holds."""

    name: str
    content: bytes
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form of the page asks for."""

    name: str
    transcript: Transcript
    turn: int | None
    seat: int | None


@router.get("/replay", response_class=HTMLResponse)
def replay_page(request: Request) -> Response:
    """The page on which a file is opened."""
    return render(request, "replay.html", error="", shown=None, name="")


@router.post("/replay", response_class=HTMLResponse)
async def open_replay(request: Request) -> Response:
    """The match of a file, for browsers without scripts: its end, or one turn."""
    sent = await read_form(request)
    return await run_in_threadpool(_show_file, request, sent)


@router.post("/replay/frames.json")
async def replay_frames(request: Request) -> Response:
    """The match of a file for the page's script."""
    sent = await read_form(request)
    return await run_in_threadpool(_send_frames, request, sent)


def _show_file(request: Request, sent: Sent) -> Response:
    try:
        asked = parse_form(sent, get_site(request).settings.largest_replay)
        shown = show_turn(asked.transcript, asked.turn, asked.seat, linked=False)
    except AgonError as error:
        return render(
            request, "replay.html", status=400, error=str(error), shown=None, name=sent.name
        )
    return render(
        request,
        "replay.html",
        error="",
        shown=shown,
        name=asked.name,
        look=look_address(shown.game),
        glyphs=draw_glyphs(shown.game),
    )


def _send_frames(request: Request, sent: Sent) -> Response:
    try:
        asked = parse_form(sent, get_site(request).settings.largest_replay)
        seats = len(asked.transcript.players)
        if asked.seat is not None and asked.seat >= seats:
            raise SettingError(f"seat {asked.seat}: the match has seats 0 to {seats - 1}")
        lines = replay_lines(asked.transcript, asked.seat)
        first = next(lines)  # a match that cannot begin is refused before anything is sent
    except AgonError as error:
        return answer(request, HTTPStatus.BAD_REQUEST, str(error))
    return answer_replay(request, compress(chain((first,), lines)), NOT_SHARED)


async def read_form(request: Request) -> Sent:
    """The form that was sent, if it is not too large; no more of it is read than may be."""
    site = get_site(request)
    hold_up(site.openings, client_key(request), site.now_ns())
    most = site.settings.largest_replay + FORM_BYTES
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            told = f"The file is larger than {site.settings.largest_replay >> 20} MiB."
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async with Request(request.scope, receive).form(max_files=1, max_fields=8) as form:
        file = form.get("file")
        fields = {key: value for key, value in form.items() if isinstance(value, str)}
        if not isinstance(file, UploadFile):
            return Sent("", b"", fields)
        return Sent(file.filename or "", await file.read(), fields)


def parse_form(sent: Sent, most: int) -> Asked:
    """What the form asks for; TranscriptError says where the file is wrong."""
    if not sent.name:
        raise SettingError("no file: expected a transcript")
    text = unpack(sent.content, most)
    turn, seat = _number(sent, "turn"), _number(sent, "seat")
    return Asked(sent.name, parse_transcript(text), turn, seat)


def _number(sent: Sent, key: str) -> int | None:
    text = sent.fields.get(key, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise SettingError(f"{key} {text[:20]!r}: expected a number, or nothing")
    return int(text)


def unpack(data: bytes, most: int) -> str:
    """The text of a file, gzipped or not; never more than so many bytes of it."""
    if data.startswith(GZIP_MAGIC):
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            data = unpacker.decompress(data, most + 1)
        except zlib.error as error:
            raise TranscriptError(f"the file is not gzipped as it should be: {error}") from None
        if not unpacker.eof and len(data) <= most:
            raise TranscriptError("the file ends too soon: it was cut off")
    if len(data) > most:
        raise TranscriptError(f"unpacked, the file is larger than {most >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TranscriptError(f"byte {error.start} of the file is not UTF-8") from None
