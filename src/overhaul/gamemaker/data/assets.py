"""Asset ids that carry their type: tags, and pushref operands of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.references import Reference

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.version import Version

OLD_TYPES = {
    0: "OBJT", 1: "SPRT", 2: "SOND", 3: "ROOM", 4: "BGND", 5: "PATH", 6: "SCPT", 7: "FONT",
    8: "TMLN", 10: "SHDR", 11: "SEQN", 12: "ACRV", 13: "PSYS",
}  # fmt: skip
NEW_TYPES = {
    0: "OBJT", 1: "SPRT", 2: "SOND", 3: "ROOM", 4: "PATH", 5: "SCPT", 6: "FONT", 7: "TMLN",
    8: "SHDR", 9: "SEQN", 10: "ACRV", 11: "PSYS", 13: "BGND",
}  # fmt: skip
#: the numbering of TAGS before 2024.4
OLD_TAG_TYPES = {
    0: "OBJT", 1: "SPRT", 2: "SOND", 3: "ROOM", 5: "PATH", 6: "SCPT", 7: "FONT", 8: "TMLN",
    9: "BGND", 10: "SHDR", 11: "SEQN", 12: "ACRV", 13: "PSYS",
}  # fmt: skip
#: what is added to the index of a script
SCRIPT_BASE = 100000


def asset_types(version: Version) -> dict[int, str]:
    """The type numbers of pushref operands, as chunk names."""
    return NEW_TYPES if version.at_least(2024, 4) else OLD_TYPES


class AssetTable(dict[int, object]):
    """Asset ids of TAGS: type in the top byte, index below."""

    def __init__(self, game: GameModel) -> None:
        super().__init__()
        self._game = game
        self._types = NEW_TYPES if game.release.at_least(2024, 4) else OLD_TAG_TYPES
        self._numbers = {chunk: number for number, chunk in self._types.items()}

    def __missing__(self, number: int) -> object:
        chunk = self._types.get(number >> 24)
        index = number & 0xFFFFFF
        if chunk == "SCPT":
            index -= SCRIPT_BASE
        value: object = number
        if chunk is not None:
            owner = self._game.named(chunk)
            if 0 <= index < len(owner):
                value = owner.reference(index)
        self[number] = value
        return value

    def encode(self, value: object) -> int:
        """The id of a reference; plain numbers stay."""
        if isinstance(value, int):
            return value
        if value is None:
            return -1
        if not isinstance(value, Reference) or value.chunk not in self._numbers:
            raise EncodeError(f"{value!r} can't have tags")
        index = value.index
        if index < 0:
            return -1
        if value.chunk == "SCPT":
            index += SCRIPT_BASE
        return self._numbers[value.chunk] << 24 | index
