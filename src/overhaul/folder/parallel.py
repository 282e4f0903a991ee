"""The same work for many parts of a document, or for many files, in one process or in several.

:class:`Workers` works through the parts of one document, on the document itself or, in other
processes, on one that they inherited or opened.  :func:`map_files` gives each file to one process.
Results come in the order of the parts, whatever process made them.  A process ends with the one
that started it, and none is left after an error or Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, TypeVarTuple, cast

from overhaul.document.protocol import Each, HasCode
from overhaul.folder.opening import Source, open
from overhaul.folder.processes import (
    AUTOMATIC,
    LARGE_FILE,
    end_at_once,
    end_tidily,
    held_signals,
    killed,
    leave_quietly,
    processes,
    processors,
    result_of,
)
from overhaul.stretch import return_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)
Item = TypeVar("Item")
State = TypeVar("State")
Result = TypeVar("Result")
Ts = TypeVarTuple("Ts")
#: Called with how many parts are done, how many there are, and the name of the next.
Progress = Callable[[int, int, str], None]

#: The number of pieces that a process's share is cut into, for progress and even loads.
PIECES = 8
#: The fewest items that are worth starting processes.
LEAST = 2 * PIECES
#: The fewest bytes of code that are worth starting processes.
LARGE_CODE = 200_000
#: So many code entries are read from what they need, before all code is.
FEW_ENTRIES = 16


def itself(document: D) -> D:
    """The document, where a task needs nothing else prepared."""
    return document


class Workers(Generic[D_co]):
    """A document and the processes that work on it.

    ``source`` is what the document was opened from (with ``assume_version``), so that processes
    that inherit nothing can open it again.  ``jobs`` is the number of processes, or AUTOMATIC.
    """

    def __init__(
        self, source: Source, document: D_co, *, assume_version: str | None = None, jobs: int = 1
    ) -> None:
        self.source = source
        self.document = document
        self.assume_version = assume_version
        self.jobs = jobs

    def map(
        self,
        prepare: Callable[[D_co], State],
        task: Callable[[State, Item], Result],
        items: Sequence[Item],
        *,
        least: int = LEAST,
        jobs: int | None = None,
        size: int = 0,
    ) -> Iterator[Result]:
        """``task(state, item)`` for each item, in order; ``state`` is ``prepare(document)``.

        With one job, or fewer than ``least`` items, it is done here.  On Linux the processes
        inherit what was prepared; elsewhere each opens the source and prepares its own.  Both
        functions must be importable from a module, and items and results picklable.  Errors of a
        task are raised here; MemoryError if the system ended a process.  ``jobs``: as many
        processes, instead of what :meth:`jobs_for_code` says.  ``size``: how many items a process
        takes at a time; 0 is a part of its share.
        """
        if len(items) < least:
            jobs = 1
        elif jobs is None:
            jobs = self.jobs_for_code()
        if jobs <= 1:
            state = prepare(self.document)
            for item in items:
                yield task(state, item)
            return
        size = size or -(-len(items) // (jobs * PIECES))
        with self._pool(prepare, min(jobs, len(items))) as pool:
            try:
                with held_signals():
                    waiting = [
                        pool.submit(_work, task, items[start : start + size])
                        for start in range(0, len(items), size)
                    ]
                for result in waiting:
                    yield from result_of(pool, result)
            except BaseException as error:  # noqa: BLE001 - raised again
                end_at_once(pool)
                raise killed(error)  # noqa: B904 - it has its cause
            finally:
                _keep(None)
                _unfreeze()

    def learn_code(self, *, later: bool = False, entries: int | None = None) -> None:
        """Let a document learn from its code, if it has any, in several processes; ``later``: not
        before something needs all of it; ``entries``: how many are going to be read, if not all.

        Processes that are started later inherit what was learned.  Where they inherit nothing,
        each learns by itself.
        """
        if entries == 0 or not self.inherits or not isinstance(self.document, HasCode):
            return
        each = self.each()
        if each is not None or entries is not None:
            few = entries if entries is not None and entries <= FEW_ENTRIES else 0
            self.document.learn_code(each, later=later, few=few)

    def each(self) -> Each | None:
        """The function that does a task for many parts of the code in processes that inherit the
        document; None where one process is to do it all."""

        def each(task: Callable[[D, Item], Result], items: Sequence[Item], /) -> Iterator[Result]:
            return cast("Workers[D]", self).map(itself, task, items, least=2, size=1)

        return each if self.inherits and self.jobs_for_code() > 1 else None

    @property
    def inherits(self) -> bool:
        """Whether processes inherit the document as it is, instead of opening it again."""
        return "linux" in sys.platform

    def jobs_for_code(self) -> int:
        """How many processes work on the code of the document."""
        if self.jobs != AUTOMATIC:
            return self.jobs
        document: object = self.document
        size = document.code_size() if isinstance(document, HasCode) else self._size()
        return processors() if size >= LARGE_CODE else 1

    def jobs_for_all(self) -> int:
        """How many processes work on all of the document."""
        if self.jobs != AUTOMATIC:
            return self.jobs
        return processors() if self._size() >= LARGE_FILE else self.jobs_for_code()

    def _size(self) -> int:
        """The size of what the document was opened from."""
        return _size_of(self.source)

    def _pool(self, prepare: Callable[[D_co], object], jobs: int) -> ProcessPoolExecutor:
        if self.inherits:
            from multiprocessing import get_context  # start-up: see map

            _keep(prepare(self.document))
            _freeze()
            return_memory()  # each process would get a copy of what it uses again
            return processes(jobs, leave_quietly, context=get_context("fork"))
        return processes(jobs, _start, self.source, self.assume_version, prepare)


def _size_of(source: object) -> int:
    """The size of a file, or of the archive that it is in; 0 if it is not there."""
    if not isinstance(source, str | os.PathLike):
        return len(source) if isinstance(source, bytes) else 0
    path = os.fsdecode(source)
    try:
        return os.path.getsize(path if os.path.exists(path) else path.partition("!")[0])
    except OSError:
        return 0


#: The object that the tasks of a process of the pool work on.
_state: object = None


def _keep(state: object) -> None:
    global _state
    _state = state


#: whether what there is was frozen here
_is_frozen = False


def _freeze() -> None:
    """Keep the collector of cycles away from what processes are going to inherit: looking at an
    object writes to it, so that each process would get a copy of all of them."""
    global _is_frozen
    if not gc.get_freeze_count():
        gc.freeze()
        _is_frozen = True


def _unfreeze() -> None:
    global _is_frozen
    if _is_frozen:
        gc.unfreeze()
        _is_frozen = False


def _start(source: Source, assume_version: str | None, prepare: Callable[[D], object]) -> None:
    leave_quietly()
    _keep(prepare(cast("D", open(source, assume_version=assume_version))))


def _work(task: Callable[[State, Item], Result], items: Sequence[Item]) -> list[Result]:
    state = cast("State", _state)
    return [task(state, item) for item in items]


def map_files(
    task: Callable[[*Ts], Result], items: Sequence[tuple[*Ts]], jobs: int = 1
) -> Iterator[Result | Exception]:
    """``task(*item)``, or the error it raised, for each item, in order.

    With several jobs each item is worked on by one process; AUTOMATIC are several if the files,
    the first of each item, are large.  At Ctrl-C a process removes its temporary files, and ends.
    """
    if jobs == AUTOMATIC:
        files = [cast("tuple[object, ...]", item)[0] for item in items]
        jobs = processors() if sum(map(_size_of, files)) >= LARGE_FILE else 1
    if jobs <= 1 or len(items) < 2:
        for item in items:
            yield _attempt(task, item)
        return
    with processes(jobs, leave_quietly) as pool:
        with held_signals():
            waiting = [pool.submit(_attempt_tidily, task, item) for item in items]
        try:
            for result in waiting:
                yield result_of(pool, result)
        except BaseException as error:  # noqa: BLE001 - raised again
            end_tidily(pool)
            raise killed(error)  # noqa: B904 - it has its cause


def _attempt(task: Callable[[*Ts], Result], item: tuple[*Ts]) -> Result | Exception:
    try:
        return task(*item)
    except Exception as error:  # noqa: BLE001 - reported by the caller; the other files are still processed
        return error


def _attempt_tidily(task: Callable[[*Ts], Result], item: tuple[*Ts]) -> Result | Exception:
    quiet = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return _attempt(task, item)
    except KeyboardInterrupt:
        os._exit(130)
    finally:
        signal.signal(signal.SIGINT, quiet)


def tracked(
    names: Sequence[str], results: Iterable[Result], progress: Progress | None
) -> Iterator[Result]:
    """The results, one for each name; ``progress`` is called after each."""

    def report(done: int) -> None:
        if progress is not None:
            progress(done, len(names), names[done] if done < len(names) else "")

    report(0)
    for done, result in enumerate(results, 1):
        yield result
        report(done)
