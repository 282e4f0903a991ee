"""The output of commands: results on stdout, everything else on stderr, errors in one line.

Standard output reports its errors: a full disk, a stream that is closed.  Python's own stream
raises what a write raises without the name of the file, writes less than all where it is not
buffered, and fails once more when the program ends.
"""

from __future__ import annotations

import errno
import io
import os
import sys

from overhaul.errors import OverhaulError
from overhaul.findings import Finding, Findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final, Protocol, TextIO

    import click
    from _typeshed import ReadableBuffer

    from overhaul.document.salvaging import Lost

    class HasFindings(Protocol):
        """A result of a library function: a named tuple with findings."""

        @property
        def findings(self) -> Findings: ...

        def _asdict(self) -> dict[str, object]: ...


# The exit codes (docs/guide/command-line.md).
OK = 0
ANSWER_IS_NO = 1
USAGE = 2
BAD_INPUT = 3
INTERNAL = 70
INTERRUPTED = 130

#: The option that an error asks for, by its code.
_HINTS = {
    "work-in-it": " (--discard replaces it)",
    "renumbered": " (--accept-renumbering keeps the numbers)",
    "limit": " (--max-expansion 2GB does so for one command)",
    "truncated": " (overhaul unpack --salvage takes the intact parts)",
}


class Settings:
    """The options that every command has."""

    __slots__ = ("assume_version", "jobs", "json", "quiet", "verbose")

    def __init__(
        self,
        *,
        json: bool = False,
        quiet: bool = False,
        verbose: bool = False,
        jobs: int = 1,
        assume_version: str | None = None,
    ) -> None:
        self.json: bool = json
        self.quiet: bool = quiet
        self.verbose: bool = verbose
        self.jobs: int = jobs
        self.assume_version: str | None = assume_version


def with_hint(text: str, code: str) -> str:
    """A text of the library as it is shown, with the option that its code asks for."""
    return "\n".join(map(shown, text.splitlines())) + _HINTS.get(code, "")


def say(text: str = "") -> None:
    """A line of the result, on stdout."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """A line of progress, warning or error, on stderr; lost where that can't be written."""
    try:
        sys.stderr.write(text + "\n")
    except OSError:
        return


def warn(findings: Iterable[Finding], settings: Settings, source: str = "") -> None:
    """Warnings of a document, on stderr; not with --quiet."""
    if settings.quiet:
        return
    for finding in findings:
        prefix = f"{shown(source)}: " if source and finding.path != source else ""
        note(f"overhaul: {prefix}{finding.severity}: {shown(finding)}")


def say_lost(lost: Iterable[Lost], settings: Settings) -> list[dict[str, str]]:
    """Print the parts that could not be read from a damaged file, on stderr; and return their
    rows of JSON."""
    rows = [{"name": entry.name, "reason": entry.reason} for entry in lost]
    if not settings.quiet:
        for row in rows:
            note(f"overhaul: lost: {shown(row['name'] or 'its table')}: {shown(row['reason'])}")
    return rows


def row_of(done: HasFindings) -> dict[str, object]:
    """The row of JSON of what a function of the library returns."""
    findings = done.findings
    return {**done._asdict(), "warnings": findings.texts(), "findings": findings.to_json()}


def say_json(value: object) -> None:
    """A value as JSON, on stdout."""
    import json  # start-up: for --json only

    say(json.dumps(value, indent=2, ensure_ascii=True, default=str))


def read_input(path: str) -> bytes:
    """The bytes of a file; ``-`` is stdin."""
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as stream:
        return stream.read()


def shown(text: object) -> str:
    """Text from a file for the terminal: control characters are escaped."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


def size_in_words(size: int) -> str:
    """A size in bytes: ``712``, ``1.4 kB``, ``26.0 MB``."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB"):
        value /= 1000
        if value < 999.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} GB"


def explain_error(error: BaseException, settings: Settings | None = None) -> int:
    """Report an error in one line on stderr; return the exit code it means.

    An error that is neither the library's nor the system's is a bug in Overhaul: the last place in
    the source is named, and with ``--verbose`` the whole trace is shown.  A pipe that nothing reads
    any more ends the command: BrokenPipeError is raised again.
    """
    if isinstance(error, BrokenPipeError):
        raise error
    if isinstance(error, OverhaulError):
        note(f"overhaul: {with_hint(str(error), error.code)}")
        return BAD_INPUT
    if isinstance(error, OSError):
        named = f"{shown(error.filename)}: " if error.filename else ""
        hint = " (--force replaces it)" if error.strerror == "already exists" else ""
        note(f"overhaul: {named}{error.strerror or error}{hint}")
        return USAGE if isinstance(error, FileExistsError) else BAD_INPUT
    if isinstance(error, MemoryError):
        why = f"{error}: " if str(error) else ""
        note(f"overhaul: {why}not enough memory for this file")
        return BAD_INPUT
    if settings is not None and settings.verbose:
        import traceback  # start-up: for errors only

        note("".join(traceback.format_exception(error)))
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f" ({where.tb_frame.f_code.co_filename}:{where.tb_lineno})" if where else ""
    note(
        f"overhaul: internal error: {type(error).__name__}: {shown(error)}{place}. "
        "Please report it (-v shows more)"
    )
    return INTERNAL


def explain_usage(error: click.ClickException) -> int:
    """Report what is wrong with the words of a command line; return the exit code it means."""
    context = getattr(error, "ctx", None)
    if context is not None:
        note(context.get_usage())
        names = context.help_option_names
        if context.command.get_help_option(context) is not None and names:
            note(f"Try '{context.command_path} {names[-1]}' for help.")
        note("")
    note(f"overhaul: {shown(error.format_message())}")
    return error.exit_code


def guarded(work: Callable[[], int], settings: Settings | None = None) -> int:
    """Run a command's work; an error becomes one line and an exit code."""
    try:
        return work()
    except KeyboardInterrupt:
        raise
    except BrokenPipeError:  # `overhaul ls ... | head`; click would make it the exit code 1
        return OK
    except Exception as error:  # noqa: BLE001 - the outermost frame: nothing may pass as a trace
        code = explain_error(error, settings)
        if settings is not None and settings.json:
            say_json({"error": str(error), "findings": findings_in(error).to_json()})
        return code


def findings_in(error: BaseException) -> Findings:
    """The findings of an error about people's files: one for each mistake."""
    if isinstance(error, OverhaulError):
        return error.findings
    path = str(error.filename or "") if isinstance(error, OSError) else ""
    return Findings([Finding("error", "invalid", str(error), path)])


# -- standard output ---------------------------------------------------------------------------

STANDARD_OUTPUT: Final = "standard output"


class _Output(io.FileIO):
    """A file descriptor whose errors name it; after the first, what is written goes nowhere."""

    def __init__(self, number: int, failure: int = 0) -> None:
        super().__init__(number, "wb", closefd=False)
        self._failure = failure
        self._failed = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes; OSError names standard output."""
        if self._failed:
            return len(memoryview(data).cast("B"))
        try:
            if self._failure:
                raise OSError(self._failure, os.strerror(self._failure))
            return super().write(data) or 0
        except OSError as error:
            self._failed = True
            if isinstance(error, BrokenPipeError):
                raise
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from None


def check_output() -> None:
    """Put a stream that is checked in the place of ``sys.stdout``, where that is a file or closed.

    A terminal is left as it is, and so is a stream that is not the system's (a test's).
    """
    error: TextIO | None = sys.stderr
    if error is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    if _is_closed():
        nowhere = os.open(os.devnull, os.O_WRONLY)
        sys.stdout = _text(_Output(nowhere, errno.EBADF), "utf-8")
    elif sys.stdout is sys.__stdout__:
        _check(sys.stdout)  # type: ignore[arg-type]  # it is open


def _check(output: TextIO) -> None:
    if not output.isatty():
        output.flush()
        sys.stdout = _text(_Output(output.fileno()), output.encoding)


def _is_closed() -> bool:
    output: TextIO | None = sys.stdout
    return output is None


def _text(output: _Output, encoding: str) -> io.TextIOWrapper:
    # a name from a game may hold what the encoding lacks
    return io.TextIOWrapper(io.BufferedWriter(output), encoding, "backslashreplace")
