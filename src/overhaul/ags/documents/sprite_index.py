"""The index of a sprite set (sprindex.dat) as a document."""

from __future__ import annotations

from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.sprite_index import SpriteIndex, read_index, write_index
from overhaul.document.protocol import Beside, Buffer


class SpriteIndexDocument(AgsDocument):
    """The index of a sprite set (sprindex.dat)."""

    kind = "ags-sprite-index"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.index_version: int = 11
        self.index = SpriteIndex()

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the index."""
        version, index = read_index(bytes(data), source=self.source)
        self.index_version = version
        self.index = index
        self.version: str = str(self.index_version)

    def to_bytes(self) -> bytes:
        """The index, rebuilt from the model."""
        return write_index(self.index_version, self.index)

    def info(self) -> dict[str, object]:
        """The version, the sprite set's id and the number of slots."""
        return {
            "kind": self.kind,
            "index_version": self.index_version,
            "file_id": self.index.file_id,
            "slots": self.index.count,
            "sprites": sum(1 for width in self.index.widths if width),
        }
