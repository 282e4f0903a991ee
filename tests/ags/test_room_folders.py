"""The folders of rooms: what they hold, edits, and errors in them."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import ags_games
import overhaul
from ags_folders import Edit, Folder, package, room, sprite_set
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import ROOM
from overhaul.ags.fields import new_reader
from overhaul.ags.folder.room_pictures import AREA_COLOURS
from overhaul.ags.lzw_encoder import compress_lzw
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import TextMap
from overhaul.ags.room import Room
from overhaul.ags.room.pictures import LzwPicture, Mask
from overhaul.ags.room.records import (
    AnimatedBackgrounds,
    MainBlock,
    MessageInfo,
    Point,
    RoomProperties,
    SourceText,
)
from overhaul.ags.room.room import room_size
from overhaul.errors import FormatError, SourceError, WorkspaceError
from overhaul.schema import codec_for
from present import instance


def test_a_room_as_files(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    masks, more = ["hotspots.png", "regions.png"], ["walk_behinds.png", "walkable.png"]
    pictures = ["background.png", "background_1.png"]
    assert folder.names() == [
        *pictures, "blocks/5_unknown.bin", *masks, "room.json", "script.asc",
        "script.asm", *more
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
    with pytest.raises(WorkspaceError, match=r"2\.png: it is missing, .* in frames\[1\]"):
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
    with pytest.raises(WorkspaceError, match=r"background\.png: it is missing, but room\.json"):
        folder.pack()


def test_a_repainted_background_keeps_the_alpha_of_all_its_pixels(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())
    folder.edit("room.json", lambda shown: shown["blocks"][0]["fields"]["background"].pop("alpha"))
    Image.new("RGB", (4, 3), (1, 2, 3)).save(folder.path / "background.png")
    packed = Room.read(folder.pack())
    assert packed.backgrounds()[0].pixels(4).data == b"\3\2\1\x44" * 12
    assert packed.backgrounds()[1].pixels(4).data == b"\x11\x22\x33\x44" * 12


def test_a_background_of_another_depth_is_opaque(tmp_path: Path) -> None:
    """The old bytes, read at the new depth, would all have the alpha 5."""
    made = room(2)
    for picture in made.backgrounds():
        picture.set_pixels(Pixels(4, 3, 2, bytes([5]) * 24), signed=False)
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    folder.edit("room.json", lambda shown: shown["blocks"][0]["fields"].update(depth=4))
    for name in ("background.png", "background_1.png"):
        Image.new("RGB", (4, 3), (1, 2, 3)).save(folder.path / name)
    packed = Room.read(folder.pack())
    assert [each.pixels(4).data for each in packed.backgrounds()] == [b"\3\2\1\xff" * 12] * 2


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


def test_colours_of_a_mask_that_are_not_stored_are_reported(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(1).to_bytes())
    path = folder.path / "regions.png"
    image = Image.open(path)
    palette = image.getpalette() or []
    image.putpalette([9, 8, 7, *palette[3:]])
    image.save(path)
    folder.pack()
    assert any("regions.png: colour 0 is #090807" in warning for warning in folder.warnings)
    folder.pack(from_scratch=True)
    assert not any("regions.png" in warning for warning in folder.warnings)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_mask_may_have_the_colours_of_the_palette_without_it(tmp_path: Path, mode: str) -> None:
    """As editors write it that know no palettes."""
    folder = Folder(tmp_path, "room1.crm", room(1).to_bytes())
    path = folder.path / "regions.png"
    image = Image.open(path)
    image.load()
    numbers = [1, 0, 2, *image.tobytes()[3:]]
    image.putdata(numbers)
    image.convert(mode).save(path)
    for from_scratch in (False, True):
        packed = Room.read(folder.pack(from_scratch=from_scratch))
        assert list(dict(packed.masks())["region"].pixels().data) == numbers
        assert not any("regions.png" in warning for warning in folder.warnings)
    other = image.convert(mode)
    other.putpixel((2, 0), (1, 2, 3) if mode == "RGB" else (1, 2, 3, 9))
    other.save(path)
    message = r"regions\.png: the pixel at 2, 0 is #010203, which is the colour of no area"
    with pytest.raises(WorkspaceError, match=message):
        folder.pack()
    other.putpixel((2, 0), (0, 0, 0) if mode == "RGB" else (1, 2, 3, 0))  # transparent: no area
    other.save(path)
    packed = Room.read(folder.pack())
    assert list(dict(packed.masks())["region"].pixels().data)[:3] == [1, 0, 0]
    other.putpixel((2, 0), _area(40))
    other.save(path)
    with pytest.raises(WorkspaceError, match=r"the pixel at 2, 0 is of area 40, but the room has"):
        folder.pack()


def _area(number: int) -> tuple[int, ...]:
    """The colour of an area."""
    return tuple(AREA_COLOURS[3 * number : 3 * number + 3])


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


@pytest.mark.parametrize("version", [29, 33, 3060008])
def test_a_room_ends_with_its_blocks(version: int) -> None:
    """Whatever stands behind it, as in a package that lists no files."""
    data = ags_games.room(version).to_bytes()
    assert room_size(data) == room_size(data + bytes(100)) == room_size(data + data) == len(data)


def test_the_blocks_of_a_new_room_are_of_its_version() -> None:
    made = Room()
    assert (made.blocks.format, made.blocks.version) == (ROOM, made.version)


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


@pytest.mark.parametrize(
    ("size", "depth", "good"),
    [(12, 1, True), (12, 2, True), (11, 1, False), (13, 1, False), (12, 3, False)],
)
def test_a_background_has_the_bytes_of_its_rows(size: int, depth: int, good: bool) -> None:
    data = struct.pack("<2i", 4, 3) + bytes(range(size))
    picture = LzwPicture(unpacked_size=len(data), packed=compress_lzw(data, signed=False))
    if good:
        assert picture.pixels(depth) == Pixels(4 // depth, 3, depth, bytes(range(12)))
    else:
        with pytest.raises(FormatError, match=f"expected 3 rows of 4 bytes, got {size} bytes"):
            picture.pixels(depth)


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
            r"blocks\[3\]\.id: block 7 is there twice",
        ),
        (
            lambda shown: shown["blocks"][3].update(file="script.asc"),
            r"blocks\[3\]\.file: 'script\.asc' is the file of blocks\[2\]",
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


def oldest_room() -> Room:
    """A room of a version that is just allowed."""
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
    return made


def test_a_room_of_the_oldest_version(tmp_path: Path) -> None:
    """Its background is packed as a mask is."""
    folder = Folder(tmp_path, "room1.crm", oldest_room().to_bytes() + bytes(2000))
    assert folder.names() == [
        "background.png", "hotspots.png", "room.json", "walk_behinds.png", "walkable.png",
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


def test_a_damaged_room_before_blocks_comes_back_from_its_files(tmp_path: Path) -> None:
    data = oldest_room().to_bytes() + bytes(2000)
    folder = Folder(tmp_path, "room1.crm", data[: len(data) - 2300])
    assert folder.json("room.json")["blocks"] != []
    assert folder.pack(from_scratch=True) == folder.data


def _with_source(folder: Folder, source: bytes) -> None:
    (folder.path / "script.asc").write_bytes(source)


def test_the_source_of_an_old_room_is_not_what_the_game_runs(tmp_path: Path) -> None:
    made = room(4)
    source = instance(SourceText, made.source)
    source.text = b'// by me\r\nfunction room_a() {\r\n  Display("x");\r\n}\r\n'
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    for text, line in (
        (source.text.replace(b'"x"', b'"y"'), 3),
        (source.text + b"function room_b() { }\r\n", 5),
        (source.text.replace(b"}\r\n", b""), 3),
        (b"nonsense (", 1),
    ):
        _with_source(folder, text)
        with pytest.raises(SourceError) as caught:
            folder.pack()
        assert str(caught.value) == (
            f"script.asc:{line}:1: the game runs script.asm, which does not follow from this text: "
            "edit script.asm too"
        )
    _with_source(folder, b"'")
    with pytest.raises(SourceError, match=r"^script\.asc:1:1: the literal that begins with '"):
        folder.pack()
    # What is no code may change, and all of it together with the compiled script.
    other = source.text.replace(b"// by me", b"/* by you */  ").replace(b'("x")', b'( "x" )')
    _with_source(folder, other)
    assert instance(SourceText, Room.read(folder.pack()).source).text == other
    edited = source.text.replace(b'"x"', b'"y"')
    _with_source(folder, edited)
    assembly = folder.path / "script.asm"
    assembly.write_text(assembly.read_text().replace("\n.code\n", "\n.code\n    ret\n"))
    packed = Room.read(folder.pack())
    assert instance(SourceText, packed.source).text == edited
    assert packed.script is not None and packed.script.words == (5,)


@pytest.mark.parametrize("file", ["script.asc", "script.asm"])
def test_a_file_whose_block_is_listed_no_longer_is_refused(file: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes())

    def leave_out(shown: Any) -> None:
        left = [row for row in shown["blocks"] if row.get("file") != file]
        assert len(left) == len(shown["blocks"]) - 1
        shown["blocks"] = left

    folder.edit("room.json", leave_out)
    with pytest.raises(WorkspaceError, match=rf"blocks: no block has {re.escape(file)}, which is"):
        folder.pack()


def test_an_event_is_not_null(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(4).to_bytes(), new=True)

    def edit(shown: dict[str, Any]) -> None:
        shown["Objects"][0]["Interactions"] = {"Look": None, "Interact": "oCup_Interact"}

    folder.edit("room.json", edit)
    place = r"room\.json:\d+:\d+: Objects\[0\]\.Interactions\.Look: expected a value, got null$"
    with pytest.raises(WorkspaceError, match=place):
        folder.pack()


def test_a_name_of_a_room_ends_at_its_first_nul(tmp_path: Path) -> None:
    made = room(4)
    main = made.main
    assert main is not None
    main.hotspot_names, main.hotspot_script_names = ["Sink\0 1"], ["hSink\0ot1"]
    main.walk_to_points, main.hotspot_events, main.hotspot_count = [Point()], [[""] * 10], 1
    folder = Folder(tmp_path, "room1.crm", made.to_bytes(), new=True)
    hotspots: Any = folder.json("room.json")["Hotspots"]
    (sink,) = hotspots
    assert (sink["Name"], sink["Description"]) == ("hSink", "Sink")
    assert sink["script_name"] == "\0ot1"
    assert folder.pack(from_scratch=True) == folder.data
    folder.edit("room.json", lambda shown: shown["Hotspots"][0].update(Name="hBasin"))
    again = Room.read(folder.pack()).main
    assert again is not None
    assert again.hotspot_script_names == ["hBasin\0ot1"]
