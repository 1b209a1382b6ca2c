"""Connections to PostgreSQL that do not wait for ever: a server may be frozen, or its network gone.

The driver itself waits as long as the operating system keeps the connection open.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from psycopg import Connection, OperationalError

if TYPE_CHECKING:
    from collections.abc import Generator

INTERVAL_S = 0.1


class BoundedConnection(Connection[Any]):
    """Closed if the server does not answer in time."""

    answer_seconds: float = 60

    def wait(
        self,
        gen: Generator[Any, Any, Any],
        interval: float = INTERVAL_S,
        timeout: float | None = None,
    ) -> Any:
        """What the driver calls for every answer."""
        begin = time.monotonic()
        try:
            return super().wait(gen, interval, self.answer_seconds if timeout is None else timeout)
        except OperationalError:
            if timeout is not None or time.monotonic() - begin < self.answer_seconds:
                raise
            self.pgconn.finish()  # whatever is asked now would wait behind this
            told = f"the server has not answered for {self.answer_seconds:g} s"
            raise OperationalError(told) from None


def connect(answer_seconds: float, *arguments: Any, **settings: Any) -> BoundedConnection:
    connection = BoundedConnection.connect(*arguments, **settings)
    connection.answer_seconds = answer_seconds
    return connection
