"""What the bench of training environments counts, and who takes part in it."""

from __future__ import annotations

import pytest

from agon.simulate.cuda import count_gpus
from benchmarks.learn import BATCH, learn_contests
from benchmarks.learn_peers import (
    CLASSIC,
    ON_CORES,
    PGX,
    STEPS,
    Peer,
    fastest,
    missing_peers,
    pgx_work,
)


def test_every_contestant_steps_and_says_what_it_counts() -> None:
    contests = {contest.title: contest.contestants for contest in learn_contests()}
    hive = contests["Hive, one core"]
    assert [one.name for one in hive] == ["Agon, 512 matches", "OpenSpiel's Hive"]
    assert hive[0].work() == BATCH * STEPS
    through_pettingzoo = contests["PettingZoo, agents take turns"]
    expected = ["Agon's Hive", *(f"its {title}" for title in CLASSIC)]
    assert [one.name for one in through_pettingzoo] == expected
    assert len(contests) >= 6
    for title, contestants in contests.items():
        assert all(contestant.work() > 0 for contestant in contestants), title
        assert all(contestant.counts for contestant in contestants), title


def test_no_peer_on_cores_is_missing() -> None:
    """The developers' tools bring all of them along (`agon[bench]`)."""
    assert [peer.missing for peer in ON_CORES if peer.missing] == []


def test_a_missing_peer_is_told_with_the_way_to_get_it() -> None:
    peer = Peer("Chess of old", ("numpy", "no_such_chess", "nor_this"), "agon[bench]")
    assert peer.missing == (
        "Chess of old takes no part: no no_such_chess, nor_this here; install agon[bench]"
    )
    assert not Peer("NumPy", ("numpy",), "agon").missing


@pytest.mark.skipif(count_gpus() > 0, reason="there is a GPU here")
def test_without_a_gpu_that_is_told() -> None:
    (told,) = missing_peers()
    assert told == "Agon on a GPU and Pgx take no part: they need a GPU and agon[bench-gpu]"


def test_the_fastest_batch_that_fits_is_measured() -> None:
    """A million steps of each size take 8, 5 and 6 s; the largest does not fit."""
    seconds = {1: 8, 2: 5, 4: 6, 8: 1}
    now = 0

    def work_for(size: int) -> int:
        nonlocal now
        now += seconds[size] * 10**9
        return 10**6

    works = {size: (lambda size=size: work_for(size)) for size in seconds}
    size, rates = fastest(works, lambda work: work is not works[8], lambda: now, 10**9)
    assert size == 2
    assert rates == {1: 125_000, 2: 200_000, 4: 166_666}


def test_pgx_steps_all_matches_or_is_told_to_be_missing() -> None:
    if PGX.missing:
        assert PGX.missing.endswith(" here; install agon[bench-gpu]")
        return
    work = pgx_work("tic_tac_toe", 3)
    assert [work(), work()] == [3 * STEPS, 3 * STEPS]
