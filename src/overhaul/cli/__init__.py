"""The command line: one module per command, which parses arguments and prints; no logic here.

``main`` is the console script.  The commands that people and scripts run most, ``info`` and
``verify``, are reached without importing click when their arguments are plain (see
:mod:`overhaul.cli.express`), since its import would cost more than the work they do.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from overhaul.cli.exits import INTERRUPTED, OK
from overhaul.cli.output import explain_error, note
from overhaul.cli.streams import check_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
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
        from overhaul.cli.express import run_plain  # start-up: see there

        code = run_plain(words)
        if code is not None:
            return code
    from overhaul.cli.app import run  # start-up: click

    return run(words)
