"""A sprite set as files: sprites.json, and a PNG for each sprite."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.sprites import SpriteSetDocument
from overhaul.ags.folder import file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.ags.sprites import (
    DEFLATE,
    NONE,
    VERSIONS,
    EmptySlot,
    Sprite,
    SpriteHeader,
    SpriteSet,
    SpriteSetHeader,
)
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import EncodeError, FormatError, PlainFileError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    in_file,
)

SPRITES_JSON: Final = "sprites.json"
_MOST_SLOTS: Final = 1 << 24
#: The values that the row of a sprite can have, next to ``raw``.
_ROW: Final = {"slot", "bytes_per_pixel", "alpha", "compression", "palette"}


def sprite_path(slot: int, *, raw: bool = False) -> str:
    """The file of a slot's sprite."""
    return f"sprites/{slot:05}.{'bin' if raw else 'png'}"


# --- unpacking ------------------------------------------------------------------------------


class SpriteSetFormat(AgsFormat[SpriteSetDocument]):
    """A sprite set as a folder."""

    document_class = SpriteSetDocument

    def tree(self, document: SpriteSetDocument) -> Iterable[Resource]:
        """The sprites."""
        for slot, sprite in document.sprites.filled():
            yield Resource("sprite", str(slot), sprite_path(slot), len(sprite.data))

    def plain_files(
        self, document: SpriteSetDocument, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        """The files of the unpacked sprite set."""
        sprites = document.sprites
        yield file_io.json_file(document, SPRITES_JSON, partial(_show, sprites), "header")
        for slot, sprite in sprites.filled():
            if not any(options.wants(sprite_path(slot, raw=raw)) for raw in (False, True)):
                continue  # unpacking says which file it has, and takes long
            origin = f"slots[{slot}]"
            try:
                sprites.pixels(sprite)
            except FormatError:
                data = sprite.palette + sprite.data
                note = "its pixels can't be unpacked"
                yield file_io.bytes_file(sprite_path(slot, raw=True), data, origin, note)
            else:
                pixels = partial(sprites.pixels, sprite)
                yield file_io.png_file(sprite_path(slot), pixels, document.palette, origin)

    def apply(
        self, document: SpriteSetDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change the sprites as their files were changed; a new picture becomes a sprite."""
        file_io.take_settings(document, folder.settings)
        sprites = document.sprites
        findings: Findings = Findings()
        shown = file_io.read_json(document, folder, SPRITES_JSON)
        was = _rows_of(sprites) if SPRITES_JSON in changes else {}
        depth = _usual_depth(sprites)
        fresh, palette = not sprites.slots, document.palette()
        with in_file(SPRITES_JSON):
            rows = _take_header(sprites, shown, SPRITES_JSON in changes)
        for slot in _new_slots(folder, changes, rows):
            rows[slot] = {"slot": slot, "bytes_per_pixel": depth}
            sprites.slots += [EmptySlot() for _ in range(slot + 1 - len(sprites.slots))]
        for slot, row in rows.items():
            is_new = isinstance(sprites.slots[slot], EmptySlot)
            raw = "raw" in row
            path = sprite_path(slot, raw=raw)
            change = changes.get(path)
            other = bool(was) and row != was.get(slot)
            if change == "removed" and not raw and not (is_new and SPRITES_JSON in changes):
                continue
            if not is_new and change is None and not other:
                continue
            if raw:
                sprites.slots[slot] = _raw_sprite(
                    row["raw"], folder.read(path), slot, sprites.version
                )
            else:
                findings += _take_sprite(sprites, slot, row, folder, None if fresh else palette)
        for slot, _ in list(sprites.filled()):
            path = sprite_path(slot)
            if slot not in rows and path in folder:
                raise PlainFileError(f"it has no sprite {slot}, but {path} is there", SPRITES_JSON)
            if slot not in rows or changes.get(path) == "removed":
                sprites.slots[slot] = EmptySlot()
        document.edited(sprites.version)
        return findings


FORMAT: Final = SpriteSetFormat()


def _show(sprites: SpriteSet) -> dict[str, object]:
    shown: dict[str, object] = {"version": sprites.version}
    shown |= file_io.show(sprites.header, sprites.version, without=("last_slot",))
    shown["slot_count"] = len(sprites.slots)
    shown["sprites"] = list(_rows_of(sprites).values())
    empty_slots = {
        str(index): slot.storage
        for index, slot in enumerate(sprites.slots)
        if isinstance(slot, EmptySlot) and slot.storage
    }
    if empty_slots:
        shown["empty_slots"] = empty_slots
    if sprites.trailing:
        shown["trailing"] = sprites.trailing.hex()
    return shown


def _show_sprite(sprites: SpriteSet, sprite: Sprite) -> dict[str, object]:
    shown: dict[str, object] = {"bytes_per_pixel": sprite.depth}
    try:
        pixels = sprites.pixels(sprite)
    except FormatError:
        header = file_io.show(sprite.header, sprites.version)
        return shown | {"raw": header | {"palette_size": len(sprite.palette)}}
    if pixels.uniform_alpha is not None:
        shown["alpha"] = pixels.uniform_alpha
    if sprites.compression_of(sprite) != sprites.compression:
        shown["compression"] = sprites.compression_of(sprite)
    if sprite.palette != sprites.best_palette(pixels):
        shown["palette"] = sprite.palette.hex()
    return shown


# --- packing --------------------------------------------------------------------------------


def _rows_of(sprites: SpriteSet) -> dict[int, dict[str, object]]:
    return {
        slot: {"slot": slot, **_show_sprite(sprites, sprite)} for slot, sprite in sprites.filled()
    }


def _usual_depth(sprites: SpriteSet) -> int:
    """The bytes per pixel of most sprites; 4 if there are none."""
    depths = Counter(sprite.depth for _, sprite in sprites.filled())
    return depths.most_common(1)[0][0] if depths else 4


def _new_slots(
    folder: Folder, changes: Mapping[str, Change], rows: Mapping[int, object]
) -> Iterator[int]:
    """The slots of pictures that were added without a row in sprites.json."""
    for path, change in changes.items():
        number = path.removeprefix("sprites/").removesuffix(".png")
        if change == "added" and number.isdecimal() and len(number) < 9 and path in folder:
            slot = int(number)
            if sprite_path(slot) == path and slot not in rows and slot < _MOST_SLOTS:
                yield slot


def _take_sprite(
    sprites: SpriteSet,
    slot: int,
    row: dict[str, object],
    folder: Folder,
    colours: bytes | None,
) -> Findings:
    """Put the picture of a slot into the set; return warnings.

    ``colours`` are those that indexed pictures were shown with, None if that is not known.
    """
    with in_file(f"{SPRITES_JSON}: slot {slot}"):
        unknown = row.keys() - _ROW
        if unknown:
            raise FormatError(f"unknown field {min(unknown)!r}")
        depth = _number(row, "bytes_per_pixel", 1, 4)
        alpha = _number(row, "alpha", 0, 255) if "alpha" in row else None
        packing = _number(row, "compression", NONE, DEFLATE) if "compression" in row else None
        with at_key("palette"):
            palette = expect_bytes(row["palette"]) if "palette" in row else None
            if palette and len(palette) % depth:
                raise FormatError(f"expected {depth} bytes for each colour")
    image = file_io.read_png(folder, sprite_path(slot), depth, alpha)
    pixels, notes = image.pixels, Findings(filter(None, [image.note]))
    if depth == 1 and colours is not None:
        notes += file_io.other_colours(image, colours, sprite_path(slot))
    with in_file(sprite_path(slot)):
        try:
            sprites.replace(slot, pixels, palette=palette, compression=packing)
        except EncodeError as error:
            if not palette:
                raise
            sprites.replace(slot, pixels, compression=packing)
            notes.warn(
                "approximated",
                f"the picture gets another palette: {error.message}",
                sprite_path(slot),
            )
    return notes


def _number(row: dict[str, object], key: str, low: int, high: int) -> int:
    with at_key(key):
        return expect_integer(row.get(key), low, high)


def _take_header(
    sprites: SpriteSet, shown: dict[str, object], changed: bool
) -> dict[int, dict[str, object]]:
    """Take sprites.json if it was changed; return its rows by slot.  Raises FormatError."""
    with at_key("slot_count"):
        count = expect_integer(shown.pop("slot_count", len(sprites.slots)), 0, _MOST_SLOTS)
    with at_key("version"):
        version = expect_integer(shown.pop("version", sprites.version))
        if version not in VERSIONS:
            raise FormatError(f"unknown version {version}")
    rows: dict[int, dict[str, object]] = {}
    with at_key("sprites"):
        for index, item in enumerate(expect_list(shown.pop("sprites", []))):
            with at_key("", index):
                row = expect_object(item)
                with at_key("slot"):
                    number = expect_integer(row.get("slot"), 0, _MOST_SLOTS)
                    if number >= count:
                        raise FormatError(f"expected less than slot_count, {count}, got {number}")
                rows[number] = row
    empty_slots = shown.pop("empty_slots", {})
    trailing = shown.pop("trailing", "")
    if not changed:
        return rows
    with at_key("trailing"):
        sprites.trailing = expect_bytes(trailing)
    header = file_io.read(SpriteSetHeader, shown, version, SPRITES_JSON, base=sprites.header)
    with at_key("compression"):
        expect_integer(header.compression, NONE, DEFLATE)
    _repack(sprites, version, header)
    del sprites.slots[count:]
    sprites.slots += [EmptySlot() for _ in range(count - len(sprites.slots))]
    sprites.header.last_slot = count - 1
    with at_key("empty_slots"):
        for key, storage in expect_object(empty_slots).items():
            with at_key(key):
                slot = sprites.slots[_slot_number(key, count)]
                if isinstance(slot, EmptySlot):
                    slot.storage = expect_integer(storage, 0, 255)
    return rows


def _repack(sprites: SpriteSet, version: int, header: SpriteSetHeader) -> None:
    """Take a version and header; sprites are packed again where these say how."""
    old = sprites.header
    stored = {}
    if (version, header.compression, header.store_flags) != (
        sprites.version,
        old.compression,
        old.store_flags,
    ):
        for slot, sprite in sprites.filled():
            with contextlib.suppress(FormatError):  # sprites that can't be unpacked stay unchanged
                stored[slot] = sprites.pixels(sprite)
    sprites.version, sprites.header = version, header
    for slot, pixels in stored.items():
        sprites.replace(slot, pixels, compression=sprites.compression)


def _slot_number(key: str, count: int) -> int:
    if not key.isdecimal() or int(key) >= count:
        raise FormatError("not the number of a slot")
    return int(key)


def _raw_sprite(shown: object, data: bytes, slot: int, version: int) -> Sprite:
    """A sprite whose stored bytes are kept: its header as shown, and its palette and data."""
    with in_file(f"{SPRITES_JSON}: slot {slot}"), at_key("raw"):
        fields = dict(expect_object(shown))
    with in_file(f"{SPRITES_JSON}: slot {slot}"), at_key("palette_size"):
        size = expect_integer(fields.pop("palette_size", 0), 0)
    header = file_io.read(SpriteHeader, fields, version, f"{SPRITES_JSON}: slot {slot}")
    return Sprite(header, data[:size], data[size:])
