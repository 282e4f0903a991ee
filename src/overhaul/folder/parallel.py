"""The same work for many parts of a document, in one process or in several.

Each process works through its share of the parts, on a document that it has inherited or opened.
"""

from __future__ import annotations

import os
import sys
from typing import cast

from overhaul.document.opening import open
from overhaul.document.protocol import HasCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor
    from typing import TypeVar

    D = TypeVar("D")
    Item = TypeVar("Item")
    State = TypeVar("State")
    Result = TypeVar("Result")
    Source = str | os.PathLike[str] | bytes

#: Into how many pieces each process's share is cut, so that progress shows and shares even out.
PIECES = 8


def map_parts(
    source: Source,
    prepare: Callable[[D], State],
    task: Callable[[State, Item], Result],
    items: Sequence[Item],
    *,
    document: D,
    assume_version: str | None = None,
    jobs: int = 1,
    least: int = 2 * PIECES,
) -> Iterator[Result]:
    """``task(state, item)`` for each item, in order; ``state`` is what ``prepare(document)`` made.

    With one job, or fewer than ``least`` items, it is done here on ``document``.  On Linux the
    processes inherit what was prepared; elsewhere each opens ``source`` and prepares its own.  Both
    functions must be importable from a module, and items and results picklable.  Errors of a task
    come out here.
    """
    if jobs <= 1 or len(items) < least:
        state = prepare(document)
        for item in items:
            yield task(state, item)
        return
    from concurrent.futures import BrokenExecutor  # start-up: one process needs none of this

    size = -(-len(items) // (jobs * PIECES))
    with _pool(source, prepare, document, assume_version, jobs) as pool:
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


def learn_code(source: Source, document: object, jobs: int) -> None:
    """Let a document learn from its code, if it has any, in several processes.

    Processes that are started later inherit what was learned.  Where they inherit nothing, each
    learns by itself.
    """

    def each(task: Callable[[D, Item], Result], items: Sequence[Item], /) -> Iterator[Result]:
        known = cast("D", document)
        return map_parts(source, itself, task, items, document=known, jobs=jobs, least=2)

    if jobs > 1 and "linux" in sys.platform and isinstance(document, HasCode):
        document.learn_code(each)


def itself(document: D) -> D:
    """The document, where a task needs nothing else prepared."""
    return document


def _pool(
    source: Source,
    prepare: Callable[[D], object],
    document: D,
    assume_version: str | None,
    jobs: int,
) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor  # start-up: see map_parts
    from multiprocessing import get_context  # start-up: see map_parts

    if "linux" in sys.platform:
        _keep(prepare(document))
        context = get_context("fork")
        return ProcessPoolExecutor(jobs, mp_context=context, initializer=leave_quietly)
    arguments = (source, assume_version, prepare)
    return ProcessPoolExecutor(jobs, initializer=_start, initargs=arguments)


def leave_quietly() -> None:
    """Let a process of a pool end without a word at Ctrl-C: the one that started it tells."""
    import signal

    signal.signal(signal.SIGINT, lambda *_: os._exit(130))


#: What the tasks of a process of the pool work on.
_state: object = None


def _keep(state: object) -> None:
    global _state
    _state = state


def _start(source: Source, assume_version: str | None, prepare: Callable[[D], object]) -> None:
    leave_quietly()
    _keep(prepare(cast("D", open(source, assume_version=assume_version))))


def _work(task: Callable[[State, Item], Result], items: Sequence[Item]) -> list[Result]:
    state = cast("State", _state)
    return [task(state, item) for item in items]
