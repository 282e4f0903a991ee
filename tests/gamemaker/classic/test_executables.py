"""Games in executables: layers undone and redone, resources extracted."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from memory_folder import memory_folder
from overhaul.document.plainfiles import UnpackOptions
from overhaul.errors import FormatError, UnsupportedVersion, WorkspaceError
from overhaul.gamemaker.classic.actions import Event, Object
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.executable import records
from overhaul.gamemaker.classic.executable.container import (
    OFFSETS,
    Executable,
    key_checksum,
    masked,
    read_executable,
    scramble,
    unscramble,
    write_executable,
)
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.kinds import item_version, section_version
from overhaul.gamemaker.classic.obfuscation import Obfuscation, table_of_seed
from overhaul.gamemaker.classic.resources import Sound
from overhaul.gamemaker.classic.settings import LibraryCodes, RoomOrder
from overhaul.gamemaker.classic_folder.actions import code_list
from overhaul.gamemaker.classic_folder.executable import FORMAT as folder_format
from present import present

SETTINGS = {600: 600, 700: 702, 800: 800, 810: 800}
PIXELS = bytes(range(2 * 3 * 4))


def game(version: int) -> records.Game:
    """A small game with a sprite, a sound, a script and an object."""
    made = records.Game(game_id=77, guid=[1, 2, 3, 4])
    new = version >= 800
    project = {600: 600, 700: 701, 800: 800, 810: 810}[version]
    parts: dict[str, Callable[[], Any]] = {
        "extensions": records.Extensions,
        "triggers": records.GameTriggers,
        "constants": records.GameConstants,
        "includes": records.GameIncludes,
        "sprites": records.SPRITES.new,
        "backgrounds": records.BACKGROUNDS.new,
        "paths": records.PATHS.new,
        "scripts": records.SCRIPTS.new,
        "fonts": records.FONTS.new,
        "timelines": records.TIMELINES.new,
        "objects": records.OBJECTS.new,
        "rooms": records.ROOMS.new,
        "information": records.GameInformationText,
        "library_codes": LibraryCodes,
        "room_order": RoomOrder,
        "sounds": (records.SOUNDS if version > 600 else records.PLAIN_SOUNDS).new,
    }
    for name, kind in parts.items():
        field = "packages" if name == "extensions" else name
        record = kind()
        record.version = section_version(field, max(project, 701 if field == "packages" else 0))
        setattr(made, "plain_sounds" if (name, version) == ("sounds", 600) else name, record)
    if version == 600:
        made.settings = records.GameSettings(version=600, load_bar=0)
    pixels = PIXELS if new else Deflated.of(PIXELS)
    picture = records.GamePicture(version=800 if new else 540, width=2, height=3, pixels=pixels)
    sprite = records.GameSprite(version=item_version("sprites", project), frames=[picture])
    if new:
        sprite.masks = [records.Mask(version=800, width=1, height=2, bits=bytes(8))]
    present(made.sprites).slots = [records.GameSlot(exists=1, name="spr", resource=sprite)]
    data = b"RIFF    WAVE"
    if version == 600:
        plain = records.PlainSound(version=600, has_data=1, data=data, file_type=".wav")
        present(made.plain_sounds).slots = [records.GameSlot(exists=1, name="snd", resource=plain)]
    else:
        stored = data if new else Deflated.of(data)
        sound = Sound(version=800 if new else 600, has_data=1, data=stored, file_type=".wav")
        present(made.sounds).slots = [records.GameSlot(exists=1, name="snd", resource=sound)]
    script = records.GameScript(version=item_version("scripts", project), code="return 1;")
    present(made.scripts).slots = [records.GameSlot(exists=1, name="scr", resource=script)]
    last = 11 if new else 10
    events: list[list[Event]] = [[] for _ in range(last + 1)]
    events[0] = [Event(0, code_list("x = 1;"))]
    object_ = Object(version=430, last_category=last, categories=events)
    present(made.objects).slots = [
        records.GameSlot(),
        records.GameSlot(exists=1, name="obj", resource=object_),
    ]
    information: Any = made.information  # the text of a game is deflated before 800
    information.text = b"{\\rtf1}\0" if new else Deflated.of(b"{\\rtf1}\0")
    return made


def executable(version: int) -> bytes:
    made = Executable(version, "utf-8" if version == 810 else "cp1252")
    made.game = game(version)
    made.garbage = b"garbage!"
    made.hidden = Obfuscation(1, 2, array("i", [7]), 12345, array("i", [8, 9]))
    made.table = table_of_seed(4711)
    made.junk = b"junk", b"morejunk"
    made.files = [(b"D3DX8.dll", b"MZ a library")]
    place = OFFSETS.get(version, (3_800_100,))[0]
    made.runner = b"MZ" + bytes(place - 2)
    magic = struct.pack("<ii", 1234321, version)
    if version == 600:
        made.head = magic + bytes(12)
        made.inner_head = struct.pack("<8i", 1230600, 335, 336, 1, 27, 1234321, 600, 0)
    else:
        made.settings = records.GameSettings(version=SETTINGS[version], load_bar=0)
    if version == 700:
        made.head = magic + bytes(4)
        made.inner_head = struct.pack("<i", 28489)
    elif version >= 800:
        made.head = magic + bytes(4)
        made.inner_head = struct.pack("<ii", 1, 5) + struct.pack("<i", 1)
    if version == 810:
        mark = bytes.fromhex("110022f7") + bytes.fromhex("67331444")
        made.mask = 952549023, 0x8AB0477E
        made.head = mark + struct.pack("<II", *made.mask) + bytes(16)
    return write_executable(made)


@pytest.mark.parametrize("version", [600, 700, 800, 810])
def test_layers_both_ways(version: int) -> None:
    data = executable(version)
    read = read_executable(data)
    assert (read.version, read.game.game_id, read.garbage) == (version, 77, b"garbage!")
    assert write_executable(read) == data
    with overhaul.open(data) as document:
        assert isinstance(document, ExecutableDocument)
        assert document.version == str(version)
        document.decode()
        assert document.to_bytes() == data
        assert document.coverage().total == len(data)
        assert {item.name for item in document.tree()} >= {"spr", "snd", "scr", "obj"}
        plain_files = folder_format.plain_files(document, UnpackOptions())
        files = {plain.path: plain.read() for plain in plain_files}
        assert files["scripts/scr.gml"] == b"return 1;"
        assert files["objects/obj/create.gml"] == b"x = 1;"
        assert files["sounds/snd.wav"] == b"RIFF    WAVE"
        assert files["sprites/spr/0.png"].startswith(b"\x89PNG")
        assert files["runner/D3DX8.dll"] == b"MZ a library"
        assert files["game_information.rtf"] == b"{\\rtf1}"
        with pytest.raises(WorkspaceError):
            folder_format.apply(document, memory_folder({}, {}), {})


@pytest.mark.parametrize("version", [600, 700, 800, 810])
def test_broken_games_are_refused(version: int) -> None:
    data = executable(version)
    start = len(read_executable(data).runner)
    for length in range(start + 8, len(data), max(1, (len(data) - start) // 150)):
        with pytest.raises(FormatError):
            read_executable(data[:length])


def test_other_programs() -> None:
    with pytest.raises(FormatError):
        overhaul.open(b"MZ" + bytes(5000))
    data = bytearray(1_600_000)
    data[:2] = b"MZ"
    data[1_500_000:1_500_004] = struct.pack("<i", 1230500)
    with pytest.raises(UnsupportedVersion, match=r"5\.3"):
        overhaul.open(bytes(data)).info()


def test_the_key_of_the_mask() -> None:
    assert key_checksum(0) != key_checksum(1)
    data = bytes(range(100))
    assert masked(masked(data, 10, 3, 4), 10, 3, 4) == data != masked(data, 10, 3, 4)


@given(st.binary(max_size=700), st.integers(0, 30000))
def test_scrambling_both_ways(data: bytes, seed: int) -> None:
    table = table_of_seed(seed)
    assert unscramble(scramble(data, table), table) == data
    assert scramble(unscramble(data, table), table) == data
