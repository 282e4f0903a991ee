"""Translations, script modules, scripts by themselves and saved games as documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import TRANSLATION, BlockId
from overhaul.ags.fields import Unterminated, plain_bytes
from overhaul.ags.module import ScriptModule, read_module, write_module
from overhaul.ags.properties import TextMap
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble, string_pieces
from overhaul.ags.script.model import Script, read_script
from overhaul.ags.text import decode
from overhaul.ags.translation import (
    BLOCKS,
    DICTIONARY,
    GAME_ID,
    TEXT_OPTIONS,
    DictionaryBlock,
    GameIdBlock,
    NewTextOptionsBlock,
    Pair,
    Translation,
    from_lines,
    to_lines,
)
from overhaul.ags_folder import blockfiles, plainfiles
from overhaul.ags_folder.base import AgsDocument, Tally
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
from overhaul.schema import Record

TRANSLATION_JSON: Final = "translation.json"
DICTIONARY_TRS: Final = "dictionary.trs"
MODULE_JSON: Final = "module.json"
MODULE_SCRIPT: Final = "script.asc"
MODULE_HEADER: Final = "header.ash"
SCRIPT_ASM: Final = "script.asm"
SAVE_BIN: Final = "save.bin"
_RICH_HEADER: Final = b"RGMH"
_SAVE: Final = b"Adventure Game Studio saved game"


class TranslationDocument(AgsDocument):
    """A compiled translation (.tra)."""

    kind = "ags-translation"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.translation = Translation()

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the translation."""
        self.translation = Translation.read(data, source=self.source, strict=self.strict)
        self.warnings += self.translation.blocks.warnings

    def to_bytes(self) -> bytes:
        """The translation, rebuilt from the model."""
        return self.translation.to_bytes()

    def info(self) -> dict[str, object]:
        """The game it is for, and how many texts there are."""
        translation = self.translation
        found: dict[str, object] = {"kind": self.kind, "texts": len(translation.pairs)}
        game = translation.blocks.content(GAME_ID)
        if isinstance(game, GameIdBlock):
            name = game.game_name.encode("utf-8", "surrogateescape")
            found |= {"game": name.decode(self.encoding, "replace"), "unique_id": game.unique_id}
        found["translated"] = sum(1 for pair in translation.pairs if pair.text)
        found["encoding"] = self.encoding
        return found

    def tree(self) -> Iterable[Resource]:
        """The dictionary and the options."""
        yield Resource("options", "translation", TRANSLATION_JSON)
        if self._lines() is not None:
            yield Resource("dictionary", "texts", DICTIONARY_TRS)

    def coverage(self) -> Coverage:
        """How much of the translation was understood."""
        tally = Tally()
        blockfiles.tally_blocks(tally, self.translation.blocks)
        total = self.size or len(self.to_bytes())
        trailing = self.translation.trailing
        if any(trailing):
            tally.add_opaque(total - len(trailing), "trailing", len(trailing), "unknown")
        return tally.coverage(total)

    def locate(self, offset: int) -> str:
        """The block that an offset lies in."""
        return blockfiles.locate_block(self.translation.blocks, offset)

    def declared_encoding(self) -> str | None:
        """The encoding that the options name."""
        options = self.translation.blocks.content("ext_sopts")
        if isinstance(options, TextMap):
            for entry in options.entries:
                if entry.key == "encoding" and entry.value.upper() == "UTF-8":
                    return plainfiles.UTF_8
        return None

    def has_foreign_texts(self) -> bool:
        """Whether a text is not UTF-8."""
        return any(
            plainfiles.has_foreign_bytes([str(pair.source), str(pair.text)])
            for pair in self.translation.pairs
        )

    # -- the folder --------------------------------------------------------------------------

    def _lines(self) -> str | None:
        """The dictionary as lines, where that keeps all of it."""
        pairs = self.translation.pairs
        if any(
            isinstance(text, Unterminated) and text for p in pairs for text in (p.source, p.text)
        ):
            return None
        lines = to_lines(pairs)
        if lines is None:
            return None
        try:
            recoded = lines.encode("utf-8", "surrogateescape").decode(self.encoding)
            again = recoded.encode(self.encoding)
        except UnicodeError:
            return None
        return recoded if again == lines.encode("utf-8", "surrogateescape") else None

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked translation."""
        yield PlainFile(TRANSLATION_JSON, lambda: self.json(self._show()), origin="blocks")
        lines = self._lines()
        if lines is not None:
            yield PlainFile(DICTIONARY_TRS, lambda: lines.encode(), origin=f"block {DICTIONARY}")
        yield from blockfiles.opaque_files(self.translation.blocks)

    def _show(self) -> dict[str, Any]:
        by_lines = self._lines() is not None

        def special(block: DecodedBlock) -> dict[str, Any] | None:
            if block.id == DICTIONARY and isinstance(block.content, DictionaryBlock) and by_lines:
                last = block.content.pairs[-1].source
                return {
                    "file": DICTIONARY_TRS,
                    "empty_texts": "no bytes" if isinstance(last, Unterminated) else "a NUL",
                }
            return None

        translation = self.translation
        shown: dict[str, Any] = {
            "blocks": blockfiles.show_blocks(translation.blocks, special),
            "trailing": translation.trailing.hex(),
        }
        return shown | {"short_id": True} if translation.short_id else shown

    def _has_lines(self, folder: Folder) -> bool:
        """Whether the dictionary is taken from lines; without the file it must stand in JSON."""
        return DICTIONARY_TRS in folder or self._lines() is not None

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the translation as its files were changed."""
        self.take_settings(folder.settings)
        translation = self.translation
        if TRANSLATION_JSON in changes:
            shown = self.read_json(folder, TRANSLATION_JSON)
            try:
                translation.trailing = plain_bytes(shown.get("trailing", "00000000"))
            except FormatError as error:
                raise WorkspaceError(f"{TRANSLATION_JSON}: trailing: {error}") from None
            translation.short_id = shown.get("short_id") is True
            records: dict[BlockId, type[Record]] = dict(BLOCKS)
            if _has_flags(shown):
                records[TEXT_OPTIONS] = NewTextOptionsBlock
            rows = blockfiles.read_blocks_json(
                shown.get("blocks"),
                translation.blocks,
                records,
                folder,
                TRANSLATION_JSON,
                _special_dictionary,
            )
            translation.blocks = DecodedBlocks(TRANSLATION, None, rows)
        if DICTIONARY_TRS in changes and self._has_lines(folder):
            text = folder.read(DICTIONARY_TRS)
            try:
                stored = text.decode("utf-8-sig").encode(self.encoding)
            except UnicodeError as error:
                raise WorkspaceError(f"{DICTIONARY_TRS}: {error}") from None
            translation.set_pairs(from_lines(decode(stored)))
        self.size = 0
        return []


def _has_flags(shown: dict[str, Any]) -> bool:
    rows = shown.get("blocks")
    if not isinstance(rows, list):
        return False
    return any(
        isinstance(row, dict)
        and row.get("id") == TEXT_OPTIONS
        and isinstance(row.get("fields"), dict)
        and "flags" in row["fields"]
        for row in rows
    )


def _special_dictionary(id: BlockId, row: dict[str, Any], before: Content | None) -> Content | None:
    if id != DICTIONARY or row.get("file") != DICTIONARY_TRS:
        return None
    if isinstance(before, DictionaryBlock):
        return before
    empty = Unterminated("") if row.get("empty_texts") == "no bytes" else ""
    return DictionaryBlock([Pair(empty, empty)])


class ModuleDocument(AgsDocument):
    """A script module (.scm)."""

    kind = "ags-module"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.module = ScriptModule()
        self.trailing = b""

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the module."""
        self.module, end = read_module(data, source=self.source)
        self.trailing = bytes(data[end:])
        self.version = str(self.module.format)

    def to_bytes(self) -> bytes:
        """The module, rebuilt from the model."""
        return write_module(self.module) + self.trailing

    def info(self) -> dict[str, object]:
        """What the module says of itself."""
        module = self.module
        names = ("name", "module_version", "author", "description")
        return {
            "kind": self.kind,
            **{name: getattr(module, name) for name in names},
            "unique_key": module.unique_key,
            "code_page": module.trailer[0],
            "script_bytes": len(module.script),
            "header_bytes": len(module.header),
        }

    def tree(self) -> Iterable[Resource]:
        """The script and its header."""
        yield Resource("module", self.module.name, MODULE_JSON)
        yield Resource("script", self.module.name, MODULE_SCRIPT, len(self.module.script))
        yield Resource("header", self.module.name, MODULE_HEADER, len(self.module.header))

    def coverage(self) -> Coverage:
        """All is decoded but bytes after the end."""
        tally = Tally()
        total = self.size or len(self.to_bytes())
        rest = len(self.trailing)
        tally.add_opaque(total - rest, "trailing", rest, "bytes after the module")
        return tally.coverage(total)

    def has_foreign_texts(self) -> bool:
        """Whether a text is not UTF-8."""
        return plainfiles.has_foreign_bytes(self._show())

    def _show(self) -> dict[str, Any]:
        names = [
            name
            for name in ScriptModule.__struct_fields__
            if name not in ("script", "header", "trailer")
        ]
        code_page, ended = self.module.trailer
        shown = plainfiles.show(self.module, None, names)
        shown |= {"code_page": code_page, "end_mark": ended}
        return shown | {"trailing": self.trailing.hex()} if self.trailing else shown

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked module."""
        module = self.module
        yield PlainFile(MODULE_JSON, lambda: self.json(self._show()), origin="module")
        yield PlainFile(MODULE_SCRIPT, lambda: module.script, origin="script")
        yield PlainFile(MODULE_HEADER, lambda: module.header, origin="header")

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the module as its files were changed."""
        self.take_settings(folder.settings)
        if MODULE_JSON in changes:
            shown = self.read_json(folder, MODULE_JSON)
            code_page, ended = shown.pop("code_page", None), shown.pop("end_mark", True)
            if not isinstance(code_page, int | None):
                raise WorkspaceError(f"{MODULE_JSON}: code_page must be a number or null")
            try:
                self.trailing = plain_bytes(shown.pop("trailing", ""))
            except FormatError as error:
                raise WorkspaceError(f"{MODULE_JSON}: trailing: {error}") from None
            self.module = plainfiles.read(ScriptModule, shown, None, MODULE_JSON, base=self.module)
            self.module.trailer = (code_page, bool(ended))
        if MODULE_SCRIPT in changes:
            self.module.script = folder.read(MODULE_SCRIPT)
        if MODULE_HEADER in changes:
            self.module.header = folder.read(MODULE_HEADER)
        self.size = 0
        return []


class ScriptDocument(AgsDocument):
    """A compiled script by itself."""

    kind = "ags-script"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.script = Script()
        self.trailing = b""

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the script."""
        try:
            self.script, end = read_script(bytes(data))
        except FormatError as error:
            error.source = self.source
            raise
        self.trailing = bytes(data[end:])
        self.version = str(self.script.version)

    def to_bytes(self) -> bytes:
        """The script, rebuilt from the model."""
        return self.script.to_bytes() + self.trailing

    def settings(self) -> dict[str, object]:
        """None: assembly escapes what is not UTF-8."""
        return {}

    def info(self) -> dict[str, object]:
        """The sizes of the script's sections."""
        script = self.script
        return {
            "kind": self.kind,
            "script_version": script.version,
            "name": script.name,
            "words": len(script.code) // 4,
            "strings": sum(1 for _ in string_pieces(script.strings)),
            "imports": sum(1 for name in script.imports if name),
            "exports": [export.name for export in script.exports],
        }

    def tree(self) -> Iterable[Resource]:
        """The script alone."""
        yield Resource("script", self.script.name, SCRIPT_ASM, self.size or None)

    def coverage(self) -> Coverage:
        """All is decoded but tables of types and bytes after the end."""
        tally = Tally()
        total = self.size or len(self.to_bytes())
        blockfiles.tally_script(tally, self.script, "script")
        rest = len(self.trailing)
        tally.add_opaque(total - rest, "trailing", rest, "bytes after the script")
        return tally.coverage(total)

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The assembly."""
        yield PlainFile(SCRIPT_ASM, lambda: disassemble(self.script).encode(), origin="script")
        if self.trailing:
            yield PlainFile("trailing.bin", lambda: self.trailing, origin="trailing")

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Assemble the script again."""
        if SCRIPT_ASM in changes:
            self.script = assemble(plainfiles.read_text(folder, SCRIPT_ASM), name=SCRIPT_ASM)
            self.version = str(self.script.version)
        if "trailing.bin" in changes and "trailing.bin" in folder:
            self.trailing = folder.read("trailing.bin")
        self.size = 0
        return []


def _describe_new(data: bytes, position: int) -> dict[str, object]:
    """What a save of generation 2 says of itself; nothing where it reads otherwise.

    A version (i32), from 3.5.1 on the size of the description (u32), then texts behind their
    lengths: engine, engine version, game's id, title, main file.
    """
    names = ("engine", "engine_version", "game_id", "game", "main_file")
    version = int.from_bytes(data[position : position + 4], "little")
    for start in (position + 4, position + 8):
        found: dict[str, object] = {"save_version": version}
        at = start
        for name in names:
            length = int.from_bytes(data[at : at + 4], "little")
            text = data[at + 4 : at + 4 + length].decode("utf-8", "replace")
            if length > 512 or at + 4 + length > len(data) or not text.isprintable():
                break
            found[name] = text
            at += 4 + length
        else:
            return found
    return {"save_version": version}


class SaveDocument(AgsDocument):
    """A saved game: recognised and described; its contents belong to the running engine."""

    kind = "ags-save"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.data: bytes = b""

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Keep the bytes, and find the signature."""
        self.data = bytes(data)
        if self.data.find(_SAVE) < 0:
            raise FormatError(
                "a saved game has its signature after the picture", source=self.source, offset=0
            )

    def to_bytes(self) -> bytes:
        """The saved game, as it was."""
        return self.data

    def settings(self) -> dict[str, object]:
        """None: nothing in it is shown as text."""
        return {}

    def info(self) -> dict[str, object]:
        """What the save tells before its contents."""
        start = self.data.find(_SAVE)
        after = start + len(_SAVE)
        new = self.data[after : after + 3] == b" v2"
        found: dict[str, object] = {
            "kind": self.kind,
            "generation": 2 if new else 1,
            "explorer_header": start > 0,
        }
        if new:
            return found | _describe_new(self.data, after + 3)
        # Generation 1: the player's words follow at once, then the version.
        text, ended, rest = self.data[after : after + 1024].partition(b"\0")
        if ended:
            found["description"] = text.decode("utf-8", "replace")
            found["save_version"] = int.from_bytes(rest[:4], "little")
        return found

    def tree(self) -> Iterable[Resource]:
        """The save alone."""
        yield Resource("save", "saved game", SAVE_BIN, len(self.data))

    def coverage(self) -> Coverage:
        """Only the signature is understood."""
        tally = Tally()
        tally.add_opaque(len(_SAVE), "save", len(self.data) - len(_SAVE), "the engine's state")
        return tally.coverage(len(self.data))

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The save as it is."""
        yield PlainFile(SAVE_BIN, lambda: self.data, origin="save")

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Take the save from its file."""
        if SAVE_BIN in changes:
            self.data = folder.read(SAVE_BIN)
        return []
