"""A script module (.scm) as a document."""

from __future__ import annotations

from overhaul.ags.documents.base import AgsDocument, Tally, has_foreign_texts
from overhaul.ags.module import ScriptModule, read_module, write_module
from overhaul.document.protocol import Beside, Buffer


class ModuleDocument(AgsDocument):
    """A script module (.scm)."""

    kind = "ags-module"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.module: ScriptModule = ScriptModule()
        self.trailing: bytes = b""

    def load(self, data: Buffer, beside: Beside | None) -> None:
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
