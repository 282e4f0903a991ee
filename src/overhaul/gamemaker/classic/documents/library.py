"""An action library (.lib, .lgl) as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhaul.document.protocol import Coverage
from overhaul.gamemaker.classic.documents.base import ClassicDocument, date_in_words
from overhaul.gamemaker.classic.fields import Versioned
from overhaul.gamemaker.classic.libraries import (
    LGL_MAGIC,
    LglAction,
    LglLibrary,
    Library,
    LibraryAction,
    read_lgl,
    write_lgl,
)
from overhaul.gamemaker.classic.measure import Measure
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter

if TYPE_CHECKING:
    from typing import Self

    from overhaul.document.protocol import Buffer

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
