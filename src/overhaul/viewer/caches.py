"""What was made once and may be asked for again: a share of the pool of the whole process."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from overhaul.media.pool import KEPT, Pool, Share

T = TypeVar("T")


class Cache:
    """Keeps what was used last, as far as the pool has room for it; safe for threads."""

    def __init__(self, pool: Pool = KEPT) -> None:
        self._share: Share[tuple[object]] = Share(pool)

    def get(self, key: Hashable, make: Callable[[], T], cost: Callable[[T], int]) -> T:
        """What is kept under a key; else what ``make`` gives, which is kept if it fits."""
        found = self._share.get(key)
        if found is not None:
            return cast("T", found[0])
        made = make()
        self._share.put(key, (made,), cost(made))
        return made

    def clear(self) -> None:
        """Forget everything."""
        self._share.clear()

    def __len__(self) -> int:
        return len(self._share)
