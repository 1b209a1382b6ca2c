r"""Bytes of a connection, cut into lines.

>>> lines = LineSplitter(5)
>>> lines.feed(b"one\r\ntw")
>>> lines.take(), lines.take()
(b'one', None)
>>> lines.feed(b"o\n\nto")
>>> lines.take(), lines.take(), lines.take()
(b'two', b'', None)
>>> lines.feed(b" long")
>>> lines.take(), lines.is_too_long
(None, True)
"""

from __future__ import annotations


class LineSplitter:
    r"""Takes bytes as they come and gives lines, one by one; they end in \n or \r\n."""

    def __init__(self, longest: int) -> None:
        """A line of more bytes than that, without its end, is too long."""
        self.is_too_long = False
        self._longest = longest
        self._data = b""
        self._at = 0
        self._looked_to = 0

    def feed(self, data: bytes) -> None:
        """More bytes have come."""
        rest = self._data[self._at :]
        self._looked_to = max(0, self._looked_to - self._at)
        self._data, self._at = rest + data, 0

    def take(self) -> bytes | None:
        """The next line without its end; None if there is none yet, or only one that is too long.

        After a line that was too long nothing more is given.
        """
        if self.is_too_long:
            return None
        end = self._data.find(b"\n", max(self._at, self._looked_to))
        stop = len(self._data) if end < 0 else end
        if end > self._at and self._data[end - 1] == 0x0D:
            stop = end - 1
        if stop - self._at > self._longest + (end < 0):  # the last byte may yet turn out to be \r
            self.is_too_long = True
            self._data, self._at = b"", 0
            return None
        if end < 0:
            self._looked_to = stop
            return None
        line = self._data[self._at : stop]
        self._at = end + 1
        return line
