"""A compiled script (SCOM) as a document."""

from __future__ import annotations

from overhaul.ags.documents.base import AgsDocument, Tally
from overhaul.ags.script.disassembler import string_pieces
from overhaul.ags.script.model import Script, read_script
from overhaul.document.protocol import Beside, Buffer
from overhaul.document.registry import load
from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhaul.document.views import ResourceView


class ScriptDocument(AgsDocument):
    """A compiled script in a file of its own."""

    kind = "ags-script"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.script: Script = Script()
        self.trailing: bytes = b""

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the script."""
        try:
            self.script, end = read_script(bytes(data))
        except FormatError as error:
            error.source = self.source
            raise
        self.trailing = bytes(data[end:])
        self.version: str = str(self.script.version)

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The script."""
        make = load("overhaul.ags.surface.sprites:Script")
        return [make(self, 0, self.script, self.script.name)] if kind == "script" else []

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
