"""The relations between a game's plain files, and the records that they show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from typing import Final

from overhaul.document.format_parts import FileFields, FileMeaning, ResourceMentions
from overhaul.document.names import escape_name
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.kind_folders import CODE, PAGES
from overhaul.gamemaker.data_folder.kinds import TABLES, kinds_of
from overhaul.gamemaker.data_folder.names import REFERRED
from overhaul.gamemaker.data_folder.sounds import SOUNDS
from overhaul.gamemaker.data_folder.strings import STRINGS
from overhaul.gamemaker.data_folder.tables import (
    GAME_END,
    GENERAL,
    GLOBAL_INIT,
    SCRIPTS,
    TEXTURE_GROUPS,
)
from overhaul.gamemaker.data_folder.texture_pages import TEXTURES
from overhaul.gamemaker.data_folder.view import ASSEMBLY, CODE_DETAILS, ORDER, SOURCE
from overhaul.schema import Record

#: values that follow from resources, their pictures and their code, and the layout of the file
_DERIVED = (TEXTURES, CODE_DETAILS, "overhaul.toml")
#: values that follow from the rest of general.json and the code, or name the compiler and the time
_MADE = frozenset(
    ("uid", "timestamp", "licence_crc32", "licence_md5", "function_classifications", "game_guid")
)


class GameMeaning(FileMeaning[GameData]):
    """The meaning of the files of a game, and of the values in them."""

    ordering_files = (ORDER, SCRIPTS.path)
    texts_file = STRINGS

    def derived(self, game: GameData, path: str) -> bool:
        """Whether a plain file follows from the others: texture pages, what code's source does not
        say, the table of all texts, which resources and code show, and how the file is laid out."""
        if path.startswith(f"{PAGES}/"):
            return path.endswith(".png")
        if game.is_native:  # its code is elsewhere, and what runs it is numbers
            return path in _DERIVED or path in (SCRIPTS.path, GLOBAL_INIT.path, GAME_END.path)
        return path in _DERIVED or path == STRINGS

    def lists_texts(self, path: str) -> bool:
        """strings.csv."""
        return path == STRINGS

    def ordering(self, path: str, key: str) -> bool | None:
        """order.json lists all resources; the order of code entries stays."""
        return key != CODE if path == ORDER else None

    def keys_ordered(self, game: GameData, path: str) -> bool:
        """Before 2.3 the places in scripts.json are the numbers of scripts in code."""
        return path == SCRIPTS.path and game.release.number < (2, 3)

    def of(self, game: GameData, path: str, value: object, touched: Set[str] | None) -> object:
        """The functions inside of code follow from it in scripts.json; the pages of texture groups
        from their pictures."""
        if path == SCRIPTS.path and isinstance(value, dict):
            return {
                name: code for name, code in value.items() if not _is_inside(game, code, touched)
            }
        if path == TEXTURE_GROUPS.path and isinstance(value, list) and touched is None:
            return [_named_only(group) for group in value]
        return value

    def fixed(self, path: str, key: str) -> bool:
        """Values of tables that the release decides, such as the version in general.json, values
        that follow from others or from the compiling tool, and a sound's length and the number
        of its bytes."""
        if path == GENERAL.path and key in _MADE:
            return True
        if path.startswith(f"{SOUNDS.folder}/"):
            return key in ("length", "audio")
        return any(key in table.fixed for table in TABLES if table.path == path)

    def counter(self, path: str, key: str) -> bool:
        """The last ids that were given."""
        return path == GENERAL.path and key in ("last_object_id", "last_tile_id")


def _is_inside(game: GameData, code: object, touched: Set[str] | None) -> bool:
    """Whether code is a function inside an entry (one whose file was touched)."""
    name = next(iter(code.values()), None) if isinstance(code, dict) else code
    entry = game.records.code.get(name) if isinstance(name, str) and "CODE" in game.chunks else None
    root = entry.root if entry is not None else None
    if root is None or touched is None:
        return root is not None
    stem = escape_name(str(root.name))
    return bool(touched & {f"{CODE}/{stem}{SOURCE}", f"{CODE}/{stem}{ASSEMBLY}"})


def _named_only(group: object) -> object:
    """A texture group with only its named members."""
    if not isinstance(group, dict):
        return group
    shown = {key: value for key, value in group.items() if key != "pages"}
    return {
        key: [item for item in value if isinstance(item, str)] if isinstance(value, list) else value
        for key, value in shown.items()
    }


class GameMentions(ResourceMentions):
    """How the files of a game mention resources."""

    def keys(self, name: str) -> str:
        """The keys of events with an object: ``"Collision_obj_wall":``."""
        return rf'"[A-Z][A-Za-z]*_{re.escape(name)}":'

    def listings(self, name: str) -> Mapping[str, str]:
        """order.json lists all resources, scripts.json all scripts, each with its code."""
        escaped = re.escape(name)
        return {"order.json": "", "scripts.json": rf'\s*"{escaped}": (?!"{escaped}")'}


class GameFields(FileFields[GameData]):
    """The records that the JSON files of a game show."""

    def declared(self, game: GameData, path: str) -> tuple[type[Record], Version] | None:
        """The record whose fields a JSON file of a resource or a table shows."""
        for kind in kinds_of(game.release):
            stem = kind.stem_of(path)
            if stem is not None and kind.json_path(stem) == path:
                return kind.record, game.release
        for table in TABLES:
            if table.path == path and table.chunk in game.chunks:
                record = game.record(table.chunk)
                return None if record is None else (type(record), game.release)
        return None

    def reference_kinds(self, game: GameData) -> dict[str, str]:
        """The kinds of resources by the chunks that references name."""
        kinds = {chunk: CHUNKS[chunk].title for chunk in REFERRED}
        if game.release.major >= 2:
            kinds["BGND"] = "background"
        return {**kinds, "parent": CHUNKS["OBJT"].title}


MEANING: Final = GameMeaning()
MENTIONS: Final = GameMentions()
FIELDS: Final = GameFields()
