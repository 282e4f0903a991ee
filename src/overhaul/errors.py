"""The exceptions of Overhaul.

Everything the library raises on purpose derives from :class:`OverhaulError`.  A
:class:`FormatError` names the file, the byte offset and the path inside the structure; the path
is built while the exception unwinds, so that reading a good file costs nothing for it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self


class OverhaulError(Exception):
    """The base class of all errors that Overhaul raises."""


class PathError(OverhaulError, ValueError):
    """An error at a place in a structure: ``path``, outermost first: ``SPRT[12].frames[3]``.

    ``message`` says what is wrong.
    """

    def __init__(self, message: str, *, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path: str = path

    def within(self, name: str, index: int | None = None) -> Self:
        """Put an outer step before the path (called while unwinding) and return the error."""
        step = name if index is None else f"{name}[{index}]"
        if not self.path:
            self.path = step
        elif self.path.startswith("["):
            self.path = step + self.path
        else:
            self.path = f"{step}.{self.path}"
        return self

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class FormatError(PathError):
    """The file is broken, or of another kind than it claims.

    ``offset`` is a byte offset in ``source`` (the file's name, or None for bytes in memory).
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        offset: int | None = None,
        path: str = "",
    ) -> None:
        super().__init__(message, path=path)
        self.source = source
        self.offset = offset

    def __str__(self) -> str:
        text = super().__str__()
        if self.offset is not None:
            text = f"{text} (at offset {self.offset:#x})"
        if self.source:
            text = f"{self.source}: {text}"
        return text


class UnsupportedVersion(FormatError):
    """The file is of a version that Overhaul does not support."""


class EncodeError(PathError):
    """The model can't be written: a value too large for its field, a missing reference."""


class ClosedError(OverhaulError, ValueError):
    """A document was closed, and its file is no longer read."""


class CharacterError(EncodeError):
    """A text has a character that its encoding lacks."""

    def __init__(self, character: str, encoding: str) -> None:
        super().__init__(f"{character!r} does not exist in {encoding}")
        self.character = character


class WorkspaceError(OverhaulError):
    """A folder and its manifest disagree, or a plain file is not valid."""


class RenumberingError(WorkspaceError):
    """Code holds numbers that may name things which have other numbers since an edit.

    ``doubts`` are the warnings in its place where that is accepted.
    """

    def __init__(self, message: str, doubts: Sequence[str]) -> None:
        super().__init__(message)
        self.doubts: list[str] = list(doubts)


class PlainFileError(WorkspaceError):
    """A value in a plain file is not valid: ``file``, ``key`` (``instances[3].x``, perhaps "").

    ``line`` and ``column`` of the key count from 1; they are 0 where they are not known.
    ``message`` says what is wrong.
    """

    def __init__(
        self, message: str, file: str, key: str = "", line: int = 0, column: int = 0
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.key = key
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return ": ".join(filter(None, (place, self.key, self.message)))


class SourceError(OverhaulError):
    """An error in source text; several are collected before stopping.

    ``line`` and ``column`` count from 1.  ``message`` says what is wrong; ``name`` is that of the
    code entry or file, "" where it has none.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, *, name: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.name = name

    def __str__(self) -> str:
        where = f"{self.name or 'source'}:{self.line}:{self.column}: " if self.line else ""
        return f"{where}{self.message}"


class SourceErrors(SourceError):
    """Several source texts have errors: ``errors`` has one error for each text, in order."""

    def __init__(self, errors: Sequence[SourceError]) -> None:
        first = errors[0]
        super().__init__(first.message, first.line, first.column, name=first.name)
        self.errors: list[SourceError] = list(errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def mistakes_of(error: SourceError) -> list[SourceError]:
    """The single mistakes of an error about one source text or several, with their names."""
    found: list[SourceError] = []
    waiting = [error]
    while waiting:
        each = waiting.pop(0)
        listed: list[SourceError] = list(getattr(each, "errors", ()))
        inner = [one for one in listed if one is not each]
        if len(inner) == len(listed) and inner:
            for one in inner:
                one.name = one.name or each.name
        else:  # it is one of them, or the only one
            found.append(each)
        waiting = inner + waiting
    return found
