"""A compiled script (SCOM) and a script module (.scm) as documents."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.ags.documents.base import AgsDocument, Tally, has_foreign_texts
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.module import ScriptModule, read_module, write_module
from overhaul.ags.script.disassembler import string_pieces
from overhaul.ags.script.model import Script, read_script
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.registry import load
from overhaul.document.views import ResourceView
from overhaul.errors import FormatError

TYPE_CHECKING = False


class ScriptDocument(HasScripts, AgsDocument):
    """A compiled script in a file of its own."""

    kind = "ags-script"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.script: Script = Script()
        self.trailing: bytes = b""

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the script."""
        try:
            self.script, end = read_script(bytes(data))
        except FormatError as error:
            error.source = self.source
            raise
        self.trailing = bytes(data[end:])
        self.version: str = str(self.script.version)

    def has_foreign_texts(self) -> bool:
        """Whether a text of the script is not UTF-8."""
        return has_foreign_texts(self.script)

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The script."""
        make = load("overhaul.ags.surface.sprites:Script")
        return [make(self, 0, self.script, self.script.name)] if kind == "script" else []

    def compiled_scripts(self) -> Iterable[tuple[str, Script]]:
        """The script."""
        return [(self.script.name or "script", self.script)]

    def to_bytes(self) -> bytes:
        """The script, rebuilt from the model."""
        return self.script.to_bytes() + self.trailing

    def info(self) -> dict[str, object]:
        """The sizes of the script's sections."""
        script = self.script
        return {
            "kind": self.kind,
            "script_version": script.version,
            "name": script.name,
            "words": len(script.code) // 4,
            "strings": sum(1 for _ in string_pieces(script.strings)),
            "imports": sum(1 for name in script.imports if name),
            "exports": [export.name for export in script.exports],
        }

    def tally(self, tally: Tally) -> None:
        """Unknown tables and bytes after the end are opaque."""
        tally.add_script(self.script, "script")
        tally.add_tail("trailing", self.trailing, "bytes after the script")


class ModuleDocument(AgsDocument):
    """A script module (.scm)."""

    kind = "ags-module"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.module: ScriptModule = ScriptModule()
        self.trailing: bytes = b""

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the module."""
        self.module, end = read_module(data, source=self.source)
        self.trailing = bytes(data[end:])
        self.version: str = str(self.module.format)

    def to_bytes(self) -> bytes:
        """The module, rebuilt from the model."""
        return write_module(self.module) + self.trailing

    def info(self) -> dict[str, object]:
        """Name, version, author and sizes of the module."""
        module = self.module
        return {
            "kind": self.kind,
            "name": module.name,
            "module_version": module.module_version,
            "author": module.author,
            "description": module.description,
            "unique_key": module.unique_key,
            "code_page": module.trailer[0],
            "script_bytes": len(module.script),
            "header_bytes": len(module.header),
        }

    def tally(self, tally: Tally) -> None:
        """Bytes after the end are opaque."""
        tally.add_tail("trailing", self.trailing, "bytes after the module")

    def has_foreign_texts(self) -> bool:
        """Whether a text is not UTF-8."""
        return has_foreign_texts(self.module)
