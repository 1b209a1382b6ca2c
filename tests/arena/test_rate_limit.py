"""Rate limits: the window slides, keys do not disturb each other, nothing grows for ever."""

from __future__ import annotations

import threading

from agon.arena.rate_limit import SECOND_NS, RateLimit, address_key

S = SECOND_NS


def test_so_many_attempts_and_no_more() -> None:
    throttle = RateLimit(3, 60)
    assert [throttle.take("a", n * S) for n in range(3)] == [0, 0, 0]
    assert throttle.take("a", 10 * S) == 50 * S
    assert throttle.take("b", 10 * S) == 0


def test_the_window_slides() -> None:
    throttle = RateLimit(2, 60)
    throttle.take("a", 0)
    throttle.take("a", 30 * S)
    assert throttle.take("a", 60 * S - 1) == 1
    assert throttle.take("a", 60 * S) == 0
    assert throttle.take("a", 61 * S) == 29 * S
    assert throttle.take("a", 90 * S) == 0


def test_a_refused_attempt_does_not_count() -> None:
    throttle = RateLimit(1, 60)
    throttle.take("a", 0)
    for second in range(1, 60):
        assert throttle.take("a", second * S) == (60 - second) * S
    assert throttle.take("a", 60 * S) == 0


def test_an_attempt_can_be_given_back() -> None:
    throttle = RateLimit(1, 60)
    assert throttle.take("a", 0) == 0
    throttle.give_back("a")
    assert throttle.take("a", 1) == 0
    assert throttle.take("a", 2) > 0
    throttle.give_back("never seen")


def test_quiet_keys_are_forgotten() -> None:
    throttle = RateLimit(5, 60)
    for number in range(100):
        throttle.take(str(number), number)
    assert len(throttle) == 100
    throttle.take("late", 61 * S)
    assert len(throttle) == 1


def test_there_are_never_too_many_keys() -> None:
    throttle = RateLimit(1, 60, most_keys=10)
    for number in range(1000):
        throttle.take(str(number), number)
    assert len(throttle) == 10
    assert throttle.take("999", 1000) > 0


def test_threads_share_a_limit() -> None:
    throttle = RateLimit(50, 60)
    passed: list[int] = []

    def work() -> None:
        passed.extend(n for n in range(40) if throttle.take("a", 0) == 0)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 50


def test_addresses_of_one_network_are_one() -> None:
    assert address_key("2001:db8:0:1::1") == address_key("2001:db8:0:1:ffff::9")
    assert address_key("2001:db8:0:1::1") != address_key("2001:db8:0:2::1")
    assert address_key("::ffff:192.0.2.1") == "192.0.2.1"
    assert address_key("192.0.2.1") != address_key("192.0.2.2")
    assert address_key("testclient") == "testclient"
