"""Archives of strangers: what is good comes out as it was, what is bad does no harm."""

from __future__ import annotations

import io
import os
import stat
import tarfile
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import SandboxError
from agon.sandbox.unpack import unpack

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1 << 20


def entry(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644
) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, link, mode
    return made


def archive(*entries: tarfile.TarInfo, data: bytes = b"hello") -> io.BytesIO:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for one in entries:
            one.size = len(data) if one.isreg() else 0
            tar.addfile(one, io.BytesIO(data))
    packed.seek(0)
    return packed


def test_a_folder_comes_out_as_it_was(tmp_path: Path) -> None:
    long = "/".join(["f" * 90] * 4)
    folders = [entry("/".join(long.split("/")[:n]), tarfile.DIRTYPE) for n in (1, 2, 3)]
    unpack(
        archive(
            entry(".", tarfile.DIRTYPE),
            entry("./sub", tarfile.DIRTYPE, mode=0o4777),
            entry("./sub/run", mode=0o6711),
            entry("link", tarfile.SYMTYPE, "/etc/passwd"),
            entry("twin", tarfile.LNKTYPE, "./sub/run"),
            entry("pipe", tarfile.FIFOTYPE),
            entry("device", tarfile.CHRTYPE),
            *folders,
            entry(long),
            entry("far", tarfile.SYMTYPE, long),
        ),
        tmp_path,
        MIB,
    )
    assert (tmp_path / "sub" / "run").read_bytes() == b"hello"
    assert stat.S_IMODE((tmp_path / "sub" / "run").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "sub").stat().st_mode) == 0o755
    assert os.readlink(tmp_path / "link") == "/etc/passwd"
    assert (tmp_path / "twin").samefile(tmp_path / "sub" / "run")
    assert (tmp_path / "far").read_bytes() == b"hello"
    assert {path.name for path in tmp_path.iterdir()} == {"sub", "link", "twin", "far", "f" * 90}


@pytest.mark.parametrize(
    "entries",
    [
        [entry("/absolute")],
        [entry("../beside")],
        [entry("a/../../beside")],
        [entry("no/such/folder")],
        [entry("out", tarfile.SYMTYPE, ".."), entry("out/beside")],
        [entry("out", tarfile.SYMTYPE, ".."), entry("out/beside", tarfile.SYMTYPE, "x")],
        [entry("out", tarfile.SYMTYPE, ".."), entry("out", tarfile.DIRTYPE), entry("out/beside")],
        [entry("out", tarfile.SYMTYPE, "../beside"), entry("out")],
        [entry("out", tarfile.SYMTYPE, "../secret"), entry("twin", tarfile.LNKTYPE, "out")],
        [entry("twin", tarfile.LNKTYPE, "../secret")],
        [entry("twin", tarfile.LNKTYPE, "/etc/passwd")],
        [entry("file"), entry("file/x")],
        [entry("file"), entry("file")],
        [entry("x" * 300)],
        [entry("link", tarfile.SYMTYPE, "")],
    ],
)
def test_nothing_leads_out(tmp_path: Path, entries: list[tarfile.TarInfo]) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(SandboxError, match="in the built folder"):
        unpack(archive(*entries), target, MIB)
    assert {path.name for path in tmp_path.iterdir()} == {"target", "secret"}
    assert (tmp_path / "secret").stat().st_nlink == 1


def test_all_that_is_allowed_fits(tmp_path: Path) -> None:
    entries = (entry("f", tarfile.DIRTYPE), entry("n" * 100), entry("b"))
    unpack(archive(*entries, data=bytes(512)), tmp_path, 1024)
    assert (tmp_path / ("n" * 100)).stat().st_size == (tmp_path / "b").stat().st_size == 512
    target = tmp_path / "f" / "too-small"
    target.mkdir()
    with pytest.raises(SandboxError, match="larger than allowed"):
        unpack(archive(*entries, data=bytes(512)), target, 1023)


@pytest.mark.parametrize("size", [8**10, 8**11 - 1])
def test_too_much_is_too_much(tmp_path: Path, size: int) -> None:
    huge = entry("huge")
    huge.size = size
    with pytest.raises(SandboxError, match="larger than allowed"):
        unpack(io.BytesIO(huge.tobuf(tarfile.GNU_FORMAT)), tmp_path, MIB)


def test_so_many_entries_are_allowed(tmp_path: Path) -> None:
    rest = entry("", tarfile.FIFOTYPE).tobuf(tarfile.GNU_FORMAT)[100:]
    pipes = b"".join(str(number).encode().ljust(100, b"\0") + rest for number in range(50_000))
    unpack(io.BytesIO(pipes), tmp_path, MIB)
    with pytest.raises(SandboxError, match="larger than allowed"):
        unpack(io.BytesIO(pipes + b"x".ljust(100, b"\0") + rest), tmp_path, MIB)


@pytest.mark.parametrize(("mode", "made"), [(0o666, 0o644), (0o645, 0o755), (0o654, 0o755)])
def test_a_file_is_executable_if_it_was_for_any_user(tmp_path: Path, mode: int, made: int) -> None:
    unpack(archive(entry("a", mode=mode)), tmp_path, MIB)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == made


def test_a_file_of_an_old_archive(tmp_path: Path) -> None:
    unpack(archive(entry("a", tarfile.AREGTYPE)), tmp_path, MIB)
    assert (tmp_path / "a").read_bytes() == b"hello"


@pytest.mark.parametrize("length", [100, 101, 4095])
def test_long_links(tmp_path: Path, length: int) -> None:
    unpack(archive(entry("a", tarfile.SYMTYPE, "x" * length), entry("b")), tmp_path, MIB)
    assert os.readlink(tmp_path / "a") == "x" * length
    assert (tmp_path / "b").read_bytes() == b"hello"


def test_what_is_wrong_is_told_in_part(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="is longer than allowed"):
        unpack(archive(entry("a", tarfile.SYMTYPE, "x" * 4096)), tmp_path, MIB)
    long = "x" * 300
    for bad in (entry(long), entry(f"../{long}"), entry("a", tarfile.LNKTYPE, long)):
        with pytest.raises(SandboxError, match=r"'(../)?x{197,200}' in the built folder") as caught:
            unpack(archive(bad), tmp_path, MIB)
        assert str(caught.value).index("' in the") == 201


def test_a_failure_of_this_machine_is_not_the_archives(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        unpack(archive(entry("a")), tmp_path / "file", MIB)


def test_a_name_that_just_fits_its_field(tmp_path: Path) -> None:
    unpack(archive(entry("n" * 100)), tmp_path, MIB)
    assert [path.name for path in tmp_path.iterdir()] == ["n" * 100]


@pytest.mark.parametrize("size", [b"-1".ljust(12), b"0x10".ljust(12), b"\x80" + b"\xff" * 11])
def test_a_strange_size_is_none(tmp_path: Path, size: bytes) -> None:
    header = bytearray(entry("a").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = size
    with pytest.raises(SandboxError, match="cannot be read"):
        unpack(io.BytesIO(bytes(header)), tmp_path, MIB)


def test_half_an_archive_is_none(tmp_path: Path) -> None:
    whole = archive(entry("a"), data=bytes(2000)).getvalue()
    for number, length in enumerate((100, 600, 1400)):
        target = tmp_path / str(number)
        target.mkdir()
        with pytest.raises(SandboxError, match="ends too early"):
            unpack(io.BytesIO(whole[:length]), target, MIB)


@given(data=st.binary(max_size=3000))
def test_noise_does_no_harm(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    target = tmp_path_factory.mktemp("noise") / "target"
    target.mkdir()
    with suppress(SandboxError):
        unpack(io.BytesIO(data), target, MIB)
    assert [path.name for path in target.parent.iterdir()] == ["target"]
