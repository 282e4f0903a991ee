"""Documents of Adventure Game Studio: written from a folder, edited, broken."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import ags_games
import overhaul
from ags_folders import json_of, put_json, with_own_names
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder.room_pictures import mask_path
from overhaul.ags.game.game import Game
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.ags.room.records import Point, RoomProperties
from overhaul.ags.room.room import Room
from overhaul.ags.script.assembler import assemble
from overhaul.ags.sprite_index import SpriteIndex, index_of, read_index, write_index
from overhaul.ags.sprites import EmptySlot, Sprite, SpriteSet
from overhaul.ags.text import decode, encode, quote, show, unquote, unshow
from overhaul.document.protocol import HasMembers, companions_of
from overhaul.errors import EncodeError, FormatError, SourceError, WorkspaceError
from present import instance
from real_files import ROOT

EXAMPLE = ROOT / "examples" / "ags"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's package, built by its own script."""
    spec = importlib.util.spec_from_file_location("build_park", EXAMPLE / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = module.build(tmp_path_factory.mktemp("park"))
    assert isinstance(path, Path)
    return path


def test_the_example_is_read_as_it_was_written(built: Path) -> None:
    report = overhaul.verify(built)
    assert report.good and [member.kind for member in report.members] == [
        "ags-game",
        "ags-sprites",
        "ags-room",
    ]
    for member in report.members:
        assert member.coverage is not None and member.coverage.opaque == 0
    assert not report.warnings


def test_a_package_tells_its_game(built: Path) -> None:
    with overhaul.open(built) as document:
        info = dict(document.info())
    assert info["game"] == "A night in the park" and info["compiled_with"] == "3.6.1.26"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("room1.crm", "background.png"),
        ("room1.crm", "regions.png"),
        ("room1.crm", "script.asc"),
        ("room1.crm", "room.json"),
        ("game28.dta", "scripts/GlobalScript.asc"),
        ("acsprset.spr", "sprites.json"),
    ],
)
def test_files_that_are_missing(unpacked: Callable[[str], Path], name: str, file: str) -> None:
    folder = unpacked(name)
    (folder / file).unlink()
    with pytest.raises(WorkspaceError, match="missing"):
        repack(folder)


def test_the_example_holds_what_its_files_say(built: Path) -> None:
    with overhaul.open(f"{built}!room1.crm") as document:
        info: dict[str, Any] = dict(document.info())
        assert (info["width"], info["height"], info["hotspots"]) == (320, 200, 3)
    with overhaul.open(f"{built}!game28.dta") as document:
        info = dict(document.info())
        assert info["name"] == "A night in the park" and info["characters"] == 1
        assert info["resolution"] == "320x200"
    package = Package.read(built.read_bytes())
    game = Game.read(bytes(package["game28.dta"].data or b""))
    assert game.settings is not None
    # the offset of the extensions follows from what stands before them
    data = game.to_bytes()
    assert data[game.settings.extension_offset :].startswith(b"\0v360_fonts")


@pytest.fixture
def unpacked(built: Path, tmp_path: Path) -> Callable[[str], Path]:
    def unpack(name: str) -> Path:
        overhaul.unpack(f"{built}!{name}", tmp_path / name)
        with_own_names(tmp_path / name)
        return tmp_path / name

    return unpack


def repack(folder: Path) -> bytes:
    overhaul.pack(folder, folder.parent / "packed", force=True)
    return (folder.parent / "packed").read_bytes()


def edit_json(path: Path, change: Callable[[Any], None]) -> None:
    value = json_of(path.parent, path.name)
    change(value)
    put_json(path.parent, path.name, value)


# --- rooms ----------------------------------------------------------------------------------


def test_a_changed_background_changes_itself_alone(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    before = Room.read(repack(folder))
    image = Image.open(folder / "background.png")
    image.putpixel((3, 4), 9)
    image.save(folder / "background.png")
    after = Room.read(repack(folder))
    old, new = before.backgrounds()[0], after.backgrounds()[0]
    assert new.pixels(1).data[3 + 4 * 320] == 9 and new.palette == old.palette
    assert [(b.id, b.content) for b in after.blocks.blocks[1:]] == [
        (b.id, b.content) for b in before.blocks.blocks[1:]
    ]
    assert after.main is not None and before.main is not None
    after.main.background = before.main.background
    assert after.main == before.main


def test_a_changed_colour_is_taken(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    image = Image.open(folder / "background.png")
    palette = image.getpalette() or []
    palette[3:6] = [255, 0, 130]
    image.putpalette(palette)
    image.save(folder / "background.png")
    assert Room.read(repack(folder)).backgrounds()[0].palette[4:8] == b"\x3f\0\x20\0"


def test_a_mask_and_a_text_and_the_script(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    Image.new("P", (320, 200), 1).save(folder / "walkable.png")
    edit_json(
        folder / "room.json",
        lambda room: room["hotspots"][1].update(name="Der Mönd"),
    )
    script = folder / "script.asc"
    script.write_text(script.read_text("utf-8").replace("is out", "shines"), "utf-8")
    room = Room.read(repack(folder))
    assert room.main is not None and room.script is not None
    assert room.main.walkable_mask.pixels().data == b"\1" * 64000
    assert room.main.hotspot_names[1] == "Der Mönd"
    assert b"The moon shines tonight.\0" in room.script.strings


def test_a_new_hotspot_sets_the_count(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")

    lamp = {"name": "Lamp", "script_name": "hLamp", "walk_to": {"x": 1, "y": 2}}
    edit_json(folder / "room.json", lambda room: room["hotspots"].append(lamp))
    room = Room.read(repack(folder))
    main = room.main
    assert main is not None and main.hotspot_count == 4
    assert (main.hotspot_names[3], main.hotspot_script_names[3]) == ("Lamp", "hLamp")
    assert main.walk_to_points[3] == Point(1, 2) and main.hotspot_events[3] == []
    properties = room.blocks.find(8, RoomProperties)
    assert properties is not None and len(properties.sets) == 4 + len(main.objects)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            lambda r: r["hotspots"][1].update(nmae="x"),
            WorkspaceError,
            r"room.json.*: hotspots\[1\]: unknown field 'nmae'",
        ),
        (lambda r: r["hotspots"][1].update(name=None), WorkspaceError, r"hotspots\[1\].name: exp"),
        (lambda r: r["objects"].append(5), WorkspaceError, r"objects\[1\]: expected an object"),
        (
            lambda r: r["objects"][0].update(blending={}),
            WorkspaceError,
            r"objects\[0\]: blending is stored in the block 'ext_ags399', which is not there",
        ),
        (lambda r: r.update(objcets=[]), WorkspaceError, "unknown field 'objcets'"),
        (lambda r: r["blocks"][0].pop("id"), WorkspaceError, "blocks\\[0\\]: it has no id"),
        (lambda r: r["blocks"][0]["fields"].update(depht=2), WorkspaceError, "depht"),
        (lambda r: r["blocks"][0]["fields"].update(depth="2"), WorkspaceError, "depth"),
        (lambda r: r["blocks"][0]["fields"].update(width=1 << 40), WorkspaceError, "width"),
        (lambda r: r.update(version="x"), WorkspaceError, "version: expected a whole number"),
        (lambda r: r.update(blocks={}), WorkspaceError, "blocks: expected a list"),
        (lambda r: r["blocks"].append({"id": "a" * 17}), WorkspaceError, "longer than 16"),
        (lambda r: r["blocks"].append({"id": "new"}), WorkspaceError, "neither fields nor"),
        (
            lambda r: r["blocks"].append({"id": "new", "file": "blocks/new.bin"}),
            WorkspaceError,
            "missing",
        ),
    ],
)
def test_errors_in_room_json(
    unpacked: Callable[[str], Path],
    change: Callable[[Any], None],
    error: type[Exception],
    message: str,
) -> None:
    folder = unpacked("room1.crm")
    edit_json(folder / "room.json", change)
    with pytest.raises(error, match=message):
        repack(folder)


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("room.json", b"{", WorkspaceError),
        ("room.json", b"[]", WorkspaceError),
        ("background.png", b"not a picture", WorkspaceError),
        ("script.asc", b"function f() { fly(); }", SourceError),
    ],
)
def test_files_that_make_no_sense(
    unpacked: Callable[[str], Path], name: str, content: bytes, error: type[Exception]
) -> None:
    folder = unpacked("room1.crm")
    (folder / name).write_bytes(content)
    with pytest.raises(error):
        repack(folder)


def test_an_indexed_background_must_stay_indexed(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    Image.new("RGB", (320, 200)).save(folder / "background.png")
    with pytest.raises(WorkspaceError, match=r"background\.png: expected an indexed"):
        repack(folder)


def test_an_unknown_block_is_kept_and_can_be_changed(built: Path, tmp_path: Path) -> None:
    room = Room.read(bytes(Package.read(built.read_bytes())["room1.crm"].data or b""))
    room.blocks.add("my_block", b"\1\2\3")
    (tmp_path / "room.crm").write_bytes(room.to_bytes())
    report = overhaul.verify(tmp_path / "room.crm")
    assert report.identical and report.coverage is not None and report.coverage.opaque == 3
    assert any("my_block" in warning for warning in report.warnings)
    overhaul.unpack(tmp_path / "room.crm", tmp_path / "folder")
    (path,) = (tmp_path / "folder" / "blocks").iterdir()
    path.write_bytes(b"other bytes")
    again = Room.read(repack(tmp_path / "folder"))
    assert again.blocks.content("my_block") == b"other bytes"


def masked(path: Path, size: tuple[int, int], area: int) -> None:
    """A mask with an area in its last pixel."""
    image = Image.new("P", size, 0)
    image.putpalette(bytes(768))
    image.putpixel((size[0] - 1, size[1] - 1), area)
    image.save(path)


@pytest.mark.parametrize(
    ("name", "size", "area", "message"),
    [
        ("hotspot", (320, 200), 2, ""),
        ("hotspot", (320, 200), 3, "the pixel at 319, 199 is of area 3, but the room has 3"),
        ("region", (320, 200), 1, ""),
        ("region", (320, 200), 2, "is of area 2, but the room has 2, 0 included"),
        ("walkable", (320, 200), 15, ""),
        ("walkable", (320, 200), 16, "is of area 16, but the room has 16"),
        ("walk_behind", (320, 200), 15, ""),
        ("walk_behind", (320, 200), 16, "is of area 16, but the room has 16"),
        ("walkable", (319, 200), 1, "expected 320 x 200 pixels, got 319 x 200"),
        ("walkable", (320, 201), 1, "expected 320 x 200 pixels, got 320 x 201"),
    ],
)
def test_masks_must_fit_the_room(
    unpacked: Callable[[str], Path], name: str, size: tuple[int, int], area: int, message: str
) -> None:
    folder = unpacked("room1.crm")
    file = mask_path(name)
    masked(folder / file, size, area)
    if message:
        with pytest.raises(WorkspaceError, match=rf"{file}: .*{message}"):
            repack(folder)
    else:
        mask = dict(Room.read(repack(folder)).masks())[name]
        assert mask.pixels().data[-1] == area


def test_masks_may_follow_a_background_of_another_size(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    background = Image.open(folder / "background.png")
    background.resize((400, 220)).save(folder / "background.png")
    masked(folder / "hotspots.png", (400, 220), 1)
    mask = dict(Room.read(repack(folder)).masks())["hotspot"]
    assert (mask.width, mask.height) == (400, 220)


def test_an_area_that_was_there_may_stay(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    room = Room.read(repack(folder))
    mask = dict(room.masks())["walkable"]
    mask.set_pixels(Pixels(320, 200, 1, b"\xfd" * 64000), by_row=False)
    (folder.parent / "odd.crm").write_bytes(room.to_bytes())
    overhaul.unpack(folder.parent / "odd.crm", folder.parent / "odd")
    masked(folder.parent / "odd" / "walkable.png", (320, 200), 253)
    assert (
        dict(Room.read(repack(folder.parent / "odd")).masks())["walkable"].pixels().data[-1] == 253
    )


def test_a_room_needs_its_json(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("room1.crm")
    (folder / "room.json").unlink()
    for from_scratch in (False, True):
        with pytest.raises(WorkspaceError, match=r"room\.json: it is missing"):
            overhaul.pack(folder, folder.parent / "out", from_scratch=from_scratch)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda fields: fields["background"].update(zz=1), "background: unknown field 'zz'"),
        (lambda fields: fields["background"].update(alpha=300), "background.alpha: expected"),
        (lambda fields: fields.update(background=5), "background: expected an object"),
        (lambda fields: fields.update(hotspot_mask=[]), "hotspot_mask: expected an object"),
        (lambda fields: fields.update(hotspot_mask={"zz": 1}), "hotspot_mask: unknown field 'zz'"),
    ],
)
def test_errors_in_pictures_of_a_room(
    unpacked: Callable[[str], Path], change: Callable[[Any], None], message: str
) -> None:
    folder = unpacked("room1.crm")
    edit_json(folder / "room.json", lambda room: change(room["blocks"][0]["fields"]))
    with pytest.raises(WorkspaceError, match=f"room.json.*{message}"):
        repack(folder)


@pytest.mark.parametrize("path", ["background_7.png", "other.png", "stray.txt"])
def test_files_that_nothing_is_made_of_are_reported(
    unpacked: Callable[[str], Path], path: str
) -> None:
    folder = unpacked("room1.crm")
    (folder / path).write_bytes((folder / "background.png").read_bytes())
    warnings = overhaul.pack(folder, folder.parent / "out").warnings
    assert any(path in warning for warning in warnings)


def test_a_script_must_be_listed(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("game28.dta")
    new = folder / "scripts" / "modules" / "new.asc"
    new.parent.mkdir(exist_ok=True)
    new.write_text((folder / "scripts" / "GlobalScript.asc").read_text("utf-8"), "utf-8")
    with pytest.raises(WorkspaceError, match=r"new\.asc: it is there, but script_modules in"):
        repack(folder)
    listed = ["scripts/modules/new.asc"]
    edit_json(folder / "game.json", lambda shown: shown.update(script_modules=listed * 2))
    with pytest.raises(WorkspaceError, match=r"script_modules\[1\]: .* is listed twice"):
        repack(folder)
    edit_json(folder / "game.json", lambda shown: shown.update(script_modules=listed))
    game = Game.read(repack(folder))
    assert game.content is not None and len(game.content.script_modules) == 1
    # Without the key, the scripts are what they were.
    new.unlink()
    edit_json(folder / "game.json", lambda shown: shown.pop("script_modules"))
    game = Game.read(repack(folder))
    assert game.content is not None and game.content.script_modules == []


# --- game data ------------------------------------------------------------------------------


def test_game_data_edited(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("game28.dta")

    def second_ego(shown: Any) -> None:
        shown["characters"].append(shown["characters"][0] | {"script_name": "cOther"})

    edit_json(folder / "characters.json", second_ego)
    edit_json(folder / "guis" / "gMenu.json", lambda gui: gui["Controls"][0].update(Text="Leave"))
    script = folder / "scripts" / "GlobalScript.asc"
    script.write_text("\n\n" + script.read_text("utf-8"))
    game = Game.read(repack(folder))
    assert game.content is not None
    assert game.content.settings.character_count == 2
    assert game.content.characters[1].script_name == "cOther"
    assert game.content.gui.buttons[0].text == "Leave"
    assert game.content.global_script is not None
    assert game.content.global_script.words[:2] == (36, 4)
    assert game.blocks.blocks[0].offset - 25 == game.content.settings.extension_offset


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("characters.json", lambda shown: shown.update(charakters=[])),
        ("characters.json", lambda shown: shown["characters"][0].update(inventory=[1])),
        ("characters.json", lambda shown: shown["characters"][0].update(short_name="x" * 41)),
        ("characters.json", lambda shown: shown.update(character_events=[[]])),
        ("characters.json", lambda shown: shown.update(characters=5)),
        ("game.json", lambda shown: shown["settings"].update(character_count=2)),
        ("gui.json", lambda shown: shown.update(gui_version=7)),
        ("game.json", lambda shown: shown.update(version=-1)),
        ("game.json", lambda shown: shown.update(script_modules=["scripts/none.asm"])),
        ("extensions.json", lambda shown: shown["blocks"][0].update(rest="xyz")),
    ],
)
def test_errors_in_game_files(
    unpacked: Callable[[str], Path], name: str, change: Callable[[Any], None]
) -> None:
    folder = unpacked("game28.dta")
    edit_json(folder / name, change)
    with pytest.raises((WorkspaceError, EncodeError)):
        repack(folder)


# --- sprites --------------------------------------------------------------------------------


def test_sprites_edited(unpacked: Callable[[str], Path]) -> None:
    folder = unpacked("acsprset.spr")
    Image.new("RGBA", (5, 4), (1, 2, 3, 77)).save(folder / "sprites" / "00001.png")
    Image.new("RGB", (2, 2), (9, 8, 7)).save(folder / "sprites" / "00004.png")

    def add(shown: Any) -> None:
        shown["slot_count"] = 5
        shown["sprites"].append({"slot": 4, "bytes_per_pixel": 2})

    edit_json(folder / "sprites.json", add)
    sprites = SpriteSet.read(repack(folder))
    assert len(sprites.slots) == 5
    changed, added = sprites.slots[1], sprites.slots[4]
    assert not isinstance(changed, type(sprites.slots[2]))
    assert sprites.pixels(instance(Sprite, changed)).data == b"\3\2\1\x4d" * 20
    assert sprites.pixels(instance(Sprite, added)).depth == 2


def test_indexed_sprites_have_the_colours_of_the_game_beside_them(
    built: Path, tmp_path: Path
) -> None:
    sprites = SpriteSet(version=12)
    sprites.slots.append(EmptySlot())
    sprites.replace(0, Pixels(2, 1, 1, b"\1\x09"))
    data = sprites.to_bytes()
    game = bytes(Package.read(built.read_bytes())["game28.dta"].data or b"")
    for colour, files in (((1, 1, 1), {}), ((48, 81, 178), {"Game28.dta": game})):
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        (tmp_path / "acsprset.spr").write_bytes(data)
        folder = tmp_path / f"folder{len(files)}"
        overhaul.unpack(tmp_path / "acsprset.spr", folder)
        image = Image.open(folder / "sprites" / "00000.png")
        assert image.convert("RGB").getpixel((0, 0)) == colour
        assert repack(folder) == data


def test_the_index_follows_its_sprite_set(built: Path, tmp_path: Path) -> None:
    stored = bytes(Package.read(built.read_bytes())["acsprset.spr"].data or b"")
    sprites = SpriteSet.read(stored)
    sprites.to_bytes()
    (tmp_path / "acsprset.spr").write_bytes(stored)
    (tmp_path / "sprindex.dat").write_bytes(write_index(11, index_of(sprites)))
    overhaul.unpack(tmp_path / "acsprset.spr", tmp_path / "folder")
    Image.new("RGBA", (50, 40), (1, 2, 3, 77)).save(tmp_path / "folder" / "sprites" / "00000.png")
    (tmp_path / "out").mkdir()
    overhaul.pack(tmp_path / "folder", tmp_path / "out" / "acsprset.spr")
    changed = SpriteSet.read((tmp_path / "out" / "acsprset.spr").read_bytes())
    _, index = read_index((tmp_path / "out" / "sprindex.dat").read_bytes())
    assert index.offsets == [slot.offset for slot in changed.slots] and index.widths[0] == 50
    # a stale one is left alone
    (tmp_path / "sprindex.dat").write_bytes(write_index(11, SpriteIndex(file_id=1)))
    with overhaul.open(tmp_path / "acsprset.spr") as document:
        assert companions_of(document) == {}


def test_the_index_in_a_package_follows_too(built: Path, tmp_path: Path) -> None:
    package = Package.read(built.read_bytes())
    stored = bytes(package["acsprset.spr"].data or b"")
    sprites = SpriteSet.read(stored)
    sprites.to_bytes()
    package.add("sprindex.dat", write_index(11, index_of(sprites)))
    (tmp_path / "game.ags").write_bytes(package.to_bytes())
    overhaul.unpack(tmp_path / "game.ags", tmp_path / "folder", flat=True)
    sprites.replace(0, Pixels(3, 3, 4, bytes(36)))
    changed = sprites.to_bytes()
    (tmp_path / "folder" / "assets" / "acsprset.spr").write_bytes(changed)
    again = Package.read(repack(tmp_path / "folder"))
    assert again["acsprset.spr"].data == changed
    _, index = read_index(bytes(again["sprindex.dat"].data or b""))
    assert index.offsets == [slot.offset for slot in sprites.slots]


# --- tables of packages ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown["assets"].pop(0), r"assets: assets/.* is there, but no asset has it"),
        (lambda shown: shown["assets"].append(shown["assets"][0]), "file of another asset"),
        (lambda shown: shown["assets"][0].update(zz=1), r"assets\[0\]: unknown field 'zz'"),
        (
            lambda shown: shown["assets"][0].update(missing=True),
            r"assets\[0\].missing: .* is there",
        ),
        (lambda shown: shown["assets"][0].update(name=None), r"assets\[0\].name: expected a text"),
        (lambda shown: shown["assets"][0].update(overlap=-1), r"assets\[0\].overlap: expected"),
        (lambda shown: shown.update(zz=1), "unknown field 'zz'"),
    ],
)
def test_errors_in_the_table_of_a_package(
    built: Path, tmp_path: Path, change: Callable[[Any], None], message: str
) -> None:
    overhaul.unpack(built, tmp_path / "folder", flat=True)
    edit_json(tmp_path / "folder" / "package.json", change)
    with pytest.raises(WorkspaceError, match=f"package.json.*{message}"):
        repack(tmp_path / "folder")


# --- packages -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [6, 10, 11, 15, 20, 21, 30])
def test_packages_of_every_version(version: int) -> None:
    package = Package(version=version, parts=["small.ags"], seed=77)
    for name, data in (("a.txt", b"first"), ("Room1.crm", b""), ("z.bin", bytes(300))):
        package.add(name, data)
    data = package.to_bytes()
    again = Package.read(data)
    assert [(a.name, bytes(a.data or b"")) for a in again] == [
        ("a.txt", b"first"),
        ("Room1.crm", b""),
        ("z.bin", bytes(300)),
    ]
    assert again.to_bytes() == data
    again.replace("ROOM1.CRM", b"longer than before")
    again.remove("a.txt")
    again.add("new", b"new")
    third = Package.read(again.to_bytes())
    assert [(a.name, bytes(a.data or b"")) for a in third] == [
        ("Room1.crm", b"longer than before"),
        ("z.bin", bytes(300)),
        ("new", b"new"),
    ]
    with pytest.raises(EncodeError):
        third.add("NEW", b"")
    with pytest.raises(KeyError):
        third.remove("none")


@pytest.mark.parametrize(("version", "width"), [(21, 4), (30, 8)])
def test_packages_behind_a_program(version: int, width: int) -> None:
    package = Package(version=version, parts=["game.exe"], prefix=b"MZ" * 70, tail_width=width)
    package.add("game28.dta", b"data")
    data = package.to_bytes()
    assert data.startswith(b"MZMZ") and data.endswith(b"SIGE")
    again = Package.read(data)
    assert again.prefix == b"MZ" * 70 and again.to_bytes() == data
    again.replace("game28.dta", b"more data")
    third = Package.read(again.to_bytes())
    assert third.prefix == b"MZ" * 70 and bytes(third["game28.dta"].data or b"") == b"more data"


def test_packages_in_several_parts(tmp_path: Path) -> None:
    package = Package(version=30, parts=["game.ags", "game.001"])
    package.add("a", b"in the first")
    package.add("b", b"in the second", part=1)
    package.add("c", b"there too", part=1)
    (tmp_path / "game.ags").write_bytes(package.to_bytes())
    with overhaul.open(tmp_path / "game.ags") as document:
        assert document.warnings and dict(document.info())["missing_assets"] == 2
        assert document.to_bytes() == (tmp_path / "game.ags").read_bytes()
    for name, data in package.other_parts().items():
        (tmp_path / name).write_bytes(data)
    overhaul.unpack(tmp_path / "game.ags", tmp_path / "folder")
    assert (tmp_path / "folder" / "assets" / "c").read_bytes() == b"there too"
    (tmp_path / "folder" / "assets" / "b").write_bytes(b"changed")
    (tmp_path / "out").mkdir()
    packed = overhaul.pack(tmp_path / "folder", tmp_path / "out" / "game.ags")
    assert sorted(Path(name).name for name in packed.written) == ["game.001", "game.ags"]
    with overhaul.open(tmp_path / "out" / "game.ags") as document:
        assert isinstance(document, HasMembers)
        members = {member.path: member.read() for member in document.members()}
    assert members == {"a": b"in the first", "b": b"changed", "c": b"there too"}


def test_assets_added_and_removed_as_files(built: Path, tmp_path: Path) -> None:
    overhaul.unpack(built, tmp_path / "folder", flat=True)
    (tmp_path / "folder" / "assets" / "acsprset.spr").unlink()
    (tmp_path / "folder" / "assets" / "new.txt").write_bytes(b"hello")
    (tmp_path / "folder" / "assets" / "room1.crm.bak2").write_bytes(b"an older room")
    package = Package.read(repack(tmp_path / "folder"))
    assert [asset.name for asset in package] == ["game28.dta", "room1.crm", "new.txt"]


def test_gaps_and_shared_assets_stay() -> None:
    package = Package(version=30, parts=["x"])
    package.add("a", b"aaaa")
    package.add("b", b"bb")
    package.assets[1].gap = b"gap"
    package.trailing[0] = b"the end"
    data = package.to_bytes()
    again = Package.read(data)
    assert again["b"].gap == b"gap" and again.to_bytes() == data
    # the table says that b is a
    start = again["a"].offset.to_bytes(8, "little"), (4).to_bytes(8, "little")
    old = again["b"].offset.to_bytes(8, "little"), (2).to_bytes(8, "little")
    shared = data.replace(b"".join(old), b"".join(start))
    twice = Package.read(shared)
    assert bytes(twice["b"].data or b"") == b"aaaa" and twice.to_bytes() == shared
    twice.replace("a", b"other")
    assert bytes(Package.read(twice.to_bytes())["b"].data or b"") == b"aaaa"
    # ... and that b begins in the middle of a, and in the table
    for offset, size in ((again["a"].offset + 2, 7), (3, 300)):
        place = offset.to_bytes(8, "little") + min(size, len(data) - offset).to_bytes(8, "little")
        tangled = data.replace(b"".join(old), place)
        assert Package.read(tangled).to_bytes() == tangled


def test_broken_packages() -> None:
    package = Package(version=30, parts=["x"])
    package.add("a", b"aaaa")
    data = package.to_bytes()
    for size in range(len(data)):
        with pytest.raises(FormatError):
            Package.read(data[:size])
    with pytest.raises(FormatError, match="unknown"):
        Package.read(data[:5] + b"\x63" + data[6:])
    with pytest.raises(FormatError, match="does not fit"):
        Package.read(data[:-4])


# --- texts, saves ---------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"plain", b'\xff\xfe\0\n\r\t\\"', "ä\u2028€".encode(), b"\xc3"])
def test_texts(data: bytes) -> None:
    text = decode(data)
    assert encode(text) == data
    assert unquote(quote(text)) == text
    assert quote(text).isprintable() and len(quote(text).splitlines()) == 1


@pytest.mark.parametrize("place", ["label", "gui", "script", "dialog_script", "module"])
def test_a_text_of_a_gui_or_a_script_decides_on_the_encoding(place: str) -> None:
    made = ags_games.game()
    assert made.content is not None
    made.content.settings.options[49] = 0  # it names no encoding
    assert GameDocument.from_bytes(made.to_bytes()).encoding == "utf-8"
    text = '.script 90\n.strings\n    s0: "\udcfc"\n.code\n    movl ax, @string s0\n    ret\n'
    foreign = assemble(text)
    if place == "label":
        made.content.gui.labels[0].text = "f\udcfcr"
    elif place == "gui":
        made.content.gui.guis[0].name = "f\udcfcr"
    elif place == "script":
        made.content.global_script = foreign
    elif place == "dialog_script":
        made.content.dialog_script = foreign
    else:
        made.content.script_modules.append(foreign)
    assert GameDocument.from_bytes(made.to_bytes()).encoding == "cp1252"


@given(st.binary(max_size=12), st.sampled_from(["utf-8", "cp1252", "cp932", "cp1251", "cp437"]))
def test_texts_shown_in_any_encoding(data: bytes, encoding: str) -> None:
    text = decode(data)
    assert unshow(show(text, encoding), encoding) == text
    assert unquote(quote(text, encoding), encoding) == text


def test_saves_are_recognised(tmp_path: Path) -> None:
    save = tmp_path / "agssave.001"
    save.write_bytes(b"Adventure Game Studio saved game v2" + bytes(50))
    report = overhaul.verify(save)
    assert report.identical and report.kind == "ags-save"
    with overhaul.open(save) as document:
        assert dict(document.info())["generation"] == 2
    texts = (b"Adventure Game Studio run-time engine", b"3.6.1.26", b"{id}", b"Park", b"park.ags")
    described = b"".join(len(text).to_bytes(4, "little") + text for text in texts)
    for size in (b"", b"\xc8\0\0\0"):
        save.write_bytes(b"Adventure Game Studio saved game v2\x0b\0\0\0" + size + described)
        with overhaul.open(save) as document:
            info = dict(document.info())
        assert (info["save_version"], info["engine_version"], info["game"]) == (
            11,
            "3.6.1.26",
            "Park",
        )
    old = b"RGMH" + bytes(90) + b"Adventure Game Studio saved gameAt the moon\0\x08\0\0\0"
    save.write_bytes(old + bytes(20))
    with overhaul.open(save) as document:
        info = dict(document.info())
        assert (info["description"], info["save_version"]) == ("At the moon", 8)
    for length, found in ((1023, True), (1024, False)):
        start = b"Adventure Game Studio saved game" + b"x" * length + b"\0\x08\0\0\0"
        with overhaul.open(start) as document:
            assert ("description" in dict(document.info())) == found
    described = described.replace(b"Park", b"P\0rk")
    save.write_bytes(b"Adventure Game Studio saved game v2\x0b\0\0\0" + described)
    with overhaul.open(save) as document:
        assert "game" not in dict(document.info())
        (opaque,) = document.coverage().details
        assert opaque.length == document.coverage().total - 32
        assert [resource.path for resource in document.tree()] == ["save.bin"]
    save.write_bytes(old + bytes(20))
    with pytest.raises(FormatError, match="signature"), overhaul.open(b"RGMH" + bytes(40)):
        pass
    overhaul.unpack(save, tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again", from_scratch=True)
    assert (tmp_path / "again").read_bytes() == save.read_bytes()


# --- faults ---------------------------------------------------------------------------------


def test_any_damage_is_an_error_or_read_whole(built: Path) -> None:
    package = Package.read(built.read_bytes())
    files = [built.read_bytes(), *(bytes(asset.data or b"") for asset in package)]
    chance = random.Random(5)
    refused = 0
    for _ in range(150):
        broken = bytearray(chance.choice(files))
        for _ in range(chance.choice((1, 2, 30))):
            broken[chance.randrange(min(len(broken), chance.choice((100, 9000))))] = chance.choice(
                (0, 1, 0x7F, 0x80, 0xFF)
            )
        if chance.random() < 0.3:
            del broken[chance.randrange(1, len(broken)) :]
        try:
            assert overhaul.verify(bytes(broken)).identical
        except FormatError:
            refused += 1
    assert 5 < refused < 145


def test_images_are_written_the_same_every_time(
    built: Path, unpacked: Callable[[str], Path], tmp_path: Path
) -> None:
    data = (unpacked("room1.crm") / "background.png").read_bytes()
    overhaul.unpack(f"{built}!room1.crm", tmp_path / "again")
    assert next((tmp_path / "again").rglob("background.png")).read_bytes() == data
    kinds, position = [], 8
    while position < len(data):
        kinds.append(data[position + 4 : position + 8])
        position += 12 + int.from_bytes(data[position : position + 4], "big")
    assert set(kinds) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}  # no date, no program
