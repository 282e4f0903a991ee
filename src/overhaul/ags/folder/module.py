"""A script module as files: module.json, its script and its header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.script import ModuleDocument
from overhaul.ags.folder import file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.ags.module import ScriptModule
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.findings import Findings
from overhaul.folder.json_fields import at_key, expect_bytes, expect_integer, in_file

MODULE_JSON: Final = "module.json"
SCRIPT: Final = "script.asc"
HEADER: Final = "header.ash"


class ModuleFormat(AgsFormat[ModuleDocument]):
    """A script module as a folder."""

    has_encoding = True
    document_class = ModuleDocument

    def tree(self, document: ModuleDocument) -> Iterable[Resource]:
        """The script and its header."""
        module = document.module
        yield Resource("module", module.name, MODULE_JSON)
        yield Resource("script", module.name, SCRIPT, len(module.script))
        yield Resource("header", module.name, HEADER, len(module.header))

    def plain_files(self, document: ModuleDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked module."""
        yield file_io.json_file(document, MODULE_JSON, partial(_show, document), "module")
        yield file_io.bytes_file(SCRIPT, document.module.script, "script")
        yield file_io.bytes_file(HEADER, document.module.header, "header")

    def apply(
        self, document: ModuleDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change the module as its files were changed."""
        file_io.take_settings(document, folder.settings)
        if MODULE_JSON in changes:
            shown = file_io.read_json(document, folder, MODULE_JSON)
            code_page, end_mark = shown.pop("code_page", None), shown.pop("end_mark", True)
            with in_file(MODULE_JSON):
                with at_key("code_page"):
                    page = None if code_page is None else expect_integer(code_page)
                with at_key("trailing"):
                    document.trailing = expect_bytes(shown.pop("trailing", ""))
            document.module = file_io.read(
                ScriptModule, shown, None, MODULE_JSON, base=document.module
            )
            document.module.trailer = (page, bool(end_mark))
        if SCRIPT in changes:
            document.module.script = folder.read(SCRIPT)
        if HEADER in changes:
            document.module.header = folder.read(HEADER)
        document.edited(document.version)
        return Findings()


FORMAT: Final = ModuleFormat()


def _show(document: ModuleDocument) -> dict[str, object]:
    shown = file_io.show(document.module, None, without=("script", "header", "trailer"))
    shown["code_page"], shown["end_mark"] = document.module.trailer
    return shown | {"trailing": document.trailing.hex()} if document.trailing else shown
