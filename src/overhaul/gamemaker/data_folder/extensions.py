"""Extensions; the game keeps their product ids in a list of its own."""

from __future__ import annotations

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID, Extension
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.plain import JsonObject
from overhaul.gamemaker.data_folder.resource import ResourceEdit, ResourceFiles


class ExtensionFiles(ResourceFiles[Extension]):
    """Extensions, each with its product id."""

    def show(self, record: Extension, names: Names) -> JsonObject:
        plain = super().show(record, names)
        ids = names.game.record("EXTN").product_ids
        index = names.game.records.extensions.index(record)
        return plain | {"product_id": ids[index].hex()} if index < len(ids) else plain

    def read(self, values: JsonObject, edit: ResourceEdit[Extension]) -> Extension:
        _set_product_id(edit.record, values.pop("product_id", None), edit.edits.game)
        return super().read(values, edit)


def _set_product_id(record: Extension, value: object, game: GameData) -> None:
    ids: list[bytes] = game.record("EXTN").product_ids
    index = game.records.extensions.index(record)
    if value is None:
        if game.release.major < 2 and not ids:
            return
        value = NO_PRODUCT_ID.hex()
    try:
        raw = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        raw = b""
    if len(raw) != 16:
        raise FormatError("expected 32 hexadecimal digits").within("product_id")
    ids += [NO_PRODUCT_ID] * (index + 1 - len(ids))
    ids[index] = raw


EXTENSIONS = ExtensionFiles("EXTN", "extensions", Extension)
