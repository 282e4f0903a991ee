"""An extension package (.ged, .gex) as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Coverage
from overhaul.gamemaker.classic.extensions import FILE_KINDS, Package, read_package, write_package
from overhaul.gamemaker.classic.measure import Measure
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter

if TYPE_CHECKING:
    from overhaul.document.protocol import Beside, Buffer


class ExtensionDocument(BaseDocument):
    """An extension package: the maker's definition (.ged) or an installable package (.gex)."""

    kind = "gamemaker-extension"

    def __init__(self, package: Package, behind: bytes = b"", source: str | None = None) -> None:
        super().__init__(source)
        self.package = package
        self.behind = behind
        self.version = str(package.version)
        self._size = 0

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> ExtensionDocument:
        """Read a package."""
        package, behind = read_package(data, ProjectReader(source=source))
        document = cls(package, behind, source)
        document._size = len(data)
        return document

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

    def to_bytes(self) -> bytes:
        """The file, rebuilt from its records."""
        data = write_package(self.package, ProjectWriter(), self.behind)
        self._size = len(data)
        return data

    def coverage(self) -> Coverage:
        """The packed files are media, all the rest is fields."""
        measure = Measure(self._size)
        for stream in self.package.packed:
            measure.add(stream)
        if self.behind:
            start = self._size - len(self.behind)
            measure.opaque("behind", len(self.behind), "bytes after the packed files", start)
        return measure.coverage()
