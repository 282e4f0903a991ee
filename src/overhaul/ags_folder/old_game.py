"""Game data before 2.5 as files: a JSON file for each kind of thing, the script as source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from overhaul.ags.game import dialog_code
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Script
from overhaul.ags_folder import plainfiles
from overhaul.ags_folder.base import Tally
from overhaul.document.protocol import Change, Folder, PlainFile
from overhaul.errors import WorkspaceError

if TYPE_CHECKING:
    from overhaul.ags_folder.game import GameDocument

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
_SCRIPTS: Final = ("global_script_source", "compiled_script")
_GROUPED: Final = {name for names in _GROUPS.values() for name in names}
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    SETTINGS: tuple(
        name
        for name in OldGameContent.__struct_fields__
        if name not in _GROUPED and name not in _SCRIPTS
    ),
    **_GROUPS,
}
"""The fields of each JSON file."""


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


def tally(tally: Tally, content: OldGameContent) -> None:
    """Count what is not understood."""
    if isinstance(content.compiled_script, bytes):
        size = len(content.compiled_script)
        tally.add_opaque(0, "compiled_script", size, "a script compiled before 2.1")
    for index, (code, _) in enumerate(content.dialog_data):
        if dialog_code.disassemble(code) is None:
            tally.add_opaque(0, f"dialogs[{index}]", len(code), "unknown dialog code")


def plain_files(document: GameDocument, content: OldGameContent) -> Iterator[PlainFile]:
    """The files of the unpacked game, but game.json."""
    version = document.game.version
    for path, names in GROUPS.items():
        yield PlainFile(
            path,
            lambda names=names: document.json(  # type: ignore[misc]
                plainfiles.show(content, version, names)
            ),
            origin=path.removesuffix(".json"),
        )
    if content.global_script_pointer:
        yield PlainFile(SOURCE, lambda: content.source, origin="global_script_source")
    program = content.compiled_script
    if isinstance(program, Script):
        yield PlainFile(
            ASSEMBLY,
            lambda: disassemble(program, document.encoding).encode(),
            origin="compiled_script",
        )
    elif program:
        yield PlainFile(PROGRAM, lambda: program, origin="compiled_script")


def apply(
    document: GameDocument,
    content: OldGameContent,
    folder: Folder,
    changes: Mapping[str, Change],
) -> OldGameContent:
    """The game as its files were changed."""
    version = document.game.version
    for path, names in GROUPS.items():
        if path in changes:
            shown: dict[str, Any] = document.read_json(folder, path)
            unknown = set(shown) - set(names)
            if unknown:
                raise WorkspaceError(f"{path} has no field {min(unknown)!r}")
            content = plainfiles.read(OldGameContent, shown, version, path, base=content)
    if SOURCE in changes:
        content.source = folder.read(SOURCE)
    if ASSEMBLY in changes:
        text = plainfiles.read_text(folder, ASSEMBLY)
        content.compiled_script = assemble(text, name=ASSEMBLY, encoding=document.encoding)
    elif PROGRAM in changes:
        content.compiled_script = folder.read(PROGRAM)
    for dialog, (code, _) in zip(content.dialogs, content.dialog_data, strict=False):
        dialog.code_size = len(code)
    return content
