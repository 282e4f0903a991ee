"""Findings: faults and notes about a file that people edit or open.

A :class:`Finding` carries its place as values, so that an editor, a page or a mod can use them;
its text is made in one place, :meth:`Finding.__str__`. Code that asks about a finding asks for
its ``code`` (:data:`CODES`), never for its text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Literal, TypeAlias

    #: How bad a finding is.
    Severity: TypeAlias = Literal["error", "warning", "note"]
else:  # start-up: without the cost of importing typing
    Severity = str

#: The codes of findings, and what each says.
CODES: Mapping[str, str] = {
    "absent-file": "a file that the game refers to is not next to it, or can't be read",
    "appended": "something new got a place behind the others, as nothing says which",
    "approximated": "a value or a picture is stored in the nearest form that the format has",
    "changed-with-it": "an edit changes more than was edited",
    "code-not-compiled": "code is left out or shown in another form, as it does not compile",
    "code-not-decompiled": "code is shown as assembly, or its source differs from the original",
    "code-unused": "nothing in the game runs the code",
    "cut-short": "a text is longer than its field in the game, and is cut",
    "defined-otherwise": "two places of code define one macro or enum in different ways",
    "duplicate": "two things have one number or name",
    "invalid": "a value, a text or a file is not valid",
    "kept-as-bytes": "a part of the file is not understood, and its bytes are kept unchanged",
    "left-out": "a part can't be taken over, and is left out",
    "limit": "a size or a count is beyond a limit of Overhaul",
    "lost-in-compiling": "compiling threw a value away, and the editor's usual one is in its place",
    "lost-function": "code calls a function that is gone",
    "mismatch": "values that belong together do not agree",
    "merge-conflict": "a merge left its marks in a file",
    "missing-letters": "a font lacks letters of a text",
    "missing-name": "something refers to a name or a number that nothing has",
    "no-effect": "an edit changes nothing in the game",
    "not-in-release": "the release that a project is made for can't have this: it is left out",
    "not-drawn": "a part of a picture can't be drawn",
    "older-editor": "a game is built as a later editor than the project's own builds it",
    "other-case": "a file's name differs in case from the name that is used for it",
    "placeholders": "a translation has other placeholders than the text",
    "renamed": "something is taken for another thing under a new name",
    "renumbered": "resources have other numbers, and code holds a number that may name one",
    "still-named": "something that is gone or has another name is still named",
    "syntax": "a source has an error",
    "truncated": "the file is shorter than it says",
    "two-translations": "a text has two translations",
    "unknown-name": "code uses a name that nothing in the game has",
    "unknown-text": "a text of a translation is not in the game",
    "undeclared": "a file has fields that the format is not known to have; they are kept",
    "unlisted": "a file is there, and the project does not list it",
    "unlike": "a packed file differs in more than was edited",
    "unset-variable": "code reads a variable that no code sets any longer",
    "unsupported": "the release of the game can't have this",
    "unusual": "the file differs from what the format's own programs write",
    "work-in-it": "a file or folder holds work that is not saved elsewhere",
}


class Finding:
    """One thing that is wrong or worth knowing.

    ``code`` is one of :data:`CODES`; ``message`` says it without the place. ``path`` is a plain
    file (``code/x.gml``) or a place in the document (``SPRT[12]``), ``key`` a key inside a JSON
    file (``instances[3].x``); ``line`` and ``column`` count from 1. Unknown fields are empty, or
    0.
    """

    __slots__ = ("code", "column", "key", "line", "message", "path", "severity")

    def __init__(
        self,
        severity: Severity,
        code: str,
        message: str,
        path: str = "",
        key: str = "",
        line: int = 0,
        column: int = 0,
    ) -> None:
        self.severity: Severity = severity
        self.code: str = code
        self.message: str = message
        self.path: str = path
        self.key: str = key
        self.line: int = line
        self.column: int = column

    def replaced(
        self,
        *,
        severity: Severity | None = None,
        code: str | None = None,
        message: str | None = None,
        path: str | None = None,
        line: int | None = None,
    ) -> Finding:
        """The same with other values of some fields."""
        return Finding(
            self.severity if severity is None else severity,
            self.code if code is None else code,
            self.message if message is None else message,
            self.path if path is None else path,
            self.key,
            self.line if line is None else line,
            self.column,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.code, self.message, self.path, self.key, self.line, self.column))

    def __repr__(self) -> str:
        return f"<{self.severity} {self.code}: {self}>"

    def under(self, prefix: str) -> Finding:
        """The same where its file is part of something else: ``rooms/1/`` and ``room.json``."""
        return self.replaced(path=path_under(prefix, self.path))

    @property
    def place(self) -> str:
        """The place as compilers write it: ``code/x.gml:3:5``."""
        line = f":{self.line}" if self.line else ""
        return f"{self.path}{line}{f':{self.column}' if line and self.column else ''}"

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.place, self.key, self.message)))

    def to_json(self) -> dict[str, str | int]:
        """The fields by name, as ``--json`` shows them."""
        return {
            "severity": self.severity, "code": self.code, "message": self.message,
            "path": self.path, "key": self.key, "line": self.line, "column": self.column,
        }  # fmt: skip


class Findings(list[Finding]):
    """Findings in the order they were made."""

    def warn(
        self, code: str, message: str, path: str = "", key: str = "", line: int = 0, column: int = 0
    ) -> None:
        """Add a warning."""
        self.append(Finding("warning", code, message, path, key, line, column))

    def add_note(self, code: str, message: str, path: str = "") -> None:
        """Add what is worth knowing, and no mistake."""
        self.append(Finding("note", code, message, path))

    def note_once(self, code: str, message: str, path: str = "") -> None:
        """Add what is worth knowing and is not among them yet."""
        made = Finding("note", code, message, path)
        if made not in self:
            self.append(made)

    def warn_once(self, code: str, message: str, path: str = "", key: str = "") -> None:
        """Add a warning that is not among them yet."""
        made = Finding("warning", code, message, path, key)
        if made not in self:
            self.append(made)

    def texts(self) -> list[str]:
        """Each as a text, with its place."""
        return [str(finding) for finding in self]

    def of(self, path: str) -> Findings:
        """The findings about a file."""
        return Findings(finding for finding in self if finding.path == path)

    def under(self, prefix: str) -> Findings:
        """The same where their files are part of something else (:meth:`Finding.under`)."""
        return self.mapped(lambda finding: finding.under(prefix))

    def mapped(self, change: Callable[[Finding], Finding]) -> Findings:
        """Each as a function changes it."""
        return Findings(map(change, self))

    def without(self, known: Iterable[Finding]) -> Findings:
        """The findings that are not among others."""
        seen = set(known)
        return Findings(finding for finding in self if finding not in seen)

    def to_json(self) -> list[dict[str, str | int]]:
        """Each as ``--json`` shows it."""
        return [finding.to_json() for finding in self]


def path_under(prefix: str, path: str) -> str:
    """The path of a file of a part, in the whole; of the part itself where it is empty."""
    return prefix + path if path else prefix.rstrip("/")


def warning(
    code: str, message: str, path: str = "", key: str = "", line: int = 0, column: int = 0
) -> Finding:
    """A warning."""
    return Finding("warning", code, message, path, key, line, column)
