"""Caches of what was made once and may be asked for again, within one number of bytes.

Decoded texture pages, pieces cut out of them and the viewer's answers are shares of one pool,
:data:`KEPT`, so that all open games together keep no more than it allows.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable
from itertools import count
from typing import Final, Generic, TypeVar

T = TypeVar("T")

#: bytes that are kept in all
LIMIT: Final = 256 << 20


class Pool:
    """The last used values of all shares, as much as ``limit`` bytes; safe for threads."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        #: bytes that are kept now
        self.size: int = 0
        self._lock = threading.Lock()
        self._numbers = count()
        #: the function that is called when a share loses a value
        self._shares: dict[int, weakref.WeakMethod[Callable[[Hashable], None]]] = {}
        #: the kept values, the last used at the end: (share, key) -> bytes
        self._order: OrderedDict[tuple[int, Hashable], int] = OrderedDict()
        #: shares that are gone, with what they kept
        self._gone: deque[int] = deque()

    def _enter(self, lost: Callable[[Hashable], None]) -> int:
        with self._lock:
            number = next(self._numbers)
            # Called wherever garbage is collected: it must not wait for the lock.
            self._shares[number] = weakref.WeakMethod(lost, lambda _: self._gone.append(number))
            return number

    def _used(self, number: int, key: Hashable) -> None:
        with self._lock:
            if (number, key) in self._order:
                self._order.move_to_end((number, key))

    def _add(self, share: Share[T], key: Hashable, value: T, size: int) -> None:
        number = share._number
        with self._lock:
            self._forget_gone()
            share._kept[key] = value
            self.size += size - self._order.pop((number, key), 0)
            self._order[number, key] = size
            while self.size > self.limit:
                (owner, oldest), freed = self._order.popitem(last=False)
                self.size -= freed
                lost = self._shares[owner]()
                if lost is not None:
                    lost(oldest)

    def _remove(self, share: Share[T], keys: Iterable[Hashable]) -> None:
        with self._lock:
            self._forget_gone()
            for key in list(keys):
                share._kept.pop(key, None)
                self.size -= self._order.pop((share._number, key), 0)

    def _forget_gone(self) -> None:
        gone = set()
        while self._gone:
            gone.add(self._gone.popleft())
        if gone:
            for number, key in [held for held in self._order if held[0] in gone]:
                self.size -= self._order.pop((number, key))
            for number in gone:
                del self._shares[number]


#: the pool of the process
KEPT: Final = Pool(LIMIT)


class Share(Generic[T]):
    """The values of one cache, by key; what was used least in the whole pool goes first."""

    def __init__(self, pool: Pool = KEPT) -> None:
        self.pool = pool
        self._kept: dict[Hashable, T] = {}
        self._number = pool._enter(self._lost)

    def _lost(self, key: Hashable) -> None:
        self._kept.pop(key, None)

    def get(self, key: Hashable) -> T | None:
        """The value that is kept under a key; None where nothing is."""
        value = self._kept.get(key)
        if value is not None:
            self.pool._used(self._number, key)
        return value

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value of ``size`` bytes, unless that is more than the whole pool may have."""
        if size > self.pool.limit:
            self.discard(key)
            return
        self.pool._add(self, key, value, size)

    def discard(self, key: Hashable) -> None:
        """Forget what is under a key, if anything is."""
        self.pool._remove(self, [key])

    def clear(self) -> None:
        """Forget everything."""
        self.pool._remove(self, self._kept)

    def __len__(self) -> int:
        return len(self._kept)
