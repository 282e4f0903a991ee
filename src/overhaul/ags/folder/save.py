"""A saved game as one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from overhaul.ags.documents.save import SaveDocument
from overhaul.ags.folder import file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.findings import Findings

SAVE: Final = "save.bin"


class SaveFormat(AgsFormat[SaveDocument]):
    """A saved game as a folder."""

    document_class = SaveDocument

    def tree(self, document: SaveDocument) -> Iterable[Resource]:
        """The save."""
        yield Resource("save", "saved game", SAVE, len(document.data))

    def plain_files(self, document: SaveDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The bytes of the save."""
        yield file_io.bytes_file(SAVE, document.data, "save")

    def apply(
        self, document: SaveDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Take the save from its file."""
        file_io.take_settings(document, folder.settings)
        if SAVE in changes:
            document.data = folder.read(SAVE)
        document.edited(document.version)
        return Findings()


FORMAT: Final = SaveFormat()
