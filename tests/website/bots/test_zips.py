"""Archives from strangers: what is taken, and every way in which one is refused."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import UploadError
from agon.website.bots.upload import Upload, check_path
from agon.website.bots.zips import unpack_zip
from agon.website.upload_limits import UploadLimits
from tests.website.bots.packing import pack, pack_special, tiny_files

LIMITS = UploadLimits()


def unpack(data: bytes, limits: UploadLimits = LIMITS) -> Upload:
    return unpack_zip(io.BytesIO(data), limits)


def test_the_files_of_a_bot() -> None:
    upload = unpack(pack({**tiny_files(), "data/book.txt": "openings"}))
    assert sorted(upload.files) == ["bot.py", "bot.toml", "data/book.txt"]
    assert upload.files["data/book.txt"].content == b"openings"
    assert not upload.files["bot.py"].executable


def test_a_bot_may_be_just_as_large_as_allowed() -> None:
    upload = Upload(UploadLimits(bytes=10, files=2, path=4))
    assert upload.wants("a.py")
    upload.add("a.py", b"12345")
    assert upload.wants("b.py")
    with pytest.raises(UploadError, match=r"b\.py"):
        upload.add("b.py", b"123456")
    upload.add("b.py", b"12345")
    with pytest.raises(UploadError, match="is number 3"):
        upload.wants("c.py")
    with pytest.raises(UploadError, match="expected a path of 1 to 4 characters"):
        upload.wants("ab.py")


def test_a_folder_around_everything_is_taken_off() -> None:
    files = {f"crawler/{path}": content for path, content in tiny_files().items()}
    assert sorted(unpack(pack(files)).files) == ["bot.py", "bot.toml"]


def test_folders_around_everything_are_taken_off_one_by_one() -> None:
    assert sorted(unpack(pack({"a/b/bot.toml": "x", "a/b/c": "y"})).files) == ["bot.toml", "c"]
    assert sorted(unpack(pack({"a/b/d": "x", "ab/c": "y"})).files) == ["a/b/d", "ab/c"]


@pytest.mark.parametrize("name", ["y" * 255, "ü" * 127, f"{'y' * 255}/{'z' * 244}"])
def test_names_may_be_just_as_long_as_allowed(name: str) -> None:
    assert name in unpack(pack({"bot.toml": "x", name: "x"})).files


def test_a_folder_beside_the_settings_stays() -> None:
    upload = unpack(pack({"bot.toml": "x", "src/a.py": "1"}))
    assert sorted(upload.files) == ["bot.toml", "src/a.py"]


def test_hidden_files_and_what_python_leaves_are_left_out_and_counted() -> None:
    junk = {".git/config": "x", "__pycache__/bot.pyc": "x", "__MACOSX/._bot.py": "x", "a/.env": "x"}
    upload = unpack(pack(tiny_files() | {path: text.encode() for path, text in junk.items()}))
    assert sorted(upload.files) == ["bot.py", "bot.toml"]
    assert upload.left_out == len(junk)


@pytest.mark.parametrize(("mode", "is_executable"), [(0o666, False), (0o645, True), (0o654, True)])
def test_a_file_is_executable_if_it_was_for_any_user(mode: int, is_executable: bool) -> None:
    assert unpack(pack({"a": "x"}, mode)).files["a"].executable is is_executable


def test_without_a_mode_the_first_bytes_tell() -> None:
    data = bytearray(pack({"run": "#!/bin/sh"}))
    table = data.index(b"PK\x01\x02")
    data[table + 38 : table + 42] = bytes(4)
    assert unpack(bytes(data)).files["run"].executable


def test_folders_are_no_files() -> None:
    assert sorted(unpack(pack({"src/": "", "src/a": "x", "b": "y"})).files) == ["b", "src/a"]
    with pytest.raises(UploadError, match="no file in it"):
        unpack(pack_special("src", stat.S_IFDIR | 0o755, b""))


def test_modes_are_kept() -> None:
    assert unpack(pack({"run.sh": "#!/bin/sh\n"}, 0o755)).files["run.sh"].executable
    assert not unpack(pack({"run.sh": "#!/bin/sh\n"}, 0o644)).files["run.sh"].executable


def test_without_modes_the_first_bytes_tell() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in (("run.sh", "#!/bin/sh\n"), ("notes.txt", "hello")):
            info = zipfile.ZipInfo(path)
            info.create_system = 0  # as Windows writes it
            archive.writestr(info, content)
    files = unpack(packed.getvalue()).files
    assert files["run.sh"].executable
    assert not files["notes.txt"].executable


@pytest.mark.parametrize(
    "path",
    [
        "../evil.py",
        "a/../../evil.py",
        "/etc/cron.d/evil",
        "C:/evil.py",
        "..\\evil.py",
        "a\\b.py",
        "./bot.py",
        "a//b.py",
        "a/./b.py",
        "line\nbreak.py",
        "bell\x07.py",
        "x" * 501,
        "y" * 256,
        "ü" * 128,
    ],
)
def test_paths_that_lead_elsewhere_or_nowhere(path: str) -> None:
    with pytest.raises(UploadError, match="expected") as caught:
        unpack(pack({**tiny_files(), path: "x"}))
    assert repr(path[:80]) in str(caught.value)


def test_a_path_that_is_cut_off_at_a_nul() -> None:
    data = pack({"bot.toml": "x", "good.pyX../evil": "x"}).replace(b"good.pyX", b"good.py\0")
    with pytest.raises(UploadError, match="plain characters"):
        unpack(data)


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60))
def test_no_accepted_path_leaves_the_folder(path: str) -> None:
    try:
        parts = check_path(path, LIMITS)
    except UploadError:
        return
    assert "/".join(parts) == path
    assert not {"", ".", ".."} & {*parts}


def test_links_and_devices() -> None:
    with pytest.raises(UploadError, match=r"'bot\.py' is a link\. Send plain files alone"):
        unpack(pack_special("bot.py", stat.S_IFLNK | 0o777))
    for kind in (stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK):
        with pytest.raises(UploadError, match="'pipe' is a device"):
            unpack(pack_special("pipe", kind | 0o644))


def test_an_encrypted_archive() -> None:
    data = bytearray(pack({"bot.py": "x"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(signature) + offset
        data[place] |= 1
    with pytest.raises(UploadError, match=r"'bot\.py' is encrypted\. Send an archive without"):
        unpack(bytes(data))


def test_an_unusual_packing() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("bot.py", "x" * 100)
    with pytest.raises(UploadError, match="Pack it as stored or deflated"):
        unpack(packed.getvalue())


def test_the_same_path_twice() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.py", "one")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("bot.py", "two")
    with pytest.raises(UploadError, match=r"'bot\.py' is there twice"):
        unpack(packed.getvalue())


def test_a_file_that_is_a_folder_too() -> None:
    with pytest.raises(UploadError, match="'data': it is a file, and 'data/book' lies in it"):
        unpack(pack({"bot.toml": "x", "data": "x", "data/book": "x"}))
    with pytest.raises(UploadError, match="'a/b': it is a file, and 'a/b/c/d' lies in it"):
        unpack(pack({"bot.toml": "x", "a/b": "x", "a/b/c/d": "x"}))


def test_a_bomb_by_its_declared_size() -> None:
    with pytest.raises(UploadError, match=r"'zeros' does not fit\. Send at most 32 MiB"):
        unpack(pack({"bot.toml": "x", "zeros": bytes(LIMITS.bytes + 1)}))


def test_many_files_that_are_too_large_together() -> None:
    small = replace(LIMITS, bytes=2500)
    with pytest.raises(UploadError, match="'c' does not fit"):
        unpack(pack({"a": bytes(1000), "b": bytes(1000), "c": bytes(501)}), small)
    assert unpack(pack({"a": bytes(1000), "b": bytes(1000), "c": bytes(500)}), small).size == 2500


def test_a_bomb_that_lies_about_its_size() -> None:
    data = bytearray(pack({"zeros": bytes(1 << 20)}))
    table = data.index(b"PK\x01\x02")
    data[table + 24 : table + 28] = struct.pack("<I", 10)
    with pytest.raises(UploadError, match="'zeros' is damaged"):
        unpack(bytes(data), replace(LIMITS, bytes=1000))


def test_too_many_files() -> None:
    few = replace(LIMITS, files=3)
    assert len(unpack(pack(dict.fromkeys("abc", "x")), few).files) == 3
    with pytest.raises(UploadError, match=r"'d' is number 4\. Send at most 3"):
        unpack(pack(dict.fromkeys("abcd", "x")), few)


def test_a_table_of_contents_without_end_is_not_read() -> None:
    names = {f"folder{number}/": "" for number in range(20)}
    with pytest.raises(UploadError, match="more than 12 entries"):
        unpack(pack(names), replace(LIMITS, files=3))


def test_as_many_entries_as_are_read() -> None:
    names = {f"folder{number}/": "" for number in range(12)}
    with pytest.raises(UploadError, match="no file in it"):
        unpack(pack(names), replace(LIMITS, files=3))
    with pytest.raises(UploadError, match="more than 12 entries"):
        unpack(pack(names | {"a": "x"}), replace(LIMITS, files=3))


@pytest.mark.parametrize("before", range(5))
def test_every_entry_counts_once_wherever_the_file_is_cut(before: int) -> None:
    """It is read in pieces of 64 KiB."""
    begin = b"PK\x01\x02" * 4 + bytes(65536 - 16 - before)
    with pytest.raises(UploadError, match="more than 4 entries"):
        unpack(begin + b"PK\x01\x02" + bytes(9), replace(LIMITS, files=1))
    with pytest.raises(UploadError, match="no zip archive"):
        unpack(begin[4:] + b"PK\x01\x02" + bytes(9), replace(LIMITS, files=1))
    with pytest.raises(UploadError, match="no zip archive"):
        unpack(begin[8:] + b"PK\x01\x02" + bytes(9), replace(LIMITS, files=1))


def test_a_zip_in_a_zip_is_a_file_like_any_other() -> None:
    inner = pack({"../evil": "x"})
    assert unpack(pack({"bot.toml": b"x", "more.zip": inner})).files["more.zip"].content == inner


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + b"\xff" * 18]
)
def test_no_archive_at_all(data: bytes) -> None:
    with pytest.raises(UploadError, match="no zip archive that can be read"):
        unpack(data)


def test_an_archive_that_is_cut_off_or_damaged() -> None:
    whole = pack({"bot.py": bytes(range(256)) * 20})
    with pytest.raises(UploadError, match="no zip archive"):
        unpack(whole[:-30])
    damaged = bytearray(whole)
    damaged[60] ^= 0xFF
    with pytest.raises(UploadError, match=r"'bot\.py' is damaged"):
        unpack(bytes(damaged))


def test_nothing_in_it() -> None:
    with pytest.raises(UploadError, match="no file in it"):
        unpack(pack({}))
    with pytest.raises(UploadError, match="no file in it"):
        unpack(pack({".hidden": "x"}))


@given(st.binary(max_size=300))
def test_whatever_comes_is_an_upload_or_refused(data: bytes) -> None:
    with pytest.raises(UploadError):
        unpack(data)


@given(st.integers(0, 400), st.integers(0, 255))
def test_one_byte_changed_is_an_upload_or_refused(place: int, value: int) -> None:
    data = bytearray(pack(tiny_files()))
    data[place % len(data)] = value
    try:
        upload = unpack(bytes(data))
    except UploadError:
        return
    assert upload.size <= LIMITS.bytes
