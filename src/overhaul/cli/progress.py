"""A line on stderr that shows the progress of a long task and how long it will take."""

from __future__ import annotations

import sys
import time

from overhaul.cli.output import shown

#: Seconds between two drawings, and before the first: short tasks show nothing.
_STEP = 0.1
_PATIENCE = 0.5
_WIDTH = 24


class Bar:
    """Draws progress where stderr is a terminal; call it with (done, total, name of the next).

    With ``rate`` it also says how many are done in a second.
    """

    def __init__(self, unit: str, *, hidden: bool = False, rate: bool = False) -> None:
        self._unit = unit
        self._rate = rate
        self._started = time.monotonic()
        self._drawn = self._started + _PATIENCE - _STEP
        self._visible = False
        self._terminal = not hidden and sys.stderr.isatty()

    def __call__(self, done: int, total: int, name: str) -> None:
        if not self._terminal:
            return
        now = time.monotonic()
        if done >= total:
            self.clear()
            return
        if now - self._drawn < _STEP:
            return
        self._drawn = now
        self._visible = True
        sys.stderr.write("\r" + self._line(done, total, name, now - self._started) + "\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, so that something can be printed."""
        if self._visible:
            self._visible = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _line(self, done: int, total: int, name: str, elapsed: float) -> str:
        filled = _WIDTH * done // max(1, total)
        drawn = "#" * filled + "-" * (_WIDTH - filled)
        left = f", {clock(elapsed * (total - done) / done)} left" if done else ""
        if done and self._rate and elapsed > 0:
            left = f", {done / elapsed:.1f}/s{left}"
        return f"[{drawn}] {done}/{total} {self._unit}{left}  {shown(name)[-40:]}"


def clock(seconds: float) -> str:
    """Seconds as ``m:ss``."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
