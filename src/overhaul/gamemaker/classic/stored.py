"""How the resources of a project are stored: their bytes with the fields in them.

The bytes are those that the document writes, which are the file's own where nothing was edited.
The obfuscation of Game Maker 7 is taken off.  From Game Maker 8 on a resource is a zlib stream, and
what is shown is its content.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from overhaul.document.stored import Stored
from overhaul.gamemaker.classic.fields import Block, Versioned
from overhaul.gamemaker.classic.kinds import BY_PLURAL, slots_of
from overhaul.gamemaker.classic.records import Project, beginning_of
from overhaul.gamemaker.classic.streams import ProjectReader, inflate
from overhaul.schema.fields import Embedded
from overhaul.schema.spans import FoundValue, Span, Walk, Way, within

if TYPE_CHECKING:
    from overhaul.schema import Buffer, Record

_OBFUSCATED = "the file without its obfuscation"


def stored_slot(project: Project, data: bytes, kind: str, position: int) -> list[Stored]:
    """The bytes of a resource, by its position among those that exist, and of the settings and the
    information; none for what else is listed."""
    if kind in ("settings", "information"):
        return _Bytes(project, data).parts([(kind,)])
    for plural, slots in slots_of(project).items():
        if plural in BY_PLURAL and BY_PLURAL[plural].singular == kind:
            existing = [index for index, slot in enumerate(slots) if slot.exists]
            if position < len(existing):
                return _Bytes(project, data).parts([(plural, "slots", existing[position])])
    return []


def project_parts(project: Project, data: bytes) -> list[Stored]:
    """The parts of a project, one for each field."""
    return _Bytes(project, data).parts([(name,) for name in Project.__struct_fields__])


class _Bytes:
    """The bytes of a project."""

    def __init__(self, project: Project, data: bytes) -> None:
        self.project = project
        self.data, self.start, self.hidden = beginning_of(data)

    def reader(self) -> ProjectReader:
        """The names that the fields are resolved against."""
        return ProjectReader(encoding=self.project.encoding, size=len(self.data))

    def parts(self, ways: list[Way]) -> list[Stored]:
        """The bytes of what the ways lead to from the project's record."""
        walk = Walk(self.data, self.project.version, self.reader, ways=ways)
        walk.record(Project, self.start)
        return [
            self._stored(" ".join(map(str, way)).replace("_", " "), walk.found[way])
            for way in ways
            if way in walk.found and walk.found[way].end > walk.found[way].start
        ]

    def _stored(self, title: str, found: FoundValue) -> Stored:
        data, note = self.data, _OBFUSCATED if self.hidden else ""
        packed, start, version = _packed(self.data, found)
        if packed is not None:
            data = inflate(bytes(self.data[start : found.end]))[0]
            note = f"the content of a zlib stream of {found.end - start} bytes at {start:#x}"
            found = FoundValue(0, len(data), Embedded(packed), {}, version)
        spans = partial(self._spans, data, found)
        inside = None if data is not self.data else 0
        return Stored(title, data, found.start, found.end, spans, note, inside)

    def _spans(self, data: Buffer, found: FoundValue, start: int, end: int) -> list[Span]:
        return within(data, found, self.reader, start, end)


def _packed(data: Buffer, found: FoundValue) -> tuple[type[Record] | None, int, int]:
    """The record in the zlib stream that a value is, where that begins, and its version."""
    codec = found.codec
    if isinstance(codec, Block):
        return codec.record, found.start + 4, found.version
    if isinstance(codec, Versioned) and codec.packed is not None:
        version = int.from_bytes(data[found.start : found.start + 4], "little", signed=True)
        if version >= codec.packed:
            return codec.by_version[version], found.start + 8, version
    return None, 0, 0
