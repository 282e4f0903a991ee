"""Files of Adventure Game Studio, made for tests of their folders, and a folder to be edited."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul import folder as folders
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import ROOM
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.folder import file_io, resources, stored_game
from overhaul.ags.folder import room as room_folder
from overhaul.ags.library import Package
from overhaul.ags.parallel import show_rows
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import MapEntry, TextMap
from overhaul.ags.room import Room
from overhaul.ags.room.pictures import LzwPicture
from overhaul.ags.room.records import (
    AnimatedBackgrounds,
    MainBlock,
    RoomObject,
    SourceText,
)
from overhaul.ags.script import Script
from overhaul.ags.sprites import EmptySlot, Sprite, SpriteHeader, SpriteSet
from overhaul.ags.translation import (
    DICTIONARY,
    GAME_ID,
    TEXT_OPTIONS,
    DictionaryBlock,
    GameIdBlock,
    NewTextOptionsBlock,
    Pair,
    TextOptionsBlock,
    Translation,
)
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_object

Json = dict[str, object]


Edit = Callable[[dict[str, Any]], object]


#: What every folder has next to the files of its format.
WRITTEN = ("overhaul.toml", ".gitattributes")


def with_own_names(folder: Path) -> None:
    """Rewrite a folder of game data or of a room with the names that records have for fields, which
    are read as the words are."""
    with folders.open(folder) as document:
        if isinstance(document, GameDocument) and document.game.old is None:
            for path, show in stored_game.json_values(document):
                if path != stored_game.GUI_JSON or "guis" in json_of(folder, path):
                    tables = document.game.tables()
                    kinds = [kind.rows for kind in kinds_of(path) if kind.rows in tables.kinds]
                    value = show() | show_rows(tables, kinds)
                    file = file_io.json_file(document, path, partial(dict, value), "")
                    put_json(folder, path, json.loads(file.read()))
        elif isinstance(document, RoomDocument):
            show_room = partial(room_folder.stored_room, document.room)
            file = file_io.json_file(document, "room.json", show_room, "")
            (folder / "room.json").write_bytes(file.read())


def json_of(folder: Path, name: str) -> Json:
    """A JSON file, with the things that have files of their own as lists in it."""
    path = folder / name
    value: Json = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for kind in kinds_of(name):
        rows = [json.loads(each.read_bytes()) for each in folder.glob(f"{kind.prefix}*.json")]
        if rows or (kind.rows not in value and kind.rows == name.removesuffix(".json")):
            rows.sort(key=lambda row: row[resources.ID])
            value[kind.rows] = [{k: v for k, v in row.items() if k != resources.ID} for row in rows]
    return value


def put_json(folder: Path, name: str, value: Json) -> None:
    """Write what :func:`json_of` gave, edited: each thing of a list into a file of its own."""
    value = dict(value)
    path = folder / name
    before = read_object(path.read_bytes(), name) if path.exists() else {}
    for kind in kinds_of(name):
        if kind.rows in before:
            continue  # games before 2.5 have no files of things
        rows = value.pop(kind.rows, [])
        if not isinstance(rows, list):
            value[kind.rows] = rows
            continue
        shutil.rmtree(folder / kind.rows, ignore_errors=True)
        names = [str(row.get(kind.name, "")) if isinstance(row, dict) else "" for row in rows]
        for number, (own, row) in enumerate(zip(kind.paths(names), rows, strict=True)):
            shown = {resources.ID: number + kind.first, **row} if isinstance(row, dict) else row
            (folder / own).parent.mkdir(exist_ok=True)
            (folder / own).write_text(json.dumps(shown), "utf-8")
    if value or not kinds_of(name) or path.exists():
        path.write_text(json.dumps(value), "utf-8")


def kinds_of(name: str) -> list[resources.ThingKind]:
    """The kinds of things whose rows the stored object of a file has."""
    return [kind for kind in resources.KINDS if kind.file == name]


class Folder:
    """A file that was unpacked to ``path``, to be edited and packed again; with the names that
    records have for fields, unless ``new``."""

    def __init__(self, root: Path, name: str, data: bytes, *, new: bool = False) -> None:
        self.root = root
        self.data = data
        self.file = root / name
        self.path = root / "folder"
        self.file.write_bytes(data)
        overhaul.unpack(self.file, self.path, force=True)
        if not new:
            with_own_names(self.path)

    def copy(self, root: Path) -> Folder:
        """The same folder and file at another place, to be edited."""
        made = copy.copy(self)
        made.root, made.file, made.path = root, root / self.file.name, root / self.path.name
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        return made

    def names(self) -> list[str]:
        """The plain files."""
        return sorted(
            path.relative_to(self.path).as_posix()
            for path in self.path.rglob("*")
            if path.is_file() and ".overhaul" not in path.parts and path.name not in WRITTEN
        )

    def json(self, name: str) -> Json:
        value: Json = json.loads((self.path / name).read_text("utf-8"))
        return value

    def edit(self, name: str, change: Edit) -> None:
        value = self.json(name)
        change(value)
        (self.path / name).write_text(json.dumps(value), "utf-8")

    def pack(self, *, from_scratch: bool = False) -> bytes:
        out = self.root / "out"
        out.mkdir(exist_ok=True)
        packed = overhaul.pack(self.path, out / "packed", force=True, from_scratch=from_scratch)
        self.warnings = packed.warnings
        return (out / "packed").read_bytes()

    def check(self) -> None:
        """All of it comes from the plain files, alone or over the original."""
        assert self.pack(from_scratch=True) == self.data
        for name in self.names():
            if name.endswith(".json"):
                (self.path / name).write_bytes((self.path / name).read_bytes() + b"\n")
        assert self.pack() == self.data

    def refuses(self, name: str, change: Edit, message: str) -> None:
        """Packing with an edited JSON file raises WorkspaceError; the edit is undone."""
        before = (self.path / name).read_bytes()
        self.edit(name, change)
        for from_scratch in (False, True):
            with pytest.raises(WorkspaceError, match=message) as caught:
                self.pack(from_scratch=from_scratch)
            assert str(caught.value).startswith(name)
        (self.path / name).write_bytes(before)


def translation(*pairs: Pair, end: str = "", flags: bool = True) -> Translation:
    made = Translation()
    made.blocks.add(GAME_ID, GameIdBlock(77, "P\udce4rk"))
    made.blocks.add(DICTIONARY, DictionaryBlock([*pairs, Pair(end, end)]))
    made.blocks.add(TEXT_OPTIONS, NewTextOptionsBlock() if flags else TextOptionsBlock())
    made.blocks.add("ext_sopts", TextMap([MapEntry("gameencoding", "x")]))
    return made


def sprite_set(version: int) -> SpriteSet:
    made = SpriteSet(version=version)
    made.header.compression = 1 if version >= 6 else 0
    made.slots = [EmptySlot() for _ in range(5)]
    made.replace(0, Pixels(3, 1, 1, b"\1\2\2"))
    made.replace(1, Pixels(2, 2, 2, bytes(range(8))))
    made.replace(3, Pixels(2, 1, 4, b"\1\2\3\x80\4\5\6\x80"))
    made.slots[2] = EmptySlot(9)
    made.trailing = b"\7"
    if version >= 6:
        broken = made.slots[0]
        assert isinstance(broken, Sprite)
        made.slots[4] = Sprite(SpriteHeader(1, 0, 0, 1, 3, 1), b"", b"\x05\x00")
    made.to_bytes()
    return made


def package(version: int) -> Package:
    made = Package(version=version, parts=["x.ags"] if version > 6 else [""], seed=-5)
    made.add("a\udcfc.txt", b"first")
    made.add("b:c", b"second")
    made.assets[1].gap = b"gap"
    made.trailing[0] = b"end"
    if version == 6:
        made.assets[0].flags, made.assets[1].name_rest = b"\1\2", b"z"
        made.assets[1].gap = b""  # the data follows the table
    return made


def room(depth: int, version: int = 33) -> Room:
    alpha = b"\x11\x22\x33\x44" * 12 if depth == 4 else bytes(range(12 * depth))
    main = MainBlock(
        depth=depth,
        objects=[RoomObject()],
        walk_area_count=0,
        walk_area_light=[0] * 16,
    )
    main.width, main.height = 4, 3
    pixels = Pixels(4, 3, depth, alpha)
    main.background.set_pixels(pixels, signed=False)
    main.background.palette = bytes([1, 2, 3, 99]) * 256
    for name in ("region", "walkable", "walk_behind", "hotspot"):
        getattr(main, f"{name}_mask").set_pixels(Pixels(4, 3, 1, bytes(12)), by_row=False)
    main.hotspot_mask.palette = bytes([5]) + bytes(767)
    main.object_events, main.object_baselines, main.object_flags = [[]], [0], [0]
    frame = LzwPicture(bytes([4, 5, 6, 0]) * 256)
    frame.set_pixels(pixels, signed=False)
    made = Room(version=version, blocks=DecodedBlocks(ROOM, version), trailing=b"end")
    made.blocks.add(1, main)
    made.blocks.add(6, AnimatedBackgrounds(2, 4, [1, 0], [frame]))
    source = SourceText()
    source.text = b"// source"
    made.blocks.add(2, source)
    made.blocks.add(7, Script())
    made.blocks.add("ext_sopts", TextMap([MapEntry("textencoding", "1250")]))
    made.blocks.add("unknown", b"bytes")
    return made
