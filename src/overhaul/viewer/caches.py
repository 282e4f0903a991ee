"""What was made once and may be asked for again, within a number of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class Cache:
    """Keeps what was used last, as much as ``limit`` bytes; safe for threads."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T], cost: Callable[[T], int]) -> T:
        """What is kept under a key; else what ``make`` gives, which is kept if it fits."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return cast(T, self._kept[key][0])
        made = make()
        size = cost(made)
        with self._lock:
            if key not in self._kept and size <= self.limit:
                self._kept[key] = made, size
                self.size += size
                while self.size > self.limit:
                    _, (_, freed) = self._kept.popitem(last=False)
                    self.size -= freed
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.size = 0

    def __len__(self) -> int:
        return len(self._kept)
