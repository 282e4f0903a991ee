"""The folders of sprite sets: what they hold, edits, and errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import overhaul
from ags_folders import Edit, Folder, sprite_set
from overhaul.ags.pictures import Pixels
from overhaul.ags.sprites import EmptySlot, Sprite, SpriteSet
from overhaul.errors import WorkspaceError
from present import instance


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
    with pytest.raises(WorkspaceError, match=r"00004\.bin: it is missing"):
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
    assert any("sprites/extra.png: it has no effect" in warning for warning in packed.warnings)
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
    # A picture with other colours gets a palette of its own, with a warning.
    Image.new("RGB", (2, 1), (1, 1, 1)).save(folder.path / "sprites/00003.png")
    warnings = overhaul.pack(folder.path, tmp_path / "out.spr").warnings
    assert any("00003.png: the picture gets another pal" in warning for warning in warnings)


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
    ("number", "colour", "reported"),
    [
        (1, (9, 8, 7), "colour 1 is #090807 in its palette, and stays #FF0055"),
        (200, (9, 8, 7), "colour 200 is #090807 in its palette, and stays #000000"),
        (1, (255, 0, 85), ""),  # as it was
        (2, (0, 0, 0), ""),  # editors write no colours that no pixel has
    ],
)
def test_a_palette_that_is_not_stored_is_reported(
    number: int, colour: tuple[int, int, int], reported: str, tmp_path: Path
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
        [f"sprites/00000.png: {reported}: only the pixels are stored"] if reported else []
    )
    again = SpriteSet.read((tmp_path / "out.spr").read_bytes())
    assert again.pixels(next(again.filled())[1]).data == b"\1\1"


def test_colours_that_sixteen_bits_can_not_hold_are_reported(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "acsprset.spr", sprite_set(12).to_bytes())
    path = folder.path / "sprites/00001.png"
    for image, reported in (
        (Image.new("RGB", (2, 2), (1, 2, 3)), True),
        (Image.new("RGB", (2, 2), (255, 0, 255)), False),
        (Image.new("RGBA", (2, 2), (255, 0, 255, 9)), True),
        (Image.new("RGBA", (2, 2), (255, 0, 255, 255)), False),
    ):
        image.save(path)
        warnings = overhaul.pack(folder.path, tmp_path / "out.spr", force=True).warnings
        assert any("it is stored with 16 bits" in warning for warning in warnings) == reported


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


@pytest.mark.parametrize(("opaque", "alpha"), [(255, 0), (77, 77)])
def test_an_opaque_picture_has_the_alpha_of_json(opaque: int, alpha: int, tmp_path: Path) -> None:
    """Editors write pictures without alpha as opaque ones; another alpha is the picture's."""
    made = SpriteSet(version=12, slots=[EmptySlot()])
    made.replace(0, Pixels(1, 1, 4, b"\1\2\3\0"))
    folder = Folder(tmp_path, "acsprset.spr", made.to_bytes())
    Image.new("RGBA", (1, 1), (9, 8, 7, opaque)).save(folder.path / "sprites/00000.png")
    again = SpriteSet.read(folder.pack())
    assert again.pixels(next(again.filled())[1]).data == bytes([7, 8, 9, alpha])
