"""Game data as a model: header, standard part, extension blocks."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.blockdata import DecodedBlocks, decode_blocks
from overhaul.ags.blocks import GAME, BlockId, read_blocks
from overhaul.ags.detect import GAME as SIGNATURE
from overhaul.ags.fields import new_reader, record_bytes
from overhaul.ags.game import kinds
from overhaul.ags.game.dialogs import HasCode
from overhaul.ags.game.extensions import BLOCKS, DialogsBlock, NamesBlock
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import (
    GameContent,
    GameHeader,
    GameSettings,
    has_block_list,
)
from overhaul.ags.parallel import MAIN, Tables
from overhaul.ags.pictures import expand_palette
from overhaul.ags.script.model import Script
from overhaul.ags.text import decode
from overhaul.ags.versions import (
    GAME_EIGHT_BIT_PALETTES,
    GAME_NEWEST,
    GAME_NEWEST_SMALL,
    GAME_OLDEST_DECODED,
    GAME_OLDEST_SMALL,
)
from overhaul.errors import FormatError, UnsupportedVersion
from overhaul.findings import Findings
from overhaul.schema import Record, codec_for
from overhaul.schema.record import short_repr

#: The names that game data has in a package.
GAME_FILES: Final = ("game28.dta", "ac2game.dta")
_COUNTS: Final = {
    "character_count": ("characters",),
    "inventory_count": ("inventory",),
    "cursor_count": ("cursors",),
    "view_count": ("views", "old_views"),
    "font_count": ("fonts", "font_flags"),
    "dialog_count": ("dialogs",),
}
"""The counts in the settings, and the lists whose length each may be."""
COUNTS: Final = (*_COUNTS, "gui_count")
"""The fields of the settings that follow from lists."""


def is_decoded(version: int) -> bool:
    """Whether more than the header is read of games of this data version."""
    return GAME_OLDEST_SMALL <= version <= GAME_NEWEST_SMALL or version >= GAME_OLDEST_DECODED


@dataclass(slots=True)
class Game:
    """Game data: ``content``, or ``old`` for data versions up to 12.

    Where both are None, ``body`` are the bytes after the header (``reason`` says why). ``uneven``
    are lists whose length was wrong when they were read.  ``version`` is the data version,
    ``blocks`` are the extension blocks, ``trailing`` the bytes behind them; ``offset_follows``: the
    offset of the blocks is stored before them.  ``findings`` are what reading found.
    """

    __repr__ = short_repr

    version: int = 50
    header: GameHeader = field(default_factory=GameHeader)
    content: GameContent | None = None
    old: OldGameContent | None = None
    blocks: DecodedBlocks = field(default_factory=lambda: DecodedBlocks(GAME))
    body: bytes = b""
    reason: str = ""
    trailing: bytes = b""
    offset_follows: bool = False
    uneven: set[str] = field(default_factory=set)
    findings: Findings = field(default_factory=Findings)

    @classmethod
    def read(
        cls, data: bytes | memoryview, *, source: str | None = None, strict: bool = False
    ) -> Game:
        """The game in ``data``.  Raises FormatError, UnsupportedVersion."""
        game = cls()
        position = game.read_header(data, source)
        if not is_decoded(game.version):
            game.body = bytes(data[position:])
            game.reason = "no file of this data version is known"
            return game
        try:
            if game.version <= GAME_NEWEST_SMALL:
                game._read_old(bytes(data), position, source)
            else:
                game._read_content(bytes(data), position, source, strict)
        except FormatError as error:
            error.source = source
            if strict:
                raise
            then = "; everything after the header is kept as bytes"
            game.findings.append(error.as_warning("kept-as-bytes", then))
            game.content, game.old, game.body = None, None, bytes(data[position:])
            game.reason = f"does not parse: {error.message}"
        return game

    def read_header(self, data: bytes | memoryview, source: str | None = None) -> int:
        """Read the header; return the position after it."""
        start = len(SIGNATURE)
        if bytes(data[:start]) != SIGNATURE:
            raise FormatError("not game data: the signature is missing", source=source, offset=0)
        reader = new_reader(source=source)
        if len(data) < start + 4:
            raise reader.truncated(data, start)
        self.version = int.from_bytes(data[start : start + 4], "little", signed=True)
        if not 0 < self.version <= GAME_NEWEST:
            raise UnsupportedVersion(
                f"unknown data version {self.version}", source=source, offset=start
            )
        self.header, position = codec_for(GameHeader, self.version).read(data, start + 4, reader)
        return position

    def _read_old(self, data: bytes, position: int, source: str | None) -> None:
        reader = new_reader(self.version, source)
        self.old, end = codec_for(OldGameContent, self.version).read(data[position:], 0, reader)
        self.trailing = data[position + end :]

    def _read_content(self, data: bytes, position: int, source: str | None, strict: bool) -> None:
        reader = new_reader(self.version, source)
        self.content, position = codec_for(GameContent, self.version).read(data, position, reader)
        if not has_block_list(self.version):
            self.trailing = data[position:]
            return
        blocks = read_blocks(data, GAME, position)
        self.offset_follows = self.content.settings.extension_offset == position
        self.blocks = decode_blocks(
            blocks, position, self.version, BLOCKS, strict=strict, source=source
        )
        self.trailing = data[position + blocks.size :]
        self._fold_names()
        self.findings += self.blocks.findings
        self.uneven = self.tables().uneven()
        if self.content.settings.gui_count != len(self.content.gui.guis):
            self.uneven.add("gui_count")

    def _fold_names(self) -> None:
        """Give things their full names; a block that does not fit the game is kept as bytes."""
        block = self.blocks.get(kinds.BLOCK)
        if block is None or not isinstance(block.content, NamesBlock) or self.content is None:
            return
        try:
            kinds.fold(self.content, block.content)
        except FormatError as error:
            block.content = record_bytes(block.content, self.version)
            block.reason = f"does not fit the game: {error.message}"
            self.blocks.findings.warn("kept-as-bytes", block.reason, f"block {kinds.BLOCK!r}")

    def to_bytes(self) -> bytes:
        """The game data as stored in a file."""
        version = self.version
        head = SIGNATURE + version.to_bytes(4, "little", signed=True)
        head += record_bytes(self.header, version)
        if self.old is not None:
            return head + record_bytes(self.old, version) + self.trailing
        if self.content is None:
            return head + self.body
        self.recompute_counts()
        self.tables().check(self.uneven)
        if not has_block_list(version):
            return head + record_bytes(self.content, version) + self.trailing
        if self.blocks.get(kinds.BLOCK) is None:
            kinds.check(self.content)
        stored, blocks = self.content, self.blocks.to_list()
        for place, block in enumerate(self.blocks.blocks):
            if isinstance(block.content, NamesBlock) and block is self.blocks.get(kinds.BLOCK):
                stored, full = kinds.unfold(self.content)
                blocks.blocks[place] = dataclasses.replace(block, content=full).encode(version)
        content = record_bytes(stored, version)
        offset = len(head) + len(content)
        if self.offset_follows and stored.settings.extension_offset != offset:
            self.content.settings.extension_offset = stored.settings.extension_offset = offset
            content = record_bytes(stored, version)
        return head + content + blocks.to_bytes() + self.trailing

    def tables(self) -> Tables:
        """The things of the game, each with all that is stored of it."""
        if self.old is not None:
            return Tables((kinds.DIALOGS,), {MAIN: (self.old, self.version)})
        content = self.content
        if content is None:
            return Tables((), {})
        records: dict[BlockId, tuple[Record, int]] = {
            MAIN: (content, self.version),
            kinds.GUI: (content.gui, content.gui_version),
        }
        new = self.blocks.find(kinds.NEW_DIALOGS_BLOCK, DialogsBlock)
        dialogs = kinds.DIALOGS if new is None or content.dialogs else kinds.NEW_DIALOGS
        return Tables((*kinds.KINDS, dialogs), records, self.blocks)

    def recompute_counts(self) -> None:
        """Recompute the counts, and the sizes of dialogs' code, from the lists."""
        content = self.content or self.old
        if content is None:
            return
        # From 3.1 on dialogs have no code of their own, and old sizes stay.
        dialogs: Iterable[HasCode] = content.dialogs
        for dialog, (code, _) in zip(dialogs, content.dialog_data, strict=False):
            dialog.code_size = len(code)
        if isinstance(content, GameContent):
            for count, lists in _COUNTS.items():
                found = max(len(getattr(content, name)) for name in lists)
                if found != max(0, getattr(content.settings, count)):
                    setattr(content.settings, count, found)
            if "gui_count" not in self.uneven:
                content.settings.gui_count = len(content.gui.guis)

    @property
    def settings(self) -> GameSettings | None:
        """The base structure, or None where the game is kept as bytes."""
        return None if self.content is None else self.content.settings

    def scripts(self) -> list[tuple[str, Script]]:
        """(name, script) of each compiled script: global, dialogs, modules."""
        content = self.content
        if self.old is not None and isinstance(self.old.compiled_script, Script):
            return [("GlobalScript", self.old.compiled_script)]
        if content is None:
            return []
        scripts: list[tuple[str, Script]] = []
        if content.global_script is not None:
            scripts.append(("GlobalScript", content.global_script))
        if content.dialog_script is not None:
            scripts.append(("DialogScripts", content.dialog_script))
        scripts += [(module.name, module) for module in content.script_modules or []]
        return scripts


def read_summary(data: bytes | memoryview) -> tuple[str, str] | None:
    """(name, compiler) of game data, reading no more than that; None if it can't be read."""
    game = Game()
    try:
        position = game.read_header(data)
        if GAME_NEWEST_SMALL < game.version < GAME_OLDEST_DECODED:
            return None
        name = bytes(data[position : position + (30 if game.version <= GAME_NEWEST_SMALL else 50)])
    except FormatError:
        return None
    return decode(name.split(b"\0", 1)[0]), game.header.compiled_with


def read_palette(data: bytes | memoryview) -> bytes | None:
    """The palette of game data as 256 triples of 8-bit r, g, b; None if it can't be read."""
    colours = read_colours(data)
    return None if colours is None else colours[0]


def read_colours(data: bytes | memoryview) -> tuple[bytes, bytes] | None:
    """The palette of game data as 256 triples of 8-bit r, g, b, and what each colour is for.

    The uses are 0 game-wide, 1 locked, 2 a colour of the room.  None if they can't be read.
    """
    game = Game()
    try:
        position = game.read_header(data)
        if game.version < GAME_OLDEST_DECODED:
            old = Game.read(data).old
            return None if old is None else (_triples(old.palette, 6), old.palette_uses)
        reader = new_reader(game.version)
        settings, _ = codec_for(GameSettings, game.version).read(data, position, reader)
    except FormatError:
        return None
    bits = 8 if game.version >= GAME_EIGHT_BIT_PALETTES else 6
    return _triples(settings.palette, bits), settings.palette_uses


def read_sprite_flags(data: bytes | memoryview) -> bytes:
    """The flags of the sprites in game data, by slot; empty if they can't be read."""
    try:
        game = Game.read(data)
    except FormatError:
        return b""
    if game.old is not None:
        return game.old.sprite_flags + game.old.more_sprite_flags
    return b"" if game.content is None else game.content.sprite_flags


def _triples(palette: bytes, bits: int) -> bytes:
    return expand_palette(bytes(byte for i, byte in enumerate(palette) if i % 4 != 3), bits)
