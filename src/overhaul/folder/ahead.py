"""Things that other processes make before they are asked for, such as the pixels of pictures.

:class:`Ahead` takes the things that will be asked for, in about that order, and how large each
is at most. Processes make them into memory that all share, so that little is sent; so much is
made ahead as that memory holds. A key that is asked for too early, too late or never costs only
its making: :meth:`Ahead.take` gives None then, and the caller makes it.
"""

from __future__ import annotations

import mmap
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Final, Generic, TypeAlias, TypeVar, cast

from overhaul.errors import OverhaulError
from overhaul.folder.processes import (
    end_at_once,
    held_signals,
    killed,
    leave_quietly,
    processes,
    result_of,
)

Item = TypeVar("Item")
#: the result for an item: a value that is sent, and bytes that are shared
Made: TypeAlias = tuple[object, bytes | memoryview | None]
_Sent: TypeAlias = tuple[object, int] | None
#: a thing that will be asked for: its key, its input, and the most bytes that it has
Expected: TypeAlias = tuple[object, Item, int]

#: how many bytes all that is made ahead may take
ROOM: Final = 64 << 20
#: a batch is closed when it has so many bytes, or so many items
_BATCH_SIZE: Final = 1 << 20
_BATCH_COUNT: Final = 32
#: how many batches wait for each process
_WAITING: Final = 3
#: results are kept until so many later batches are asked for
_KEPT: Final = 2


class _Batch(Generic[Item]):
    """Neighbouring things that one process makes: ``start`` is their place in the shared memory,
    ``size`` how much they take of it."""

    def __init__(self, things: list[Expected[Item]]) -> None:
        self.things = things
        self.size = max(1, sum(size for _, _, size in things))
        self.start = 0
        self.future: Future[list[_Sent]] | None = None
        #: how much of it was not asked for
        self.left = len(things)
        #: whether none of it is needed any longer
        self.over = False


class Ahead(Generic[Item]):
    """Makes things in ``jobs`` processes, which inherit ``make`` when the first are expected.

    ``make(item)`` gives something that can be sent, and bytes that go through the shared memory; an
    OverhaulError that it raises is left to who asks.  Only Linux lets processes inherit; elsewhere
    nothing is made ahead.  MemoryError if the system ended a process.
    """

    def __init__(self, make: Callable[[Item], Made], jobs: int, *, room: int = ROOM) -> None:
        self._make = make
        self._jobs = jobs if "linux" in sys.platform else 1
        self._room = room
        self._pool: ProcessPoolExecutor | None = None
        self._memory: mmap.mmap | None = None
        self._coming: Iterator[_Batch[Item]] = iter(())
        self._next: _Batch[Item] | None = None
        #: the inputs given to processes that take room, the oldest first
        self._given: deque[_Batch[Item]] = deque()
        self._places: dict[object, tuple[_Batch[Item], int]] = {}

    def expect(self, things: Iterable[Expected[Item]]) -> None:
        """These will be asked for next; what was expected before, and not yet given to a process,
        is no longer made."""
        if self._jobs <= 1:
            return
        for batch in self._given:
            batch.over = True
        self._places.clear()
        self._coming = self._usable(_batches(things))
        self._next = next(self._coming, None)
        self._fill()

    def take(self, key: object) -> tuple[object, memoryview] | None:
        """The value made for a key, once; None where it was not made. The view is of the shared
        memory, and holds until the next call."""
        self._fill()
        batch, number = self._places.pop(key, (None, 0))
        if batch is None or batch.future is None or batch.over:
            return None
        try:
            sent = result_of(self._started(), batch.future)[number]
        except BrokenExecutor as error:
            raise killed(error) from error
        self._drop_before(batch)
        batch.left -= 1
        batch.over = not batch.left
        if sent is None or self._memory is None:
            return None
        start = batch.start + sum(size for _, _, size in batch.things[:number])
        return sent[0], memoryview(self._memory)[start : start + sent[1]]

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            end_at_once(self._pool)
            self._pool = None
        self._given.clear()
        self._places.clear()
        self._next, self._coming = None, iter(())

    def _usable(self, batches: Iterable[_Batch[Item]]) -> Iterator[_Batch[Item]]:
        return (batch for batch in batches if batch.size <= self._room)

    def _fill(self) -> None:
        """Give processes more, as far as there is room."""
        while self._given and self._is_done(self._given[0]):
            self._given.popleft()
        while self._next is not None and len(self._given) < self._jobs * _WAITING + _KEPT:
            start = self._free(self._next.size)
            if start is None:
                return
            batch, self._next = self._next, next(self._coming, None)
            batch.start = start
            items = [(item, size) for _, item, size in batch.things]
            try:
                with held_signals():
                    batch.future = self._started().submit(_make_all, start, items)
            except BrokenExecutor as error:
                raise killed(error) from error
            self._given.append(batch)
            for number, (key, _, _) in enumerate(batch.things):
                self._places[key] = batch, number

    def _is_done(self, batch: _Batch[Item]) -> bool:
        return batch.over and batch.future is not None and batch.future.done()

    def _drop_before(self, batch: _Batch[Item]) -> None:
        """Let what is much older than a batch go."""
        at = self._given.index(batch)
        for old in islice(self._given, max(0, at - _KEPT + 1)):
            if not old.over:
                old.over = True
                for key, _, _ in old.things:
                    self._places.pop(key, None)

    def _free(self, size: int) -> int | None:
        """Where so many bytes are free behind the latest batch; None where they are not."""
        if not self._given:
            return 0
        first, last = self._given[0].start, self._given[-1].start + self._given[-1].size
        if first < last:
            if last + size <= self._room:
                return last
            return 0 if size < first else None
        return last if last + size < first else None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._memory = mmap.mmap(-1, self._room)
            self._pool = processes(
                self._jobs, _inherit, self._make, self._memory, context=get_context("fork")
            )
        return self._pool


def _batches(things: Iterable[Expected[Item]]) -> Iterator[_Batch[Item]]:
    batch: list[Expected[Item]] = []
    size = 0
    for thing in things:
        if batch and (size + thing[2] > _BATCH_SIZE or len(batch) >= _BATCH_COUNT):
            yield _Batch(batch)
            batch, size = [], 0
        batch.append(thing)
        size += thing[2]
    if batch:
        yield _Batch(batch)


# -- in the processes ------------------------------------------------------------------------------

#: the function that makes things here, and the place of their bytes
_inherited: list[tuple[Callable[[object], Made], mmap.mmap]] = []


def _inherit(make: Callable[[Item], Made], memory: mmap.mmap) -> None:
    leave_quietly()
    _inherited[:] = [(cast("Callable[[object], Made]", make), memory)]


def _make_all(start: int, items: Sequence[tuple[object, int]]) -> list[_Sent]:
    """Make things from a place in the shared memory on; None for what can't be made."""
    ((make, memory),) = _inherited
    sent: list[_Sent] = []
    for item, size in items:
        try:
            said, data = make(item)
        except OverhaulError:  # raised where it is asked for
            sent.append(None)
        else:
            view = memoryview(b"" if data is None else data)
            if view.nbytes <= size:
                memory[start : start + view.nbytes] = view.cast("B") if view.nbytes else b""
                sent.append((said, view.nbytes))
            else:
                sent.append(None)
        start += size
    return sent
