"""The exceptions of Overhaul.

Everything the library raises on purpose derives from :class:`OverhaulError`.  A
:class:`FormatError` names the file, the byte offset and the path inside the structure; the path
is built while the exception unwinds, so that reading a good file costs nothing for it.
"""

from __future__ import annotations

from overhaul.findings import Finding, Findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self


class OverhaulError(Exception):
    """The base class of all errors that Overhaul raises.

    ``code`` is one of :data:`overhaul.findings.CODES`.
    """

    code: str = "invalid"

    @property
    def findings(self) -> Findings:
        """The faults, place by place."""
        return Findings([Finding("error", self.code, str(self))])

    def as_warning(self, code: str, then: str = "") -> Finding:
        """The first of the findings as a warning; ``then`` says what follows from it."""
        found = self.findings[0]
        return found.replaced(severity="warning", code=code, message=found.message + then)

    def moved(self, path_of: Callable[[str], str]) -> OverhaulError:
        """The same error with each file under the path that a function gives (for "": that of the
        whole), as in a part of a package."""
        path, found = path_of(""), self.findings[0]
        return PlainFileError(found.message, path, found.key, code=self.code) if path else self


class PathError(OverhaulError, ValueError):
    """An error at a place in a structure: ``path``, outermost first: ``SPRT[12].frames[3]``.

    ``message`` says what is wrong.
    """

    def __init__(self, message: str, *, path: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path: str = path
        self.code = code or self.code

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

    @property
    def findings(self) -> Findings:
        """The one that it says; ``key`` is the path in the structure."""
        return Findings([Finding("error", self.code, self.message, key=self.path)])

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
        code: str = "",
    ) -> None:
        super().__init__(message, path=path, code=code)
        self.source = source
        self.offset = offset

    def __str__(self) -> str:
        return str(self.findings[0])

    @property
    def findings(self) -> Findings:
        """The one that it says; ``path`` is the file, ``key`` the place in it."""
        offset = "" if self.offset is None else f" (at offset {self.offset:#x})"
        message = self.message + offset
        return Findings([Finding("error", self.code, message, self.source or "", self.path)])


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

    def __init__(self, message: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class FindingsError(WorkspaceError):
    """Several places are wrong: ``findings``.  ``message`` stands for them where it is given."""

    def __init__(self, findings: Sequence[Finding], message: str = "") -> None:
        super().__init__(
            message or "\n".join(map(str, findings)), code=findings[0].code if findings else ""
        )
        self._findings = Findings(finding.replaced(severity="error") for finding in findings)
        self._message = message

    @property
    def findings(self) -> Findings:
        """The places, as errors."""
        return self._findings

    def moved(self, path_of: Callable[[str], str]) -> FindingsError:
        """The same with the findings under other paths."""
        moved = [f.replaced(path=path_of(f.path)) for f in self._findings]
        return type(self)(moved, self._message)


class RenumberingError(FindingsError):
    """Code holds numbers that may name things which have other numbers since an edit.

    The findings are warnings in its place where that is accepted.
    """

    code = "renumbered"


class PlainFileError(WorkspaceError):
    """A value in a plain file is not valid: ``file``, ``key`` (``instances[3].x``, perhaps "").

    ``line`` and ``column`` of the key count from 1; they are 0 where they are not known.
    ``message`` says what is wrong.
    """

    def __init__(
        self,
        message: str,
        file: str,
        key: str = "",
        line: int = 0,
        column: int = 0,
        *,
        code: str = "",
    ) -> None:
        super().__init__(message, code=code)
        self.message = message
        self.file = file
        self.key = key
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return str(self.findings[0])

    @property
    def findings(self) -> Findings:
        """The one that it says."""
        place = self.file, self.key, self.line, self.column
        return Findings([Finding("error", self.code, self.message, *place)])

    def moved(self, path_of: Callable[[str], str]) -> Self:
        """The same error, with its file under another path."""
        self.file = path_of(self.file)
        return self


class SourceError(OverhaulError):
    """An error in source text; several are collected before stopping.

    ``line`` and ``column`` count from 1.  ``message`` says what is wrong; ``name`` is that of the
    code entry or file, "" where it has none.
    """

    code = "syntax"

    def __init__(self, message: str, line: int = 0, column: int = 0, *, name: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.name = name

    def __str__(self) -> str:
        where = f"{self.name or 'source'}:{self.line}:{self.column}: " if self.line else ""
        return f"{where}{self.message}"

    @property
    def findings(self) -> Findings:
        """One for each mistake."""
        return Findings(
            Finding("error", one.code, one.message, one.name, "", one.line, one.column)
            for one in mistakes_of(self)
        )

    def moved(self, path_of: Callable[[str], str]) -> Self:
        """The same error, with its sources under other paths."""
        errors: list[SourceError] = [self, *getattr(self, "errors", ())]
        for own in {id(error): error for error in errors}.values():
            if own.name:  # an error may be the first of its own
                own.name = path_of(own.name)
        return self


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
