"""Pages that are made once for many."""

from __future__ import annotations

import threading

from agon.website.shared_pages import SharedPage, Sharing


def page(text: str, made_ns: int = 0) -> SharedPage:
    return SharedPage(text.encode(), text.upper().encode(), made_ns, 10)


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
    slow.start()
    assert begun.wait(20)
    assert sharing.find("key", 10, lambda: new) is old
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
    assert (packed.body, packed.headers["content-encoding"]) == (b"TEXT", "gzip")
    assert (plain.body, plain.headers.get("content-encoding")) == (b"text", None)
    assert plain.headers["content-type"] == "text/html; charset=utf-8"
