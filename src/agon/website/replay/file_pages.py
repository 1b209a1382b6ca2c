"""A match from a visitor's own disk, shown like a stored one. It is never stored.

The file is a transcript, or a log or map in the text of its game: its content says which.

The page's script fetches the pieces of its replay one by one. For that the transcript stays in
memory for some minutes, under a secret key that only this page knows; when it has been dropped, the
script sends the file again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from agon.errors import AgonError, SettingError, TranscriptError
from agon.match.transcript import GZIP_MAGIC, parse_transcript
from agon.website.accounts.policy import client_key, hold_up
from agon.website.http.body_limit import said_length
from agon.website.http.errors import not_found
from agon.website.render.boards import draw_glyphs, look_address
from agon.website.render.pages import render
from agon.website.replay.answers import answer_piece, piece_address
from agon.website.replay.pieces import load_match
from agon.website.replay.replay_cache import WantedPiece, replay_cache_of
from agon.website.replay.shown_turn import show_turn
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Message

    from agon.match.transcript import Transcript

router = APIRouter(include_in_schema=False)

FORM_BYTES = 16 << 10
"""Room for the fields around the file."""
NOT_KEPT = "private, no-store"
KEYS = 64
"""Letters that the key of a transcript has at most."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """What a form of the page holds."""

    name: str
    content: bytes
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What a form of the page asks for."""

    name: str
    transcript: Transcript
    turn: int | None
    seat: int | None
    by_script: bool
    """Whether the page's script will ask for the pieces of the replay."""


@router.get("/replay", response_class=HTMLResponse)
def replay_page(request: Request) -> Response:
    return render(request, "replay.html", error="", shown=None, name="")


@router.post("/replay", response_class=HTMLResponse)
async def open_replay(request: Request) -> Response:
    """The match of a file, for browsers without scripts: its end, or one turn."""
    sent = await read_form(request)
    return await run_in_threadpool(_show_file, request, sent)


@router.get("/replay/{key}/{turn}")
def replay_piece(
    request: Request,
    key: Annotated[str, Path(max_length=KEYS)],
    turn: Annotated[int, Path(ge=0, le=10**6)],
    seat: Annotated[int | None, Query(ge=0)] = None,
    *,
    long: bool = False,
) -> Response:
    """The piece of a file's replay that holds a turn, for the page's script."""
    cache = replay_cache_of(get_site(request))
    transcript = cache.find_upload(key)
    if transcript is None:
        raise not_found("This file is not in memory any more: open it again.")
    match = cache.load(key, lambda: transcript)
    try:
        return answer_piece(request, key, match, WantedPiece(turn, seat, long), NOT_KEPT)
    except SettingError as error:
        raise not_found(str(error)) from None


def _show_file(request: Request, sent: SentForm) -> Response:
    site = get_site(request)
    key = ""
    try:
        asked = parse_form(sent, site.settings.largest_replay)
        if asked.by_script:
            key = replay_cache_of(site).add_upload(asked.transcript)
            match = replay_cache_of(site).load(key, lambda: asked.transcript)
        else:
            match = load_match(asked.transcript)
        shown = show_turn(match, asked.turn, asked.seat, linked=False)
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
        file_notes=asked.transcript.notes,
        replay=piece_address(f"/replay/{key}") if key else "",
        look=look_address(shown.look),
        glyphs=draw_glyphs(shown.look),
    )


async def read_form(request: Request) -> SentForm:
    """The form that was sent, if it is not too large; no more of it is read than may be."""
    site = get_site(request)
    hold_up(site.openings, client_key(request), site.now_ns())
    most = site.settings.largest_replay + FORM_BYTES
    told = f"The file is larger than {site.settings.largest_replay >> 20} MiB."
    too_large = HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)
    if said_length(request.scope) > most:
        raise too_large
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise too_large

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async with Request(request.scope, receive).form(max_files=1, max_fields=8) as form:
        file = form.get("file")
        fields = {key: value for key, value in form.items() if isinstance(value, str)}
        if not isinstance(file, UploadFile):
            return SentForm("", b"", fields)
        return SentForm(file.filename or "", await file.read(), fields)


def parse_form(sent: SentForm, most: int) -> ReplayRequest:
    """What the form asks for; TranscriptError says where the file is wrong."""
    if not sent.name:
        raise SettingError("no file: expected a transcript, or a log or map of a game")
    text = unpack(sent.content, most)
    turn, seat = _number(sent, "turn"), _number(sent, "seat")
    return ReplayRequest(sent.name, parse_transcript(text), turn, seat, "script" in sent.fields)


def _number(sent: SentForm, key: str) -> int | None:
    text = sent.fields.get(key, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise SettingError(f"{key} {text[:20]!r}: expected a number, or nothing")
    return int(text)


def unpack(data: bytes, most: int) -> str:
    """The text of a file, gzipped or not; at most `most` bytes of it."""
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
