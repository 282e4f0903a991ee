"""The intact parts of a damaged file: for formats that hold files of their own.

A format takes part by its document class having :meth:`Salvages.salvage`; where its damaged files
no longer begin as whole ones do, its line of the registry names what recognises them.
"""

from __future__ import annotations

import os
from typing import NamedTuple, Protocol, runtime_checkable

from overhaul.document.opening import find_game
from overhaul.document.protocol import Buffer, Document, Siblings
from overhaul.document.reading import FoundFile, nothing_to_release
from overhaul.document.registry import REGISTRY, Format, Probe, find
from overhaul.errors import FormatError


class Lost(NamedTuple):
    """A part of a damaged file that could not be read: its ``name`` in the file, and the
    ``reason``."""

    name: str
    reason: str


class Salvaged(NamedTuple):
    """A document of what is whole in a damaged file, and what is lost."""

    document: Document
    lost: list[Lost]


@runtime_checkable
class Salvages(Protocol):
    """A document class that makes documents of damaged files too."""

    @classmethod
    def salvage(cls, data: Buffer, *, source: str | None, siblings: Siblings | None) -> Salvaged:
        """The intact parts of a file that can't be opened.

        Raises FormatError where the damage leaves nothing that can be read.
        """


def salvage(source: str | os.PathLike[str] | bytes) -> tuple[FoundFile, list[Lost]]:
    """The bytes of a file that can be opened, with what is whole in a damaged one; what is lost.

    A file that can be opened is returned unchanged. Raises OSError, and FormatError for a
    damaged file of a format without salvage, or without any intact part.
    """
    original = find_game(source)
    try:
        original.open().close()
    except FormatError as error:
        original = find_game(source)
        try:
            made = _salvaged(original, error)
            with made.document as document:
                data = document.to_bytes()
        finally:
            original.release()
        return FoundFile(data, original.source, None, nothing_to_release), made.lost
    return find_game(source), []


def _salvaged(original: FoundFile, error: FormatError) -> Salvaged:
    """The intact parts of a file that is refused with an error."""
    probe = Probe(original.data, os.path.basename(original.source or ""))
    entry = find(probe) or _damaged(probe)
    made: object = None if entry is None else entry.document_class()
    if not isinstance(made, Salvages):
        raise FormatError(
            f"{error.message}; nothing can be salvaged from files of this kind",
            source=error.source,
            offset=error.offset,
        ) from None
    try:
        return made.salvage(original.data, source=original.source, siblings=original.siblings)
    except FormatError as reason:
        reason.message = f"nothing can be salvaged: {reason.message}"
        reason.source = original.source
        raise


def _damaged(probe: Probe) -> Format | None:
    """The format of a file that is too damaged to begin as its whole ones do."""
    return next((entry for entry in REGISTRY if entry.accepts_damaged(probe)), None)
