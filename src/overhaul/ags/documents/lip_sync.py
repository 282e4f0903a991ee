"""Lip synchronisation of speech (syncdata.dat) as a document."""

from __future__ import annotations

from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.lip_sync import LipSync, read_lip_sync, write_lip_sync
from overhaul.ags.text import is_foreign
from overhaul.document.protocol import Buffer, Siblings


class LipSyncDocument(AgsDocument):
    """Lip synchronisation of speech (syncdata.dat)."""

    kind = "ags-lip-sync"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.lip_sync: LipSync = LipSync()

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the lines."""
        self.lip_sync = read_lip_sync(bytes(data), source=self.source)
        self.version: str = str(self.lip_sync.version)

    def to_bytes(self) -> bytes:
        """The file, rebuilt from the lines."""
        return write_lip_sync(self.lip_sync)

    def info(self) -> dict[str, object]:
        """The version, and how many lines and frames there are."""
        lines = self.lip_sync.lines
        return {
            "kind": self.kind,
            "format": self.lip_sync.version,
            "lines": len(lines),
            "frames": sum(len(line.frames) for line in lines),
        }

    def has_foreign_texts(self) -> bool:
        """Whether a name is not UTF-8."""
        return any(is_foreign(line.file) for line in self.lip_sync.lines)
