"""Game data before 2.5 as files: a JSON file for each kind of thing, the script as source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.script.model import Script
from overhaul.ags_folder import kit
from overhaul.document.plainfiles import Change, Folder, PlainFile
from overhaul.schema import fields_of

SETTINGS: Final = "settings.json"
SOURCE: Final = "scripts/GlobalScript.asc"
ASSEMBLY: Final = "scripts/GlobalScript.asm"
PROGRAM: Final = "scripts/GlobalScript.bin"

_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "interfaces.json": ("interfaces",),
    "characters.json": ("character_conditions", "characters"),
    "inventory.json": ("inventory_conditions", "inventory"),
    "cursors.json": ("cursors",),
    "views.json": ("views",),
    "sprites.json": ("sprite_flags", "more_sprite_flags", "sprite_folders"),
    "dialogs.json": ("dialogs", "dialog_data", "dialog_messages"),
    "texts.json": ("messages", "dictionary"),
    "gui.json": ("guis",),
}
_ELSEWHERE: Final = {name for names in _GROUPS.values() for name in names} | {
    "global_script_source",
    "compiled_script",
}
#: The fields of each JSON file but game.json.
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    SETTINGS: tuple(f.name for f in fields_of(OldGameContent) if f.name not in _ELSEWHERE),
    **_GROUPS,
}


def resources(content: OldGameContent) -> Iterator[tuple[str, str, str]]:
    """(kind, name, path) of what the game has."""
    for character in content.characters:
        yield "character", character.script_name, "characters.json"
    for item in content.inventory[1 : content.inventory_count]:
        yield "inventory", item.name, "inventory.json"
    for cursor in content.cursors:
        yield "cursor", cursor.name, "cursors.json"
    for number in range(content.view_count):
        yield "view", str(number + 1), "views.json"
    for number in range(content.dialog_count):
        yield "dialog", str(number), "dialogs.json"
    yield "script source", "GlobalScript", SOURCE


def plain_files(
    document: AgsDocument, content: OldGameContent, version: int
) -> Iterator[PlainFile]:
    """The files of the unpacked game, but game.json."""
    yield from kit.show_groups(document, content, version, GROUPS)
    if content.global_script_pointer:
        yield kit.bytes_file(SOURCE, content.source, "global_script_source")
    program = content.compiled_script
    if isinstance(program, Script):
        yield kit.script_file(ASSEMBLY, program, document.encoding, "compiled_script")
    elif program:
        yield kit.bytes_file(PROGRAM, program, "compiled_script")


def apply(
    document: AgsDocument,
    content: OldGameContent,
    version: int,
    folder: Folder,
    changes: Mapping[str, Change],
) -> OldGameContent:
    """The game as its files were changed."""
    for path, names in GROUPS.items():
        if path in changes:
            content = kit.read_group(document, folder, path, content, names, version)
    if SOURCE in changes:
        content.source = folder.read(SOURCE)
    if ASSEMBLY in changes:
        content.compiled_script = kit.read_script(folder, ASSEMBLY, document.encoding)
    elif PROGRAM in changes:
        content.compiled_script = folder.read(PROGRAM)
    for dialog, (code, _) in zip(content.dialogs, content.dialog_data, strict=False):
        dialog.code_size = len(code)
    return content
