"""An extension package (.ged, .gex) as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.protocol import Coverage
from overhaul.gamemaker.classic.documents.base import ClassicDocument
from overhaul.gamemaker.classic.extensions import FILE_KINDS, Package, read_package, write_package
from overhaul.gamemaker.classic.measure import Measure
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter

if TYPE_CHECKING:
    from typing import Self

    from overhaul.document.protocol import Buffer


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
