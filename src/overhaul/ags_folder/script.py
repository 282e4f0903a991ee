"""A compiled script as a file of assembly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.script import ScriptDocument
from overhaul.ags.text import UTF_8
from overhaul.ags_folder import kit
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource

SCRIPT: Final = "script.asm"
TRAILING: Final = "trailing.bin"

settings = kit.no_settings  # assembly escapes what is not UTF-8
empty = partial(kit.new_document, ScriptDocument)


def tree(document: ScriptDocument) -> Iterable[Resource]:
    """The script."""
    yield Resource("script", document.script.name, SCRIPT, document.size or None)


def plain_files(document: ScriptDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The assembly, and the bytes after the script if there are any."""
    yield kit.script_file(SCRIPT, document.script, UTF_8, "script")
    if document.trailing:
        yield kit.bytes_file(TRAILING, document.trailing, "trailing")


def apply(document: ScriptDocument, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Assemble the script again."""
    kit.take_settings(document, folder.settings)
    if SCRIPT in changes:
        document.script = kit.read_script(folder, SCRIPT, UTF_8)
    if TRAILING in changes and TRAILING in folder:
        document.trailing = folder.read(TRAILING)
    document.edited(document.script.version)
    return []
