"""The pipes between us and bubblewrap: its arguments, its files, its filter, its state.

Bubblewrap gets everything over descriptors, so nothing of it is in files or in the process table.
Each pipe has an end that is ours and an end that is bubblewrap's; once bubblewrap has its ends, we
close them on our side, so that the end of a pipe is seen when the other side goes away.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from agon.sandbox.bubblewrap import Pipes

if TYPE_CHECKING:
    from collections.abc import Mapping


class Wiring:
    """All pipes for one start; closing twice does no harm."""

    def __init__(self, seccomp: bytes, files: Mapping[str, bytes]) -> None:
        """Fill the pipes whose contents are known."""
        self._theirs: list[io.FileIO] = []
        self._ours: list[io.FileIO] = []
        try:
            self.arguments, arguments = self._towards_them()
            self.arguments_fd = arguments
            self.status = self._towards_us()
            status = self._theirs[-1].fileno()
            self.block, block = self._towards_them()
            filled = {name: self._filled(data) for name, data in files.items()}
            self.pipes = Pipes(self._filled(seccomp), status, filled, block, self.block.fileno())
        except BaseException:
            self.close()
            raise

    @property
    def inherited(self) -> list[int]:
        """The descriptors that bubblewrap must get."""
        return [*(end.fileno() for end in self._theirs), self.block.fileno()]

    def hand_over(self) -> None:
        """Close bubblewrap's ends on our side."""
        for end in self._theirs:
            end.close()

    def send_arguments(self, words: list[str]) -> None:
        """Let bubblewrap begin."""
        self.arguments.write(b"".join(word.encode() + b"\0" for word in words))
        self.arguments.close()

    def unblock(self) -> None:
        """Let the bot begin."""
        self.block.write(b"\n")

    def close(self) -> None:
        """Close what is still open of both sides."""
        for end in [*self._theirs, *self._ours]:
            end.close()

    def _pipe(self) -> tuple[io.FileIO, io.FileIO]:
        read, write = os.pipe()
        return io.FileIO(read, "r"), io.FileIO(write, "w")

    def _towards_them(self) -> tuple[io.FileIO, int]:
        read, write = self._pipe()
        self._theirs.append(read)
        self._ours.append(write)
        return write, read.fileno()

    def _towards_us(self) -> io.FileIO:
        read, write = self._pipe()
        self._ours.append(read)
        self._theirs.append(write)
        return read

    def _filled(self, data: bytes) -> int:
        write, read = self._towards_them()
        write.write(data)
        write.close()
        return read
