"""The folders of Adventure Game Studio's files: what they hold, edits, and errors in them."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import overhaul
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import ROOM
from overhaul.ags.fields import Unterminated, new_reader
from overhaul.ags.library import Package
from overhaul.ags.library.tables import Table30
from overhaul.ags.lzw_encoder import compress_lzw
from overhaul.ags.module import ScriptModule, read_module, write_module
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import Entry, TextMap
from overhaul.ags.room import Room
from overhaul.ags.room.pictures import LzwPicture, Mask
from overhaul.ags.room.records import (
    AnimatedBackgrounds,
    MainBlock,
    MessageInfo,
    RoomObject,
    RoomProperties,
    SourceText,
)
from overhaul.ags.script import Script, assemble
from overhaul.ags.sprite_index import SpriteIndex, read_index, write_index
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
    from_lines,
    to_lines,
)
from overhaul.errors import FormatError, SourceError, WorkspaceError
from overhaul.schema import codec_for
from present import instance

Json = dict[str, object]
Edit = Callable[[dict[str, Any]], object]


#: What every folder has beside the files of its format.
WRITTEN = ("overhaul.toml", ".gitattributes")


class Folder:
    """A file that was unpacked to ``path``, to be edited and packed again."""

    def __init__(self, root: Path, name: str, data: bytes) -> None:
        self.root = root
        self.data = data
        self.file = root / name
        self.path = root / "folder"
        self.file.write_bytes(data)
        overhaul.unpack(self.file, self.path, force=True)

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


# --- translations -------------------------------------------------------------------------------


def translation(*pairs: Pair, end: str = "", flags: bool = True) -> Translation:
    made = Translation()
    made.blocks.add(GAME_ID, GameIdBlock(77, "P\udce4rk"))
    made.blocks.add(DICTIONARY, DictionaryBlock([*pairs, Pair(end, end)]))
    made.blocks.add(TEXT_OPTIONS, NewTextOptionsBlock() if flags else TextOptionsBlock())
    made.blocks.add("ext_sopts", TextMap([Entry("gameencoding", "x")]))
    return made


def test_a_translation_as_files(tmp_path: Path) -> None:
    made = translation(Pair("Hello", "Gr\udcfc\udcdfe"), Pair("Bye", ""))
    folder = Folder(tmp_path, "German.tra", made.to_bytes())
    assert folder.names() == ["dictionary.trs", "translation.json"]
    assert (folder.path / "dictionary.trs").read_bytes() == "Hello\nGrüße\nBye\n\n".encode()
    assert folder.json("translation.json") == {
        "blocks": [
            {"id": 2, "fields": {"unique_id": 77, "game_name": "Pärk"}},
            {"id": 1, "file": "dictionary.trs", "empty_texts": "a NUL"},
            {
                "id": 3,
                "fields": {"normal_font": -1, "speech_font": -1, "direction": -1, "flags": 0},
            },
            {"id": "ext_sopts", "fields": {"entries": [{"key": "gameencoding", "value": "x"}]}},
        ],
        "trailing": "00000000",
    }
    with overhaul.open(folder.file) as document:
        info = dict(document.info())
        assert info == {
            "kind": "ags-translation",
            "texts": 2,
            "game": "Pärk",
            "unique_id": 77,
            "translated": 1,
            "encoding": "cp1252",
        }
        assert [resource.path for resource in document.tree()] == [
            "translation.json",
            "dictionary.trs",
        ]
        assert document.locate(len(made.to_bytes()) - 12) == "block 'ext_sopts'"
        assert document.locate(3) == ""
        assert document.coverage().opaque == 0
    folder.check()
    (folder.path / "dictionary.trs").write_bytes("// new\r\nHello\r\nGrüezi\r\n".encode())
    again = Translation.read(folder.pack())
    assert again.pairs == [Pair("Hello", "Gr\udcfcezi")]
    (folder.path / "dictionary.trs").write_bytes("Hello\nΓεια\n".encode())
    with pytest.raises(WorkspaceError, match=r"dictionary\.trs"):
        folder.pack()
    (folder.path / "dictionary.trs").write_bytes(b"Hello\n")
    with pytest.raises(SourceError, match="missing"):
        folder.pack()
    (folder.path / "dictionary.trs").unlink()
    with pytest.raises(WorkspaceError, match=r"dictionary\.trs is missing"):
        folder.pack()


@pytest.mark.parametrize(
    "pair",
    [
        Pair("a\nb", ""),
        Pair("a", "b\r"),
        Pair("", "b"),
        Pair("// a", "b"),
        Pair("a", Unterminated("b")),
        Pair("a", "b\udc81"),  # no letter in code page 1252
    ],
)
def test_texts_that_no_lines_can_hold_are_in_json(pair: Pair, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.tra", translation(pair, flags=False).to_bytes())
    assert folder.names() == ["translation.json"]
    folder.check()


def test_settings_in_the_comments_of_a_dictionary_are_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.tra", translation(Pair("a", "b")).to_bytes())
    lines = "// //#x\n//#NormalFont=DEFAULT\n//#SpeechFont=3\na\n//#c\n"
    (folder.path / "dictionary.trs").write_text(lines)
    packed = overhaul.pack(folder.path, tmp_path / "new.tra")
    (warning,) = packed.warnings
    assert warning == (
        "dictionary.trs:3: //#SpeechFont=3 has no effect: translation.json has the settings"
    )
    assert Translation.read(Path(packed.path).read_bytes()).pairs == [Pair("a", "//#c")]


def test_empty_texts_are_stored_as_the_file_stores_its_own(tmp_path: Path) -> None:
    nothing = Unterminated("")
    made = translation(Pair("a", nothing), end=nothing)
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    (row,) = [
        row for row in instance(list, folder.json("translation.json")["blocks"]) if row["id"] == 1
    ]
    assert row["empty_texts"] == "no bytes"
    folder.check()
    (folder.path / "dictionary.trs").write_text("a\n\nb\n\n")
    (_, second) = Translation.read(folder.pack()).pairs
    assert isinstance(second.text, Unterminated)


def test_a_short_id_and_what_follows_the_list(tmp_path: Path) -> None:
    made = translation(Pair("a", "b"))
    made.short_id, made.trailing = True, b"\1\2"
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    shown = folder.json("translation.json")
    assert shown["short_id"] is True and shown["trailing"] == "0102"
    with overhaul.open(folder.file) as document:
        (opaque,) = document.coverage().details
        assert (opaque.offset, opaque.length) == (len(folder.data) - 2, 2)
    folder.check()
    folder.refuses("translation.json", lambda shown: shown.update(trailing=5), "trailing: expected")
    folder.refuses("translation.json", lambda shown: shown.update(blocks=5), "blocks: expected a l")


def test_an_encoding_that_the_file_names(tmp_path: Path) -> None:
    made = translation(Pair("a", "b\udcfc"))
    instance(TextMap, made.blocks.content("ext_sopts")).entries.append(Entry("encoding", "utf-8"))
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    assert folder.names() == ["translation.json"]  # the text is not UTF-8
    toml = folder.path / "overhaul.toml"
    assert 'encoding = "utf-8"' in toml.read_text()
    toml.write_text(toml.read_text().replace('"utf-8"', '"latin-1"'))
    folder.edit("translation.json", lambda shown: shown["blocks"][1]["fields"]["pairs"].pop(0))
    assert Translation.read(folder.pack()).pairs == []
    toml.write_text(toml.read_text().replace('"latin-1"', '"klingon"'))
    with pytest.raises(WorkspaceError, match="unknown encoding 'klingon'"):
        folder.pack()


def test_lines_of_a_dictionary() -> None:
    pairs = [Pair("a", "b"), Pair("c", "")]
    assert to_lines(pairs) == "a\nb\nc\n\n" and to_lines([]) == ""
    for text in ("a\nb\nc\n\n", "a\r\nb\r\nc\r\n\r\n", "// x\na\nb\n//\nc\n\n"):
        assert from_lines(text) == pairs
    assert from_lines("a\nb") == [Pair("a", "b")] and from_lines("") == []
    commented = [Pair("a", "// b"), Pair("c", "//")]
    assert to_lines(commented) == "a\n// b\nc\n//\n"
    for text in ("a\n// b\nc\n//\n", "// x\n//\na\n// b\n// y\nc\n//\n// z"):
        assert from_lines(text) == commented
    with pytest.raises(SourceError, match="missing") as caught:
        from_lines("a\nb\n// x\nc\n")
    assert caught.value.line == 4
    with pytest.raises(SourceError, match="the text is empty") as caught:
        from_lines("a\nb\n// x\n\nc\n")
    assert caught.value.line == 4


# --- modules, scripts, indexes ------------------------------------------------------------------


def test_a_module_as_files(tmp_path: Path) -> None:
    module = ScriptModule(1, "Ren\udce9", "d", "Tween", "2.2", b"code", b"head", 5, 6, 7)
    module.trailer = (1252, True)
    folder = Folder(tmp_path, "x.scm", write_module(module) + b"end")
    assert folder.names() == ["header.ash", "module.json", "script.asc"]
    assert folder.json("module.json") == {
        "format": 1,
        "author": "René",
        "description": "d",
        "name": "Tween",
        "module_version": "2.2",
        "unique_key": 5,
        "permissions": 6,
        "owner": 7,
        "code_page": 1252,
        "end_mark": True,
        "trailing": "656e64",
    }
    with overhaul.open(folder.file) as document:
        assert [(r.kind, r.path, r.size) for r in document.tree()] == [
            ("module", "module.json", None),
            ("script", "script.asc", 4),
            ("header", "header.ash", 4),
        ]
        assert document.coverage().opaque == 3
        assert dict(document.info())["script_bytes"] == 4
    folder.check()
    folder.refuses("module.json", lambda shown: shown.update(code_page="x"), "code_page: expected")
    folder.refuses("module.json", lambda shown: shown.update(trailing="x"), "trailing: expected")
    folder.edit("module.json", lambda shown: shown.update(code_page=None, end_mark=0, trailing=""))
    (folder.path / "script.asc").write_bytes(b"other")
    (folder.path / "header.ash").write_bytes(b"")
    packed = folder.pack()
    again, end = read_module(packed)
    assert (again.script, again.header, again.trailer) == (b"other", b"", (None, False))
    assert end == len(packed)


def test_a_script_by_itself_as_files(tmp_path: Path) -> None:
    script = assemble('.script 90\n.strings\n    s0: "a\\xff"\n.code\n    movl ax, @string s0\n')
    folder = Folder(tmp_path, "x.o", script.to_bytes() + b"end")
    assert folder.names() == ["script.asm", "trailing.bin"]
    assert (folder.path / "trailing.bin").read_bytes() == b"end"
    with overhaul.open(folder.file) as document:
        info = dict(document.info())
        assert (info["words"], info["strings"], info["exports"]) == (3, 1, [])
        assert document.coverage().opaque == 3 and document.version == "90"
    folder.check()
    asm = folder.path / "script.asm"
    asm.write_text(asm.read_text().replace(".script 90", ".script 81"))
    (folder.path / "trailing.bin").unlink()
    assert folder.pack() == assemble(asm.read_text()).to_bytes() + b"end"
    assert folder.pack(from_scratch=True) == assemble(asm.read_text()).to_bytes()


def _with_version(version: int, shown: dict[str, Any]) -> None:
    shown.update(version=version)


@pytest.mark.parametrize("version", [1, 2, 10, 11, 12])
def test_a_sprite_index_as_files(version: int, tmp_path: Path) -> None:
    index = SpriteIndex(9, 1, [5, 0], [4, 0], [20, 0], [20, 40], [1, 0])
    data = write_index(version, index)
    folder = Folder(tmp_path, "sprindex.dat", data)
    assert folder.names() == ["index.json"]
    shown = folder.json("index.json")
    assert shown["version"] == version and shown["widths"] == [5, 0]
    assert ("offsets" in shown) == (version >= 10) and ("depths" in shown) == (version == 12)
    with overhaul.open(folder.file) as document:
        assert document.coverage().decoded == len(data)
        assert (dict(document.info())["slots"], dict(document.info())["sprites"]) == (2, 1)
    folder.check()
    folder.refuses("index.json", lambda shown: shown.update(version="x"), "version: expected")
    for other in (version + 1, version - 1):
        if {version, other} in ({2, 3}, {9, 10}, {11, 12}, {12, 13}, {0, 1}):
            message = rf"index\.json:.* \(version: {other}, it was {version}\)"
            folder.refuses("index.json", partial(_with_version, other), message)
    folder.edit("index.json", lambda shown: shown.update(last_slot=7))
    assert read_index(folder.pack())[1].last_slot == 7
    with pytest.raises(FormatError, match="1 bytes follow"):
        read_index(data + b"\0")


# --- sprite sets --------------------------------------------------------------------------------


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


@pytest.mark.parametrize("version", [4, 5, 6, 10, 11, 12])
def test_a_sprite_set_as_files(version: int, tmp_path: Path) -> None:
    made = sprite_set(version)
    folder = Folder(tmp_path, "acsprset.spr", made.to_bytes())
    raw = ["sprites/00004.bin"] if version >= 6 else []
    assert folder.names() == ["sprites.json", *(f"sprites/{n:05}.png" for n in (0, 1, 3)), *raw]
    shown = folder.json("sprites.json")
    assert shown["version"] == version and shown["slot_count"] == 5
    assert shown["empty_slots"] == {"2": 9} and shown["trailing"] == "07"
    assert instance(list, shown["sprites"])[:3] == [
        {"slot": 0, "bytes_per_pixel": 1},
        {"slot": 1, "bytes_per_pixel": 2},
        {"slot": 3, "bytes_per_pixel": 4, "alpha": 128},
    ]
    with overhaul.open(folder.file) as document:
        coverage = document.coverage()
        assert coverage.total == len(folder.data)
        assert coverage.opaque == (3 if version >= 6 else 1)
        slots = [slot.offset for slot in made.slots]
        for number, offset in enumerate(slots):
            assert document.locate(offset) == f"slots[{number}]"
        assert document.locate(slots[1] - 1) == "slots[0]" and document.locate(2) == ""
        assert dict(document.info())["depths"] == (
            {"8 bits": 2 if version >= 6 else 1, "16 bits": 1, "32 bits": 1}
        )
    folder.check()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown.update(version=7), "version: unknown version 7"),
        (lambda shown: shown.update(slot_count=-1), "slot_count: expected"),
        (lambda shown: shown.update(slot_count=(1 << 24) + 1), "slot_count: expected"),
        (lambda shown: shown.update(slot_count=4), r"sprites\[3\]\.slot: .* slot_count, 4, got 4"),
        (lambda shown: shown["sprites"][1].pop("slot"), r"sprites\[1\]\.slot: expected"),
        (lambda shown: shown["sprites"][1].update(slot=-1), r"sprites\[1\]\.slot: expected"),
        (lambda shown: shown["sprites"].append(5), r"sprites\[4\]: expected an object"),
        (lambda shown: shown.update(sprites={}), "sprites: expected a list"),
        (lambda shown: shown.update(trailing="0"), "trailing: expected"),
        (lambda shown: shown.update(empty_slots=[]), "empty_slots: expected an object"),
        (lambda shown: shown.update(empty_slots={"x": 1}), r"empty_slots\.x: not the number"),
        (lambda shown: shown.update(empty_slots={"5": 1}), r"empty_slots\.5: not the number"),
        (lambda shown: shown.update(empty_slots={"2": 256}), r"empty_slots\.2: expected"),
        (lambda shown: shown.update(flags=1), "flags"),
        (lambda shown: shown["sprites"][3]["raw"].update(palette_size=-1), "slot 4: palette_size"),
    ],
)
def test_errors_in_sprites_json(change: Edit, message: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    if "palette_size" in message:
        (folder.path / "sprites/00004.bin").write_bytes(b"\1\1")
    folder.refuses("sprites.json", change, message)


def test_sprites_taken_out_and_put_in(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    (folder.path / "sprites/00001.png").unlink()
    (folder.path / "sprites/00004.bin").write_bytes(b"\x02abc")
    again = SpriteSet.read(folder.pack())
    assert isinstance(again.slots[1], EmptySlot)
    assert isinstance(again.slots[4], Sprite) and again.slots[4].data == b"\x02abc"
    assert again.pixels(again.slots[4]).data == b"abc"
    folder.edit("sprites.json", lambda shown: shown["sprites"].pop(0))
    with pytest.raises(WorkspaceError, match=r"has no sprite 0, but sprites/00000\.png is there"):
        folder.pack()
    (folder.path / "sprites/00000.png").unlink()
    folder.edit("sprites.json", lambda shown: shown["sprites"][1].update(alpha=3))
    image = Image.open(folder.path / "sprites/00003.png")
    image.putpixel((0, 0), (9, 9, 9))
    image.save(folder.path / "sprites/00003.png")
    folder.edit("sprites.json", lambda shown: shown["sprites"].pop(0))
    again = SpriteSet.read(folder.pack())
    assert isinstance(again.slots[0], EmptySlot) and isinstance(again.slots[3], Sprite)
    assert again.pixels(again.slots[3]).data == b"\t\t\t\3\4\5\6\3"
    (folder.path / "sprites/00004.bin").unlink()
    with pytest.raises(WorkspaceError, match=r"00004\.bin is missing"):
        folder.pack()
    folder.edit("sprites.json", lambda shown: shown["sprites"].pop())
    folder.edit("sprites.json", lambda shown: shown.update(slot_count=4))
    again = SpriteSet.read(folder.pack())
    assert len(again.slots) == 4 and again.header.last_slot == 3
    folder.edit("sprites.json", lambda shown: shown["sprites"][0].update(bytes_per_pixel=5))
    with pytest.raises(WorkspaceError, match="slot 3: bytes_per_pixel: expected"):
        folder.pack()


def test_a_picture_that_was_added_becomes_a_sprite(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    new_path = folder.path / "sprites/00007.png"
    # Most sprites of the set are indexed.
    Image.new("RGB", (2, 1), (8, 16, 24)).save(new_path)
    with pytest.raises(WorkspaceError, match=r"00007\.png: expected an indexed image"):
        folder.pack()
    indexed = Image.new("P", (2, 1), 9)
    indexed.putpalette(bytes(range(256)) * 3)
    indexed.save(new_path)
    (folder.path / "sprites/extra.png").write_bytes(b"no sprite")
    packed = overhaul.pack(folder.path, tmp_path / "out.spr")
    assert any("sprites/extra.png has no effect" in warning for warning in packed.warnings)
    again = SpriteSet.read((tmp_path / "out.spr").read_bytes())
    assert len(again.slots) == 8 and again.header.last_slot == 7
    assert isinstance(again.slots[5], EmptySlot)
    assert again.pixels(instance(Sprite, again.slots[7])) == Pixels(2, 1, 1, b"\x09\x09")


def test_rows_of_sprites_that_were_edited(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    folder.edit("sprites.json", lambda shown: shown["sprites"][2].update(alpha=9, compression=0))
    again = SpriteSet.read(folder.pack())
    sprite = instance(Sprite, again.slots[3])
    assert again.pixels(sprite).data == b"\1\2\3\x09\4\5\6\x09"
    assert again.compression_of(sprite) == 0
    colours = {"palette": "010203090405060907070707"}
    folder.edit("sprites.json", lambda shown: shown["sprites"][2].update(colours))
    again = SpriteSet.read(folder.pack())
    assert instance(Sprite, again.slots[3]).palette.hex() == colours["palette"]
    # A picture with other colours gets a palette of its own, and this is told.
    Image.new("RGB", (2, 1), (1, 1, 1)).save(folder.path / "sprites/00003.png")
    warnings = overhaul.pack(folder.path, tmp_path / "out.spr").warnings
    assert any("sprites/00003.png gets another palette" in warning for warning in warnings)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"zz": 1}, "unknown field 'zz'"),
        ({"alpha": 300}, "alpha: expected"),
        ({"alpha": None}, "alpha: expected"),
        ({"compression": 4}, "compression: expected"),
        ({"palette": "0102"}, "palette: expected 4 bytes"),
    ],
)
def test_errors_in_the_row_of_a_sprite(
    row: dict[str, object], message: str, tmp_path: Path
) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    folder.edit("sprites.json", lambda shown: shown["sprites"][2].update(row))
    with pytest.raises(WorkspaceError, match=f"slot 3: {message}"):
        folder.pack()


def test_colours_of_old_sprite_sets(tmp_path: Path) -> None:
    """Those of the set itself, unless they are no colours: editors left their memory there."""
    made = SpriteSet(version=4)
    made.slots = [EmptySlot()]
    made.replace(0, Pixels(2, 1, 1, b"\1\0"))
    for name, palette, colour in (
        ("own", bytes(3) + bytes([63, 0, 21]) + bytes(762), (255, 0, 85)),
        ("none", bytes(3) + bytes([64, 0, 21]) + bytes(762), (1, 1, 1)),
    ):
        made.header.palette = palette
        (tmp_path / name).mkdir()
        folder = Folder(tmp_path / name, "acsprset.spr", made.to_bytes())
        image = Image.open(folder.path / "sprites/00000.png").convert("RGB")
        assert image.getpixel((0, 0)) == colour


@pytest.mark.parametrize(
    ("number", "colour", "told"),
    [
        (1, (9, 8, 7), "colour 1 is #090807 in its palette, and stays #FF0055"),
        (200, (9, 8, 7), "colour 200 is #090807 in its palette, and stays #000000"),
        (1, (255, 0, 85), ""),  # as it was
        (2, (0, 0, 0), ""),  # editors write no colours that no pixel has
    ],
)
def test_a_palette_that_is_not_stored_is_told(
    number: int, colour: tuple[int, int, int], told: str, tmp_path: Path
) -> None:
    made = SpriteSet(version=4)
    made.header.palette = bytes(3) + bytes([63, 0, 21]) * 2 + bytes(759)
    made.slots = [EmptySlot()]
    made.replace(0, Pixels(2, 1, 1, b"\1\0"))
    folder = Folder(tmp_path, "acsprset.spr", made.to_bytes())
    path = folder.path / "sprites/00000.png"
    image = Image.open(path)
    palette = bytearray(image.getpalette() or []).ljust(768, b"\0")
    palette[3 * number : 3 * number + 3] = bytes(colour)
    image.putpalette(palette)
    image.putpixel((1, 0), 1)
    image.save(path)
    packed = overhaul.pack(folder.path, tmp_path / "out.spr")
    assert [*map(str, packed.warnings)] == (
        [f"sprites/00000.png: {told}: only the pixels are stored"] if told else []
    )
    again = SpriteSet.read((tmp_path / "out.spr").read_bytes())
    assert again.pixels(next(again.filled())[1]).data == b"\1\1"


# --- packages -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("version", [6, 10, 11, 15, 20, 21, 30])
def test_a_package_as_files(version: int, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.ags", package(version).to_bytes())
    shown = folder.json("package.json")
    assert shown["version"] == version and shown["trailing"] == {"0": "656e64"}
    assert ("seed" in shown) == (version == 21) and ("modifier" in shown) == (version == 6)
    first, second = instance(list, shown["assets"])
    assert first["name"] == "aü.txt" and (folder.path / first["file"]).read_bytes() == b"first"
    assert second["name"] == "b:c" and second.get("gap") == (None if version == 6 else "676170")
    with overhaul.open(folder.file) as document:
        coverage = document.coverage()
        assert coverage.media == 11 and coverage.opaque == (3 if version == 6 else 6)
        assert [(r.name, r.size) for r in document.tree()] == [("a\udcfc.txt", 5), ("b:c", 6)]
        found = Package.read(folder.data)
        assert document.locate(found.assets[1].offset) == "assets[1] b:c"
        assert document.locate(found.assets[1].offset + 5) == "assets[1] b:c"
        assert document.locate(found.assets[1].offset + 6) == ""
        assert document.locate(found.table_size - 1) == "table"
        assert document.locate(found.table_size) != "table"
    folder.check()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown.update(version=7), "version: unknown library version 7"),
        (lambda shown: shown.update(parts="x"), "parts: expected"),
        (lambda shown: shown.update(trailing={"x": ""}), "trailing: expected the number"),
        (lambda shown: shown.update(trailing={"0": "x"}), "trailing: expected hex"),
        (lambda shown: shown.update(options="x"), "options: expected"),
        (lambda shown: shown.update(tail_width="x"), "tail_width: expected"),
        (lambda shown: shown.update(assets=5), "assets: expected a list"),
        (lambda shown: shown["assets"].append(5), r"assets\[2\]: expected an object"),
        (lambda shown: shown["assets"][1].pop("name"), r"assets\[1\]\.name: expected a text"),
        (lambda shown: shown["assets"][1].pop("file"), r"assets\[1\]\.file: expected a text"),
        (lambda shown: shown["assets"][0].update(gap="x"), r"assets\[0\]\.gap: expected hex"),
        (lambda shown: shown["assets"][0].update(part="x"), r"assets\[0\]\.part: expected"),
    ],
)
def test_errors_in_package_json(change: Edit, message: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.ags", package(30).to_bytes())
    folder.refuses("package.json", change, message)


def test_a_package_behind_a_program_with_options(tmp_path: Path) -> None:
    made = package(30)
    made.prefix, made.tail_width = b"MZ program", 8
    instance(Table30, made.table).options = 3
    folder = Folder(tmp_path, "x.exe", made.to_bytes())
    assert "program.exe" in folder.names()
    shown = folder.json("package.json")
    assert (shown["tail_width"], shown["options"]) == (8, 3)
    with overhaul.open(folder.file) as document:
        assert dict(document.info())["program_bytes"] == 10
        assert document.coverage().media == 21
        found = Package.read(folder.data)
        assert document.locate(found.assets[0].offset + 10) == "assets[0] a\udcfc.txt"
    folder.check()
    (folder.path / "program.exe").write_bytes(b"MZ longer program")
    assert Package.read(folder.pack()).prefix == b"MZ longer program"
    (folder.path / "program.exe").unlink()
    assert Package.read(folder.pack()).prefix == b""


def test_a_part_alone(tmp_path: Path) -> None:
    sprites = sprite_set(12)
    sprites.trailing = b""
    data = b"CLIB\x1a\x1e\x02" + sprites.to_bytes() + b"rest"
    folder = Folder(tmp_path, "x.002", data)
    assert folder.names() == ["assets/acsprset.spr", "package.json", "part.bin"]
    assert folder.json("package.json") == {
        "version": 30,
        "part": 2,
        "assets": [{"name": "acsprset.spr", "file": "assets/acsprset.spr"}],
    }
    with overhaul.open(folder.file) as document:
        assert dict(document.info())["part"] == 2
        coverage = document.coverage()
        assert (coverage.opaque, coverage.media) == (4, len(data) - 11)
    folder.check()
    (folder.path / "part.bin").write_bytes(b"other rest")
    assert folder.pack().endswith(b"other rest")


# --- rooms --------------------------------------------------------------------------------------


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
    made.blocks.add("ext_sopts", TextMap([Entry("textencoding", "1250")]))
    made.blocks.add("unknown", b"bytes")
    return made


def test_a_room_as_files(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    masks = [f"masks/{name}.png" for name in ("hotspot", "region", "walk_behind", "walkable")]
    pictures = ["background.png", "background_1.png"]
    assert folder.names() == [
        *pictures, "blocks/5_unknown.bin", *masks, "room.json", "script.asc", "script.asm"
    ]  # fmt: skip
    shown = folder.json("room.json")
    assert shown["version"] == 33 and shown["trailing"] == "656e64"
    main, frames, source, script, options, unknown = instance(list, shown["blocks"])
    assert main["name"] == "main" and main["fields"]["width"] == 4
    assert main["fields"]["background"] == {"palette": "01020363" * 256, "alpha": 0x44}
    assert main["fields"]["hotspot_mask"] == {"palette": "05" + "00" * 767}
    assert "region_mask" not in main["fields"]
    assert frames["fields"]["frames"] == [{"palette": "04050600" * 256, "alpha": 0x44}]
    assert (source["file"], script["file"]) == ("script.asc", "script.asm")
    assert options["fields"]["entries"] == [{"key": "textencoding", "value": "1250"}]
    assert unknown["file"] == "blocks/5_unknown.bin" and unknown["reason"] == "unknown block"
    assert 'encoding = "cp1250"' in (folder.path / "overhaul.toml").read_text()
    with overhaul.open(folder.file) as document:
        info = dict(document.info())
        assert (info["backgrounds"], info["bytes_per_pixel"], info["objects"]) == (2, 4, 1)
        assert info["blocks"] == [1, 6, 2, 7, "ext_sopts", "unknown"]
        kinds = [resource.kind for resource in document.tree()]
        assert kinds == ["room", *["background"] * 2, *["mask"] * 4, "script", "source", "block"]
        coverage = document.coverage()
        assert coverage.opaque == 8 and coverage.total == len(folder.data)
        packed = [p.packed for p in room(4).backgrounds()] + [m.packed for _, m in room(4).masks()]
        assert coverage.media == sum(map(len, packed))
    folder.check()


def test_frames_added_and_removed(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    before = Room.read(folder.data).backgrounds()
    frame = {"palette": "07" * 1024, "alpha": 9}
    folder.edit(
        "room.json",
        lambda shown: shown["blocks"][1]["fields"].update(
            frames=[shown["blocks"][1]["fields"]["frames"][0], frame], shared_palettes=[1, 0, 0]
        ),
    )
    with pytest.raises(WorkspaceError, match=r"background_2\.png is missing, .* in frames\[1\]"):
        folder.pack()
    Image.new("RGB", (2, 1), (1, 2, 3)).save(folder.path / "background_2.png")
    packed = Room.read(folder.pack())
    assert packed.backgrounds()[:2] == before
    new = packed.backgrounds()[2]
    assert new.pixels(4).data == b"\3\2\1\x09" * 2 and new.palette == bytes([7]) * 1024
    folder.edit(
        "room.json",
        lambda shown: shown["blocks"][1]["fields"].update(frames=[], shared_palettes=[1]),
    )
    for name in ("background_1.png", "background_2.png"):
        (folder.path / name).unlink()
    packed = Room.read(folder.pack())
    assert packed.backgrounds() == before[:1]
    assert packed.blocks.content(6) == AnimatedBackgrounds(1, 4, [1], [])


def test_a_changed_background_is_packed_quickly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    Image.new("RGB", (4, 3), (1, 2, 3)).save(folder.path / "background.png")
    exact: list[bytes] = []

    def pack_exactly(data: bytes, *, signed: bool) -> bytes:
        exact.append(data)
        return compress_lzw(data, signed=signed)

    monkeypatch.setattr("overhaul.ags.room.pictures.compress_lzw", pack_exactly)
    assert Room.read(folder.pack()).backgrounds()[0].pixels(4).data == b"\3\2\1\x44" * 12
    assert not exact
    # Built of its plain files alone, a room is what the editors write.
    overhaul.pack(folder.path, tmp_path / "anew", from_scratch=True)
    assert len(exact) == 2


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_backgrounds_that_changed(depth: int, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(depth).to_bytes())
    path = folder.path / "background.png"
    image = Image.open(path)
    image.resize((5, 3)).save(path)
    packed = Room.read(folder.pack())
    warning = folder.warnings[-1]
    assert "is 5 x 3" in warning and "is 4 x 3" in warning
    # Resizing makes colours between those that 16 bits can hold.
    assert len(folder.warnings) == (2 if depth == 2 else 1)
    new = packed.backgrounds()[0]
    assert new.pixels(depth).width == 5 and new.palette == bytes([1, 2, 3, 99]) * 256
    if depth == 4:
        assert new.pixels(4).uniform_alpha == 0x44
        folder.edit(
            "room.json",
            lambda shown: shown["blocks"][0]["fields"]["background"].update(alpha=7),
        )
        assert Room.read(folder.pack()).backgrounds()[0].pixels(4).uniform_alpha == 7
    path.unlink()
    with pytest.raises(WorkspaceError, match=r"background\.png is missing, but room\.json"):
        folder.pack()


def test_an_edited_field_leaves_how_a_background_is_packed(tmp_path: Path) -> None:
    made = room(1)
    picture = made.backgrounds()[0]
    pixels = picture.pixels(1)
    usual = picture.packed
    # Eight bytes as they are behind each byte of flags: no editor packs so.
    data = struct.pack("<2i", 4, 3) + pixels.data
    picture.packed = b"".join(b"\0" + data[at : at + 8] for at in range(0, len(data), 8))
    assert picture.pixels(1) == pixels and picture.packed != usual
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    folder.edit("room.json", lambda shown: shown["blocks"][0]["fields"].update(edge_left=3))
    packed = Room.read(folder.pack())
    assert packed.backgrounds()[0].packed == picture.packed
    assert instance(MainBlock, packed.main).edge_left == 3


def test_colours_of_a_mask_that_are_not_stored_are_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(1).to_bytes())
    path = folder.path / "masks" / "region.png"
    image = Image.open(path)
    palette = image.getpalette() or []
    image.putpalette([9, 8, 7, *palette[3:]])
    image.save(path)
    folder.pack()
    assert any("region.png: colour 0 is #090807" in each for each in folder.warnings)
    folder.pack(from_scratch=True)
    assert not any("region.png" in each for each in folder.warnings)


def test_old_scripts_are_kept_as_bytes_with_the_reason(tmp_path: Path) -> None:
    made = room(1)
    for id in (3, 4):
        made.blocks.add(id, b"compiled")
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    shown = instance(list, folder.json("room.json")["blocks"])
    reasons = [row.get("reason") for row in shown if row["id"] in (3, 4)]
    assert reasons == ["a script compiled before 2.1"] * 2


@pytest.mark.parametrize(
    ("version", "options", "modern"),
    [(32, True, False), (33, False, False), (33, True, True), (40, False, False), (40, True, True),
     (2304, False, True), (3060009, False, True)],
)  # fmt: skip
def test_which_editors_wrote_a_room(version: int, options: bool, modern: bool) -> None:
    made = Room(version=version, blocks=DecodedBlocks(ROOM, version))
    if options:
        made.blocks.add("ext_sopts", TextMap([]))
    assert made.is_modern == modern


@pytest.mark.parametrize(
    ("row", "height", "good"), [(0, 0, True), (0, 3, True), (-4, 0, False), (0, -1, False)]
)
def test_sizes_of_a_background_without_pixels(row: int, height: int, good: bool) -> None:
    data = struct.pack("<2i", row, height)
    picture = LzwPicture(unpacked_size=8, packed=compress_lzw(data, signed=False))
    if good:
        assert (picture.pixels(1).width, picture.pixels(1).height) == (row, height)
    else:
        with pytest.raises(FormatError, match="rows of"):
            picture.pixels(1)


def test_a_broken_mask_says_where() -> None:
    data = struct.pack("<2h", 4, 3) + b"\xf0\1"  # a run of 17 in a picture of 12
    with pytest.raises(FormatError) as caught:
        codec_for(Mask, 33).read(data, 0, new_reader(33))
    assert caught.value.offset == 6


def test_a_background_that_does_not_unpack_is_kept(tmp_path: Path) -> None:
    made = room(1)
    broken = made.backgrounds()[1]
    broken.unpacked_size, broken.packed = 50, b"\0abc"
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    assert "background_1.bin" in folder.names() and "background_1.png" not in folder.names()
    with overhaul.open(folder.file) as document:
        coverage = document.coverage()
        assert any(entry.path == "backgrounds[1]" for entry in coverage.details)
    folder.check()
    raw = folder.path / "background_1.bin"
    raw.write_bytes(raw.read_bytes()[:-3] + b"xyz")
    assert Room.read(folder.pack()).backgrounds()[1].packed == b"\0xyz"
    whole = raw.read_bytes()
    for wrong, message in ((b"x", ""), (whole + b"x", f"has {len(whole)} bytes, the file")):
        raw.write_bytes(wrong)
        with pytest.raises(WorkspaceError, match=rf"background_1\.bin: .*{message}"):
            folder.pack()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown.update(version=1), "version: expected a whole number from 2"),
        (lambda shown: shown.update(version=1 << 31), "version: expected a whole number from 2"),
        (lambda shown: shown.update(trailing="x"), "trailing: expected"),
        (
            lambda shown: shown["blocks"][0].update(fields=[]),
            r"room\.json:\d+:\d+: blocks\[0\]\.fields: expected an object",
        ),
        (
            lambda shown: shown["blocks"][0]["fields"]["background"].update(palette="00"),
            r"blocks\[0\]\.fields\.background\.palette: expected 1024 bytes",
        ),
        (
            lambda shown: shown["blocks"][0]["fields"]["background"].update(alpha=-1),
            r"blocks\[0\]\.fields\.background\.alpha: expected a whole number from 0 to 255",
        ),
        (
            lambda shown: shown["blocks"][0]["fields"]["hotspot_mask"].update(palette="00"),
            r"blocks\[0\]\.fields\.hotspot_mask\.palette: expected 768 bytes",
        ),
        (
            lambda shown: shown["blocks"][1]["fields"].update(frames={}),
            r"blocks\[1\]\.fields\.frames: expected a list",
        ),
        (
            lambda shown: shown["blocks"][1]["fields"]["frames"][0].update(palette="00"),
            r"blocks\[1\]\.fields\.frames\[0\]\.palette: expected 1024 bytes",
        ),
        (
            lambda shown: shown["blocks"][1]["fields"].update(shared_palettes=[1]),
            r"blocks\[1\]\.fields\.shared_palettes: expected 2 .* 1 frames, got 1",
        ),
        (lambda shown: shown["blocks"].append({"id": 0, "file": "x"}), r"blocks\[6\]: expected"),
        (lambda shown: shown["blocks"].append({"id": "x", "fields": {}}), r"blocks\[6\]: "),
        (lambda shown: shown["blocks"][0].update(rest="x"), r"blocks\[0\]: expected hex"),
        (
            lambda shown: shown["blocks"][2].update(id=7),
            r"blocks\[2\]\.name: 'script source' is not the name of block 7",
        ),
        (
            lambda shown: shown["blocks"][2].update(id=7, name="compiled script"),
            r"blocks\[2\]\.file: script\.asc can't be the file of block 7",
        ),
        (
            lambda shown: shown["blocks"][3].update(file="script.asc"),
            r"blocks\[3\]\.file: script\.asc can't be the file of block 7",
        ),
        (
            lambda shown: shown["blocks"][5].update(file="script.asm"),
            r"blocks\[5\]\.file: script\.asm can't be the file of block 'unknown'",
        ),
        (
            lambda shown: shown["blocks"][3].update(file="blocks/5_unknown.bin"),
            r"blocks\[5\]\.file: 'blocks/5_unknown\.bin' is the file of blocks\[3\]",
        ),
        (lambda shown: shown["blocks"][5].update(name="x"), r"name: 'x' is not the name of"),
        (lambda shown: shown["blocks"].reverse(), "blocks: the first is the block 1, 'main'"),
        (lambda shown: shown["blocks"].clear(), "blocks: the first is the block 1, 'main'"),
        (lambda shown: shown.update(version=2303), r"room\.json.*\(version: 2303, it was \d+\)"),
    ],
)
def test_errors_in_a_room(change: Edit, message: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    folder.refuses("room.json", change, message)


def test_a_room_of_the_oldest_version(tmp_path: Path) -> None:
    """A version that is just allowed; and its background, which is packed as a mask is."""
    made = Room(version=2, blocks=DecodedBlocks(ROOM, 2))
    main = MainBlock(walk_behind_baselines=[0] * 15)
    for name in ("responses", "values", "data", "extra", "scores"):
        setattr(main, f"condition_{name}", [0] * 125)
    for mask in (
        main.old_background, main.walkable_mask, main.walk_behind_mask, main.hotspot_mask
    ):  # fmt: skip
        mask.set_pixels(Pixels(4, 3, 1, bytes(range(12))), by_row=True)
    main.old_background.palette = bytes([9]) * 768
    made.blocks.add(1, main)
    folder = Folder(tmp_path, "room1.crm", made.to_bytes() + bytes(2000))
    assert folder.names() == [
        "background.png", "masks/hotspot.png", "masks/walk_behind.png", "masks/walkable.png",
        "room.json",
    ]  # fmt: skip
    folder.check()
    path = folder.path / "background.png"
    image = Image.open(path)
    image.putpixel((0, 0), 77)
    palette = image.getpalette() or []
    palette[0] = 255
    image.putpalette(palette)
    image.save(path)
    again = Room.read(folder.pack()).old_background
    assert again is not None and again.pixels().data[:3] == b"\x4d\1\2"
    assert again.palette == b"\x3f" + bytes([9]) * 767


def test_rooms_that_need_the_encoding(tmp_path: Path) -> None:
    made = room(1)
    main = made.main
    assert main is not None
    main.messages, main.message_count = ["\udcb9"], 1
    main.message_info = [MessageInfo()]
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    with overhaul.open(folder.file) as document:
        assert dict(document.info())["encoding"] == "cp1250"
    shown = folder.json("room.json")
    assert shown["messages"] == [{"text": "ą", "display_as": 0, "flags": 0}]
    folder.check()
    folder.edit("room.json", lambda shown: shown["messages"][0].update(text="Ω"))
    with pytest.raises(WorkspaceError, match="cp1250"):
        folder.pack()


def test_a_list_to_the_end_may_be_empty() -> None:
    codec = codec_for(RoomProperties, 33)
    found, end = codec.read(b"\1\0\0\0\2\0\0\0\0\0\0\0", 0, new_reader(33))
    assert found == RoomProperties() and end == 12
    with pytest.raises(FormatError):
        codec.read(b"\1\0\0", 0, new_reader(33))
    with pytest.raises(FormatError, match="2"):
        codec.read(b"\2\0\0\0", 0, new_reader(33))


def test_colours_that_sixteen_bits_can_not_hold_are_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    path = folder.path / "sprites/00001.png"
    for image, told in (
        (Image.new("RGB", (2, 2), (1, 2, 3)), True),
        (Image.new("RGB", (2, 2), (255, 0, 255)), False),
        (Image.new("RGBA", (2, 2), (255, 0, 255, 9)), True),
        (Image.new("RGBA", (2, 2), (255, 0, 255, 255)), False),
    ):
        image.save(path)
        warnings = overhaul.pack(folder.path, tmp_path / "out.spr", force=True).warnings
        assert any("00001.png is stored with 16 bits" in each for each in warnings) == told


@pytest.mark.parametrize(("version", "compression"), [(6, 0), (11, 2), (12, 3)])
def test_a_set_packed_in_another_way(version: int, compression: int, tmp_path: Path) -> None:
    made = sprite_set(version)
    made.slots[4] = EmptySlot()
    folder = Folder(tmp_path, "acsprset.spr", made.to_bytes())
    folder.edit("sprites.json", lambda shown: shown.update(compression=compression))
    again = SpriteSet.read(folder.pack())
    assert again.compression == compression
    for slot in (0, 1, 3):
        before, after = instance(Sprite, made.slots[slot]), instance(Sprite, again.slots[slot])
        assert made.pixels(before) == again.pixels(after)
        assert again.compression_of(after) == compression
    folder.edit("sprites.json", lambda shown: shown.update(compression=4))
    with pytest.raises(WorkspaceError, match="compression: expected"):
        folder.pack()


def test_a_room_of_another_depth(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    before = Room.read(folder.data).backgrounds()

    def deep(depth: object) -> None:
        folder.edit("room.json", lambda s: s["blocks"][0]["fields"].update(depth=depth))

    deep(3)
    for old, new in zip(before, Room.read(folder.pack()).backgrounds(), strict=True):
        colours = old.pixels(4).data
        kept = bytes(byte for at, byte in enumerate(colours) if at % 4 != 3)
        assert new.pixels(3).data == kept
    deep(1)
    with pytest.raises(
        WorkspaceError, match=r"background\.png: expected an indexed .*\(room\.json: depth: 1\)"
    ):
        folder.pack()
    for wrong in (5, -1):
        deep(wrong)
        with pytest.raises(
            WorkspaceError, match=r"room.json:\d+:\d+: blocks\[0\]\.fields\.depth: expected"
        ):
            folder.pack()


@pytest.mark.parametrize("wrong", ["blocks/none.bin", 5])
def test_the_file_of_a_block_that_is_not_there(wrong: object, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    folder.edit("room.json", lambda shown: shown["blocks"][5].update(file=wrong))
    with pytest.raises(
        WorkspaceError, match=rf"room.json: blocks\[5\]\.file: {wrong!r} is missing"
    ):
        folder.pack()


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("room1.crm", lambda: room(4).to_bytes()),
        ("acsprset.spr", lambda: sprite_set(12).to_bytes()),
        ("x.ags", lambda: package(21).to_bytes()),
    ],
)
def test_the_version_in_the_settings_is_that_of_the_file(
    name: str, made: Callable[[], bytes], tmp_path: Path
) -> None:
    folder = Folder(tmp_path, name, made())
    toml = folder.path / "overhaul.toml"
    text = toml.read_text("utf-8")
    toml.write_text(re.sub(r'version = "(\d+)"', r'version = "\g<1>1"', text, count=1), "utf-8")
    with pytest.raises(WorkspaceError, match=r"overhaul.toml: document.version: the file is of"):
        folder.pack()


def test_the_oldest_packages_have_no_parts(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.vox", package(6).to_bytes())
    assert "parts" not in folder.json("package.json")
    folder.check()
    folder.edit("package.json", lambda shown: shown.update(parts=["x"]))
    with pytest.raises(WorkspaceError, match=r"parts: version 6 has no list of parts"):
        folder.pack()


@pytest.mark.parametrize("blocks", [[], [{"id": GAME_ID, "fields": {}}]])
def test_a_dictionary_without_its_block_is_refused(blocks: list[Json], tmp_path: Path) -> None:
    made = Translation()
    made.set_pairs([Pair("a", "b")])
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    folder.edit("translation.json", lambda shown: shown.update(blocks=blocks))
    with pytest.raises(WorkspaceError, match="is there, but no block has it"):
        folder.pack()
    (folder.path / "dictionary.trs").write_bytes(b"\nx\n")
    with pytest.raises(SourceError, match=r"dictionary\.trs:1:1: the text is empty"):
        folder.pack()


@pytest.mark.parametrize(("opaque", "alpha"), [(255, 0), (77, 77)])
def test_an_opaque_picture_has_the_alpha_of_json(opaque: int, alpha: int, tmp_path: Path) -> None:
    """Editors write pictures without alpha as opaque ones; another alpha is the picture's."""
    made = SpriteSet(version=12, slots=[EmptySlot()])
    made.replace(0, Pixels(1, 1, 4, b"\1\2\3\0"))
    folder = Folder(tmp_path, "acsprset.spr", made.to_bytes())
    Image.new("RGBA", (1, 1), (9, 8, 7, opaque)).save(folder.path / "sprites/00000.png")
    again = SpriteSet.read(folder.pack())
    assert again.pixels(next(again.filled())[1]).data == bytes([7, 8, 9, alpha])
