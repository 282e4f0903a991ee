"""Projects made of the games in executables."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import pytest

import overhaul
import toy
from made_executables import PIXELS, USUAL, compiled, executable, game, stored
from overhaul.cli import main
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker import classic, gm82
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.executable import records
from overhaul.gamemaker.classic.executable.container import read_executable, write_executable
from overhaul.gamemaker.classic.fields import Deflated, Slot
from overhaul.gamemaker.classic.kinds import empty_project
from overhaul.gamemaker.classic.obfuscation import table_of_seed
from overhaul.gamemaker.classic.pictures import pixels_of
from overhaul.gamemaker.classic.records import Project, read_project, write_project
from overhaul.gamemaker.classic.recovery import masks, recover, recovering
from overhaul.gamemaker.classic.resources import (
    Background,
    Instance,
    OldPicture,
    OldSprite,
    Picture,
    Room,
    Sprite,
    Tile,
)
from overhaul.gamemaker.classic.settings import OptionalPicture
from present import present

PROJECTS = {600: 600, 700: 701, 800: 800, 810: 810}


@pytest.fixture(autouse=True)
def usual_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made executables have another picture for loading than Game Maker's."""
    digest = hashlib.sha256(USUAL).hexdigest()[:32]
    usual = dict.fromkeys(recovering._USUAL_PICTURES, digest)
    monkeypatch.setattr(recovering, "_USUAL_PICTURES", usual)


def frames_of(project: Project) -> list[OldPicture] | list[Picture]:
    """The subimages of the first sprite."""
    sprite = project.sprites.slots[0].resource
    assert isinstance(sprite, OldSprite | Sprite)
    return sprite.frames


def recovered(data: bytes, version: int | None = None) -> recovering.Recovered:
    """A recovery, whose project comes back from its bytes."""
    made = recover(read_executable(data), version)
    written = write_project(made.project)
    assert write_project(read_project(written)) == written
    return made


@pytest.mark.parametrize("version", PROJECTS)
def test_all_of_a_game_is_in_its_project(version: int) -> None:
    made = recovered(executable(version))
    project = made.project
    assert project.version == PROJECTS[version] and project.game_id == 77
    assert project.guid == struct.pack("<4i", 1, 2, 3, 4)
    assert present(project.scripts.slots[0].resource).code == "return 1;"
    assert [slot.name for slot in project.objects.slots] == ["", "obj"]
    action = present(project.objects.slots[1].resource).categories[0][0].actions.actions[0]
    assert action.arguments[0] == "x = 1;"
    sound = present(project.sounds.slots[0].resource)
    data = sound.data.data if isinstance(sound.data, Deflated) else sound.data
    assert (data, sound.file_type) == (b"RIFF    WAVE", ".wav")
    assert project.information.text == b"{\\rtf1}\0"
    pictures = [pixels_of(frame) for frame in frames_of(project)]
    shown = np.frombuffer(PIXELS, np.uint8).reshape(3, 2, 4)
    assert np.array_equal(present(pictures[0])[1:, :, :3], shown[1:, :, 2::-1])
    tallies = made.tallies
    assert tallies["sprites"].total == tallies["objects"].total == tallies["scripts"].total == 1
    assert tallies["scripts"] == (1, 0, 0) and tallies["settings"] == (1, 1, 0)
    children = {node.name: [child.name for child in node.children] for node in project.tree}
    assert children["Objects"] == ["obj"] and children["Sounds"] == ["snd"]
    assert [child.index for node in project.tree for child in node.children] == [0, 0, 0, 1]


@pytest.mark.parametrize("version", PROJECTS)
def test_a_later_version_can_be_asked_for(version: int) -> None:
    made = recovered(executable(version), 810) if version < 810 else recovered(executable(810))
    sprite = made.project.sprites.slots[0].resource
    assert made.project.version == 810 and isinstance(sprite, Sprite)
    assert bytes(sprite.frames[0].pixels) == PIXELS  # as they are in the executable, with alpha
    with pytest.raises(EncodeError, match="can only be converted to a later version, not to 600"):
        recover(read_executable(executable(800)), 600)


def project_of(version: int) -> Project:
    """A project with what compiling changes: tiles, locked instances, keyed pictures, a bar."""
    made = empty_project(version)
    pixels = np.zeros((4, 4, 4), np.uint8)
    pixels[:, :, 3] = 255
    pixels[1:3, 1:3] = 9, 8, 7, 255
    if version >= 800:
        pixels[0, :, 3] = 0
        sprite: OldSprite | Sprite = Sprite(version=800, bbox_right=3, bbox_bottom=3, bbox_top=1)
        sprite.frames = [recovering._picture(pixels)]
        background = Background(version=710, image=recovering._picture(pixels))
    else:
        sprite = OldSprite(version=542, width=4, height=4)
        sprite.frames = [recovering._old_picture(pixels, transparent=False)]
        background = Background(version=543, width=4, height=4, has_image=1)
        background.old_image = recovering._old_picture(pixels, transparent=False)
    background.use_as_tileset, background.tile_width, background.tile_height = 1, 2, 3
    made.sprites.slots = [Slot(exists=1, name="spr", resource=sprite)]
    made.backgrounds.slots = [Slot(exists=1, name="back", resource=background)]
    room = Room(version=541, snap_x=32, width=99)
    room.instances = [Instance(1, 2, 0, 100001, "x = 1;", locked=1)]
    room.tiles = [Tile(0, 0, 0, 0, 0, 2, 3, 10, 10000001), Tile(8, 8, 0, 0, 0, 4, 4)]
    made.rooms.slots = [Slot(), Slot(exists=1, name="a", resource=room)]
    made.rooms.slots.append(Slot(exists=1, name="b", resource=Room(version=541)))
    made.room_order.rooms = [2, 1]
    flag = 1 if version >= 800 else 10
    made.settings.load_bar, made.settings.own_load_image = 2, 1
    made.settings.load_image = OptionalPicture(0 if version >= 800 else -1)
    made.settings.load_bar_back = OptionalPicture(flag, Deflated.of(b"BM back"))
    made.settings.load_bar_front = OptionalPicture(flag, Deflated.of(b"BM front"))
    return made


@pytest.mark.parametrize("version", PROJECTS.values())
def test_what_compiling_keeps_comes_back(version: int) -> None:
    project = project_of(version)
    made = recovered(compiled(project))
    new = made.project
    assert frames_of(new) == frames_of(project)
    background, before = (present(each.backgrounds.slots[0].resource) for each in (new, project))
    assert (background.use_as_tileset, background.tile_width, background.tile_height) == (1, 2, 3)
    assert background.image == before.image and background.old_image == before.old_image
    room, old = (present(each.rooms.slots[1].resource) for each in (new, project))
    assert (room.width, room.tiles) == (99, old.tiles)
    assert room.instances == [Instance(1, 2, 0, 100001, "x = 1;", locked=0)]
    assert room.snap_x == 16 and made.tallies["rooms"] == (2, 2, 0)
    rooms = next(node for node in new.tree if node.name == "Rooms")
    assert [node.name for node in rooms.children] == ["b", "a"]
    for name in ("load_bar", "load_bar_back", "load_bar_front", "own_load_image", "load_image"):
        assert getattr(new.settings, name) == getattr(project.settings, name)
    codes = {finding.code for finding in made.findings}
    assert codes >= {"lost-in-compiling"}
    said = " ".join(map(str, made.findings))
    assert "rooms: the grid" in said and "the settings of tile sets" in said


def test_the_pictures_of_game_maker_itself_are_not_the_projects_own() -> None:
    project = empty_project(800)
    project.settings.load_bar, project.settings.own_load_image = 1, 0
    made = recovered(compiled(project)).project.settings
    assert (made.load_bar, made.own_load_image) == (1, 0)
    assert made.load_image is None and made.load_bar_back is None


def test_clear_pixels_get_a_colour_that_no_other_has() -> None:
    pixels = np.zeros((2, 3, 4), np.uint8)
    pixels[0] = (0, 0, 0, 255), (1, 0, 0, 255), (5, 5, 5, 0)
    pixels[1] = (0, 0, 0, 0), (6, 6, 6, 0), (2, 0, 0, 255)
    old = recovering._old_picture(pixels, transparent=True)
    keyed = present(pixels_of(old, keyed=True))
    assert keyed[:, :, 3].tolist() == [[255, 255, 0], [0, 0, 255]]
    assert np.array_equal(keyed[pixels[:, :, 3] > 0], pixels[pixels[:, :, 3] > 0])
    assert keyed[0, 2, :3].tolist() == keyed[1, 0, :3].tolist() == [3, 0, 0]
    pixels[0, 0] = 7, 7, 7, 255  # then the colour of the bottom left pixel is free
    assert present(pixels_of(recovering._old_picture(pixels, transparent=True)))[0, 2, 0] == 0


def alpha(rows: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Pixels of one row for each word: a digit is a tenth of the opacity."""
    return np.array([[int(digit) * 25 for digit in row] for row in rows.split()], np.uint8)


def mask(pixels: np.ndarray, box: masks.Box, shape: int, tolerance: int) -> records.Mask:
    solid = masks.shaped(pixels, box, shape, tolerance)
    height, width = pixels.shape
    left, top, right, bottom = box
    return records.Mask(
        version=800, width=width, height=height, left=left, top=top, right=right, bottom=bottom,
        bits=solid.astype("<u4").tobytes(),
    )  # fmt: skip


FRAME = alpha("00000 05990 09990 09910 00000")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ((masks.PRECISE, 0, (1, 1, 3, 3)), (masks.PRECISE, 0, masks.AUTOMATIC)),
        ((masks.PRECISE, 130, (1, 1, 3, 3)), (masks.PRECISE, 125, masks.AUTOMATIC)),
        ((masks.PRECISE, 0, (0, 0, 4, 4)), (masks.PRECISE, 0, masks.FULL)),
        ((masks.PRECISE, 0, (2, 0, 4, 4)), (masks.PRECISE, 0, masks.MANUAL)),
        ((masks.RECTANGLE, 0, (0, 0, 4, 4)), (masks.RECTANGLE, 0, masks.FULL)),
        ((masks.RECTANGLE, 0, (0, 2, 4, 4)), (masks.RECTANGLE, 0, masks.MANUAL)),
        ((masks.DISK, 0, (0, 0, 4, 4)), (masks.DISK, 0, masks.FULL)),
        ((masks.DIAMOND, 0, (0, 0, 4, 4)), (masks.DIAMOND, 0, masks.FULL)),
    ],
)
def test_settings_that_make_the_same_masks_are_found(
    settings: tuple[int, int, masks.Box], expected: tuple[int, int, int]
) -> None:
    shape, tolerance, box = settings
    found = masks.settings_of([FRAME], [mask(FRAME, box, shape, tolerance)], None)
    assert found == (*expected, box, True)
    again = mask(FRAME, found.box, found.shape, found.tolerance)
    assert again.bits == mask(FRAME, box, shape, tolerance).bits


def test_each_subimage_may_have_a_mask_of_its_own() -> None:
    other = alpha("00000 00000 00990 00000 00000")
    boxes = (1, 1, 3, 3), (2, 2, 3, 2)
    made = [
        mask(frame, box, masks.PRECISE, 0) for frame, box in zip((FRAME, other), boxes, strict=True)
    ]
    found = masks.settings_of([FRAME, other], made, None)
    assert found == (masks.PRECISE, 0, masks.AUTOMATIC, (1, 1, 3, 3), True)
    together = mask(np.maximum(FRAME, other), (1, 1, 3, 3), masks.PRECISE, 0)
    assert masks.settings_of([FRAME, other], [together], 0).is_proven


def test_masks_that_no_settings_make_are_reported() -> None:
    odd = mask(FRAME, (0, 0, 4, 4), masks.RECTANGLE, 0)
    odd.bits = b"\0" * 4 + odd.bits[4:-4] + b"\0" * 4
    found = masks.settings_of([FRAME], [odd], None)
    assert found == (masks.PRECISE, 0, masks.MANUAL, (0, 0, 4, 4), False)
    data = executable(800)  # whose only sprite has a mask of another size
    made = recovered(data)
    assert made.tallies["sprites"] == (1, 1, 0)
    assert "sprite spr: how its collision masks are made got lost in compiling" in map(
        str, made.findings
    )


def test_texts_are_in_the_encoding_that_the_game_information_names() -> None:
    content = game(800)
    present(content.scripts).slots[0].name = "скрипт"
    present(content.information).text = b"{\\rtf1\\ansi\\ansicpg1251}\0"
    made = recovered(executable(800, content, "cp1251"))
    assert made.project.encoding == "cp1251"
    assert made.project.scripts.slots[0].name == "скрипт"
    later = recovered(executable(800, content, "cp1251"), 810).project
    assert later.encoding == "utf-8" and later.scripts.slots[0].name == "скрипт"


def test_files_of_extensions_are_given_as_files() -> None:
    streams = b"".join(
        len(stream).to_bytes(4, "little") + stream
        for stream in (Deflated.of(content).stream for content in (b"MZ dll", b"#define f"))
    )
    package = records.PackedExtension(version=700, name="Ext/1")
    package.files = [
        records.PackedFile(version=700, name="a.dll", kind=1),
        records.PackedFile(version=700, name="a.lib", kind=3),
        records.PackedFile(version=700, name="a.gml", kind=2),
        records.PackedFile(version=700, name="b.txt", kind=4),
    ]
    package.content = struct.pack("<i", 99) + streams[:1] + streams[1:].translate(table_of_seed(99))
    content = game(800)
    present(content.extensions).packages = [package]
    made = recovered(executable(800, content))
    assert [name.name for name in made.project.packages.names] == ["Ext/1"]
    assert {path.rpartition("/")[2]: data for path, data in made.files.items()} == {
        "a.dll": b"MZ dll",
        "a.gml": b"#define f",
    }
    assert all(path.startswith("extensions/") and path.count("/") == 2 for path in made.files)
    assert made.tallies["extensions"] == (1, 0, 1)
    said = list(map(str, made.findings))
    assert "extension Ext/1: the action library a.lib got lost in compiling" in said
    assert "extension Ext/1: the file b.txt got lost in compiling" in said


def test_included_files_of_game_maker_6_stand_next_to_the_project() -> None:
    made = read_executable(executable(600))
    made.files.append((b"intro.txt", b"hello"))
    made.head = made.head[:8] + struct.pack("<3i", 1, 1, 0)
    found = recover(made)
    settings = found.project.settings
    assert [item.path for item in settings.include_files] == ["intro.txt"]
    assert (settings.include_folder, settings.include_overwrite) == (1, 1)
    assert settings.include_remove == 0
    assert found.files == {"intro.txt": b"hello"}
    assert found.tallies["included_files"] == (1, 0, 0)


def test_a_program_without_resources_is_said() -> None:
    said = [str(finding) for finding in recovered(executable(800)).findings]
    assert any(text.startswith("settings: icon and version: ") for text in said)


def test_documents_and_the_command_convert_executables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.exe"
    file.write_bytes(executable(800))
    with overhaul.open(file) as document:
        assert isinstance(document, ExecutableDocument)
        assert classic.converted(document).project.version == "800"
    out = tmp_path / "made.gm81"
    words = ["convert", str(file), "--to", "gm81", "-o", str(out)]
    assert main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["recovered"]["scripts"] == {"count": 1, "lossy": 0, "lost": 0}
    assert said["findings"][0].keys() >= {"severity", "code", "message", "path"}
    assert {finding["code"] for finding in said["findings"]} >= {"lost-in-compiling"}
    with overhaul.open(out) as project:
        assert project.version == "810" == str(said["version"])
    assert main(words) != 0
    assert "already exists" in capsys.readouterr().err
    with pytest.raises(FormatError, match="expected a project or an executable of Game Maker"):
        classic.converted(toy.Toy())


def test_a_project_that_is_there_leaves_no_files_next_to_it(tmp_path: Path) -> None:
    made = read_executable(executable(600))
    made.files.append((b"intro.txt", b"hello"))
    file, out = tmp_path / "game.exe", tmp_path / "made.gm81"
    file.write_bytes(write_executable(made))
    words = ["convert", str(file), "--to", "gm81", "-o", str(out)]
    out.write_bytes(b"mine")
    assert main(words) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.exe", "made.gm81"]
    assert out.read_bytes() == b"mine"
    assert main([*words, "--force"]) == 0
    assert (tmp_path / "made-files/intro.txt").read_bytes() == b"hello"


@pytest.mark.parametrize("version", PROJECTS)
def test_damaged_games_give_errors_or_projects(version: int) -> None:
    data = executable(version)
    start = len(read_executable(data).runner)
    made = 0
    for at in range(start + 60, len(data), max(1, (len(data) - start) // 120)):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        try:
            recovered(bytes(broken))
            made += 1
        except (FormatError, EncodeError):
            pass
    assert made or version == 600  # where all of the game is one zlib stream


def test_a_folder_of_8_2_lacks_nothing_that_only_earlier_versions_store() -> None:
    project = empty_project(530)
    background = Background(version=400, width=4, height=4, has_image=1)
    pixels = np.full((4, 4, 4), 255, np.uint8)
    background.old_image = recovering._old_picture(pixels, transparent=False)
    project.backgrounds.slots = [Slot(exists=1, name="back", resource=background)]
    with overhaul.open(stored(project)) as document:
        made = gm82.folder_of(document, "made")
    assert "backgrounds/back.png" in made.files
    assert not [each for each in made.findings if "back" in each.path]
