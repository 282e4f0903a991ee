"""A sprite set as files: sprites.json, and a PNG for each sprite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.sprites import SpriteSetDocument
from overhaul.ags.sprites import (
    VERSIONS,
    EmptySlot,
    Sprite,
    SpriteHeader,
    SpriteSet,
    SpriteSetHeader,
)
from overhaul.ags_folder import kit
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError
from overhaul.folder.jsonkit import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    in_file,
)

SPRITES_JSON: Final = "sprites.json"
_MOST_SLOTS: Final = 1 << 24

settings = kit.no_settings
empty = partial(kit.new_document, SpriteSetDocument)


def sprite_path(slot: int, *, raw: bool = False) -> str:
    """The file of a slot's sprite."""
    return f"sprites/{slot:05}.{'bin' if raw else 'png'}"


# --- unpacking ------------------------------------------------------------------------------


def tree(document: SpriteSetDocument) -> Iterable[Resource]:
    """The sprites."""
    for slot, sprite in document.sprites.filled():
        yield Resource("sprite", str(slot), sprite_path(slot), len(sprite.data))


def plain_files(document: SpriteSetDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked sprite set."""
    sprites = document.sprites
    yield kit.json_file(document, SPRITES_JSON, partial(_show, sprites), "header")
    for slot, sprite in sprites.filled():
        origin = f"slots[{slot}]"
        try:
            sprites.pixels(sprite)
        except FormatError:
            data = sprite.palette + sprite.data
            note = "its pixels can't be unpacked"
            yield kit.bytes_file(sprite_path(slot, raw=True), data, origin, note)
        else:
            pixels = partial(sprites.pixels, sprite)
            yield kit.png_file(sprite_path(slot), pixels, document.palette, origin)


def _show(sprites: SpriteSet) -> dict[str, object]:
    shown: dict[str, object] = {"version": sprites.version}
    shown |= kit.show(sprites.header, sprites.version, without=("last_slot",))
    shown["slot_count"] = len(sprites.slots)
    shown["sprites"] = [
        {"slot": slot, **_show_sprite(sprites, sprite)} for slot, sprite in sprites.filled()
    ]
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
        alpha = sprites.pixels(sprite).uniform_alpha
    except FormatError:
        header = kit.show(sprite.header, sprites.version)
        return shown | {"raw": header | {"palette_size": len(sprite.palette)}}
    return shown if alpha is None else shown | {"alpha": alpha}


# --- packing --------------------------------------------------------------------------------


def apply(document: SpriteSetDocument, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change the sprites as their files were changed."""
    sprites = document.sprites
    shown = kit.read_json(document, folder, SPRITES_JSON)
    with in_file(SPRITES_JSON):
        rows = _take_header(sprites, shown, SPRITES_JSON in changes)
    for slot, row in rows.items():
        is_new = isinstance(sprites.slots[slot], EmptySlot)
        raw = "raw" in row
        path = sprite_path(slot, raw=raw)
        change = changes.get(path)
        if not is_new and (change is None or (change == "removed" and not raw)):
            continue
        if raw:
            sprites.slots[slot] = _raw_sprite(row["raw"], folder.read(path), slot, sprites.version)
        else:
            with in_file(f"{SPRITES_JSON}: slot {slot}"), at_key("bytes_per_pixel"):
                depth = expect_integer(row.get("bytes_per_pixel"), 1, 4)
            alpha = row.get("alpha")
            filler = alpha & 255 if isinstance(alpha, int) else None
            pixels, *_ = kit.read_png(folder, path, depth, filler)
            sprites.replace(slot, pixels)
    for slot, _ in list(sprites.filled()):
        if slot not in rows or changes.get(sprite_path(slot)) == "removed":
            sprites.slots[slot] = EmptySlot()
    document.edited(sprites.version)
    return []


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
                    rows[expect_integer(row.get("slot"), 0, count - 1)] = row
    empty_slots = shown.pop("empty_slots", {})
    trailing = shown.pop("trailing", "")
    if not changed:
        return rows
    sprites.version = version
    with at_key("trailing"):
        sprites.trailing = expect_bytes(trailing)
    sprites.header = kit.read(SpriteSetHeader, shown, version, SPRITES_JSON, base=sprites.header)
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


def _slot_number(key: str, count: int) -> int:
    if not key.isdecimal() or int(key) >= count:
        raise FormatError("not the number of a slot")
    return int(key)


def _raw_sprite(shown: object, data: bytes, slot: int, version: int) -> Sprite:
    """A sprite whose stored bytes are kept: its header as shown, and its palette and data."""
    fields = dict(shown) if isinstance(shown, dict) else {}
    with in_file(f"{SPRITES_JSON}: slot {slot}"), at_key("palette_size"):
        size = expect_integer(fields.pop("palette_size", 0), 0)
    header = kit.read(SpriteHeader, fields, version, f"{SPRITES_JSON}: slot {slot}")
    return Sprite(header, data[:size], data[size:])
