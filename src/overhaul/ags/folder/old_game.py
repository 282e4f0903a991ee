"""Game data before 2.5 as files: a JSON file for each kind of thing, the script as source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags import parallel, text
from overhaul.ags.decompiler.decompiler import Environment
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder import code, file_io
from overhaul.ags.folder.dialogs import ENDING, FOLDER, is_dialog
from overhaul.ags.folder.old_dialogs import OldDialogs
from overhaul.ags.folder.sprite_flags import as_bytes, by_sprite
from overhaul.ags.game.game import Game
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.parallel import MAIN
from overhaul.ags.script.model import Script
from overhaul.document.plainfiles import Change, Folder, PlainFile
from overhaul.folder.json_fields import in_file
from overhaul.schema import fields_of

SETTINGS: Final = "settings.json"
SOURCE: Final = "scripts/GlobalScript.asc"
_STEM: Final = "scripts/GlobalScript"
ASSEMBLY: Final = _STEM + code.ASSEMBLY
PROGRAM: Final = "scripts/GlobalScript.bin"
DIALOGS_JSON: Final = "dialogs.json"
DIALOGS: Final = "dialogs"

_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "interfaces.json": ("interfaces",),
    "characters.json": ("character_conditions", "characters"),
    "inventory.json": ("inventory_conditions", "inventory"),
    "cursors.json": ("cursors",),
    "views.json": ("views",),
    "sprites.json": ("sprite_flags", "more_sprite_flags", "sprite_folders"),
    DIALOGS_JSON: ("dialogs", "dialog_data", "dialog_messages"),
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
    for number in range(len(content.guis[1].guis)):  # the names hold other things
        yield "gui", str(number), "gui.json"
    yield "script source", "GlobalScript", SOURCE
    if isinstance(content.compiled_script, Script):
        yield "script", "GlobalScript", ASSEMBLY


def plain_files(document: GameDocument, content: OldGameContent) -> Iterator[PlainFile]:
    """The files of the unpacked game, but game.json."""
    taken = _old_dialogs(document, content)
    for path in GROUPS:
        shown = partial(_show_group, document.game, content, path)
        if path == DIALOGS_JSON:
            stored = shown()
            for number, lines in enumerate(taken.take_out(stored)):
                yield file_io.bytes_file(_lines_of(number), lines.encode(), f"dialog {number}")
            shown = partial(dict, stored)
        yield file_io.json_file(document, path, shown, path.removesuffix(".json"))
    if content.global_script_pointer:
        yield file_io.bytes_file(SOURCE, content.source, "global_script_source")
    program = content.compiled_script
    if isinstance(program, Script):
        yield code.assembly_file(_place(document), program, "compiled_script")
    elif program:
        yield file_io.bytes_file(PROGRAM, program, "compiled_script")


def _show_group(game: Game, content: OldGameContent, path: str) -> dict[str, object]:
    tables = game.tables()
    kinds = tables.kinds if path == DIALOGS_JSON else ()
    left = set(GROUPS[path]) - parallel.folded(tables, kinds).get(MAIN, set())
    shown = by_sprite(file_io.show(content, game.version, left))
    return shown | parallel.show_rows(tables, kinds)


def _old_dialogs(document: GameDocument, content: OldGameContent) -> OldDialogs:
    names = [character.script_name for character in content.characters]
    return OldDialogs(names, document.game.version, partial(text.show, encoding=document.encoding))


def _lines_of(number: int) -> str:
    return f"{FOLDER}{number}{ENDING}"


def apply(document: GameDocument, folder: Folder, changes: Mapping[str, Change]) -> None:
    """Change the game as its files were changed."""
    game = document.game
    content = game.old = game.old or OldGameContent()
    edited = {*changes, *(DIALOGS_JSON for path in changes if is_dialog(path))}
    for path, names in GROUPS.items():
        if path in edited:
            shown = file_io.read_json(document, folder, path)
            parts: dict[str, object] = {}
            if path == DIALOGS_JSON and DIALOGS in shown:
                _take_lines(document, folder, shown, content)
                parts[DIALOGS] = shown.pop(DIALOGS)
            content = game.old = file_io.read(
                OldGameContent, as_bytes(shown, path), game.version, path, base=content, only=names
            )
            with in_file(path):
                parallel.take_rows(game.tables(), parts, (DIALOGS,))
    if SOURCE in changes:
        content.source = folder.read(SOURCE)
    if ASSEMBLY in changes:
        content.compiled_script = code.read_assembly(_place(document), folder)
    elif PROGRAM in changes:
        content.compiled_script = folder.read(PROGRAM)
    game.recompute_counts()


def _take_lines(
    document: GameDocument, folder: Folder, shown: dict[str, object], content: OldGameContent
) -> None:
    """Add what follows from the lines of dialogs to the JSON object of dialogs."""
    files = list(filter(is_dialog, folder.list()))
    rows = shown[DIALOGS]
    had = len(content.dialogs)
    if isinstance(rows, list) and (files or any("script" not in row for row in rows[:had])):
        lines = {file: code.stored_text(folder, file, document.encoding) for file in files}
        paths = [_lines_of(number) for number in range(len(rows))]
        _old_dialogs(document, content).put_in(shown, lines, paths)


def _place(document: GameDocument) -> code.ScriptPlace:
    return code.ScriptPlace(document, _STEM, Environment, Environment)
