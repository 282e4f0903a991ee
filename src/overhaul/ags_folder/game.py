"""Game data as a document: a JSON file for each kind of thing, scripts as assembly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from overhaul.ags.blockdata import DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.fields import plain_bytes
from overhaul.ags.game import dialog_code
from overhaul.ags.game.extensions import BLOCKS
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import GuiSection, known_version
from overhaul.ags.game.old import NEWEST as OLD_NEWEST
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import OLDEST_DECODED, GameContent, GameHeader, has_block_list
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Script
from overhaul.ags_folder import blockfiles, old_game, plainfiles
from overhaul.ags_folder.base import AgsDocument, Tally, code_page
from overhaul.document.names import FileNames
from overhaul.document.protocol import (
    Beside,
    Buffer,
    Change,
    Coverage,
    Folder,
    PlainFile,
    Resource,
    UnpackOptions,
)
from overhaul.errors import FormatError, WorkspaceError

GAME_JSON: Final = "game.json"
BODY: Final = "game.bin"
GUI_JSON: Final = "gui.json"
EXTENSIONS_JSON: Final = "extensions.json"
GLOBAL_SCRIPT: Final = "scripts/GlobalScript.asm"
DIALOG_SCRIPT: Final = "scripts/DialogScripts.asm"
_CODE_PAGE_OPTION: Final = 49

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    GAME_JSON: (
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
    ),
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
"""The fields of each JSON file."""


class GameDocument(AgsDocument):
    """Game data (game28.dta, ac2game.dta)."""

    kind = "ags-game"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self._data: Buffer | None = None
        self._game: Game | None = None
        self._closed = False

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the header; the rest is read when it is looked at."""
        self._data = data
        header = Game()
        header.read_header(data, self.source)
        self.version = str(header.version)
        if self.strict:
            self.decode()

    @property
    def game(self) -> Game:
        """The model."""
        if self._game is None:
            if self._closed:
                raise ValueError("the document is closed")
            if self._data is None:
                self._game = Game()
            else:
                self._game = Game.read(self._data, source=self.source, strict=self.strict)
                self.warnings += self._game.warnings
        return self._game

    def decode(self) -> None:
        """Read everything."""
        _ = self.game

    def to_bytes(self) -> bytes:
        """The game data, rebuilt from the model."""
        return self.game.to_bytes()

    def close(self) -> None:
        """Let go of the file; what was not read by now can't be read any more."""
        if self._data is not None and self._game is None:
            self._closed = True
        self._data = None
        super().close()

    # -- looking -----------------------------------------------------------------------------

    def info(self) -> dict[str, object]:
        """The game's name, version and how much there is of everything."""
        game = self.game
        found: dict[str, object] = {
            "kind": self.kind,
            "data_version": game.version,
            "compiled_with": game.header.compiled_with,
        }
        settings = game.settings
        content = game.content
        if settings is not None and content is not None:
            found |= {
                "name": self.shown(settings.name.split("\0")[0]),
                "unique_id": settings.unique_id,
                "resolution": _resolution(settings.resolution, settings.width, settings.height),
                "characters": settings.character_count,
                "views": settings.view_count,
                "inventory": max(0, settings.inventory_count - 1),
                "cursors": settings.cursor_count,
                "fonts": settings.font_count,
                "dialogs": settings.dialog_count or self._new_dialogs(),
                "guis": len(content.gui.guis),
                "audio_clips": len(content.audio_clips),
                "plugins": [plugin.name for plugin in content.plugins],
                "scripts": [name for name, _ in game.scripts()],
                "extensions": [block.id for block in game.blocks.blocks],
            }
        elif game.old is not None:
            old = game.old
            found |= {
                "name": self.shown(old.name.split("\0")[0]),
                "unique_id": old.unique_id,
                "characters": old.character_count,
                "views": old.view_count,
                "inventory": max(0, old.inventory_count - 1),
                "dialogs": old.dialog_count,
                "scripts": [name for name, _ in game.scripts()],
            }
        else:
            found["not_understood"] = game.reason
        found["encoding"] = self.encoding
        return found

    def shown(self, text: str) -> str:
        """A text in the document's encoding."""
        data = text.encode("utf-8", "surrogateescape")
        return data.decode(self.encoding, "replace")

    def _new_dialogs(self) -> int:
        block = self.game.blocks.content("v363_dialogsnew")
        return len(block.dialogs) if block is not None and hasattr(block, "dialogs") else 0

    def tree(self) -> Iterable[Resource]:
        """The things of the game, and its scripts."""
        game = self.game
        yield Resource("game", str(self.info().get("name", "")), GAME_JSON, self.size or None)
        if game.old is not None:
            for kind, name, path in old_game.resources(game.old):
                yield Resource(kind, self.shown(name.split("\0")[0]), path)
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
                yield Resource(kind, self.shown(name.split("\0")[0]), path)
        for path, script in self._scripts():
            yield Resource("script", script.name, path, len(script.code))
        for block in game.blocks.blocks:
            yield Resource("extension", str(block.id), EXTENSIONS_JSON)

    def coverage(self) -> Coverage:
        """How much of the game data was understood."""
        game = self.game
        tally = Tally()
        total = self.size or len(game.to_bytes())
        tally.add_opaque(total - len(game.body), "body", len(game.body), game.reason)
        tally.add_opaque(
            total - len(game.trailing), "trailing", len(game.trailing), "bytes after the end"
        )
        blockfiles.tally_blocks(tally, game.blocks)
        if game.old is not None:
            old_game.tally(tally, game.old)
        content = game.content
        if content is not None:
            for name, script in game.scripts():
                blockfiles.tally_script(tally, script, name)
            for plugin in content.plugins:
                tally.add_opaque(0, f"plugins.{plugin.name}", len(plugin.data), "a plugin's own")
            for index, (code, _) in enumerate(content.dialog_data):
                if dialog_code.disassemble(code) is None:
                    tally.add_opaque(0, f"dialogs[{index}]", len(code), "unknown dialog code")
        return tally.coverage(total)

    def locate(self, offset: int) -> str:
        """The block that an offset lies in."""
        return blockfiles.locate_block(self.game.blocks, offset)

    def declared_encoding(self) -> str | None:
        """The code page of the game's options."""
        settings = self.game.settings
        return None if settings is None else code_page(settings.options[_CODE_PAGE_OPTION])

    def has_foreign_texts(self) -> bool:
        """Whether a text of the game is not UTF-8."""
        content = self.game.content
        if self.game.old is not None:
            shown = plainfiles.show(self.game.old, self.game.version)
            return plainfiles.has_foreign_bytes(shown)
        if content is None:
            return plainfiles.has_foreign_bytes(self.game.header.compiled_with)
        return any(
            plainfiles.has_foreign_bytes(plainfiles.show(content, self.game.version, names))
            for names in GROUPS.values()
        )

    # -- unpacking ---------------------------------------------------------------------------

    def _scripts(self) -> Iterator[tuple[str, Script]]:
        """(path, script) of every script."""
        content = self.game.content
        if content is None:
            return
        if content.global_script is not None:
            yield GLOBAL_SCRIPT, content.global_script
        if content.dialog_script is not None:
            yield DIALOG_SCRIPT, content.dialog_script
        names = FileNames()
        for module in content.script_modules:
            yield f"scripts/modules/{names(module.name)}.asm", module

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked game data."""
        game = self.game
        content = game.content
        yield PlainFile(GAME_JSON, lambda: self.json(self._show_game()), origin="settings")
        if game.old is not None:
            yield from old_game.plain_files(self, game.old)
            return
        if content is None:
            yield PlainFile(BODY, lambda: game.body, origin="body", note=game.reason)
            return
        for path, names in GROUPS.items():
            if path != GAME_JSON and plainfiles.presents(content, game.version, names):
                yield PlainFile(
                    path,
                    lambda names=names: self.json(  # type: ignore[misc]
                        plainfiles.show(content, game.version, names)
                    ),
                    origin=path.removesuffix(".json"),
                )
        yield PlainFile(GUI_JSON, lambda: self.json(self._show_gui()), origin="gui")
        if has_block_list(game.version):
            yield PlainFile(
                EXTENSIONS_JSON, lambda: self.json(self._show_extensions()), origin="extensions"
            )
        yield from blockfiles.opaque_files(game.blocks)
        for path, script in self._scripts():
            yield PlainFile(
                path,
                lambda script=script: disassemble(script, self.encoding).encode(),  # type: ignore[misc]
                origin=f"script {script.name}",
            )

    def _show_game(self) -> dict[str, Any]:
        game = self.game
        shown: dict[str, Any] = {"version": game.version}
        shown |= plainfiles.show(game.header, game.version)
        if game.content is None:
            return shown | {"trailing": game.trailing.hex()} if game.trailing else shown
        shown |= plainfiles.show(game.content, game.version, GROUPS[GAME_JSON])
        shown["script_modules"] = [
            path for path, _ in self._scripts() if path.startswith("scripts/modules/")
        ]
        if game.trailing:
            shown["trailing"] = game.trailing.hex()
        return shown

    def _show_gui(self) -> dict[str, Any]:
        content = self.game.content
        assert content is not None
        return {
            "gui_version": content.gui_version,
            **plainfiles.show(content.gui, content.gui_version),
        }

    def _show_extensions(self) -> dict[str, Any]:
        return {"blocks": blockfiles.show_blocks(self.game.blocks, _nothing_special)}

    # -- packing -----------------------------------------------------------------------------

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the game as its files were changed."""
        self.take_settings(folder.settings)
        game = self.game
        if GAME_JSON in changes:
            self._take_game(self.read_json(folder, GAME_JSON), folder)
        if game.version <= OLD_NEWEST and (game.old is not None or old_game.SETTINGS in folder):
            game.old = old_game.apply(self, game.old or OldGameContent(), folder, changes)
            self.size, self.version = 0, str(game.version)
            return []
        if BODY in folder and (BODY in changes or game.content is None):
            game.body = folder.read(BODY)
            game.content = None
        content = game.content
        self.size = 0
        self.version = str(game.version)
        if content is None:
            return []
        for path, names in GROUPS.items():
            if path != GAME_JSON and path in changes:
                shown = self.read_json(folder, path)
                content = plainfiles.read(
                    GameContent, _only(shown, names, path), game.version, path, base=content
                )
        game.content = content
        if GUI_JSON in changes:
            self._take_gui(content, self.read_json(folder, GUI_JSON))
        if EXTENSIONS_JSON in changes and has_block_list(game.version):
            self._take_extensions(folder)
        self._take_scripts(folder, changes)
        for index, block in enumerate(game.blocks.blocks):
            path = blockfiles.opaque_path(index, block.id)
            if isinstance(block.content, bytes) and path in changes:
                block.content = folder.read(path)
        _count(content)
        return []

    def _take_game(self, shown: dict[str, Any], folder: Folder) -> None:
        game = self.game
        version = shown.pop("version", game.version)
        if not isinstance(version, int) or not 0 < version < 1 << 31:
            raise WorkspaceError(f"{GAME_JSON}: {version!r} can't be a data version")
        game.version = game.blocks.version = version
        modules = shown.pop("script_modules", [])
        try:
            game.trailing = plain_bytes(shown.pop("trailing", ""))
        except FormatError as error:
            raise WorkspaceError(f"{GAME_JSON}: trailing: {error}") from None
        names = GameHeader.__struct_fields__
        header = {name: shown.pop(name) for name in names if name in shown}
        game.header = plainfiles.read(GameHeader, header, version, GAME_JSON, base=game.header)
        if version < OLDEST_DECODED or (game.content is None and game.body):
            return
        base = game.content if game.content is not None else GameContent()
        shown = _only(shown, GROUPS[GAME_JSON], GAME_JSON)
        settings = shown.get("settings")
        content = plainfiles.read(GameContent, shown, version, GAME_JSON, base=base)
        offset = content.settings.extension_offset
        if game.content is None:
            # Built anew: the offset is computed, unless the version leaves it 0.
            game.offset_follows = offset != 0
        elif isinstance(settings, dict):
            same = offset == game.content.settings.extension_offset
            game.offset_follows = game.offset_follows and same
        game.content = content
        self._order_modules(content, modules, folder)

    def _order_modules(self, content: GameContent, paths: Any, folder: Folder) -> None:
        known = dict(self._scripts())
        if not isinstance(paths, list):
            raise WorkspaceError(f"{GAME_JSON}: script_modules must be a list of files")
        content.script_modules = [
            known[path] if path in known else self._assemble(folder, str(path)) for path in paths
        ]

    def _assemble(self, folder: Folder, path: str) -> Script:
        return assemble(plainfiles.read_text(folder, path), name=path, encoding=self.encoding)

    def _take_gui(self, content: GameContent, shown: dict[str, Any]) -> None:
        version = shown.pop("gui_version", content.gui_version)
        if not isinstance(version, int) or not known_version(version):
            raise WorkspaceError(f"{GUI_JSON}: {version!r} is no GUI version")
        content.gui_version = version
        content.gui = plainfiles.read(GuiSection, shown, version, GUI_JSON, base=content.gui)

    def _take_extensions(self, folder: Folder) -> None:
        game = self.game
        shown = self.read_json(folder, EXTENSIONS_JSON)
        game.blocks.version = game.version
        rows = blockfiles.read_blocks_json(
            shown.get("blocks"), game.blocks, BLOCKS, folder, EXTENSIONS_JSON, _no_content
        )
        game.blocks = DecodedBlocks(GAME, game.version, rows)

    def _take_scripts(self, folder: Folder, changes: Mapping[str, Change]) -> None:
        content = self.game.content
        assert content is not None
        paths = dict(self._scripts())
        order = list(paths)
        for path, field in ((GLOBAL_SCRIPT, "global_script"), (DIALOG_SCRIPT, "dialog_script")):
            if path in changes:
                setattr(content, field, self._assemble(folder, path))
        modules = [path for path in order if path.startswith("scripts/modules/")]
        for index, path in enumerate(modules):
            if path in changes:
                content.script_modules[index] = self._assemble(folder, path)


def _nothing_special(block: DecodedBlock) -> None:
    return None


def _no_content(id: object, row: object, before: object) -> None:
    return None


def _only(shown: dict[str, Any], names: tuple[str, ...], path: str) -> dict[str, Any]:
    unknown = set(shown) - set(names)
    if unknown:
        raise WorkspaceError(f"{path} has no field {min(unknown)!r}")
    return shown


def _count(content: GameContent) -> None:
    """Make the counts of the settings fit the lists."""
    settings = content.settings
    settings.character_count = len(content.characters)
    settings.inventory_count = len(content.inventory)
    settings.cursor_count = len(content.cursors)
    settings.view_count = len(content.views) or len(content.old_views)
    settings.font_count = len(content.fonts) or len(content.font_flags)
    settings.dialog_count = len(content.dialogs)
    for dialog, (code, _) in zip(content.dialogs, content.dialog_data, strict=False):
        dialog.code_size = len(code)


def _resolution(kind: int, width: int, height: int) -> str:
    known = {
        0: "320x200",
        1: "320x200",
        2: "320x240",
        3: "640x400",
        4: "640x480",
        5: "800x600",
        6: "1024x768",
        7: "1280x720",
    }
    return known.get(kind, f"{width}x{height}")
