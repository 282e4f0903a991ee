"""Caches that share one number of bytes."""

from __future__ import annotations

import gc
import random
import threading

from overhaul.media.pool import KEPT, LIMIT, Pool, Share


def test_the_pool_of_the_process_is_bounded() -> None:
    assert KEPT.limit == LIMIT == 256 << 20
    share: Share[str] = Share()
    assert share.pool is KEPT


def test_what_was_used_least_in_all_shares_goes_first() -> None:
    pool = Pool(100)
    one: Share[str] = Share(pool)
    two: Share[str] = Share(pool)
    one.put("a", "A", 40)
    two.put("a", "B", 40)
    assert one.get("a") == "A"  # used: the other one goes
    two.put("b", "C", 30)
    assert (one.get("a"), two.get("a"), two.get("b")) == ("A", None, "C")
    assert (pool.size, len(one), len(two)) == (70, 1, 1)


def test_a_value_put_again_counts_once_and_a_large_one_is_not_kept() -> None:
    pool = Pool(100)
    share: Share[str] = Share(pool)
    share.put("a", "A", 40)
    share.put("a", "B", 60)
    assert (share.get("a"), pool.size) == ("B", 60)
    share.put("full", "F", 100)
    assert (share.get("a"), share.get("full"), pool.size) == (None, "F", 100)
    share.put("full", "larger", 101)
    assert (share.get("full"), pool.size, len(share)) == (None, 0, 0)


def test_what_is_forgotten_counts_no_more() -> None:
    pool = Pool(100)
    one: Share[str] = Share(pool)
    two: Share[str] = Share(pool)
    for share in (one, two):
        share.put("a", "A", 10)
        share.put("b", "B", 10)
    one.discard("a")
    one.discard("nothing")
    assert (one.get("a"), one.get("b"), pool.size) == (None, "B", 30)
    two.clear()
    assert (len(one), len(two), pool.size) == (1, 0, 10)


def test_a_share_that_is_gone_makes_room() -> None:
    pool = Pool(100)
    one: Share[str] = Share(pool)
    one.put("old", "O", 20)
    two: Share[str] = Share(pool)
    two.put("a", "A", 70)
    del two
    gc.collect()
    one.put("b", "B", 60)
    assert (one.get("old"), one.get("b"), pool.size) == ("O", "B", 80)
    assert len(pool._shares) == 1


def test_threads_never_lose_count() -> None:
    pool = Pool(1000)

    def work(seed: int) -> None:
        chance = random.Random(seed)
        shares: list[Share[int]] = [Share(pool) for _ in range(3)]
        for _ in range(2000):
            share, key = chance.choice(shares), chance.randrange(20)
            what = chance.random()
            if what < 0.6:
                share.put(key, key + 1, chance.randrange(1, 200))
            elif what < 0.9:
                assert share.get(key) in (None, key + 1)
            elif what < 0.98:
                share.discard(key)
            else:
                share.clear()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    last: Share[int] = Share(pool)
    last.put("x", 1, 7)
    assert pool.size == 7
    assert pool._order == {(last._number, "x"): 7}
