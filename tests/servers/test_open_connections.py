"""Which connection is closed when there are too many: without sockets, and time stands still."""

from __future__ import annotations

from agon.servers.open_connections import JUST_NS, MOST_OF_ADDRESS, ConnectionState, OpenConnections
from tests.servers.mebipenny.quiet_lobby import Time


class Fake:
    """A connection that remembers whether it was closed."""

    def __init__(self) -> None:
        self.is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


class Desk:
    """Connections that are numbered as they come."""

    def __init__(self, most: int) -> None:
        self.time = Time()
        self.open = OpenConnections(most, self.time.read, self.time)
        self.all: list[Fake] = []

    def come(self, address: str = "a", state: ConnectionState = ConnectionState.UNFINISHED) -> Fake:
        connection = Fake()
        self.all.append(connection)
        assert self.open.admit(connection, address)
        self.open.set_state(connection, state)
        return connection

    @property
    def dropped(self) -> list[int]:
        return [number for number, one in enumerate(self.all) if one.is_dropped]


def test_the_oldest_unfinished_one_makes_room() -> None:
    desk = Desk(3)
    for state in (ConnectionState.IDLE, ConnectionState.UNFINISHED, ConnectionState.UNFINISHED):
        desk.come(state=state)
    desk.come()
    assert desk.dropped == [1]
    desk.come(state=ConnectionState.BUSY)
    assert desk.dropped == [1, 2]
    assert len(desk.open) == 3


def test_the_address_with_the_most_of_them_makes_room() -> None:
    desk = Desk(4)
    for address in ("honest", "b", "b", "b", "b", "b"):
        desk.come(address)
    assert desk.dropped == [1, 2]


def test_among_addresses_with_as_many_the_oldest_goes() -> None:
    desk = Desk(2)
    for address in ("a", "b", "c"):
        desk.come(address)
        desk.time.pass_by(1)
    assert desk.dropped == [0]


def test_idle_ones_go_next_and_those_with_a_request_never() -> None:
    desk = Desk(3)
    busy = [
        desk.come(state=state)
        for state in (ConnectionState.BUSY, ConnectionState.IDLE, ConnectionState.IDLE)
    ]
    desk.come(state=ConnectionState.BUSY)
    desk.come(state=ConnectionState.BUSY)
    assert desk.dropped == [1, 2]
    assert not desk.open.admit(Fake(), "a")
    desk.open.forget(busy[0])
    assert desk.open.admit(Fake(), "a")
    assert desk.dropped == [1, 2]


def test_a_connection_is_as_old_as_its_state() -> None:
    desk = Desk(2)
    first, _ = desk.come(), desk.come()
    desk.open.set_state(first, ConnectionState.UNFINISHED)  # still
    desk.open.set_state(first, ConnectionState.BUSY)
    desk.open.set_state(first, ConnectionState.UNFINISHED)  # again
    desk.come()
    assert desk.dropped == [1]


def test_an_address_has_only_so_many_of_them_that_are_not_new() -> None:
    desk = Desk(1000)
    for _ in range(3 * MOST_OF_ADDRESS):  # all at once: their requests are on their way
        desk.come()
    other = desk.come("b")
    assert desk.dropped == []
    desk.time.pass_by(JUST_NS)
    desk.come()
    desk.come()
    assert desk.dropped == [0, 1]
    assert not other.is_dropped


def test_what_is_closed_is_forgotten() -> None:
    desk = Desk(2)
    gone = desk.come()
    desk.open.forget(gone)
    desk.open.set_state(gone, ConnectionState.UNFINISHED)
    desk.open.forget(gone)
    assert len(desk.open) == 0
    desk.come()
    desk.come()
    desk.come()
    assert desk.dropped == [1]
