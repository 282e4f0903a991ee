"""Running a coroutine in a test: ``from loops import run``."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, run on a thread: that of the tests may have the browser's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()
