"""A compiled script as files: its source, or assembly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.decompiler.game import environment_next_to
from overhaul.ags.documents.script import ScriptDocument
from overhaul.ags.folder import code, file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.findings import Findings

_STEM: Final = "script"
TRAILING: Final = "trailing.bin"


class ScriptFormat(AgsFormat[ScriptDocument]):
    """A compiled script as a folder."""

    has_encoding = True
    document_class = ScriptDocument

    def tree(self, document: ScriptDocument) -> Iterable[Resource]:
        """The script."""
        path = _STEM + code.SOURCE
        yield Resource("script", document.script.name, path, document.size or None)

    def plain_files(self, document: ScriptDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the script, and the bytes after it if there are any."""
        yield from code.script_plain_files(
            script_place(document), document.script, "script", options
        )
        if document.trailing:
            yield file_io.bytes_file(TRAILING, document.trailing, "trailing")

    def apply(
        self, document: ScriptDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Compile the script again."""
        file_io.take_settings(document, folder.settings)
        old = document.script if document.size else None
        made = code.read_script(script_place(document), folder, changes, old)
        if made is not None:
            document.script = made
        if TRAILING in changes and TRAILING in folder:
            document.trailing = folder.read(TRAILING)
        document.edited(document.script.version)
        return Findings()


FORMAT: Final = ScriptFormat()


def script_place(document: ScriptDocument) -> code.ScriptPlace:
    """The place of the script."""
    environment = partial(environment_next_to, document.siblings)
    return code.ScriptPlace(document, _STEM, environment, environment)
