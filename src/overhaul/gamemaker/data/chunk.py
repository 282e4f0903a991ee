"""A chunk of an opened game: where it is, its content once decoded, what the rules don't give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overhaul.document.protocol import Opaque

if TYPE_CHECKING:
    from overhaul.gamemaker.data.version import Version


class Chunk:
    """One chunk.

    ``record`` is the content once it is decoded.  ``raw`` holds the chunk's bytes where it is not
    understood (an unknown chunk, or one whose fields do not parse): it is written back as it is.
    ``kept`` holds the bytes of a chunk that is understood but does not follow the layout rules
    (gaps, elements out of order), with ``canonical``, what the rules gave for it: as long as the
    content still gives the same, the kept bytes are written.  ``trailing`` are bytes at the end
    that are not the padding the rules call for.  ``version`` is the release whose layout it has.
    """

    __slots__ = (
        "canonical",
        "decoded",
        "end",
        "kept",
        "name",
        "raw",
        "reason",
        "record",
        "start",
        "trailing",
        "version",
    )

    def __init__(self, name: str, start: int = 0, end: int = 0) -> None:
        self.name: str = name
        self.start: int = start
        self.end: int = end
        self.record: Any = None
        self.decoded: bool = False
        self.raw: bytes | None = None
        self.reason: str = ""
        self.kept: bytes | None = None
        self.canonical: bytes | None = None
        self.trailing: bytes | None = None
        self.version: Version | None = None

    def opaque(self, offset: int, length: int) -> Opaque:
        """The line of the coverage report for bytes of this chunk that are carried unread."""
        return Opaque(offset, self.name, length, self.reason or "bytes beyond the rules")
