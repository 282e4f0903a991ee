"""A compiled translation (.tra) as a document."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.ags.documents.base import AgsDocument, Tally, has_foreign_texts
from overhaul.ags.properties import TextMap
from overhaul.ags.text import UTF_8, encode
from overhaul.ags.translation import GAME_ID, GameIdBlock, Translation
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.views import ResourceView


class TranslationDocument(AgsDocument):
    """A compiled translation (.tra)."""

    kind = "ags-translation"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.translation: Translation = Translation()

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the translation."""
        self.translation = Translation.read(data, source=self.source, strict=self.strict)
        self.findings.extend(self.translation.blocks.findings)

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """Its texts."""
        make = load("overhaul.ags.surface.sprites:Translation")
        return [make(self, self.translation)] if kind == "dictionary" else []

    def to_bytes(self) -> bytes:
        """The translation, rebuilt from the model."""
        return self.translation.to_bytes()

    def info(self) -> dict[str, object]:
        """The game it is for, and the number of its texts."""
        translation = self.translation
        facts: dict[str, object] = {"kind": self.kind, "texts": len(translation.pairs)}
        game = translation.blocks.find(GAME_ID, GameIdBlock)
        if game is not None:
            name = encode(game.game_name).decode(self.encoding, "replace")
            facts |= {"game": name, "unique_id": game.unique_id}
        facts["translated"] = sum(1 for pair in translation.pairs if pair.text)
        facts["encoding"] = self.encoding
        return facts

    def tally(self, tally: Tally) -> None:
        """Unknown blocks are opaque, and bytes after the list that are not zero."""
        tally.add_blocks(self.translation.blocks)
        if any(self.translation.trailing):
            tally.add_tail("trailing", self.translation.trailing, "unknown")

    def locate(self, offset: int) -> str:
        """The block that an offset lies in."""
        return self.translation.blocks.locate(offset)

    def declared_encoding(self) -> str | None:
        """UTF-8, if the options name it."""
        options = self.translation.blocks.find("ext_sopts", TextMap)
        named = options.get("encoding") if options is not None else None
        return UTF_8 if named is not None and named.upper() == "UTF-8" else None

    def has_foreign_texts(self) -> bool:
        """Whether a text is not UTF-8."""
        return has_foreign_texts(self.translation.pairs)
