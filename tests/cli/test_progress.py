"""The line of progress: drawn on a terminal, for what takes long, and gone at the end."""

from __future__ import annotations

import io

import pytest

from overhaul.cli.progress import Bar, clock


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error as a terminal; a fixture would come before pytest's own stream."""
    made = Terminal()
    monkeypatch.setattr("sys.stderr", made)
    monkeypatch.setattr("overhaul.cli.progress.time.monotonic", Clock())
    return made


class Clock:
    """Four seconds pass between two questions."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 4.0
        return self.now


def test_the_line_says_how_far_it_is_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    bar = Bar("files")
    bar(1, 4, "b.win")
    assert terminal.getvalue() == f"\r[{'#' * 6}{'-' * 18}] 1/4 files, 0:12 left  b.win\x1b[K"
    bar(4, 4, "")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_the_rate_is_shown_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    Bar("files", rate=True)(2, 4, "")
    assert "2/4 files, 0.5/s, 0:04 left" in terminal.getvalue()
    Bar("files", rate=True)(0, 4, "a")
    assert terminal.getvalue().endswith("] 0/4 files  a\x1b[K")


def test_nothing_is_drawn_where_it_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    Bar("files", hidden=True)(1, 4, "a")
    assert terminal.getvalue() == ""


def test_what_takes_no_time_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr("overhaul.cli.progress.time.monotonic", lambda: 5.0)
    Bar("files")(1, 4, "a")
    assert terminal.getvalue() == ""


def test_clock() -> None:
    assert [clock(0.4), clock(59.6), clock(3600)] == ["0:00", "1:00", "60:00"]
