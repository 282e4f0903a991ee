"""Verify: decode everything, rebuild it from the model, and compare byte by byte."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from overhaul.document.protocol import (
    Buffer,
    Coverage,
    Document,
    HasCode,
    HasMembers,
    HasMembersNear,
    HasOtherFiles,
    NotesChecks,
    Opaque,
)
from overhaul.document.reading import open_data
from overhaul.document.registry import Probe, find
from overhaul.errors import EncodeError, FormatError
from overhaul.findings import Findings
from overhaul.folder import opening
from overhaul.folder.parallel import Progress, Workers, itself, tracked
from overhaul.stretch import Passing, Stretch, bytes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.stretch import Piece


#: How many bytes are compared at once.
_STEP = 1 << 20


class Difference(NamedTuple):
    """The first byte in which a rebuilt file differs, and the place in the structure; of a document
    in several files the path of the one that differs."""

    offset: int
    path: str


class CodeReport(NamedTuple):
    """How many code entries compile back to identical bytes; ``failed`` has (name, reason)."""

    entries: int
    identical: int
    failed: list[tuple[str, str]]


@dataclass
class Report:
    """The result of verifying one file.

    ``members`` has the reports of the documents in it.  ``error`` is set for a member that could
    not be read; verifying such a file itself raises its error instead.  ``path``, ``kind``,
    ``version`` and ``size`` (in bytes) are those of the file.  ``first_difference`` is None where
    it rebuilds identically; ``coverage`` counts its bytes, those of the documents in it as they
    count them themselves, ``code`` its code entries, where that was asked for.  ``findings`` are
    what reading found.
    """

    path: str
    kind: str
    version: str
    size: int
    first_difference: Difference | None = None
    coverage: Coverage | None = None
    code: CodeReport | None = None
    members: list[Report] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    error: str | None = None

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()

    @property
    def identical(self) -> bool:
        """Whether the rebuilt file, and each other file of the document, is the same, byte for
        byte."""
        return self.error is None and self.first_difference is None

    @property
    def good(self) -> bool:
        """Whether this file and all documents in it are identical."""
        return self.identical and all(member.good for member in self.members)

    def below(self) -> Iterator[Report]:
        """The reports of all documents in this file, those in others too."""
        for member in self.members:
            yield member
            yield from member.below()

    def to_json(self) -> dict[str, object]:
        """The report as docs/guide/json.md describes it."""
        row: dict[str, object] = {
            "path": self.path,
            "kind": self.kind,
            "version": self.version,
            "identical": self.identical,
            "first_difference": None,
            "coverage": None,
        }
        if self.first_difference is not None:
            row["first_difference"] = self.first_difference._asdict()
        if self.coverage is not None:
            row["coverage"] = {
                "decoded": self.coverage.decoded,
                "media": self.coverage.media,
                "opaque": self.coverage.opaque,
            }
        if self.code is not None:
            row["code"] = {
                "entries": self.code.entries,
                "identical": self.code.identical,
                "failed": [{"name": name, "reason": why} for name, why in self.code.failed],
            }
        if self.error is not None:
            row["error"] = self.error
        row["findings"] = self.findings.to_json()
        return row


def verify(
    source: str | os.PathLike[str] | bytes,
    *,
    code: bool = False,
    assume_version: str | None = None,
    strict: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Decode all of a file, rebuild it from the model, and compare.

    A folder is verified as the file that packing it gives.

    With ``code`` every code entry is also decompiled and compiled again, where the format has
    code, in ``jobs`` processes.  A document in the document that can't be read becomes a report
    with ``error``.

    Raises FormatError if the file is broken, OSError if it can't be read.
    """
    original = opening.find(source)
    with original.open(assume_version=assume_version, strict=strict) as document:
        report = _verify(document, original.data, original.source or "")
        if code and isinstance(document, HasCode):
            workers = Workers(source, document, assume_version=assume_version, jobs=jobs)
            report.code = check_code(workers, progress)
        return report


def _verify(document: Document, original: Buffer, path: str) -> Report:
    try:
        document.decode()
        rebuilt = document.pieces()
    except FormatError as error:
        if error.source is None:
            error.source = path or None
        raise
    offset = difference_in(original, rebuilt)
    difference = None if offset is None else Difference(offset, document.locate(offset))
    difference = difference or difference_elsewhere(document)
    coverage = document.coverage()
    members = list(_members(document, path, coverage))
    return Report(
        path,
        document.kind,
        document.version,
        len(original),
        first_difference=difference,
        coverage=coverage,
        members=members,
        findings=Findings(document.findings),
    )


def difference_elsewhere(document: Document) -> Difference | None:
    """The first byte in which another file of a document differs, and the path of that file."""
    changed = document.changed_files() if isinstance(document, HasOtherFiles) else {}
    for path, (stored, made) in changed.items():
        return Difference(first_difference(stored, made) or 0, path)
    return None


def check_code(workers: Workers[HasCode], progress: Progress | None = None) -> CodeReport:
    """Decompile and compile the code entries of a document, and compare the bytecode."""
    names = workers.document.code_names()
    workers.learn_code()
    if isinstance(workers.document, NotesChecks):
        return _report(names, _noted_checks(workers, workers.document, names), progress)
    # Knowledge that the first entry needs is inherited by the processes.
    first = [workers.document.check_code(name) for name in names[:1]]
    reasons = chain(first, workers.map(itself, _check_entry, names[1:]))
    return _report(names, reasons, progress)


def _report(
    names: list[str], reasons: Iterable[str | None], progress: Progress | None
) -> CodeReport:
    failed = [
        (name, reason)
        for name, reason in zip(names, tracked(names, reasons, progress), strict=True)
        if reason is not None
    ]
    return CodeReport(len(names), len(names) - len(failed), failed)


def _check_entry(document: HasCode, name: str) -> str | None:
    return document.check_code(name)


def _noted_checks(
    workers: Workers[HasCode], document: NotesChecks, names: list[str]
) -> Iterator[str | None]:
    """The results of checking code, noted for commands that ask for them later."""
    document.expect_checks()
    first = [document.prove_code(name) for name in names[:1]]
    proved = chain(first, workers.map(itself, _prove_entry, names[1:]))
    for name, made in zip(names, proved, strict=True):
        document.note_check(name, *made)
        yield made[0]


def _prove_entry(document: HasCode, name: str) -> tuple[str | None, object]:
    assert isinstance(document, NotesChecks)
    return document.prove_code(name)


def _members(document: Document, path: str, coverage: Coverage) -> Iterator[Report]:
    """The reports of the members that are documents themselves; ``coverage`` of the document is
    made to count the bytes of each as its own does."""
    if isinstance(document, HasMembersNear) or not isinstance(document, HasMembers):
        return
    for member in document.members():
        inside = f"{path}!{member.path}"
        data = member.read()
        if find(Probe(data, member.path)) is None:
            continue
        report = _verify_member(inside, data)
        if member.offset is not None:
            coverage.put(member.offset, member.path, report.coverage or _unread(report))
        yield report


def _verify_member(path: str, data: Buffer) -> Report:
    try:
        with open_data(data, source=path) as document:
            return _verify(document, data, path)
    except (FormatError, EncodeError) as error:
        return Report(path, "", "", len(data), error=str(error), findings=error.findings)


def _unread(report: Report) -> Coverage:
    """The coverage of a file that can't be read: nothing of it is understood."""
    reason = f"it can't be read: {report.error}"
    return Coverage(opaque=report.size, details=[Opaque(0, "", report.size, reason)])


def difference_in(original: Buffer, pieces: Iterable[Piece]) -> int | None:
    """As :func:`first_difference`, of a file in pieces; what was read of the original is let go."""
    view = memoryview(original)
    passing = Passing(original)
    position = 0
    for piece in pieces:
        if not (isinstance(piece, Stretch) and piece.is_from(original, position)):
            rebuilt = memoryview(bytes_of(piece))
            for start in range(0, len(rebuilt), _STEP):
                part = rebuilt[start : start + _STEP]
                at = position + start
                offset = first_difference(view[at : at + len(part)], part)
                if offset is not None:
                    return at + offset
                passing.read(len(part))
        position += len(piece)
    return None if position == len(view) else position


def first_difference(original: Buffer, rebuilt: Buffer) -> int | None:
    """The offset of the first byte that differs, or that only one of the two has; None if equal."""
    first, second = memoryview(original), memoryview(rebuilt)
    for start in range(0, min(len(first), len(second)), _STEP):
        a, b = bytes(first[start : start + _STEP]), bytes(second[start : start + _STEP])
        if a != b and (len(a) == len(b) or not (a.startswith(b) or b.startswith(a))):
            low, high = 0, min(len(a), len(b))
            while high - low > 1:  # equal before `low`, a difference before `high`
                middle = (low + high) // 2
                if a[low:middle] == b[low:middle]:
                    low = middle
                else:
                    high = middle
            return start + low
    return None if len(first) == len(second) else min(len(first), len(second))
