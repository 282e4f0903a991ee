"""A room as a document: room.json, backgrounds and masks as PNG, scripts as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from overhaul.ags import pictures
from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import BlockId
from overhaul.ags.fields import new_reader, new_writer, plain_bytes
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import TextMap
from overhaul.ags.room.pictures import LzwPicture, Mask
from overhaul.ags.room.records import (
    BLOCK_NAMES,
    BLOCKS,
    SCRIPT_BLOCK,
    AnimatedBackgrounds,
    MainBlock,
    SourceText,
)
from overhaul.ags.room.room import Room, block_format
from overhaul.ags.script.model import Script
from overhaul.ags_folder import blockfiles, plainfiles
from overhaul.ags_folder.base import AgsDocument, Tally, code_page
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
from overhaul.schema import codec_for

if TYPE_CHECKING:
    from PIL.Image import Image

ROOM_JSON = "room.json"
SCRIPT = "script.asm"
SOURCE = "script.asc"
_PICTURES = ("background", "old_background")
_MASK_FIELDS = ("region_mask", "walkable_mask", "walk_behind_mask", "hotspot_mask")
_ANIMATION_BLOCK, _SOURCE_BLOCK = 6, 2

#: Colours that keep the areas of a mask apart; area 0 is nothing.
_AREA_COLOURS = bytes(
    value
    for area in range(256)
    for value in (
        (0, 0, 0)
        if area == 0
        else ((area * 67 + 60) % 256, (area * 151 + 30) % 256, (area * 211 + 90) % 256)
    )
)


def background_path(index: int) -> str:
    """The file of a background."""
    return "background.png" if index == 0 else f"background_{index}.png"


def mask_path(field: str) -> str:
    """The file of a mask."""
    return f"masks/{field.removesuffix('_mask')}.png"


class RoomDocument(AgsDocument):
    """A room (.crm)."""

    kind = "ags-room"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.room = Room()

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the room."""
        self.room = Room.read(data, source=self.source, strict=self.strict)
        self.version = str(self.room.version)
        self.warnings += self.room.blocks.warnings

    def to_bytes(self) -> bytes:
        """The room, rebuilt from the model."""
        return self.room.to_bytes()

    # -- looking -----------------------------------------------------------------------------

    def info(self) -> dict[str, object]:
        """The room's version, size and contents."""
        room = self.room
        found: dict[str, object] = {"kind": self.kind, "room_version": room.version}
        if room.compiled_with:
            found["compiled_with"] = room.compiled_with
        main = room.main
        if main is not None:
            found |= {
                "width": main.width,
                "height": main.height,
                "bytes_per_pixel": room.depth,
                "backgrounds": len(room.backgrounds()) or 1,
                "hotspots": len(main.hotspot_names),
                "objects": len(main.objects),
                "regions": main.region_count,
                "messages": len(main.messages),
            }
        if room.script is not None:
            found["script_version"] = room.script.version
            found["script_words"] = len(room.script.code) // 4
        found["blocks"] = [block.id for block in room.blocks.blocks]
        found["encoding"] = self.encoding
        return found

    def tree(self) -> Iterable[Resource]:
        """The pictures, the scripts and the objects."""
        room = self.room
        yield Resource("room", self.version, ROOM_JSON, self.size or None)
        if room.old_background is not None:
            packed = len(room.old_background.packed)
            yield Resource("background", "0", background_path(0), packed)
        for index, picture in enumerate(room.backgrounds()):
            path = background_path(index)
            yield Resource("background", str(index), path, len(picture.packed))
        for name, mask in room.masks():
            yield Resource("mask", name, mask_path(name), len(mask.packed))
        if room.script is not None:
            yield Resource("script", room.script.name, SCRIPT, len(room.script.code))
        if isinstance(room.blocks.content(_SOURCE_BLOCK), SourceText):
            yield Resource("source", "script source", SOURCE)
        for index, block in enumerate(room.blocks.blocks):
            if isinstance(block.content, bytes):
                path = blockfiles.opaque_path(index, block.id)
                yield Resource("block", str(block.id), path, len(block.content))

    def coverage(self) -> Coverage:
        """How much of the room was understood; pictures are media where they unpack."""
        tally = Tally()
        room = self.room
        blockfiles.tally_blocks(tally, room.blocks)
        tally.add_opaque(0, "trailing", len(room.trailing), "bytes after the blocks")
        for index, picture in enumerate(room.backgrounds()):
            try:
                picture.pixels(room.depth)
                tally.media += len(picture.packed)
            except FormatError as error:
                tally.add_opaque(
                    0, f"backgrounds[{index}]", len(picture.packed), f"broken: {error.message}"
                )
        tally.media += sum(len(mask.packed) for _, mask in room.masks())
        if room.old_background is not None:
            tally.media += len(room.old_background.packed)
        return tally.coverage(self.size or len(room.to_bytes()))

    def locate(self, offset: int) -> str:
        """The block that an offset lies in."""
        return blockfiles.locate_block(self.room.blocks, offset)

    def declared_encoding(self) -> str | None:
        """The code page that the room's options name."""
        options = self.room.blocks.content("ext_sopts")
        if isinstance(options, TextMap):
            for entry in options.entries:
                if entry.key == "textencoding":
                    return code_page(entry.value)
        return None

    def has_foreign_texts(self) -> bool:
        """Whether a text of the room is not UTF-8."""
        return plainfiles.has_foreign_bytes(self._show())

    # -- unpacking ---------------------------------------------------------------------------

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked room."""
        room = self.room
        yield PlainFile(ROOM_JSON, lambda: self.json(self._show()), origin="room")
        old = room.old_background
        if old is not None:
            yield PlainFile(
                background_path(0),
                lambda: plainfiles.png_bytes(
                    pictures.to_image(old.pixels(), pictures.expand_palette(old.palette))
                ),
                origin="block 1.old_background",
            )
        for index, picture in enumerate(room.backgrounds()):
            yield self._background_file(index, picture, options)
        for name, mask in room.masks():
            yield PlainFile(
                mask_path(name),
                lambda mask=mask: plainfiles.png_bytes(  # type: ignore[misc]
                    pictures.to_image(mask.pixels(), _AREA_COLOURS)
                ),
                origin=f"block 1.{name}_mask",
            )
        script = room.script
        if script is not None:
            yield PlainFile(
                SCRIPT, lambda: _assembly(script, self.encoding), origin=f"block {SCRIPT_BLOCK}"
            )
        source = room.blocks.content(_SOURCE_BLOCK)
        if isinstance(source, SourceText):
            yield PlainFile(SOURCE, lambda: source.text, origin=f"block {_SOURCE_BLOCK}")
        yield from blockfiles.opaque_files(room.blocks)

    def _background_file(
        self, index: int, picture: LzwPicture, options: UnpackOptions
    ) -> PlainFile:
        path = background_path(index)
        origin = f"backgrounds[{index}]"
        if options.wants(path):
            try:
                pixels = picture.pixels(self.room.depth)
            except FormatError as error:
                return PlainFile(
                    path.replace(".png", ".bin"),
                    lambda: _record_bytes(picture),
                    origin=origin,
                    note=f"broken: {error.message}",
                )
            return PlainFile(path, lambda: self._png(pixels, picture), origin=origin)
        return PlainFile(
            path, lambda: self._png(picture.pixels(self.room.depth), picture), origin=origin
        )

    def _png(self, pixels: Pixels, picture: LzwPicture) -> bytes:
        palette = self._shown_palette(picture) if pixels.depth == 1 else None
        return plainfiles.png_bytes(pictures.to_image(pixels, palette))

    def _shown_palette(self, picture: LzwPicture) -> bytes:
        """The palette as 8-bit r, g, b."""
        triples = bytes(byte for i, byte in enumerate(picture.palette) if i % 4 != 3)
        return pictures.expand_palette(triples, self.room.palette_bits)

    def _show(self) -> dict[str, Any]:
        room = self.room
        shown: dict[str, Any] = {"version": room.version}
        if room.compiled_with:
            shown["compiled_with"] = room.compiled_with
        shown["blocks"] = blockfiles.show_blocks(room.blocks, self._show_block, BLOCK_NAMES)
        if room.trailing:
            shown["trailing"] = room.trailing.hex()
        return shown

    def _show_block(self, block: DecodedBlock) -> dict[str, Any] | None:
        content = block.content
        if isinstance(content, Script):
            return {"file": SCRIPT}
        if isinstance(content, SourceText):
            return {"file": SOURCE}
        if isinstance(content, MainBlock):
            skip = {*_PICTURES, *_MASK_FIELDS}
            names = [name for name in MainBlock.__struct_fields__ if name not in skip]
            fields = plainfiles.show(content, self.room.version, names)
            old = self.room.old_background
            fields["background"] = (
                self._show_picture(content.background)
                if old is None
                else {"palette": old.palette.hex()}
            )
            for name, mask in self.room.masks():
                if any(mask.palette):
                    fields[f"{name}_mask"] = {"palette": mask.palette.hex()}
            return {"fields": fields}
        if isinstance(content, AnimatedBackgrounds):
            names = [name for name in AnimatedBackgrounds.__struct_fields__ if name != "frames"]
            fields = plainfiles.show(content, self.room.version, names)
            fields["frames"] = [self._show_picture(frame) for frame in content.frames]
            return {"fields": fields}
        return None

    def _show_picture(self, picture: LzwPicture) -> dict[str, Any]:
        shown: dict[str, Any] = {"palette": picture.palette.hex()}
        if self.room.depth == 4:
            try:
                alpha = picture.pixels(4).uniform_alpha
            except FormatError:
                return shown
            if alpha is not None:
                shown["alpha"] = alpha
        return shown

    # -- packing -----------------------------------------------------------------------------

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the room as its files were changed."""
        self.take_settings(folder.settings)
        reader = _RoomReader(self.room, folder, changes, self)
        if ROOM_JSON in changes:
            reader.take_json(self.read_json(folder, ROOM_JSON))
        reader.take_files()
        self.version = str(self.room.version)
        self.size = 0
        return reader.warnings


class _RoomReader:
    """Takes a room from its files."""

    def __init__(
        self, room: Room, folder: Folder, changes: Mapping[str, Change], document: RoomDocument
    ) -> None:
        self.room = room
        self.folder = folder
        self.changes = changes
        self.document = document
        self.warnings: list[str] = []
        self.alphas: dict[int, int] = {}
        self.new: set[int] = set()

    def take_json(self, shown: dict[str, Any]) -> None:
        """Take room.json: the header, and the blocks in its order."""
        room = self.room
        version = shown.get("version", room.version)
        if not isinstance(version, int) or not 2 <= version < 1 << 31:
            raise WorkspaceError(f"{ROOM_JSON}: {version!r} can't be a room version")
        room.version = version
        room.compiled_with = str(shown.get("compiled_with", ""))
        try:
            room.trailing = plain_bytes(shown.get("trailing", ""))
        except FormatError as error:
            raise WorkspaceError(f"{ROOM_JSON}: trailing: {error}") from None
        old = room.blocks
        old.version = version
        blocks = DecodedBlocks(block_format(version), version)
        blocks.blocks = blockfiles.read_blocks_json(
            shown.get("blocks"), old, BLOCKS, self.folder, ROOM_JSON, self._special
        )
        room.blocks = blocks

    def _special(self, id: BlockId, row: dict[str, Any], before: Content | None) -> Content | None:
        if id == SCRIPT_BLOCK and row.get("file") == SCRIPT:
            return (
                before
                if isinstance(before, Script)
                else _script(self.folder, self.document.encoding)
            )
        if id == _SOURCE_BLOCK and row.get("file") == SOURCE:
            return before if isinstance(before, SourceText) else SourceText()
        if id == 1 and "fields" in row:
            return self._main(row["fields"], before)
        if id == _ANIMATION_BLOCK and "fields" in row:
            return self._frames(row["fields"], before)
        return None

    def _main(self, fields: Any, before: Content | None) -> MainBlock:
        if not isinstance(fields, dict):
            raise WorkspaceError(f"{ROOM_JSON}: the fields of the main block must be an object")
        skip = (*_PICTURES, *_MASK_FIELDS)
        rest = {key: value for key, value in fields.items() if key not in skip}
        base = before if isinstance(before, MainBlock) else None
        place = f"{ROOM_JSON}: main block"
        main = plainfiles.read(MainBlock, rest, self.room.version, place, base=base)
        if base is None:
            main.background, main.old_background = LzwPicture(), Mask()
            self.new.add(0)
            for name in _MASK_FIELDS:
                setattr(main, name, Mask())
        own = fields.get("background")
        if not self.room.undivided:
            self._picture(main.background, own, 0)
        elif isinstance(own, dict) and "palette" in own:
            main.old_background.palette = _palette(own["palette"], 768, background_path(0))
        for name in _MASK_FIELDS:
            own = fields.get(name)
            if isinstance(own, dict) and "palette" in own:
                getattr(main, name).palette = _palette(own["palette"], 768, name)
        return main

    def _frames(self, fields: Any, before: Content | None) -> AnimatedBackgrounds:
        shown = fields.get("frames", []) if isinstance(fields, dict) else None
        if not isinstance(shown, list):
            raise WorkspaceError(f"{ROOM_JSON}: frames must be a list")
        rest = {key: value for key, value in fields.items() if key != "frames"}
        base = before if isinstance(before, AnimatedBackgrounds) else None
        found = plainfiles.read(
            AnimatedBackgrounds, rest, self.room.version, f"{ROOM_JSON}: frames", base=base
        )
        found.frames = list(base.frames) if base is not None else []
        del found.frames[len(shown) :]
        for index, own in enumerate(shown, start=1):
            if index > len(found.frames):
                found.frames.append(LzwPicture())
                self.new.add(index)
            self._picture(found.frames[index - 1], own, index)
        found.frame_count = len(found.frames) + 1
        return found

    def _picture(self, picture: LzwPicture, shown: Any, index: int) -> None:
        if not isinstance(shown, dict):
            return
        if "palette" in shown:
            picture.palette = _palette(shown["palette"], 1024, background_path(index))
        if isinstance(shown.get("alpha"), int):
            self.alphas[index] = shown["alpha"] & 255

    # -- files -------------------------------------------------------------------------------

    def wanted(self, path: str, *, new: bool = False) -> bool:
        """Whether a file must be read: it was changed, or what it holds is new."""
        change = self.changes.get(path)
        if path not in self.folder and (new or change == "removed"):
            raise WorkspaceError(f"{path} is missing, and {ROOM_JSON} calls for it")
        return new or change is not None

    def take_files(self) -> None:
        """Take the pictures and scripts that changed or are new."""
        room = self.room
        old = room.old_background
        if old is not None and self.wanted(background_path(0), new=0 in self.new):
            image = plainfiles.read_png(self.folder.read(background_path(0)), background_path(0))
            old.set_pixels(pictures.from_image(image, 1), by_row=True)
            if pictures.image_palette(image) != pictures.expand_palette(old.palette):
                old.palette = pictures.reduce_palette(pictures.image_palette(image))
        for index, picture in enumerate(room.backgrounds()):
            path = background_path(index)
            raw = path.replace(".png", ".bin")
            if raw in self.folder and (raw in self.changes or index in self.new):
                self._raw_picture(picture, raw)
            elif self.wanted(path, new=index in self.new):
                self._take_background(index, picture, path)
        for name, mask in room.masks():
            if self.wanted(mask_path(name), new=0 in self.new):
                image = plainfiles.read_png(self.folder.read(mask_path(name)), mask_path(name))
                mask.set_pixels(pictures.from_image(image, 1), by_row=not room.is_modern)
        for block in room.blocks.blocks:
            content = block.content
            if isinstance(content, Script) and self.wanted(SCRIPT):
                block.content = _script(self.folder, self.document.encoding)
            elif isinstance(content, SourceText) and self.wanted(SOURCE):
                content.text = self.folder.read(SOURCE)
        for index, block in enumerate(room.blocks.blocks):
            path = blockfiles.opaque_path(index, block.id)
            if isinstance(block.content, bytes) and self.wanted(path):
                block.content = self.folder.read(path)

    def _take_background(self, index: int, picture: LzwPicture, path: str) -> None:
        depth = self.room.depth
        image = plainfiles.read_png(self.folder.read(path), path)
        alpha = self.alphas.get(index)
        if alpha is None and depth == 4:
            alpha = picture.pixels(4).uniform_alpha if picture.packed else None
        pixels = pictures.from_image(image, depth, alpha=255 if alpha is None else alpha)
        picture.set_pixels(pixels, signed=not self.room.is_modern)
        if depth == 1:
            self._take_palette(picture, image)
        main = self.room.main
        if main is not None and index == 0 and self.room.version >= 9:
            size = (main.width, main.height)
            if size != (0, 0) and size != (pixels.width, pixels.height):
                self.warnings.append(
                    f"{path} is {pixels.width} x {pixels.height}, but {ROOM_JSON} says the room "
                    f"is {main.width} x {main.height}"
                )

    def _take_palette(self, picture: LzwPicture, image: Image) -> None:
        """Take the colours of an indexed image that differ from those stored."""
        bits = self.room.palette_bits
        shown = self.document._shown_palette(picture)
        new = pictures.image_palette(image)
        palette = bytearray(picture.palette)
        for colour in range(pictures.PALETTE_COLOURS):
            at = slice(3 * colour, 3 * colour + 3)
            if new[at] != shown[at]:
                reduced = pictures.reduce_palette(new[at], bits)
                palette[4 * colour : 4 * colour + 3] = reduced
        picture.palette = bytes(palette)

    def _raw_picture(self, picture: LzwPicture, path: str) -> None:
        version = self.room.version
        try:
            found, _ = codec_for(LzwPicture, version).read(
                self.folder.read(path), 0, new_reader(version)
            )
        except FormatError as error:
            raise WorkspaceError(f"{path}: {error}") from None
        picture.palette, picture.packed = found.palette, found.packed
        picture.unpacked_size = found.unpacked_size


def _palette(text: Any, size: int, path: str) -> bytes:
    try:
        palette = plain_bytes(text)
    except FormatError as error:
        raise WorkspaceError(f"{ROOM_JSON}: the palette of {path}: {error}") from None
    if len(palette) != size:
        raise WorkspaceError(f"{ROOM_JSON}: the palette of {path} must have {size} bytes")
    return palette


def _assembly(script: Script, encoding: str) -> bytes:
    from overhaul.ags.script.disassembler import disassemble

    return disassemble(script, encoding).encode()


def _script(folder: Folder, encoding: str) -> Script:
    from overhaul.ags.script.assembler import assemble

    return assemble(plainfiles.read_text(folder, SCRIPT), name=SCRIPT, encoding=encoding)


def _record_bytes(picture: LzwPicture) -> bytes:
    writer = new_writer()
    codec_for(LzwPicture, None).write(writer, picture)
    return bytes(writer.out)
