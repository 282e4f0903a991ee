"""The command line: one module per command, which parses arguments and prints; no logic here.

``main`` is the console script.  The commands that people and scripts run most, ``info`` and
``verify``, run without click when their arguments are plain, since its import would cost more than
the work they do.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress

from overhaul.cli.output import INTERRUPTED, OK, Settings, check_output, explain_error, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The options that need no click.
_PLAIN = frozenset({"--json", "-q", "--quiet", "-v"})
#: Objects made and not freed before the collector of cycles looks at the youngest ones.  A command
#: makes many objects that stay and few cycles; with Python's own 700, collecting is a tenth of its
#: time, and frees nothing.
_COLLECT_AFTER = 50_000


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Let Python's collector of cycles run rarely, as it does in commands; afterwards it runs as
    before."""
    before = gc.get_threshold()
    gc.set_threshold(_COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    with collecting_rarely():
        return _main(sys.argv[1:] if arguments is None else arguments)


def _main(arguments: Sequence[str]) -> int:
    """Run a command; what Ctrl-C, a closed pipe and a full disk end is reported."""
    words = list(arguments)
    # One thread for numpy's linear algebra, which nothing here uses: starting more is slow.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    known = sys.stdout
    check_output()
    for stream in (sys.stdout, sys.stderr):
        # A name from a game may hold what the terminal's encoding can't show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        note("\noverhaul: interrupted; nothing was left half-written")
        return INTERRUPTED
    except BrokenPipeError:  # `overhaul ls ... | head`
        return OK
    except OSError as error:
        return explain_error(error)
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        sys.stdout = known
    return code


def _run(words: list[str]) -> int:
    if "_OVERHAUL_COMPLETE" not in os.environ:
        code = run_plain(words)
        if code is not None:
            return code
    from overhaul.cli.app import run  # start-up: click

    return run(words)


def run_plain(words: list[str]) -> int | None:
    """Run ``info`` or ``verify`` without click and return its exit code; None if click has to parse
    the words.

    Only file names and the options in ``_PLAIN`` are parsed; anything else (``--help``, an
    abbreviation, ``-j``) is left to click.  Both ways call the same functions, and tests compare
    them.
    """
    if not words or words[0] not in ("info", "verify"):
        return None
    files = [word for word in words[1:] if not word.startswith("-")]
    given = {word for word in words[1:] if word.startswith("-")}
    if not files or given - _PLAIN:
        return None
    from overhaul.cli.reports import info_files, verify_files  # start-up: other commands

    settings = Settings(
        json="--json" in given,
        quiet=not given.isdisjoint({"-q", "--quiet"}),
        verbose="-v" in given,
    )
    return (info_files if words[0] == "info" else verify_files)(files, settings)
