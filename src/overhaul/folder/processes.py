"""Processes that share work: how many, and how they are started and end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar, TypeVarTuple

from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

Result = TypeVar("Result")
Ts = TypeVarTuple("Ts")

#: The number of processes is chosen by the size of the work: as many as there are processors, or
#: one where starting others costs more than they save.
AUTOMATIC = 0
#: The size in bytes of a whole file from which several processes pay.
LARGE_FILE = 2_000_000
#: the exceptions that end a program
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: so many seconds the thread of a pool has to end, once its processes are killed
_PATIENCE = 5.0
#: so many seconds pass between two looks at the processes of a pool whose result does not come
_LOOK = 1.0
#: A pool that has a dead process and gives no result in so many looks never gives one.
_LOOKS = 3


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_for(jobs: int, sizes: Iterable[int]) -> int:
    """As many processes as are asked for; AUTOMATIC are several for files that are large."""
    if jobs != AUTOMATIC:
        return jobs
    return processors() if sum(sizes) >= LARGE_FILE else 1


def processes(
    jobs: int, start: Callable[[*Ts], None], *arguments: *Ts, context: BaseContext | None = None
) -> ProcessPoolExecutor:
    """A pool of processes, each of which calls ``start`` first."""
    from concurrent.futures import ProcessPoolExecutor  # start-up: only for several processes

    return ProcessPoolExecutor(jobs, context, start, arguments)


@contextmanager
def held_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait while a pool is given its first task, which starts processes.

    An exception from a handler that runs while Python forks is printed and lost. The processes
    inherit that signals wait: see :func:`leave_quietly`.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def result_of(pool: ProcessPoolExecutor, task: Future[Result]) -> Result:
    """The result of a task.  Raises what the task raises, and BrokenProcessPool where a process of
    the pool died.

    A process that dies while it writes a result keeps the thread of the pool waiting for the rest
    of it, so that the pool does not see that the process is dead.
    """
    looks = 0
    while looks < _LOOKS:
        try:
            return task.result(_LOOK)
        except TimeoutError:
            if task.done():  # since then, or the task raised it
                return task.result()
            looks = looks + 1 if _has_dead(pool) else 0
    broken: type[BrokenExecutor] = load("concurrent.futures.process:BrokenProcessPool")
    raise broken("a process died while it wrote a result")


def _has_dead(pool: ProcessPoolExecutor) -> bool:
    """Whether a process of a pool is dead; it is not joined here."""
    running = list((getattr(pool, "_processes", None) or {}).values())
    sentinels = [process.sentinel for process in running]
    return bool(load("multiprocessing.connection:wait")(sentinels, 0))


def end_at_once(pool: ProcessPoolExecutor) -> None:
    """End a pool whose results are no longer needed: its processes are killed, then joined.

    A process that died while it read the queue of tasks keeps the others waiting, so that a pool
    that waits for them never ends.  Nor may the end of Python meet the thread of a pool that is
    about to end: it wakes it up, by a pipe that the thread closes.
    """
    _end(pool)


def end_tidily(pool: ProcessPoolExecutor) -> None:
    """End a pool after an error or Ctrl-C: its processes end what they do, and may remove files.

    They are killed where one of them died, and the others do not end: see :func:`result_of`.
    """
    _end(pool, _wait_for)


def _wait_for(thread: threading.Thread, running: Sequence[BaseProcess]) -> None:
    looks = 0
    while thread.is_alive() and looks < _LOOKS:
        thread.join(_LOOK)
        looks = looks + 1 if any(process.exitcode for process in running) else 0


def _end(
    pool: ProcessPoolExecutor,
    wait: Callable[[threading.Thread, Sequence[BaseProcess]], None] | None = None,
) -> None:
    # as kill_workers() of Python 3.14
    thread: threading.Thread | None = getattr(pool, "_executor_manager_thread", None)
    running = list((getattr(pool, "_processes", None) or {}).values())
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    pool.shutdown(wait=False, cancel_futures=True)
    if thread is not None and wait is not None:
        wait(thread, running)
    for process in running:
        process.kill()
    for process in running:
        process.join()
    if writer is not None:  # the last end of the pipe in which the thread may wait for a result
        writer.close()
    if thread is not None:
        thread.join(_PATIENCE)


def killed(error: BaseException) -> BaseException:
    """The error of a pool, as MemoryError where the system, or somebody, killed a process of it."""
    if not isinstance(error, load("concurrent.futures:BrokenExecutor")):
        return error
    made = MemoryError("a worker process was killed")
    made.__cause__ = error
    return made


def leave_quietly() -> None:
    """Let a process of a pool end silently at Ctrl-C, which the one that started it reports, and
    with the one that started it.

    SIGTERM ends it at once: a handler that it inherits would raise an exception, which the pool
    takes for the result of a task, and a pool that ends its processes so would wait forever.
    """
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = load("multiprocessing:parent_process")()
    if parent is not None:
        load("multiprocessing.connection:wait")([parent.sentinel])
        os._exit(1)
