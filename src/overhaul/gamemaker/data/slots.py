"""A chunk of an opened game: its place, its content once decoded, and what the rules don't give."""

from __future__ import annotations

from typing import Any

from overhaul.gamemaker.data.version import Version


class Slot:
    """One chunk.

    ``record`` is the content once it is decoded.  ``raw`` holds the chunk's bytes where it is not
    understood (an unknown chunk, or one whose fields do not parse): it is written back as it is.
    ``kept`` holds the bytes of a chunk that is understood but does not follow the layout rules
    (gaps, elements out of order), with ``canonical``, what the rules gave for it: as long as the
    content still gives the same, the kept bytes are written.  ``trailing`` are bytes at the end
    that are not the padding the rules call for.
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
        self.name = name
        self.start = start
        self.end = end
        self.record: Any = None
        self.decoded = False
        self.raw: bytes | None = None
        self.reason = ""
        self.kept: bytes | None = None
        self.canonical: bytes | None = None
        self.trailing: bytes | None = None
        self.version: Version | None = None
