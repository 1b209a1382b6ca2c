"""The form with which a bot is uploaded: a zip, a folder, or one file with a run command."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request

from agon.errors import UploadError
from agon.website.bots.manifest import UploadFields
from agon.website.bots.upload import MIB, Upload
from agon.website.bots.zips import unpack_zip
from agon.website.http.body_limit import said_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.types import Message

    from agon.website.upload_limits import UploadLimits

ROOM = 1 * MIB
"""For what stands around the files in a form."""
FIELDS = ("game", "name", "run", "build", "language", "protocol")
MOST_FIELDS = 20
LONGEST_FIELD = 500
WAYS = ("zip", "folder", "file")
ONE_WAY = "Choose a zip, a folder, or a single file."


async def read_form(request: Request, limits: UploadLimits) -> FormData:
    """The form that is being sent; no more of it is read than may be. Close it."""
    most = limits.bytes + ROOM
    if said_length(request.scope) > most:
        raise too_much(limits)
    read = 0

    async def receive() -> Message:
        nonlocal read
        message = await request.receive()
        read += len(message.get("body", b""))
        if read > most:
            raise MultiPartException("too large")  # what was read by then is given up in order
        return message

    try:
        form = Request(request.scope, receive).form(max_files=limits.files, max_fields=MOST_FIELDS)
        return await form
    except HTTPException as error:
        if read > most:
            raise too_much(limits) from None
        raise HTTPException(error.status_code, f"{error.detail} {ONE_WAY}") from None


def too_much(limits: UploadLimits) -> HTTPException:
    """The answer to an upload that is too large."""
    return HTTPException(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"That is more than is taken. Send at most {limits.bytes / MIB:g} MiB of files,"
        " a bot's own alone.",
    )


def read_upload_fields(form: FormData) -> UploadFields:
    texts = {}
    for key in FIELDS:
        text = form.get(key, "")
        if not isinstance(text, str) or len(text) > LONGEST_FIELD:
            raise UploadError(f"Shorten the {key}: at most {LONGEST_FIELD} characters are taken.")
        texts[key] = text.strip()
    return UploadFields(**texts)


def read_upload(form: FormData, limits: UploadLimits) -> Upload:
    """The files of the one way that was used."""
    given = {way: files for way in WAYS if (files := _files(form, way))}
    if not given:
        raise UploadError(f"No file was chosen. {ONE_WAY}")
    if len(given) > 1:
        raise UploadError(f"You have chosen a {' and a '.join(given)}. {ONE_WAY}")
    ((way, files),) = given.items()
    if way == "zip":
        return unpack_zip(files[0].file, limits)
    upload = Upload(limits, is_single=way == "file")
    for file in files:
        path = file.filename or ""
        if upload.wants(path):
            upload.add(path, file.file.read(upload.room + 1))
    upload.settle()
    return upload


def _files(form: FormData, way: str) -> Sequence[UploadFile]:
    """The files of a field; a browser sends an empty one where none was chosen."""
    return [
        one
        for one in form.getlist(way)
        if isinstance(one, UploadFile) and (one.filename or one.size)
    ]
