"""The short way to ``info`` and ``verify``: no click, when there is nothing that it would parse.

Only file names and the options below are taken; with anything else (``--help``, an abbreviation,
``-j``) the usual way is gone.  Both ways call the same functions, and tests compare them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.cli.output import Settings

_FLAGS = {"--json": "json", "-q": "quiet", "--quiet": "quiet", "-v": "verbose"}


def run_plain(words: list[str]) -> int | None:
    """Run the command and return its exit code; None if it needs the usual way."""
    if len(words) < 2 or words[0] not in ("info", "verify"):
        return None
    settings, files = _plain(words[1:])
    if settings is None or not files:
        return None
    if words[0] == "info":
        from overhaul.cli.reports import info_files

        return info_files(files, settings)
    from overhaul.cli.reports import verify_files

    return verify_files(files, settings)


def _plain(words: list[str]) -> tuple[Settings | None, list[str]]:
    from overhaul.cli.output import Settings

    flags: dict[str, bool] = {}
    files = []
    for word in words:
        if not word.startswith("-"):
            files.append(word)
        elif word in _FLAGS:
            flags[_FLAGS[word]] = True
        else:
            return None, []
    return Settings(**flags), files
