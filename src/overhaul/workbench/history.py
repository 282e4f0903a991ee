"""The steps of a game as a tree: each was made after another one, and one of them is on show."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from overhaul.errors import WorkspaceError
from overhaul.findings import Finding

#: The number of the game as it was before the first step.
START = 0
#: A label is cut to so many characters.
_LABEL: Final = 200


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A plain file before and after a step: digests of contents; None where it was not there."""

    before: str | None
    after: str | None


class Said(msgspec.Struct, frozen=True, array_like=True):
    """A warning of packing; see :class:`~overhaul.findings.Finding`."""

    code: str
    message: str
    path: str
    key: str
    line: int
    column: int

    @classmethod
    def of(cls, finding: Finding) -> Said:
        """A finding as the journal keeps it."""
        place = finding.path, finding.key, finding.line, finding.column
        return cls(finding.code, finding.message, *place)

    def finding(self) -> Finding:
        """It, as packing gave it."""
        place = self.path, self.key, self.line, self.column
        return Finding("warning", self.code, self.message, *place)


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """The beginning of the steps: the file's path, digest and size, and the kind of the
    document."""

    path: str
    digest: str
    size: int
    kind: str
    version: str


class Step(msgspec.Struct, frozen=True, tag="step"):
    """A change of plain files, by path, made after the step ``parent`` (0: the first).

    ``label`` says what it does, ``time`` when it was made, in seconds since 1970; ``findings``
    are from packing. ``result``: the digest of the file then, ``companions``: digests of the files
    next to it that differ, ``replaces``: digests of these files on the disk, where no step before
    has them; ``sources`` the code that people wrote, by path. ``accept``:
    numbers in code that may name a resource were accepted unchanged. ``rewrite``: code that is
    kept as text got the new names of resources.
    """

    id: int
    parent: int
    label: str
    time: float
    changes: dict[str, Change]
    findings: list[Said] = []
    result: str = ""
    size: int = 0
    companions: dict[str, str] = {}
    replaces: dict[str, str] = {}
    sources: dict[str, str] = {}
    accept: bool = False
    rewrite: bool = False

    def said(self) -> list[Finding]:
        """The findings of packing."""
        return [each.finding() for each in self.findings]


class At(msgspec.Struct, frozen=True, tag="at"):
    """The step that is on show from now on."""

    id: int


class Replaced(msgspec.Struct, frozen=True, tag="replaced"):
    """Files next to the game that no step wrote, and that saving is about to replace: their
    contents, by name."""

    files: dict[str, str]


class Saved(msgspec.Struct, frozen=True, tag="saved"):
    """A step that was saved: the digest that the file has since."""

    id: int
    digest: str


class Pending(msgspec.Struct, frozen=True, tag="pending"):
    """Files of a folder that are about to be written; a step or ``At`` behind it says that all
    were."""

    changes: dict[str, Change]


Record: TypeAlias = Begin | Step | At | Replaced | Saved | Pending


class History:
    """The steps of a journal.

    ``at`` is the number of the step on show; 0 before the first.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.steps: dict[int, Step] = {}
        self.begin: Begin | None = None
        self.at: int = START
        #: the steps that were saved, by the digest of the file then; the last one is the last
        self.saved: dict[str, int] = {}
        #: files next to the game that saving replaced
        self.replaced: list[Replaced] = []
        #: files that were about to be written when the program ended
        self.pending: Pending | None = None
        #: the child of each step that was on show last
        self._next: dict[int, int] = {}
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Take in a record of the journal."""
        if isinstance(record, Begin):
            self.begin = record
        elif isinstance(record, Saved):
            self.saved.pop(record.digest, None)
            self.saved[record.digest] = record.id
        elif isinstance(record, Replaced):
            self.replaced.append(record)
        elif isinstance(record, Pending):
            self.pending = record
        elif isinstance(record, At):
            self.pending = None
            self._go(record.id)
        elif isinstance(record, Step):
            self.pending = None
            self.steps[record.id] = record
            self._go(record.id)

    def _go(self, to: int) -> None:
        if to == START or to in self.steps:
            self.at = to
            for step in self.path_to(to):
                self._next[step.parent] = step.id

    @property
    def next_id(self) -> int:
        """The number of the next step."""
        return max(self.steps, default=START) + 1

    def new_step(self, label: str, changes: dict[str, Change], findings: Iterable[Finding]) -> Step:
        """A step after the one on show, made now."""
        said = list(map(Said.of, findings))
        return Step(self.next_id, self.at, label[:_LABEL], time.time(), changes, said)

    def must_have(self, step: int) -> None:
        """Raise WorkspaceError for a step that there is not."""
        if step != START and step not in self.steps:
            raise WorkspaceError(f"there is no step {step}")

    @property
    def current(self) -> Step | None:
        """The step on show; None before the first."""
        return self.steps.get(self.at)

    def path_to(self, to: int | None = None) -> list[Step]:
        """The steps from the first to one (the one on show)."""
        steps: list[Step] = []
        at = self.at if to is None else to
        while at in self.steps:
            steps.append(self.steps[at])
            at = self.steps[at].parent
        return steps[::-1]

    def undone(self) -> list[Step]:
        """The steps after the one on show that redo makes again, in order."""
        steps: list[Step] = []
        at = self._next.get(self.at, START)
        while at in self.steps:
            steps.append(self.steps[at])
            at = self._next.get(at, START)
        return steps

    def abandoned(self) -> list[Step]:
        """The steps that are neither done nor undone: something else was done after undoing."""
        listed = {step.id for step in (*self.path_to(), *self.undone())}
        return [step for step in self.steps.values() if step.id not in listed]

    def between(self, first: int, last: int) -> Iterator[Step]:
        """The steps that are on only one of the ways to two steps."""
        one, two = ({step.id for step in self.path_to(at)} for at in (first, last))
        return (step for step in self.steps.values() if step.id in one ^ two)
