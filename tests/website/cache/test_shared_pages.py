"""Pages that are made once for many."""

from __future__ import annotations

import asyncio
import gzip
import threading

from agon.website.cache.packing import make_piece
from agon.website.cache.shared_pages import Except, SharedPage, Sharing, make_page

PAGE = b"<p>before</p><!-- who -->Log in<!-- /who --><p>after</p>"


def page(text: str, made_ns: int = 0) -> SharedPage:
    return make_page(text.encode(), made_ns, 10)


def test_a_page_is_made_once_and_anew_when_it_is_old() -> None:
    sharing = Sharing()
    made = []

    def make(now: int) -> SharedPage:
        made.append(now)
        return page("page", now)

    for now in (0, 5, 9, 10, 19, 3):
        found = sharing.find("key", now, lambda now=now: make(now))  # type: ignore[misc]
        assert found is not None
    assert made == [0, 10, 3]  # at 3 the clock was set back: that page is from the future


def test_pages_of_other_addresses_are_other_pages() -> None:
    sharing = Sharing()
    assert sharing.find("a", 0, lambda: page("A")) != sharing.find("b", 0, lambda: page("B"))


def test_what_may_not_be_shared_is_made_every_time() -> None:
    sharing = Sharing()
    assert sharing.find("key", 0, lambda: None) is None
    assert sharing.find("key", 0, lambda: page("at last")) == page("at last")


def test_while_a_page_is_made_anew_others_get_the_old_one() -> None:
    sharing = Sharing()
    old, new = page("old"), page("new", 10)
    sharing.find("key", 0, lambda: old)
    begun, go_on = threading.Event(), threading.Event()
    found: list[SharedPage | None] = []

    def make_slowly() -> SharedPage:
        begun.set()
        assert go_on.wait(20)
        return new

    slow = threading.Thread(target=lambda: found.append(sharing.find("key", 10, make_slowly)))
    assert sharing.peek("key", 10) is None
    slow.start()
    assert begun.wait(20)
    assert sharing.find("key", 10, lambda: new) is old
    assert sharing.peek("key", 10) is old
    go_on.set()
    slow.join()
    assert found == [new]
    assert sharing.find("key", 10, lambda: old) is new


def test_a_page_that_fails_can_be_made_the_next_time() -> None:
    sharing = Sharing()

    def fail() -> SharedPage:
        raise KeyError("no page")

    for _ in range(2):
        try:
            sharing.find("key", 0, fail)
        except KeyError:
            continue
        raise AssertionError("expected the error of the page")
    assert sharing.find("key", 0, lambda: page("fine")) == page("fine")


def test_a_page_is_sent_packed_or_plain() -> None:
    packed, plain = page("text").response(packed=True), page("text").response(packed=False)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(packed.body)) == b"text"
    assert (plain.body, plain.headers.get("content-encoding")) == (b"text", None)
    assert plain.headers["content-type"] == "text/html; charset=utf-8"


def test_to_a_user_the_head_of_a_page_says_something_else() -> None:
    kept = make_page(PAGE, 0, 10, Except())
    head = make_piece("ada ☺".encode())
    told = PAGE.replace(b"Log in", "ada ☺".encode())
    assert kept.response(packed=False, head=head).body == told
    assert gzip.decompress(bytes(kept.response(packed=True, head=head).body)) == told
    assert kept.response(packed=False).body == PAGE  # and to everybody else the same as before
    assert gzip.decompress(bytes(kept.response(packed=True).body)) == PAGE


def test_a_page_says_for_whom_it_is() -> None:
    everybody = make_page(PAGE, 0, 10, Except())
    others = make_page(PAGE, 0, 10, Except(frozenset({3}), organisers=True))
    assert everybody.is_for(3, organiser=True)
    assert others.is_for(4, organiser=False)
    assert not others.is_for(3, organiser=False)
    assert not others.is_for(4, organiser=True)
    assert not make_page(PAGE, 0, 10).is_for(4, organiser=False)  # for no user
    assert not make_page(b"<p>no head", 0, 10, Except()).is_for(4, organiser=False)


def test_what_is_forgotten_while_it_is_made_stays_forgotten() -> None:
    sharing = Sharing()

    def make() -> SharedPage:
        sharing.forget()
        return page("too late")

    assert sharing.find("key", 0, make) == page("too late")
    assert sharing.peek("key", 0) is None
    sharing.find("key", 0, lambda: page("new"))
    assert sharing.peek("key", 0) == page("new")


def test_many_who_come_at_once_wait_for_one_thread() -> None:
    sharing = Sharing()
    made = []

    def make() -> SharedPage:
        made.append(threading.current_thread())
        return page("page")

    async def come() -> list[SharedPage | None]:
        return await asyncio.gather(*(sharing.find_soon("key", 0, make) for _ in range(50)))

    assert asyncio.run(come()) == [page("page")] * 50
    assert len(made) == 1
    assert made[0] is not threading.current_thread()
    assert sharing.making == {}


def test_who_waits_for_a_page_that_fails_is_told() -> None:
    sharing = Sharing()

    def fail() -> SharedPage:
        raise KeyError("no page")

    async def come() -> list[BaseException | SharedPage | None]:
        coming = (sharing.find_soon("key", 0, fail) for _ in range(3))
        return await asyncio.gather(*coming, return_exceptions=True)

    assert [type(one) for one in asyncio.run(come())] == [KeyError] * 3
    assert sharing.making == {}
