"""Extensions; their product ids stand apart from them in the game."""

from __future__ import annotations

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID, Extension
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.resource import ResourceEdit, ResourceFiles


class ExtensionFiles(ResourceFiles[Extension]):
    """Extensions, each with its product id."""

    def show(self, record: Extension, names: Names) -> dict[str, object]:
        plain = super().show(record, names)
        ids = names.game.record("EXTN").product_ids
        index = names.game.extensions.index(record)
        return plain | {"product_id": ids[index].hex()} if index < len(ids) else plain

    def read(
        self, values: dict[str, object], edit: ResourceEdit[Extension], edits: GameEdits
    ) -> Extension:
        _set_product_id(edit.record, values.pop("product_id", None), edits)
        return super().read(values, edit, edits)


def _set_product_id(record: Extension, value: object, edits: GameEdits) -> None:
    ids: list[bytes] = edits.game.record("EXTN").product_ids
    index = edits.game.extensions.index(record)
    if value is None:
        if edits.names.version.major < 2 and not ids:
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
