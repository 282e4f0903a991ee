"""Game data as files: a JSON file for each kind of thing, scripts as assembly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.game.extensions import BLOCKS
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import GuiSection, known_version
from overhaul.ags.game.old import NEWEST as OLD_NEWEST
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import OLDEST_DECODED, GameContent, GameHeader, has_block_list
from overhaul.ags.script.model import Script
from overhaul.ags_folder import blocks, kit, old_game
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError
from overhaul.folder.jsonkit import at_key, expect_bytes, expect_integer, expect_texts, in_file
from overhaul.folder.records import stored_fields

GAME_JSON: Final = "game.json"
BODY: Final = "game.bin"
GUI_JSON: Final = "gui.json"
EXTENSIONS_JSON: Final = "extensions.json"
GLOBAL_SCRIPT: Final = "scripts/GlobalScript.asm"
DIALOG_SCRIPT: Final = "scripts/DialogScripts.asm"
_MODULES: Final = "scripts/modules/"

#: The fields in game.json, beside the header's.
_GAME_FIELDS: Final = (
    "settings",
    "save",
    "font_flags",
    "font_outlines",
    "font_offsets",
    "font_spacings",
    "fonts",
    "sprite_flags",
    "variables",
    "score_clip",
    "room_names",
)
#: The fields of each other JSON file.
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "characters.json": (
        "character_interactions",
        "character_events",
        "characters",
        "character_properties",
    ),
    "inventory.json": (
        "inventory",
        "inventory_interactions",
        "inventory_events",
        "inventory_properties",
        "inventory_script_names",
    ),
    "cursors.json": ("cursors",),
    "views.json": ("views", "old_views", "sprite_folders", "view_names"),
    "dialogs.json": ("dialogs", "dialog_data", "speech_lines", "dialog_script_names"),
    "texts.json": ("messages", "dictionary", "lip_sync"),
    "audio.json": ("audio_types", "audio_clips"),
    "plugins.json": ("plugin_format", "plugins"),
    "properties.json": ("property_schema",),
}

settings = kit.encoding_settings
empty = partial(kit.new_document, GameDocument)


# --- unpacking ------------------------------------------------------------------------------


def tree(document: GameDocument) -> Iterable[Resource]:
    """The things of the game, and its scripts."""
    game = document.game
    yield Resource("game", str(document.info().get("name", "")), GAME_JSON, document.size or None)
    if game.old is not None:
        for kind, name, path in old_game.resources(game.old):
            yield Resource(kind, document.shown(name), path)
        return
    content = game.content
    if content is None:
        yield Resource("data", "not understood", BODY, len(game.body))
        return
    lists = (
        ("character", "characters.json", [c.script_name for c in content.characters]),
        ("inventory", "inventory.json", [i.name for i in content.inventory[1:]]),
        ("cursor", "cursors.json", [c.name for c in content.cursors]),
        ("view", "views.json", content.view_names),
        ("dialog", "dialogs.json", content.dialog_script_names),
        ("gui", GUI_JSON, [g.name for g in content.gui.guis]),
        ("audio clip", "audio.json", [c.script_name for c in content.audio_clips]),
        ("plugin", "plugins.json", [p.name for p in content.plugins]),
    )
    for kind, path, names in lists:
        for name in names:
            yield Resource(kind, document.shown(name), path)
    for path, script in _scripts(content):
        yield Resource("script", script.name, path, len(script.code))
    for block in game.blocks.blocks:
        yield Resource("extension", str(block.id), EXTENSIONS_JSON)


def _scripts(content: GameContent) -> Iterator[tuple[str, Script]]:
    """(path, script) of every script."""
    if content.global_script is not None:
        yield GLOBAL_SCRIPT, content.global_script
    if content.dialog_script is not None:
        yield DIALOG_SCRIPT, content.dialog_script
    names = FileNames()
    for module in content.script_modules:
        yield f"{_MODULES}{names(module.name)}.asm", module


def _module_paths(content: GameContent) -> list[str]:
    return [path for path, _ in _scripts(content) if path.startswith(_MODULES)]


def plain_files(document: GameDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked game data."""
    game = document.game
    content = game.content
    yield kit.json_file(document, GAME_JSON, partial(_show_game, game), "settings")
    if game.old is not None:
        yield from old_game.plain_files(document, game.old, game.version)
        return
    if content is None:
        yield kit.bytes_file(BODY, game.body, "body", game.reason)
        return
    stored = {field.name for field in stored_fields(content, game.version)}
    groups = {path: names for path, names in GROUPS.items() if not stored.isdisjoint(names)}
    yield from kit.show_groups(document, content, game.version, groups)
    yield kit.json_file(document, GUI_JSON, partial(_show_gui, content), "gui")
    if has_block_list(game.version):
        shown = partial(_show_extensions, game)
        yield kit.json_file(document, EXTENSIONS_JSON, shown, "extensions")
    yield from blocks.opaque_files(game.blocks)
    for path, script in _scripts(content):
        yield kit.script_file(path, script, document.encoding, f"script {script.name}")


def _show_game(game: Game) -> dict[str, object]:
    shown: dict[str, object] = {"version": game.version, **kit.show(game.header, game.version)}
    if game.content is not None:
        shown |= kit.show(game.content, game.version, _GAME_FIELDS)
        shown["script_modules"] = _module_paths(game.content)
    if game.trailing:
        shown["trailing"] = game.trailing.hex()
    return shown


def _show_gui(content: GameContent) -> dict[str, object]:
    return {"gui_version": content.gui_version, **kit.show(content.gui, content.gui_version)}


def _show_extensions(game: Game) -> dict[str, object]:
    return {"blocks": blocks.show_blocks(game.blocks)}


# --- packing --------------------------------------------------------------------------------


def apply(document: GameDocument, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change the game as its files were changed."""
    kit.take_settings(document, folder.settings)
    game = document.game
    if GAME_JSON in changes:
        _take_game(document, folder)
    if game.version <= OLD_NEWEST and (game.old is not None or old_game.SETTINGS in folder):
        old = game.old or OldGameContent()
        game.old = old_game.apply(document, old, game.version, folder, changes)
    else:
        if BODY in folder and (BODY in changes or game.content is None):
            game.body = folder.read(BODY)
            game.content = None
        if game.content is not None:
            _take_content(document, game.content, folder, changes)
    document.edited(game.version)
    return []


def _take_content(
    document: GameDocument, content: GameContent, folder: Folder, changes: Mapping[str, Change]
) -> None:
    game = document.game
    for path, names in GROUPS.items():
        if path in changes:
            content = kit.read_group(document, folder, path, content, names, game.version)
    game.content = content
    if GUI_JSON in changes:
        _take_gui(content, kit.read_json(document, folder, GUI_JSON))
    if EXTENSIONS_JSON in changes and has_block_list(game.version):
        shown = kit.read_json(document, folder, EXTENSIONS_JSON).get("blocks")
        found = blocks.read_blocks(shown, game.blocks, BLOCKS, folder, EXTENSIONS_JSON)
        game.blocks = DecodedBlocks(GAME, game.version, found)
    _take_scripts(document, content, folder, changes)
    blocks.take_opaque_files(game.blocks, folder, changes)
    _count(content)


def _take_game(document: GameDocument, folder: Folder) -> None:
    game = document.game
    shown = kit.read_json(document, folder, GAME_JSON)
    with in_file(GAME_JSON):
        with at_key("version"):
            version = expect_integer(shown.pop("version", game.version), 1)
        with at_key("script_modules"):
            modules = expect_texts(shown.pop("script_modules", []))
        with at_key("trailing"):
            game.trailing = expect_bytes(shown.pop("trailing", ""))
    game.version = game.blocks.version = version
    header = {n: shown.pop(n) for n in GameHeader.__struct_fields__ if n in shown}
    game.header = kit.read(GameHeader, header, version, GAME_JSON, base=game.header)
    if version < OLDEST_DECODED or (game.content is None and game.body):
        return
    base = game.content if game.content is not None else GameContent()
    content = kit.read(GameContent, shown, version, GAME_JSON, base=base, only=_GAME_FIELDS)
    offset = content.settings.extension_offset
    if game.content is None:
        # Built anew: the offset is computed, unless the version leaves it 0.
        game.offset_follows = offset != 0
    elif offset != game.content.settings.extension_offset:
        game.offset_follows = False
    game.content = content
    known = dict(_scripts(content))
    content.script_modules = [
        known[path] if path in known else kit.read_script(folder, path, document.encoding)
        for path in modules
    ]


def _take_gui(content: GameContent, shown: dict[str, object]) -> None:
    with in_file(GUI_JSON), at_key("gui_version"):
        version = expect_integer(shown.pop("gui_version", content.gui_version))
        if not known_version(version):
            raise FormatError(f"unknown GUI version {version}")
    content.gui_version = version
    content.gui = kit.read(GuiSection, shown, version, GUI_JSON, base=content.gui)


def _take_scripts(
    document: GameDocument, content: GameContent, folder: Folder, changes: Mapping[str, Change]
) -> None:
    modules = _module_paths(content)
    if GLOBAL_SCRIPT in changes:
        content.global_script = kit.read_script(folder, GLOBAL_SCRIPT, document.encoding)
    if DIALOG_SCRIPT in changes:
        content.dialog_script = kit.read_script(folder, DIALOG_SCRIPT, document.encoding)
    for index, path in enumerate(modules):
        if path in changes:
            content.script_modules[index] = kit.read_script(folder, path, document.encoding)


def _count(content: GameContent) -> None:
    """Set the counts of the settings to the lengths of the lists."""
    settings = content.settings
    settings.character_count = len(content.characters)
    settings.inventory_count = len(content.inventory)
    settings.cursor_count = len(content.cursors)
    settings.view_count = len(content.views) or len(content.old_views)
    settings.font_count = len(content.fonts) or len(content.font_flags)
    settings.dialog_count = len(content.dialogs)
    for dialog, (code, _) in zip(content.dialogs, content.dialog_data, strict=False):
        dialog.code_size = len(code)
