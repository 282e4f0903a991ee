"""The type of a file and its contents, without reading more than they take: the first of two steps.

A survey finds the kind of a file by its content, hashes its bytes, and goes into containers: zip
archives, programs with a game inside, packages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

import msgspec

from overhaul.bounds import Budget
from overhaul.catalog.arrow import plain_text, raw_text, text_of
from overhaul.document.archives import (
    DATA_IN_PROGRAM,
    MOST_RATIO,
    ArchiveSiblings,
    ZipMembers,
    find_form,
    is_part_of_project,
    is_zip,
)
from overhaul.document.containers import Members
from overhaul.document.opening import find_bytes
from overhaul.document.protocol import Buffer, HasMembers, HasMembersNear, Siblings
from overhaul.document.reading import FoundFile, nothing_to_release, open_data
from overhaul.document.registry import REGISTRY, Probe, find
from overhaul.errors import OverhaulError

#: How many containers a file may lie in.
DEEPEST: Final = 4
#: How many files of one container are listed.
MOST_MEMBERS: Final = 100_000


class SurveyedFile(msgspec.Struct):
    """A file that a survey met.

    ``members`` are the names that lead to it from the file on the disk, each in the container
    before it, as :func:`~overhaul.catalog.arrow.raw_text`.
    ``kind`` is what the content shows (None: no known format), ``error`` why the file, or the rest
    of it, was not surveyed, with the kind of error.
    """

    members: list[bytes] = []
    kind: str | None = None
    sha256: str | None = None
    size: int = 0
    error: str | None = None
    error_kind: str = ""

    @property
    def inside(self) -> str:
        """The end of its place: ``!game.zip!data.win``, empty for the file on the disk."""
        return plain_text("".join(f"!{text_of(name)}" for name in self.members))


def survey(path: str) -> Iterator[SurveyedFile]:
    """The file at a path, and the files of known formats in it.

    Raises OSError if it can't be read.
    """
    found = find_bytes(path)
    try:
        yield from _survey(found, [])
    finally:
        found.release()


def _survey(found: FoundFile, inside: list[bytes]) -> Iterator[SurveyedFile]:
    data = found.data
    probe = Probe(data, os.path.basename(found.source or ""))
    kind = None if is_part_of_project(found.source or "") else _kind(probe)
    members: Iterator[tuple[str, Buffer, Siblings | None]] | None = None
    if kind is not None:
        yield SurveyedFile(inside, kind, sha256(data).hexdigest(), len(data))
        members = _of_document(found) if _has_members(kind) else None
    else:
        if not inside:
            yield SurveyedFile(inside, size=len(data))
        if is_zip(probe):
            members = _of_zip(found)
        elif probe.head[:2] == b"MZ":
            members = _of_program(found)
    if members is None:
        return
    if len(inside) == DEEPEST:
        yield _failed(inside, "format", f"more than {DEEPEST} containers in each other")
        return
    try:
        for name, content, siblings in members:
            source = f"{found.source}!{name}"
            inner = FoundFile(content, source, siblings, nothing_to_release)
            yield from _survey(inner, [*inside, raw_text(name)])
    except OverhaulError as error:
        yield _failed(inside, "format", str(error))


def _failed(inside: list[bytes], kind: str, message: str) -> SurveyedFile:
    return SurveyedFile(inside, error=plain_text(message), error_kind=kind)


def _kind(probe: Probe) -> str | None:
    """The kind of document that a file is, a damaged one too; None for no known format."""
    entry = find(probe)
    if entry is None:
        entry = next((known for known in REGISTRY if known.accepts_damaged(probe)), None)
    return None if entry is None else entry.kind


def _has_members(kind: str) -> bool:
    return any(
        known.kind == kind and hasattr(known.document_class(), "members") for known in REGISTRY
    )


def _of_document(found: FoundFile) -> Iterator[tuple[str, Buffer, Siblings | None]]:
    try:
        document = open_data(found.data, source=found.source, siblings=found.siblings)
    except OverhaulError:  # reading it reports the reason
        return
    if isinstance(document, HasMembersNear) or not isinstance(document, HasMembers):
        return
    members = Members(document)
    for name in members.names()[:MOST_MEMBERS]:
        yield name, members.read(name), members


def _of_zip(found: FoundFile) -> Iterator[tuple[str, Buffer, Siblings | None]]:
    """The members of an archive, one in memory at a time: each unpacks to a bounded size."""
    budget = Budget(len(found.data), found.source, times=MOST_RATIO)
    members = ZipMembers(found.data, found.source or "", budget)
    for name in dict.fromkeys(members.names()):
        yield name, members.read(name), ArchiveSiblings(members, name)


def _of_program(found: FoundFile) -> Iterator[tuple[str, Buffer, Siblings | None]]:
    form = find_form(found.data)
    if form is not None:
        offset, length = form
        yield DATA_IN_PROGRAM, memoryview(found.data)[offset : offset + length], found.siblings
