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


def test_too_much_is_too_much(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="larger than allowed"):
        unpack(archive(entry("a"), entry("b"), data=bytes(600)), tmp_path, 1000)
    huge = entry("huge")
    huge.size = 8**11 - 1
    with pytest.raises(SandboxError, match="larger than allowed"):
        unpack(io.BytesIO(huge.tobuf(tarfile.GNU_FORMAT)), tmp_path, MIB)


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
