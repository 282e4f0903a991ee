"""Games in executables: layers undone and redone, resources extracted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from made_executables import executable, stored
from memory_folder import memory_folder
from overhaul.document.plainfiles import UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.documents.converted import converted
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.executable.container import (
    OFFSET_53,
    key_checksum,
    masked,
    read_executable,
    scramble,
    unscramble,
    write_executable,
)
from overhaul.gamemaker.classic.fields import Slot
from overhaul.gamemaker.classic.kinds import empty_project
from overhaul.gamemaker.classic.obfuscation import table_of_seed
from overhaul.gamemaker.classic.records import write_project
from overhaul.gamemaker.classic.resources import Script
from overhaul.gamemaker.classic.settings import Constant
from overhaul.gamemaker.classic_folder.executable import FORMAT as folder_format


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


@pytest.mark.parametrize("key", [0, 1, 253, 4711, 2**31 - 1, -5])
def test_5_3_stores_its_project(key: int) -> None:
    project = empty_project(530)
    project.scripts.slots = [Slot(exists=1, name="scr", resource=Script(version=400, code="x = 1"))]
    project.settings.constants = [Constant("LIVES", "3")]
    project.trailing = b"words"
    data = stored(project, key)
    assert b"scr" not in data or key in (0, 253)
    with overhaul.open(data) as document:
        assert isinstance(document, ExecutableDocument) and document.version == "530"
        assert document.to_bytes() == data
        assert document.info()["product"] == "Game Maker 5.3"
        coverage = document.coverage()
        assert coverage.total == len(data)
        assert [(part.path, part.length) for part in coverage.details] == [
            ("inner_head", 3),
            ("project!trailing", 5),
        ]
        assert coverage.details[0].offset == OFFSET_53 + 16
        files = {
            plain.path: plain.read()
            for plain in folder_format.plain_files(document, UnpackOptions())
        }
        assert files["scripts/scr.gml"] == b"x = 1"
        assert [item.name for item in document.tree() if item.kind == "script"] == ["scr"]
        made = converted(document)
        assert made.project.to_bytes() == write_project(project) and not made.findings
        assert made.tallies["scripts"] == (1, 0, 0) and made.tallies["constants"] == (1, 0, 0)
        assert converted(document, 810).project.project.scripts.slots[0].name == "scr"


def test_damage_of_5_3_is_named_at_its_place() -> None:
    project = empty_project(530)
    data = stored(project)
    start = len(data) - len(write_project(project))
    with pytest.raises(FormatError) as caught:
        read_executable(data[:-40], source="game.exe")
    assert caught.value.source == "game.exe" and (caught.value.offset or 0) >= start
    other = bytearray(data)
    other[start] ^= 1
    with pytest.raises(FormatError, match="not a Game Maker project"):
        read_executable(bytes(other))
    for length in range(OFFSET_53 + 4, start + 8):
        with pytest.raises(FormatError):
            read_executable(data[:length])


def test_the_key_of_the_mask() -> None:
    assert key_checksum(0) != key_checksum(1)
    data = bytes(range(100))
    assert masked(masked(data, 10, 3, 4), 10, 3, 4) == data != masked(data, 10, 3, 4)


@given(st.binary(max_size=700), st.integers(0, 30000))
def test_scrambling_both_ways(data: bytes, seed: int) -> None:
    table = table_of_seed(seed)
    assert unscramble(scramble(data, table), table) == data
    assert scramble(unscramble(data, table), table) == data
