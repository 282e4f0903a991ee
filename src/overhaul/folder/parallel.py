"""The same work for many parts of a document, in one process or in several.

Each process works through its share of the parts, on a document that it has inherited or opened.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor
    from typing import Any, TypeVar

    from overhaul.document.protocol import Document

    Item = TypeVar("Item")
    State = TypeVar("State")
    Result = TypeVar("Result")
    Source = str | os.PathLike[str] | bytes

#: Into how many pieces each process's share is cut, so that progress shows and shares even out.
PIECES = 8


def map_parts(
    source: Source,
    prepare: Callable[[Document], State],
    task: Callable[[State, Item], Result],
    items: Sequence[Item],
    *,
    document: Document,
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
    from concurrent.futures import BrokenExecutor

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


def learn_code(source: Source, document: Document, jobs: int) -> None:
    """Let a document learn from its code in several processes, which then inherit what was learned.
    Where processes inherit nothing, each learns by itself."""

    def each(task: Callable[[Document, Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        return map_parts(source, _itself, task, items, document=document, jobs=jobs, least=2)

    if jobs > 1 and "linux" in sys.platform:
        document.learn_code(each)


def _itself(document: Document) -> Document:
    return document


def _pool(
    source: Source,
    prepare: Callable[[Document], Any],
    document: Document,
    assume_version: str | None,
    jobs: int,
) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    if "linux" in sys.platform:
        from multiprocessing import get_context

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
_state: Any = None


def _keep(state: Any) -> None:
    global _state
    _state = state


def _start(source: Source, assume_version: str | None, prepare: Callable[[Document], Any]) -> None:
    from overhaul.document.registry import open

    leave_quietly()
    _keep(prepare(open(source, assume_version=assume_version)))


def _work(task: Callable[[Any, Any], Any], items: Sequence[Any]) -> list[Any]:
    return [task(_state, item) for item in items]
