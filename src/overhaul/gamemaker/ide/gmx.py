"""Files of GameMaker: Studio 1 (``.gmx``): XML, edited with all that was not touched as it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from overhaul.document.xmltext import XmlFile, XmlNode, escaped, read_xml, write_xml
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.ide.values import MERGE_CONFLICT, conflict_marks

#: Lists, which GameMaker writes as one tag where nothing is in them.
LISTS: Final = frozenset(
    ("androidPermissions", "args", "backgrounds", "ConfigConstants", "Configs", "constants",
     "datafiles", "events", "files", "fonts", "frames", "functions", "IncludedResources",
     "instances", "iosSystemFrameworks", "iosThirdPartyFrameworks", "kerningPairs",
     "NewExtensions", "objects", "paths", "PhysicsShapePoints", "ProxyFiles", "rooms", "scripts",
     "shaders", "sounds", "sprites", "tiles", "timelines")
)  # fmt: skip
#: Elements that have attributes and nothing else.
ROWS: Final = frozenset(
    ("audiogroup", "background", "glyph", "instance", "kerningPair", "tile", "view")
)
_TAG: Final = re.compile(rb"<[^<>]*>")


@dataclass(frozen=True)
class GmxFile:
    """A file: its bytes, and the elements in it."""

    data: bytes
    xml: XmlFile
    source: str | None = None

    @property
    def root(self) -> XmlNode:
        """The outermost element."""
        return self.xml.root

    def line(self, node: XmlNode) -> int:
        """The line, from 1, on which an element of the file begins."""
        return self._marked.count(b"\n", 0, node.start) + 1

    @cached_property
    def _marked(self) -> bytes:
        return self.xml.marked(self.data)

    def printed(self) -> bytes:
        """The file made of its elements alone, as GameMaker prints them."""
        for node in self.root.walk():
            node.is_open = not (node.tag in LISTS or node.tag in ROWS)
        return write_xml(self.xml)

    def to_bytes(self) -> bytes:
        """The file."""
        return self.data

    def replaced(self, node: XmlNode, text: str) -> GmxFile:
        """With another text in an element that has no elements in it.

        Raises EncodeError for one that has, or for a text that no XML holds.
        """
        if node.children:
            raise EncodeError(f"{node.tag} has elements, and no text")
        if text.replace("\r\n", "\n") == node.text.replace("\r\n", "\n"):
            return self
        start = self._start(node)
        head = _TAG.match(self.data, start)
        assert head is not None
        made = escaped(text).replace("\r\n", "\n").replace("\n", self.xml.newline)
        data = made.encode(self.xml.encoding, "xmlcharrefreplace")
        tag = node.tag.encode()
        if head[0].endswith(b"/>"):
            opening = head[0][:-2].rstrip() + b">"
            return self._spliced(start, head.end(), opening + data + b"</" + tag + b">")
        end = self.data.index(b"</" + tag, head.end())
        return self._spliced(head.end(), end, data)

    def edited(self, change: Callable[[XmlNode], None]) -> GmxFile:
        """With what a function does to the root of a tree of its own.

        Raises EncodeError for a file that its elements do not make again, and for a text that no
        XML holds.
        """
        xml = read_xml(self.data, source=self.source)
        if write_xml(xml) != self.data:
            what = f"{self.source or 'the file'} has another form than GameMaker's"
            raise EncodeError(f"{what}: save the resource in GameMaker first")
        change(xml.root)
        return read_gmx(write_xml(xml), source=self.source)

    def _start(self, node: XmlNode) -> int:
        """Where an element begins in the bytes."""
        return self.xml.place(node, self.data)

    def _spliced(self, start: int, end: int, made: bytes) -> GmxFile:
        return read_gmx(self.data[:start] + made + self.data[end:], source=self.source)


def read_gmx(data: bytes, *, source: str | None = None) -> GmxFile:
    """A file.  Raises FormatError for broken XML, or one with a document type."""
    try:
        return GmxFile(data, read_xml(data, source=source), source)
    except FormatError as error:
        mark = next(conflict_marks(data.decode("utf-8", "replace")), None)
        if mark is not None:
            error.message = (
                f"line {mark.line}: a merge left {mark.sign} here: keep one of the two sides"
            )
            error.code = MERGE_CONFLICT
        raise
