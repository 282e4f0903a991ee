"""The encoding and the coverage of the documents of Adventure Game Studio."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Self

from overhaul.ags import drawing
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import unknown_tables
from overhaul.ags.text import ANSI, UTF_8, decode, encode, is_foreign
from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Buffer, Coverage, Opaque, Siblings
from overhaul.errors import FormatError
from overhaul.schema import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.drawing import Art


class AgsDocument(BaseDocument, ABC):
    """A document whose texts are in one encoding, and whose coverage is a tally.

    ``size`` is the size of the file as it was read, 0 once the document was edited.
    """

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.strict = False
        self.size: int = 0
        self._encoding = ""
        self._siblings: Siblings | None = None

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        """Open the bytes of a file."""
        document = cls(source)
        document.strict = strict
        document.size = len(data)
        document._siblings = siblings
        document.load(data, siblings)
        if strict and document.findings:
            raise FormatError(document.findings[0].message, source=source)
        return document

    @abstractmethod
    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the model from the bytes of a file.  Raises FormatError."""

    def edited(self, version: object) -> None:
        """Take the version of an edited model; its size is no longer known."""
        self.version: str = str(version)
        self.size = 0

    @cached_property
    def art(self) -> Art:
        """The sprites, fonts and colours of the game that stand next to the file."""
        return drawing.art_of(self._siblings)

    @property
    def siblings(self) -> Siblings | None:
        """The other files of the package or folder that the file is in."""
        return self._siblings

    # -- texts -------------------------------------------------------------------------------

    @property
    def encoding(self) -> str:
        """The encoding that texts are shown in."""
        if not self._encoding:
            declared = self.declared_encoding()
            self._encoding = declared or (ANSI if self.has_foreign_texts() else UTF_8)
        return self._encoding

    @encoding.setter
    def encoding(self, name: str) -> None:
        self._encoding = name

    def declared_encoding(self) -> str | None:
        """The encoding that the file itself names, or None."""
        return None

    def has_foreign_texts(self) -> bool:
        """Whether a text of the document is not UTF-8."""
        return False

    def shown(self, text: str) -> str:
        """A text in the document's encoding, without what follows its first NUL."""
        return encode(text.split("\0")[0]).decode(self.encoding, "replace")

    # -- coverage ----------------------------------------------------------------------------

    def coverage(self) -> Coverage:
        """How much of the file was understood."""
        tally = Tally(self.size or len(self.to_bytes()))
        self.tally(tally)
        return tally.coverage()

    def tally(self, tally: Tally) -> None:
        """Count the media and opaque bytes; all others are decoded."""
        return


class Tally:
    """Adds up the coverage of a document of ``total`` bytes: what is not counted is decoded."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.media = 0
        self.opaque: list[Opaque] = []

    def add_opaque(self, offset: int, path: str, length: int, reason: str) -> None:
        """Count opaque bytes, if there are any."""
        if length:
            self.opaque.append(Opaque(offset, path, length, reason))

    def add_tail(self, path: str, data: bytes, reason: str) -> None:
        """Count opaque bytes at the end of the file."""
        self.add_opaque(self.total - len(data), path, len(data), reason)

    def add_blocks(self, blocks: DecodedBlocks) -> None:
        """Count the bytes of blocks that are not understood."""
        for block in blocks.blocks:
            path = f"block {block.id!r}"
            if isinstance(block.content, bytes):
                self.add_opaque(block.offset, path, len(block.content), block.reason)
            self.add_opaque(block.offset, path, len(block.rest), "bytes after the block's fields")
            if isinstance(block.content, Script):
                self.add_script(block.content, path, block.offset)

    def add_script(self, script: Script, path: str, offset: int = 0) -> None:
        """Count the extension blocks of a script that are not understood."""
        for id, size in unknown_tables(script):
            self.add_opaque(offset, f"{path}.{id}", size, "an unknown block of a script")

    def coverage(self) -> Coverage:
        """The coverage."""
        opaque = sum(entry.length for entry in self.opaque)
        return Coverage(self.total - self.media - opaque, self.media, opaque, self.opaque)


def code_page(number: int | str) -> str | None:
    """The encoding of a code page number (65001 is UTF-8); None for an unknown one."""
    try:
        page = int(number)
        name = UTF_8 if page == 65001 else f"cp{page}"
        "".encode(name)
    except (ValueError, LookupError):
        return None
    return name


def has_foreign_texts(value: object) -> bool:
    """Whether a text in a value, or in the lists and records in it, is not UTF-8."""
    if isinstance(value, str):
        return is_foreign(value)
    if isinstance(value, list | tuple):
        return any(map(has_foreign_texts, value))
    if isinstance(value, Script):
        return is_foreign(decode(value.strings))
    if isinstance(value, Record):
        return any(has_foreign_texts(getattr(value, n)) for n in value.__struct_fields__)
    return False
