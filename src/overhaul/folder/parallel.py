"""The same work for many parts of a document, or for many files, in one process or in several.

:class:`Workers` works through the parts of one document, on the document itself or, in other
processes, on one that they inherited or opened.  :func:`map_files` gives each file to one process.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, TypeVarTuple, cast

from overhaul.document.protocol import HasCode
from overhaul.folder.opening import Source, open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.context import BaseContext

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


def itself(document: D) -> D:
    """The document, where a task needs nothing else prepared."""
    return document


class Workers(Generic[D_co]):
    """A document and the processes that work on it.

    ``source`` is what the document was opened from (with ``assume_version``), so that processes
    that inherit nothing can open it again.
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
    ) -> Iterator[Result]:
        """``task(state, item)`` for each item, in order; ``state`` is ``prepare(document)``.

        With one job, or fewer than ``least`` items, it is done here.  On Linux the processes
        inherit what was prepared; elsewhere each opens the source and prepares its own.  Both
        functions must be importable from a module, and items and results picklable.  Errors of a
        task are raised here; MemoryError if the system ended a process.
        """
        if self.jobs <= 1 or len(items) < least:
            state = prepare(self.document)
            for item in items:
                yield task(state, item)
            return
        from concurrent.futures import BrokenExecutor  # start-up: only for several processes

        size = -(-len(items) // (self.jobs * PIECES))
        with self._pool(prepare) as pool:
            waiting = [
                pool.submit(_work, task, items[start : start + size])
                for start in range(0, len(items), size)
            ]
            try:
                for result in waiting:
                    yield from result.result()
            except BaseException as error:
                pool.shutdown(wait=False, cancel_futures=True)
                if isinstance(error, BrokenExecutor):
                    raise MemoryError("a process was ended from outside") from error
                raise
            finally:
                _keep(None)

    def learn_code(self) -> None:
        """Let a document learn from its code, if it has any, in several processes.

        Processes that are started later inherit what was learned.  Where they inherit nothing,
        each learns by itself.
        """

        def each(task: Callable[[D, Item], Result], items: Sequence[Item], /) -> Iterator[Result]:
            return cast("Workers[D]", self).map(itself, task, items, least=2)

        if self.jobs > 1 and "linux" in sys.platform and isinstance(self.document, HasCode):
            self.document.learn_code(each)

    def _pool(self, prepare: Callable[[D_co], object]) -> ProcessPoolExecutor:
        if "linux" in sys.platform:
            from multiprocessing import get_context  # start-up: see map

            _keep(prepare(self.document))
            return _processes(self.jobs, _leave_quietly, context=get_context("fork"))
        return _processes(self.jobs, _start, self.source, self.assume_version, prepare)


def _processes(
    jobs: int, start: Callable[[*Ts], None], *arguments: *Ts, context: BaseContext | None = None
) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor  # start-up: only for several processes

    return ProcessPoolExecutor(jobs, context, start, arguments)


#: What the tasks of a process of the pool work on.
_state: object = None


def _keep(state: object) -> None:
    global _state
    _state = state


def _start(source: Source, assume_version: str | None, prepare: Callable[[D], object]) -> None:
    _leave_quietly()
    _keep(prepare(cast("D", open(source, assume_version=assume_version))))


def _work(task: Callable[[State, Item], Result], items: Sequence[Item]) -> list[Result]:
    state = cast("State", _state)
    return [task(state, item) for item in items]


def _leave_quietly() -> None:
    """Let a process of a pool end silently at Ctrl-C: the one that started it reports."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))


def map_files(
    task: Callable[[*Ts], Result], items: Sequence[tuple[*Ts]], jobs: int = 1
) -> Iterator[Result | Exception]:
    """``task(*item)``, or the error it raised, for each item, in order.

    With several jobs each item is worked on by one process. At Ctrl-C a process removes its
    temporary files, and ends.
    """
    if jobs <= 1 or len(items) < 2:
        for item in items:
            yield _attempt(task, item)
        return
    with _processes(jobs, _leave_quietly) as pool:
        waiting = [pool.submit(_attempt_tidily, task, item) for item in items]
        try:
            for result in waiting:
                yield result.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


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
