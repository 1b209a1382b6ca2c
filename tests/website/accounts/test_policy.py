"""The limits of accounts are those that docs/accounts.md tells, and a wait is told in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

from agon.arena.rate_limit import RateLimit
from agon.website.accounts.policy import AccountPolicy, hold_up
from tests.website.people import CHEAP, NOON, SECOND

DOCS = Path(__file__).parents[3] / "docs" / "accounts.md"
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400


@pytest.mark.parametrize(
    ("limit", "attempts", "window_s", "told"),
    [
        ("log_in_by_account", 10, 15 * MINUTE_S, "10 failed log-ins per account in 15 minutes"),
        ("log_in_by_address", 100, 5 * MINUTE_S, "100 log-ins per address in 5 minutes"),
        ("register", 100, HOUR_S, "limited to 100 attempts per address and hour"),
        ("upload", 30, HOUR_S, "30 uploads and new checks of bots an hour"),
        ("own_data", 10, HOUR_S, "10 downloads of their own data an hour"),
        ("api", 1200, MINUTE_S, "1200 calls of the API a minute"),
    ],
)
def test_rate_limits(limit: str, attempts: int, window_s: int, told: str) -> None:
    found: RateLimit = getattr(AccountPolicy(CHEAP), limit)
    assert (found.limit, found.window_ns) == (attempts, window_s * SECOND)
    assert told in DOCS.read_text()


def test_sessions_and_tokens() -> None:
    policy = AccountPolicy(CHEAP)
    assert (policy.idle_ns, policy.longest_ns) == (7 * DAY_S * SECOND, 30 * DAY_S * SECOND)
    assert "after 7 days without use, and after 30 days in any case" in DOCS.read_text()
    assert policy.most_tokens == 50
    assert "50 tokens" in DOCS.read_text()


@pytest.mark.parametrize(
    ("window_s", "words"), [(1, "1 s"), (60, "60 s"), (61, "2 min"), (120, "2 min"), (121, "3 min")]
)
def test_how_long_to_wait(window_s: int, words: str) -> None:
    limit = RateLimit(1, window_s)
    hold_up(limit, "ada", NOON)
    hold_up(limit, "bob", NOON)
    with pytest.raises(HTTPException) as caught:
        hold_up(limit, "ada", NOON + 1)
    assert caught.value.status_code == 429
    assert caught.value.detail == f"Too many attempts. Try again in {words}."
    assert caught.value.headers == {"Retry-After": str(window_s)}
    hold_up(limit, "ada", NOON + window_s * SECOND)
