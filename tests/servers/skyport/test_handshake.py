"""From dialling in to the first gamestate, over real sockets: bytes in every form."""

from __future__ import annotations

import asyncio
import json

from tests.servers.skyport.calling import LASER_DROID, MS, connect, encode, run, serving

WELCOME = {"message": "connect", "status": True}


def test_who_is_silent_is_told_and_dropped(loop: str) -> None:
    async def test() -> None:
        async with serving(handshake_ns=50 * MS) as lobby:
            silent, half = await lobby.call(), await lobby.call()
            named = await lobby.call("ann")
            await half.send(b'{"message": "conn')
            for caller in (silent, half):
                assert await caller.rest() == [{"error": "no handshake within 0.05 s"}]
            other = await lobby.call("bob")  # ann is there still
            assert (await named.gamestate())["turn"] == 0
            assert (await other.gamestate())["turn"] == 0

    run(loop, test)


def test_both_line_ends_are_read(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            for name, end in (("ann", b"\n"), ("bob", b"\r\n")):
                caller = await lobby.call()
                await caller.send(encode(connect(name), LASER_DROID, end=end))
                assert await caller.line() == WELCOME
            for caller in lobby.callers:
                assert [(await caller.line())["turn"] for _ in range(2)] == [0, 1]

    run(loop, test)


def test_messages_may_be_split_at_every_byte(loop: str) -> None:
    """Each cut gives two pieces; the client waits for an answer in between, so both are seen."""

    async def test() -> None:
        async with serving(seats=8, connections=500) as lobby:
            talk = encode(connect("ann"), {"message": "chat"}, end=b"\r\n")
            for cut in range(1, len(talk)):
                caller = await lobby.call()
                await caller.send(b"?\n" + talk[:cut])
                assert await caller.error() == '"?": not JSON'
                await caller.send(talk[cut:] + b"?\n")
                assert await caller.line() == WELCOME
                assert "expected connect, loadout, action" in await caller.error()
                assert await caller.error() == '"?": not JSON'
                caller.writer.write_eof()
                assert await caller.rest() == []  # the server has let it go: the name is free

    run(loop, test)


def test_messages_may_come_byte_by_byte_and_all_at_once(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            slow, quick = await lobby.call(), await lobby.call()
            for byte in encode(connect("ann"), LASER_DROID):
                await slow.send(bytes([byte]))
                await asyncio.sleep(0)
            assert await slow.line() == WELCOME
            await quick.send(
                encode(connect("bob"), LASER_DROID, {"message": "chat"}, connect("bob"))
            )
            assert (await slow.gamestate())["turn"] == 0
            assert await quick.line() == WELCOME
            assert (await quick.gamestate())["turn"] == 0

    run(loop, test)


def test_a_line_of_64_kib_is_let_in_and_a_longer_one_ends_the_connection(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            caller = await lobby.call()
            fits = json.dumps(connect("ann")).encode().ljust(1 << 16)
            await caller.send(fits + b"\r\n")
            assert await caller.line() == WELCOME
            await caller.send(b" " + fits + b"\n")
            assert await caller.rest() == [{"error": "a line of more than 65536 bytes"}]
            endless = await lobby.call("ann")  # the name is free again
            await endless.send(b"x" * (1 << 20))
            assert await endless.rest() == [{"error": "a line of more than 65536 bytes"}]

    run(loop, test)


def test_wrong_encodings_are_answered(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            caller = await lobby.call()
            latin = '{"message": "connect", "revision": 1, "name": "Jörg"}'.encode("latin-1")
            await caller.send(latin + b"\n")
            assert "is not UTF-8" in await caller.error()
            await caller.send(b"\xef\xbb\xbf" + encode(connect("ann")))
            assert (await caller.error()).startswith(r'"\ufeff{')
            await caller.send(encode(connect("J\u00f6rg")) + encode(connect("\ud800")))
            for _ in range(2):
                assert "expected 1 to 16 letters" in await caller.error()
            await caller.say(connect("ann"))
            assert await caller.line() == WELCOME

    run(loop, test)


def test_handshakes_that_are_refused_may_be_tried_again(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            await lobby.call("ann")
            caller = await lobby.call()
            await caller.say(
                LASER_DROID,
                {"message": "action", "type": "pass"},
                connect("ann"),
                connect("seventeen-letters"),
                connect("bob") | {"revision": 2},
                {"message": "connect"},
            )
            assert [await caller.error() for _ in range(6)] == [
                'message "loadout": expected a handshake first',
                'message "action": expected a handshake first',
                'name "ann": it is taken',
                'name "seventeen-letters": expected 1 to 16 letters, digits, -, _ or +',
                "revision 2: expected 1",
                "revision null: expected 1",
            ]
            await caller.say(connect("sixteen-letters-"))
            assert await caller.line() == WELCOME
            assert (await caller.line())["turn"] == 0

    run(loop, test)


def test_there_is_a_limit_on_strangers(loop: str) -> None:
    async def test() -> None:
        async with serving(strangers=2) as lobby:
            first, _ = await lobby.call(), await lobby.call()
            await first.say({"message": "chat"})
            await first.error()  # by now the server has seen it
            refused = await lobby.call()
            assert await refused.rest() == [
                {"error": "too many connections without a handshake: try again later"}
            ]
            await first.say(connect("ann"))
            assert await first.line() == WELCOME
            await lobby.call("bob")

    run(loop, test)


def test_who_hangs_up_before_or_while_it_waits_leaves_no_trace(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            stranger, waiting = await lobby.call(), await lobby.call("ann")
            for caller in (stranger, waiting):
                caller.writer.write_eof()
                assert await caller.rest() == []
            reset = await lobby.call("ann")
            reset.writer.transport.abort()
            again = await lobby.call()
            while True:  # the server may yet have to see that the other is gone
                await again.say(connect("ann"))
                if "error" not in await again.line():
                    break
            other = await lobby.call("bob")
            names = {player["name"] for player in (await other.gamestate())["players"]}
            assert names == {"ann", "bob"}

    run(loop, test)
