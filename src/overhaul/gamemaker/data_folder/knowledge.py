"""What a game's plain files mean to each other, for comparing and merging games."""

from __future__ import annotations

from collections.abc import Set

from overhaul.document.names import escape_name
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.code_details import CODE_DETAILS
from overhaul.gamemaker.data_folder.kinds import TABLES
from overhaul.gamemaker.data_folder.scripts import SCRIPTS
from overhaul.gamemaker.data_folder.sounds import SOUNDS
from overhaul.gamemaker.data_folder.strings import STRINGS
from overhaul.gamemaker.data_folder.tables import (
    GAME_END,
    GENERAL,
    GLOBAL_INIT,
    TEXTURE_GROUPS,
)
from overhaul.gamemaker.data_folder.texture_pages import FOLDER, TEXTURES
from overhaul.gamemaker.data_folder.view import ASSEMBLY, CODE, ORDER, SOURCE

#: what follows from resources, their pictures and their code, and how the file is laid out
_DERIVED = (TEXTURES, CODE_DETAILS, "overhaul.toml")


def derived(game: GameData, path: str) -> bool:
    """Whether a plain file follows from the others: texture pages, what code's source does not
    say, the table of all texts, which resources and code show, and how the file is laid out."""
    if path.startswith(f"{FOLDER}/"):
        return path.endswith(".png")
    if game.is_native:  # its code is elsewhere, and what runs it is numbers
        return path in _DERIVED or path in (SCRIPTS.path, GLOBAL_INIT.path, GAME_END.path)
    return path in _DERIVED or path == STRINGS


def texts(path: str) -> bool:
    """strings.csv."""
    return path == STRINGS


def ordering(path: str, key: str) -> bool | None:
    """order.json lists all resources; the order of code entries stays what it is."""
    return key != CODE if path == ORDER else None


def meaning(game: GameData, path: str, value: object, touched: Set[str] | None) -> object:
    """The functions inside of code follow from it in scripts.json; the pages of texture groups
    from their pictures."""
    if path == SCRIPTS.path and isinstance(value, dict):
        return {name: code for name, code in value.items() if not _is_inside(game, code, touched)}
    if path == TEXTURE_GROUPS.path and isinstance(value, list) and touched is None:
        return [_named_only(group) for group in value]
    return value


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
    """A texture group with what has a name."""
    if not isinstance(group, dict):
        return group
    shown = {key: value for key, value in group.items() if key != "pages"}
    return {
        key: [item for item in value if isinstance(item, str)] if isinstance(value, list) else value
        for key, value in shown.items()
    }


#: what follows from the rest of general.json and the code, or says who compiled the game and when
_MADE = frozenset(
    ("uid", "timestamp", "licence_crc32", "licence_md5", "function_classifications", "game_guid")
)


def fixed(path: str, key: str) -> bool:
    """What tables say of the release, such as the version in general.json, what follows from
    others or from the compiling tool, and of a sound its length and the number of its bytes."""
    if path == GENERAL.path and key in _MADE:
        return True
    if path.startswith(f"{SOUNDS.folder}/"):
        return key in ("length", "audio")
    return any(key in table.fixed for table in TABLES if table.path == path)


def counter(path: str, key: str) -> bool:
    """The last ids that were given."""
    return path == GENERAL.path and key in ("last_object_id", "last_tile_id")


def beside(one: GameData, two: GameData) -> None:
    """What the decompiler learns from code serves for the same code of the other game."""
    two.language.read_beside(one.language)
