"""Action libraries (.lib, .lgl), extensions (.gex) and resource exports as documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Self

from overhaul.document.protocol import Buffer, Coverage
from overhaul.gamemaker.classic.documents.games import ClassicDocument, Measure, date_in_words
from overhaul.gamemaker.classic.exports import (
    Content,
    ExportedBackground,
    ExportedResources,
    ExportedSlot,
    ExportedSprite,
)
from overhaul.gamemaker.classic.extensions import FILE_KINDS, Package, read_package, write_package
from overhaul.gamemaker.classic.fields import Block, Versioned, VersionedRecord
from overhaul.gamemaker.classic.libraries import (
    LGL_MAGIC,
    LglAction,
    LglLibrary,
    Library,
    LibraryAction,
    read_lgl,
    write_lgl,
)
from overhaul.gamemaker.classic.streams import (
    SYSTEM_ENCODING,
    ProjectReader,
    ProjectWriter,
    beginning,
)
from overhaul.schema import bind

LIBRARY = Versioned(Library)


class LibraryDocument(ClassicDocument):
    """An action library: Game Maker's own form (.lib) or LateralGM's (.lgl)."""

    kind = "gamemaker-library"

    def __init__(self, library: Library | LglLibrary, source: str | None = None) -> None:
        super().__init__(source)
        self.library = library
        self.version: str = str(library.version) if isinstance(library, Library) else "lgl"

    @classmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """Read a library."""
        raw, reader = bytes(data), ProjectReader(source=source)
        library: Library | LglLibrary
        if raw[:3] == LGL_MAGIC:
            library = read_lgl(raw, reader)
        else:
            library, end = LIBRARY.read(raw, 0, reader)
            if end != len(raw):
                raise reader.fail("bytes after the last action", end)
        return cls(library, source)

    def info(self) -> dict[str, object]:
        """The tab's caption, the author, the actions."""
        library = self.library
        return {
            "tab_caption": library.tab_caption,
            "library_id": library.library_id,
            "author": library.author,
            "library_version": library.library_version,
            "last_changed": date_in_words(library.last_changed),
            "actions": len(self.actions),
        }

    @property
    def actions(self) -> Sequence[LibraryAction | LglAction]:
        """The actions, in order."""
        library = self.library
        return library.actions if isinstance(library, Library) else library.actions[1]

    def write(self) -> bytes:
        """The file, rebuilt from its records."""
        writer = ProjectWriter()
        if isinstance(self.library, LglLibrary):
            return write_lgl(self.library, writer)
        LIBRARY.write(writer, self.library)
        return bytes(writer.out)

    def coverage(self) -> Coverage:
        """The pictures are media, all the rest is fields."""
        measure = Measure(self.size)
        for action in self.actions:
            measure.add(action.image)
        if isinstance(self.library, LglLibrary):
            measure.add(self.library.icons)
        return measure.coverage()


class ExtensionDocument(ClassicDocument):
    """An extension package: the maker's definition (.ged) or an installable package (.gex)."""

    kind = "gamemaker-extension"

    def __init__(self, package: Package, behind: bytes = b"", source: str | None = None) -> None:
        super().__init__(source)
        self.package = package
        self.behind = behind
        self.version: str = str(package.version)

    @classmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """Read a package."""
        package, behind = read_package(data, ProjectReader(source=source))
        return cls(package, behind, source)

    def info(self) -> dict[str, object]:
        """The name, the maker, the files and what they offer."""
        package = self.package
        return {
            "name": package.name,
            "package_version": package.package_version,
            "author": package.author,
            "installable": package.seed is not None,
            "packed": bool(package.packed),
            "files": [f"{file.name} ({FILE_KINDS.get(file.kind, '?')})" for file in package.files],
            "functions": sum(len(file.functions) for file in package.files),
            "constants": sum(len(file.constants) for file in package.files),
        }

    def write(self) -> bytes:
        """The file, rebuilt from its records."""
        return write_package(self.package, ProjectWriter(), self.behind)

    def coverage(self) -> Coverage:
        """The packed files are media, all the rest is fields."""
        measure = Measure(self.size)
        for stream in self.package.packed:
            measure.add(stream)
        if self.behind:
            start = self.size - len(self.behind)
            measure.opaque("behind", len(self.behind), "bytes after the packed files", start)
        return measure.coverage()


MAGIC = (1234321).to_bytes(4, "little")
CONTENTS: dict[str, type[Content]] = {
    "sprite": ExportedSprite,
    "background": ExportedBackground,
    "resources": ExportedResources,
}
_TAIL = "the end of a .gmres file: 68 bytes of zeros and dates, not decoded"


class ExportDocument(ClassicDocument):
    """A sprite, a background, or resources of all kinds, exported by Game Maker 8."""

    kind = "gamemaker-export"

    def __init__(self, content: Content, source: str | None = None) -> None:
        super().__init__(source)
        self.content = content
        self.version: str = next(
            name for name, kind in CONTENTS.items() if isinstance(content, kind)
        )
        self.encoding = "utf-8"

    @classmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """Read an export; the number at the beginning of its block is its kind."""
        raw = bytes(data)
        start = 4 if raw[:4] == MAGIC else 0
        head = int.from_bytes(beginning(raw[start + 4 :], 4), "little")
        content: type[Content] = ExportedResources
        if start:
            content = ExportedBackground if head == 710 else ExportedSprite
        # Game Maker 8.1 writes UTF-8, 8.0 the author's code page; the file does not say which
        for encoding in ("utf-8", SYSTEM_ENCODING):
            reader = ProjectReader(source=source, size=len(raw), encoding=encoding)
            value, end = bind(Block(content)).read(raw, start, reader)
            if end != len(raw):
                raise reader.fail("bytes after the zlib block", end)
            if not reader.undecoded:
                break
        document = cls(value, source)
        document.encoding = encoding
        return document

    def slots(self) -> dict[str, list[ExportedSlot[VersionedRecord]]]:
        """The slots of every kind, in the order of the file; none of a single resource."""
        if not isinstance(self.content, ExportedResources):
            return {}
        return {kind: section.slots for kind, section in self.content.sections().items()}

    def exported(self) -> Iterator[tuple[str, VersionedRecord]]:
        """The kind and the record of every resource that is exported."""
        if not isinstance(self.content, ExportedResources):
            if self.content.resource is not None:
                yield self.content.kind, self.content.resource
            return
        for kind, slots in self.slots().items():
            for slot in slots:
                if slot.resource is not None:
                    yield kind, slot.resource

    def info(self) -> dict[str, object]:
        """How many resources of each kind."""
        return {"resources": dict(Counter(kind for kind, _ in self.exported()))}

    def write(self) -> bytes:
        """The file, rebuilt from its records."""
        writer = ProjectWriter(encoding=self.encoding)
        if not isinstance(self.content, ExportedResources):
            writer.out += MAGIC
        bind(Block(type(self.content))).write(writer, self.content)
        return bytes(writer.out)

    def coverage(self) -> Coverage:
        """Pictures and sounds are media; the end of a .gmres file is opaque."""
        measure = Measure(self.size)
        for _, resource in self.exported():
            measure.add_media(resource, self.content)
        measure.left_over(self.content, "rest", _TAIL)
        return measure.coverage()
