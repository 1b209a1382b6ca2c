"""Zip archives from strangers: nothing is unpacked that was not looked at first.

Sizes are checked as declared and once more as they come out; a zip inside a zip is a file like any
other. Links, devices and encrypted files are refused, and so is every path that leads elsewhere.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

from agon.errors import UploadError
from agon.website.bots.upload import SHOWN, Upload, too_large

if TYPE_CHECKING:
    from typing import BinaryIO

    from agon.website.upload_limits import UploadLimits

ENCRYPTED = 0x1
UNIX = 3
MODE_SHIFT = 16
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY = b"PK\x01\x02"
"""Every entry of the table of contents begins like this."""
MOST_ENTRIES_PER_FILE = 4
"""How many entries a zip may have for each file that is allowed: it also lists folders and junk."""
CHUNK = 1 << 16
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
)


def unpack_zip(file: BinaryIO, limits: UploadLimits) -> Upload:
    _check_table(file, limits)
    upload = Upload(limits)
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                _take(archive, info, upload)
    except BROKEN as error:
        raise UploadError(
            f"This is no zip archive that can be read ({error}). Pack it again."
        ) from None
    upload.settle()
    return upload


def _check_table(file: BinaryIO, limits: UploadLimits) -> None:
    """Refuse a table of contents that would be long before it is read into memory."""
    most = limits.files * MOST_ENTRIES_PER_FILE
    file.seek(0)
    count, tail = 0, b""
    while chunk := file.read(CHUNK):
        window = tail + chunk
        count += window.count(ENTRY)
        tail = window[-len(ENTRY) + 1 :]
        if count > most:
            raise UploadError(
                f"The archive has more than {most} entries. Send at most {limits.files} files."
            )
    file.seek(0)


def _take(archive: zipfile.ZipFile, info: zipfile.ZipInfo, upload: Upload) -> None:
    path = info.orig_filename  # as it stands there; the other is cut off at a NUL
    shown = repr(path[:SHOWN])
    mode = info.external_attr >> MODE_SHIFT
    if path.endswith("/") or stat.S_ISDIR(mode):
        return
    if stat.S_ISLNK(mode):
        raise UploadError(f"File {shown} is a link. Send plain files alone.")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise UploadError(f"File {shown} is a device or the like. Send plain files alone.")
    if info.flag_bits & ENCRYPTED:
        raise UploadError(f"File {shown} is encrypted. Send an archive without a password.")
    if not upload.wants(path):
        return
    if info.compress_type not in METHODS:
        raise UploadError(
            f"File {shown} is packed in an unusual way. Pack it as stored or deflated."
        )
    if info.file_size > upload.room:
        raise too_large(path, upload.limits)
    has_mode = info.create_system == UNIX and mode != 0
    content = _read(archive, info, upload.room)
    upload.add(path, content, bool(mode & 0o111) if has_mode else None)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes:
    """The bytes of a file, never more than one beyond the room, whatever the archive declares."""
    try:
        with archive.open(info) as file:
            return file.read(room + 1)
    except BROKEN as error:
        raise UploadError(
            f"File {info.orig_filename[:SHOWN]!r} is damaged ({error}). Pack it again."
        ) from None
