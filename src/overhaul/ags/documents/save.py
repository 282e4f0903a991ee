"""A saved game (agssave.*) as a document."""

from __future__ import annotations

from typing import Final

from overhaul.ags.detect import SAVE as SIGNATURE
from overhaul.ags.documents.base import AgsDocument, Tally
from overhaul.document.protocol import Buffer, Siblings
from overhaul.errors import FormatError

_LONGEST_TEXT: Final = 512
_TEXTS: Final = ("engine", "engine_version", "game_id", "game", "main_file")


class SaveDocument(AgsDocument):
    """A saved game: detected and described; its contents are the state of the running engine."""

    kind = "ags-save"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.data: bytes = b""

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Keep the bytes, and find the signature."""
        self.data = bytes(data)
        if SIGNATURE not in self.data:
            raise FormatError(
                "the signature of a saved game is missing", source=self.source, offset=0
            )

    def to_bytes(self) -> bytes:
        """The bytes as they were read."""
        return self.data

    def info(self) -> dict[str, object]:
        """The description at the beginning of a save."""
        start = self.data.find(SIGNATURE)
        after = start + len(SIGNATURE)
        new = self.data[after : after + 3] == b" v2"
        facts: dict[str, object] = {
            "kind": self.kind,
            "generation": 2 if new else 1,
            "explorer_header": start > 0,
        }
        if new:
            return facts | _description(self.data, after + 3)
        # Generation 1: the player's words follow at once, then the version.
        text, ended, rest = self.data[after : after + 1024].partition(b"\0")
        if ended:
            facts["description"] = text.decode("utf-8", "replace")
            facts["save_version"] = int.from_bytes(rest[:4], "little")
        return facts

    def tally(self, tally: Tally) -> None:
        """Only the signature is understood."""
        length = len(self.data) - len(SIGNATURE)
        tally.add_opaque(len(SIGNATURE), "save", length, "the engine's state")


def _description(data: bytes, position: int) -> dict[str, object]:
    """The description in a save of generation 2; only its version where the texts are not valid.

    A version (i32), from 3.5.1 on the size of the description (u32), then texts behind their
    lengths: engine, engine version, game's id, title, main file.
    """
    version = int.from_bytes(data[position : position + 4], "little")
    for start in (position + 4, position + 8):
        facts: dict[str, object] = {"save_version": version}
        at = start
        for name in _TEXTS:
            length = int.from_bytes(data[at : at + 4], "little")
            text = data[at + 4 : at + 4 + length].decode("utf-8", "replace")
            if length > _LONGEST_TEXT or at + 4 + length > len(data) or not text.isprintable():
                break
            facts[name] = text
            at += 4 + length
        else:
            return facts
    return {"save_version": version}
