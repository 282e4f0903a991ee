"""What the documents of Adventure Game Studio share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from overhaul.ags_folder import plainfiles
from overhaul.document.protocol import BaseDocument, Beside, Buffer, Coverage, Folder, Opaque
from overhaul.errors import FormatError, WorkspaceError

ENCODING = "encoding"


class AgsDocument(BaseDocument):
    """A document whose texts are in an encoding, and whose coverage is a tally."""

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.strict = False
        self.size = 0
        self._encoding: str | None = None

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> Self:
        """Open the bytes of a file."""
        document = cls(source)
        document.strict = strict
        document.size = len(data)
        document.load(data, beside)
        if strict and document.warnings:
            raise FormatError(document.warnings[0], source=source)
        return document

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> Self:
        """A new document; its files give it content."""
        document = cls()
        document.version = str(settings.get("version", ""))
        document.take_settings(settings)
        return document

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the model from the bytes of a file."""
        raise TypeError(f"{type(self).__name__} does not say how it is read")

    # -- texts -------------------------------------------------------------------------------

    @property
    def encoding(self) -> str:
        """The encoding that texts are shown in."""
        if self._encoding is None:
            declared = self.declared_encoding()
            self._encoding = declared or (
                plainfiles.ANSI if self.has_foreign_texts() else plainfiles.UTF_8
            )
        return self._encoding

    def declared_encoding(self) -> str | None:
        """The encoding that the file itself names, or None."""
        return None

    def has_foreign_texts(self) -> bool:
        """Whether a text of the document is not UTF-8."""
        return False

    def settings(self) -> dict[str, object]:
        """The encoding of texts."""
        return {ENCODING: self.encoding}

    def take_settings(self, settings: Mapping[str, object]) -> None:
        """Take the encoding that overhaul.toml names."""
        named = settings.get(ENCODING)
        if named is None:
            return
        try:
            "".encode(str(named))
        except LookupError:
            raise WorkspaceError(f"overhaul.toml: there is no encoding {named!r}") from None
        self._encoding = str(named)

    def json(self, value: Any) -> bytes:
        """A JSON file with the document's texts."""
        return plainfiles.dump_json(value, self.encoding)

    def read_json(self, folder: Folder, path: str) -> dict[str, Any]:
        """The object in a JSON file of the folder."""
        return plainfiles.load_json(folder.read(path), path, self.encoding)


class Tally:
    """Adds up the coverage of a document: what is not named is decoded."""

    def __init__(self) -> None:
        self.media = 0
        self.opaque: list[Opaque] = []

    def add_opaque(self, offset: int, path: str, length: int, reason: str) -> None:
        """Count opaque bytes; none is no debt."""
        if length:
            self.opaque.append(Opaque(offset, path, length, reason))

    def coverage(self, total: int) -> Coverage:
        """The coverage of a document of ``total`` bytes."""
        opaque = sum(entry.length for entry in self.opaque)
        return Coverage(total - self.media - opaque, self.media, opaque, self.opaque)


def code_page(number: int | str | None) -> str | None:
    """The name of a code page that a file names by number; None where there is none."""
    try:
        page = int(number or 0)
    except ValueError:
        return None
    if page == 65001:
        return plainfiles.UTF_8
    try:
        "".encode(f"cp{page}")
    except LookupError:
        return None
    return f"cp{page}"


__all__ = ["ENCODING", "AgsDocument", "Tally", "code_page"]
