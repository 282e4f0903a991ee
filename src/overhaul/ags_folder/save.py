"""A saved game as one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.save import SaveDocument
from overhaul.ags_folder import kit
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.findings import Findings

SAVE: Final = "save.bin"

settings = kit.no_settings
empty = partial(kit.new_document, SaveDocument)


def tree(document: SaveDocument) -> Iterable[Resource]:
    """The save."""
    yield Resource("save", "saved game", SAVE, len(document.data))


def plain_files(document: SaveDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The bytes of the save."""
    yield kit.bytes_file(SAVE, document.data, "save")


def apply(document: SaveDocument, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Take the save from its file."""
    kit.take_settings(document, folder.settings)
    if SAVE in changes:
        document.data = folder.read(SAVE)
    document.edited(document.version)
    return Findings()
