"""``info`` and ``verify`` without click, whose import would cost more than the work they do.

Only file names and the options below are parsed; anything else (``--help``, an abbreviation,
``-j``) is left to click.  Both ways call the same functions, and tests compare them.
"""

from __future__ import annotations

from overhaul.cli.output import Settings

_OPTIONS = frozenset({"--json", "-q", "--quiet", "-v"})


def run_plain(words: list[str]) -> int | None:
    """Run the command and return its exit code; None if click has to parse it."""
    if not words or words[0] not in ("info", "verify"):
        return None
    files = [word for word in words[1:] if not word.startswith("-")]
    given = {word for word in words[1:] if word.startswith("-")}
    if not files or given - _OPTIONS:
        return None
    from overhaul.cli.reports import info_files, verify_files  # start-up: other commands

    settings = Settings(
        json="--json" in given,
        quiet=not given.isdisjoint({"-q", "--quiet"}),
        verbose="-v" in given,
    )
    return (info_files if words[0] == "info" else verify_files)(files, settings)
