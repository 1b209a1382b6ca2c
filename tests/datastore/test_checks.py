"""Checks wait, run, print and end; those that the server's end cut off wait again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.datastore import CheckState, VersionStatus
from agon.datastore.checks import CUT, MOST_INTERRUPTED, MOST_OUTPUT
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, add_versions

if TYPE_CHECKING:
    from agon.datastore import Store


def status(store: Store, version_id: int) -> VersionStatus:
    return store.versions.get(version_id).status


def test_checks_are_taken_in_their_order(store: Store) -> None:
    first, second = add_versions(store)
    store.checks.add(second, NOON)
    store.checks.add(first, NOON + 1)
    assert [check.version_id for check in store.checks.queue()] == [second, first]
    taken = [store.checks.take(NOON + 2), store.checks.take(NOON + 3)]
    assert [check and (check.version_id, check.started_ns) for check in taken] == [
        (second, NOON + 2),
        (first, NOON + 3),
    ]
    assert store.checks.take(NOON + 4) is None
    assert store.checks.queue() == []


@pytest.mark.parametrize("passed", [True, False])
def test_the_version_becomes_what_the_check_says(store: Store, passed: bool) -> None:
    (version,) = add_versions(store, 1)
    store.versions.set_status(version, VersionStatus.PENDING)
    check = store.checks.add(version, NOON)
    assert store.checks.take(NOON + 1)
    store.checks.end(check.id, passed=passed, now_ns=NOON + 2)
    over = store.checks.get(check.id)
    assert over.is_over
    assert over.state is (CheckState.PASSED if passed else CheckState.FAILED)
    assert over.ended_ns == NOON + 2
    assert status(store, version) is (VersionStatus.ACTIVE if passed else VersionStatus.FAILED)


def test_a_version_that_was_withdrawn_meanwhile_stays_so(store: Store) -> None:
    (version,) = add_versions(store, 1)
    check = store.checks.add(version, NOON)
    store.checks.take(NOON)
    store.versions.set_status(version, VersionStatus.WITHDRAWN)
    store.checks.end(check.id, passed=True, now_ns=NOON)
    assert status(store, version) is VersionStatus.WITHDRAWN


def test_output_is_kept_piece_by_piece(store: Store) -> None:
    (version,) = add_versions(store, 1)
    check = store.checks.add(version, NOON)
    store.checks.take(NOON)
    for piece in ("naïve\n", "odd: \0 \ud800\n", ""):
        store.checks.append(check.id, piece)
    assert store.checks.get(check.id).output == "naïve\nodd: \ufffd ?\n"


def test_too_much_output_is_cut_once(store: Store) -> None:
    (version,) = add_versions(store, 1)
    check = store.checks.add(version, NOON)
    store.checks.take(NOON)
    store.checks.append(check.id, "x" * (MOST_OUTPUT - 1))
    for _ in range(3):
        store.checks.append(check.id, "yz")
    output = store.checks.get(check.id).output
    assert output == "x" * (MOST_OUTPUT - 1) + "y" + CUT


def test_only_a_running_check_prints_and_ends(store: Store) -> None:
    (version,) = add_versions(store, 1)
    check = store.checks.add(version, NOON)
    with pytest.raises(DatastoreError, match=f"check {check.id}: it does not run"):
        store.checks.append(check.id, "x")
    with pytest.raises(DatastoreError, match=f"check {check.id}: it does not run"):
        store.checks.end(check.id, passed=True, now_ns=NOON)
    with pytest.raises(DatastoreError, match="check 999: there is none"):
        store.checks.get(999)


def test_what_ran_when_the_server_ended_waits_again(store: Store) -> None:
    first, second = add_versions(store)
    for version in (first, second):
        store.checks.add(version, NOON)
    cut_off = store.checks.take(NOON)
    assert cut_off
    (again,) = store.checks.mark_interrupted(NOON + 5)
    assert store.checks.get(cut_off.id).state is CheckState.INTERRUPTED
    assert [check.version_id for check in store.checks.queue()] == [second, first]
    assert store.checks.latest(first) == again
    assert [check.id for check in store.checks.of_version(first)] == [again.id, cut_off.id]
    assert store.checks.mark_interrupted(NOON + 6) == []


def test_who_always_ends_the_server_fails(store: Store) -> None:
    (version,) = add_versions(store, 1)
    store.checks.add(version, NOON)
    for number in range(MOST_INTERRUPTED):
        assert store.checks.take(NOON + number)
        again = store.checks.mark_interrupted(NOON + number)
        assert len(again) == (number < MOST_INTERRUPTED - 1)
    assert store.checks.take(NOON) is None
    assert status(store, version) is VersionStatus.FAILED


def test_a_version_without_checks(store: Store) -> None:
    (version,) = add_versions(store, 1)
    assert store.checks.latest(version) is None
    assert store.checks.of_version(version) == []
